"""Kości: the worked examples of the rulebook by name, the jokers, and what is true of every game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine import BadQuestion, IllegalAction, kosci
from knyf_panel.engine.kosci import Roll, Sheet, State, Write
from knyf_panel.engine.kosci import player as kosci_player
from tests.engine.tables import Table, seeds

EVERY_ROLL = tuple(combinations_with_replacement(range(1, 7), 5))
LOWER = kosci.CATEGORIES[6:]


def position(dice: tuple[int, ...] = (), rolls: int | None = None, **points: int) -> State:
    """Ala alone, with these dice and these points on the sheet."""
    sheet = Sheet(tuple(points.get(category) for category in kosci.CATEGORIES))
    made = rolls if rolls is not None else (1 if dice else 0)
    start = kosci.new_game(["Ala"], seed=1)
    return replace(start, sheets=(sheet,), turn=len(points), rolls=made, dice=tuple(sorted(dice)))


def jokers(state: State) -> set[str]:
    return {action.category for action in kosci.legal_actions(state) if isinstance(action, Write) and action.joker}


def written(state: State, category: str, joker: bool = False) -> tuple[int | None, int]:
    """The points in the category and the sum of joker bonuses afterwards."""
    after = kosci.apply(state, Write(category, joker))
    return after.sheets[0].points[kosci.CATEGORIES.index(category)], kosci.standings(after)[0].parts["jokers"]


# ---- The rulebook's examples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "category", "points"),
    [
        ((4, 3, 4, 4, 1), "fours", 12),
        ((4, 3, 4, 4, 1), "threes", 3),
        ((4, 3, 4, 4, 1), "twos", 0),
        ((4, 3, 4, 4, 1), "fives", 0),
        ((4, 3, 4, 4, 1), "sixes", 0),
        ((6, 5, 2, 5, 5), "three_of_a_kind", 23),
        ((4, 2, 4, 4, 2), "full_house", 25),
        ((2, 3, 4, 5, 2), "small_straight", 30),
        ((6, 1, 2, 3, 4), "small_straight", 30),
    ],
)
def test_worked_examples(dice: tuple[int, ...], category: str, points: int) -> None:
    assert kosci.score(category, dice) == points
    assert written(position(dice), category)[0] == points


# ---- Scoring ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("category", "dice", "points"),
    [
        ("full_house", [4, 4, 4, 4, 4], 0),  # the two are other ones
        ("four_of_a_kind", [2, 2, 2, 2, 2], 10),
        ("four_of_a_kind", [2, 2, 2, 3, 3], 0),
        ("large_straight", [2, 3, 4, 5, 6], 40),
        ("large_straight", [1, 2, 3, 4, 6], 0),
        ("small_straight", [1, 2, 3, 5, 6], 0),
        ("general", [1, 1, 1, 1, 1], 50),
        ("chance", [1, 2, 4, 6, 6], 19),
    ],
)
def test_other_scores(category: str, dice: list[int], points: int) -> None:
    assert kosci.score(category, dice) == points


def test_scores_of_all_rolls_against_the_table_written_another_way() -> None:
    for dice in EVERY_ROLL:
        shape = sorted(Counter(dice).values(), reverse=True)
        text = "".join(str(value) for value in sorted(set(dice)))
        expected = {
            "three_of_a_kind": sum(dice) if shape[0] >= 3 else 0,
            "four_of_a_kind": sum(dice) if shape[0] >= 4 else 0,
            "full_house": 25 if shape == [3, 2] else 0,
            "small_straight": 30 if any(run in text for run in ("1234", "2345", "3456")) else 0,
            "large_straight": 40 if text in ("12345", "23456") else 0,
            "general": 50 if shape == [5] else 0,
            "chance": sum(dice),
        }
        for value, category in enumerate(kosci.CATEGORIES[:6], 1):
            expected[category] = sum(number for number in dice if number == value)
        assert {category: kosci.score(category, dice) for category in kosci.CATEGORIES} == expected


def test_how_many_of_the_7776_rolls_fit_each_lower_category() -> None:
    """Published counts for five dice in one roll."""
    fitting = Counter(c for dice in product(range(1, 7), repeat=5) for c in LOWER if kosci.score(c, dice))
    assert fitting == {
        "three_of_a_kind": 1656,
        "four_of_a_kind": 156,
        "full_house": 300,
        "small_straight": 1200,
        "large_straight": 240,
        "general": 6,
        "chance": 7776,
    }


@pytest.mark.parametrize(
    ("category", "dice"),
    [("szansa", [1] * 5), ("ones", [1] * 4), ("ones", [1] * 6), ("ones", [1, 1, 1, 1, 7]), ("ones", [1, 1, 1, 1, 0.5])],
)
def test_nonsense_is_refused(category: str, dice: list[Any]) -> None:
    with pytest.raises(BadQuestion):
        kosci.score(category, dice)


# ---- Rolling ---------------------------------------------------------------------------------------------------------


def test_a_turn_begins_with_a_roll_of_all_dice() -> None:
    start = kosci.new_game(["Ala"], seed=1)
    assert list(kosci.legal_actions(start)) == [Roll()]
    with pytest.raises(IllegalAction, match="roll first"):
        kosci.apply(start, Write("chance"))
    with pytest.raises(IllegalAction, match="kept dice not rolled"):
        kosci.apply(start, Roll((6,)))
    assert len(kosci.apply(start, Roll()).dice) == 5


def test_kept_dice_stay() -> None:
    after = kosci.apply(position((1, 2, 6, 6, 6)), Roll((6, 6, 6)))
    assert Counter(after.dice) >= Counter([6, 6, 6])
    assert after.rolls == 2


@pytest.mark.parametrize(
    ("rolls", "keep", "reason"),
    [
        (3, (), "no rolls left"),
        (1, (1, 1), "kept dice not rolled"),
        (1, (7,), "kept dice not rolled"),
        (1, (1, 2, 6, 6, 6), "no dice to roll"),
    ],
)
def test_rolls_that_are_refused(rolls: int, keep: tuple[int, ...], reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        kosci.apply(position((1, 2, 6, 6, 6), rolls), Roll(keep))


def test_pupils_who_share_a_seed_meet_the_same_first_rolls() -> None:
    """Whatever they keep and write: here one rolls once in each turn, the other three times."""
    quick = slow = kosci.new_game(["Ala"], seed=99)
    for category in kosci.CATEGORIES:
        quick, slow = kosci.apply(quick, Roll()), kosci.apply(slow, Roll())
        assert quick.dice == slow.dice
        slow = kosci.apply(kosci.apply(slow, Roll(slow.dice[:2])), Roll())
        quick, slow = kosci.apply(quick, Write(category)), kosci.apply(slow, Write(category))


# ---- Writing and jokers ----------------------------------------------------------------------------------------------

SIXES = (6, 6, 6, 6, 6)


def test_a_category_is_used_once() -> None:
    with pytest.raises(IllegalAction, match="category used already"):
        kosci.apply(position(SIXES, general=50), Write("general"))
    with pytest.raises(IllegalAction, match="unknown category"):
        kosci.apply(position(SIXES), Write("szansa"))


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ({}, "generał free"),
        ({"general": 50}, "upper category of its number free"),
        ({"sixes": 18}, "generał free"),
    ],
)
def test_no_joker_yet(points: dict[str, int], reason: str) -> None:
    state = position(SIXES, **points)
    assert jokers(state) == set(), reason
    with pytest.raises(IllegalAction, match="not a joker"):
        kosci.apply(state, Write("full_house", joker=True))
    assert written(state, "full_house") == (0, 0)


def test_only_a_general_is_a_joker() -> None:
    assert jokers(position((6, 6, 6, 6, 5), general=50, sixes=18, fives=5)) == set()


@pytest.mark.parametrize(
    ("category", "points"),
    [("full_house", 25), ("small_straight", 30), ("large_straight", 40), ("three_of_a_kind", 30), ("chance", 30)],
)
def test_a_joker_in_a_lower_category(category: str, points: int) -> None:
    state = position(SIXES, general=50, sixes=18)
    assert jokers(state) == set(LOWER) - {"general"}
    assert written(state, category, joker=True) == (points, 100)


def test_a_declined_joker_is_an_ordinary_roll() -> None:
    state = position(SIXES, general=50, sixes=18)
    assert written(state, "full_house") == (0, 0)
    assert written(state, "chance") == (30, 0)
    assert written(state, "ones") == (0, 0)


def test_no_hundred_when_the_general_was_crossed_out() -> None:
    assert written(position(SIXES, general=0, sixes=18), "large_straight", joker=True) == (40, 0)


def test_a_joker_goes_up_only_when_no_lower_category_is_free() -> None:
    with pytest.raises(IllegalAction, match="not a joker"):
        kosci.apply(position(SIXES, general=50, sixes=18), Write("ones", joker=True))
    state = position(SIXES, sixes=18, **{**dict.fromkeys(LOWER, 0), "general": 50})
    assert jokers(state) == {"ones", "twos", "threes", "fours", "fives"}
    assert written(state, "ones", joker=True) == (0, 100)
    assert written(state, "ones") == (0, 0)


@pytest.mark.parametrize(("sixes", "premium"), [(18, 35), (12, 0)])
def test_premium(sixes: int, premium: int) -> None:
    state = position((), ones=3, twos=6, threes=9, fours=12, fives=15, sixes=sixes)
    assert kosci.standings(state)[0].parts["premium"] == premium


# ---- What is true of every game --------------------------------------------------------------------------------------


@given(seats=st.integers(1, 4), seed=seeds, choices=st.integers())
@settings(max_examples=25)
def test_every_game_has_13_turns_each_and_adds_up(seats: int, seed: int, choices: int) -> None:
    for state, _ in Table(kosci, kosci_player, seats).walk(seed, choices):
        assert 0 <= state.rolls <= 3
        assert len(state.dice) == (5 if state.rolls else 0)
    assert state.turn == 13 * seats
    for standing in kosci.standings(state):
        sheet = state.sheets[standing.seat]
        assert None not in sheet.points
        assert standing.parts["upper"] + standing.parts["lower"] == sum(points or 0 for points in sheet.points)
        assert standing.parts["premium"] == (35 if standing.parts["upper"] >= 63 else 0)
        assert standing.parts["jokers"] == 100 * sheet.paid_jokers


# ---- Legal actions, counted independently ----------------------------------------------------------------------------


def test_apply_allows_what_legal_actions_lists_and_nothing_else() -> None:
    keeps = [keep for size in range(7) for keep in combinations_with_replacement(range(1, 8), size)]
    tries: set[Any] = {Roll(keep) for keep in keeps}
    tries |= {Write(category, joker) for category in (*kosci.CATEGORIES, "szansa") for joker in (False, True)}
    states = [state for state, action in Table(kosci, kosci_player, 2).walk(seed=11, choices=4) if action]
    states += [position(SIXES, general=50, sixes=18), position(SIXES, 3, general=0, sixes=18, ones=2)]
    states.append(position(SIXES, sixes=18, **{**dict.fromkeys(LOWER, 0), "general": 50}))
    for state in states[::5] + states[-3:]:
        before, allowed = kosci.to_json(state), set()
        for action in tries:
            try:
                kosci.apply(state, action)
            except IllegalAction:
                continue
            allowed.add(action)
        assert allowed == set(kosci.legal_actions(state))
        assert kosci.to_json(state) == before


def test_252_rolls_and_462_keeps() -> None:
    keeps = {roll.keep for dice in EVERY_ROLL for roll in kosci.legal_actions(position(dice)) if isinstance(roll, Roll)}
    assert len(EVERY_ROLL) == 252
    assert len(keeps | set(EVERY_ROLL)) == 462  # keeping all five is writing, not rolling


def test_number_of_ways_to_go_on_after_every_roll() -> None:
    for dice in EVERY_ROLL:
        by_position = {
            tuple(sorted(value for place, value in enumerate(dice) if choice >> place & 1)) for choice in range(31)
        }
        rolls = [action for action in kosci.legal_actions(position(dice)) if isinstance(action, Roll)]
        assert {roll.keep for roll in rolls} == by_position
        assert len(rolls) == len(by_position)
    # Each way puts five dice into twelve boxes, kept or rolled and of six values: C(16, 5), less 252 that keep all.
    total = sum(isinstance(action, Roll) for dice in EVERY_ROLL for action in kosci.legal_actions(position(dice)))
    assert total == 4368 - 252
