"""Knister: the values of lines, learned by playing, thousands of games at a time.

    python -m knyf_panel.training.knister --output knyf_panel/engine/knister/values.bin

A grid is worth the sum of what its lines are worth (see `engine/knister/values.py`). The first values are the exact
expected points of each line for itself, less for lines that do not serve the plan. Then, in turns: games are played by
the values so far, and for each number of empty cells the values are fitted anew to what the grids turned out to be
worth, by least squares.

What a grid turned out to be worth is less a matter of luck than the final points are. After each roll we know how much
better or worse it was than the mean over all rolls; this luck is taken away again, and the later of it only in part
(`TRUST`), because the values know the near future better than the dice do: the λ of temporal difference learning, with
the exact expectation in place of one sample.

Some games are begun by somebody else, who knows no plan and is more or less careless, so that the coach can tell what
the grids of people are worth. Only what follows then is learned from.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from knyf_panel.engine import knister
from knyf_panel.engine.knister.odds import SUMS, WAYS, points
from knyf_panel.engine.knister.rules import CELLS, LINES, SIDE
from knyf_panel.engine.knister.values import (
    CONTENTS,
    FACTORS,
    FULL,
    STEPS,
    THROUGH,
    finishing,
    following,
    load_values,
    pack_values,
    use_values,
)

SEED = 1
GAMES, SWEEPS = 16384, 20  # games at a time and how many times, written where the grid is then worth most
GAMES_AHEAD, SWEEPS_AHEAD = 8192, 30  # the same, looking one roll ahead at the most promising cells
PROMISING = 6
TRUST = 0.6
RIDGE = 3.0  # how many grids the value so far counts for in a fit
BEGUN_BY_OTHERS = 0.25  # of the games
CARELESSNESS = (0.0, 1.0, 30.0)  # of these others: how many points more or less they may see in a cell
SEEDED_GAMES = 10_000

Floats: TypeAlias = npt.NDArray[np.float32]
Whole: TypeAlias = npt.NDArray[np.int64]

# ---- The first values ------------------------------------------------------------------------------------------------

RESIDUES = (4, 0, 2, 1, 3)  # of the numbers in each column, modulo 5: the best arrangement of those tried
COMPETITION = 0.75  # lines share the rolls: each has fewer points to expect than if it were alone
ASTRAY, WAYWARD = 0.7, 0.5  # what is left of the value of a row that is no straight, a column of several residues

LINE_COUNT = len(LINES)
KINDS = FULL + 1  # of contents, the full line among them
ROWS, COLUMNS = range(SIDE), range(SIDE, 2 * SIDE)


def first_values() -> Floats:
    """By number of empty cells, line and content: what the line is worth for itself, less when it is not as planned."""
    fitness = [[_fitness(line, numbers) for numbers in CONTENTS] + [0.0] for line in range(LINE_COUNT)]
    return values_without_plan() * np.array(fitness, np.float32)


@cache
def values_without_plan() -> Floats:
    values = np.zeros((CELLS + 1, LINE_COUNT, KINDS), np.float32)
    for empty in range(1, CELLS + 1):
        alone = [COMPETITION * float(points().worth(numbers, empty)) for numbers in CONTENTS]
        values[empty, :, :FULL] = np.outer(FACTORS, alone)
    return values


def _fitness(line: int, numbers: tuple[int, ...]) -> float:
    if line in COLUMNS:
        return 1.0 if all(number % SIDE == RESIDUES[line - SIDE] for number in numbers) else WAYWARD
    is_run = len(set(numbers)) == len(numbers) and (not numbers or numbers[-1] - numbers[0] < SIDE)
    return 1.0 if is_run else ASTRAY


# ---- Many games at a time --------------------------------------------------------------------------------------------

# Contents of all lines in one row of numbers: those of line 3 begin at 3 * KINDS.
STARTS: Whole = np.arange(LINE_COUNT) * KINDS
_FOLLOWING: Whole = np.vstack([np.array(following()), np.full((1, len(SUMS)), FULL)])
NEXT: Whole = np.concatenate([_FOLLOWING + start for start in STARTS])
IS_FULL = np.arange(LINE_COUNT * KINDS) % KINDS == FULL
CHANCES: Floats = (np.array(list(WAYS.values())) / sum(WAYS.values())).astype(np.float32)
CROSSED = np.array([[line in THROUGH[cell] for line in range(LINE_COUNT)] for cell in range(CELLS)])
NEVER = np.float32(-1e9)


def _points() -> Floats:
    undoubled = np.zeros((KINDS, len(SUMS)), np.float32)
    for content, steps in finishing().items():
        undoubled[content] = np.array(steps) / STEPS
    return np.concatenate([factor * undoubled for factor in FACTORS])


POINTS = _points()


@dataclass
class Moment:
    """All games when the same number of cells is empty, before a roll."""

    contents: Whole
    scored: Floats  # points of full lines
    expected: Floats  # the mean over all rolls of the best value after the next move
    best: Floats  # this value for the sum that was rolled
    is_ours: npt.NDArray[np.bool_]  # whether the games are played by the values from here on


@dataclass
class Games:
    """So many games, played side by side."""

    contents: Whole
    scored: Floats
    filled: Floats  # by cell: NEVER when something is written there, else 0

    @classmethod
    def start(cls, count: int) -> Games:
        contents = np.repeat(STARTS[None], count, axis=0)
        return cls(contents, np.zeros(count, np.float32), np.zeros((count, CELLS), np.float32))

    def write(self, cells: Whole, sums: Whole) -> None:
        crossed, sums = CROSSED[cells], sums[:, None]
        self.scored = self.scored + np.where(crossed, POINTS[self.contents, sums], 0).sum(axis=1)
        self.contents = np.where(crossed, NEXT[self.contents, sums], self.contents)
        self.filled[np.arange(len(cells)), cells] = NEVER


class Others:
    """Those who begin some of the games."""

    def __init__(self, count: int, random: np.random.Generator) -> None:
        begun = random.random(count) < BEGUN_BY_OTHERS
        self._random, self._values = random, values_without_plan()
        self._until = np.where(begun, random.integers(1, CELLS, count), CELLS)  # so many cells are empty
        self._carelessness = random.choice(np.array(CARELESSNESS, np.float32), count)

    def play(self, empty: int) -> npt.NDArray[np.bool_]:
        """Whether they play when so many cells will be empty."""
        return empty >= self._until

    def write(self, games: Games, empty: int, sums: Whole, cells: Whole) -> None:
        """Their cells in place of those chosen, where they play."""
        (theirs,) = np.nonzero(self.play(empty))
        lines = _line_gains(self._values[empty].ravel())[games.contents[theirs], sums[theirs, None], None]
        gains = _cell_gains(lines, games.filled[theirs])[:, :, 0]
        gains += self._random.standard_normal(gains.shape, np.float32) * self._carelessness[theirs, None]
        cells[theirs] = gains.argmax(axis=1)


def play(values: Floats, count: int, promising: int, random: np.random.Generator) -> tuple[dict[int, Moment], Floats]:
    """Games from beginning to end: the moments by number of empty cells, and the final points."""
    games, others, moments, every = Games.start(count), Others(count, random), {}, np.arange(count)
    for empty in range(CELLS - 1, -1, -1):
        flat = values[empty].ravel()
        gains = _cell_gains(_line_gains(flat)[games.contents], games.filled)
        here = games.scored + flat[games.contents].sum(axis=1)
        best = here[:, None] + gains.max(axis=1)
        sums = random.choice(len(SUMS), size=count, p=CHANCES / CHANCES.sum(dtype=np.float64))
        is_ours = ~others.play(empty)
        moments[empty + 1] = Moment(games.contents, games.scored, best @ CHANCES, best[every, sums], is_ours)
        by_cell = gains[every, :, sums]
        if promising > 1 and 0 < empty < CELLS - 1:
            cells = _best_ahead(values[empty - 1].ravel(), games, by_cell, sums, min(promising, empty + 1))
        else:
            cells = by_cell.argmax(axis=1)
        others.write(games, empty, sums, cells)
        games.write(cells, sums)
    return moments, games.scored


def _line_gains(flat: Floats) -> Floats:
    """For every content of every line what it gains by each of the sums."""
    gains: Floats = flat[NEXT] + POINTS - flat[:, None]
    gains[IS_FULL] = 0
    return gains


def _cell_gains(lines: Floats, filled: Floats) -> Floats:
    """By game, cell and sum; of the gains by game, line and sum."""
    middle = np.arange(SIDE)
    gains = lines[:, :SIDE, None] + lines[:, None, SIDE : 2 * SIDE]
    gains[:, middle, middle] += lines[:, 2 * SIDE, None]
    gains[:, middle, SIDE - 1 - middle] += lines[:, 2 * SIDE + 1, None]
    flat: Floats = gains.reshape(len(lines), CELLS, lines.shape[2])
    flat += filled[:, :, None]
    return flat


def _best_ahead(flat: Floats, games: Games, by_cell: Floats, sums: Whole, promising: int) -> Whole:
    """The best of the most promising cells when the next sum, too, is written where it is best."""
    every, gains = np.arange(len(sums)), _line_gains(flat)
    after = NEXT[games.contents, sums[:, None]]
    lines, lines_after = gains[games.contents], gains[after]
    worth, worth_after = flat[games.contents], flat[after] + POINTS[games.contents, sums[:, None]]
    candidates = np.argpartition(-by_cell, promising - 1, axis=1)[:, :promising].T
    found = []
    for cells in candidates:
        crossed, filled = CROSSED[cells], games.filled.copy()
        filled[every, cells] = NEVER
        ahead = _cell_gains(np.where(crossed[:, :, None], lines_after, lines), filled).max(axis=1) @ CHANCES
        found.append(ahead + np.where(crossed, worth_after, worth).sum(axis=1))
    best: Whole = candidates[np.argmax(found, axis=0), every]
    return best


# ---- Learning --------------------------------------------------------------------------------------------------------


def learn(values: Floats, moments: dict[int, Moment], final: Floats, ridge: float) -> None:
    """Fit the values, in place, to what the grids turned out to be worth."""
    worth = final
    for empty in range(1, CELLS):
        moment = moments[empty]
        worth = moment.expected + TRUST * (worth - moment.best)
        flat = values[empty].reshape(-1)
        missing = worth - moment.scored - flat[moment.contents].sum(axis=1)
        flat += _least_squares(moment.contents[moment.is_ours], missing[moment.is_ours], ridge)


def _least_squares(contents: Whole, missing: Floats, ridge: float, rounds: int = 8) -> Floats:
    """By how much to raise the values so that their sums rise by what is missing: conjugate gradients, a few rounds.

    Rare contents, about which little is known, stay near what they were.
    """
    seen, numbers = np.unique(np.where(IS_FULL[contents], FULL, contents), return_inverse=True)
    numbers = numbers.reshape(contents.shape)
    counts = np.bincount(numbers.ravel(), minlength=len(seen)) + ridge
    is_open = ~IS_FULL[seen]  # a full line has its points and nothing to learn

    def gathered(amounts: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
        sums = np.bincount(numbers.ravel(), np.repeat(amounts, LINE_COUNT), len(seen))
        return np.asarray(sums * is_open)

    rest = gathered(missing)
    raised, scaled = np.zeros(len(seen)), rest / counts
    direction, size = scaled, rest @ scaled
    for _ in range(rounds):
        if size < 1e-9:
            break
        step = gathered(direction[numbers].sum(axis=1)) + ridge * direction
        length = size / (direction @ step)
        raised = raised + length * direction
        rest = rest - length * step
        scaled, before = rest / counts, size
        size = rest @ scaled
        direction = scaled + size / before * direction
    change = np.zeros(LINE_COUNT * KINDS, np.float32)
    change[seen] = raised
    return change


def train(seed: int, sweeps: int = SWEEPS, sweeps_ahead: int = SWEEPS_AHEAD) -> Floats:
    values, random, start = first_values(), np.random.default_rng(seed), time.perf_counter()
    for sweep in range(sweeps + sweeps_ahead):
        ahead = sweep - sweeps
        count, promising = (GAMES, 1) if ahead < 0 else (GAMES_AHEAD, PROMISING)
        moments, final = play(values, count, promising, random)
        learn(values, moments, final, RIDGE * max(1, ahead))  # in the end, a mean over what has been seen so far
        mode = "looking ahead" if promising > 1 else "greedy"
        ours = final[moments[CELLS].is_ours].mean()
        print(f"{sweep + 1:3}  {mode:13}  mean {ours:6.2f}  {time.perf_counter() - start:4.0f} s", flush=True)
    return values


# ---- The proof -------------------------------------------------------------------------------------------------------


def seeded_games(games: int) -> Iterator[int]:
    """Final points of solo games with the seeds from 0 on, played by the strong player of the engine."""
    random = Random(0)
    for seed in range(games):
        state = knister.new_game(["Ala"], seed)
        while not knister.is_over(state):
            state = knister.apply(state, knister.choose(state, "strong", random))
        yield knister.standings(state)[0].total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="where the table is written")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the training games (default: {SEED})")
    parser.add_argument("--games", type=int, default=SEEDED_GAMES, help="seeded games at the end (default: 10,000)")
    arguments = parser.parse_args()
    data = pack_values(train(arguments.seed).tolist())
    arguments.output.write_bytes(data)
    print(f"{arguments.output}: {len(data):,} bytes. Now {arguments.games:,} games of the strong player …", flush=True)
    use_values(load_values(data))
    totals = list(seeded_games(arguments.games))
    print(f"mean {fmean(totals):.2f} ± {stdev(totals) / math.sqrt(len(totals)):.2f}")


if __name__ == "__main__":
    main()
