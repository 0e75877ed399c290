"""A grid of numbers: empty cells can be clicked, and each row, column and diagonal has a label at its end.

dice and sum        ×2      the diagonal that ends here
7   .   .   .   .   2.5     a row
…
1.9 …               ×2      columns, and the other diagonal
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from math import isqrt
from typing import TypeAlias

import panel as pn

from knyf_panel.dashboards.components.markup import Markup, element
from knyf_panel.dashboards.components.style import ACCENT, FOCUS, INK, LINE, PAPER, TEXT, css_string
from knyf_panel.texts import Texts

LineKey: TypeAlias = tuple[str, int]  # ("row", 0), ("column", 3), ("diagonal", 1)

_MAIN, _SIDE = ("diagonal", 0), ("diagonal", 1)  # from the top left to the bottom right; from the top right


@dataclass(frozen=True, slots=True)
class Edge:
    """What stands at the end of a line."""

    text: str
    is_full: bool = False


class NumberGrid:
    """A square of cells and the labels of its lines, all of them buttons.

    `cell_chosen(cell)` and `line_chosen(key)` are called for every click; cells are numbered row by row from 0.
    """

    def __init__(
        self,
        lines: Mapping[LineKey, Sequence[int]],
        numbers: Iterable[int],
        cell_chosen: Callable[[int], None],
        line_chosen: Callable[[LineKey], None],
        texts: Texts,
    ) -> None:
        count = len({cell for cells in lines.values() for cell in cells})
        self._lines, self._side, self._texts = lines, isqrt(count), texts
        self._cell_style = _cell_style(numbers, texts)
        self.cells = [self._cell(cell, cell_chosen) for cell in range(count)]
        self.edges = {key: self._edge(key, line_chosen) for key in lines}
        self._head = pn.pane.HTML("", stylesheets=[_HEAD_STYLE], margin=0)
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
        in_line = set(self._lines[marked])
        for cell, button in enumerate(self.cells):
            button.css_classes = self._classes(cell, numbers[cell], considered.get(cell), in_line)
        for key, button in self.edges.items():
            classes = [*["kp-full"] * edges[key].is_full, *["kp-marked"] * (key == marked)]
            button.param.update(name=edges[key].text, css_classes=["kp-edge", *classes])

    def _classes(self, cell: int, number: int | None, considered: int | None, in_line: Set[int]) -> list[str]:
        shown = number if number is not None else considered
        classes = ["kp-cell", "kp-empty" if shown is None else f"kp-number-{shown}"]
        classes += ["kp-considered"] * (number is None and considered is not None)
        return classes + ["kp-in-line"] * (cell in in_line)

    def _cell(self, cell: int, chosen: Callable[[int], None]) -> pn.widgets.Button:
        row, column = divmod(cell, self._side)
        name = self._texts("interface.knister.cell", row=row + 1, column=column + 1)
        diagonals = [_DIAGONAL[key] for key in (_MAIN, _SIDE) if cell in self._lines[key]]
        style = f".bk-btn-group .bk-btn.bk-btn {{ background-image: {', '.join(diagonals) or 'none'}; }}"
        button = pn.widgets.Button(name=name, stylesheets=[self._cell_style, style], sizing_mode="stretch_width")
        button.on_click(lambda _: chosen(cell))
        return button

    def _edge(self, key: LineKey, chosen: Callable[[LineKey], None]) -> pn.widgets.Button:
        name = css_string(line_name(key, self._texts) + ": ")
        marked = css_string(self._texts("interface.knister.marked") + ", ")
        spoken = f"""
.bk-btn::before {{ content: ""; content: "" / {name}; }}
:host(.kp-marked) .bk-btn::after {{ content: ""; content: "" / {marked}; }}"""
        button = pn.widgets.Button(name="", stylesheets=[_EDGE_STYLE, spoken], sizing_mode="stretch_width")
        button.on_click(partial(_told, chosen, key))
        return button

    def _in_reading_order(self) -> Iterable[pn.viewable.Viewable]:
        yield self._head
        yield self.edges[_SIDE]
        for row in range(self._side):
            yield from self.cells[row * self._side : (row + 1) * self._side]
            yield self.edges["row", row]
        yield from (self.edges["column", column] for column in range(self._side))
        yield self.edges[_MAIN]


def empty_grid(side: int, label: str) -> Markup:
    """For the static page: nothing to click yet."""
    row = element("tr", *(element("td") for _ in range(side)))
    return element("table", *(row for _ in range(side)), class_="kp-grid", role="img", aria_label=label)


def line_name(key: LineKey, texts: Texts) -> str:
    """The name of a line, counted from 1."""
    kind, number = key
    if kind == "diagonal":
        return texts(f"interface.knister.diagonal_{number + 1}")
    return texts(f"interface.knister.{kind}", number=number + 1)


def _told(chosen: Callable[[LineKey], None], key: LineKey, _: object) -> None:
    chosen(key)


_STROKE = f"transparent 47%, color-mix(in srgb, {LINE} 55%, transparent) 47% 53%, transparent 53%"
_DIAGONAL = {
    _MAIN: f"linear-gradient(to bottom left, {_STROKE})",
    _SIDE: f"linear-gradient(to bottom right, {_STROKE})",
}

_HEAD_STYLE = f"""{TEXT}
:host {{ display: flex; align-items: center; }}
.kp-called {{ display: flex; flex-flow: row wrap; align-items: center; gap: .25rem .75rem; font-size: 1.25rem; }}
.kp-called strong {{ font-size: 1.75rem; line-height: 1; }}
.kp-dice {{ display: inline-flex; gap: .4rem; }}
.kp-die {{ width: 44px; height: 44px; }}
.kp-die rect {{ fill: {PAPER}; stroke: {INK}; stroke-width: 2; }}
.kp-die circle {{ fill: {INK}; }}
"""

_EDGE_STYLE = f"""
:host {{ margin: 0; min-width: 0; }}
.bk-btn-group, .bk-btn-group .bk-btn.bk-btn {{ display: block; width: 100%; height: 100%; }}
.bk-btn-group .bk-btn.bk-btn {{
  box-sizing: border-box; min-height: 44px; padding: 0; border: 2px solid transparent; border-radius: 8px;
  background: none; color: {INK}; font: 400 .875rem/1.25 var(--kp-font, system-ui, sans-serif); box-shadow: none;
  white-space: pre-line; font-variant-numeric: tabular-nums; text-align: center;
}}
:host(.kp-full) .bk-btn-group .bk-btn.bk-btn {{ font-weight: 700; font-size: 1.125rem; }}
:host(.kp-marked) .bk-btn-group .bk-btn.bk-btn {{ border: 2px solid {ACCENT}; background: {PAPER}; }}
.bk-btn-group .bk-btn.bk-btn:hover {{ text-decoration: underline; }}
{FOCUS}
"""


def _layout(side: int) -> str:
    return f"""
:host {{
  display: grid !important; grid-template-columns: repeat({side + 1}, minmax(0, 1fr)); gap: 3px; margin: 0;
  width: 100%; max-width: 27rem;
}}
:host > :first-child {{ grid-column: span {side}; }}
"""


# A cell must not be drawn anew while the keyboard's focus is on it; Bokeh draws a button anew when its label changes.
# So the label is the place of the cell, which is read aloud and not shown, and the number comes from the style sheet.
def _cell_style(numbers: Iterable[int], texts: Texts) -> str:
    shown = "\n".join(
        f':host(.kp-number-{number}) .bk-btn::after {{ content: "{number}"; content: "{number}" / ": {number}"; }}'
        for number in numbers
    )
    empty, considered = (css_string(", " + texts(f"interface.knister.{key}")) for key in ("empty", "considered"))
    return f"""
:host {{ margin: 0; min-width: 0; }}
.bk-btn-group {{ display: block; width: 100%; }}
.bk-btn-group .bk-btn.bk-btn {{
  position: relative; display: flex; align-items: center; justify-content: center; box-sizing: border-box;
  width: 100%; aspect-ratio: 1; min-height: 44px; padding: 0; border: 2px solid {LINE}; border-radius: 8px;
  background-color: {PAPER}; color: {INK}; font-size: 0; box-shadow: none;
}}
.bk-btn::after {{ font: 700 1.5rem/1 var(--kp-font, system-ui, sans-serif); }}
{shown}
:host(.kp-empty) .bk-btn::after {{ content: ""; content: "" / {empty}; }}
:host(.kp-empty) .bk-btn-group .bk-btn.bk-btn:hover {{ border-color: {ACCENT}; }}
:host(.kp-in-line) .bk-btn-group .bk-btn.bk-btn {{
  border: 3px solid {ACCENT}; background-color: color-mix(in srgb, {ACCENT} 12%, {PAPER});
}}
:host(.kp-considered) .bk-btn-group .bk-btn.bk-btn {{ border: 4px dashed {ACCENT}; }}
:host(.kp-considered) .bk-btn::after {{ color: {ACCENT}; font-style: italic; }}
:host(.kp-considered) .bk-btn::before {{
  position: absolute; top: 1px; right: 4px; color: {ACCENT}; font: 700 1rem/1 var(--kp-font, system-ui, sans-serif);
  content: "?"; content: "?" / {considered};
}}
{FOCUS}
"""
