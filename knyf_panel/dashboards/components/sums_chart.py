"""What was rolled beside what is to be expected: bars for the frequencies so far, diamonds on a line for the theory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import panel as pn
from bokeh.models import ColumnDataSource, FactorRange, FixedTicker, Range1d
from bokeh.plotting import figure

from knyf_panel.dashboards.components.markup import Markup, element, joined
from knyf_panel.dashboards.components.odds_chart import CHOSEN as OBSERVED
from knyf_panel.dashboards.components.style import INK, LINE, TEXT
from knyf_panel.texts import Texts

THEORY = "#b3651b"  # 3 : 1 and more to white, to near black and to the paper of both themes
_HEIGHT = 220
_TICKS = (0, 0.1, 0.2, 0.3, 0.5, 1)

_STYLE = f"""
:host {{
  --bk-major-label-text-color: {INK}; --bk-axis-line-color: {LINE}; --bk-grid-line-color: {LINE};
  --bk-major-tick-line-color: {LINE}; margin: 0;
}}
"""
_TEXT_STYLE = f"""{TEXT}
.kp-legend {{ display: flex; flex-flow: row wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: 0; }}
.kp-legend li::before {{ display: inline-block; width: 1.5rem; margin-right: .5rem; vertical-align: middle; }}
.kp-legend .kp-observed::before {{ content: ""; height: .9rem; background: {OBSERVED}; }}
.kp-legend .kp-theory::before {{ content: "◆"; content: "◆" / ""; color: {THEORY}; text-align: center; }}
table {{ border-collapse: collapse; width: 100%; font-size: .8125rem; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-size: 1rem; padding-bottom: .25rem; }}
th, td {{ padding: .15rem .1rem; border-bottom: 1px solid {LINE}; text-align: center; }}
th:first-child {{ text-align: left; font-weight: 400; }}
"""


class SumsChart:
    """A chart and, below it, the same as a table."""

    def __init__(self, theory: Mapping[int, Fraction], texts: Texts) -> None:
        self._theory, self._texts = theory, texts
        names = [str(number) for number in theory]
        zeros = [0.0] * len(names)
        chances = [float(chance) for chance in theory.values()]
        self.source = ColumnDataSource({"name": names, "observed": zeros, "theory": chances})
        self._range = Range1d(start=0, end=1)
        self.figure = _figure(names, self._range, self.source, texts)
        self._legend = pn.pane.HTML(_legend(texts), stylesheets=[_TEXT_STYLE], sizing_mode="stretch_width", margin=0)
        self.table = pn.pane.HTML("", stylesheets=[_TEXT_STYLE], sizing_mode="stretch_width", margin=0)
        chart = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width", margin=0)
        self.view = pn.Column(self._legend, chart, self.table, sizing_mode="stretch_width", margin=0)

    def show(self, observed: Mapping[int, int]) -> None:
        total = sum(observed.values())
        shares = [observed.get(number, 0) / max(total, 1) for number in self._theory]
        self.source.data = {**self.source.data, "observed": shares}
        self._range.end = 1.1 * max(*shares, *map(float, self._theory.values()))
        self.table.object = self._in_words(observed, total)

    def _in_words(self, observed: Mapping[int, int], total: int) -> Markup:
        words, numbers = self._texts, self._theory
        head = element("th", words("interface.knister.sum"), scope="col")
        mean = [words.number(chance * total, 1) for chance in numbers.values()]
        return element(
            "table",
            element("caption", words("interface.knister.sums_caption", rolls=total)),
            element(
                "thead", element("tr", head, *(element("th", words.number(number), scope="col") for number in numbers))
            ),
            element(
                "tbody",
                _row(
                    words("interface.knister.observed"), (words.number(observed.get(number, 0)) for number in numbers)
                ),
                _row(words("interface.knister.theory"), mean),
            ),
        )


def _row(name: str, values: Iterable[str]) -> Markup:
    return element("tr", element("th", name, scope="row"), *(element("td", value) for value in values))


def _figure(names: list[str], shares: Range1d, source: ColumnDataSource, texts: Texts) -> figure:
    plot = figure(
        x_range=FactorRange(factors=names),
        y_range=shares,
        height=_HEIGHT,
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        background_fill_alpha=0,
        border_fill_alpha=0,
        outline_line_color=None,
        stylesheets=[_STYLE],
    )
    plot.vbar("name", top="observed", width=0.7, source=source, fill_color=OBSERVED, line_color=None)
    plot.line("name", "theory", source=source, line_color=THEORY, line_width=2)
    plot.scatter("name", "theory", source=source, marker="diamond", size=13, fill_color=THEORY, line_color=None)
    plot.yaxis.ticker = FixedTicker(ticks=list(_TICKS))
    plot.yaxis.major_label_overrides = {tick: texts.percent(tick, 0) for tick in _TICKS}
    plot.axis.major_label_text_font_size = "14px"
    plot.axis.minor_tick_line_color = None
    plot.xgrid.visible = False
    plot.ygrid.grid_line_alpha = 0.4
    return plot


def _legend(texts: Texts) -> Markup:
    items = (
        element("li", texts(f"interface.knister.{id_}_long"), class_=f"kp-{id_}") for id_ in ("observed", "theory")
    )
    return element("ul", joined(*items), class_="kp-legend")
