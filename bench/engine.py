"""Whole random games per second, and the cost of one `apply`, for each game and number of players.

Random players choose as `random_action` of each game says. Every figure is the median of several rounds, in which the
games take turns, so that a slow moment of the machine does not fall on one of them alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

from bench.table import parser, show
from knyf_panel.engine import knister, knyf, kosci
from knyf_panel.engine.knister import player as knister_player
from knyf_panel.engine.knyf import player as knyf_player
from knyf_panel.engine.kosci import player as kosci_player

NAMES = ("Ala", "Olek", "Ewa", "Jan", "Ola", "Kuba", "Zosia", "Adam", "Iga", "Leon", "Maja", "Piotr")


@dataclass
class Subject:
    name: str
    game: Any  # one of the three game packages, which have the same face
    choose: Callable[[Any, Random], Any]
    players: int
    games_per_second: list[float] = field(default_factory=list)
    apply_microseconds: list[float] = field(default_factory=list)
    actions_per_game: list[float] = field(default_factory=list)

    def play(self, seed: int) -> list[tuple[Any, Any]]:
        """One random game: every state with the action chosen in it."""
        random, state, steps = Random(seed), self.game.new_game(NAMES[: self.players], seed), []
        while not self.game.is_over(state):
            action = self.choose(state, random)
            steps.append((state, action))
            state = self.game.apply(state, action)
        return steps

    def measure(self, seeds: range) -> None:
        start = time.perf_counter()
        steps = [step for seed in seeds for step in self.play(seed)]
        self.games_per_second.append(len(seeds) / (time.perf_counter() - start))
        start = time.perf_counter()
        for state, action in steps:
            self.game.apply(state, action)
        self.apply_microseconds.append(1e6 * (time.perf_counter() - start) / len(steps))
        self.actions_per_game.append(len(steps) / len(seeds))

    def row(self) -> dict[str, str | int | float]:
        return {
            "game": self.name,
            "players": self.players,
            "games per second": median(self.games_per_second),
            "actions per game": median(self.actions_per_game),
            "apply (µs)": median(self.apply_microseconds),
        }


def subjects() -> Iterator[Subject]:
    for players in (2, 5):
        yield Subject("knyf", knyf, knyf_player.random_action, players)
    for players in (1, 4):
        yield Subject("kosci", kosci, kosci_player.random_action, players)
    for players in (1, 12):
        yield Subject("knister", knister, knister_player.random_action, players)


def main() -> None:
    arguments_parser = parser(__doc__)
    arguments_parser.add_argument("--rounds", type=int, default=5, help="how often each figure is taken (default: 5)")
    arguments_parser.add_argument("--games", type=int, default=100, help="games in each round (default: 100)")
    arguments = arguments_parser.parse_args()
    measured = list(subjects())
    for number in range(arguments.rounds):
        for subject in measured:
            subject.measure(range(number * arguments.games, (number + 1) * arguments.games))
    show({"random games": [subject.row() for subject in measured]}, arguments.json)


if __name__ == "__main__":
    main()
