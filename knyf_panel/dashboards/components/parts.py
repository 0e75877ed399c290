"""Small parts that every page has: texts, buttons, columns, and what can be opened and closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import panel as pn
from panel.viewable import Viewable
from param.parameterized import Event

from knyf_panel.dashboards.components.markup import element
from knyf_panel.dashboards.components.style import BUTTON, FOLD, INPUT, ROW, STACK, TEXT


def text(html: str = "", tags: Sequence[str] = (), style: str = TEXT) -> pn.pane.HTML:
    """A pane; what is tagged "live" is read aloud when it changes."""
    return pn.pane.HTML(html, stylesheets=[style], sizing_mode="stretch_width", margin=0, tags=list(tags))


def heading(words: str) -> pn.pane.HTML:
    return text(element("h2", words))


def button(name: str, pressed: Callable[..., Any], *, is_primary: bool = False) -> pn.widgets.Button:
    made = pn.widgets.Button(name=name, stylesheets=[BUTTON], css_classes=["kp-primary"] if is_primary else [])
    made.on_click(pressed)
    return made


def select(name: str, options: Mapping[str, Any] | Sequence[Any]) -> pn.widgets.Select:
    made = dict(options) if isinstance(options, Mapping) else list(options)
    return pn.widgets.Select(name=name, options=made, stylesheets=[INPUT], sizing_mode="stretch_width", margin=0)


def text_input(name: str, value: str = "", longest: int = 40) -> pn.widgets.TextInput:
    return pn.widgets.TextInput(
        name=name, value=value, max_length=longest, stylesheets=[INPUT], sizing_mode="stretch_width", margin=0
    )


def row(*parts: Viewable) -> pn.Row:
    """Side by side, and below each other where that does not fit."""
    return pn.Row(*parts, stylesheets=[ROW], sizing_mode="stretch_width", margin=0)


def column(*parts: Viewable, flex: str = "1 1 20rem") -> pn.Column:
    return pn.Column(*parts, stylesheets=[STACK], styles={"flex": flex, "min-width": "0"}, margin=0)


def stack(*parts: Viewable) -> pn.Column:
    return pn.Column(*parts, stylesheets=[STACK], sizing_mode="stretch_width", margin=0)


class Fold:
    """A button and, while it is pressed, what it opens. The content is made anew whenever it is opened.

    >>> fold = Fold("More", lambda: text("<p>more</p>"))
    >>> fold.button, fold.view      # they may stand apart
    """

    def __init__(self, name: str, make: Callable[[], Viewable]) -> None:
        self._make = make
        self.button = pn.widgets.Toggle(name=name, stylesheets=[FOLD], margin=0)
        self.view = pn.Column(stylesheets=[STACK], sizing_mode="stretch_width", margin=0, visible=False)
        self.button.param.watch(self._switched, "value")

    @property
    def is_open(self) -> bool:
        return bool(self.button.value)

    def open(self) -> None:
        self.button.value = True

    def close(self) -> None:
        self.button.value = False

    def _switched(self, *_: object) -> None:
        self.view.objects = [self._make()] if self.is_open else []
        self.view.visible = self.is_open


class OneOpen:
    """Folds of which one is open at the most: their buttons in a row, and below it what is open."""

    def __init__(self, *folds: Fold) -> None:
        self.folds = folds
        self.buttons = row(*(fold.button for fold in folds))
        self.view = stack(*(fold.view for fold in folds))
        for fold in folds:
            fold.button.param.watch(self._close_others, "value")

    def _close_others(self, event: Event) -> None:
        for fold in self.folds:
            if event.new and fold.button is not event.obj:
                fold.close()


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]
