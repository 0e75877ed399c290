"""A score sheet: for each row its name, the field for the points, and what is to be known before it is filled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import panel as pn
from bokeh.models import Column
from bokeh.models.ui import UIElement
from bokeh.models.widgets import Button, Div, Toggle

from knyf_panel.dashboards.components.markup import Markup, element, joined
from knyf_panel.dashboards.components.style import ACCENT, FOCUS, INK, LINE, PAPER, TEXT, css_string
from knyf_panel.texts import Texts


@dataclass(frozen=True, slots=True)
class SheetRow:
    points: int | None  # in the field; of a free row those that it would get now; None: nothing to write yet
    is_written: bool = False
    cells: tuple[str, ...] = ()  # of a free row, one under each heading


class Sheet:
    """The parts of a sheet, each with a text below it. A name is a button that calls `explain(id)`, a field is one that
    calls `write(id)`: of a written row as well, so that nothing is ever out of reach, and the page says what is wrong.

    These are Bokeh's own models, which are made five times as fast as Panel's widgets; there are forty of them.

    >>> sheet = Sheet([{"ones": "jedynki"}], ["chance"], load("en"), explain=print, write=print)
    >>> sheet.show({"ones": SheetRow(3, cells=("100.0%",))}, ["together: 0"], marked="ones")
    >>> sheet.view
    """

    def __init__(
        self,
        parts: Sequence[Mapping[str, str]],
        headings: Sequence[str],
        texts: Texts,
        explain: Callable[[str], None],
        write: Callable[[str], None],
    ) -> None:
        self._headings, self._texts, self._explain, self._write = headings, texts, explain, write
        self._marked = ""
        self._all_names = {id_: name for part in parts for id_, name in part.items()}
        self.names = {id_: self._name(id_, name) for id_, name in self._all_names.items()}
        self.fields = {id_: self._field(id_, name) for id_, name in self._all_names.items()}
        self.cells = {id_: _div(_CELLS) for id_ in self._all_names}
        self.sums = [_div(_SUMS) for _ in parts]
        children: list[UIElement] = list(self._head())
        for part, sums in zip(parts, self.sums, strict=True):
            for id_ in part:
                children += [self.names[id_], self.fields[id_], self.cells[id_]]
            children.append(sums)
        self.view = pn.pane.Bokeh(
            Column(children=children, stylesheets=[_GRID], sizing_mode="stretch_width"),
            sizing_mode="stretch_width",
            margin=0,
        )

    def show(self, rows: Mapping[str, SheetRow], sums: Sequence[str], marked: str) -> None:
        for id_, row in rows.items():
            field = self.fields[id_]
            field.label = self._texts("interface.sheet.empty") if row.points is None else str(row.points)
            field.css_classes = ["kp-written"] if row.is_written else []
            self.cells[id_].text = self._cells_of(row)
        for div, text in zip(self.sums, sums, strict=True):
            div.text = joined(text)
        self._mark(marked)

    def _mark(self, marked: str) -> None:
        self._marked = marked
        for id_, name in self.names.items():
            name.active = id_ == marked

    def _pressed(self, id_: str, _attribute: str, _old: bool, is_pressed: bool) -> None:
        if is_pressed != (id_ == self._marked):
            self._explain(id_)
            self._mark(self._marked)  # one of them is always pressed

    def _name(self, id_: str, name: str) -> Toggle:
        toggle = Toggle(label=name, stylesheets=[_NAME], sizing_mode="stretch_width")
        toggle.on_change("active", partial(self._pressed, id_))
        return toggle

    def _field(self, id_: str, name: str) -> Button:
        free, written = (self._texts(f"interface.sheet.{key}", name=name) for key in ("free", "written"))
        field = Button(
            label=self._texts("interface.sheet.empty"),
            stylesheets=[_FIELD, _field_signs(free, written)],
            sizing_mode="stretch_width",
        )
        field.on_click(lambda: self._write(id_))
        return field

    def _head(self) -> tuple[Div, ...]:
        names = (element("span", self._texts(f"interface.sheet.{key}")) for key in ("row", "points"))
        return *(_div(_HEAD + _ONE_CELL, name) for name in names), _div(_HEAD, self._line(self._headings))

    def _cells_of(self, row: SheetRow) -> Markup:
        if row.is_written:
            return element("p", self._texts("interface.sheet.is_written"))
        cells = zip(self._headings, row.cells, strict=False)
        return self._line(
            [joined(element("span", f"{heading}: ", class_="kp-hidden"), cell) for heading, cell in cells]
        )

    def _line(self, cells: Sequence[str]) -> Markup:
        return element("p", *(element("span", cell) for cell in cells))


def _div(style: str, text: str = "") -> Div:
    return Div(text=text, stylesheets=[TEXT, style], disable_math=True, sizing_mode="stretch_width")


_PHONE, _NARROW = "@media (max-width: 26rem)", "@media (max-width: 21.5rem)"
_GRID = f"""
:host {{
  display: grid; grid-template-columns: minmax(5rem, 1fr) 4rem 13rem; align-items: stretch; gap: 0 .25rem; margin: 0;
}}
{_PHONE} {{ :host {{ grid-template-columns: minmax(5rem, 1fr) 3.5rem 11.5rem; }} }}
{_NARROW} {{ :host {{ grid-template-columns: 1fr 4rem; }} }}
"""
_HIDDEN = ".kp-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }"
_CELLS = f"""
:host {{ border-bottom: 1px solid {LINE}; position: relative; margin: 0; }}
.bk-clearfix {{ display: block; width: 100%; height: 100%; }}
p {{
  display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1.25fr) minmax(0, .9fr); gap: .25rem;
  align-items: center; height: 100%; margin: 0;
  font-size: .9375rem; line-height: 1.2; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
}}
.kp-sign {{ display: inline-block; width: 1.1em; }}
{_HIDDEN}
{_PHONE} {{ p {{ font-size: .875rem; }} }}
{_NARROW} {{ :host {{ grid-column: 1 / -1; padding-bottom: .25rem; }} }}
"""
_HEAD = f"""
{_CELLS}
:host {{ border-bottom-width: 2px; }}
p, span {{ font-weight: 600; font-size: .8125rem; line-height: 1.2; white-space: normal; }}
.bk-clearfix {{ display: flex; align-items: end; }}
p {{ width: 100%; height: auto; }}
{_PHONE} {{ p, span {{ font-size: .75rem; }} }}
"""
_ONE_CELL = ":host { grid-column: auto; }"
_SUMS = f"""
:host {{ grid-column: 1 / -1; margin: .25rem 0 1rem; }}
.bk-clearfix {{ display: block; width: 100%; }}
table {{ border-collapse: collapse; width: 100%; }}
th {{ text-align: left; font-weight: 400; padding: .2rem .75rem .2rem 0; }}
td {{ text-align: right; font-variant-numeric: tabular-nums; font-weight: 600; padding: .2rem 0; }}
tr {{ border-bottom: 1px solid {LINE}; }}
tr.kp-total th, tr.kp-total td {{ font-weight: 700; font-size: 1.125rem; }}
"""
_NAME = f"""
:host {{ box-sizing: border-box; height: 100%; margin: 0; min-width: 0; border-bottom: 1px solid {LINE}; }}
.bk-btn-group {{ display: block; height: 100%; }}
.bk-btn-group .bk-btn.bk-btn {{
  box-sizing: border-box; width: 100%; height: 100%; min-height: 44px; padding: .125rem .25rem; border: 0;
  border-left: 5px solid transparent; border-radius: 0; background: none; box-shadow: none; color: {INK};
  font: 400 1rem/1.15 var(--kp-font, system-ui, sans-serif); text-align: left; white-space: normal;
  text-decoration: underline dotted; text-underline-offset: .2em;
}}
.bk-btn-group .bk-btn.bk-btn:hover {{ text-decoration-style: solid; background: none; color: {INK}; }}
.bk-btn-group .bk-btn.bk-btn.bk-active {{ border-left-color: {ACCENT}; font-weight: 700; color: {INK}; }}
{FOCUS}
"""
_FIELD = f"""
:host {{ margin: 2px 0; }}
.bk-btn-group {{ display: block; }}
.bk-btn-group .bk-btn.bk-btn {{
  box-sizing: border-box; width: 100%; min-height: 44px; padding: .25rem; border: 2px solid {ACCENT};
  border-radius: 8px; background: {PAPER}; color: {ACCENT}; box-shadow: none;
  font: 600 1rem/1.2 var(--kp-font, system-ui, sans-serif); font-variant-numeric: tabular-nums;
}}
.bk-btn-group .bk-btn.bk-btn:hover {{ text-decoration: underline; background: {PAPER}; color: {ACCENT}; }}
:host(.kp-written) .bk-btn-group .bk-btn.bk-btn {{
  border-color: transparent; background: none; color: {INK}; font-weight: 700;
}}
.bk-btn::before {{ margin-right: .3em; font-weight: 400; }}
{FOCUS}
"""


def _field_signs(free: str, written: str) -> str:
    """A pencil, or a check mark once the row is written, and what these are read aloud as."""
    return f"""
.bk-btn::before {{ content: "✎"; content: "✎" / {css_string(free)}; }}
:host(.kp-written) .bk-btn::before {{ content: "✓"; content: "✓" / {css_string(written)}; }}
"""
