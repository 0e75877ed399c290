"""Kości: players that choose an action by themselves."""

from __future__ import annotations

from random import Random

from knyf_panel.engine.kosci.game import legal_actions
from knyf_panel.engine.kosci.state import Action, State


def random_action(state: State, random: Random) -> Action:
    """Any legal action, all equally likely."""
    return random.choice(tuple(legal_actions(state)))
