"""Kości: the dice game with the general. Repeated rolls, kept dice."""

from knyf_panel.engine.kosci.coach import advise, turn_points
from knyf_panel.engine.kosci.explanation import explain
from knyf_panel.engine.kosci.game import (
    apply,
    current_player,
    is_over,
    joker_categories,
    legal_actions,
    new_game,
    standings,
)
from knyf_panel.engine.kosci.odds import DiceChance, Question, chance, distribution, odds, odds_of
from knyf_panel.engine.kosci.player import choose, random_action
from knyf_panel.engine.kosci.rules import CATEGORIES, RULINGS, score
from knyf_panel.engine.kosci.save import action_from_json, action_to_json, from_json, to_json
from knyf_panel.engine.kosci.simulation import simulate
from knyf_panel.engine.kosci.state import Action, Roll, Sheet, State, Write
from knyf_panel.engine.kosci.values import Values, load_values, use_values, value_of

__all__ = [
    "CATEGORIES",
    "RULINGS",
    "Action",
    "DiceChance",
    "Question",
    "Roll",
    "Sheet",
    "State",
    "Values",
    "Write",
    "action_from_json",
    "action_to_json",
    "advise",
    "apply",
    "chance",
    "choose",
    "current_player",
    "distribution",
    "explain",
    "from_json",
    "is_over",
    "joker_categories",
    "legal_actions",
    "load_values",
    "new_game",
    "odds",
    "odds_of",
    "random_action",
    "score",
    "simulate",
    "standings",
    "to_json",
    "turn_points",
    "use_values",
    "value_of",
]
