"""Kości: what a sheet is worth, which is the points that the best player still gets from it on average.

What is to come depends on the free categories, on the upper points as far as they matter for the premium, and on
whether the 100 for jokers can be earned. So a sheet has a *place*, one of 359,616, and a table has a value for each:
`python -m knyf_panel.training.kosci` works it out and writes it, `load_values` reads it, `use_values` makes it known.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from struct import Struct
from struct import error as TooShort
from sys import byteorder
from typing import NamedTuple

from knyf_panel.engine.errors import NoValues
from knyf_panel.engine.kosci.game import joker_categories
from knyf_panel.engine.kosci.odds import FIVE_DICE, Table
from knyf_panel.engine.kosci.rules import (
    CATEGORIES,
    DICE,
    FIXED,
    JOKER_BONUS,
    LOWER,
    PREMIUM_FROM,
    UPPER,
    joker_points,
    points_for,
)
from knyf_panel.engine.kosci.state import ROW, Sheet
from knyf_panel.engine.multiset import VALUES

# ---- Places ----------------------------------------------------------------------------------------------------------

FREE, FIFTY, CROSSED_OUT = range(3)  # what has become of `general`
OTHER_LOWER = tuple(category for category in LOWER if category != "general")
LOWER_PLACES = 3 * 2 ** len(OTHER_LOWER)

_UPPER_BIT = {category: 1 << number for number, category in enumerate(UPPER)}
_LOWER_BIT = {category: 1 << number for number, category in enumerate(OTHER_LOWER)}
_STILL_POSSIBLE = [  # the most upper points to come, for each set of upper categories that are used
    sum(DICE * UPPER[category] for category, bit in _UPPER_BIT.items() if not upper & bit)
    for upper in range(2 ** len(UPPER))
]


class Place(NamedTuple):
    """Where a sheet stands: what has become of `general`, which other categories are used (as bits), upper points."""

    general: int = FREE
    lower: int = 0
    upper: int = 0
    points: int = 0

    def is_free(self, category: str) -> bool:
        if category == "general":
            return self.general == FREE
        used, bit = (self.upper, _UPPER_BIT) if category in UPPER else (self.lower, _LOWER_BIT)
        return not used & bit[category]

    @property
    def number(self) -> int:
        lower_place = self.general * 2 ** len(OTHER_LOWER) + self.lower
        return lower_place * len(UPPER_PLACES) + UPPER_NUMBER[self.upper, self.points]


def place_of(sheet: Sheet) -> Place:
    place = Place()
    for category, points in zip(CATEGORIES, sheet.points, strict=True):
        if points is not None:
            place = after(place, category, points)
    return place


def after(place: Place, category: str, points: int) -> Place:
    """The place when the points have been written into the category."""
    general, lower, upper, collected = place
    if category == "general":
        return Place(FIFTY if points == FIXED["general"] else CROSSED_OUT, lower, upper, collected)
    if category in UPPER:
        upper |= _UPPER_BIT[category]
        return Place(general, lower, upper, _that_matter(upper, collected + points))
    return Place(general, lower | _LOWER_BIT[category], upper, collected)


def _that_matter(upper: int, points: int) -> int:
    """Upper points beyond the premium are alike, and so are those from which it cannot be reached any more."""
    return 0 if points + _STILL_POSSIBLE[upper] < PREMIUM_FROM else min(points, PREMIUM_FROM)


def _upper_places() -> Iterator[tuple[int, int]]:
    """Every pair of used upper categories and points that matter, in order."""
    points_with: dict[int, set[int]] = {0: {0}}
    for upper in range(2 ** len(UPPER)):
        before = [(category, upper ^ bit) for category, bit in _UPPER_BIT.items() if upper & bit]
        for category, fewer in before:
            scores = [UPPER[category] * count for count in range(DICE + 1)]
            sums = {_that_matter(upper, points + score) for points in points_with[fewer] for score in scores}
            points_with.setdefault(upper, set()).update(sums)
        yield from ((upper, points) for points in sorted(points_with[upper]))


UPPER_PLACES = tuple(_upper_places())
UPPER_NUMBER = {place: number for number, place in enumerate(UPPER_PLACES)}
PLACES = LOWER_PLACES * len(UPPER_PLACES)
