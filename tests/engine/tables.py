"""The three games behind one face, for tests that hold for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

from hypothesis import strategies as st

from knyf_panel.engine import knister, knyf, kosci
from knyf_panel.engine.knister import player as knister_player
from knyf_panel.engine.knyf import player as knyf_player
from knyf_panel.engine.kosci import player as kosci_player

NAMES = ("Ala", "Olek", "Ewa", "Jan", "Ola", "Kuba", "Zosia", "Adam", "Iga", "Leon", "Maja", "Piotr", "Ida")


@dataclass(frozen=True)
class Table:
    """A game set up for so many players."""

    game: Any  # the package of one of the games
    player: ModuleType
    seats: int

    def __str__(self) -> str:
        return f"{self.game.__name__.rpartition('.')[2]}-{self.seats}"

    def start(self, seed: int, **options: Any) -> Any:
        return self.game.new_game(NAMES[: self.seats], seed, **options)

    def walk(self, seed: int, choices: int, **options: Any) -> Iterator[tuple[Any, Any]]:
        """A random game: every state with the action taken in it, and at last the final state with None."""
        random, state = Random(choices), self.start(seed, **options)
        while not self.game.is_over(state):
            action = self.choose(state, random)
            yield state, action
            state = self.game.apply(state, action)
        yield state, None

    def choose(self, state: Any, random: Random) -> Any:
        # A player of Knyf who always plays what can be played would never hold many cards: sometimes draw instead.
        if self.game is knyf and random.random() < 0.4:
            return knyf_player.random_exchange(state, random)
        return self.player.random_action(state, random)


TABLES = (
    *(Table(knyf, knyf_player, seats) for seats in range(2, 6)),
    *(Table(kosci, kosci_player, seats) for seats in range(1, 5)),
    *(Table(knister, knister_player, seats) for seats in range(1, 13)),
)

seeds = st.integers(0, 2**53 - 1)
knyf_options = st.fixed_dictionaries(
    {
        "surplus": st.sampled_from(["keep", "discard"]),
        "passing": st.booleans(),
        "malus": st.sampled_from(["always", "complete"]),
    }
)
