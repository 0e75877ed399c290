"""Knister: a 5 × 5 grid filled with sums of two dice."""

from knyf_panel.engine.knister.coach import advise
from knyf_panel.engine.knister.explanation import explain
from knyf_panel.engine.knister.game import (
    apply,
    called_sum,
    current_player,
    is_over,
    legal_actions,
    new_game,
    standings,
)
from knyf_panel.engine.knister.odds import (
    LineChance,
    LineValue,
    Question,
    chance,
    expected,
    grid_expected,
    grid_odds,
    next_sum,
    odds,
    odds_after,
)
from knyf_panel.engine.knister.player import choose, random_action
from knyf_panel.engine.knister.rules import COMBINATIONS, RULINGS, combination_of, rating, score_grid, score_line
from knyf_panel.engine.knister.save import action_from_json, action_to_json, from_json, to_json
from knyf_panel.engine.knister.simulation import simulate
from knyf_panel.engine.knister.state import Action, Grid, Roll, State, Write
from knyf_panel.engine.knister.values import Values, load_values, use_values

__all__ = [
    "COMBINATIONS",
    "RULINGS",
    "Action",
    "Grid",
    "LineChance",
    "LineValue",
    "Question",
    "Roll",
    "State",
    "Values",
    "Write",
    "action_from_json",
    "action_to_json",
    "advise",
    "apply",
    "called_sum",
    "chance",
    "choose",
    "combination_of",
    "current_player",
    "expected",
    "explain",
    "from_json",
    "grid_expected",
    "grid_odds",
    "is_over",
    "legal_actions",
    "load_values",
    "new_game",
    "next_sum",
    "odds",
    "odds_after",
    "random_action",
    "rating",
    "score_grid",
    "score_line",
    "simulate",
    "standings",
    "to_json",
    "use_values",
]
