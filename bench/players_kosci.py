"""The players of Kości: what the best one gets, exactly; what each strength gets in seeded games; time for a move.

The table that strong players go by is worked out afresh, which takes about half a minute.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import mean, median, stdev
from typing import Any

from knyf_panel.engine import kosci
from knyf_panel.engine.kosci.player import choose
from knyf_panel.engine.kosci.values import pack_values, values_in_use
from knyf_panel.engine.strengths import STRENGTHS
from knyf_panel.training.kosci import follow, solve


def measure(games: int = 500) -> dict[str, Any]:
    """All figures, by name. A strong player's mean may differ from the optimum by chance: see its standard error."""
    values = solve()
    results = follow(values)
    table = pack_values(values.tolist(), results.premium.tolist())
    start = time.perf_counter()
    kosci.use_values(kosci.load_values(table))
    return {
        "optimum": float(values[0]),
        "sd": results.deviation,
        "premium": float(results.premium[0]),
        "table_bytes": len(table),
        "load_ms": 1000 * (time.perf_counter() - start),
        "advice_ms": advice_milliseconds(),
        "strengths": {strength: played(strength, games) for strength in STRENGTHS},
    }


def played(strength: str, games: int) -> dict[str, float]:
    """Solitaire games with the seeds 0, 1, 2, …"""
    start = time.perf_counter()
    ends = [play(strength, seed) for seed in range(games)]
    spent = time.perf_counter() - start
    totals = [total for total, _ in ends]
    return {
        "games": games,
        "mean": mean(totals),
        "standard_error": stdev(totals) / games**0.5,
        "ms_per_move": 1000 * spent / sum(moves for _, moves in ends),
    }


def play(strength: str, seed: int) -> tuple[int, int]:
    """The total and the number of moves."""
    state, random, moves = kosci.new_game(["Ala"], seed), Random(seed), 0
    while not kosci.is_over(state):
        state = kosci.apply(state, choose(state, strength, random))
        moves += 1
    return kosci.standings(state)[0].total, moves


def advice_milliseconds() -> float:
    """The median time of all the advice for a roll, of which nothing is known yet."""
    kosci.advise(kosci.apply(kosci.new_game(["Ala"], 1), kosci.Roll()))
    return median(_advice_times())


def _advice_times() -> Iterator[float]:
    for seed in range(50):
        state, random = kosci.new_game(["Ala"], seed), Random(seed)
        for _ in range(seed % 12):  # any stage of a game
            state = kosci.apply(kosci.apply(state, kosci.Roll()), random.choice(list(_writes(state))))
        state = kosci.apply(state, kosci.Roll())
        forget()
        start = time.perf_counter()
        kosci.advise(state)
        yield 1000 * (time.perf_counter() - start)


def _writes(state: kosci.State) -> Iterator[kosci.Write]:
    return (kosci.Write(category) for category in state.sheets[0].free)


def forget() -> None:
    """Whatever is known of single sheets, by a copy of the table; what all of them share stays."""
    kosci.use_values(replace(values_in_use()))
