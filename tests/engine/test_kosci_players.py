"""Kości: places of sheets, the table of values, the coach's advice, and the players of three strengths."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine import BadSetup, IllegalAction, NoValues, kosci
from knyf_panel.engine.kosci import Roll, Sheet, State, Write
from knyf_panel.engine.kosci.values import (
    PLACES,
    PREMIUM_STEPS,
    STEPS,
    UPPER_PLACES,
    Place,
    Values,
    after,
    pack_values,
    place_of,
)
from knyf_panel.engine.strengths import STRENGTHS
from knyf_panel.training.kosci import solve
from tests.engine.kosci_endgames import ENDGAMES, endgame, exact_action
from tests.engine.tables import NAMES, Table, seeds

SOLITAIRE = Table(kosci, kosci.player, 1)


@pytest.fixture(scope="module")
def solved() -> Values:
    """The values of the whole game; what part of them is the premium is not needed here."""
    return kosci.load_values(pack_values(solve().tolist(), [0.0] * PLACES))


@pytest.fixture
def table(solved: Values) -> None:
    kosci.use_values(solved)


@pytest.fixture(autouse=True)
def _no_table_afterwards() -> Iterator[None]:
    yield
    kosci.use_values(None)


needs_table = pytest.mark.usefixtures("table")


def rolled(state: State, dice: tuple[int, ...], rolls: int = 1) -> State:
    return replace(state, dice=tuple(sorted(dice)), rolls=rolls)


START = kosci.new_game(["Ala"], seed=1)


# ---- Places ----------------------------------------------------------------------------------------------------------


def test_places_are_numbered_without_gaps() -> None:
    numbers = [
        Place(general, lower, *upper).number for general in range(3) for lower in range(64) for upper in UPPER_PLACES
    ]
    assert numbers == list(range(PLACES))


@given(seed=seeds, choices=st.integers())
@settings(max_examples=25)
def test_a_place_changes_with_the_sheet(seed: int, choices: int) -> None:
    for state, action in SOLITAIRE.walk(seed, choices):
        if isinstance(action, Write):
            sheet = kosci.apply(state, action).sheets[0]
            points = sheet.points[kosci.CATEGORIES.index(action.category)] or 0
            place = place_of(state.sheets[0])
            assert place_of(sheet) == after(place, action.category, points)
            assert [name for name in kosci.CATEGORIES if place.is_free(name)] == list(state.sheets[0].free)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (
            {"sixes": 24, "fives": 20, "fours": 16, "threes": 3},
            {"sixes": 30, "fives": 25, "fours": 20, "threes": 6},
            True,
        ),
        ({"sixes": 0, "fives": 0, "fours": 4}, {"sixes": 0, "fives": 0, "fours": 8}, True),  # no premium any more
        ({"sixes": 12}, {"sixes": 18}, False),
        ({"general": 50}, {"general": 0}, False),  # only the first lets jokers earn 100
        ({"chance": 12}, {"chance": 30}, True),
        ({"chance": 12}, {"full_house": 25}, False),
    ],
)
def test_sheets_with_the_same_future_are_at_one_place(one: dict[str, int], other: dict[str, int], alike: bool) -> None:
    sheets = [Sheet(tuple(points.get(name) for name in kosci.CATEGORIES)) for points in (one, other)]
    assert (place_of(sheets[0]) == place_of(sheets[1])) == alike


# ---- The table -------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(0, 255 * STEPS), min_size=1, max_size=9), st.lists(st.integers(0, 35), min_size=1, max_size=9)
)
@settings(max_examples=5)
def test_a_packed_table_is_read_as_it_was(values: list[int], premiums: list[int]) -> None:
    steps, premium = (values * PLACES)[:PLACES], (premiums * PLACES)[:PLACES]
    read = kosci.load_values(pack_values([step / STEPS for step in steps], premium))
    assert list(read.steps) == steps
    assert [number / PREMIUM_STEPS for number in read.premium_steps] == premium


GOOD = pack_values([0.0] * PLACES, [0.0] * PLACES)
HEADER = GOOD[: GOOD.index(b"\n") + 1]


@pytest.mark.parametrize(
    "data", [b"", b"<html>", GOOD[1:], GOOD[:-9], HEADER + zlib.compress(b"\0" * PLACES), HEADER.replace(b"1", b"2")]
)
def test_a_damaged_table_is_refused(data: bytes) -> None:
    with pytest.raises(NoValues) as refusal:
        kosci.load_values(data)
    assert refusal.value.reason == "damaged_values"


def test_without_a_table_there_is_no_advice_and_no_strong_player() -> None:
    state = rolled(START, (1, 2, 3, 4, 6))
    for ask in (
        kosci.advise,
        lambda state: kosci.choose(state, "strong", Random(1)),
        lambda state: kosci.value_of(state.sheets[0]),
    ):
        with pytest.raises(NoValues) as refusal:
            ask(state)
        assert refusal.value.reason == "values_not_loaded"
    assert kosci.choose(state, "skilled", Random(1)) in list(kosci.legal_actions(state))


@needs_table
def test_the_value_of_an_empty_sheet_and_of_a_full_one() -> None:
    assert kosci.value_of(Sheet()) == pytest.approx(250.3232, abs=0.5 / STEPS)
    assert kosci.value_of(Sheet((0,) * 13)) == 0
    assert kosci.value_of(Sheet((3, 6, 9, 12, 15, 18, *[0] * 7))) == 35


# ---- Advice ----------------------------------------------------------------------------------------------------------


@needs_table
@pytest.mark.parametrize("choices", range(3))
def test_advice_names_every_legal_action_once_and_the_best_first(choices: int) -> None:
    for state, _ in SOLITAIRE.walk(seed=7, choices=choices):
        advice = kosci.advise(state)
        actions = [alternative.action for alternative in advice]
        assert len(actions) == len(set(actions))
        assert set(actions) == set(kosci.legal_actions(state))
        assert [one.cost for one in advice] == sorted(one.cost for one in advice)
        for alternative in advice:
            assert alternative.cost == advice[0].value - alternative.value
            assert sum(alternative.parts.values()) == pytest.approx(alternative.value)


@needs_table
@pytest.mark.parametrize("name", ENDGAMES)
@pytest.mark.parametrize(("dice", "rolls"), [((1, 2, 4, 6, 6), 1), ((3, 3, 3, 5, 5), 2), ((2, 2, 2, 2, 2), 3)])
def test_advice_at_the_end_of_a_game_is_exact(name: str, dice: tuple[int, ...], rolls: int) -> None:
    """By plain recursion over the engine's own actions, in fractions; the table is rounded to 1/256 of a point."""
    state = rolled(ENDGAMES[name], dice, rolls)
    for alternative in kosci.advise(state):
        assert alternative.value == pytest.approx(float(exact_action(state, alternative.action)), abs=0.5 / STEPS)


@needs_table
def test_a_turn_to_come_is_worth_what_the_table_says() -> None:
    (only,) = kosci.advise(START)
    assert only.action == Roll()
    assert only.value == pytest.approx(kosci.value_of(Sheet()), abs=1 / STEPS)


@needs_table
@pytest.mark.parametrize(("keep", "rolls"), [((6, 6, 6, 1), 1), ((2, 3, 4, 5), 2)])
def test_a_roll_is_worth_the_mean_of_what_may_follow(keep: tuple[int, ...], rolls: int) -> None:
    before = {one.action: one.value for one in kosci.advise(rolled(START, (*keep, 1), rolls))}
    after_it = [kosci.advise(rolled(START, (*keep, value), rolls + 1))[0].value for value in range(1, 7)]
    assert before[Roll(keep)] == pytest.approx(mean(after_it))


@needs_table
@pytest.mark.parametrize(
    ("dice", "rolls", "best"),
    [
        ((6, 6, 6, 6, 6), 1, Write("general")),
        ((1, 2, 3, 4, 5), 1, Write("large_straight")),
        ((6, 6, 6, 6, 1), 1, Roll((6, 6, 6, 6))),
        ((2, 3, 4, 5, 5), 2, Roll((2, 3, 4, 5))),
        ((1, 1, 1, 2, 3), 3, Write("ones")),
    ],
)
def test_what_everybody_would_do(dice: tuple[int, ...], rolls: int, best: Roll | Write) -> None:
    assert kosci.advise(rolled(START, dice, rolls))[0].action == best


@needs_table
def test_a_joker_is_listed_beside_the_ordinary_writing_and_earns_its_hundred() -> None:
    state = rolled(endgame(("full_house", "chance"), general=50), (4, 4, 4, 4, 4), 3)
    parts = {one.action: one.parts for one in kosci.advise(state)}
    assert (parts[Write("full_house", joker=True)]["points"], parts[Write("full_house", joker=True)]["jokers"]) == (
        25,
        100,
    )
    assert (parts[Write("full_house")]["points"], parts[Write("full_house")]["jokers"]) == (0, 0)


@needs_table
def test_advice_counts_what_is_written_already() -> None:
    sheet = replace(endgame(("chance",), general=50, sixes=18).sheets[0], paid_jokers=1)
    state = rolled(replace(endgame(("chance",)), sheets=(sheet,)), (1, 2, 3, 4, 5), 3)
    (only,) = kosci.advise(state)
    assert only.value == 50 + 18 + 100 + 15
    assert only.parts == {"written": 168, "points": 15, "jokers": 0, "premium": 0, "future": 0}


def test_the_premium_is_a_part_of_its_own() -> None:
    """A table in which everything is worth 40 points, 10 of them premium."""
    kosci.use_values(kosci.load_values(pack_values([40.0] * PLACES, [10.0] * PLACES)))
    for alternative in kosci.advise(rolled(START, (1, 2, 4, 6, 6))):
        assert alternative.parts["premium"] == pytest.approx(10)
        assert alternative.parts["future"] == pytest.approx(30)


@needs_table
def test_advice_is_for_the_player_whose_turn_it_is() -> None:
    alone = kosci.apply(START, Roll())
    two = kosci.apply(kosci.new_game(["Olek", "Ala"], seed=1), Roll())
    two = kosci.apply(two, Write("chance"))
    two = replace(two, dice=alone.dice, rolls=1)
    assert kosci.advise(two) == kosci.advise(alone)


@needs_table
def test_the_points_of_a_turn_by_category() -> None:
    state = rolled(START, (2, 3, 4, 5, 6), 1)
    assert kosci.turn_points(state, Write("large_straight")) == {"large_straight": 40}
    for alternative in kosci.advise(rolled(START, (1, 3, 6, 6, 6), 2)):
        points = kosci.turn_points(rolled(START, (1, 3, 6, 6, 6), 2), alternative.action)
        assert sum(points.values()) == pytest.approx(alternative.parts["points"])
    kept = kosci.turn_points(rolled(START, (6, 6, 6, 6, 1), 2), Roll((6, 6, 6, 6)))
    assert kept["general"] == pytest.approx(50 / 6)


@needs_table
def test_there_is_nothing_to_advise_after_the_end() -> None:
    *_, (final, _) = SOLITAIRE.walk(seed=1, choices=1)
    assert kosci.advise(final) == ()


# ---- Players ---------------------------------------------------------------------------------------------------------


def play(strength: str, seed: int, seats: int = 1) -> State:
    state, random = kosci.new_game(NAMES[:seats], seed), Random(seed)
    while not kosci.is_over(state):
        state = kosci.apply(state, kosci.choose(state, strength, random))
    return state


def mean_of(strength: str, games: int) -> float:
    return mean(kosci.standings(play(strength, seed))[0].total for seed in range(games))


@needs_table
@pytest.mark.parametrize("strength", STRENGTHS)
def test_players_of_every_strength_finish_their_games(strength: str) -> None:
    assert kosci.is_over(play(strength, seed=5, seats=3))


@needs_table
@pytest.mark.parametrize(
    ("strength", "low", "high"), [("beginner", 135, 160), ("skilled", 218, 242), ("strong", 235, 266)]
)
def test_a_stronger_player_gets_more(strength: str, low: int, high: int) -> None:
    """100 seeded games each: about three standard errors around 147, 230 and 250."""
    assert low < mean_of(strength, 100) < high


@needs_table
@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_player_does_not_know_the_dice_to_come(strength: str) -> None:
    for state, _ in SOLITAIRE.walk(seed=3, choices=3):
        if not kosci.is_over(state):
            elsewhere = replace(state, seed=state.seed + 1)
            assert kosci.choose(state, strength, Random(8)) == kosci.choose(elsewhere, strength, Random(8))


@pytest.mark.parametrize("strength", ["", "Strong", "perfect", 3])
def test_an_unknown_strength_is_refused(strength: Any) -> None:
    with pytest.raises(BadSetup, match="unknown option"):
        kosci.choose(START, strength, Random(1))


def test_nobody_moves_after_the_end() -> None:
    *_, (final, _) = SOLITAIRE.walk(seed=1, choices=1)
    with pytest.raises(IllegalAction, match="game is over"):
        kosci.choose(final, "beginner", Random(1))
