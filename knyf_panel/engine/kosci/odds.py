"""Kości: the exact chance of every category, and the dice to keep for it.

The state of a turn is the dice that are kept. There are 462 multisets of none to five dice, 252 of them full hands.
One table per goal runs through them backwards, roll by roll, in whole numbers over 6^(5 · rolls).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeAlias

from knyf_panel.engine.chance import Chance
from knyf_panel.engine.checks import check_values, whole_number
from knyf_panel.engine.errors import BadQuestion
from knyf_panel.engine.kosci.rules import CATEGORIES, DICE, FIXED, ROLLS, UPPER, fits, points_for
from knyf_panel.engine.multiset import VALUES, sub_multisets

AT_LEAST = 3  # of its number in an upper row, unless told otherwise: three of each make the 63 points of the premium

Dice: TypeAlias = tuple[int, ...]  # sorted


@dataclass(frozen=True, slots=True)
class Question:
    """Will the dice fit the category when the turn ends? `dice` is () before the first roll, else all five."""

    category: str
    dice: Dice
    rolls_left: int
    at_least: int = AT_LEAST  # of its number, in ones … sixes

    def __post_init__(self) -> None:
        if self.category not in CATEGORIES:
            raise BadQuestion("unknown_category", category=self.category)
        rolls_left, at_least = _check_rolls(self.rolls_left), _check_at_least(self.at_least)
        dice = _check_dice(self.dice)
        if not dice and not rolls_left:
            raise BadQuestion("no_dice_and_no_rolls")
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "rolls_left", rolls_left)
        # Elsewhere `at_least` says nothing; one spelling keeps equal questions equal.
        object.__setattr__(self, "at_least", at_least if self.category in UPPER else AT_LEAST)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceChance(Chance):
    """The chance of a category, and its worth: each with the dice to keep. Keeping all five ends the turn."""

    question: Question
    keep: Dice
    expected: Fraction  # the highest expected points of the category, as an ordinary roll (no joker)
    expected_keep: Dice


def odds(dice: Iterable[int], rolls_left: int, at_least: int = AT_LEAST) -> dict[str, DiceChance]:
    """The highest chance of every category, over all ways of keeping dice."""
    rolled = _check_dice(dice)
    return {category: chance(Question(category, rolled, rolls_left, at_least)) for category in CATEGORIES}


def odds_of(
    dice: Iterable[int], rolls_left: int, keep: Iterable[int], at_least: int = AT_LEAST
) -> dict[str, DiceChance]:
    """The odds if just these dice are kept now and the rest is rolled; the rolls after that are played best."""
    rolled, kept = _check_dice(dice), check_values(keep, BadQuestion)
    questions = [Question(category, rolled, rolls_left, at_least) for category in CATEGORIES]
    if kept not in choices(rolled, questions[0].rolls_left):
        raise BadQuestion("cannot_keep_these_dice", keep=kept, dice=rolled, rolls_left=rolls_left)
    return {question.category: _chance_of(question, kept, kept) for question in questions}


def distribution(category: str, dice: Iterable[int], rolls_left: int) -> dict[int, DiceChance]:
    """For ones … sixes: the highest chance of at least 1, 2, …, 5 dice of that number."""
    if category not in UPPER:
        raise BadQuestion("not_an_upper_category", category=category)
    rolled = _check_dice(dice)
    return {count: chance(Question(category, rolled, rolls_left, count)) for count in range(1, DICE + 1)}


def chance(question: Question) -> DiceChance:
    """The highest chance of one category."""
    keep = fitting(question).best_keep(question.dice, question.rolls_left)
    if question.category in FIXED:  # fitting is all that counts: the expected points are a multiple of the probability
        return _chance_of(question, keep, keep)
    return _chance_of(question, keep, points(question.category).best_keep(question.dice, question.rolls_left))


def _chance_of(question: Question, keep: Dice, expected_keep: Dice) -> DiceChance:
    category, rolls = question.category, question.rolls_left
    probability = fitting(question).worth(keep, rolls)
    return DiceChance(
        probability=probability,
        question=question,
        keep=keep,
        expected=FIXED[category] * probability if category in FIXED else points(category).worth(expected_keep, rolls),
        expected_keep=expected_keep,
    )


def is_met(question: Question, dice: Dice) -> bool:
    """Whether these five dice are what the question asks for."""
    if question.category in UPPER:
        return dice.count(UPPER[question.category]) >= question.at_least
    return fits(question.category, dice)


def choices(dice: Dice, rolls_left: int) -> tuple[Dice, ...]:
    """What may be kept, in the order of preference among equals."""
    return _keeps(dice) if dice and rolls_left else (dice,)


@lru_cache(maxsize=512)  # room for the 252 hands
def _keeps(dice: Dice) -> tuple[Dice, ...]:
    """First all, which is to stop, as a person does who has what they want; then more dice rather than fewer, high ones
    rather than low ones.
    """
    keeps = [keep for size in range(len(dice) + 1) for keep in sub_multisets(dice, size)]
    return tuple(sorted(keeps, key=lambda keep: (len(keep), sum(keep), keep), reverse=True))


class Turn:
    """What can lie kept on the table in a turn with so many dice, and what follows from what, all by number."""

    def __init__(self, dice: int) -> None:
        self.dice = dice
        self.keeps = [keep for size in range(dice + 1) for keep in combinations_with_replacement(VALUES, size)]
        self.place = {keep: number for number, keep in enumerate(self.keeps)}
        self.first_hand = self.place[(VALUES[0],) * dice]
        self.hands = self.keeps[self.first_hand :]  # all the dice: the longest keeps, and so the last ones
        self.unit = len(VALUES) ** dice
        self.one_more = [
            tuple([self.place[tuple(sorted((*keep, value)))] for value in VALUES])
            for keep in self.keeps[: self.first_hand]
        ]
        self.one_fewer = [
            tuple([self.place[smaller] for smaller in sub_multisets(keep, len(keep) - 1)]) if keep else ()
            for keep in self.keeps
        ]


class Table:
    """The best that can come of a turn for one goal, which is told by what each hand is worth at the end.

    With r rolls left, `rolled[r]` has for each keep what it is worth to roll the other dice and play best from there,
    and `best[r]` for each hand the highest of these: both in whole numbers, `unit ** r` times too large. The tables
    grow roll by roll, when they are first asked for.
    """

    def __init__(self, turn: Turn, ends: Sequence[int]) -> None:
        self.turn = turn
        self.best = [list(ends)]
        self.rolled = [[0] * turn.first_hand + list(ends)]  # without rolls nothing comes of a part of the dice

    def worth(self, keep: Dice, rolls: int) -> Fraction:
        """What it is worth to keep these dice and roll the others."""
        self._grow(rolls)
        return Fraction(self.rolled[rolls][self.turn.place[keep]], self.turn.unit**rolls)

    def best_keep(self, dice: Dice, rolls: int) -> Dice:
        self._grow(rolls)
        rolled, place = self.rolled[rolls], self.turn.place
        return max(choices(dice, rolls), key=lambda keep: rolled[place[keep]])  # the first of equals

    def _grow(self, rolls: int) -> None:
        while len(self.best) <= rolls:
            rolled = self._one_roll_more()
            self.rolled.append(rolled)
            self.best.append(self._highest_within(rolled))

    def _one_roll_more(self) -> list[int]:
        """Sums over what the next die shows, for ever fewer kept dice, so that each keep costs six additions."""
        sums = [0] * self.turn.first_hand + self.best[-1]
        for keep in range(self.turn.first_hand - 1, -1, -1):
            a, b, c, d, e, f = self.turn.one_more[keep]
            sums[keep] = sums[a] + sums[b] + sums[c] + sums[d] + sums[e] + sums[f]
        parts = zip(self.turn.keeps[: self.turn.first_hand], sums, strict=False)
        # A sum over n dice is 6^n times too large; 6 for each kept die brings all to the same denominator. To keep all
        # dice ends the turn, so it is worth what the hand is. Nothing is lost by that: the best play with r rolls, and
        # a pass at the end, is a play with r + 1 rolls that is no worse.
        unit = self.turn.unit ** len(self.best)
        return [value * len(VALUES) ** len(keep) for keep, value in parts] + [end * unit for end in self.best[0]]

    def _highest_within(self, rolled: Sequence[int]) -> list[int]:
        """For each hand the highest worth of any part of it: a keep hands it on to those with one die more."""
        highest = list(rolled)
        for keep, smaller_keeps in enumerate(self.turn.one_fewer):
            for smaller in smaller_keeps:
                if highest[smaller] > highest[keep]:
                    highest[keep] = highest[smaller]
        return highest[self.turn.first_hand :]


FIVE_DICE = Turn(DICE)


def fitting(question: Question) -> Table:
    """The table for the probability that the question is met."""
    return _fitting(question.category, question.at_least)


@lru_cache(maxsize=64)  # room for all 37: five for each upper category, one for each lower
def _fitting(category: str, at_least: int) -> Table:
    asked = Question(category, (), ROLLS, at_least)
    return Table(FIVE_DICE, [int(is_met(asked, hand)) for hand in FIVE_DICE.hands])


@lru_cache(maxsize=16)  # room for the nine categories whose points are not fixed
def points(category: str) -> Table:
    """The table for the expected points of a category."""
    return Table(FIVE_DICE, [points_for(category, hand) for hand in FIVE_DICE.hands])


def _check_dice(dice: Iterable[int]) -> Dice:
    numbers = check_values(dice, BadQuestion)
    if numbers and len(numbers) != DICE:
        raise BadQuestion("wrong_number_of_dice", dice=len(numbers), expected=DICE)
    return numbers


def _check_rolls(rolls_left: int) -> int:
    """0 … 3 rolls; three with dice on the table is more than the rules allow, but a fair question."""
    rolls = whole_number(rolls_left, BadQuestion)
    if not 0 <= rolls <= ROLLS:
        raise BadQuestion("rolls_out_of_range", rolls_left=rolls, lowest=0, highest=ROLLS)
    return rolls


def _check_at_least(at_least: int) -> int:
    number = whole_number(at_least, BadQuestion)
    if not 1 <= number <= DICE:
        raise BadQuestion("at_least_out_of_range", at_least=number, lowest=1, highest=DICE)
    return number
