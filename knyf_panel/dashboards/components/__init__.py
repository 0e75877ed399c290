"""Parts that pages and notebooks are made of. They draw what they are given and know no rules."""

from knyf_panel.dashboards.components.cards import Hand, face_down
from knyf_panel.dashboards.components.dice import Dice, not_rolled
from knyf_panel.dashboards.components.markup import Markup, element
from knyf_panel.dashboards.components.odds_chart import OddsChart
from knyf_panel.dashboards.components.odds_table import OddsRow, OddsTable
from knyf_panel.dashboards.components.sheet import Sheet, SheetRow

__all__ = [
    "Dice",
    "Hand",
    "Markup",
    "OddsChart",
    "OddsRow",
    "OddsTable",
    "Sheet",
    "SheetRow",
    "element",
    "face_down",
    "not_rolled",
]
