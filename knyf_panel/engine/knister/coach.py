"""Knister: what every alternative of a decision is worth, in expected final points of a strong player.

The values look one roll ahead, and for the best few cells two: the called sum is written, and the next one, whichever
it is, where it is worth most.
Other players at the table do not change the advice: it is for the most points, not for the first place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knyf_panel.engine.advice import Advice, ranked
from knyf_panel.engine.knister.game import current_player, is_over
from knyf_panel.engine.knister.odds import WAYS
from knyf_panel.engine.knister.rules import SIDE, line_points
from knyf_panel.engine.knister.state import Grid, Roll, State, Write
from knyf_panel.engine.knister.values import (
    LINE_KEYS,
    POSSIBLE,
    STEPS,
    THROUGH,
    Values,
    contents_of,
    prospects,
    values_in_use,
)


def advise(state: State) -> tuple[Advice, ...]:
    """Every legal action of the current player with its value and its cost, best first.

    The parts say, for each line through the cell (`row_1`, `column_3`, `diagonal_2`), how much the line's own value
    changes when the sum is written into it; a line that is full then has its points.
    """
    if is_over(state):
        return ()
    grid, values = state.grids[current_player(state)], values_in_use()
    if not state.dice:
        return ranked([(Roll(), _before_the_roll(grid, values), {})])
    return ranked(_of_cells(grid, values, sum(state.dice)))


def best_cell(grid: Grid, called: int) -> int:
    """The empty cell that is worth most for the called sum; the first of equals."""
    found = prospects(values_in_use(), contents_of(grid.cells), grid.empty, called)
    return found[0].cell


def _of_cells(grid: Grid, values: Values, called: int) -> Iterator[tuple[Write, float, Mapping[str, float]]]:
    so_far = sum(line_points(grid.cells).values())
    for prospect in prospects(values, contents_of(grid.cells), grid.empty, called):
        gained = zip(THROUGH[prospect.cell], prospect.gained, strict=True)
        parts = {_name(line): steps / STEPS for line, steps in gained}
        yield Write(*divmod(prospect.cell, SIDE)), so_far + prospect.worth / (POSSIBLE * STEPS), parts


def _before_the_roll(grid: Grid, values: Values) -> float:
    """The mean over the sums of what the best cell is worth then."""
    best = {number: max(value for _, value, _ in _of_cells(grid, values, number)) for number in WAYS}
    return sum(WAYS[number] * value for number, value in best.items()) / POSSIBLE


def _name(line: int) -> str:
    kind, number = LINE_KEYS[line]
    return f"{kind}_{number + 1}"
