"""Karciany Knyf: learns what sheets and kept cards are worth, and writes `knyf_panel/engine/learned/knyf.py`.

    python -m knyf_panel.training.knyf --output knyf_panel/engine/learned/knyf.py && ruff format

A player alone, who is dealt any value with chance 1/6 and pays a price for every turn, is solved by dynamic
programming: sets of free combinations from small to large; within a set, where exchanges lead back to it, by value
iteration over all hands of five to seven cards. That gives a value for every set of free combinations (4096), every
pace of the upper part and every set of cards. From there:

- `worth` and `turns` (how fast the worth falls as the price of a turn rises: the number of turns, by the envelope
  theorem) are tables of (free upper fields, pace) × (free lower fields), of which the main factors are kept;
- `keeping` is a table of (free upper fields, pace) × (free lower fields) × (cards kept), cut down by a higher-order
  singular value decomposition.

The price of a turn was chosen by matches between players of different prices (8000 games each, infinite deck): 12 won
52.7 % against 10 and 51.1 % against 11, and 49.5 % against 16, with intervals of ±1.1: above 10 it matters little.
Takes about five minutes on one core. Nothing is drawn at random but the games that count the cards played.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from knyf_panel.engine.knyf.rules import COMBINATIONS, HAND, UPPER
from knyf_panel.engine.knyf.values import (
    MOST_PLANNED,
    PACES_OF_KEEPING,
    UPPER_ROWS,
    bonus_at_end,
    catalogue,
    pace_range,
)
from knyf_panel.engine.learned.matrix import Written, written

Table: TypeAlias = NDArray[np.float32]  # sets of cards × paces
Values: TypeAlias = dict[int, Table]  # by the set of free combinations

PRICE_OF_A_TURN = 12.0
STEP_OF_PRICE = 0.5
TOLERANCE = 0.005
RANK_OF_WORTH, RANK_OF_TURNS = 6, 4
RANKS_OF_KEEPING = (14, 12, 14)  # of upper fields and pace, of lower fields, of cards
GAMES = 1000
SEED = 2016

SETS = 1 << len(COMBINATIONS)
LOWER_SETS = SETS >> len(UPPER)
IMPOSSIBLE = np.float32(-1e4)

CARDS = catalogue()
START = CARDS.start
SIZES = np.array([len(cards) for cards in CARDS.cards])
HANDS = slice(START[HAND], START[MOST_PLANNED + 1])
MORE = np.array([more or (0,) * 6 for more in CARDS.with_one_more])
LESS = np.array([(less + less[:1] * 6)[:6] if less else (0,) * 6 for less in CARDS.with_one_less])
MOVES = [np.array(moves) for moves in CARDS.moves]  # hand, kept, net points, cards played


def of_size(size: int) -> slice:
    return slice(START[size], START[size + 1])


# ---- The solution ----------------------------------------------------------------------------------------------------


def solve(price: float) -> Values:
    """The values at a price: after refilling for sets of up to four cards, at the beginning of a turn for hands."""
    values: Values = {0: solve_set_of_none()}
    for open_ in sorted(range(1, SETS), key=int.bit_count):
        values[open_] = solve_set(open_, values, price)
    return values


def solve_set_of_none() -> Table:
    """Nothing is free: only the bonus is left to be counted."""
    return np.array([[bonus_at_end(pace) for pace in pace_range(0)]] * len(CARDS.cards), np.float32)


def solve_set(open_: int, values: Values, price: float) -> Table:
    plays = value_of_plays(open_, values) - np.float32(price)
    floor = np.where(plays[HANDS] > IMPOSSIBLE / 2, plays[HANDS], np.inf).min(axis=0)
    table: Table = np.maximum(plays, floor - np.float32(price))
    change = np.inf
    while change > TOLERANCE:
        before = table[HANDS].copy()
        improve(table, plays, price)
        change = float(np.abs(table[HANDS] - before).max())
    table[: START[HAND]] = filled_up(table, HAND)[: START[HAND]]
    return table


def value_of_plays(open_: int, values: Values) -> Table:
    best = np.full((len(CARDS.cards), len(pace_range(open_))), IMPOSSIBLE, np.float32)
    for row, moves in enumerate(MOVES):
        if open_ >> row & 1:
            for played in np.unique(moves[:, 3]):
                add_plays(best, open_, row, moves[moves[:, 3] == played], values)
    return best


def add_plays(best: Table, open_: int, row: int, moves: NDArray[np.int64], values: Values) -> None:
    """The plays of one row with the same number of cards."""
    left = open_ & ~(1 << row)
    shift = (int(moves[0, 3]) - 3) * (row + 1) if row < len(UPPER) else 0
    reached = pace_range(left)
    columns = np.clip(np.array(pace_range(open_)) + shift, reached[0], reached[-1]) - reached[0]
    worth = values[left][moves[:, 1]][:, columns] + moves[:, 2:3].astype(np.float32)
    hands, first = np.unique(moves[:, 0], return_index=True)
    best[hands] = np.maximum(best[hands], np.maximum.reduceat(worth, first, axis=0))


def improve(table: Table, plays: Table, price: float) -> None:
    """Every hand takes the better of its best play and its best exchange, by the values so far."""
    draw = [filled_up(table, size) for size in range(HAND, MOST_PLANNED + 1)]
    for size, (same, one_more) in enumerate(pairwise([*draw, draw[-1]]), HAND):
        best = np.maximum(same, one_more[: len(same)])
        for kept in range(size - HAND + 1, size + 1):
            for less in LESS[of_size(kept)].T:
                np.maximum(best[of_size(kept)], best[less], out=best[of_size(kept)])
        table[of_size(size)] = np.maximum(plays[of_size(size)], best[of_size(size)] - np.float32(price))


def filled_up(table: Table, size: int) -> Table:
    """The mean value after filling every smaller set of cards up to this size."""
    means = np.full((START[size + 1], table.shape[1]), IMPOSSIBLE, np.float32)
    means[of_size(size)] = table[of_size(size)]
    for kept in range(size - 1, max(-1, size - HAND - 2), -1):
        first, *others = MORE[of_size(kept)].T
        total = means[first]
        for other in others:
            total += means[other]
        means[of_size(kept)] = total / np.float32(6)
    return means


# ---- The cards played ------------------------------------------------------------------------------------------------


def cards_played(values: Values, games: int, seed: int) -> tuple[tuple[float, ...], ...]:
    """How often each upper field is filled with one to five cards, when games are played by these values."""
    random = np.random.default_rng(seed)
    tally = np.zeros((len(UPPER), HAND))
    for _ in range(games):
        open_, pace, kept, size = SETS - 1, 0, 0, HAND
        while open_:
            hand = dealt(kept, size, random)
            row, kept, played, size = best_action(values, open_, pace, hand)
            if row >= 0:
                open_ &= ~(1 << row)
            if 0 <= row < len(UPPER):
                tally[row, played - 1] += 1
                pace += (played - 3) * (row + 1)
    return tuple(tuple((row / row.sum()).round(4).tolist()) for row in tally)


def dealt(kept: int, size: int, random: np.random.Generator) -> int:
    while SIZES[kept] < size:
        kept = int(MORE[kept, random.integers(6)])
    return kept


def column(values: Values, open_: int, pace: int) -> NDArray[np.float32]:
    paces = pace_range(open_)
    return values[open_][:, min(max(pace, paces[0]), paces[-1]) - paces[0]]


def best_action(values: Values, open_: int, pace: int, hand: int) -> tuple[int, int, int, int]:
    """The row played (−1: none), the cards kept, how many were played, and how many the hand then has."""
    now = column(values, open_, pace)[:, None]
    size = int(SIZES[hand])
    options = [
        (float(filled_up(now, target)[kept, 0]), (-1, kept, 0, target))
        for kept in kept_of(hand)
        for target in (size, size + 1)
        if SIZES[kept] >= size - HAND and target <= MOST_PLANNED and target > SIZES[kept]
    ]
    for row, moves in enumerate(MOVES):
        if open_ >> row & 1:
            for _, kept, points, played in moves[moves[:, 0] == hand].tolist():
                shift = (played - 3) * (row + 1) if row < len(UPPER) else 0
                after = float(column(values, open_ & ~(1 << row), pace + shift)[kept])
                options.append((points + after, (row, kept, played, max(HAND, int(SIZES[kept])))))
    return max(options)[1]


def kept_of(hand: int) -> set[int]:
    """The numbers of all parts of a hand."""
    parts = {hand}
    for part in [hand] if SIZES[hand] else []:
        for less in CARDS.with_one_less[part]:
            parts |= kept_of(less)
    return parts


# ---- The tables ------------------------------------------------------------------------------------------------------


def upper_by_lower(values: Values) -> NDArray[np.float64]:
    """The value of a sheet with five new cards: (free upper fields, pace) × free lower fields."""
    return np.concatenate(
        [
            np.stack([values[upper | lower << len(UPPER)][0] for lower in range(LOWER_SETS)], axis=1)
            for upper in range(UPPER_ROWS + 1)
        ]
    ).astype(np.float64)


def factors(table: NDArray[np.float64], rank: int) -> tuple[Written, Written]:
    left, singular, right = np.linalg.svd(table, full_matrices=False)
    root = np.sqrt(singular[:rank])
    return written((left[:, :rank] * root).tolist()), written((right[:rank].T * root).tolist())


def keeping_tensor(values: Values) -> NDArray[np.float64]:
    """How much more than five new cards: (free upper fields, pace) × free lower fields × cards kept."""
    few = START[HAND]
    tensor = np.zeros(((UPPER_ROWS + 1) * len(PACES_OF_KEEPING), LOWER_SETS, few))
    for open_ in range(1, SETS):
        upper, lower = open_ & UPPER_ROWS, open_ >> len(UPPER)
        for place, pace in enumerate(PACES_OF_KEEPING):
            kept = column(values, open_, pace)[:few]
            tensor[upper * len(PACES_OF_KEEPING) + place, lower] = kept - kept[0]
    return tensor


def tucker(tensor: NDArray[np.float64]) -> dict[str, Written]:
    bases = [main_directions(tensor, axis, rank) for axis, rank in enumerate(RANKS_OF_KEEPING)]
    core = np.einsum("ulk,ua,lb,kc->cab", tensor, *bases, optimize=True).reshape(RANKS_OF_KEEPING[2], -1)
    upper, lower, cards = (written(base.tolist()) for base in bases)
    return {"UPPER": upper, "LOWER": lower, "CARDS": cards, "CORE": written(core.tolist())}


def main_directions(tensor: NDArray[np.float64], axis: int, rank: int) -> NDArray[np.float64]:
    unfolded = np.moveaxis(tensor, axis, 0).reshape(tensor.shape[axis], -1)
    _, directions = np.linalg.eigh(unfolded @ unfolded.T)
    return directions[:, ::-1][:, :rank]


def learn() -> dict[str, object]:
    values = solve(PRICE_OF_A_TURN)
    worth = upper_by_lower(values)
    turns = (worth - upper_by_lower(solve(PRICE_OF_A_TURN + STEP_OF_PRICE))) / STEP_OF_PRICE
    worth_upper, worth_lower = factors(worth, RANK_OF_WORTH)
    turns_upper, turns_lower = factors(turns, RANK_OF_TURNS)
    return {
        "PRICE_OF_A_TURN": PRICE_OF_A_TURN,
        "CARDS_PLAYED": cards_played(values, GAMES, SEED),
        "WORTH_UPPER": worth_upper,
        "WORTH_LOWER": worth_lower,
        "TURNS_UPPER": turns_upper,
        "TURNS_LOWER": turns_lower,
        **{f"KEEPING_{name}": table for name, table in tucker(keeping_tensor(values)).items()},
    }


# ---- The module that is written --------------------------------------------------------------------------------------

HEAD = '"""Karciany Knyf: learnt by `python -m knyf_panel.training.knyf`; `knyf/values.py` tells what it means."""\n'
WIDTH = 110


def module_text(learnt: dict[str, object]) -> str:
    return "\n".join([HEAD, *(f"{name} = {literal(value)}" for name, value in learnt.items()), ""])


def literal(value: object) -> str:
    if not isinstance(value, tuple) or not isinstance(value[1], str):
        return repr(value)
    scales, text = value
    lines = [text[first : first + WIDTH] for first in range(0, len(text), WIDTH)]
    rounded = tuple(float(f"{scale:.7g}") for scale in scales)
    return "\n".join([f"({rounded!r},", *(f"    {line!r}" for line in lines), ")"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True, help="the Python module to write")
    arguments = parser.parse_args()
    arguments.output.write_text(module_text(learn()), encoding="utf-8")


if __name__ == "__main__":
    main()
