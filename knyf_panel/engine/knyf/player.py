"""Karciany Knyf: players that choose an action by themselves."""

from __future__ import annotations

from random import Random

from knyf_panel.engine.knyf.game import current_player, plays
from knyf_panel.engine.knyf.rules import HAND_LIMIT, MOST_DISCARDED
from knyf_panel.engine.knyf.state import Action, Exchange, State


def random_action(state: State, random: Random) -> Action:
    """A random play if there is one, otherwise a random exchange."""
    choices = tuple(plays(state))
    return random.choice(choices) if choices else random_exchange(state, random)


def random_exchange(state: State, random: Random) -> Exchange:
    """Any number of cards to discard, any cards, and one more drawn or not, while the hand limit and passing allow."""
    hand = state.hands[current_player(state)]
    size = random.randint(0 if state.options.passing else 1, MOST_DISCARDED)
    extra = random.randint(0, 1) if len(hand) < HAND_LIMIT else 0
    return Exchange(tuple(random.sample(hand, size)), size + extra)
