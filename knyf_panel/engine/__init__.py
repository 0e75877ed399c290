"""The three games, in pure Python: rules, exact odds and players. Nothing here needs more than the standard library."""

from knyf_panel.engine import knister, knyf, kosci
from knyf_panel.engine.errors import BadQuestion, BadSave, BadSetup, GameError, IllegalAction, IllegalPlay, NoValues

__all__ = [
    "BadQuestion",
    "BadSave",
    "BadSetup",
    "GameError",
    "IllegalAction",
    "IllegalPlay",
    "NoValues",
    "knister",
    "knyf",
    "kosci",
]
