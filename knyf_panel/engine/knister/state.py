"""Knister: what a game in progress consists of, and the actions that change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from knyf_panel.engine.checks import whole_number
from knyf_panel.engine.errors import IllegalAction
from knyf_panel.engine.knister.rules import CELLS, SIDE


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll both dice and call the sum."""


@dataclass(frozen=True, slots=True)
class Write:
    """Write the called sum into an empty cell; rows and columns are numbered from 0 to 4."""

    row: int
    column: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "row", whole_number(self.row, IllegalAction))
        object.__setattr__(self, "column", whole_number(self.column, IllegalAction))


Action: TypeAlias = Roll | Write


@dataclass(frozen=True, slots=True)
class Grid:
    """One player's 5 × 5 grid, cell by cell, row after row; None is an empty cell."""

    cells: tuple[int | None, ...] = (None,) * CELLS

    @property
    def rows(self) -> tuple[tuple[int | None, ...], ...]:
        return tuple(self.cells[first : first + SIDE] for first in range(0, CELLS, SIDE))

    @property
    def empty(self) -> tuple[int, ...]:
        return tuple(cell for cell, number in enumerate(self.cells) if number is None)


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a game in progress. Only the seed, which fixes the rolls to come, is not for players to see."""

    players: tuple[str, ...]  # in seating order
    seed: int
    grids: tuple[Grid, ...]
    round: int = 0  # rounds finished
    written: int = 0  # players who have written this round's sum
    dice: tuple[int, ...] = ()  # empty before the roll
