"""The pips of the values 1 … 6, as on a die, drawn by a style sheet."""

from __future__ import annotations

# Where they are: column and row, in percent of the free space.
_LEFT, _MIDDLE, _RIGHT = 0, 50, 100
_PLACES = {
    1: [(_MIDDLE, 50)],
    2: [(_RIGHT, 0), (_LEFT, 100)],
    3: [(_RIGHT, 0), (_MIDDLE, 50), (_LEFT, 100)],
    4: [(_LEFT, 0), (_RIGHT, 0), (_LEFT, 100), (_RIGHT, 100)],
    5: [(_LEFT, 0), (_RIGHT, 0), (_MIDDLE, 50), (_LEFT, 100), (_RIGHT, 100)],
    6: [(_LEFT, 0), (_RIGHT, 0), (_LEFT, 50), (_RIGHT, 50), (_LEFT, 100), (_RIGHT, 100)],
}
_PIP = "radial-gradient(circle closest-side, currentColor 88%, transparent)"


def pips() -> str:
    """For a button of the class kp-value-1 … kp-value-6: the pips in the box before its label."""
    return "\n".join(
        f":host(.kp-value-{value}) .bk-btn::before {{ background-image: {', '.join([_PIP] * len(places))};"
        f" background-position: {', '.join(f'{x}% {y}%' for x, y in places)}; }}"
        for value, places in _PLACES.items()
    )
