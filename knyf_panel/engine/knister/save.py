"""Knister: saved games and actions. A save that could not have come from a game is refused."""

from __future__ import annotations

from knyf_panel.engine import saves
from knyf_panel.engine.knister.rules import (
    CELLS,
    DICE,
    FEWEST_PLAYERS,
    HIGHEST_SUM,
    LOWEST_SUM,
    MOST_PLAYERS,
    ROUNDS,
)
from knyf_panel.engine.knister.state import Action, Grid, Roll, State, Write
from knyf_panel.engine.multiset import VALUES

GAME = "knister"
VERSION = 1

_ACTIONS: tuple[type[Action], ...] = (Roll, Write)


def to_json(state: State) -> str:
    return saves.dump(GAME, VERSION, state)


def from_json(text: str) -> State:
    state = saves.load(GAME, VERSION, (State,), text)
    saves.check_table(state.players, state.seed, FEWEST_PLAYERS, MOST_PLAYERS)
    _check_round(state)
    for seat, grid in enumerate(state.grids):
        _check_grid(state, seat, grid)
    _check_same_sums(state)
    return state


def action_to_json(action: Action) -> str:
    return saves.dump(GAME, VERSION, action)


def action_from_json(text: str) -> Action:
    return saves.load(GAME, VERSION, _ACTIONS, text)


def _check_round(state: State) -> None:
    saves.require(len(state.grids) == len(state.players), "grids")
    saves.require(0 <= state.round <= ROUNDS and 0 <= state.written < len(state.players), "round")
    saves.require(len(state.dice) in (0, DICE) and all(value in VALUES for value in state.dice), "dice")
    saves.require(state.dice == tuple(sorted(state.dice)), "dice")
    saves.require(bool(state.dice) or not state.written, "dice")
    saves.require(state.round < ROUNDS or not state.dice, "round")


def _check_grid(state: State, seat: int, grid: Grid) -> None:
    where = f"grids[{seat}]"
    saves.require(len(grid.cells) == CELLS, where)
    saves.require(all(number is None or LOWEST_SUM <= number <= HIGHEST_SUM for number in grid.cells), where)
    saves.require(CELLS - len(grid.empty) == state.round + _has_written(state, seat), where)


def _check_same_sums(state: State) -> None:
    """Everybody has written the same sums, those who have written this round's sum one more."""
    finished = [_numbers(grid, sum(state.dice) * _has_written(state, seat)) for seat, grid in enumerate(state.grids)]
    saves.require(all(numbers is not None and numbers == finished[0] for numbers in finished), "grids")


def _has_written(state: State, seat: int) -> bool:
    return (seat - state.round) % len(state.players) < state.written


def _numbers(grid: Grid, less: int) -> list[int] | None:
    """The numbers of the grid in order, one `less` taken out (0: none); None when it is not there."""
    numbers = sorted(number for number in grid.cells if number is not None)
    if less and less not in numbers:
        return None
    if less:
        numbers.remove(less)
    return numbers
