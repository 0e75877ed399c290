"""Karciany Knyf: what a game in progress consists of, and the actions that change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from knyf_panel.engine.checks import sorted_numbers, whole_number
from knyf_panel.engine.errors import IllegalAction
from knyf_panel.engine.knyf.rules import COMBINATIONS, UPPER, Options
from knyf_panel.engine.multiset import Counts

ROW = {combination: row for row, combination in enumerate(COMBINATIONS)}


@dataclass(frozen=True, slots=True)
class Exchange:
    """Discard 0–5 cards, then draw the same number or one more."""

    discard: tuple[int, ...] = ()
    draw: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "discard", sorted_numbers(self.discard, IllegalAction))
        object.__setattr__(self, "draw", whole_number(self.draw, IllegalAction))


@dataclass(frozen=True, slots=True)
class Play:
    """Play up to five cards and score them. `announced` counts when this is the last combination but one."""

    combination: str
    cards: tuple[int, ...]
    announced: bool = False
    drop: tuple[int, ...] = ()  # only with the option surplus="discard": the cards beyond five that are left

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", sorted_numbers(self.cards, IllegalAction))
        object.__setattr__(self, "drop", sorted_numbers(self.drop, IllegalAction))


Action: TypeAlias = Exchange | Play


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's score sheet: points and, in their own column, penalties, both in the order of COMBINATIONS."""

    points: tuple[int | None, ...] = (None,) * len(COMBINATIONS)
    penalties: tuple[int, ...] = (0,) * len(COMBINATIONS)
    forgot_to_announce: bool = False

    def is_free(self, combination: str) -> bool:
        return self.points[ROW[combination]] is None

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(name for name, points in zip(COMBINATIONS, self.points, strict=True) if points is None)

    @property
    def is_complete(self) -> bool:
        return None not in self.points

    @property
    def upper_points(self) -> int:
        return sum(points or 0 for points in self.points[: len(UPPER)])

    @property
    def lower_points(self) -> int:
        return sum(points or 0 for points in self.points[len(UPPER) :])


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a game in progress. What one player may know of it is `known`."""

    players: tuple[str, ...]  # in seating order
    seed: int
    options: Options
    hands: tuple[tuple[int, ...], ...]  # each sorted
    draw_pile: tuple[int, ...]  # the next card first
    discard_pile: tuple[int, ...]  # the last card on top, that is, last
    sheets: tuple[Sheet, ...]
    turn: int = 0  # turns taken by all players together
    reshuffles: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """What a player may know: own hand, the discard pile, and how many cards the others and the draw pile hold."""

    hand: tuple[int, ...]
    discard_pile: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    draw_pile_size: int
    unseen: Counts  # of each value 18 less the own hand and the discard pile
