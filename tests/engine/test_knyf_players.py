"""Karciany Knyf: the computer players and the coach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from knyf_panel.engine import BadSetup, IllegalAction, knyf
from knyf_panel.engine.knyf import values
from knyf_panel.engine.knyf.game import final_total
from knyf_panel.engine.knyf.rules import COPIES
from knyf_panel.engine.knyf.state import ROW
from knyf_panel.engine.learned.matrix import matrix, written
from knyf_panel.engine.multiset import VALUES, counts_of
from knyf_panel.engine.strengths import STRENGTHS
from knyf_panel.training import knyf as training
from tests.engine.tables import NAMES

every_strength = pytest.mark.parametrize("strength", STRENGTHS)
ALL = (1 << len(knyf.COMBINATIONS)) - 1


def game_of(strengths: tuple[str, ...], seed: int, **options: Any) -> Iterator[tuple[knyf.State, knyf.Action | None]]:
    """Every state with the action chosen in it, and at last the final state with None."""
    random, state = Random(seed), knyf.new_game(NAMES[: len(strengths)], seed, **options)
    while not knyf.is_over(state):
        action = knyf.choose(state, strengths[knyf.current_player(state)], random)
        yield state, action
        state = knyf.apply(state, action)
    yield state, None


def position(
    hand: tuple[int, ...], free: tuple[str, ...] = knyf.COMBINATIONS, rival: knyf.Sheet | None = None
) -> knyf.State:
    """Two players, one to move with this hand, and fields that are not free were filled with fair points.

    The one to move sits first, or second if the rival has completed the sheet in this very round.
    """
    fair = dict(zip(knyf.COMBINATIONS, (3, 6, 9, 12, 15, 18, 22, 20, 25, 30, 40, 50), strict=True))
    sheet = knyf.Sheet(tuple(None if name in free else fair[name] for name in knyf.COMBINATIONS))
    rest = [value for value in VALUES for _ in range(COPIES - hand.count(value))]
    Random(1).shuffle(rest)
    state = knyf.new_game(NAMES[:2], seed=1)
    hands, sheets = [tuple(sorted(hand)), tuple(sorted(rest[:5]))], [sheet, rival or sheet]
    last = sheets[1].is_complete
    order = slice(None, None, -1 if last else 1)
    return replace(
        state, hands=tuple(hands[order]), sheets=tuple(sheets[order]), draw_pile=tuple(rest[5:]), turn=40 + last
    )


def best(state: knyf.State) -> knyf.Action:
    return knyf.choose(state, "strong", Random(0))


# ---- All strengths ---------------------------------------------------------------------------------------------------


@every_strength
@pytest.mark.parametrize(
    "options", [{}, {"surplus": "discard", "passing": False, "malus": "complete"}], ids=["book", "other"]
)
def test_players_play_legal_games_to_the_end(strength: str, options: dict[str, Any]) -> None:
    *_, (final, _) = game_of((strength,) * 3, seed=4, **options)
    assert knyf.is_over(final)
    assert knyf.from_json(knyf.to_json(final)) == final


@every_strength
def test_the_same_luck_makes_the_same_game(strength: str) -> None:
    assert list(game_of((strength, "beginner"), seed=2)) == list(game_of((strength, "beginner"), seed=2))


@every_strength
def test_players_do_not_look_at_hidden_cards(strength: str) -> None:
    """Other cards of the same number in the pile and in the rivals' hands: the same choice."""
    for state, action in list(game_of((strength,) * 3, seed=9))[:-1:4]:
        seat = knyf.current_player(state)
        rivals = [other for other in range(3) if other != seat]
        hidden = [*state.draw_pile, *(card for other in rivals for card in state.hands[other])]
        Random(5).shuffle(hidden)
        hands = list(state.hands)
        for other in rivals:
            hands[other] = tuple(sorted(hidden.pop() for _ in state.hands[other]))
        swapped = replace(state, hands=tuple(hands), draw_pile=tuple(hidden), seed=state.seed + 1)
        assert swapped.hands != state.hands
        assert knyf.known(swapped, seat) == knyf.known(state, seat)
        assert knyf.choose(swapped, strength, Random(3)) == knyf.choose(state, strength, Random(3)), action


def test_skilled_and_strong_players_announce_and_beginners_forget_at_times() -> None:
    def forgetful(strength: str, games: int) -> set[bool]:
        """Whether those who have come so far have forgotten."""
        finals = (list(game_of((strength, strength), seed))[-1][0] for seed in range(games))
        sheets = (sheet for final in finals for sheet in final.sheets if sheet.points.count(None) <= 1)
        return {sheet.forgot_to_announce for sheet in sheets}

    assert forgetful("beginner", 20) == {True, False}
    assert forgetful("skilled", 2) == forgetful("strong", 2) == {False}


def test_a_strength_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadSetup, match="unknown option"):
        knyf.choose(position((1, 2, 3, 4, 5)), "superhuman", Random(0))


@every_strength
def test_nobody_moves_after_the_end(strength: str) -> None:
    *_, (final, _) = game_of(("beginner",) * 2, seed=0)
    with pytest.raises(IllegalAction, match="game is over"):
        knyf.choose(final, strength, Random(0))


def share_of_wins(one: str, other: str, deals: range) -> float:
    """Each deal played twice, with the seats changed; a tie is half a win."""
    wins = 0.0
    for seed in deals:
        for seat, strengths in enumerate([(one, other), (other, one)]):
            *_, (final, _) = game_of(strengths, seed)
            first = {standing.seat for standing in knyf.standings(final) if standing.place == 1}
            wins += (seat in first) / len(first)
    return wins / (2 * len(deals))


def test_strong_beats_skilled() -> None:
    """Of two equal players one would win 14 of 16 games in two of a thousand tournaments."""
    assert share_of_wins("strong", "skilled", range(100, 108)) >= 14 / 16


def test_skilled_beats_beginner() -> None:
    assert share_of_wins("skilled", "beginner", range(8)) >= 0.7


# ---- The strong player's decisions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", [(1, 2, 3, 4, 5), (2, 3, 4, 5, 6)])
def test_a_large_straight_is_played_at_once(hand: tuple[int, ...]) -> None:
    assert best(position(hand)) == knyf.Play("large_straight", hand)


def test_a_knyf_is_played_at_once() -> None:
    assert best(position((4, 4, 4, 4, 4))) == knyf.Play("knyf", (4, 4, 4, 4, 4))


def test_the_eleventh_combination_is_announced() -> None:
    chosen = best(position((1, 2, 3, 4, 5), free=("large_straight", "sixes")))
    assert chosen == knyf.Play("large_straight", (1, 2, 3, 4, 5), announced=True)


def test_no_sixth_card_is_drawn_when_the_play_is_there() -> None:
    assert best(position((3, 3, 3, 1, 1), free=("full_house", "knyf"))) == knyf.Play(
        "full_house", (1, 1, 3, 3, 3), announced=True
    )


def test_pairs_are_kept_for_the_full_house_and_a_card_more_is_worth_its_penalty() -> None:
    chosen = best(position((2, 2, 5, 5, 6), free=("full_house", "small_straight", "large_straight")))
    assert isinstance(chosen, knyf.Exchange)
    assert 2 not in chosen.discard
    assert 5 not in chosen.discard
    assert chosen.draw == len(chosen.discard) + 1


def test_values_that_are_gone_are_not_waited_for() -> None:
    """With almost all sixes seen, three fives are the better start of a knyf than three sixes would be otherwise."""
    state = position((5, 5, 5, 6, 6, 6), free=("knyf", "ones"))
    gone = tuple(6 for card in state.draw_pile if card == 6)
    pile = tuple(card for card in state.draw_pile if card != 6)
    seen = replace(state, draw_pile=pile, discard_pile=gone)
    chosen = best(seen)
    assert isinstance(chosen, knyf.Exchange)
    assert set(chosen.discard) == {6}


def complete_sheet(points: int) -> knyf.Sheet:
    """All filled, and worth so many points besides the bonus of 35."""
    upper = (3, 6, 9, 12, 15, 18)
    return knyf.Sheet((*upper, points - sum(upper) - 5, 1, 1, 1, 1, 1))


def test_in_the_last_turn_any_points_are_taken() -> None:
    chosen = best(position((1, 2, 2, 4, 6), free=("sixes", "knyf"), rival=complete_sheet(300)))
    assert chosen == knyf.Play("sixes", (6,), announced=True)


def test_the_game_is_ended_when_that_wins() -> None:
    rival = replace(complete_sheet(100), points=(*complete_sheet(100).points[:-1], None))
    assert best(position((1, 2, 2, 4, 6), free=("sixes",), rival=rival)) == knyf.Play("sixes", (6,))


def test_the_game_is_not_ended_while_that_loses() -> None:
    rival = replace(complete_sheet(400), points=(*complete_sheet(400).points[:-1], None))
    assert isinstance(best(position((1, 6, 6, 6, 6), free=("sixes",), rival=rival)), knyf.Exchange)


# ---- The coach -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def middle_of_a_game() -> list[knyf.State]:
    return [state for state, _ in list(game_of(("strong", "skilled"), seed=3))[:-1:5]]


def test_advice_is_every_legal_action_that_does_not_forget_to_announce(middle_of_a_game: list[knyf.State]) -> None:
    for state in middle_of_a_game:
        actions = list(knyf.legal_actions(state))
        due = any(isinstance(action, knyf.Play) and action.announced for action in actions)
        sensible = {a for a in actions if not (due and isinstance(a, knyf.Play) and not a.announced)}
        assert {advice.action for advice in knyf.advise(state)} == sensible


def test_advice_comes_best_first_with_costs_and_parts_that_add_up(middle_of_a_game: list[knyf.State]) -> None:
    for state in middle_of_a_game:
        advice = knyf.advise(state)
        assert advice[0].cost == 0
        assert all(better.value >= worse.value for better, worse in pairwise(advice))
        for alternative in advice:
            assert alternative.cost == pytest.approx(advice[0].value - alternative.value)
            assert sum(alternative.parts.values()) == pytest.approx(alternative.value)


def test_the_strong_player_does_what_the_coach_says(middle_of_a_game: list[knyf.State]) -> None:
    for state in middle_of_a_game:
        if len(state.sheets[knyf.current_player(state)].free) > 1:
            assert best(state) == next(
                advice.action for advice in knyf.advise(state) if advice.action != knyf.Exchange()
            )


def test_advice_names_the_combination_and_the_penalty() -> None:
    state = position((2, 3, 4, 5, 6, 6), free=("large_straight", "knyf", "sixes"))
    advice = knyf.advise(state)[0]
    assert advice.action == knyf.Play("large_straight", (2, 3, 4, 5, 6))
    assert advice.parts["large_straight"] == 40
    assert advice.parts["penalties"] == -2
    assert advice.parts["speed"] == 0
    waiting = {a.action: a for a in knyf.advise(state)}[knyf.Exchange((2, 3, 4, 5), 4)]
    assert waiting.cost > 20
    assert waiting.parts["large_straight"] < 2 < waiting.parts["sixes"]
    assert waiting.parts["speed"] < 0


def test_before_the_first_move_the_best_value_is_a_usual_total() -> None:
    assert 200 < knyf.advise(knyf.new_game(NAMES[:2], seed=2))[0].value < 290


def test_in_the_last_turn_the_value_is_the_final_total() -> None:
    state = position((1, 2, 2, 4, 6), free=("sixes", "knyf"), rival=complete_sheet(300))
    for advice in knyf.advise(state):
        assert advice.value == final_total(knyf.apply(state, advice.action).sheets[1], state.options)
        assert sum(advice.parts.values()) == pytest.approx(advice.value)


def test_there_is_advice_for_ten_cards_too_and_none_after_the_end() -> None:
    assert knyf.advise(position((1, 1, 2, 2, 3, 3, 5, 5, 6, 6)))[0].value > 0
    *_, (final, _) = game_of(("beginner",) * 2, seed=0)
    assert knyf.advise(final) == ()


# ---- The values ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "free",
    [
        knyf.COMBINATIONS,
        ("knyf",),
        ("sixes", "small_straight"),
        ("ones", "twos", "threes", "four_of_a_kind"),
        ("fives", "full_house", "large_straight", "knyf", "three_of_a_kind"),
    ],
    ids=len,
)
def test_a_sheet_is_worth_what_five_new_cards_make_of_it(free: tuple[str, ...]) -> None:
    """The learnt worth of a sheet agrees with the plan, which is made of the worth of smaller sheets."""
    open_ = sum(1 << ROW[name] for name in free)
    plan = values.plan(open_, 0)
    dealt = sum(chance * plan.value(code) for code, chance in values.draws((10**6,) * 6, 5))
    assert dealt == pytest.approx(values.worth(open_, 0), abs=1)


def test_the_training_finds_the_learnt_values_again() -> None:
    """For the smallest sets of free combinations, which take it a moment."""
    solved = {0: training.solve_set_of_none()}
    for names in (("knyf",), ("sixes",), ("knyf", "sixes")):
        open_ = sum(1 << ROW[name] for name in names)
        solved[open_] = training.solve_set(open_, solved, values.PRICE_OF_A_TURN)
        for pace in (-10, 0, 6):
            found = float(training.column(solved, open_, pace)[0])
            assert values.worth(open_, pace) == pytest.approx(found, abs=1.5)


def test_the_bonus_to_be_expected_is_sure_when_the_upper_part_is_full() -> None:
    assert [values.expected_bonus(0b111111 << 6, pace) for pace in (0, -1, -20, -21)] == [35, 0, 0, -20]
    assert values.expected_bonus(ALL, -10) < values.expected_bonus(ALL, 0) < values.expected_bonus(ALL, 10)


def test_pace_is_counted_from_three_cards_in_each_filled_field() -> None:
    sheet = knyf.Sheet((2, None, 9, None, None, 24, None, None, None, None, 40, None))
    assert values.pace_of(sheet) == (2 - 3) + (24 - 18)
    assert values.open_rows(sheet) == ALL & ~0b010000100101


def test_draws_are_counted_without_replacement() -> None:
    unseen = counts_of((1, 1, 2))
    assert dict(values.draws(unseen, 2)) == {values.packed((1, 1)): 1 / 3, values.packed((1, 2)): 2 / 3}


def test_tables_are_read_as_they_were_written() -> None:
    table = [[1.5, -200.0], [0.25, 3.0], [-0.75, 0.0]]
    read = matrix(written(table))
    assert [list(row) for row in read] == [pytest.approx(row, abs=0.01) for row in table]
