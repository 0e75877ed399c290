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
from operator import sub
from sys import byteorder
from typing import NamedTuple, TypeAlias

from knyf_panel.engine.errors import NoValues
from knyf_panel.engine.kosci.game import earned, ways_to_write
from knyf_panel.engine.kosci.odds import FIVE_DICE, Dice, choices
from knyf_panel.engine.kosci.rules import (
    CATEGORIES,
    DICE,
    FIXED,
    JOKER_BONUS,
    LOWER,
    PREMIUM_FROM,
    ROLLS,
    UPPER,
    points_for,
)
from knyf_panel.engine.kosci.state import Sheet, Write
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
        lower_place = (self.general << len(OTHER_LOWER)) + self.lower
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


# ---- The table -------------------------------------------------------------------------------------------------------

_HEADER = b"knyf_panel kosci values 1\n"
STEPS = 256  # of a value to the point: the best value is just within 16 bits, and choices come out as good as exact
PREMIUM_STEPS = 7  # of an expected premium to the point: 35 points are just within a byte
_WORD, _BYTE = 2**16, 2**8
_LOW, _HIGH = (0, 1) if byteorder == "little" else (1, 0)  # where this machine has the bytes of a word


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """For each place the value, and how much of it is the premium, both in steps."""

    steps: Sequence[int]
    premium_steps: Sequence[int]

    def value(self, place: Place) -> float:
        return self.steps[place.number] / STEPS

    def premium(self, place: Place) -> float:
        """How much of the value is the premium, on average."""
        return self.premium_steps[place.number] / PREMIUM_STEPS


def pack_values(values: Sequence[float], premiums: Sequence[float]) -> bytes:
    """The file that `load_values` reads: differences from place to place, which are small and repeat."""
    steps = _differences([round(value * STEPS) for value in values], _WORD)
    premium_steps = _differences([round(value * PREMIUM_STEPS) for value in premiums], _BYTE)
    low, high = bytes(step % _BYTE for step in steps), bytes(step // _BYTE for step in steps)
    return _HEADER + zlib.compress(low + high + bytes(premium_steps), 9)


def load_values(data: bytes) -> Values:
    if not data.startswith(_HEADER):
        raise NoValues("damaged_values")
    try:
        planes = zlib.decompress(data[len(_HEADER) :])
    except zlib.error as damage:
        raise NoValues("damaged_values") from damage
    if len(planes) != 3 * PLACES:
        raise NoValues("damaged_values")
    pairs = bytearray(2 * PLACES)
    pairs[_LOW::2], pairs[_HIGH::2] = planes[:PLACES], planes[PLACES : 2 * PLACES]
    return Values(
        array("H", [step % _WORD for step in accumulate(array("H", pairs))]),
        bytes([step % _BYTE for step in accumulate(planes[2 * PLACES :])]),
    )


def _differences(numbers: Sequence[int], modulus: int) -> list[int]:
    return [difference % modulus for difference in map(sub, numbers, [0, *numbers])]


_in_use: list[Values] = []


def use_values(values: Values | None) -> None:
    """From now on the coach and the strong player go by this table; None takes it away again."""
    _in_use[:] = [] if values is None else [values]


def values_in_use() -> Values:
    if not _in_use:
        raise NoValues("values_not_loaded")
    return _in_use[0]


def value_of(sheet: Sheet) -> float:
    """The points that are still to come to this sheet on average, the premium among them, if every move is the best."""
    return values_in_use().value(place_of(sheet))


# ---- A turn ----------------------------------------------------------------------------------------------------------

# What a hand, or a keep with some rolls to come, is worth in all; then parts of it, which follow from the same moves.
Account: TypeAlias = tuple[float, ...]

_POINTS = {category: [points_for(category, hand) for hand in FIVE_DICE.hands] for category in CATEGORIES}
_GENERALS = [(FIVE_DICE.hands.index((value,) * DICE), (value,) * DICE) for value in VALUES]


class Turn:
    """A turn played as well as possible, if a hand is worth at its end what the first number of its account says."""

    def __init__(self, ends: Sequence[Account]) -> None:
        self.ends = ends
        columns: list[Sequence[float]] = list(zip(*ends, strict=True))
        self._kept: list[list[list[float]]] = []  # by rolls left, from one upwards; by column; by keep
        for _ in range(ROLLS):
            kept = [_mean_over_rolls(column) for column in columns]
            self._kept.append(kept)
            best = [max(keeps, key=kept[0].__getitem__) for keeps in _choices()]
            columns = [[column[keep] for keep in best] for column in kept]

    def kept(self, keep: Dice, rolls_left: int) -> Account:
        """The account of keeping these dice and rolling the others."""
        number = FIVE_DICE.place[keep]
        return tuple([column[number] for column in self._kept[rolls_left - 1]])


def _mean_over_rolls(ends: Sequence[float]) -> list[float]:
    """The mean over what the next die shows, for ever fewer kept dice.

    A whole hand stays worth what it was with a roll less. Nothing is lost by that: a roll more does not harm.
    """
    means = [0.0] * FIVE_DICE.first_hand
    means += ends
    for keep in range(FIVE_DICE.first_hand - 1, -1, -1):
        a, b, c, d, e, f = FIVE_DICE.one_more[keep]
        means[keep] = (means[a] + means[b] + means[c] + means[d] + means[e] + means[f]) / len(VALUES)
    return means


@lru_cache(maxsize=1)
def _choices() -> list[list[int]]:
    """For each hand the numbers of the keeps, in the order of preference among equals."""
    return [[FIVE_DICE.place[keep] for keep in choices(hand, ROLLS)] for hand in FIVE_DICE.hands]


@lru_cache(maxsize=64)  # a turn asks several times; so do those who take moves back
def turn_from(values: Values, sheet: Sheet) -> Turn:
    """The next turn of this sheet, with accounts of all that is to come, and of points, jokers' 100, premium in it."""
    return Turn([account for account, _ in _best_writings(values, sheet)])


@lru_cache(maxsize=8)
def plan_from(values: Values, sheet: Sheet) -> Turn:
    """The same turn, with accounts of all that is to come, and of the points it brings to each category."""
    return Turn(
        [
            (account[0], *(account[1] if name == category else 0.0 for name in CATEGORIES))
            for account, category in _best_writings(values, sheet)
        ]
    )


@lru_cache(maxsize=8)
def _best_writings(values: Values, sheet: Sheet) -> list[tuple[Account, str]]:
    """For each hand, the account of the best way to write it, and the category."""
    place = place_of(sheet)
    rows = [_row(values, place, category) for category in sheet.free]
    best = [max(accounts) for accounts in zip(*rows, strict=True)]
    for hand, dice in _GENERALS:  # only these can be jokers
        ways = ways_to_write(sheet, dice)
        best[hand] = max((written(values, sheet, dice, way), way.category) for way in ways)
    return best


def written(values: Values, sheet: Sheet, dice: Dice, way: Write) -> Account:
    """The account of one writing."""
    points, paid_jokers = earned(sheet, dice, way)
    return _account(values, after(place_of(sheet), way.category, points), points, JOKER_BONUS * paid_jokers)


def _row(values: Values, place: Place, category: str) -> list[tuple[Account, str]]:
    """The accounts of writing each hand into the category as an ordinary roll."""
    points = _POINTS[category]
    accounts = {number: _account(values, after(place, category, number), number, 0) for number in set(points)}
    return [(accounts[number], category) for number in points]


def _account(values: Values, place: Place, points: int, paid: int) -> Account:
    return (points + paid + values.value(place), points, paid, values.premium(place))
