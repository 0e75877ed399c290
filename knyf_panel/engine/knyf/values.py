"""Karciany Knyf: what a position is worth to a player who plays well.

The game is a race: it ends when somebody has all twelve combinations. So a turn has a price, about what an opponent
scores in one, and a position is worth

    the points still to come, the bonus with them, less the penalties, less PRICE_OF_A_TURN for every turn it takes

when every turn is used as well as can be. Three things make it up:

- the *sheet*: `worth(open, pace)` for a player about to draw five new cards. `open` is the set of free combinations, a
  bit for each row; `pace` is how far the upper part is ahead of three cards in each filled field (the bonus of 63 is
  three of each: a pace of 0 at the end; below 43 is a pace below −20). Learnt once: see `knyf_panel.training.knyf`.
- the *cards kept*: `keeping(open, pace)` is how much more it is worth to hold up to four of them when the hand is
  filled up to five. Learnt as well.
- the *hand*: what the best action makes of it. Not learnt but worked out here, for the combinations that are free now:
  a play leads to the worth of a smaller sheet and the cards kept, an exchange to the same sheet and another hand, and
  the values of all hands of five to seven cards are improved from each other until they hardly change.

In these plans each card drawn is any value with chance 1/6. Only the draw that is decided now is counted with the
cards that have been seen: `expectation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

from knyf_panel.engine.knyf.rules import (
    BONUS_FROM,
    COMBINATIONS,
    HAND,
    MOST_DISCARDED,
    PENALTY_PER_SURPLUS_CARD,
    UPPER,
    points_for,
    upper_bonus,
    ways_to_play,
)
from knyf_panel.engine.knyf.state import Sheet
from knyf_panel.engine.learned import knyf as learned
from knyf_panel.engine.learned.matrix import Vector, matrix
from knyf_panel.engine.multiset import VALUES, Counts
from knyf_panel.engine.tuples import without

PRICE_OF_A_TURN = learned.PRICE_OF_A_TURN

MOST_PLANNED = 7  # cards in a hand that is planned for: more are rarely worth their penalties
MOST_KEPT = HAND - 1  # cards whose keeping is learnt
LOWEST_PACE, HIGHEST_PACE = -30, 12  # beyond these nothing changes that matters
PACES_OF_KEEPING = (-20, -15, -10, -5, 0, 5, 10)
MOST_SWEEPS = 8  # to improve the values of hands: four are usual, with few combinations free more are needed
SMALL_CHANGE = 0.1  # of the mean value of a hand, after which a plan is good enough

UPPER_ROWS = (1 << len(UPPER)) - 1

Cards = tuple[int, ...]


# ---- The sheet -------------------------------------------------------------------------------------------------------


def open_rows(sheet: Sheet) -> int:
    """The free combinations as a set of bits, one for each row of the sheet."""
    return sum(1 << row for row, points in enumerate(sheet.points) if points is None)


def pace_of(sheet: Sheet) -> int:
    """The upper points less those of three cards in every filled upper field."""
    return sum(points - 3 * value for value, points in zip(VALUES, sheet.points, strict=False) if points is not None)


def pace_range(open_: int) -> range:
    """The paces that are told apart with these combinations free: from one card in each filled field to five."""
    filled = sum(value for value in VALUES if not open_ >> (value - 1) & 1)
    return range(max(LOWEST_PACE, -2 * filled), min(HIGHEST_PACE, 2 * filled) + 1)


def bonus_at_end(pace: int) -> int:
    return upper_bonus(BONUS_FROM + pace)


@lru_cache(maxsize=1)
def _first_of_paces() -> tuple[int, ...]:
    """Where the paces of each set of free upper fields begin in the learnt tables."""
    starts = [0]
    for upper in range(UPPER_ROWS):
        starts.append(starts[-1] + len(pace_range(upper)))
    return tuple(starts)


def _row_of(open_: int, pace: int) -> int:
    upper = open_ & UPPER_ROWS
    paces = pace_range(upper)
    return _first_of_paces()[upper] + min(max(pace, paces[0]), paces[-1]) - paces[0]


def worth(open_: int, pace: int) -> float:
    """What the sheet is still worth, the bonus with it, to a player about to be dealt five cards and to move."""
    if not open_:
        return float(bonus_at_end(pace))
    return _dot(matrix(learned.WORTH_UPPER)[_row_of(open_, pace)], matrix(learned.WORTH_LOWER)[open_ >> len(UPPER)])


def turns(open_: int, pace: int) -> float:
    """How many turns that player still takes on average."""
    if not open_:
        return 0.0
    return _dot(matrix(learned.TURNS_UPPER)[_row_of(open_, pace)], matrix(learned.TURNS_LOWER)[open_ >> len(UPPER)])


@lru_cache(maxsize=4096)
def expected_bonus(open_: int, pace: int) -> float:
    """The bonus to be expected when the free upper fields are filled with as many cards as a strong player plays."""
    for row, value in enumerate(VALUES):
        if open_ >> row & 1:
            return sum(
                chance * expected_bonus(open_ & ~(1 << row), pace + (cards - 3) * value)
                for cards, chance in enumerate(learned.CARDS_PLAYED[row], 1)
            )
    return float(bonus_at_end(pace))


def _dot(left: Vector, right: Vector) -> float:
    return sum(map(float.__mul__, left, right))


# ---- The cards kept --------------------------------------------------------------------------------------------------


def keeping(open_: int, pace: int) -> list[float]:
    """How much better than five new cards it is to keep each set of up to four, in the order of the catalogue."""
    nearest = min(range(len(PACES_OF_KEEPING)), key=lambda place: abs(PACES_OF_KEEPING[place] - pace))
    return _keeping(open_ & UPPER_ROWS, open_ >> len(UPPER), nearest)


@lru_cache(maxsize=256)
def _keeping(upper: int, lower: int, place: int) -> list[float]:
    if not upper and not lower:
        return [0.0] * catalogue().start[HAND]
    of_upper = matrix(learned.KEEPING_UPPER)[upper * len(PACES_OF_KEEPING) + place]
    of_lower = matrix(learned.KEEPING_LOWER)[lower]
    pairs = [one * other for one in of_upper for other in of_lower]
    mixed = tuple(_dot(pairs, column) for column in matrix(learned.KEEPING_CORE))
    return [_dot(mixed, of_cards) for of_cards in matrix(learned.KEEPING_CARDS)]


# ---- All hands, numbered ---------------------------------------------------------------------------------------------


def packed(cards: Sequence[int]) -> int:
    """Cards as one whole number, four bits for each value: adding numbers puts the cards together."""
    return sum(1 << (4 * (card - 1)) for card in cards)


@dataclass(frozen=True)
class Catalogue:
    """Every set of up to seven cards, small sets first."""

    cards: tuple[Cards, ...]
    start: tuple[int, ...]  # start[n]: where the sets of n cards begin
    codes: tuple[int, ...]  # packed
    with_one_more: tuple[tuple[int, ...], ...]  # the six sets with one card more, () for the largest
    with_one_less: tuple[tuple[int, ...], ...]
    moves: tuple[
        tuple[tuple[int, int, int, int], ...], ...
    ]  # of each combination: hand, kept, net points, cards played


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    cards = tuple(hand for size in range(MOST_PLANNED + 1) for hand in combinations_with_replacement(VALUES, size))
    number = {hand: place for place, hand in enumerate(cards)}
    start = tuple(sum(len(hand) < size for hand in cards) for size in range(MOST_PLANNED + 2))
    more = tuple(
        tuple(number[tuple(sorted((*hand, card)))] for card in VALUES) if len(hand) < MOST_PLANNED else ()
        for hand in cards
    )
    less = tuple(tuple(number[without(hand, (card,)) or ()] for card in dict.fromkeys(hand)) for hand in cards)
    hands = cards[start[HAND] :]
    moves = tuple(
        tuple(
            (number[hand], number[without(hand, played) or ()], _net(combination, hand, played), len(played))
            for hand in hands
            for played in ways_to_play(combination, hand)
        )
        for combination in COMBINATIONS
    )
    return Catalogue(cards, start, tuple(map(packed, cards)), more, less, moves)


@lru_cache(maxsize=1)
def numbers() -> dict[int, int]:
    """The number in the catalogue by the packed cards."""
    return {code: number for number, code in enumerate(catalogue().codes)}


def penalty_for(held: int) -> int:
    return PENALTY_PER_SURPLUS_CARD * max(0, held - HAND)


def _net(combination: str, hand: Cards, played: Cards) -> int:
    return (points_for(combination, played) or 0) - penalty_for(len(hand))


# ---- The hand --------------------------------------------------------------------------------------------------------


class Outlook(NamedTuple):
    """The best play of a hand, or None if exchanging is better, and what is expected of the sheet after it."""

    row: int | None
    points: int
    penalty: int
    bonus: float
    turns: float


class Plan:
    """The value of every hand with these combinations free: what the best action makes of it, this turn paid for."""

    def __init__(self, open_: int, pace: int) -> None:
        self.open = open_
        self.pace = pace
        self._outlooks: dict[int, Outlook] = {}
        size = len(catalogue().cards)
        self.play_value = [float("-inf")] * size  # of the best play of each hand
        self.best_play: list[tuple[int, int, int]] = [(-1, 0, 0)] * size  # its row, net points and number of cards
        for row in range(len(COMBINATIONS)):
            if open_ >> row & 1:
                self._add_plays(row)
        self.values = self._first_guess()
        for _ in range(MOST_SWEEPS):
            if abs(self._improve()) < SMALL_CHANGE:
                break
        self.by_code = dict(zip(catalogue().codes, self.values, strict=True))

    def value(self, code: int) -> float:
        """Of a packed hand of any size: more than seven cards are worth the best seven, less their penalties."""
        value = self.by_code.get(code)
        if value is None:
            value = max(map(self.value, _codes_with_one_less(code))) - PENALTY_PER_SURPLUS_CARD
            self.by_code[code] = value
        return value

    def outlook(self, code: int) -> Outlook:
        """What the next turn is expected to bring with this packed hand."""
        found = self._outlooks.get(code)
        if found is None:
            found = self._outlooks[code] = self._outlook(code)
        return found

    def _outlook(self, code: int) -> Outlook:
        if code not in numbers():
            fewer = self.outlook(max(_codes_with_one_less(code), key=self.value))
            return fewer._replace(penalty=fewer.penalty + PENALTY_PER_SURPLUS_CARD * (fewer.row is not None))
        hand = numbers()[code]
        if self.play_value[hand] < self.values[hand]:
            return Outlook(None, 0, 0, expected_bonus(self.open, self.pace), turns(self.open, self.pace))
        row, net, played = self.best_play[hand]
        penalty = penalty_for(len(catalogue().cards[hand]))
        left = sheet_left(self.open, self.pace, row, played)
        return Outlook(row, net + penalty, penalty, expected_bonus(*left), turns(*left))

    def _add_plays(self, row: int) -> None:
        best, best_play = self.play_value, self.best_play
        after = [after_play(self.open, self.pace, row, cards) for cards in range(HAND + 1)]
        for hand, kept, points, played in catalogue().moves[row]:
            value = points + after[played][kept] - PRICE_OF_A_TURN
            if value > best[hand]:
                best[hand] = value
                best_play[hand] = (row, points, played)

    def _first_guess(self) -> list[float]:
        """The best play, or the best cards to keep while drawing to five: drawing to six or seven is not thought of."""
        known, less = catalogue(), catalogue().with_one_less
        base = worth(self.open, self.pace) - PRICE_OF_A_TURN
        kept = [base + more for more in keeping(self.open, self.pace)]
        for place in range(1, known.start[HAND]):
            kept[place] = max(kept[place], *[kept[smaller] for smaller in less[place]])
        for place in range(known.start[HAND], len(known.cards)):
            kept.append(max([kept[smaller] for smaller in less[place]]))
        return list(map(max, kept, self.play_value))

    def _improve(self) -> float:
        """Every hand takes the better of its best play and its best exchange, by the values so far.

        Returns by how much the mean value of a hand has changed.
        """
        before = sum(self.values)
        start, less = catalogue().start, catalogue().with_one_less
        draw = {size: _filled_up(self.values, size) for size in range(HAND, MOST_PLANNED + 1)}
        draw[MOST_PLANNED + 1] = draw[MOST_PLANNED]  # eight cards are not planned for
        for size in range(HAND, MOST_PLANNED + 1):
            best = list(map(max, draw[size], draw[size + 1]))
            for place in range(start[size - HAND + 1], start[size + 1]):
                best[place] = max(best[place], *[best[smaller] for smaller in less[place]])
            for place in range(start[size], start[size + 1]):
                self.values[place] = max(self.play_value[place], best[place] - PRICE_OF_A_TURN)
        return (sum(self.values) - before) / (len(self.values) - start[HAND])


@lru_cache(maxsize=48)
def plan(open_: int, pace: int) -> Plan:
    return Plan(open_, pace)


def _filled_up(values: list[float], size: int) -> list[float]:
    """The mean value after filling every smaller set of cards up to this size."""
    start, more = catalogue().start, catalogue().with_one_more
    means = values[: start[size + 1]]
    for place in range(start[size] - 1, start[max(0, size - HAND - 1)] - 1, -1):
        one, two, three, four, five, six = more[place]
        means[place] = (means[one] + means[two] + means[three] + means[four] + means[five] + means[six]) / 6
    return means


def after_play(open_: int, pace: int, row: int, played: int) -> list[float]:
    """The worth after so many cards are played in this row, by the cards that are kept."""
    left, new_pace = sheet_left(open_, pace, row, played)
    return _after(left, max(LOWEST_PACE, min(new_pace, HIGHEST_PACE)))


def sheet_left(open_: int, pace: int, row: int, played: int) -> tuple[int, int]:
    """The free rows and the pace after so many cards are played in this row."""
    return open_ & ~(1 << row), pace + ((played - 3) * (row + 1) if row < len(UPPER) else 0)


@lru_cache(maxsize=512)
def _after(open_: int, pace: int) -> list[float]:
    base = worth(open_, pace)
    # More cards than four are rarely left; the plan counts them for nothing.
    return [base + more for more in keeping(open_, pace)] + [base] * (len(catalogue().cards) - catalogue().start[HAND])


def kept_value(open_: int, pace: int, kept: Cards) -> float:
    """What the sheet and the cards kept are worth when the hand is filled up to five, if it has fewer."""
    if len(kept) <= MOST_KEPT:
        return worth(open_, pace) + keeping(open_, pace)[numbers()[packed(kept)]]
    # As good as the best four of them and a new card, but more than five cost penalties.
    surplus = PENALTY_PER_SURPLUS_CARD if len(kept) > HAND else 0
    fewer = {without(kept, (card,)) or () for card in kept}
    return max(kept_value(open_, pace, cards) for cards in fewer) - surplus


def _codes_with_one_less(code: int) -> Iterator[int]:
    return (code - (1 << shift) for shift in range(0, 24, 4) if code >> shift & 15)


# ---- The draw decided now --------------------------------------------------------------------------------------------


@lru_cache(maxsize=MOST_DISCARDED + 2)
def _patterns(number: int) -> tuple[tuple[int, Counts], ...]:
    """Every set of so many cards, packed and as counts."""
    return tuple(
        (packed(drawn), tuple(map(drawn.count, VALUES))) for drawn in combinations_with_replacement(VALUES, number)
    )


@lru_cache(maxsize=64)
def draws(unseen: Counts, number: int) -> tuple[tuple[int, float], ...]:
    """Every draw of so many of the unseen cards, packed, with its chance."""
    possible = comb(sum(unseen), number)
    ones, twos, threes, fours, fives, sixes = ([comb(copies, n) for n in range(number + 1)] for copies in unseen)
    ways = (
        (code, ones[a] * twos[b] * threes[c] * fours[d] * fives[e] * sixes[f])
        for code, (a, b, c, d, e, f) in _patterns(number)
    )
    return tuple((code, count / possible) for code, count in ways if count)


def expectation(plan_: Plan, kept: Cards, number: int, unseen: Counts) -> float:
    """The value of keeping these cards and drawing so many of the unseen ones."""
    base, chances = packed(kept), draws(unseen, number)
    if len(kept) + number <= MOST_PLANNED:
        values = plan_.by_code
        return sum([chance * values[base + code] for code, chance in chances])
    return sum([chance * plan_.value(base + code) for code, chance in chances])
