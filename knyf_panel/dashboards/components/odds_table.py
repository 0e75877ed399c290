"""Chances as a table: for each combination the best chance, and the chance with the move that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import panel as pn

from knyf_panel.dashboards.components.markup import Markup, element
from knyf_panel.dashboards.components.style import ACCENT, INK, LINE, TEXT
from knyf_panel.texts import Texts

_STYLE = f"""{TEXT}
table {{ border-collapse: collapse; width: 100%; color: {INK}; font-variant-numeric: tabular-nums; }}
caption {{ caption-side: bottom; text-align: left; padding-top: .5rem; font-size: .875rem; }}
th, td {{ padding: .2rem .5rem; border-bottom: 1px solid {LINE}; text-align: right; }}
th:first-child {{ text-align: left; font-weight: 400; padding-left: 0; }}
thead th, thead th:first-child {{
  font-weight: 600; vertical-align: bottom; border-bottom-width: 2px; line-height: 1.25;
}}
tr.kp-marked th, tr.kp-marked td {{ font-weight: 700; border-bottom: 2px solid {ACCENT}; }}
td.kp-sign {{ width: 1.2em; padding: 0; text-align: center; }}
"""


@dataclass(frozen=True, slots=True)
class OddsRow:
    name: str
    best: Fraction
    chosen: Fraction | None = None  # None: no move is chosen, or one that the rules do not allow

    @property
    def is_best(self) -> bool:
        return self.chosen == self.best != 0


class OddsTable:
    """The rows as an HTML table; one of them can be marked."""

    def __init__(self, texts: Texts, caption: str = "") -> None:
        self._texts, self._caption = texts, caption
        self.view = pn.pane.HTML("", stylesheets=[_STYLE], sizing_mode="stretch_width")

    def show(self, rows: Sequence[OddsRow], marked: int | None = None) -> None:
        body = element("tbody", *(self._row(row, place == marked) for place, row in enumerate(rows)))
        caption = [element("caption", self._caption)] if self._caption else []
        self.view.object = element("table", *caption, self._head(), body, class_="kp-table")

    def _head(self) -> Markup:
        columns = (element("th", self._texts(f"interface.odds.{id_}"), scope="col") for id_ in _COLUMNS)
        return element("thead", element("tr", *columns, element("td", class_="kp-sign")))

    def _row(self, row: OddsRow, is_marked: bool) -> Markup:
        chosen = self._texts("interface.odds.none") if row.chosen is None else self._texts.percent(row.chosen)
        label = self._texts("interface.odds.as_good_as_best")
        sign = element("span", "✓", role="img", aria_label=label, title=label) if row.is_best else ""
        return element(
            "tr",
            element("th", row.name, scope="row"),
            element("td", self._texts.percent(row.best)),
            element("td", chosen),
            element("td", sign, class_="kp-sign"),
            **({"class_": "kp-marked"} if is_marked else {}),
        )


_COLUMNS = ("combination", "best", "chosen")
