"""Karciany Knyf: the facts of the rulebook, the rulings where it is silent, and what a play is worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from knyf_panel.engine.checks import check_choice, check_values
from knyf_panel.engine.errors import IllegalPlay
from knyf_panel.engine.multiset import VALUES, Counts, counts_of, sub_multisets

FEWEST_PLAYERS, MOST_PLAYERS = 2, 5
COPIES = 18  # of each value from 1 to 6: 108 cards
HAND = 5  # cards dealt, and refilled to after a play
HAND_LIMIT = 10
MOST_DISCARDED = 5
PENALTY_PER_SURPLUS_CARD = 2
PENALTY_FOR_FORGETTING = 10
ANNOUNCED_COMBINATION = 11  # the last but one has to be announced

UPPER = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
ALIKE = {"three_of_a_kind": 3, "four_of_a_kind": 4}  # at least so many equal; the five cards are summed
FIXED = {"full_house": 25, "small_straight": 30, "large_straight": 40, "knyf": 50}
LOWER = (*ALIKE, *FIXED)
COMBINATIONS = (*UPPER, *LOWER)

STRAIGHTS = {  # the runs of consecutive values that make each straight
    "small_straight": ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)),
    "large_straight": ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)),
}

BONUS_FROM, BONUS = 63, 35
MALUS_BELOW, MALUS = 43, -20

# What the engine does where the rulebook is silent. The texts show each of these as ours, not as the book's.
RULINGS = (
    "passing",  # discarding nothing and drawing nothing is legal                  (option `passing`)
    "surplus_after_play",  # more than five cards left after a play are kept        (option `surplus`)
    "played_cards",  # played cards go to the discard pile
    "reshuffle_at_once",  # the discard pile is shuffled as soon as the last card of the draw pile is taken
    "incomplete_upper_part",  # −20 applies to a sheet with free upper fields too   (option `malus`)
    "ties",  # players with equal totals share the place
)


@dataclass(frozen=True, slots=True)
class Options:
    """Other plausible readings of the rulebook; the defaults are the rulings."""

    surplus: str = "keep"  # or "discard": after a play, discard down to five cards of one's choice
    passing: bool = True  # False: an exchange discards or draws at least one card
    malus: str = "always"  # or "complete": −20 only for a sheet whose six upper fields are filled

    def __post_init__(self) -> None:
        check_choice("surplus", self.surplus, ("keep", "discard"))
        check_choice("passing", self.passing, (True, False))
        check_choice("malus", self.malus, ("always", "complete"))


def score(combination: str, cards: Iterable[int]) -> int:
    """The points of these cards played as this combination; IllegalPlay when they do not make it."""
    if combination not in COMBINATIONS:
        raise IllegalPlay("unknown_combination", combination=combination)
    played = check_values(cards, IllegalPlay)
    points = points_for(combination, played)
    if points is None:
        raise IllegalPlay("cards_do_not_make_it", combination=combination, cards=played)
    return points


@lru_cache(maxsize=8192)  # room for the 12 combinations × 461 sets of one to five cards
def points_for(combination: str, cards: tuple[int, ...]) -> int | None:
    """The points of sorted cards, or None when they do not make the combination."""
    if not 1 <= len(cards) <= HAND or not _makes(combination, cards):
        return None
    return FIXED.get(combination, sum(cards))


def _makes(combination: str, cards: tuple[int, ...]) -> bool:
    counts = counts_of(cards)
    if combination in UPPER:
        return counts[UPPER[combination] - 1] == len(cards)
    if combination in STRAIGHTS:
        return cards in STRAIGHTS[combination]
    return len(cards) == HAND and _makes_of_five(combination, counts)


def _makes_of_five(combination: str, counts: Counts) -> bool:
    if combination == "full_house":
        return 3 in counts and 2 in counts
    return max(counts) >= ALIKE.get(combination, 5)


@lru_cache(maxsize=8192)
def ways_to_play(combination: str, hand: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Every distinct choice of cards from the sorted hand that makes the combination."""
    if combination in UPPER:
        matching = tuple(card for card in hand if card == UPPER[combination])
        return tuple(matching[:size] for size in range(1, min(len(matching), HAND) + 1))
    if combination in STRAIGHTS:
        return tuple(run for run in STRAIGHTS[combination] if set(run) <= set(hand))
    return tuple(cards for cards in sub_multisets(hand, HAND) if points_for(combination, cards) is not None)


def upper_bonus(points: int) -> int:
    """+35 or −20 for the points of the upper part, penalties not counted."""
    if points >= BONUS_FROM:
        return BONUS
    return MALUS if points < MALUS_BELOW else 0


def deck() -> tuple[int, ...]:
    return tuple(value for value in VALUES for _ in range(COPIES))
