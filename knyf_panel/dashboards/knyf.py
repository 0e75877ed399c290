"""A hand of Karciany Knyf: discard cards, and see what that does to the chance of every combination."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import panel as pn
import param
from panel.viewable import Viewable

from knyf_panel.dashboards.components import Hand, OddsChart, OddsRow, OddsTable, element, face_down
from knyf_panel.dashboards.components.markup import Markup, joined, listed
from knyf_panel.dashboards.components.style import BUTTON, COLUMNS, INPUT, ROW, STACK, TEXT, switch
from knyf_panel.dashboards.dashboard import Dashboard
from knyf_panel.dashboards.shelf import Shelf
from knyf_panel.dashboards.visit import Visit
from knyf_panel.engine import GameError, knyf
from knyf_panel.engine.knyf.odds import AT_LEAST
from knyf_panel.engine.knyf.rules import HAND
from knyf_panel.texts import explain, load, rule

Odds = Mapping[str, knyf.CardChance]

PUPIL = 0  # the seat; the opponent passes every time
PLAYERS = ("Ty", "Oni")  # a game needs two; their names are not shown


class KnyfDashboard(Dashboard):
    """The state is the engine's, and the move that is being considered: which cards go, and whether one more comes."""

    carried = ("state", "selected", "one_more", "explained")

    state = param.ClassSelector(default=knyf.new_game(PLAYERS, 0), class_=knyf.State)
    selected = param.ClassSelector(class_=frozenset, default=frozenset(), doc="Places in the hand.")
    one_more = param.Boolean(default=False)
    explained = param.String(default="knyf", doc="The combination whose chance is explained.")
    happened = param.String(default="", doc="What the last action led to, in words.")

    def __init__(self, visit: Visit, fresh_seed: Callable[[], int], shelf: Shelf | None = None) -> None:
        super().__init__(visit, fresh_seed, shelf)
        self._names = {id_: rule("knyf", id_, visit.language).name for id_ in knyf.COMBINATIONS}
        self._make_widgets()
        self._view = self._lay_out()
        self.param.watch(self._show, ["state", "selected", "one_more", "explained", "happened"])
        self._deal(visit.seed)

    # ---- What the pupil does -----------------------------------------------------------------------------------------

    def deal(self, *_: object) -> None:
        """New cards, whatever the link said."""
        self._deal(None)

    def _deal(self, seed: int | None) -> None:
        refused = ""
        try:
            state = knyf.new_game(PLAYERS, self._fresh_seed() if seed is None else seed)
        except GameError as error:  # the number in the link: say so, and deal other cards
            refused = self.texts.error(error, "knyf")
            state = knyf.new_game(PLAYERS, self._fresh_seed())
        dealt = self.texts("interface.knyf.dealt", hand=state.hands[PUPIL])
        self._go_on(state, f"{refused} {dealt}".strip())

    def exchange(self, *_: object) -> None:
        """Make the move that is considered; the opponent passes. What the rules do not allow changes nothing."""
        try:
            after = knyf.apply(self.state, self.move)
        except GameError:
            return  # `_show` has said why, since the move was chosen
        before, discarded = self.hand, self.move.discard
        drawn = Counter(after.hands[PUPIL]) - (Counter(before) - Counter(discarded))
        happened = self.texts(
            "interface.knyf.exchanged", discarded=self._listed(discarded), drawn=self._listed(sorted(drawn.elements()))
        )
        self._go_on(knyf.apply(after, knyf.Exchange()), happened)

    def choose(self, place: int, is_selected: bool) -> None:
        """Put the card in this place among those to be discarded, or take it back."""
        if place in range(len(self.hand)) and is_selected != (place in self.selected):
            self.selected = self.selected | {place} if is_selected else self.selected - {place}

    def early(self, clicks: Sequence[str]) -> None:
        """A card may be selected face down. The deal that was asked for is the one that has been made: all pupils who
        come by the same link get the same cards, however impatient they are."""
        actions = {f"card-{place}": place for place in range(len(self.hand))}
        for click in clicks:
            if click == "deal":
                self.selected = frozenset()
            elif click in actions:
                self.choose(actions[click], actions[click] not in self.selected)

    def carry_on(self, other: Dashboard) -> None:
        super().carry_on(other)
        self.happened = self._words("dealt", hand=self.hand)  # what it was in the other language is in that language

    def _go_on(self, state: knyf.State, happened: str) -> None:
        self.param.update(state=state, selected=frozenset(), one_more=False, happened=happened)

    # ---- What follows from the state ---------------------------------------------------------------------------------

    @property
    def hand(self) -> tuple[int, ...]:
        return knyf.known(self.state, PUPIL).hand

    @property
    def move(self) -> knyf.Exchange:
        """The exchange that is considered; not every one is legal."""
        discard = tuple(self.hand[place] for place in sorted(self.selected))
        return knyf.Exchange(discard, len(discard) + self.one_more)

    def odds(self) -> Odds:
        """The best chances in one turn."""
        known = knyf.known(self.state, PUPIL)
        return knyf.odds(known.hand, known.discard_pile)

    def odds_of_move(self) -> Odds:
        """The chances with the move that is considered; GameError if it is not legal."""
        known, move = knyf.known(self.state, PUPIL), self.move
        knyf.apply(self.state, move)
        return knyf.odds_after(known.hand, move.discard, move.draw, known.discard_pile)

    # ---- What is on the screen ---------------------------------------------------------------------------------------

    def view(self) -> Viewable:
        return self._view

    def _make_widgets(self) -> None:
        words = self._words
        self._hand = Hand(self.choose, self.texts)
        self._one_more = pn.widgets.Toggle(name=words("one_more"), stylesheets=[switch(self.texts)])
        self._exchange = pn.widgets.Button(name=words("exchange"), stylesheets=[BUTTON], css_classes=["kp-primary"])
        self._new_deal = pn.widgets.Button(name=words("deal"), stylesheets=[BUTTON])
        options = {name: id_ for id_, name in self._names.items()}
        self._row = pn.widgets.Select(
            name=words("row"), options=options, stylesheets=[INPUT], sizing_mode="stretch_width", margin=0
        )
        self._chart = OddsChart(list(self._names.values()), self.texts)
        at_least = self.texts("interface.odds.at_least", at_least=AT_LEAST)
        self._table = OddsTable(self.texts, f"{self.texts('interface.odds.caption')}. {at_least}")
        self._heading, self._why = _text(), _text()
        self._status = _text(tags=["live"])
        self._exchange.on_click(self.exchange)
        self._new_deal.on_click(self.deal)
        self._one_more.param.watch(lambda event: self.param.update(one_more=event.new), "value")
        self._row.param.watch(lambda event: self.param.update(explained=event.new), "value")

    def _lay_out(self) -> Viewable:
        controls = pn.Row(self._exchange, self._one_more, self._new_deal, stylesheets=[ROW], margin=0)
        table = pn.Column(self._table.view, styles={"flex": "1 1 19rem"}, margin=0)
        chart = pn.Column(self._chart.view, styles={"flex": "2 1 19rem", "min-width": "0"}, margin=0)
        why = pn.Column(self._row, self._why, stylesheets=[STACK], styles={"flex": "2 1 19rem"}, margin=0)
        return pn.Column(
            self._heading,
            self._hand.view,
            controls,
            self._status,
            pn.Row(chart, table, why, stylesheets=[COLUMNS], sizing_mode="stretch_width", margin=0),
            stylesheets=[STACK],
            sizing_mode="stretch_width",
            margin=0,
        )

    def _show(self, *_: object) -> None:
        """Derive everything from the state. Setting what is set already sends nothing to the page."""
        best = self.odds()
        try:
            chosen, refusal = self.odds_of_move(), ""
        except GameError as error:
            chosen, refusal = {}, self.texts.error(error, "knyf")
        rows = [
            OddsRow(name, best[id_].probability, chosen[id_].probability if chosen else None)
            for id_, name in self._names.items()
        ]
        self._hand.show(self.hand, self.selected)
        self._one_more.value = self.one_more
        self._row.value = self.explained
        self._chart.show(rows)
        self._table.show(rows, knyf.COMBINATIONS.index(self.explained))
        self._heading.object = self._deal_in_words()
        self._status.object = self._status_in_words(refusal, rows[knyf.COMBINATIONS.index(self.explained)])
        self._why.object = self._why_in_words(best[self.explained], chosen.get(self.explained))

    def _deal_in_words(self) -> Markup:
        known, turn = knyf.known(self.state, PUPIL), self.state.turn // len(self.state.players) + 1
        facts = (
            self._words("deal_number", seed=str(self.state.seed)),
            self._words("turn_number", turn=turn),
            self._words("unseen", unseen=sum(known.unseen)),
        )
        return joined(
            element("h2", self._words("hand")),
            element("p", " · ".join(fact.replace(" ", "\xa0") for fact in facts), class_="kp-deal"),
            element("p", self._words("instruction")),
        )

    def _status_in_words(self, refusal: str, row: OddsRow) -> Markup:
        values = {"name": _capital(row.name), "best": self.texts.percent(row.best)}
        if refusal:
            return element("p", refusal, class_="kp-refusal")
        if row.chosen is None:
            return element("p", self._words("summary_without_choice", **values))
        summary = self._words("summary", chosen=self.texts.percent(row.chosen), **values)
        return element("p", f"{self.happened} {summary}".strip())

    def _why_in_words(self, best: knyf.CardChance, chosen: knyf.CardChance | None) -> Markup:
        explained = rule("knyf", self.explained, self.visit.language)
        parts = [element("p", explained.explanation), element("p", element("small", explained.source))]
        for key, chance in (("why_best", best), ("why_chosen", chosen)):
            if chance is not None:
                parts += [element("h3", self._words(key)), listed("ul", explain(chance, self.visit.language))]
        return joined(*parts)

    def _listed(self, cards: Sequence[int]) -> str:
        return self.texts.listed(cards) if cards else self._words("nothing")

    def _words(self, key: str, **values: Any) -> str:
        return self.texts(f"interface.knyf.{key}", **values)

    # ---- Before Python is ready --------------------------------------------------------------------------------------

    @classmethod
    def title(cls, language: str) -> str:
        return load(language)("interface.knyf.title")

    @classmethod
    def static(cls, language: str) -> str:
        texts = load(language)
        return joined(
            element("p", texts("interface.knyf.intro"), class_="kp-intro"),
            Markup(f"<noscript>{element('p', texts('interface.page.without_scripts'), class_='kp-note')}</noscript>"),
            element("h2", texts("interface.knyf.hand")),
            face_down(HAND, texts),
            element("button", texts("interface.knyf.deal_first"), type="button", class_="kp-button", data_early="deal"),
            element("p", texts("interface.page.early"), class_="kp-note"),
            _combinations(language),
        )


def _combinations(language: str) -> Markup:
    """What the game asks for, after the rulebook."""
    texts = load(language)
    head = (texts("interface.odds.combination"), texts("interface.knyf.scores"))
    rows = []
    for id_ in knyf.COMBINATIONS:
        entry = rule("knyf", id_, language)
        printed = element("small", entry.label, lang="pl", class_="kp-printed")
        name = joined(entry.name, " ", printed) if entry.label != entry.name else joined(entry.name)
        rows.append(element("tr", element("th", name, scope="row"), element("td", entry.explanation)))
    return element(
        "table",
        element("caption", texts("interface.knyf.combinations")),
        element("thead", element("tr", *(element("th", title, scope="col") for title in head))),
        element("tbody", *rows),
        class_="kp-table",
    )


def _text(tags: Sequence[str] = ()) -> pn.pane.HTML:
    return pn.pane.HTML("", stylesheets=[TEXT], sizing_mode="stretch_width", margin=0, tags=list(tags))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
