"""What holds for all three games: the same verbs, the same promises."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine import BadSetup, IllegalAction, knister, knyf, kosci
from knyf_panel.engine.standing import ranked
from tests.engine.tables import NAMES, TABLES, Table, seeds

every_table = pytest.mark.parametrize("table", TABLES, ids=str)
every_game = pytest.mark.parametrize("game", [knyf, kosci, knister], ids=lambda game: game.__name__.rpartition(".")[2])


@every_table
@given(seed=seeds, choices=st.integers())
@settings(max_examples=5)
def test_a_random_game_ends_with_a_ranking_of_everybody(table: Table, seed: int, choices: int) -> None:
    *_, (final, _) = table.walk(seed, choices)
    assert table.game.is_over(final)
    assert list(table.game.legal_actions(final)) == []
    standings = table.game.standings(final)
    assert sorted(standing.seat for standing in standings) == list(range(table.seats))
    assert [standing.player for standing in standings] == [final.players[standing.seat] for standing in standings]
    for better, worse in pairwise(standings):
        assert better.total >= worse.total
        assert (better.place == worse.place) == (better.total == worse.total)


@every_table
@given(seed=seeds, choices=st.integers())
@settings(max_examples=5)
def test_a_seed_and_its_actions_replay_the_game_bit_for_bit(table: Table, seed: int, choices: int) -> None:
    steps = list(table.walk(seed, choices))
    state = table.start(seed)
    for expected, action in steps:
        assert state == expected
        assert hash(state) == hash(expected)
        if action is not None:
            saved = table.game.action_to_json(action)
            assert table.game.action_from_json(saved) == action
            state = table.game.apply(state, table.game.action_from_json(saved))


@every_table
@given(seed=seeds, choices=st.integers())
@settings(max_examples=3)
def test_every_state_survives_json(table: Table, seed: int, choices: int) -> None:
    for state, _ in table.walk(seed, choices):
        text = table.game.to_json(state)
        assert table.game.from_json(text) == state
        assert table.game.to_json(table.game.from_json(text)) == text


@every_table
def test_every_legal_action_can_be_applied_and_is_listed_once(table: Table) -> None:
    for state, _ in list(table.walk(seed=5, choices=5))[:-1:7]:
        actions = list(table.game.legal_actions(state))
        assert len(actions) == len(set(actions)) > 0
        for action in actions:
            assert table.game.apply(state, action) != state


@every_table
def test_nothing_is_legal_after_the_end(table: Table) -> None:
    *_, (before, last), (final, _) = table.walk(seed=3, choices=3)
    assert table.game.apply(before, last) == final
    with pytest.raises(IllegalAction, match="game is over"):
        table.game.apply(final, last)


@every_table
def test_an_action_of_another_game_is_refused(table: Table) -> None:
    @dataclasses.dataclass(frozen=True)
    class Castle:
        """From a fourth game."""

    state = table.start(seed=1)
    with pytest.raises(IllegalAction, match="not an action of this game"):
        table.game.apply(state, Castle())


@every_table
def test_states_are_frozen(table: Table) -> None:
    state = table.start(seed=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.seed = 2


@every_table
def test_two_seeds_make_two_games(table: Table) -> None:
    finals = {tuple(s.total for s in table.game.standings(list(table.walk(seed, 0))[-1][0])) for seed in range(4)}
    assert len(finals) > 1


@every_game
@pytest.mark.parametrize(
    ("players", "reason"),
    [
        (["Ala", ""], "empty name"),
        (["Ala", " \t"], "empty name"),
        (["Ala", "Ala"], "duplicate name"),
        (["Ala", " ala "], "duplicate name"),
        (["Ala", "x" * 41], "name too long"),
        ("Ala", "players are not a list of names"),
        (["Ala", 7], "players are not a list of names"),
        ([], "wrong number of players"),
        (NAMES, "wrong number of players"),
    ],
)
def test_bad_players_are_refused(game: Any, players: Any, reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        game.new_game(players, seed=1)


@every_game
@pytest.mark.parametrize("seed", [-1, 2**53, 1.5, "7", None])
def test_bad_seeds_are_refused(game: Any, seed: Any) -> None:
    with pytest.raises(BadSetup):
        game.new_game(["Ala", "Olek"], seed=seed)


@pytest.mark.parametrize(("game", "fewest", "most"), [(knyf, 2, 5), (kosci, 1, 4), (knister, 1, 12)])
def test_player_counts_are_the_rulebooks(game: Any, fewest: int, most: int) -> None:
    for seats in range(len(NAMES) + 1):
        if fewest <= seats <= most:
            assert len(game.new_game(NAMES[:seats], seed=1).players) == seats
        else:
            with pytest.raises(BadSetup, match="wrong number of players"):
                game.new_game(NAMES[:seats], seed=1)


@every_game
def test_names_are_kept_as_typed_but_for_blanks(game: Any) -> None:
    state = game.new_game(["  Zażółć   gęślą ", "<b>Ola</b>"], seed=1)
    assert state.players == ("Zażółć gęślą", "<b>Ola</b>")


def test_ties_share_the_better_place() -> None:
    parts = [{"points": 10}, {"points": 30}, {"points": 20, "bonus": 10}, {"points": 5}]
    places = [(standing.player, standing.place) for standing in ranked(("Ala", "Olek", "Ewa", "Jan"), parts)]
    assert places == [("Olek", 1), ("Ewa", 1), ("Ala", 3), ("Jan", 4)]
