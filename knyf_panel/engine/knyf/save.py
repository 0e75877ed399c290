"""Karciany Knyf: saved games and actions. A save that could not have come from a game is refused."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

from knyf_panel.engine import saves
from knyf_panel.engine.knyf.game import is_over
from knyf_panel.engine.knyf.rules import (
    ANNOUNCED_COMBINATION,
    COMBINATIONS,
    COPIES,
    FEWEST_PLAYERS,
    HAND,
    HAND_LIMIT,
    MOST_PLAYERS,
    PENALTY_PER_SURPLUS_CARD,
    points_for,
)
from knyf_panel.engine.knyf.state import Action, Exchange, Play, Sheet, State
from knyf_panel.engine.multiset import VALUES, counts_of

GAME = "knyf"
VERSION = 1

_ACTIONS: tuple[type[Action], ...] = (Exchange, Play)
_PENALTIES = range(0, PENALTY_PER_SURPLUS_CARD * (HAND_LIMIT - HAND) + 1, PENALTY_PER_SURPLUS_CARD)


def to_json(state: State) -> str:
    return saves.dump(GAME, VERSION, state)


def from_json(text: str) -> State:
    state = saves.load(GAME, VERSION, (State,), text)
    saves.check_table(state.players, state.seed, FEWEST_PLAYERS, MOST_PLAYERS)
    _check_cards(state)
    for seat, sheet in enumerate(state.sheets):
        _check_sheet(state, seat, sheet)
    return state


def action_to_json(action: Action) -> str:
    return saves.dump(GAME, VERSION, action)


def action_from_json(text: str) -> Action:
    return saves.load(GAME, VERSION, _ACTIONS, text)


def _check_cards(state: State) -> None:
    hands = state.hands
    saves.require(len(hands) == len(state.sheets) == len(state.players), "hands")
    saves.require(all(HAND <= len(hand) <= HAND_LIMIT and hand == tuple(sorted(hand)) for hand in hands), "hands")
    everything = sum(hands, state.draw_pile + state.discard_pile)
    saves.require(all(card in VALUES for card in everything), "cards")
    saves.require(set(counts_of(everything)) == {COPIES}, "cards")
    saves.require(bool(state.draw_pile), "draw_pile")
    saves.require(state.turn >= 0 and state.reshuffles >= 0, "turn")


def _check_sheet(state: State, seat: int, sheet: Sheet) -> None:
    where = f"sheets[{seat}]"
    saves.require(len(sheet.points) == len(sheet.penalties) == len(COMBINATIONS), where)
    for combination, points, penalty in zip(COMBINATIONS, sheet.points, sheet.penalties, strict=True):
        saves.require(penalty in _PENALTIES and (points is not None or penalty == 0), where)
        saves.require(points is None or points in _possible_points(combination), where)
    filled = len(COMBINATIONS) - sheet.points.count(None)
    rounds, players = divmod(state.turn, len(state.players))
    saves.require(filled <= rounds + (seat < players), where)
    saves.require(filled >= ANNOUNCED_COMBINATION or not sheet.forgot_to_announce, where)
    # Nobody goes on after the end: a sheet that is complete was completed in this very round.
    saves.require(not sheet.is_complete or is_over(state) or seat < players, where)


@cache
def _possible_points(combination: str) -> frozenset[int | None]:
    plays = (cards for size in range(1, HAND + 1) for cards in combinations_with_replacement(VALUES, size))
    return frozenset(points_for(combination, cards) for cards in plays)
