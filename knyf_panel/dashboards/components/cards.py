"""Cards: a hand whose cards can be selected, and cards that lie face down on the static page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from functools import partial

import panel as pn
from param.parameterized import Event

from knyf_panel.dashboards.components.markup import Markup, element
from knyf_panel.dashboards.components.pips import pips
from knyf_panel.dashboards.components.style import ACCENT, FOCUS, INK, LINE, PAPER, ROW, css_string
from knyf_panel.texts import Texts


class Hand:
    """Cards in a row, each a button that is pressed or not. `chosen(place, is_selected)` is called for every change.

    >>> hand = Hand(chosen=print, texts=load("en"))
    >>> hand.show((1, 3, 6, 6, 6), selected={0, 1})
    >>> hand.view
    """

    def __init__(self, chosen: Callable[[int, bool], None], texts: Texts) -> None:
        self._chosen = chosen
        self._style = [_card_style(texts("interface.card.selected"))]
        self.cards: list[pn.widgets.Toggle] = []
        self.view = pn.Row(stylesheets=[ROW, ":host { gap: .5rem; padding-top: 10px; }"], sizing_mode="stretch_width")

    def show(self, values: Sequence[int], selected: Set[int]) -> None:
        if len(values) > len(self.cards):
            self.cards += [self._card(place) for place in range(len(self.cards), len(values))]
            self.view.objects = list(self.cards)
        for place, card in enumerate(self.cards):
            if place < len(values):
                face = {"name": str(values[place]), "css_classes": ["kp-card", f"kp-value-{values[place]}"]}
                card.param.update(**face, visible=True, value=place in selected)
            else:
                card.param.update(visible=False, value=False)

    def _card(self, place: int) -> pn.widgets.Toggle:
        card = pn.widgets.Toggle(stylesheets=self._style, sizing_mode="fixed", width=None, height=None)
        card.param.watch(partial(self._changed, place), "value")
        return card

    def _changed(self, place: int, event: Event) -> None:
        self._chosen(place, event.new)


def face_down(count: int, texts: Texts) -> Markup:
    """Cards for the static page, to be selected before anybody knows what they are."""
    return element("div", *_backs(count, texts), class_="kp-hand")


def _backs(count: int, texts: Texts) -> Iterable[Markup]:
    for place in range(count):
        label = texts("interface.card.face_down", number=place + 1)
        yield element(
            "button",
            type="button",
            class_="kp-card kp-card-back",
            data_early=f"card-{place}",
            aria_label=label,
            aria_pressed="false",
        )


# A selected card must not be drawn anew, or it would lose the keyboard's focus; Bokeh draws a button anew when its
# label changes. So the check mark, and what it is read aloud as, comes from the style sheet.
def _card_style(selected: str) -> str:
    return f"""
:host {{ flex: 0 0 min(4.75rem, (100% - 2rem) / 5); margin: 0; }}  /* five in a row on any phone */
.bk-btn-group {{ display: block; height: 100%; }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{
  position: relative; display: flex; flex-flow: column; align-items: center; justify-content: space-evenly;
  box-sizing: border-box; width: 100%; height: 6.75rem; padding: 4px; border: 2px solid {LINE}; border-radius: 10px;
  background: {PAPER}; color: {INK}; font: 700 2rem/1 var(--kp-font, system-ui, sans-serif);
  box-shadow: 0 1px 3px rgb(0 0 0 / 25%); transition: transform .12s;
}}
.bk-btn::before {{
  content: ""; order: 2; width: 2.125rem; height: 2.125rem;
  background-repeat: no-repeat; background-size: .625rem .625rem;
}}
{pips()}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn:hover {{ border-color: {INK}; background: {PAPER}; color: {INK}; }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn.bk-active {{
  transform: translateY(-10px); border: 4px solid {ACCENT}; padding: 2px; background: {PAPER}; color: {INK};
  box-shadow: 0 6px 10px rgb(0 0 0 / 30%);
}}
.bk-btn.bk-active::after {{
  position: absolute; top: -2px; right: -2px; width: 24px; height: 24px; border-radius: 0 6px 0 10px;
  background: {ACCENT}; color: {PAPER}; font-size: 1rem; line-height: 24px; text-align: center;
  content: "✓"; content: "✓" / {css_string(selected)};
}}
@media (prefers-reduced-motion: reduce) {{ .bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{ transition: none; }} }}
{FOCUS}
"""
