"""Kości solved: the published values of the variants, our own rulebook, and the ends of games in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from knyf_panel.engine import kosci
from knyf_panel.engine.kosci.values import PLACES, PREMIUM_STEPS, STEPS, Values, place_of
from knyf_panel.training.kosci import OURS, VARIANTS, Floats, Results, follow, solve, write_table
from tests.engine.kosci_endgames import ENDGAMES, at_least, endgame, exact


@pytest.fixture(scope="module")
def values() -> Floats:
    """Solved once, with a look at the progress that is told."""
    told: list[tuple[int, int]] = []
    solved = solve(OURS, lambda done, of: told.append((done, of)))
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert told[-1] == (PLACES, PLACES)
    return solved


@pytest.fixture(scope="module")
def results(values: Floats) -> Results:
    return follow(values)


def number_of(state: kosci.State) -> int:
    return place_of(state.sheets[0]).number


# ---- Solving


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_published_value_of_a_variant(variant: str) -> None:
    rules, published = VARIANTS[variant]
    assert round(float(solve(rules)[0]), 4) == published


@pytest.mark.parametrize("name", ENDGAMES)
def test_the_end_of_a_game_is_worth_what_the_engine_says(name: str, values: Floats) -> None:
    state = ENDGAMES[name]
    written = sum(points or 0 for points in state.sheets[0].points)
    assert float(exact(state)) == pytest.approx(written + values[number_of(state)], abs=1e-9)


def test_the_value_of_a_game_by_our_rulebook(values: Floats) -> None:
    """Between no jokers and a hundred points for every further general."""
    assert round(float(values[0]), 4) == 250.3232


# ---- Playing by the values


def test_who_plays_by_the_values_gets_them(values: Floats, results: Results) -> None:
    np.testing.assert_allclose(results.mean, values, atol=1e-9)


def test_the_deviation_and_the_premium_of_the_best_player(results: Results) -> None:
    assert round(results.deviation, 3) == 50.482
    assert round(float(results.premium[0]), 3) == 23.562


def test_the_square_of_the_points_when_only_the_general_is_left(results: Results) -> None:
    """Fifty points or none: the square is 2500 or nothing, with the probability of a general in three rolls."""
    general = kosci.odds((), rolls_left=3)["general"].probability
    number = number_of(endgame(("general",)))
    assert results.mean_square[number] == pytest.approx(float(2500 * general))


def test_the_premium_when_three_of_the_last_number_are_needed(results: Results) -> None:
    """A die is rolled until it shows a six, at most three times."""
    six = 1 - Fraction(5, 6) ** 3
    number = number_of(ENDGAMES["premium within reach"])
    assert results.premium[number] == pytest.approx(float(35 * at_least(3, 5, six)))


# ---- The table


def test_the_table_is_small_and_as_good_as_exact(
    values: Floats, results: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kosci.values"
    write_table(values, results.premium, path)
    read: Values = kosci.load_values(path.read_bytes())
    assert path.stat().st_size < 600_000
    assert np.abs(np.array(read.steps) / STEPS - values).max() <= 0.5 / STEPS
    assert np.abs(np.array(list(read.premium_steps)) / PREMIUM_STEPS - results.premium).max() <= 0.5 / PREMIUM_STEPS
    assert "who plays by it loses 0.000001" in capsys.readouterr().out
