"""Knister: that many games at a time follow the rules, and that learning learns."""

from __future__ import annotations

import numpy as np

from knyf_panel.engine.knister.odds import SUMS
from knyf_panel.engine.knister.rules import CELLS, score_grid
from knyf_panel.engine.knister.values import CONTENTS, FULL
from knyf_panel.training.knister import KINDS, LINE_COUNT, STARTS, Games, _least_squares, first_values, learn, play


def test_games_side_by_side_score_as_the_rules_do() -> None:
    random = np.random.default_rng(1)
    cells = np.array([random.permutation(CELLS) for _ in range(50)])
    sums = random.integers(0, len(SUMS), cells.shape)
    games = Games.start(len(cells))
    for move in range(CELLS):
        games.write(cells[:, move], sums[:, move])
    for game, scored in enumerate(games.scored):
        grid = dict(zip(cells[game], sums[game] + SUMS[0], strict=True))
        assert score_grid([[int(grid[5 * row + column]) for column in range(5)] for row in range(5)]) == scored
    assert (games.contents - STARTS == FULL).all()


def test_the_fit_is_the_solution_of_the_normal_equations() -> None:
    random = np.random.default_rng(2)
    contents = random.integers(0, 4, (200, LINE_COUNT)) + STARTS
    missing = random.standard_normal(200).astype(np.float32)
    columns = np.zeros((200, LINE_COUNT * KINDS), np.float32)
    np.put_along_axis(columns, contents, 1, axis=1)
    seen = np.unique(contents)
    matrix = columns[:, seen]
    solution = np.linalg.solve(matrix.T @ matrix + 3 * np.eye(len(seen)), matrix.T @ missing)
    fitted = _least_squares(contents, missing, ridge=3, rounds=100)
    np.testing.assert_allclose(fitted[seen], solution, atol=1e-4)
    assert np.count_nonzero(fitted) <= len(seen)


def test_a_few_sweeps_learn_to_play_better_and_to_expect_what_comes() -> None:
    random, values = np.random.default_rng(3), first_values()
    assert values.shape == (CELLS + 1, LINE_COUNT, len(CONTENTS) + 1)
    means, surprises = [], []
    for _ in range(3):
        moments, final = play(values, 2048, 1, random)
        ours = moments[CELLS].is_ours
        means.append(final[ours].mean())
        surprises.append(abs((final - moments[6].expected)[ours].mean()))
        learn(values, moments, final, ridge=3)
    assert means[0] + 2 < means[-1]
    assert surprises[-1] < surprises[0]
