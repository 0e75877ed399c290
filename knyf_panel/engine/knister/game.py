"""Knister: the course of a game. A state is never changed: `apply` makes a new one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knyf_panel.engine.checks import check_players, check_seed
from knyf_panel.engine.errors import IllegalAction
from knyf_panel.engine.knister.rules import (
    DICE,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    ROUNDS,
    SIDE,
    line_points,
)
from knyf_panel.engine.knister.state import Action, Grid, Roll, State, Write
from knyf_panel.engine.luck import roll
from knyf_panel.engine.standing import Standing, ranked
from knyf_panel.engine.tuples import replaced


def new_game(players: Sequence[str], seed: int) -> State:
    """Empty grids. The youngest player is named first and rolls first."""
    names = check_players(players, FEWEST_PLAYERS, MOST_PLAYERS)
    return State(names, check_seed(seed), (Grid(),) * len(names))


def current_player(state: State) -> int:
    """The seat of the player who rolls or, once the sum is called, writes; the roller writes first."""
    return (state.round + state.written) % len(state.players)


def is_over(state: State) -> bool:
    """25 rounds have filled the grids."""
    return state.round == ROUNDS


def called_sum(state: State) -> int | None:
    """The sum that everybody writes in this round; None before the roll."""
    return sum(state.dice) if state.dice else None


# ---- What may be done ------------------------------------------------------------------------------------------------


def legal_actions(state: State) -> Iterator[Action]:
    """Every legal action of the current player, each once."""
    if is_over(state):
        return
    if not state.dice:
        yield Roll()
        return
    for cell in state.grids[current_player(state)].empty:
        yield Write(*divmod(cell, SIDE))


# ---- What happens then -----------------------------------------------------------------------------------------------


def apply(state: State, action: Action) -> State:
    """The state after the current player's action; IllegalAction, and no change, if the rules do not allow it."""
    if is_over(state):
        raise IllegalAction("game_is_over")
    if isinstance(action, Roll):
        return _roll(state)
    if isinstance(action, Write):
        return _write(state, action)
    raise IllegalAction("not_an_action_of_this_game", action=type(action).__name__)


def _roll(state: State) -> State:
    if state.dice:
        raise IllegalAction("rolled_already", sum=sum(state.dice))
    return State(state.players, state.seed, state.grids, state.round, 0, roll(DICE, state.seed, state.round))


def _write(state: State, action: Write) -> State:
    seat = current_player(state)
    _check_write(state, state.grids[seat], action)
    cell = SIDE * action.row + action.column
    grid = Grid(replaced(state.grids[seat].cells, cell, sum(state.dice)))
    grids = replaced(state.grids, seat, grid)
    if state.written + 1 < len(state.players):
        return State(state.players, state.seed, grids, state.round, state.written + 1, state.dice)
    return State(state.players, state.seed, grids, state.round + 1)


def _check_write(state: State, grid: Grid, action: Write) -> None:
    if not state.dice:
        raise IllegalAction("roll_first")
    if not (0 <= action.row < SIDE and 0 <= action.column < SIDE):
        raise IllegalAction("cell_outside_the_grid", row=action.row, column=action.column)
    if grid.cells[SIDE * action.row + action.column] is not None:
        raise IllegalAction("cell_filled_already", row=action.row, column=action.column)


# ---- The count -------------------------------------------------------------------------------------------------------


def standings(state: State) -> tuple[Standing, ...]:
    """Places and points by source; a line counts as soon as it is full."""
    return ranked(state.players, [_parts(grid) for grid in state.grids])


def _parts(grid: Grid) -> dict[str, int]:
    parts = {"rows": 0, "columns": 0, "diagonals": 0}
    for (kind, _), points in line_points(grid.cells).items():
        parts[f"{kind}s"] += points
    return parts
