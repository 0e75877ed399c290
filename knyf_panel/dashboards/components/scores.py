"""The sheets of all players side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knyf_panel.dashboards.components.markup import Markup, element
from knyf_panel.dashboards.components.style import LINE, TEXT

SCORES = f"""{TEXT}
:host {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-weight: 700; padding: .25rem 0; }}
th, td {{ padding: .2rem .75rem; border-bottom: 1px solid {LINE}; text-align: right; }}
th:first-child {{ text-align: left; padding-left: 0; }}
thead th {{ max-width: 10rem; overflow-wrap: anywhere; vertical-align: bottom; }}
tbody th {{ font-weight: 400; }}
tr.kp-sum th, tr.kp-sum td {{ font-weight: 700; }}
"""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    name: str
    cells: tuple[str, ...]  # one for each player
    is_sum: bool = False


def score_table(caption: str, players: Sequence[str], rows: Sequence[ScoreRow]) -> Markup:
    head = element("tr", element("td"), *(element("th", player, scope="col") for player in players))
    return element(
        "table",
        element("caption", caption),
        element("thead", head),
        element("tbody", *(_row(row) for row in rows)),
    )


def _row(row: ScoreRow) -> Markup:
    attributes = {"class_": "kp-sum"} if row.is_sum else {}
    cells = (element("td", cell) for cell in row.cells)
    return element("tr", element("th", row.name, scope="row"), *cells, **attributes)
