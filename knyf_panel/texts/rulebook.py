"""The rules as a reader meets them: what the book calls a thing, what it means, an example, and where it stands.

What does not depend on the language (kind, section, the numbers of the examples) is in facts.toml of each game; the
words are in pl.toml and en.toml. Every example can be checked against the engine, and the tests do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from knyf_panel.texts.loader import MissingText, Texts, load, read

GAMES = ("knyf", "kosci", "knister")


@dataclass(frozen=True, slots=True)
class Example:
    facts: Mapping[str, Any]  # `check` names what the numbers claim; the others are cards, dice, points …
    text: str

    @property
    def is_ours(self) -> bool:
        """Made up by the project, where the rulebook has no example."""
        return bool(self.facts.get("ours", False))


@dataclass(frozen=True, slots=True)
class Rule:
    game: str
    id: str
    kind: str  # goal, setup, action, combination, bonus, penalty, end, note or ruling
    name: str  # as printed
    label: str  # as printed on the score sheet, what the field asks for included
    explanation: str
    source: str  # the rulebook and its section; for a ruling, that it is ours
    examples: tuple[Example, ...]

    @property
    def is_ruling(self) -> bool:
        return self.kind == "ruling"


@cache
def rules(game: str, language: str = "pl") -> tuple[Rule, ...]:
    """Every rule of the game, in reading order."""
    if game not in GAMES:
        raise MissingText(f"no rules of a game {game!r}; there are {', '.join(GAMES)}")
    texts = load(language)
    return tuple(_rule(texts, game, id_, facts) for id_, facts in read(f"{game}/facts.toml").items())


def rule(game: str, id_: str, language: str = "pl") -> Rule:
    for found in rules(game, language):
        if found.id == id_:
            return found
    raise MissingText(f"no rule {id_!r} in {game!r}")


def _rule(texts: Texts, game: str, id_: str, facts: Mapping[str, Any]) -> Rule:
    key = f"{game}.{id_}"
    return Rule(
        game,
        id_,
        facts["kind"],
        texts(f"{key}.name"),
        texts(f"{key}.label"),
        texts(f"{key}.explanation"),
        _source(texts, game, facts),
        _examples(texts, game, id_, facts.get("examples", [])),
    )


def _source(texts: Texts, game: str, facts: Mapping[str, Any]) -> str:
    if facts["kind"] == "ruling":
        return texts("common.sources.ours")
    book = texts(f"{game}.rulebook.citation")
    if "section" not in facts:
        return book
    return texts("common.sources.section", book=book, section=facts["section"])


def _examples(texts: Texts, game: str, id_: str, facts: list[dict[str, Any]]) -> tuple[Example, ...]:
    key = f"{game}.{id_}.examples"
    templates = texts.raw(key) if facts else []
    if len(templates) != len(facts):
        raise MissingText(f"{key!r} in {texts.language!r} has {len(templates)} examples, facts.toml has {len(facts)}")
    return tuple(
        Example(numbers, texts.fill(template, key, game, numbers))
        for numbers, template in zip(facts, templates, strict=True)
    )
