"""The lines of a grid as a table, and the chances of one line as another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import panel as pn

from knyf_panel.dashboards.components.markup import Markup, element, joined
from knyf_panel.dashboards.components.odds_chart import BEST, CHOSEN
from knyf_panel.dashboards.components.style import ACCENT, INK, LINE, TEXT
from knyf_panel.texts import Texts

_STYLE = f"""{TEXT}
table {{
  border-collapse: collapse; width: 100%; color: {INK}; font-size: .9375rem; font-variant-numeric: tabular-nums;
}}
caption {{ caption-side: bottom; text-align: left; padding-top: .5rem; font-size: .875rem; }}
th, td {{ padding: .2rem .25rem; border-bottom: 1px solid {LINE}; text-align: right; }}
th:first-child {{ text-align: left; }}
tbody th:first-child {{ font-weight: 400; padding-left: 0; }}
@media (max-width: 374px) {{ table {{ font-size: .8125rem; }} }}
@media (min-width: 375px) {{ .kp-line, .kp-numbers {{ white-space: nowrap; }} }}
thead th {{ font-weight: 600; vertical-align: bottom; border-bottom-width: 2px; line-height: 1.25; }}
tfoot th, tfoot td {{ font-weight: 700; border-bottom: 0; }}
tr.kp-marked th:first-child, tr.kp-marked td {{ font-weight: 700; border-bottom: 2px solid {ACCENT}; }}
.kp-bars {{ width: 28%; }}
svg {{ display: block; width: 100%; height: 16px; }}
rect.kp-now {{ fill: none; stroke: {BEST}; stroke-width: 2; vector-effect: non-scaling-stroke; }}
rect.kp-here {{ fill: {CHOSEN}; }}
"""


@dataclass(frozen=True, slots=True)
class LineRow:
    name: str
    numbers: str
    result: str  # "" as long as the line is not full
    expected: Fraction
    considered: Fraction | None = None  # with the number that is considered; None: it does not touch this line


@dataclass(frozen=True, slots=True)
class ChanceRow:
    name: str
    points: int
    chance: Fraction
    considered: Fraction | None = None


class LinesTable:
    """A row for each line; one of them is marked."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.view = pn.pane.HTML("", stylesheets=[_STYLE], sizing_mode="stretch_width", margin=0)

    def show(self, rows: Sequence[LineRow], marked: int, total: str, caption: str) -> None:
        words = self._texts
        names = ("line", "numbers", "result", "expected")
        columns = (element("th", words(f"interface.knister.{id_}"), scope="col") for id_ in names)
        foot = element("tr", *_foot(words("interface.knister.total"), total))
        self.view.object = element(
            "table",
            element("caption", caption),
            element("thead", element("tr", *columns)),
            element("tbody", *(self._row(row, place == marked) for place, row in enumerate(rows))),
            element("tfoot", foot),
        )

    def _row(self, row: LineRow, is_marked: bool) -> Markup:
        return element(
            "tr",
            element("th", row.name, scope="row", class_="kp-line"),
            element("td", row.numbers, class_="kp-numbers"),
            element("td", row.result or self._texts("interface.odds.none")),
            element("td", "" if row.result else self._expected(row)),
            **({"class_": "kp-marked"} if is_marked else {}),
        )

    def _expected(self, row: LineRow) -> str:
        before = self._texts.number(row.expected, 2)
        if row.considered is None:
            return before
        return f"{before} →\xa0{self._texts.number(row.considered, 2)}\xa0{sign(row.expected, row.considered)}"


class ChancesTable:
    """The combinations of one line with their chances, as bars and as numbers; one of them is marked."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.view = pn.pane.HTML("", stylesheets=[_STYLE], sizing_mode="stretch_width", margin=0)

    def show(self, rows: Sequence[ChanceRow], marked: int, considered: str, caption: str) -> None:
        """`considered` is the heading of a column for the number that is considered; "" when there is none."""
        words = self._texts
        names = [words("interface.odds.combination"), words("interface.knister.points"), words("interface.knister.now")]
        heads = [element("th", name, scope="col") for name in (*names, *[considered] * bool(considered))]
        self.view.object = element(
            "table",
            element("caption", caption),
            element("thead", element("tr", *heads, element("td", class_="kp-bars"))),
            element("tbody", *(self._row(row, place == marked) for place, row in enumerate(rows))),
        )

    def _row(self, row: ChanceRow, is_marked: bool) -> Markup:
        chances = [row.chance] if row.considered is None else [row.chance, row.considered]
        return element(
            "tr",
            element("th", row.name, scope="row"),
            element("td", self._texts.number(row.points)),
            *(element("td", self._texts.percent(chance)) for chance in chances),
            element("td", _bars(row), class_="kp-bars"),
            **({"class_": "kp-marked"} if is_marked else {}),
        )


def sign(before: Fraction, after: Fraction) -> str:
    """Better, worse or the same."""
    return "▲" if after > before else "▼" if after < before else "="


def _foot(name: str, total: str) -> tuple[Markup, ...]:
    return element("th", name, scope="row"), element("td"), element("td", total), element("td")


def _bars(row: ChanceRow) -> Markup:
    """A wide, empty bar for the chance; in it, a full one for the number that is considered, or for the same chance."""
    inner = row.chance if row.considered is None else row.considered
    return element(
        "svg",
        joined(
            element("rect", class_="kp-now", x="0", y="1", width=_width(row.chance), height="14"),
            element("rect", class_="kp-here", x="0", y="5", width=_width(inner), height="6"),
        ),
        viewBox="0 0 100 16",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _width(chance: Fraction) -> str:
    return f"{100 * float(chance):.2f}"
