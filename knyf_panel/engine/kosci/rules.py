"""Kości: the facts of the rulebook, the rulings where it is silent, and what a roll is worth."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from knyf_panel.engine.checks import check_values
from knyf_panel.engine.errors import BadQuestion
from knyf_panel.engine.multiset import counts_of

FEWEST_PLAYERS, MOST_PLAYERS = 1, 4
DICE = 5
ROLLS = 3
ROUNDS = 13

UPPER = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
ALIKE = {"three_of_a_kind": 3, "four_of_a_kind": 4}  # at least so many equal; all five dice are summed
FIXED = {"full_house": 25, "small_straight": 30, "large_straight": 40, "general": 50}
LOWER = (*ALIKE, *FIXED, "chance")
CATEGORIES = (*UPPER, *LOWER)

STRAIGHTS = {  # the runs of consecutive values that make each straight; other dice do not matter
    "small_straight": ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)),
    "large_straight": ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)),
}

PREMIUM_FROM, PREMIUM = 63, 35
JOKER_BONUS = 100

# What the engine does where the rulebook is silent. The texts show each of these as ours, not as the book's.
RULINGS = (
    "declined_joker",  # a joker that is declined is an ordinary roll and earns no 100
    "general_with_free_upper",  # while the upper category of its number is free, a further general is an ordinary roll
    "playing_alone",  # one player may practise
    "ties",  # players with equal totals share the place
)


def score(category: str, dice: Iterable[int]) -> int:
    """The points of five dice in this category, as an ordinary roll: 0 when they do not fit."""
    if category not in CATEGORIES:
        raise BadQuestion("unknown_category", category=category)
    rolled = check_values(dice, BadQuestion)
    if len(rolled) != DICE:
        raise BadQuestion("wrong_number_of_dice", dice=len(rolled), expected=DICE)
    return points_for(category, rolled)


@cache  # 13 categories × 252 rolls
def points_for(category: str, dice: tuple[int, ...]) -> int:
    """The points of five sorted dice."""
    if category in UPPER:
        return UPPER[category] * dice.count(UPPER[category])
    return FIXED.get(category, sum(dice)) if fits(category, dice) else 0


def fits(category: str, dice: tuple[int, ...]) -> bool:
    """Whether five dice fit a lower category; any dice fit `chance`."""
    counts = counts_of(dice)
    if category in STRAIGHTS:
        return any(set(run) <= set(dice) for run in STRAIGHTS[category])
    if category == "full_house":
        return 3 in counts and 2 in counts
    if category == "general":
        return is_general(dice)
    return max(counts) >= ALIKE.get(category, 1)


def is_general(dice: tuple[int, ...]) -> bool:
    return len(dice) == DICE and len(set(dice)) == 1


def joker_points(category: str, dice: tuple[int, ...]) -> int:
    """The points of a general used as a joker: a lower category's own points, or nothing in an upper one."""
    return FIXED.get(category, sum(dice)) if category in LOWER else 0


def premium(upper_points: int) -> int:
    return PREMIUM if upper_points >= PREMIUM_FROM else 0
