"""Kości: what a game in progress consists of, and the actions that change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from knyf_panel.engine.checks import sorted_numbers
from knyf_panel.engine.errors import IllegalAction
from knyf_panel.engine.kosci.rules import CATEGORIES, UPPER

ROW = {category: row for row, category in enumerate(CATEGORIES)}


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice that are not kept. The first roll of a turn keeps none."""

    keep: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "keep", sorted_numbers(self.keep, IllegalAction))


@dataclass(frozen=True, slots=True)
class Write:
    """Write the dice into a free category, as an ordinary roll or as a joker."""

    category: str
    joker: bool = False


Action: TypeAlias = Roll | Write


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's table: the points in the order of CATEGORIES, and how many jokers earned 100 more."""

    points: tuple[int | None, ...] = (None,) * len(CATEGORIES)
    paid_jokers: int = 0

    def is_free(self, category: str) -> bool:
        return self.points[ROW[category]] is None

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(name for name, points in zip(CATEGORIES, self.points, strict=True) if points is None)

    @property
    def upper_points(self) -> int:
        return sum(points or 0 for points in self.points[: len(UPPER)])

    @property
    def lower_points(self) -> int:
        return sum(points or 0 for points in self.points[len(UPPER) :])


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a game in progress. Only the seed, which fixes the rolls to come, is not for players to see."""

    players: tuple[str, ...]  # in seating order
    seed: int
    sheets: tuple[Sheet, ...]
    turn: int = 0  # turns finished by all players together
    rolls: int = 0  # rolls made in this turn
    dice: tuple[int, ...] = ()  # sorted; empty before the first roll
