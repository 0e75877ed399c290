"""Knister: how a chance comes about.

The last roll is counted: favourable of 36. A line with one empty cell waits for the right number: at least one success
in so many rolls. Otherwise it takes steps: the next sum is put into the line or not, and each has its own best chance.

The outcome of a step has all sums that lead to the same chance, in order: either sums to put into the line, all of them
in `chance.accept`, or the sums to put somewhere else, none of them there.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from knyf_panel.engine.chance import Binomial, Branch, Certain, Counted, Explanation, Impossible, Steps
from knyf_panel.engine.knister.odds import SUMS, WAYS, LineChance, becoming, numbers_of, one_more
from knyf_panel.engine.knister.rules import SIDE

POSSIBLE = sum(WAYS.values())


def explain(chance: LineChance) -> Explanation:
    """The sum behind the chance: its value is the same fraction."""
    if chance.probability == 1:
        return Certain()
    if chance.probability == 0:
        return Impossible()
    if len(numbers_of(chance.question.line)) == SIDE - 1:
        return _one_cell(chance)
    return Steps(_branches(chance))


def _one_cell(chance: LineChance) -> Counted | Binomial:
    favourable = sum(WAYS[number] for number in SUMS if _completes(chance, number))
    if chance.question.rolls_left == 1:
        return Counted(favourable, POSSIBLE)
    return Binomial(chance.question.rolls_left, Fraction(favourable, POSSIBLE), at_least=1)


def _completes(chance: LineChance, number: int) -> bool:
    full = tuple(sorted((*numbers_of(chance.question.line), number)))
    return becoming(chance.question.combination).worth(full, rolls=0) == 1


def _branches(chance: LineChance) -> tuple[Branch, ...]:
    question, prospects = chance.question, becoming(chance.question.combination)
    filled, rolls = numbers_of(question.line), question.rolls_left - 1
    sums: defaultdict[tuple[bool, Fraction], list[int]] = defaultdict(list)
    for number, line in zip(SUMS, one_more(filled, SUMS), strict=True):
        accepted = number in chance.accept
        sums[accepted, prospects.worth(line if accepted else filled, rolls)].append(number)
    branches = [
        Branch(tuple(numbers), Fraction(sum(WAYS[number] for number in numbers), POSSIBLE), then)
        for (_, then), numbers in sums.items()
    ]
    return tuple(sorted(branches, key=lambda branch: (-branch.then, branch.outcome)))
