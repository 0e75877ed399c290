"""Kości: saved games and actions. A save that could not have come from a game is refused."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

from knyf_panel.engine import saves
from knyf_panel.engine.kosci.rules import (
    CATEGORIES,
    DICE,
    FEWEST_PLAYERS,
    FIXED,
    MOST_PLAYERS,
    ROLLS,
    ROUNDS,
    joker_points,
    points_for,
)
from knyf_panel.engine.kosci.state import ROW, Action, Roll, Sheet, State, Write
from knyf_panel.engine.multiset import VALUES

GAME = "kosci"
VERSION = 1

_ACTIONS: tuple[type[Action], ...] = (Roll, Write)


def to_json(state: State) -> str:
    return saves.dump(GAME, VERSION, state)


def from_json(text: str) -> State:
    state = saves.load(GAME, VERSION, (State,), text)
    saves.check_table(state.players, state.seed, FEWEST_PLAYERS, MOST_PLAYERS)
    _check_turn(state)
    for seat, sheet in enumerate(state.sheets):
        _check_sheet(state, seat, sheet)
    return state


def action_to_json(action: Action) -> str:
    return saves.dump(GAME, VERSION, action)


def action_from_json(text: str) -> Action:
    return saves.load(GAME, VERSION, _ACTIONS, text)


def _check_turn(state: State) -> None:
    turns = ROUNDS * len(state.players)
    saves.require(len(state.sheets) == len(state.players), "sheets")
    saves.require(0 <= state.turn <= turns and 0 <= state.rolls <= ROLLS, "turn")
    saves.require(len(state.dice) == (DICE if state.rolls else 0), "dice")
    saves.require(all(value in VALUES for value in state.dice) and state.dice == tuple(sorted(state.dice)), "dice")
    saves.require(state.turn < turns or not state.rolls, "rolls")


def _check_sheet(state: State, seat: int, sheet: Sheet) -> None:
    where = f"sheets[{seat}]"
    saves.require(len(sheet.points) == len(CATEGORIES), where)
    for category, points in zip(CATEGORIES, sheet.points, strict=True):
        saves.require(points is None or points in _possible_points(category), where)
    filled = len(CATEGORIES) - sheet.points.count(None)
    rounds, players = divmod(state.turn, len(state.players))
    saves.require(filled == rounds + (seat < players), where)
    general = sheet.points[ROW["general"]] == FIXED["general"]
    saves.require(0 <= sheet.paid_jokers <= (max(0, filled - 2) if general else 0), where)


@cache
def _possible_points(category: str) -> frozenset[int]:
    every_roll = tuple(combinations_with_replacement(VALUES, DICE))
    ordinary = {points_for(category, dice) for dice in every_roll}
    return frozenset(ordinary | {joker_points(category, (value,) * DICE) for value in VALUES})
