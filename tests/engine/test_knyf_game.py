"""Karciany Knyf: the worked examples of the rulebook by name, the limits, and what is true of every game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine import BadSetup, IllegalAction, IllegalPlay, knyf
from knyf_panel.engine.knyf import Exchange, Play, Sheet, State
from knyf_panel.engine.knyf import player as knyf_player
from knyf_panel.engine.knyf.rules import deck, upper_bonus
from knyf_panel.engine.multiset import sub_multisets
from tests.engine.tables import Table, knyf_options, seeds

TWO = ("Ala", "Olek")


def position(hand: list[int], other: list[int] | None = None, **changes: Any) -> State:
    """Ala to move with this hand; the draw pile has the rest in order."""
    options = {name: changes.pop(name) for name in ("surplus", "passing", "malus") if name in changes}
    rest = list(deck())
    for card in [*hand, *(other or [1, 2, 3, 4, 5])]:
        rest.remove(card)
    hands = (tuple(sorted(hand)), tuple(sorted(other or [1, 2, 3, 4, 5])))
    start = knyf.new_game(TWO, seed=1, **options)
    return replace(start, hands=hands, draw_pile=tuple(rest), **changes)


def sheet_with(**points: int) -> Sheet:
    return Sheet(tuple(points.get(combination) for combination in knyf.COMBINATIONS))


def parts_of(state: State, seat: int = 0) -> dict[str, int]:
    return next(dict(standing.parts) for standing in knyf.standings(state) if standing.seat == seat)


# ---- The rulebook's examples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("combination", "cards", "points"),
    [
        ("three_of_a_kind", [4, 4, 4, 5, 6], 23),
        ("four_of_a_kind", [5, 5, 5, 5, 2], 22),
        ("full_house", [3, 3, 3, 1, 1], 25),
        ("small_straight", [2, 3, 4, 5], 30),
        ("large_straight", [2, 3, 4, 5, 6], 40),
        ("knyf", [3, 3, 3, 3, 3], 50),
        ("three_of_a_kind", [6, 6, 6, 5, 3], 26),
        ("sixes", [6, 6, 6], 18),
    ],
)
def test_explained_combinations(combination: str, cards: list[int], points: int) -> None:
    assert knyf.score(combination, cards) == points
    assert knyf.score(combination, cards[::-1]) == points


def test_example_of_discarding_1_and_3() -> None:
    state = position([1, 3, 6, 6, 6])
    drawn = {
        action.draw for action in knyf.legal_actions(state) if action in (Exchange((1, 3), 2), Exchange((1, 3), 3))
    }
    assert drawn == {2, 3}
    after = knyf.apply(state, Exchange((1, 3), 3))
    assert len(after.hands[0]) == 6
    assert after.discard_pile == (1, 3)
    assert after.turn == 1


def test_example_of_three_sixes_with_a_surplus_card() -> None:
    after = knyf.apply(position([2, 4, 5, 6, 6, 6]), Play("sixes", (6, 6, 6)))
    assert after.sheets[0].points[5] == 18
    assert after.sheets[0].penalties[5] == 2
    assert len(after.hands[0]) == 5
    assert Counter(after.hands[0]) >= Counter([2, 4, 5])


def test_longer_example_with_seven_cards() -> None:
    state = position([1, 2, 3, 5, 6, 6, 6])
    as_sixes = knyf.apply(state, Play("sixes", (6, 6, 6)))
    assert as_sixes.sheets[0].points[5] == 18
    assert len(state.draw_pile) - len(as_sixes.draw_pile) == 1
    as_three = knyf.apply(state, Play("three_of_a_kind", (6, 6, 6, 5, 3)))
    assert as_three.sheets[0].points[6] == 26
    assert len(state.draw_pile) - len(as_three.draw_pile) == 3
    assert as_sixes.sheets[0].penalties[5] == as_three.sheets[0].penalties[6] == 4


# ---- Scoring ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("combination", "cards"),
    [
        ("ones", []),
        ("ones", [2]),
        ("ones", [1, 2]),
        ("ones", [1] * 6),
        ("three_of_a_kind", [4, 4, 4]),  # five cards are played
        ("three_of_a_kind", [4, 4, 5, 5, 6]),
        ("four_of_a_kind", [4, 4, 4, 5, 6]),
        ("full_house", [3, 3, 3, 3, 3]),  # the two are of another value
        ("full_house", [3, 3, 3, 3, 1]),
        ("small_straight", [2, 3, 4, 5, 6]),  # four cards are played
        ("small_straight", [1, 2, 3, 5]),
        ("large_straight", [1, 2, 3, 4]),
        ("large_straight", [1, 2, 3, 4, 6]),
        ("knyf", [3, 3, 3, 3, 1]),
    ],
)
def test_cards_that_do_not_make_it(combination: str, cards: list[int]) -> None:
    with pytest.raises(IllegalPlay, match="cards do not make it"):
        knyf.score(combination, cards)


def test_five_equal_cards_make_three_four_of_a_kind_and_knyf() -> None:
    fives = [5] * 5
    made = {name: knyf.score(name, fives) for name in ("fives", "three_of_a_kind", "four_of_a_kind", "knyf")}
    assert made == {"fives": 25, "three_of_a_kind": 25, "four_of_a_kind": 25, "knyf": 50}


@pytest.mark.parametrize(("combination", "cards"), [("szansa", [1]), ("ones", [7]), ("ones", [0]), ("ones", ["1"])])
def test_nonsense_is_refused(combination: str, cards: list[Any]) -> None:
    with pytest.raises(IllegalPlay):
        knyf.score(combination, cards)


@pytest.mark.parametrize(("points", "bonus"), [(0, -20), (42, -20), (43, 0), (62, 0), (63, 35), (105, 35)])
def test_bonus_of_the_upper_part(points: int, bonus: int) -> None:
    assert upper_bonus(points) == bonus


# ---- Exchanging ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Exchange((1, 2, 3, 4, 5, 6), 6), "too many cards discarded"),
        (Exchange((1, 2), 1), "wrong number of cards drawn"),
        (Exchange((1, 2), 4), "wrong number of cards drawn"),
        (Exchange((), 1), "hand over the limit"),
        (Exchange((1,), 2), "hand over the limit"),
        (Exchange((5, 5, 5), 3), "cards not in hand"),
        (Exchange((7,), 1), "cards not in hand"),
    ],
)
def test_limits_of_an_exchange(action: Exchange, reason: str) -> None:
    state = position([1, 1, 2, 2, 3, 3, 4, 4, 5, 6])
    with pytest.raises(IllegalAction, match=reason):
        knyf.apply(state, action)


def test_a_full_hand_may_be_exchanged_card_for_card() -> None:
    after = knyf.apply(position([1, 1, 2, 2, 3, 3, 4, 4, 5, 6]), Exchange((1, 1, 2, 2, 3), 5))
    assert len(after.hands[0]) == 10


def test_passing_is_legal_unless_the_option_says_otherwise() -> None:
    hand = [1, 2, 3, 5, 6]
    assert knyf.apply(position(hand), Exchange()).hands[0] == tuple(hand)
    with pytest.raises(IllegalAction, match="passing is not allowed"):
        knyf.apply(position(hand, passing=False), Exchange())
    assert Exchange() not in set(knyf.legal_actions(position(hand, passing=False)))


def test_the_discard_pile_is_reshuffled_as_soon_as_the_draw_pile_is_empty() -> None:
    state = position([1, 2, 3, 5, 6])
    pile = state.draw_pile
    nearly = replace(state, draw_pile=pile[:2], discard_pile=pile[2:])
    used_up = knyf.apply(nearly, Exchange((1, 2), 2))
    assert used_up.reshuffles == 1
    assert used_up.discard_pile == ()
    assert Counter(used_up.draw_pile) == Counter(pile[2:]) + Counter([1, 2])
    across = knyf.apply(nearly, Exchange((1, 2), 3))
    assert len(across.hands[0]) == 6
    assert len(across.draw_pile) == len(used_up.draw_pile) - 1


# ---- Playing ---------------------------------------------------------------------------------------------------------


def test_a_field_is_scored_once_and_a_second_knyf_scores_nothing() -> None:
    state = position([4, 4, 4, 4, 4], sheets=(sheet_with(knyf=50), Sheet()), turn=2)
    with pytest.raises(IllegalPlay, match="combination scored already"):
        knyf.apply(state, Play("knyf", (4,) * 5))
    assert knyf.apply(state, Play("fours", (4,) * 5)).sheets[0].points[3] == 20


def test_surplus_cards_after_a_play_are_kept() -> None:
    after = knyf.apply(position([1, 2, 2, 3, 3, 4, 4, 5, 6, 6]), Play("ones", (1,)))
    assert after.hands[0] == (2, 2, 3, 3, 4, 4, 5, 6, 6)
    assert after.sheets[0].penalties[0] == 10


def test_surplus_cards_after_a_play_are_discarded_by_option() -> None:
    state = position([1, 2, 2, 3, 3, 4, 4, 5, 6, 6], surplus="discard")
    after = knyf.apply(state, Play("ones", (1,), drop=(2, 2, 3, 3)))
    assert after.hands[0] == (4, 4, 5, 6, 6)
    assert after.discard_pile == (1, 2, 2, 3, 3)
    for drop in ((), (2, 2, 3), (2, 2, 3, 3, 4)):
        with pytest.raises(IllegalAction, match="wrong number of cards dropped"):
            knyf.apply(state, Play("ones", (1,), drop=drop))
    with pytest.raises(IllegalAction, match="cards not in hand"):
        knyf.apply(state, Play("ones", (1,), drop=(1, 2, 2, 3)))
    with pytest.raises(IllegalAction, match="wrong number of cards dropped"):
        knyf.apply(position([1, 2, 2, 3, 3, 4]), Play("ones", (1,), drop=(2,)))


TEN = dict.fromkeys(knyf.COMBINATIONS[:10], 5)


def test_the_last_but_one_combination_has_to_be_announced() -> None:
    sheets = (sheet_with(**TEN), Sheet())
    state = position([1, 2, 3, 4, 5], sheets=sheets, turn=40)
    announced = knyf.apply(state, Play("large_straight", (1, 2, 3, 4, 5), announced=True))
    forgotten = knyf.apply(state, Play("large_straight", (1, 2, 3, 4, 5)))
    assert parts_of(announced)["announcement"] == 0
    assert parts_of(forgotten)["announcement"] == -10
    assert parts_of(announced)["lower"] == parts_of(forgotten)["lower"]


@pytest.mark.parametrize("filled", [9, 11])
def test_there_is_nothing_to_announce_at_other_times(filled: int) -> None:
    sheets = (sheet_with(**dict.fromkeys(knyf.COMBINATIONS[:filled], 5)), Sheet())
    state = position([5, 5, 5, 5, 5], sheets=sheets, turn=40)
    with pytest.raises(IllegalAction, match="nothing to announce"):
        knyf.apply(state, Play("knyf", (5,) * 5, announced=True))


def test_the_round_is_played_to_its_end() -> None:
    eleven = sheet_with(**dict.fromkeys(knyf.COMBINATIONS[:11], 5))
    first = knyf.apply(position([5] * 5, sheets=(eleven, Sheet()), turn=40), Play("knyf", (5,) * 5))
    assert first.sheets[0].is_complete
    assert not knyf.is_over(first)
    assert knyf.current_player(first) == 1
    assert knyf.is_over(knyf.apply(first, Exchange()))
    second = position([1, 2, 3, 4, 6], [5] * 5, sheets=(Sheet(), eleven), turn=41)
    assert knyf.is_over(knyf.apply(second, Play("knyf", (5,) * 5)))


@pytest.mark.parametrize(("malus", "bonus"), [("always", -20), ("complete", 0)])
def test_an_incomplete_upper_part_at_the_end(malus: str, bonus: int) -> None:
    complete = sheet_with(**dict.fromkeys(knyf.COMBINATIONS, 11))
    over = position([1, 2, 3, 4, 5], sheets=(complete, sheet_with(sixes=30)), turn=40, malus=malus)
    assert knyf.is_over(over)
    assert parts_of(over, 0)["bonus"] == 35
    assert parts_of(over, 1)["bonus"] == bonus


def test_minus_20_is_not_shown_before_the_end() -> None:
    assert parts_of(position([1, 2, 3, 4, 5], sheets=(sheet_with(ones=1), Sheet()), turn=2))["bonus"] == 0


def test_unknown_options_are_refused() -> None:
    for options in ({"surplus": "burn"}, {"passing": "no"}, {"malus": None}):
        with pytest.raises(BadSetup, match="unknown option"):
            knyf.new_game(TWO, seed=1, **options)


# ---- What is true of every game --------------------------------------------------------------------------------------


@given(seats=st.integers(2, 5), seed=seeds, choices=st.integers(), options=knyf_options)
@settings(max_examples=25)
def test_every_game_keeps_its_cards_and_limits(seats: int, seed: int, choices: int, options: dict[str, Any]) -> None:
    for state, _ in Table(knyf, knyf_player, seats).walk(seed, choices, **options):
        everything = sum(state.hands, state.draw_pile + state.discard_pile)
        assert Counter(everything) == Counter(deck())
        assert all(5 <= len(hand) <= 10 for hand in state.hands)
        assert state.draw_pile
        assert knyf.from_json(knyf.to_json(state)) == state
    assert state.turn % seats == 0  # equal numbers of turns at the end
    assert any(sheet.is_complete for sheet in state.sheets)
    for standing in knyf.standings(state):
        sheet = state.sheets[standing.seat]
        assert standing.parts["upper"] + standing.parts["lower"] == sum(points or 0 for points in sheet.points)
        assert standing.parts["penalties"] == -sum(sheet.penalties)
        assert standing.parts["bonus"] in (35, 0, -20)
        assert standing.total == sum(standing.parts.values())


@given(seed=seeds, choices=st.integers())
@settings(max_examples=10)
def test_what_a_player_knows_and_what_is_hidden_make_the_deck(seed: int, choices: int) -> None:
    for state, _ in Table(knyf, knyf_player, 3).walk(seed, choices):
        for seat in range(3):
            known = knyf.known(state, seat)
            hidden = Counter(state.draw_pile)
            for other, hand in enumerate(state.hands):
                hidden.update(hand if other != seat else ())
            assert known.unseen == knyf.unseen(state, seat) == tuple(hidden[value] for value in range(1, 7))
            assert sum(known.unseen) == known.draw_pile_size + sum(known.hand_sizes) - len(known.hand)


# ---- Legal actions, counted independently ----------------------------------------------------------------------------

EVERY_CHOICE = [cards for size in range(7) for cards in combinations_with_replacement(range(1, 8), size)]


def everything_one_could_try() -> set[Any]:
    """Exchanges and plays with any cards, legal or not."""
    tries: set[Any] = {Exchange(cards, draw) for cards in EVERY_CHOICE for draw in range(-1, 8)}
    for combination in (*knyf.COMBINATIONS, "szansa"):
        for cards in EVERY_CHOICE:
            tries |= {Play(combination, cards, announced) for announced in (False, True)}
    return tries


@pytest.mark.parametrize("options", [{}, {"passing": False, "malus": "complete"}], ids=["rulings", "options"])
def test_apply_allows_what_legal_actions_lists_and_nothing_else(options: dict[str, Any]) -> None:
    tries = everything_one_could_try()
    states = [state for state, action in Table(knyf, knyf_player, 2).walk(seed=11, choices=4, **options) if action]
    for state in (states[0], states[len(states) // 2], states[-1]):
        before = knyf.to_json(state)
        allowed = set()
        for action in tries:
            try:
                knyf.apply(state, action)
            except IllegalAction:
                continue
            allowed.add(action)
        assert allowed == set(knyf.legal_actions(state))
        assert knyf.to_json(state) == before


def test_drops_agree_as_well() -> None:
    state = position([1, 1, 2, 3, 4, 4, 6], surplus="discard")
    listed = {action for action in knyf.legal_actions(state) if isinstance(action, Play)}
    tries = {
        Play(play.combination, play.cards, drop=drop)
        for play in listed
        for size in range(4)
        for drop in sub_multisets(state.hands[0], size)
    }
    allowed = set()
    for action in tries:
        try:
            knyf.apply(state, action)
        except IllegalAction:
            continue
        allowed.add(action)
    assert allowed == listed
    assert any(len(play.drop) == 1 for play in listed)


def makes(combination: str, cards: tuple[int, ...]) -> bool:
    """The rulebook's table once more, written another way than the engine's."""
    counts, size = Counter(cards), len(cards)
    shape = sorted(counts.values(), reverse=True)
    upper = ("ones", "twos", "threes", "fours", "fives", "sixes")
    run = len(counts) == size and bool(cards) and max(cards) - min(cards) == size - 1
    table = {
        "three_of_a_kind": size == 5 and shape[0] >= 3,
        "four_of_a_kind": size == 5 and shape[0] >= 4,
        "full_house": shape == [3, 2],
        "small_straight": size == 4 and run,
        "large_straight": size == 5 and run,
        "knyf": shape == [5],
    }
    if combination in upper:
        return 1 <= size <= 5 and set(cards) == {upper.index(combination) + 1}
    return table[combination]


def plays_by_brute_force(hand: tuple[int, ...]) -> set[tuple[str, tuple[int, ...]]]:
    """Choose cards by their position in the hand, then forget the positions."""
    chosen = [[card for place, card in enumerate(hand) if choice >> place & 1] for choice in range(1, 2 ** len(hand))]
    return {(name, tuple(sorted(cards))) for cards in chosen for name in knyf.COMBINATIONS if makes(name, tuple(cards))}


@pytest.mark.parametrize(
    ("hand", "plays", "exchanges"),
    [
        ((1, 2, 3, 4, 5), 8, 64),  # each card alone, two small straights, the large one; 2 · 2⁵ exchanges
        ((6, 6, 6, 6, 6), 8, 12),  # one to five sixes, three, four of a kind, knyf
        ((1, 2, 3, 4, 5, 6), 11, 126),
        ((1, 1, 2, 2, 3, 3, 4, 4, 5, 6), 15, 197),
        ((1, 1, 1, 1, 1, 2, 2, 2, 2, 2), 24, 21),
        ((1, 1, 1, 2, 2, 2, 3, 3, 3, 4), 32, 76),
    ],
)
def test_numbers_of_legal_actions(hand: tuple[int, ...], plays: int, exchanges: int) -> None:
    state = position(list(hand), [6, 6, 5, 5, 4])
    listed = [(action.combination, action.cards) for action in knyf.legal_actions(state) if isinstance(action, Play)]
    assert set(listed) == plays_by_brute_force(hand)
    assert len(listed) == plays
    discards = {
        tuple(sorted(card for place, card in enumerate(hand) if choice >> place & 1))
        for choice in range(2 ** len(hand))
        if choice.bit_count() <= 5
    }
    by_hand = 2 * len(discards) if len(hand) < 10 else len(discards)
    assert sum(isinstance(action, Exchange) for action in knyf.legal_actions(state)) == by_hand == exchanges


def test_every_possible_hand_allows_the_plays_that_brute_force_finds() -> None:
    """All 252 hands of five cards and a sample of the 3003 hands of ten."""
    fives = list(combinations_with_replacement(range(1, 7), 5))
    tens = list(combinations_with_replacement(range(1, 7), 10))
    assert (len(fives), len(tens)) == (252, 3003)
    total = 0
    for hand in [*fives, *tens[::50]]:
        listed = {(a.combination, a.cards) for a in knyf.legal_actions(position(list(hand))) if isinstance(a, Play)}
        assert listed == plays_by_brute_force(hand)
        total += len(listed) if len(hand) == 5 else 0
    # Upper fields: one play for each card, 5 · 252. Small straights: 3 runs with any fifth card.
    assert total == 5 * 252 + 126 + 36 + 30 + 3 * 6 + 2 + 6
