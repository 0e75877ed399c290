"""A match: people and computers at one table, replayed from its actions."""

from __future__ import annotations

import json
from random import Random

import pytest

from knyf_panel.engine import BadSave, BadSetup, IllegalAction, knister, knyf, kosci
from knyf_panel.engine.match import GAMES, KINDS, PERSON, Match, from_json, to_json
from knyf_panel.engine.strengths import STRENGTHS

BEGINNER = STRENGTHS[0]
SEATS = (("Ala", PERSON), ("Olek", BEGINNER))
every_game = pytest.mark.parametrize("game", GAMES)


def played(match: Match, actions: int, seed: int = 1) -> Match:
    """So many more actions: the person's at random, the computer's its own."""
    random = Random(seed)
    for _ in range(actions):
        if match.is_over:
            break
        random_action = match.rules.random_action(match.state, random)
        match = match.after(random_action) if match.waits_for_a_person else match.after_computer()
    return match


@every_game
def test_a_match_is_over_when_its_game_is(game: str) -> None:
    match = played(Match.begin(game, [("Ala", BEGINNER), ("Olek", BEGINNER)], seed=3), actions=10_000)
    assert match.is_over
    assert not match.waits_for_a_person
    assert len(match.states) == len(match.actions) + 1


@every_game
def test_a_computer_does_the_same_in_every_replay(game: str) -> None:
    first, second = (played(Match.begin(game, SEATS, seed=5), actions=40) for _ in range(2))
    assert first == second


@every_game
def test_a_saved_match_is_the_same_match(game: str) -> None:
    match = played(Match.begin(game, SEATS, seed=5), actions=25)
    assert from_json(to_json(match)) == match


@every_game
def test_undo_goes_back_to_the_last_decision_of_the_person(game: str) -> None:
    match = played(Match.begin(game, SEATS, seed=5), actions=30)
    undone = match.undone()
    assert undone is not None
    assert undone.waits_for_a_person
    assert undone.states == match.states[: len(undone.states)]
    assert undone.after(match.actions[len(undone.actions)]).states[-1] == match.states[len(undone.states)]


@every_game
def test_nothing_can_be_undone_before_the_first_decision(game: str) -> None:
    assert Match.begin(game, SEATS, seed=5).undone() is None


def test_a_roll_without_a_choice_is_no_decision() -> None:
    match = Match.begin("kosci", [("Ala", PERSON)], seed=1).after(kosci.Roll())
    assert match.undone() is None
    assert [decision.action for decision in match.after(kosci.Write("chance")).decisions()] == [kosci.Write("chance")]


def test_practice_is_when_one_person_plays() -> None:
    assert Match.begin("knyf", SEATS, seed=1).is_practice
    assert not Match.begin("knyf", [("Ala", PERSON), ("Olek", PERSON)], seed=1).is_practice


def test_an_illegal_action_changes_nothing() -> None:
    match = Match.begin("knister", [("Ala", PERSON)], seed=1)
    with pytest.raises(IllegalAction):
        match.after(knister.Write(0, 0))
    assert match.actions == ()


def test_an_unknown_kind_of_player_is_refused() -> None:
    with pytest.raises(BadSetup, match="unknown option"):
        Match.begin("knyf", [("Ala", PERSON), ("Olek", "cheater")], seed=1)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"match": True}, "match"),
        ({"match": 0}, "match"),
        ({"game": "chess"}, "game"),
        ({"game": ["knyf"]}, "game"),
        ({"kinds": list(KINDS)}, "kinds"),
        ({"kinds": [["person"], "strong"]}, "kinds"),
        ({"kinds": "person"}, "kinds"),
        ({"actions": {}}, "actions"),
        ({"actions": [1]}, "actions"),
        ({"actions": [json.loads(knyf.action_to_json(knyf.Play("knyf", (1, 2))))]}, "actions"),
    ],
)
def test_a_damaged_match_is_refused_with_the_place(change: dict[str, object], where: str) -> None:
    body = json.loads(to_json(Match.begin("knyf", SEATS, seed=1))) | change
    with pytest.raises(BadSave) as refused:
        from_json(json.dumps(body))
    assert refused.value.reason == "damaged_save"
    assert str(refused.value.facts["where"]).startswith(where)


@pytest.mark.parametrize("text", ["", "{", "[]", "7"])
def test_what_is_no_save_is_refused(text: str) -> None:
    with pytest.raises(BadSave, match="not json"):
        from_json(text)


@pytest.mark.parametrize("part", ["match", "first", "action"])
def test_a_match_of_a_newer_version_says_so(part: str) -> None:
    body = json.loads(to_json(Match.begin("knyf", SEATS, seed=1).after(knyf.Exchange())))
    if part == "match":
        body["match"] = 99
    else:
        (body["first"] if part == "first" else body["actions"][0])["version"] = 99
    with pytest.raises(BadSave, match="newer version"):
        from_json(json.dumps(body))
