"""Karciany Knyf: exchanges played with the discards and draws that the odds say are best."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from knyf_panel.engine.knyf.odds import Cards, Question, Table
from knyf_panel.engine.multiset import Counts, counts_of, values_of
from knyf_panel.engine.simulation import Tally, run
from knyf_panel.engine.tuples import without

MOST_REMEMBERED = 20_000  # moves; beyond that they are worked out again


def simulate(question: Question, trials: int, seed: int, chunk: int = 1000) -> Iterator[Tally]:
    """Running tallies of how often the combination can be played when every exchange is the best one."""
    table = Table.of(question)
    pile = values_of(question.unseen)
    best_moves: dict[tuple[Cards, Counts, int], tuple[Cards, int]] = {}

    def best_move(hand: Cards, unseen: Counts, turns: int) -> tuple[Cards, int]:
        key = (hand, unseen, turns)
        if key not in best_moves:
            if len(best_moves) >= MOST_REMEMBERED:
                best_moves.clear()
            _, discard, draw = table.best(hand, unseen, turns)
            best_moves[key] = (discard, draw)
        return best_moves[key]

    def trial(generator: Random) -> bool:
        hand, unseen = question.hand, question.unseen
        # No hand draws more than six cards at a time: a few cards from the top are all that a trial needs.
        order = iter(generator.sample(pile, min(len(pile), 6 * question.turns)))
        for turns in range(question.turns, 0, -1):
            if table.is_met(counts_of(hand)):
                break
            discard, draw = best_move(hand, unseen, turns)
            drawn = tuple(next(order) for _ in range(draw))
            hand = tuple(sorted((*(without(hand, discard) or ()), *drawn)))
            unseen = tuple(left - gone for left, gone in zip(unseen, counts_of(drawn), strict=True))
        return table.is_met(counts_of(hand))

    return run(trial, trials, seed, chunk)
