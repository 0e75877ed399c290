"""The words of the project, in Polish and English; no rules and no drawing."""

from knyf_panel.texts.explaining import explain
from knyf_panel.texts.loader import LANGUAGES, MissingText, Texts, load
from knyf_panel.texts.rulebook import Example, Rule, rule, rules

__all__ = ["LANGUAGES", "Example", "MissingText", "Rule", "Texts", "explain", "load", "rule", "rules"]
