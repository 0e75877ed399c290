"""Dice: five in a row, of which some can be kept, and dice that nobody has rolled yet on the static page."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial

import panel as pn
from param.parameterized import Event

from knyf_panel.dashboards.components.markup import Markup, element
from knyf_panel.dashboards.components.pips import pips
from knyf_panel.dashboards.components.style import ACCENT, FOCUS, INK, LINE, PAPER, ROW, css_string
from knyf_panel.texts import Texts


class Dice:
    """Dice in a row, each a button that is pressed when the die is kept. `chosen(place, is_kept)` is called for every
    change.

    >>> dice = Dice(5, chosen=print, texts=load("en"))
    >>> dice.show((1, 3, 6, 6, 6), kept={2, 3, 4})
    >>> dice.view
    """

    def __init__(self, count: int, chosen: Callable[[int, bool], None], texts: Texts) -> None:
        self._chosen, self._texts = chosen, texts
        self._style = [_style(texts("interface.die.kept"))]
        self.dice = [self._die(place) for place in range(count)]
        self.view = pn.Row(
            *self.dice, stylesheets=[ROW, ":host { gap: .5rem; padding-top: 10px; }"], sizing_mode="stretch_width"
        )

    def show(self, values: Sequence[int], kept: Set[int]) -> None:
        """The values of all dice, or none before the first roll."""
        for place, die in enumerate(self.dice):
            value = values[place] if values else 0
            words = self._texts(f"interface.die.{'face' if value else 'blank'}", number=place + 1, value=value)
            die.param.update(name=words, css_classes=["kp-die", f"kp-value-{value}"], value=place in kept)

    def _die(self, place: int) -> pn.widgets.Toggle:
        # The tag: the page presses what is tagged so when that key is pressed.
        die = pn.widgets.Toggle(
            stylesheets=self._style, sizing_mode="fixed", width=None, height=None, tags=[f"key-{place + 1}"]
        )
        die.param.watch(partial(self._changed, place), "value")
        return die

    def _changed(self, place: int, event: Event) -> None:
        self._chosen(place, event.new)


def not_rolled(count: int) -> Markup:
    """Dice for the static page: a picture without a meaning."""
    dice = (element("span", class_="kp-card kp-die kp-card-back") for _ in range(count))
    return element("div", *dice, class_="kp-hand", aria_hidden="true")


# As with cards, the check mark and what it is read aloud as come from the style sheet: a button whose label changes is
# drawn anew and loses the keyboard's focus. The label itself is for ears only; eyes have the pips.
def _style(kept: str) -> str:
    return f"""
:host {{ flex: 0 0 min(4.75rem, (100% - 2rem) / 5); margin: 0; }}  /* five in a row on any phone */
.bk-btn-group {{ display: block; height: 100%; }}
:host(.kp-die) .bk-btn-group .bk-btn.bk-btn {{
  position: relative; display: flex; align-items: center; justify-content: center; box-sizing: border-box;
  width: 100%; height: auto; min-height: 44px; aspect-ratio: 1; padding: 0; border: 2px solid {LINE};
  border-radius: 18%; background: {PAPER}; color: {INK}; font-size: 0;
  box-shadow: 0 1px 3px rgb(0 0 0 / 25%); transition: transform .12s;
}}
.bk-btn::before {{ content: ""; width: 66%; height: 66%; background-repeat: no-repeat; background-size: 30% 30%; }}
{pips()}
:host(.kp-value-0) .bk-btn::before {{ content: "?" / ""; font: 700 2rem/1.5 var(--kp-font, system-ui, sans-serif); }}
:host(.kp-die) .bk-btn-group .bk-btn.bk-btn:hover {{ border-color: {INK}; background: {PAPER}; color: {INK}; }}
:host(.kp-die) .bk-btn-group .bk-btn.bk-btn.bk-active {{
  transform: translateY(-10px); border: 4px solid {ACCENT}; background: {PAPER}; color: {INK};
  box-shadow: 0 6px 10px rgb(0 0 0 / 30%);
}}
.bk-btn.bk-active::after {{
  position: absolute; top: -12px; right: -8px; width: 24px; height: 24px; border-radius: 12px;
  background: {ACCENT}; color: {PAPER}; font: 700 1rem/24px var(--kp-font, system-ui, sans-serif); text-align: center;
  content: "✓"; content: "✓" / {css_string(kept)};
}}
@media (prefers-reduced-motion: reduce) {{ :host(.kp-die) .bk-btn-group .bk-btn.bk-btn {{ transition: none; }} }}
{FOCUS}
"""
