"""Chances as bars: a wide, empty bar for the best chance, and in it a full one for the move that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

import panel as pn
from bokeh.models import ColumnDataSource, FactorRange, FixedTicker, Range1d
from bokeh.plotting import figure

from knyf_panel.dashboards.components.markup import element, joined
from knyf_panel.dashboards.components.odds_table import OddsRow
from knyf_panel.dashboards.components.style import INK, LINE, TEXT
from knyf_panel.texts import Texts

# Glyphs cannot read the site's variables. These have a contrast of 3 : 1 and more to white and to near black alike.
BEST, CHOSEN = "#858b95", "#2f7fd6"
_TICKS = (0, 0.5, 1)
_ROW_HEIGHT, _AXIS_HEIGHT = 27, 40

# Bokeh asks style sheets for the colours of its axes: --bk-, then the name of the property.
_STYLE = f"""
:host {{
  --bk-major-label-text-color: {INK}; --bk-axis-line-color: {LINE}; --bk-grid-line-color: {LINE};
  --bk-major-tick-line-color: {LINE}; margin: 0;
}}
"""
_LEGEND_STYLE = f"""{TEXT}
ul {{ display: flex; flex-flow: row wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: 0; }}
li::before {{ content: ""; display: inline-block; width: 1.5rem; margin-right: .5rem; vertical-align: middle; }}
.kp-best::before {{ height: .9rem; border: 2px solid {BEST}; box-sizing: border-box; }}
.kp-chosen::before {{ height: .5rem; background: {CHOSEN}; }}
"""


class OddsChart:
    """The rows as bars, with a legend above."""

    def __init__(self, names: Sequence[str], texts: Texts) -> None:
        self.source = ColumnDataSource({"name": list(names), "best": [0.0] * len(names), "chosen": [0.0] * len(names)})
        self._names = FactorRange(factors=list(reversed(names)))
        self.figure = _figure(self._names, self.source, texts)
        self.view = pn.Column(
            pn.pane.HTML(_legend(texts), stylesheets=[_LEGEND_STYLE], sizing_mode="stretch_width"),
            pn.pane.Bokeh(self.figure, sizing_mode="stretch_width"),
            sizing_mode="stretch_width",
            margin=0,
        )

    def show(self, rows: Sequence[OddsRow]) -> None:
        """Some of the names may be without a row."""
        names = [row.name for row in rows]
        self._names.factors = names[::-1]
        self.figure.height = _height(len(names))
        self.source.data = {
            "name": names,
            "best": [float(row.best) for row in rows],
            "chosen": [float(row.chosen or 0) for row in rows],
        }


def _figure(names: FactorRange, source: ColumnDataSource, texts: Texts) -> figure:
    plot = figure(
        y_range=names,
        x_range=Range1d(start=0, end=1.02),
        height=_height(len(names.factors)),
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        background_fill_alpha=0,
        border_fill_alpha=0,
        outline_line_color=None,
        stylesheets=[_STYLE],
    )
    plot.hbar("name", left=0, right="best", height=0.72, source=source, fill_color=None, line_color=BEST, line_width=2)
    plot.hbar("name", left=0, right="chosen", height=0.36, source=source, fill_color=CHOSEN, line_color=None)
    plot.xaxis.ticker = FixedTicker(ticks=list(_TICKS))
    plot.xaxis.major_label_overrides = {tick: texts.percent(tick, 0) for tick in _TICKS}
    plot.axis.major_label_text_font_size = "14px"
    plot.axis.minor_tick_line_color = None
    plot.yaxis.major_tick_line_width = 0
    plot.ygrid.visible = False
    plot.xgrid.grid_line_alpha = 0.4
    return plot


def _height(rows: int) -> int:
    return _ROW_HEIGHT * rows + _AXIS_HEIGHT


def _legend(texts: Texts) -> str:
    items = (element("li", texts(f"interface.odds.{id_}_long"), class_=f"kp-{id_}") for id_ in ("best", "chosen"))
    return element("ul", joined(*items))
