"""Knister: rolls put into a line, or not, as the odds say."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from knyf_panel.engine.knister.odds import Numbers, Question, becoming, numbers_of
from knyf_panel.engine.knister.rules import DICE, SIDE, combination_of
from knyf_panel.engine.multiset import VALUES
from knyf_panel.engine.simulation import Tally, run


def simulate(question: Question, trials: int, seed: int, chunk: int = 1000) -> Iterator[Tally]:
    """Running tallies of how often the line becomes the combination when every decision is the best one."""
    prospects = becoming(question.combination)
    accepted: dict[tuple[Numbers, int], Numbers] = {}

    def trial(generator: Random) -> bool:
        line = numbers_of(question.line)
        for rolls_left in range(question.rolls_left, 0, -1):
            if (line, rolls_left) not in accepted:
                accepted[line, rolls_left] = prospects.accept(line, rolls_left)
            number = sum(generator.choices(VALUES, k=DICE))
            if number in accepted[line, rolls_left]:
                line = tuple(sorted((*line, number)))
        return len(line) == SIDE and combination_of(line) == question.combination

    return run(trial, trials, seed, chunk)
