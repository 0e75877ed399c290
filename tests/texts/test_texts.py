"""Polish and English say the same things; nothing the engine can name is without words."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from knyf_panel.engine import GameError, knister, knyf, kosci
from knyf_panel.engine import errors as engine_errors
from knyf_panel.texts import LANGUAGES, MissingText, load, rule, rules
from knyf_panel.texts.loader import _SHOWN, TOPICS, read
from knyf_panel.texts.rulebook import GAMES

ENGINE = Path(engine_errors.__file__).parent
KINDS = {"goal", "setup", "action", "combination", "bonus", "penalty", "end", "note", "ruling"}
every_rule = pytest.mark.parametrize(
    ("game", "id_"), [(game, id_) for game in GAMES for id_ in read(f"{game}/facts.toml")]
)


def placeholders(text: Any) -> set[tuple[str, str]]:
    return {(name, spec or "") for _, name, spec, _ in Formatter().parse(str(text)) if name}


# ---- The two languages -----------------------------------------------------------------------------------------------


def test_both_languages_have_the_same_keys() -> None:
    assert load("pl").keys == load("en").keys


@pytest.mark.parametrize("key", sorted(load("pl").keys - {"common.numbers.percent"}))
def test_both_languages_have_the_same_placeholders(key: str) -> None:
    polish, english = load("pl").raw(key), load("en").raw(key)
    assert type(polish) is type(english)
    if isinstance(polish, list):
        assert [{name for name, _ in placeholders(t)} for t in polish] == [
            {name for name, _ in placeholders(t)} for t in english
        ]
    else:
        assert {name for name, _ in placeholders(polish)} == {name for name, _ in placeholders(english)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_placeholder_asks_for_something_that_exists(language: str) -> None:
    texts = load(language)
    known = {"name", *_SHOWN}
    for key in texts.keys - {"common.numbers.percent"}:
        entries = texts.raw(key) if isinstance(texts.raw(key), list) else [texts.raw(key)]
        for entry in entries:
            for _, spec in placeholders(entry):
                kind = spec.rstrip("0123456789")
                assert kind in known or texts.has(f"common.nouns.{kind}.one"), f"{key}: {spec}"


@pytest.mark.parametrize("topic", TOPICS)
def test_no_text_is_empty_or_carries_stray_blanks(topic: str) -> None:
    for language in LANGUAGES:
        for key in load(language).keys:
            text = load(language).raw(key)
            if key.startswith(topic) and isinstance(text, str):
                assert text
                assert text == text.strip() or key == "common.numbers.group_sign", key
                assert "  " not in text, key


def test_polish_is_written_with_polish_signs() -> None:
    for key in load("pl").keys - {"common.numbers.percent"}:
        text = str(load("pl").raw(key))
        assert not re.search(r"\d\.\d|[“]|(?<![\w-])-\d|\.\.\.| %", text.replace("', '", "")), key


def test_english_is_written_with_english_signs() -> None:
    for key in load("en").keys:
        assert not re.search(r"\d,\d(?!\d\d)|(?<![\w-])-\d|\.\.\.|\d %", str(load("en").raw(key))), key


# ---- The rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "ids"),
    [
        ("knyf", (*knyf.COMBINATIONS, *knyf.RULINGS)),
        ("kosci", (*kosci.CATEGORIES, *kosci.RULINGS)),
        ("knister", (*knister.COMBINATIONS, *knister.RULINGS)),
    ],
)
def test_everything_that_scores_and_every_ruling_is_explained(game: str, ids: tuple[str, ...]) -> None:
    facts = read(f"{game}/facts.toml")
    assert set(ids) <= set(facts)
    module: Any = {"knyf": knyf, "kosci": kosci, "knister": knister}[game]
    assert tuple(id_ for id_, entry in facts.items() if entry["kind"] == "ruling") == module.RULINGS
    combinations = getattr(module, "CATEGORIES", None) or module.COMBINATIONS
    assert tuple(id_ for id_, entry in facts.items() if entry["kind"] == "combination") == combinations


@every_rule
def test_a_rule_has_all_its_parts_in_both_languages(game: str, id_: str) -> None:
    for language in LANGUAGES:
        found = rule(game, id_, language)
        assert found.kind in KINDS
        assert found.name
        assert found.label
        assert len(found.explanation) >= 40
        assert found.explanation[-1] in ".!)"
        if found.kind in ("action", "combination", "bonus", "penalty", "end"):
            assert found.examples
        assert found.is_ruling == (found.source == load(language)("common.sources.ours"))


@every_rule
def test_the_printed_label_is_the_same_in_both_languages(game: str, id_: str) -> None:
    if read(f"{game}/facts.toml")[id_]["kind"] == "combination":
        assert rule(game, id_, "pl").label == rule(game, id_, "en").label


UPPER = ["jedynki", "dwójki", "trójki", "czwórki", "piątki", "szóstki"]
PRINTED = {
    "knyf": [*UPPER, "trzy takie same", "cztery takie same", "full", "mały strit", "duży strit", "knyf"],
    "kosci": [*UPPER, "3 jednakowe", "4 jednakowe", "ful", "mały strit", "duży strit", "generał", "szansa"],
    "knister": ["para", "dwie pary", "trójka", "ful", "czwórka", "piątka", "strit z liczbą 7", "strit bez liczby 7"],
}


@pytest.mark.parametrize("game", GAMES)
def test_names_are_the_rulebooks(game: str) -> None:
    assert [entry.name for entry in rules(game, "pl") if entry.kind == "combination"] == PRINTED[game]


def test_sources_name_the_rulebook_and_its_section() -> None:
    assert "Karciany Knyf" in rule("knyf", "bonus", "pl").source
    assert "„Bonus”" in rule("knyf", "bonus", "pl").source
    assert "Karciany Knyf" in rule("knyf", "bonus", "en").source


# ---- Errors ----------------------------------------------------------------------------------------------------------


def raised_reasons() -> dict[str, list[set[str]]]:
    """Every reason in the engine's source with the names of the facts that go with it."""
    reasons: dict[str, list[set[str]]] = {}
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            kind, reason = node.func.id, node.args[0]
            if (kind == "error" or is_error_class(kind)) and isinstance(reason, ast.Constant):
                facts = {keyword.arg for keyword in node.keywords if keyword.arg}
                reasons.setdefault(str(reason.value), []).append(facts)
    return reasons


def is_error_class(name: str) -> bool:
    found = getattr(engine_errors, name, None)
    return isinstance(found, type) and issubclass(found, GameError)


REASONS = raised_reasons()


def test_every_reason_has_a_sentence_and_no_sentence_is_left_over() -> None:
    for language in LANGUAGES:
        assert {key.removeprefix("errors.") for key in load(language).keys if key.startswith("errors.")} == set(REASONS)


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_a_sentence_uses_only_facts_that_every_such_error_carries(reason: str) -> None:
    for language in LANGUAGES:
        used = {name for name, _ in placeholders(load(language).raw(f"errors.{reason}"))}
        assert all(used <= facts for facts in REASONS[reason])


def test_an_error_becomes_a_sentence() -> None:
    with pytest.raises(GameError) as caught:
        knyf.new_game(["Ala"], seed=1)
    polish, english = load("pl").error(caught.value, "knyf"), load("en").error(caught.value, "knyf")
    assert re.search("2.*5", polish)
    assert re.search("2.*5", english)
    with pytest.raises(GameError) as caught:
        knyf.score("full_house", [3, 3, 3, 3, 3])
    assert "full" in load("pl").error(caught.value, "knyf")
    assert "3, 3, 3, 3, 3" in load("en").error(caught.value, "knyf")


# ---- Missing texts ---------------------------------------------------------------------------------------------------


def test_a_missing_key_is_reported_with_the_nearest_ones() -> None:
    with pytest.raises(MissingText, match=r"no text 'knyf.full_hose.name' in language 'pl'; did you mean .*full_house"):
        load("pl")("knyf.full_hose.name")


def test_a_missing_value_is_reported() -> None:
    with pytest.raises(MissingText, match="'section' is missing"):
        load("en")("common.sources.section", book="x")


def test_a_missing_rule_or_game_is_reported() -> None:
    with pytest.raises(MissingText, match="no rule 'szansa' in 'knyf'"):
        rule("knyf", "szansa")
    with pytest.raises(MissingText, match="no rules of a game 'szachy'"):
        rules("szachy")
