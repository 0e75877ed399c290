"""Karciany Knyf: how a chance comes about.

With one turn left a chance is counted: favourable of C(N, n) draws, or a hypergeometric term in ones … sixes. With more
it takes steps: the cards are discarded and drawn, and each thing that can come of it has its own best chance.

The outcome of a step says what matters about the cards after the draw:
- ones … sixes: the cards of that value, no more than are asked for: (6, 6), or () for none;
- straights: how many values of one run are in hand, at most: (3,), and (4,) or (5,) when it is made (the sets of values
  themselves would be up to 60 branches);
- three and four of a kind, knyf: how many are equal at most: (3,), no more than are asked for;
- full house: how many there are of the two most frequent values, (3, 2) when it is made, else (2, 2), (3, 1), (2, 1)
  or (1, 1), or (3, 0) when all cards are equal.

Hands with the same outcome can differ in chance (which cards are gone, what else is held): `then` is their mean,
weighted by how likely they are, so that the sum is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod

from knyf_panel.engine.chance import Branch, Certain, Counted, Explanation, Hypergeometric, Impossible, Steps
from knyf_panel.engine.knyf.odds import CardChance, Cards, Question, Table
from knyf_panel.engine.knyf.rules import ALIKE, HAND, STRAIGHTS, UPPER
from knyf_panel.engine.multiset import Counts, counts_of
from knyf_panel.engine.tuples import without


def explain(chance: CardChance) -> Explanation:
    """The sum behind the chance of this discard and draw: best or not, its value is the same fraction."""
    if chance.probability == 1:
        return Certain()
    if chance.probability == 0:
        return Impossible()
    if chance.question.turns == 1:
        return _last_draw(chance)
    return Steps(_branches(chance))


def _last_draw(chance: CardChance) -> Hypergeometric | Counted:
    question, unseen = chance.question, chance.question.unseen
    possible = comb(sum(unseen), chance.draw)
    if question.combination in UPPER:
        value = UPPER[question.combination]
        needed = question.at_least - _kept(chance)[value - 1]
        return Hypergeometric(unseen[value - 1], sum(unseen), chance.draw, needed)
    return Counted(int(chance.probability * possible), possible)


def _kept(chance: CardChance) -> Counts:
    return counts_of(without(chance.question.hand, chance.discard) or ())


def _branches(chance: CardChance) -> tuple[Branch, ...]:
    question = chance.question
    table = Table.of(question, thorough=not chance.lower_bound)
    possible = comb(sum(question.unseen), chance.draw)
    ways: dict[Cards, int] = {}
    worth: dict[Cards, Fraction] = {}
    for drawn, ways_of_draw in _draws(question.unseen, chance.draw):
        hand = tuple(have + more for have, more in zip(_kept(chance), drawn, strict=True))
        left = tuple(copies - gone for copies, gone in zip(question.unseen, drawn, strict=True))
        outcome = _outcome(question, hand, table.is_met(hand))
        ways[outcome] = ways.get(outcome, 0) + ways_of_draw
        then = table.chance(hand, left, question.turns - 1)
        worth[outcome] = worth.get(outcome, Fraction(0)) + ways_of_draw * then
    branches = [Branch(outcome, Fraction(n, possible), worth[outcome] / n) for outcome, n in ways.items()]
    return tuple(sorted(branches, key=lambda branch: (-branch.then, -branch.probability, branch.outcome)))


def _draws(unseen: Counts, draw: int) -> Iterator[tuple[Counts, int]]:
    """Every draw of so many cards, and in how many ways it comes."""
    for most in product(*(range(min(copies, draw) + 1) for copies in unseen)):
        if sum(most) == draw:
            yield most, prod(map(comb, unseen, most))


def _outcome(question: Question, hand: Counts, made: bool) -> tuple[int, ...]:
    combination = question.combination
    if combination in UPPER:
        value = UPPER[combination]
        return (value,) * min(hand[value - 1], question.at_least)
    if combination in STRAIGHTS:
        return (max(sum(hand[value - 1] > 0 for value in run) for run in STRAIGHTS[combination]),)
    second, most = sorted(hand)[-2:]
    if combination == "full_house":
        return (3, 2) if made else (min(most, 3), min(second, 2))
    return (min(most, ALIKE.get(combination, HAND)),)
