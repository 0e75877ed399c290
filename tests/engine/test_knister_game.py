"""Knister: the worked examples of the rulebook by name, lines and grids, and what is true of every game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement, permutations, product
from math import comb
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine import BadQuestion, IllegalAction, knister
from knyf_panel.engine.knister import Grid, Roll, Write
from knyf_panel.engine.knister import player as knister_player
from knyf_panel.engine.knister.rules import LINES, line_points
from tests.engine.tables import Table, seeds

# ---- The rulebook's examples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "combination", "points"),
    [
        ([4, 5, 6, 7, 5], "pair", 1),
        ([5, 6, 6, 10, 5], "two_pairs", 3),
        ([7, 7, 7, 2, 12], "three", 3),
        ([4, 9, 4, 4, 9], "full_house", 8),
        ([6, 3, 6, 6, 6], "four", 6),
        ([8, 8, 8, 8, 8], "five", 10),
        ([7, 10, 8, 6, 9], "straight_with_7", 8),
        ([3, 5, 6, 2, 4], "straight_without_7", 12),
        ([4, 5, 6, 7, 8], "straight_with_7", 8),
        ([5, 7, 8, 4, 6], "straight_with_7", 8),
    ],
)
def test_worked_examples_in_any_order(line: list[int], combination: str, points: int) -> None:
    for order in permutations(line):
        assert knister.combination_of(order) == combination
        assert knister.score_line(order) == points


def test_example_of_the_doubled_diagonals() -> None:
    """A three on one diagonal gives 2 × 3 = 6, a straight with a seven on the other 2 × 8 = 16."""
    cells: list[int | None] = [None] * 25
    for cell, number in zip(LINES["diagonal", 0], [9, 9, 8, 9, 12], strict=True):
        cells[cell] = number
    for cell, number in zip(LINES["diagonal", 1], [4, 5, 8, 7, 6], strict=True):
        cells[cell] = number
    assert line_points(cells) == {("diagonal", 0): 6, ("diagonal", 1): 16}


@pytest.mark.parametrize(
    ("points", "rating"),
    [
        (0, None),
        (49, None),
        (50, "good"),
        (79, "good"),
        (80, "very_good"),
        (99, "very_good"),
        (100, "amazing"),
        (101, "amazing"),
    ],
)
def test_solo_rating(points: int, rating: str | None) -> None:
    assert knister.rating(points) == rating


# ---- Lines and grids -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [[2, 3, 4, 5, 7], [2, 4, 6, 8, 10], [12, 2, 3, 4, 5]])
def test_shorter_runs_score_nothing(line: list[int]) -> None:
    assert knister.combination_of(line) is None
    assert knister.score_line(line) == 0


def test_how_many_lines_make_each_combination() -> None:
    """Of the 4368 multisets of five sums, counted by choosing which numbers play which part."""
    lines = Counter(knister.combination_of(line) for line in combinations_with_replacement(range(2, 13), 5))
    assert lines == {
        "five": 11,
        "four": 11 * 10,
        "full_house": 11 * 10,
        "three": 11 * comb(10, 2),
        "two_pairs": comb(11, 2) * 9,
        "pair": 11 * comb(10, 3),
        "straight_with_7": 5,
        "straight_without_7": 2,
        None: comb(11, 5) - 7,
    }


def test_twelve_lines_of_five_cells() -> None:
    assert len(LINES) == 12
    assert all(len(set(cells)) == 5 for cells in LINES.values())
    in_lines = Counter(cell for cells in LINES.values() for cell in cells)
    on_diagonals = {cell for number in (0, 1) for cell in LINES["diagonal", number]}
    assert in_lines[12] == 4  # the middle: row, column and both diagonals
    assert {cell for cell, lines in in_lines.items() if lines >= 3} == on_diagonals
    assert min(in_lines.values()) == 2


def by_hand(rows: list[list[int]]) -> int:
    """The count of a grid, straight from the rulebook's sentence."""
    lines = [(row, 1) for row in rows] + [([row[c] for row in rows], 1) for c in range(5)]
    lines += [([rows[i][i] for i in range(5)], 2), ([rows[i][4 - i] for i in range(5)], 2)]
    return sum(factor * knister.score_line(line) for line, factor in lines)


@given(st.lists(st.lists(st.integers(2, 12), min_size=5, max_size=5), min_size=5, max_size=5))
def test_a_grid_is_the_sum_of_its_lines(rows: list[list[int]]) -> None:
    assert knister.score_grid(rows) == by_hand(rows)


def test_the_best_conceivable_grid_of_one_number() -> None:
    assert knister.score_grid([[7] * 5] * 5) == 5 * 10 + 5 * 10 + 2 * 2 * 10


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ([2, 3, 4, 5], "wrong length of line"),
        ([2, 3, 4, 5, 13], "sum out of range"),
        ([1, 3, 4, 5, 6], "sum out of range"),
        ([2, 3, 4, 5, None], "not whole numbers"),
    ],
)
def test_bad_lines_are_refused(line: list[Any], reason: str) -> None:
    with pytest.raises(BadQuestion, match=reason):
        knister.score_line(line)


def test_bad_grids_are_refused() -> None:
    for rows in ([[7] * 5] * 4, [[7] * 4] * 5, [[7] * 5] * 4 + [[7] * 6]):
        with pytest.raises(BadQuestion, match="wrong size of grid"):
            knister.score_grid(rows)


# ---- The course of a game --------------------------------------------------------------------------------------------


def test_everybody_writes_the_same_sum_and_the_roller_goes_round() -> None:
    state = knister.new_game(["Ala", "Olek", "Ewa"], seed=4)
    rollers = []
    for round_ in range(4):
        rollers.append(knister.current_player(state))
        state = knister.apply(state, Roll())
        called = knister.called_sum(state)
        for _ in range(3):
            state = knister.apply(state, Write(round_, 0))
        assert [grid.rows[round_][0] for grid in state.grids] == [called] * 3
        assert knister.called_sum(state) is None
    assert rollers == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Roll(), "rolled already"),
        (Write(0, 0), "cell filled already"),
        (Write(5, 0), "cell outside the grid"),
        (Write(0, -1), "cell outside the grid"),
    ],
)
def test_actions_that_are_refused(action: Any, reason: str) -> None:
    state = knister.apply(knister.new_game(["Ala"], seed=4), Roll())
    state = knister.apply(knister.apply(state, Write(0, 0)), Roll())
    with pytest.raises(IllegalAction, match=reason):
        knister.apply(state, action)


def test_roll_first() -> None:
    with pytest.raises(IllegalAction, match="roll first"):
        knister.apply(knister.new_game(["Ala"], seed=4), Write(0, 0))


@given(seats=st.integers(1, 12), seed=seeds, choices=st.integers())
@settings(max_examples=20)
def test_every_game_fills_every_grid_with_the_same_sums(seats: int, seed: int, choices: int) -> None:
    *_, (final, _) = Table(knister, knister_player, seats).walk(seed, choices)
    assert final.round == 25
    assert len({tuple(sorted(grid.cells)) for grid in final.grids}) == 1
    for standing in knister.standings(final):
        rows = [list(row) for row in final.grids[standing.seat].rows]
        assert standing.total == knister.score_grid(rows) == by_hand(rows)
        assert set(standing.parts) == {"rows", "columns", "diagonals"}


def test_a_line_counts_as_soon_as_it_is_full() -> None:
    start = knister.new_game(["Ala"], seed=1)
    row = Grid((7, 7, 7, 7, 7) + (None,) * 20)
    assert knister.standings(replace(start, grids=(row,)))[0].parts == {"rows": 10, "columns": 0, "diagonals": 0}


def test_apply_allows_what_legal_actions_lists_and_nothing_else() -> None:
    tries: set[Any] = {Roll()} | {Write(row, column) for row, column in product(range(-6, 7), repeat=2)}
    for state, action in Table(knister, knister_player, 2).walk(seed=11, choices=4):
        before, allowed = knister.to_json(state), set()
        for attempt in tries:
            try:
                knister.apply(state, attempt)
            except IllegalAction:
                continue
            allowed.add(attempt)
        assert allowed == set(knister.legal_actions(state))
        assert knister.to_json(state) == before
        assert (action is None) == (not allowed)


def test_number_of_ways_to_place_the_first_sums() -> None:
    """Counted to depth three, as chess programs count positions: 25 · 24 · 23 placements."""

    def leaves(state: knister.State, depth: int) -> int:
        if depth == 0:
            return 1
        rolled = knister.apply(state, Roll())
        return sum(leaves(knister.apply(rolled, action), depth - 1) for action in knister.legal_actions(rolled))

    assert leaves(knister.new_game(["Ala"], seed=Random(0).randrange(1000)), 3) == 25 * 24 * 23
