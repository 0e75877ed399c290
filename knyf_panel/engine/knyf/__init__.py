"""Karciany Knyf: Yahtzee with 108 cards, drawn without replacement."""

from knyf_panel.engine.knyf.coach import advise
from knyf_panel.engine.knyf.explanation import explain
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
from knyf_panel.engine.knyf.odds import CardChance, Question, chance, distribution, odds, odds_after
from knyf_panel.engine.knyf.player import choose, random_action
from knyf_panel.engine.knyf.rules import COMBINATIONS, RULINGS, score
from knyf_panel.engine.knyf.save import action_from_json, action_to_json, from_json, to_json
from knyf_panel.engine.knyf.simulation import simulate
from knyf_panel.engine.knyf.state import Action, Exchange, Known, Play, Sheet, State

__all__ = [
    "COMBINATIONS",
    "RULINGS",
    "Action",
    "CardChance",
    "Exchange",
    "Known",
    "Play",
    "Question",
    "Sheet",
    "State",
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
    "known",
    "legal_actions",
    "new_game",
    "odds",
    "odds_after",
    "random_action",
    "score",
    "simulate",
    "standings",
    "to_json",
    "unseen",
]
