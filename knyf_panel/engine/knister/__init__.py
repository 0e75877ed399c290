"""Knister: a 5 × 5 grid filled with sums of two dice."""

from knyf_panel.engine.knister.game import (
    apply,
    called_sum,
    current_player,
    is_over,
    legal_actions,
    new_game,
    standings,
)
from knyf_panel.engine.knister.player import random_action
from knyf_panel.engine.knister.rules import COMBINATIONS, RULINGS, combination_of, rating, score_grid, score_line
from knyf_panel.engine.knister.save import action_from_json, action_to_json, from_json, to_json
from knyf_panel.engine.knister.state import Action, Grid, Roll, State, Write

__all__ = [
    "COMBINATIONS",
    "RULINGS",
    "Action",
    "Grid",
    "Roll",
    "State",
    "Write",
    "action_from_json",
    "action_to_json",
    "apply",
    "called_sum",
    "combination_of",
    "current_player",
    "from_json",
    "is_over",
    "legal_actions",
    "new_game",
    "random_action",
    "rating",
    "score_grid",
    "score_line",
    "standings",
    "to_json",
]
