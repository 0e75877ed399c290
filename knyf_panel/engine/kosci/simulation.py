"""Kości: turns played with the dice that the odds say to keep."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from knyf_panel.engine.kosci.odds import Dice, Question, fitting, is_met
from knyf_panel.engine.kosci.rules import DICE
from knyf_panel.engine.multiset import VALUES
from knyf_panel.engine.simulation import Tally, run


def simulate(question: Question, trials: int, seed: int, chunk: int = 1000) -> Iterator[Tally]:
    """Running tallies of how often the question is met when every keep is the best one."""
    table = fitting(question)
    best_keeps: dict[tuple[Dice, int], Dice] = {}

    def trial(generator: Random) -> bool:
        dice = question.dice
        for rolls_left in range(question.rolls_left, 0, -1):
            if (dice, rolls_left) not in best_keeps:
                best_keeps[dice, rolls_left] = table.best_keep(dice, rolls_left)
            kept = best_keeps[dice, rolls_left]
            if len(kept) == DICE:
                break
            dice = tuple(sorted((*kept, *generator.choices(VALUES, k=DICE - len(kept)))))
        return is_met(question, dice)

    return run(trial, trials, seed, chunk)
