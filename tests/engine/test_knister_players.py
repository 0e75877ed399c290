"""Knister: what the players and the coach do, and that the values they go by are what they say."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from random import Random
from statistics import fmean
from typing import Any

import pytest

from knyf_panel.engine import BadSetup, IllegalAction, NoValues, knister
from knyf_panel.engine.knister import Grid, Roll, State, Write
from knyf_panel.engine.knister.odds import WAYS
from knyf_panel.engine.knister.rules import LINES, line_points
from knyf_panel.engine.knister.values import (
    CONTENTS,
    FACTORS,
    FULL,
    LINE_KEYS,
    POSSIBLE,
    STAGES,
    STEPS,
    Outlook,
    Values,
    contents_of,
    load_values,
    pack_values,
    plans,
    use_values,
)
from knyf_panel.engine.strengths import STRENGTHS

DATA = (files(knister) / "values.bin").read_bytes()


@pytest.fixture(scope="module")
def table() -> Values:
    return load_values(DATA)


@pytest.fixture(autouse=True)
def _in_use(table: Values) -> Iterator[None]:
    use_values(table)
    yield
    use_values(None)


def walk(strength: str, seed: int, seats: int = 1) -> Iterator[State]:
    state, random = knister.new_game([f"player {seat}" for seat in range(seats)], seed), Random(seed)
    yield state
    while not knister.is_over(state):
        state = knister.apply(state, knister.choose(state, strength, random))
        yield state


def total(strength: str, seed: int) -> int:
    *_, final = walk(strength, seed)
    return knister.standings(final)[0].total


def with_empty(state: State) -> int:
    return len(state.grids[0].empty)


# ---- Players ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_game_replays_from_its_seed(strength: str) -> None:
    assert list(walk(strength, 3, seats=2)) == list(walk(strength, 3, seats=2))


@pytest.mark.parametrize("strength", STRENGTHS)
def test_every_choice_is_legal(strength: str) -> None:
    for state in list(walk(strength, 4, seats=2))[:-1]:
        assert knister.choose(state, strength, Random(1)) in set(knister.legal_actions(state))


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_seed_of_the_rolls_to_come_is_not_looked_at(strength: str) -> None:
    for state in list(walk(strength, 5))[1:-1:6]:
        other = State(state.players, state.seed + 1, state.grids, state.round, state.written, state.dice)
        assert knister.choose(state, strength, Random(1)) == knister.choose(other, strength, Random(1))


@pytest.fixture(scope="module")
def strong_games(table: Values) -> list[list[State]]:
    use_values(table)
    return [list(walk("strong", seed)) for seed in range(60)]


def test_each_strength_beats_the_weaker_one_by_a_wide_margin(strong_games: list[list[State]]) -> None:
    beginner, skilled = (fmean(total(strength, seed) for seed in range(60)) for strength in ("beginner", "skilled"))
    strong = fmean(knister.standings(states[-1])[0].total for states in strong_games)
    assert beginner < 40
    assert beginner + 12 < skilled < strong - 8
    assert strong > 67  # the best mean that we know to be published is 63.19; sixty games are known to 1.9 points


def test_the_last_cell_leaves_no_choice() -> None:
    for strength in STRENGTHS:
        (state,) = [state for state in walk(strength, 6) if with_empty(state) == 1 and state.dice]
        assert [knister.choose(state, strength, Random(1))] == list(knister.legal_actions(state))


def test_without_a_table_only_the_strong_player_and_the_coach_are_missing() -> None:
    state = knister.apply(knister.new_game(["Ala"], 1), Roll())
    use_values(None)
    for strength in ("beginner", "skilled"):
        assert isinstance(knister.choose(state, strength, Random(1)), Write)
    with pytest.raises(NoValues, match="values not loaded"):
        knister.choose(state, "strong", Random(1))
    with pytest.raises(NoValues, match="values not loaded"):
        knister.advise(state)


def test_an_unknown_strength_and_a_finished_game_are_refused() -> None:
    *_, final = walk("beginner", 1)
    with pytest.raises(IllegalAction, match="game is over"):
        knister.choose(final, "strong", Random(1))
    with pytest.raises(BadSetup, match="unknown option"):
        knister.choose(final, "divine", Random(1))


# ---- The coach -------------------------------------------------------------------------------------------------------


def test_the_coach_values_every_free_cell_best_first() -> None:
    for state in list(walk("skilled", 7))[1:-1:4]:
        advice = knister.advise(state)
        assert {one.action for one in advice} == set(knister.legal_actions(state))
        assert [one.cost for one in advice] == sorted(one.cost for one in advice)
        assert all(one.cost == advice[0].value - one.value for one in advice)


def test_the_strong_player_follows_the_coach() -> None:
    for state in list(walk("strong", 8))[1:-1:3]:
        assert knister.choose(state, "strong", Random(1)) == knister.advise(state)[0].action


def test_the_parts_are_the_lines_through_the_cell() -> None:
    state = knister.apply(knister.new_game(["Ala"], 1), Roll())
    parts = {one.action: set(one.parts) for one in knister.advise(state)}
    assert parts[Write(0, 1)] == {"row_1", "column_2"}
    assert parts[Write(1, 3)] == {"row_2", "column_4", "diagonal_2"}
    assert parts[Write(2, 2)] == {"row_3", "column_3", "diagonal_1", "diagonal_2"}


def test_the_part_of_a_line_that_becomes_full_at_last_is_its_points() -> None:
    (state,) = [state for state in walk("strong", 9) if with_empty(state) == 1 and state.dice]
    (advice,) = knister.advise(state)
    done = knister.apply(state, advice.action)
    before, after = line_points(state.grids[0].cells), line_points(done.grids[0].cells)
    names = {f"{kind}_{number + 1}": points for (kind, number), points in after.items() if (kind, number) not in before}
    assert advice.parts == names
    assert advice.value == knister.standings(done)[0].total


def test_nothing_is_advised_after_the_end() -> None:
    *_, final = walk("beginner", 1)
    assert knister.advise(final) == ()


def test_before_the_roll_the_value_is_the_mean_over_the_sums() -> None:
    states = list(walk("strong", 10))
    state = next(state for state in states if with_empty(state) == 2 and not state.dice)
    (advice,) = knister.advise(state)
    assert advice.action == Roll()
    assert advice.value == pytest.approx(
        float(sum(Fraction(ways, 36) * best_of_two(state.grids[0], number) for number, ways in WAYS.items()))
    )


def written(grid: Grid, cell: int, number: int) -> Grid:
    return Grid((*grid.cells[:cell], number, *grid.cells[cell + 1 :]))


def cell_of(action: Any) -> int:
    return 5 * int(action.row) + int(action.column)


def expected_of(grid: Grid) -> Fraction:
    """Of a grid with one empty cell, by enumeration."""
    (last,) = grid.empty
    finals = {number: sum(line_points(written(grid, last, number).cells).values()) for number in WAYS}
    return sum((Fraction(WAYS[number], 36) * points for number, points in finals.items()), Fraction(0))


def best_of_two(grid: Grid, number: int) -> Fraction:
    return max(expected_of(written(grid, cell, number)) for cell in grid.empty)


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("seed", range(8))
def test_with_two_cells_left_the_values_are_exact(strength: str, seed: int) -> None:
    (state,) = [state for state in walk(strength, seed) if with_empty(state) == 2 and state.dice]
    grid, number = state.grids[0], sum(state.dice)
    for advice in knister.advise(state):
        cell = cell_of(advice.action)
        assert advice.value == pytest.approx(float(expected_of(written(grid, cell, number))), abs=1e-12)
    assert knister.advise(state)[0].value == pytest.approx(float(best_of_two(grid, number)), abs=1e-12)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_with_three_cells_left_the_best_choice_is_exact(strength: str) -> None:
    for seed in range(4):
        (state,) = [state for state in walk(strength, seed) if with_empty(state) == 3 and state.dice]
        grid, number = state.grids[0], sum(state.dice)
        exact = {
            cell: sum(
                Fraction(ways, 36) * best_of_two(written(grid, cell, number), following)
                for following, ways in WAYS.items()
            )
            for cell in grid.empty
        }
        rounded = 0.002  # a step has 1/16 of a point, and the mean over the rolls is rounded to 1/36 of it
        for advice in knister.advise(state):
            assert advice.value == pytest.approx(float(exact[cell_of(advice.action)]), abs=rounded)
        assert exact[cell_of(knister.choose(state, "strong", Random(1)))] >= max(exact.values()) - rounded


def test_the_first_value_is_the_mean_of_finished_games() -> None:
    """The strong player's mean over 10,000 games is within a point of what the coach expects of an empty grid."""
    (advice,) = knister.advise(knister.new_game(["Ala"], 1))
    assert 69.5 < advice.value < 72.5


def test_the_values_on_the_way_agree_with_the_ends_on_average(strong_games: list[list[State]]) -> None:
    missed: dict[int, list[float]] = {20: [], 12: [], 5: []}
    for states in strong_games:
        final = knister.standings(states[-1])[0].total
        for state in states:
            if state.dice and with_empty(state) in missed:
                missed[with_empty(state)].append(final - knister.advise(state)[0].value)
    assert abs(fmean(missed[20])) < 5  # a final total varies by 14 points, so the mean of 60 by 1.9
    assert abs(fmean(missed[12])) < 4
    assert abs(fmean(missed[5])) < 2


# ---- The look-ahead and the table ------------------------------------------------------------------------------------


def plain_value(table: Values, grid: Grid) -> int:
    """In steps: the points of full lines, and what the table says for the others, laid out as it is."""
    stage = table.stages[len(grid.empty)]
    points = line_points(grid.cells)
    open_lines = [stage[line][number] for line, number in enumerate(contents_of(grid.cells)) if number != FULL]
    return STEPS * sum(points.values()) + sum(open_lines)


def test_the_look_ahead_equals_plain_enumeration(table: Values) -> None:
    for seed, empty in ((1, 22), (2, 14), (3, 6), (4, 3)):
        (state,) = [state for state in walk("skilled", seed) if with_empty(state) == empty and state.dice]
        grid, number = state.grids[0], sum(state.dice)
        so_far = POSSIBLE * STEPS * sum(line_points(grid.cells).values())
        outlook = Outlook(table, plans()[0], contents_of(grid.cells), grid.empty)
        for cell in grid.empty:
            after = written(grid, cell, number)
            plain = sum(
                ways * max(plain_value(table, written(after, other, following)) for other in after.empty)
                for following, ways in WAYS.items()
            )
            assert outlook.worth(cell, number - 2) + so_far == plain


def test_there_are_64_plans_and_the_first_leaves_all_as_it_is() -> None:
    assert len(set(plans())) == len(plans()) == 64
    assert plans()[0].parts == tuple(range(12))
    assert not plans()[0].mirror
    for plan in plans():
        assert sorted(plan.parts) == list(range(12))
        assert [FACTORS[part] for part in plan.parts] == list(FACTORS)


def test_a_grid_turned_about_is_advised_alike() -> None:
    """A quarter turn, and every number n exchanged for 14 − n: the same values, in the cells turned alike.

    But for which of equal cells are looked into, which comes to some hundredths of a point.
    """
    for state in [state for state in walk("strong", 11) if state.dice][2::5]:
        grid, dice = state.grids[0], state.dice
        turned = [grid.cells[5 * (4 - column) + row] for row in range(5) for column in range(5)]
        mirrored = Grid(tuple(None if number is None else 14 - number for number in turned))
        other = State(state.players, state.seed, (mirrored,), state.round, 0, tuple(sorted(7 - die for die in dice)))
        values = {advice.action: advice.value for advice in knister.advise(state)}
        for advice in knister.advise(other):
            row, column = advice.action.row, advice.action.column
            assert advice.value == pytest.approx(values[Write(4 - column, row)], abs=0.1)


def test_the_table_survives_packing() -> None:
    random = Random(1)
    values = [
        [[factor * random.randrange(-40, 160) / STEPS for _ in CONTENTS] for factor in FACTORS] for _ in range(26)
    ]
    table = load_values(pack_values(values))
    for stage in STAGES:
        for line, key in enumerate(LINE_KEYS):
            assert key in LINES
            assert [step / STEPS for step in table.stages[stage][line][:FULL]] == values[stage][line]
    assert [max(line) for line in table.stages[0]] == [0] * 12


def test_between_two_stages_of_the_file_the_values_lie_between(table: Values) -> None:
    for line in range(12):
        for later, between, earlier in zip(
            table.stages[8][line], table.stages[9][line], table.stages[11][line], strict=True
        ):
            assert min(later, earlier) <= between <= max(later, earlier)


@pytest.mark.parametrize("data", [b"", b"something else", DATA[:-100], DATA.replace(b"values 1", b"values 9")])
def test_a_damaged_table_is_refused(data: bytes) -> None:
    with pytest.raises(NoValues, match="damaged values"):
        load_values(data)


def test_the_table_is_small() -> None:
    assert len(DATA) < 150_000
