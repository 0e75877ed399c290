"""Saved games: what was saved comes back; everything else is refused with its reason, whatever was done to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from operator import methodcaller
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine import BadSave, GameError, knister, knyf, kosci
from tests.engine.tables import TABLES, Table

LATE = {str(table): list(table.walk(seed=21, choices=8))[-4][0] for table in TABLES if table.seats in (2, 4)}
SAVED = [(table, LATE[str(table)]) for table in TABLES if str(table) in LATE]
every_game = pytest.mark.parametrize("game", [knyf, kosci, knister])
every_save = pytest.mark.parametrize(("table", "state"), SAVED, ids=[str(table) for table, _ in SAVED])


def damaged(table: Table, state: Any, damage: Callable[[dict[str, Any]], object]) -> str:
    document = json.loads(table.game.to_json(state))
    damage(document)
    return json.dumps(document)


@every_game
@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", '"knyf"', "\x00", "[" * 100_000])
def test_what_is_not_json_is_refused(game: Any, text: str) -> None:
    with pytest.raises(BadSave, match="save is not json"):
        game.from_json(text)


@every_game
def test_a_save_of_another_game_is_refused(game: Any) -> None:
    for table, state in SAVED:
        if table.game is not game:
            with pytest.raises(BadSave, match="save of another game"):
                game.from_json(table.game.to_json(state))


@every_save
def test_a_save_of_a_newer_version_says_so(table: Table, state: Any) -> None:
    with pytest.raises(BadSave, match="save of a newer version"):
        table.game.from_json(damaged(table, state, lambda save: save.update(version=99, new_field=1)))


@every_save
@pytest.mark.parametrize("version", [0, -1, "1", None, True, 1.0])
def test_a_version_is_a_whole_number(table: Table, state: Any, version: Any) -> None:
    with pytest.raises(BadSave, match="damaged save"):
        table.game.from_json(damaged(table, state, lambda save: save.update(version=version)))


@every_save
def test_an_action_is_not_a_game(table: Table, state: Any) -> None:
    action = next(iter(table.game.legal_actions(state)))
    with pytest.raises(BadSave, match="damaged save"):
        table.game.from_json(table.game.action_to_json(action))
    with pytest.raises(BadSave, match="damaged save"):
        table.game.action_from_json(table.game.to_json(state))


@every_save
def test_missing_and_additional_fields_are_refused(table: Table, state: Any) -> None:
    for name in json.loads(table.game.to_json(state)):
        with pytest.raises(BadSave):
            table.game.from_json(damaged(table, state, methodcaller("pop", name)))
    with pytest.raises(BadSave, match="damaged save"):
        table.game.from_json(damaged(table, state, lambda save: save.update(cheat=True)))


@every_save
def test_wrong_players_are_refused(table: Table, state: Any) -> None:
    for players in (["Ala"] * table.seats, [" Ala", "Olek"], [], ["Ala", 3], None):
        with pytest.raises(BadSave, match="damaged save"):
            table.game.from_json(damaged(table, state, methodcaller("update", players=players)))


def places_of(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document that holds a value, as (container, key)."""
    entries = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [place for key, entry in entries for place in ((value, key), *places_of(entry))]


@every_save
@given(number=st.integers(0, 10**6), junk=st.sampled_from([None, True, -1, 3, 10**30, 0.5, "x", [], {}, [1], {"a": 1}]))
@settings(max_examples=150)
def test_random_damage_never_does_more_than_raise_bad_save(table: Table, state: Any, number: int, junk: Any) -> None:
    """A damaged save is refused, or it is still a possible game, from which play goes on to the end."""
    document = json.loads(table.game.to_json(state))
    places = places_of(document)
    container, key = places[number % len(places)]
    container[key] = junk
    try:
        loaded = table.game.from_json(json.dumps(document))
    except BadSave:
        return
    random = Random(0)
    while not table.game.is_over(loaded):
        loaded = table.game.apply(loaded, table.player.random_action(loaded, random))
    table.game.standings(loaded)


@pytest.mark.parametrize(
    ("game", "change"),
    [
        (knyf, lambda s: s["hands"].__setitem__(0, [1, 1, 1, 1, 1])),  # 108 cards no more
        (knyf, lambda s: s["hands"][0].reverse() or s["hands"][0].append(s["hands"][0].pop(0))),
        (knyf, lambda s: s["options"].update(surplus="burn")),
        (knyf, lambda s: s["sheets"][0]["points"].__setitem__(0, 6)),  # ones give 1 to 5
        (knyf, lambda s: s["sheets"][0]["penalties"].__setitem__(0, 3)),
        (knyf, lambda s: s.update(turn=0)),
        (kosci, lambda s: s["sheets"][0].update(paid_jokers=1)),
        (kosci, lambda s: s["sheets"][0]["points"].__setitem__(0, 6)),
        (kosci, lambda s: s.update(turn=0)),
        (knister, lambda s: s.update(round=3)),
        (knister, lambda s: s["grids"][0]["cells"].reverse() or s["grids"][0]["cells"].__setitem__(0, 13)),
    ],
)
def test_impossible_games_are_refused(game: Any, change: Callable[[dict[str, Any]], object]) -> None:
    table, state = next((table, state) for table, state in SAVED if table.game is game)
    with pytest.raises(BadSave, match="damaged save"):
        game.from_json(damaged(table, state, change))


def test_different_sums_in_two_grids_are_refused() -> None:
    table, state = next((table, state) for table, state in SAVED if table.game is knister)

    def change(save: dict[str, Any]) -> None:
        cells = save["grids"][0]["cells"]
        cells[0] = 2 if cells[0] != 2 else 3

    with pytest.raises(BadSave, match="damaged save"):
        knister.from_json(damaged(table, state, change))


def test_errors_say_what_is_wrong_in_words() -> None:
    error = GameError("too_many_cards_discarded", discarded=6, most=5)
    assert str(error) == "too many cards discarded (discarded=6, most=5)"
    assert str(GameError("game_is_over")) == "game is over"
