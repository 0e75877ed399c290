"""Karciany Knyf: Yahtzee with 108 cards, drawn without replacement."""

from knyf_panel.engine.knyf.game import (
    apply,
    current_player,
    is_over,
    known,
    legal_actions,
    new_game,
    standings,
    unseen,
)
from knyf_panel.engine.knyf.player import random_action
from knyf_panel.engine.knyf.rules import COMBINATIONS, RULINGS, score
from knyf_panel.engine.knyf.save import action_from_json, action_to_json, from_json, to_json
from knyf_panel.engine.knyf.state import Action, Exchange, Known, Play, Sheet, State

__all__ = [
    "COMBINATIONS",
    "RULINGS",
    "Action",
    "Exchange",
    "Known",
    "Play",
    "Sheet",
    "State",
    "action_from_json",
    "action_to_json",
    "apply",
    "current_player",
    "from_json",
    "is_over",
    "known",
    "legal_actions",
    "new_game",
    "random_action",
    "score",
    "standings",
    "to_json",
    "unseen",
]
