"""Knister players of each strength: mean points of seeded solo games, and the time of a move."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from importlib.resources import files
from random import Random
from statistics import fmean, stdev
from typing import Any

from knyf_panel.engine import knister
from knyf_panel.engine.strengths import STRENGTHS

PUBLISHED = 63.19  # the best mean that we know to be published, of a neural network


def measure(games: int) -> dict[str, Any]:
    """Solo games with the seeds from 0 on, the same for every strength; `mean` and `se` are the strong player's."""
    knister.use_values(knister.load_values((files(knister) / "values.bin").read_bytes()))
    by_strength = {strength: _measure_one(strength, games) for strength in STRENGTHS}
    strong = by_strength["strong"]
    return {"games": games, "mean": strong["mean"], "se": strong["se"], "strengths": by_strength}


def _measure_one(strength: str, games: int) -> dict[str, float]:
    totals, seconds = [], 0.0
    for seed in range(games):
        total, took = _play(strength, seed)
        totals.append(total)
        seconds += took
    return {"mean": fmean(totals), "se": _standard_error(totals), "ms per move": 1000 * seconds / (25 * games)}


def _play(strength: str, seed: int) -> tuple[int, float]:
    """The points of a game, and the seconds that the player thought."""
    state, random, seconds = knister.new_game(["Ala"], seed), Random(seed), 0.0
    while not knister.is_over(state):
        start = time.perf_counter()
        action = knister.choose(state, strength, random)
        seconds += time.perf_counter() - start
        state = knister.apply(state, action)
    return knister.standings(state)[0].total, seconds


def _standard_error(totals: Sequence[int]) -> float:
    return stdev(totals) / math.sqrt(len(totals))
