"""The players of Karciany Knyf: how often the strong one wins, what each strength reaches, and the time for a move.

Every game is dealt from its own seed, and each deal is played in all seat orders of the strong player. A shared first
place counts as its share of a win. The intervals are of 95 %. Besides the strengths there are two more to play against:
`random`, and `hasty`, which is the skilled player content with pairs in the upper fields: quicker, and harder to beat.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from statistics import mean, stdev
from typing import Any

from knyf_panel.engine import knyf
from knyf_panel.engine.knyf.player import greedy_action, random_action
from knyf_panel.engine.strengths import STRENGTHS

NAMES = ("Ala", "Olek", "Ewa", "Jan", "Ola")

PAIRS = (
    ("strong", "skilled"),
    ("strong", "hasty"),
    ("strong", "beginner"),
    ("strong", "random"),
    ("skilled", "beginner"),
    ("beginner", "random"),
)

Player = Callable[[knyf.State, Random], knyf.Action]


def player(strength: str) -> Player:
    if strength == "random":
        return random_action
    if strength == "hasty":
        return lambda state, _: greedy_action(state, fewest_alike=2)
    return lambda state, random: knyf.choose(state, strength, random)


def play(strengths: tuple[str, ...], seed: int) -> knyf.State:
    """One game of these players, in seating order, to its end."""
    players, random = [player(strength) for strength in strengths], Random(seed)
    state = knyf.new_game(NAMES[: len(players)], seed)
    while not knyf.is_over(state):
        state = knyf.apply(state, players[knyf.current_player(state)](state, random))
    return state


def share_of_win(state: knyf.State, seat: int) -> float:
    first = [standing.seat for standing in knyf.standings(state) if standing.place == 1]
    return 1 / len(first) if seat in first else 0.0


def matches(one: str, others: str, seats: int, deals: range) -> Iterator[float]:
    """The mean share of wins of one player among equal others, over the seats it can have in each deal."""
    for seed in deals:
        shares = []
        for seat in range(seats):
            strengths = tuple(one if place == seat else others for place in range(seats))
            shares.append(share_of_win(play(strengths, seed), seat))
        yield mean(shares)


def win_rate(one: str, others: str, seats: int, games: int) -> dict[str, Any]:
    """The seats of one deal are not independent games: the interval is made of the means of the deals."""
    deals = max(2, games // seats)
    shares = list(matches(one, others, seats, range(deals)))
    margin = 1.96 * stdev(shares) / deals**0.5
    rate = mean(shares)
    return {
        "player": one,
        "against": others,
        "players": seats,
        "games": deals * seats,
        "wins": rate,
        "low": rate - margin,
        "high": rate + margin,
    }


@dataclass
class Alone:
    """One player who fills the sheet; the other at the table passes and keeps its cards."""

    strength: str
    turns: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    penalties: list[int] = field(default_factory=list)
    bonuses: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def play(self, seed: int) -> None:
        choose, random = player(self.strength), Random(seed)
        state = knyf.new_game(NAMES[:2], seed)
        while not knyf.is_over(state):
            start = time.process_time()
            action = choose(state, random)
            self.seconds.append(time.process_time() - start)
            state = knyf.apply(knyf.apply(state, action), knyf.Exchange())
        (standing,) = (standing for standing in knyf.standings(state) if standing.seat == 0)
        self.turns.append(state.turn // 2)
        self.points.append(standing.total)
        self.penalties.append(-standing.parts["penalties"])
        self.bonuses.append(standing.parts["bonus"])

    def row(self) -> dict[str, Any]:
        ordered = sorted(self.seconds)
        return {
            "player": self.strength,
            "games": len(self.turns),
            "turns": mean(self.turns),
            "points": mean(self.points),
            "penalties": mean(self.penalties),
            "bonus": mean(self.bonuses),
            "ms per move": 1000 * mean(self.seconds),
            "ms, 99 of 100": 1000 * ordered[len(ordered) * 99 // 100],
            "ms, slowest": 1000 * ordered[-1],
        }


def alone(strength: str, games: int) -> dict[str, Any]:
    figures = Alone(strength)
    for seed in range(games):
        figures.play(seed)
    return figures.row()


def measure(games: int = 500) -> dict[str, Any]:
    """`games` for each pair of strengths at two; a quarter of it for each larger table and for the games alone."""
    fewer = max(8, games // 4)
    return {
        "two players": [win_rate(one, other, 2, games) for one, other in PAIRS],
        "one strong player among skilled ones": [win_rate("strong", "skilled", seats, fewer) for seats in (3, 4, 5)],
        "alone": [alone(strength, fewer) for strength in ("random", "hasty", *STRENGTHS)],
    }
