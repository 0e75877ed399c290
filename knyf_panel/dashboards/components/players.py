"""Who plays: a form for a new game, and the table of those who do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import panel as pn

from knyf_panel.dashboards.components.markup import Markup, element
from knyf_panel.dashboards.components.parts import button, row, select, stack, text, text_input
from knyf_panel.dashboards.components.style import ACCENT, COLUMNS, LINE, TEXT
from knyf_panel.engine.match import KINDS, PERSON
from knyf_panel.texts import Texts

Seats = Sequence[tuple[str, str]]  # name and kind, in seating order

_LONGEST_SEED = 15  # digits


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the form asks for."""

    seats: tuple[tuple[str, str], ...]  # who goes first, first
    seed: int | None  # None: luck decides


class PlayersForm:
    """`start(NewGame)` is called for a form that is filled in. It answers why the game could not be set up, or nothing.

    >>> form = PlayersForm(2, 5, load("en"), start=lambda asked: "")
    >>> form.show([("Ala", "person"), ("Olek", "strong")])
    >>> form.view
    """

    def __init__(
        self,
        fewest: int,
        most: int,
        texts: Texts,
        start: Callable[[NewGame], str],
        cancel: Callable[..., None] = lambda *_: None,
    ) -> None:
        self._texts, self._start = texts, start
        self._count = select(self._words("players"), list(range(fewest, most + 1)))
        self._kind_names = {texts(f"table.kind.{kind}"): kind for kind in KINDS}
        self.names: list[pn.widgets.TextInput] = []
        self.kinds: list[pn.widgets.Select] = []
        self._first = select(self._words("first"), {})
        self._seed = text_input(self._words("seed"), longest=_LONGEST_SEED)
        self._refusal = text(tags=["live"])
        self._rows = stack()
        controls = row(
            button(self._words("start"), self._submit, is_primary=True),
            button(self._words("cancel"), cancel),
        )
        self.view = stack(self._count, self._rows, self._first, self._seed, self._refusal, controls)
        self._count.param.watch(lambda event: self._resize(event.new), "value")
        self._resize(fewest)

    def show(self, seats: Seats) -> None:
        """Begin with these players."""
        self._count.value = len(seats)
        self._resize(len(seats))
        for (name, kind), name_field, kind_field in zip(seats, self.names, self.kinds, strict=False):
            kind_field.value = kind
            name_field.value = name
        self._refusal.object = ""

    def _resize(self, count: int) -> None:
        while len(self.names) < count:
            self._add(len(self.names))
        self._rows.objects = [self._row(seat) for seat in range(count)]
        self._name_the_first()

    def _row(self, seat: int) -> pn.Row:
        fields = [pn.Column(field, styles={"flex": "1 1 12rem"}, margin=0) for field in self._fields(seat)]
        return pn.Row(*fields, stylesheets=[COLUMNS, _NARROW_GAP], sizing_mode="stretch_width", margin=0)

    def _fields(self, seat: int) -> tuple[pn.widgets.TextInput, pn.widgets.Select]:
        return self.names[seat], self.kinds[seat]

    def _add(self, seat: int) -> None:
        kind = KINDS[1] if seat else PERSON
        self.names.append(text_input(self._words("name", number=seat + 1), self._default_name(seat, kind)))
        self.kinds.append(select(self._words("kind", number=seat + 1), self._kind_names))
        self.kinds[seat].value = kind
        self.kinds[seat].param.watch(lambda event: self._rename(seat, event.old, event.new), "value")
        self.names[seat].param.watch(self._name_the_first, "value")

    def _rename(self, seat: int, old: str, new: str) -> None:
        """A name that nobody chose follows the kind of the player."""
        if self.names[seat].value == self._default_name(seat, old):
            self.names[seat].value = self._default_name(seat, new)

    def _name_the_first(self, *_: object) -> None:
        count, chosen = len(self._rows.objects), self._first.value or 0
        # Equal names are refused later; here each still needs an entry of its own.
        self._first.options = {f"{seat + 1}. {self.names[seat].value}": seat for seat in range(count)}
        self._first.value = chosen if chosen < count else 0

    def _default_name(self, seat: int, kind: str) -> str:
        return default_name(seat, kind, self._texts)

    def _submit(self, *_: object) -> None:
        seed = str(self._seed.value_input or self._seed.value or "").strip()
        if seed and not (seed.isascii() and seed.isdigit()):
            self._refuse(self._words("bad_seed", seed=seed))
            return
        seats = [
            (str(name.value_input or name.value), str(kind.value))
            for name, kind in zip(self.names, self.kinds, strict=True)
        ][: len(self._rows.objects)]
        if not any(kind == PERSON for _, kind in seats):
            self._refuse(self._words("nobody"))
            return
        first = int(self._first.value or 0)
        self._refuse(self._start(NewGame((*seats[first:], *seats[:first]), int(seed) if seed else None)))

    def _refuse(self, reason: str) -> None:
        self._refusal.object = element("p", reason) if reason else ""

    def _words(self, key: str, **values: Any) -> str:
        return self._texts(f"table.setup.{key}", **values)


def default_name(seat: int, kind: str, texts: Texts) -> str:
    if kind == PERSON and seat == 0:
        return texts("table.names.you")
    return texts(f"table.names.{'person' if kind == PERSON else 'computer'}", number=seat + 1)


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player in the table. `details` stand under the page's own headings: cards in hand, fields filled."""

    place: int
    name: str
    kind: str
    points: int
    is_next: bool = False
    details: tuple[str, ...] = ()


class PlayersTable:
    """The players with their points, and a sign for whose turn it is."""

    def __init__(self, texts: Texts, headings: Sequence[str] = ()) -> None:
        self._texts, self._headings = texts, headings
        self.view = pn.pane.HTML("", stylesheets=[_TABLE], sizing_mode="stretch_width", margin=0)

    def show(self, rows: Sequence[PlayerRow]) -> None:
        words = self._texts
        names = [words(f"table.standings.{key}") for key in ("player", "points")]
        names = [names[0], *self._headings, names[1]]
        head = element("tr", *(element("th", name, scope="col") for name in names))
        self.view.object = element(
            "table",
            element("caption", words("table.standings.caption")),
            element("thead", head),
            element("tbody", *(self._row(row_) for row_ in rows)),
        )

    def _row(self, shown: PlayerRow) -> Markup:
        kind = "" if shown.kind == PERSON else self._texts(f"table.kind.{shown.kind}")
        label = self._texts("table.standings.turn")
        sign = element("span", "▶ ", role="img", aria_label=label, title=label) if shown.is_next else ""
        name = element("th", sign, shown.name, *([element("small", kind)] if kind else []), scope="row")
        cells = (*shown.details, self._texts.number(shown.points))
        attributes = {"class_": "kp-next"} if shown.is_next else {}
        return element("tr", name, *(element("td", cell) for cell in cells), **attributes)


_NARROW_GAP = ":host { gap: .25rem 1rem; }"
_TABLE = f"""{TEXT}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-weight: 700; padding: .25rem 0; }}
th, td {{ padding: .25rem .5rem; border-bottom: 1px solid {LINE}; text-align: right; }}
th:first-child {{ text-align: left; padding-left: 0; font-weight: 400; overflow-wrap: anywhere; }}
thead th, thead th:first-child {{ font-weight: 600; font-size: .875rem; vertical-align: bottom; }}
small {{ display: block; font-size: .8125rem; }}
tr.kp-next th, tr.kp-next td {{ font-weight: 700; border-bottom: 2px solid {ACCENT}; }}
"""
