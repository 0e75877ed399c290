"""A grid of numbers: its cells can be clicked, and so can a label at the end of each row, column and diagonal.

dice and sum        ×2      the diagonal that ends here
7   .   .   .   .   2.5     a row
…
1.9 …               ×2      columns, and the other diagonal
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TypeAlias

import panel as pn
from panel.viewable import Viewable

from knyf_panel.dashboards.components.markup import Markup, element
from knyf_panel.dashboards.components.style import ACCENT, FOCUS, INK, LINE, PAPER, TEXT, css_string
from knyf_panel.texts import Texts

LineKey: TypeAlias = tuple[str, int]  # ("row", 0), ("column", 3), ("diagonal", 1)

_MAIN, _OTHER = ("diagonal", 0), ("diagonal", 1)  # from the top left to the bottom right; from the top right


@dataclass(frozen=True, slots=True)
class Edge:
    """What stands at the end of a line."""

    text: str
    is_full: bool = False


class NumberGrid:
    """A square of cells and the labels of its lines, all of them buttons.

    `cell_chosen(cell)` and `line_chosen(key)` are called for every click; cells are numbered row by row from 0.

    A button must not be drawn anew while the keyboard's focus is on it, and Bokeh does that when a label changes. So
    each label is the name of the cell or line, read aloud and not seen. What is seen comes by CSS variables, which
    reach the buttons from the layout around them: one change for the whole grid instead of 37.
    """

    def __init__(
        self,
        lines: Mapping[LineKey, Sequence[int]],
        cell_chosen: Callable[[int], None],
        line_chosen: Callable[[LineKey], None],
        texts: Texts,
    ) -> None:
        count = len({cell for cells in lines.values() for cell in cells})
        self._lines, self._side, self._texts = lines, isqrt(count), texts
        self.cells = [self._cell(cell, cell_chosen) for cell in range(count)]
        self.edges = {key: self._edge(key, line_chosen) for key in lines}
        self._head = pn.pane.HTML("", stylesheets=[_HEAD_STYLE, _span(self._side)], margin=0)
        self.view = pn.Column(*self._in_reading_order(), stylesheets=[_layout(self._side)], margin=0)

    def show(
        self,
        numbers: Sequence[int | None],
        edges: Mapping[LineKey, Edge],
        *,
        head: Markup,
        marked: LineKey,
        considered: Mapping[int, int],
    ) -> None:
        """`considered`: numbers that are not written yet, by their cells."""
        self._head.object = head
        styles: dict[str, str] = {}
        for cell, number in enumerate(numbers):
            styles |= self._cell_variables(cell, number, considered.get(cell), cell in self._lines[marked])
        for key, edge in edges.items():
            styles |= self._edge_variables(key, edge, key == marked)
        self.view.styles = styles

    def _cell_variables(self, cell: int, number: int | None, considered: int | None, is_marked: bool) -> dict[str, str]:
        is_considered = number is None and considered is not None
        shown = considered if is_considered else number
        spoken = [] if shown is None else [self._texts.number(shown)]
        spoken += [self._texts("interface.knister.empty")] * (shown is None)
        spoken += [self._texts("interface.knister.considered")] * is_considered
        border = f"3px solid {ACCENT}" if is_marked else f"2px solid {LINE}"
        return {
            f"--kp-cell-{cell}": css_string("" if shown is None else self._texts.number(shown)),
            f"--kp-cell-{cell}-spoken": css_string(", ".join(spoken)),
            f"--kp-cell-{cell}-border": f"4px dashed {ACCENT}" if is_considered else border,
            f"--kp-cell-{cell}-paper": _TINT if is_marked else PAPER,
            f"--kp-cell-{cell}-ink": ACCENT if is_considered else INK,
            f"--kp-cell-{cell}-badge": css_string("?" if is_considered else ""),
        }

    def _edge_variables(self, key: LineKey, edge: Edge, is_marked: bool) -> dict[str, str]:
        name = _name(key)
        spoken = [edge.text.replace("\n", " "), *[self._texts("interface.knister.marked")] * is_marked]
        return {
            name: css_string(edge.text),
            f"{name}-spoken": css_string(", ".join(spoken)),
            f"{name}-border": f"3px solid {ACCENT}" if is_marked else "3px solid transparent",
            f"{name}-weight": "700" if edge.is_full else "400",
        }

    def _cell(self, cell: int, chosen: Callable[[int], None]) -> pn.widgets.Button:
        row, column = divmod(cell, self._side)
        place = self._texts("interface.knister.cell", row=row + 1, column=column + 1)
        diagonals = [_DIAGONAL[key] for key in (_MAIN, _OTHER) if cell in self._lines[key]]
        own = _own(
            f"--kp-cell-{cell}", ("border", "paper", "ink", "badge"), {"diagonals": ", ".join(diagonals) or "none"}
        )
        return _button(place, [_CELL_STYLE, own], lambda _: chosen(cell))

    def _edge(self, key: LineKey, chosen: Callable[[LineKey], None]) -> pn.widgets.Button:
        own = _own(_name(key), ("border", "weight"), {})
        return _button(line_name(key, self._texts), [_EDGE_STYLE, own], lambda _: chosen(key))

    def _in_reading_order(self) -> Iterator[Viewable]:
        yield self._head
        yield self.edges[_OTHER]
        for row in range(self._side):
            yield from self.cells[row * self._side : (row + 1) * self._side]
            yield self.edges["row", row]
        yield from (self.edges["column", column] for column in range(self._side))
        yield self.edges[_MAIN]


def empty_grid(side: int, label: str) -> Markup:
    """For the static page: nothing to click yet."""
    return element("div", *[element("span")] * (side * side), class_="kp-grid", role="img", aria_label=label)


def line_name(key: LineKey, texts: Texts) -> str:
    """The name of a line, counted from 1."""
    kind, number = key
    if kind == "diagonal":
        return texts(f"interface.knister.diagonal_{number + 1}")
    return texts(f"interface.knister.{kind}", number=number + 1)


def _name(key: LineKey) -> str:
    return f"--kp-{key[0]}-{key[1]}"


def _button(name: str, stylesheets: list[str], clicked: Callable[[object], None]) -> pn.widgets.Button:
    button = pn.widgets.Button(name=f"{name}:", stylesheets=stylesheets, sizing_mode="stretch_width")
    button.on_click(clicked)
    return button


def _own(variable: str, parts: Sequence[str], others: Mapping[str, str]) -> str:
    """The variables of one button, under names that are the same for all buttons."""
    values = {"shown": variable, "spoken": f"{variable}-spoken", **{part: f"{variable}-{part}" for part in parts}}
    lines = [f"--{name}: var({value});" for name, value in values.items()]
    lines += [f"--{name}: {value};" for name, value in others.items()]
    return f":host {{ {' '.join(lines)} }}"


_TINT = f"color-mix(in srgb, {ACCENT} 12%, {PAPER})"
_STROKE = f"transparent 48%, color-mix(in srgb, {LINE} 35%, transparent) 48% 52%, transparent 52%"
_DIAGONAL = {
    _MAIN: f"linear-gradient(to bottom left, {_STROKE})",
    _OTHER: f"linear-gradient(to bottom right, {_STROKE})",
}

_HEAD_STYLE = f"""{TEXT}
:host {{ align-self: center; }}
.kp-called {{ display: flex; flex-flow: row wrap; align-items: center; gap: .25rem .75rem; font-size: 1.25rem; }}
.kp-called strong {{ font-size: 1.75rem; line-height: 1; }}
.kp-dice {{ display: inline-flex; gap: .4rem; }}
.kp-die {{ width: 44px; height: 44px; }}
.kp-die rect {{ fill: {PAPER}; stroke: {INK}; stroke-width: 2; }}
.kp-die circle {{ fill: {INK}; }}
"""

# The class of the button is repeated to outweigh the selectors of Panel's own style sheet.
_BUTTON_STYLE = f"""
:host {{ display: grid !important; align-self: stretch !important; height: auto !important; margin: 0; min-width: 0; }}
.bk-btn-group {{ display: grid; }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{
  position: relative; display: flex; align-items: center; justify-content: center; box-sizing: border-box;
  width: 100%; min-height: 44px; padding: 0; border-radius: 8px; box-shadow: none; font-size: 0;
  border: var(--border); text-align: center;
}}
.bk-btn::after {{ content: var(--shown); white-space: pre-line; font-variant-numeric: tabular-nums; }}
@supports (content: "7" / "seven") {{
  .bk-btn::after {{ content: var(--shown) / var(--spoken); }}
}}
{FOCUS}
"""

_CELL_STYLE = f"""{_BUTTON_STYLE}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{
  aspect-ratio: 1; background: var(--paper); background-image: var(--diagonals); color: var(--ink);
}}
.bk-btn::after {{ font: 700 1.5rem/1 var(--kp-font, system-ui, sans-serif); }}
.bk-btn::before {{
  content: var(--badge); position: absolute; top: 2px; right: 4px;
  font: 700 1rem/1 var(--kp-font, system-ui, sans-serif);
}}
@supports (content: "7" / "seven") {{ .bk-btn::before {{ content: var(--badge) / ""; }} }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn:hover {{ border-color: {ACCENT}; }}
"""

_EDGE_STYLE = f"""{_BUTTON_STYLE}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{ background: none; color: {INK}; }}
.bk-btn::after {{ font: var(--weight) .9375rem/1.25 var(--kp-font, system-ui, sans-serif); }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn:hover {{ border-color: {LINE}; }}
"""


def _span(columns: int) -> str:
    return f":host {{ grid-column: span {columns}; }}"


def _layout(side: int) -> str:
    return f"""
:host {{
  display: grid !important; grid-template-columns: repeat({side + 1}, minmax(0, 1fr)); gap: 3px; margin: 0;
  width: 100%; max-width: 27rem;
}}
"""
