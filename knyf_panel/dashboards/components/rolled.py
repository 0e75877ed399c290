"""Rolled dice as a picture, to look at; they cannot be clicked."""

from __future__ import annotations

from collections.abc import Sequence

from knyf_panel.dashboards.components.markup import Markup, element

_SIZE, _RADIUS = 40, 4
_PLACES = (10, 20, 30)
_PIPS = {  # in three rows of three
    1: ("   ", " o ", "   "),
    2: ("  o", "   ", "o  "),
    3: ("  o", " o ", "o  "),
    4: ("o o", "   ", "o o"),
    5: ("o o", " o ", "o o"),
    6: ("o o", "o o", "o o"),
}


def rolled(dice: Sequence[int], label: str) -> Markup:
    """Dice side by side, read aloud as the label. The colours come from the style sheet: .kp-die rect, .kp-die circle.

    >>> rolled((3, 5), "3 and 5")
    """
    return element("span", *map(_die, dice), class_="kp-dice", role="img", aria_label=label)


def _die(value: int) -> Markup:
    side = str(_SIZE - 2)
    pips = [
        element("circle", cx=str(x), cy=str(y), r=str(_RADIUS))
        for y, row in zip(_PLACES, _PIPS[value], strict=True)
        for x, pip in zip(_PLACES, row, strict=True)
        if pip == "o"
    ]
    face = element("rect", x="1", y="1", width=side, height=side, rx="7")
    return element("svg", face, *pips, viewBox=f"0 0 {_SIZE} {_SIZE}", class_="kp-die", aria_hidden="true")
