"""Kości: how a chance comes about.

With one roll left a chance is counted: favourable of 6^n rolls, or a binomial term in ones … sixes. With more it takes
steps: the dice are kept and the others rolled, and each thing that can come of it has its own best chance.

The outcome of a step says what matters about the dice after the roll:
- ones … sixes: the dice with that number, no more than are asked for: (6, 6), or () for none;
- straights: the run when it is made, (1, 2, 3, 4), else the dice to keep next; what leaves the same chance is told
  together, and the most likely of it stands for all (otherwise up to 38 keeps would be in the sum, many much alike);
- three and four of a kind, full house, general: how many are equal, the most first, as values do not matter to them:
  (3, 2) when a full house is made, else of the dice to keep next: (2, 1) is a pair and one other, () a fresh start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, groupby
from math import factorial, prod

from knyf_panel.engine.chance import Binomial, Branch, Certain, Counted, Explanation, Impossible, Steps
from knyf_panel.engine.kosci.odds import Dice, DiceChance, Question, fitting, is_met
from knyf_panel.engine.kosci.rules import ALIKE, DICE, STRAIGHTS, UPPER
from knyf_panel.engine.multiset import VALUES

MADE_SHAPES = {**{category: (count,) for category, count in ALIKE.items()}, "full_house": (3, 2), "general": (5,)}


def explain(chance: DiceChance) -> Explanation:
    """The sum behind the chance of keeping `chance.keep`: best or not, its value is the same fraction."""
    if chance.probability == 1:
        return Certain()
    if chance.probability == 0:
        return Impossible()
    if chance.question.rolls_left == 1:
        return _last_roll(chance)
    return Steps(_branches(chance))


def _last_roll(chance: DiceChance) -> Binomial | Counted:
    question, rolled = chance.question, DICE - len(chance.keep)
    if question.category in UPPER:
        still_needed = question.at_least - chance.keep.count(UPPER[question.category])
        return Binomial(rolled, Fraction(1, len(VALUES)), still_needed)
    favourable = sum(ways for hand, ways in _hands_after(chance.keep) if is_met(question, hand))
    return Counted(favourable, len(VALUES) ** rolled)


def _branches(chance: DiceChance) -> tuple[Branch, ...]:
    question, table = chance.question, fitting(chance.question)
    rolls = question.rolls_left - 1
    ways: Counter[Dice] = Counter()
    then: dict[Dice, Fraction] = {}
    for hand, ways_of_hand in _hands_after(chance.keep):
        next_keep = table.best_keep(hand, rolls)
        outcome = _outcome(question, hand, next_keep)
        ways[outcome] += ways_of_hand
        then.setdefault(outcome, table.worth(next_keep, rolls))
    possible = len(VALUES) ** (DICE - len(chance.keep))
    branches = [Branch(outcome, Fraction(ways[outcome], possible), then[outcome]) for outcome in ways]
    branches.sort(key=lambda branch: (-branch.then, -branch.probability, branch.outcome))
    return tuple(_merged(branches) if question.category in STRAIGHTS else branches)


def _merged(branches: Iterable[Branch]) -> Iterator[Branch]:
    """Neighbours with the same chance from there as one branch, under the name of the first."""
    for then, alike in groupby(branches, key=lambda branch: branch.then):
        first, *others = alike
        yield Branch(first.outcome, sum((branch.probability for branch in others), first.probability), then)


def _outcome(question: Question, hand: Dice, next_keep: Dice) -> tuple[int, ...]:
    """What matters about a hand. Hands with the same outcome have the same chance from there."""
    category, made = question.category, is_met(question, hand)
    if category in UPPER:
        number = UPPER[category]
        return (number,) * min(hand.count(number), question.at_least)
    if category in STRAIGHTS:
        return next(run for run in STRAIGHTS[category] if set(run) <= set(hand)) if made else next_keep
    return MADE_SHAPES[category] if made else tuple(sorted(Counter(next_keep).values(), reverse=True))


def _hands_after(keep: Dice) -> Iterator[tuple[Dice, int]]:
    """Every hand that can follow, and in how many of the 6^n equally likely ways the n other dice make it."""
    others = DICE - len(keep)
    for roll in combinations_with_replacement(VALUES, others):
        orders = factorial(others) // prod(map(factorial, Counter(roll).values()))
        yield tuple(sorted(keep + roll)), orders
