"""Knister: players that choose an action by themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from knyf_panel.engine.checks import check_choice
from knyf_panel.engine.errors import IllegalAction
from knyf_panel.engine.knister.coach import best_cell
from knyf_panel.engine.knister.game import current_player, is_over, legal_actions
from knyf_panel.engine.knister.odds import Numbers, numbers_of, points
from knyf_panel.engine.knister.rules import LINES, SIDE, score_line
from knyf_panel.engine.knister.state import Action, Grid, Roll, State, Write
from knyf_panel.engine.knister.values import FACTORS, LINE_KEYS, THROUGH
from knyf_panel.engine.strengths import STRENGTHS

SHARE = 0.75  # of the points that an open line could expect if it had all the rolls to itself


def random_action(state: State, random: Random) -> Action:
    """Any legal action, all equally likely."""
    return random.choice(tuple(legal_actions(state)))


def choose(state: State, strength: str, random: Random) -> Action:
    """What a computer player of this strength does. It sees its own grid and the called sum."""
    check_choice("strength", strength, STRENGTHS)
    if is_over(state):
        raise IllegalAction("game_is_over")
    if not state.dice:
        return Roll()
    cell = _PLAYERS[strength](state.grids[current_player(state)], sum(state.dice), random)
    return Write(*divmod(cell, SIDE))


# ---- Beginner: puts equal numbers together ---------------------------------------------------------------------------


def _beginner(grid: Grid, called: int, random: Random) -> int:
    """A cell whose lines hold the called number most often already, any of these."""
    equals = {cell: sum(_line(grid, line).count(called) for line in THROUGH[cell]) for cell in grid.empty}
    most = max(equals.values())
    return random.choice([cell for cell, count in equals.items() if count == most])


# ---- Skilled: the exact odds of every line, each for itself ----------------------------------------------------------


def _skilled(grid: Grid, called: int, _: Random) -> int:
    rolls = len(grid.empty) - 1

    def gain(cell: int) -> float:
        return sum(_gain(_line(grid, line), called, rolls) * FACTORS[line] for line in THROUGH[cell])

    return max(grid.empty, key=gain)


@lru_cache(maxsize=2**14)
def _gain(line: Numbers, called: int, rolls: int) -> float:
    """How much more a line is worth with the called number than without it."""
    return _worth(tuple(sorted((*line, called))), rolls) - _worth(line, rolls)


def _worth(line: Numbers, rolls: int) -> float:
    if len(line) == SIDE:
        return score_line(line)
    return SHARE * float(points().worth(line, rolls))


def _line(grid: Grid, line: int) -> Numbers:
    return tuple(sorted(numbers_of(grid.cells[cell] for cell in LINES[LINE_KEYS[line]])))


# ---- Strong: what the learned table says, one roll ahead -------------------------------------------------------------


def _strong(grid: Grid, called: int, _: Random) -> int:
    return best_cell(grid, called)


_PLAYERS: dict[str, Callable[[Grid, int, Random], int]] = dict(
    zip(STRENGTHS, (_beginner, _skilled, _strong), strict=True)
)
