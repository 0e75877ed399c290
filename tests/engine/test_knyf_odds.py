"""Karciany Knyf: the odds against plain recursion, closed forms, icepool, simulation and symmetry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from itertools import islice, permutations
from math import comb, prod, sqrt
from random import Random
from typing import NamedTuple

import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine.chance import Certain, Counted, Hypergeometric, Impossible, Steps
from knyf_panel.engine.errors import BadQuestion
from knyf_panel.engine.knyf.explanation import explain
from knyf_panel.engine.knyf.odds import (
    CardChance,
    Cards,
    Question,
    Table,
    _Found,
    _goal,
    _plans,
    _Solver,
    _unit,
    chance,
    chance_after,
    distribution,
    legal_exchanges,
    odds,
    odds_after,
)
from knyf_panel.engine.knyf.rules import COMBINATIONS, COPIES, LOWER, UPPER, ways_to_play
from knyf_panel.engine.knyf.simulation import simulate
from knyf_panel.engine.multiset import VALUES, Counts, counts_of, sub_multisets, values_of

knyf_odds = import_module("knyf_panel.engine.knyf.odds")  # by name: the package has a function of the same name

VALUE_BLIND = ("three_of_a_kind", "four_of_a_kind", "full_house", "knyf")
SEARCHED_WITHIN_A_PLAN = VALUE_BLIND  # with three turns


# Plain recursion: every legal exchange, every draw, nothing left out. What can be played is asked of the rules.


def is_playable(combination: str, hand: Cards, at_least: int) -> bool:
    ways = ways_to_play(combination, hand)
    return bool(ways) and (combination not in UPPER or len(ways[-1]) >= at_least)


class Limits(NamedTuple):
    """Those of the game, or smaller ones: with five discards, two exchanges see all of a pile small enough for this."""

    discards: int = 5
    hand: int = 10


@lru_cache(maxsize=100_000)
def plain(combination: str, at_least: int, hand: Cards, pile: Counts, turns: int, limits: Limits) -> Fraction:
    if is_playable(combination, hand, at_least):
        return Fraction(1)
    if turns == 0:
        return Fraction(0)
    return max(
        plain_after(combination, at_least, kept, pile, draw, turns, limits)
        for discarded in range(limits.discards + 1)
        for kept in sub_multisets(hand, len(hand) - discarded)
        for draw in (discarded, discarded + 1)
        if draw <= sum(pile) and len(kept) + draw <= limits.hand
    )


@lru_cache(maxsize=100_000)
def plain_after(
    combination: str, at_least: int, kept: Cards, pile: Counts, draw: int, turns: int, limits: Limits
) -> Fraction:
    total = Fraction(0)
    for drawn in draws(pile, draw):
        left = tuple(copies - gone for copies, gone in zip(pile, drawn, strict=True))
        hand = tuple(sorted(kept + values_of(drawn)))
        total += prod(map(comb, pile, drawn)) * plain(combination, at_least, hand, left, turns - 1, limits)
    return total / comb(sum(pile), draw)


def draws(pile: Counts, size: int) -> Iterator[Counts]:
    if not pile:
        yield from [()] if size == 0 else []
        return
    for drawn in range(min(size, pile[0]) + 1):
        for rest in draws(pile[1:], size - drawn):
            yield (drawn, *rest)


def all_but(hand: Cards, pile: Counts) -> Cards:
    """The cards to have seen so that just this pile is unseen."""
    return values_of(tuple(COPIES - have - copies for have, copies in zip(counts_of(hand), pile, strict=True)))


@pytest.fixture
def reduced(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Limits], None]]:
    """The same game with other limits. No proof in the engine hangs on their size."""

    def reduce(limits: Limits) -> None:
        monkeypatch.setattr(knyf_odds, "MOST_DISCARDED", limits.discards)
        monkeypatch.setattr(knyf_odds, "HAND_LIMIT", limits.hand)
        forget()

    yield reduce
    monkeypatch.undo()
    forget()


def forget() -> None:
    for thing in vars(knyf_odds).values():
        if hasattr(thing, "cache_clear"):
            thing.cache_clear()


def small_positions(sizes: Sequence[int], lefts: Sequence[int], seed: int) -> Iterator[tuple[Cards, Counts]]:
    """Hands with few cards unseen; few values, and many of some of them, make the strangest best moves."""
    generator = Random(seed)
    while True:
        values = generator.sample(VALUES, generator.randint(2, 6))
        coming = generator.sample(VALUES, generator.randint(2, 6))
        hand = generator.choices(values, k=generator.choice(sizes))
        yield tuple(sorted(hand)), counts_of(generator.choices(coming, k=generator.choice(lefts)))


@pytest.mark.parametrize("combination", COMBINATIONS)
@pytest.mark.parametrize(
    ("turns", "limits", "sizes", "lefts", "how_many"),
    [
        (1, Limits(), (5, 6, 7, 8, 9, 10), (5, 6, 7, 8, 9), 12),
        (2, Limits(), (5, 9, 10), (0, 1, 2, 3), 0),  # the pile runs out
        (2, Limits(1, 10), (5, 6), (7, 8, 9, 10), 8),
        (2, Limits(2, 6), (5, 6), (7, 8, 9), 4),
        (2, Limits(3, 5), (5,), (8, 9), 2),
        (3, Limits(1, 10), (5,), (6, 7), 3),
        (3, Limits(1, 6), (5, 6), (6, 7), 3),
    ],
)
def test_best_play_is_that_of_plain_recursion(
    combination: str,
    turns: int,
    limits: Limits,
    sizes: Sequence[int],
    lefts: Sequence[int],
    how_many: int,
    reduced: Callable[[Limits], None],
) -> None:
    reduced(limits)
    generator, undecided = Random(turns), 0
    for tried, (hand, pile) in enumerate(small_positions(sizes, lefts, seed=sum(map(ord, combination)))):
        question = Question(combination, hand, all_but(hand, pile), turns, generator.randint(1, 5))
        found = chance(question, thorough=True)
        is_undecided = 0 < found.probability < 1
        undecided += is_undecided
        if is_undecided or tried < 3:  # in most of the others nothing is left to chance
            expected = plain(combination, question.at_least, hand, pile, turns, limits)
            assert (found.probability, found.lower_bound) == (expected, False)
        if found.draw:
            assert chance_after(question, found.discard, found.draw, thorough=True).probability == found.probability
        if undecided >= how_many and tried >= 3:
            break


@pytest.mark.parametrize("combination", SEARCHED_WITHIN_A_PLAN)
def test_a_plan_for_three_turns_never_promises_too_much(combination: str) -> None:
    for hand, pile in islice(small_positions((5, 6), (12, 14), seed=len(combination)), 8):
        question = Question(combination, hand, all_but(hand, pile), 3)
        planned, best = chance(question), chance(question, thorough=True)
        assert planned.probability <= best.probability
        assert planned.lower_bound == (0 < planned.probability < 1)
        if planned.draw:
            assert chance_after(question, planned.discard, planned.draw).probability == planned.probability


def test_only_the_combinations_that_need_it_are_lower_bounds() -> None:
    hand, pile = (1, 1, 2, 2, 3), (2, 2, 3, 2, 1, 2)
    answers = odds(hand, all_but(hand, pile), turns=3)
    assert {name for name, answer in answers.items() if answer.lower_bound} <= set(SEARCHED_WITHIN_A_PLAN)
    for turns in (0, 1, 2):
        assert not any(answer.lower_bound for answer in odds(hand, all_but(hand, pile), turns).values())


# Two ways to the same number.

hands = st.lists(st.sampled_from(VALUES), min_size=5, max_size=10).map(lambda cards: tuple(sorted(cards)))
seen_cards = st.lists(st.sampled_from(VALUES), max_size=40).filter(lambda cards: max(counts_of(cards)) <= 8)


@given(hands, seen_cards)
@settings(max_examples=25, deadline=None)
def test_the_best_move_is_the_best_of_all_moves(hand: Cards, seen: list[int]) -> None:
    for combination in COMBINATIONS:
        question = Question(combination, hand, tuple(seen))
        moves = legal_exchanges(question.hand, sum(question.unseen))
        of_all = max(chance_after(question, discard, draw).probability for discard, draw in moves)
        assert chance(question).probability == of_all


@pytest.mark.parametrize("combination", LOWER)
def test_the_best_move_is_the_best_of_all_moves_at_two_turns(combination: str) -> None:
    for hand, seen in [((1, 2, 2, 4, 6), (4, 4, 4, 5, 5, 6)), ((3, 3, 5, 5, 5, 6), (3, 3, 3, 3, 3, 1))]:
        question = Question(combination, hand, seen, turns=2)
        moves = list(legal_exchanges(question.hand, sum(question.unseen)))
        of_all = max(chance_after(question, discard, draw).probability for discard, draw in moves)
        assert chance(question).probability == of_all


@given(hands, seen_cards, st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_one_turn_of_an_upper_row_is_hypergeometric(hand: Cards, seen: list[int], at_least: int) -> None:
    for combination, value in UPPER.items():
        question = Question(combination, hand, tuple(seen), 1, at_least)
        have, matching, left = hand.count(value), question.unseen[value - 1], sum(question.unseen)
        drawn = min(5, len(hand) - have) + (len(hand) < 10)
        expected = sum(
            Fraction(comb(matching, i) * comb(left - matching, drawn - i), comb(left, drawn))
            for i in range(max(0, at_least - have), drawn + 1)
        )
        assert chance(question).probability == (1 if have >= at_least else expected)


def test_two_turns_of_an_upper_row_by_hand() -> None:
    """No six in hand, one wanted: 6 cards and then 6 of the rest are 12 of 103, none of 18 sixes among them."""
    answer = chance(Question("sixes", (1, 2, 3, 4, 5), turns=2, at_least=1))
    # The second exchange discards five of six cards and draws six.
    assert answer.probability == 1 - Fraction(comb(85, 12), comb(103, 12))


# icepool draws from the same deck, by its own method.


def icepool_after(combination: str, hand: Cards, seen: Cards, discard: Cards, draw: int) -> Fraction:
    kept = list(hand)
    for card in discard:
        kept.remove(card)
    deck = icepool.Deck({v: COPIES - (hand + seen).count(v) for v in VALUES})

    def is_met(drawn: tuple[int, ...]) -> bool:
        return is_playable(combination, tuple(sorted((*kept, *drawn))), 3)

    return Fraction(deck.deal(draw).expand().map(is_met).probability(True))


@pytest.mark.parametrize(
    ("hand", "seen", "discard", "draw"),
    [
        ((1, 3, 6, 6, 6), (), (1, 3), 3),  # the rulebook's example
        ((1, 3, 6, 6, 6), (6, 6, 6, 1, 2), (1, 3), 2),
        ((1, 2, 3, 4, 4), (5, 5, 5, 5), (4,), 2),
        ((1, 2, 2, 5, 5), (2, 2, 2, 2, 5), (1,), 2),
        ((1, 2, 3, 4, 5, 5, 6, 6, 1, 2), (), (1, 1, 2, 3), 4),
    ],
)
def test_a_given_exchange_agrees_with_icepool(hand: Cards, seen: Cards, discard: Cards, draw: int) -> None:
    for combination, answer in odds_after(hand, discard, draw, seen).items():
        assert answer.probability == icepool_after(combination, tuple(sorted(hand)), seen, discard, draw)


# What must hold whatever the cards.


@given(hands, seen_cards, st.integers(1, 5))
@settings(max_examples=15, deadline=None)
def test_more_turns_never_hurt(hand: Cards, seen: list[int], at_least: int) -> None:
    by_turns = [odds(hand, seen, turns, at_least) for turns in (0, 1, 2)]
    for combination in COMBINATIONS:
        chances = [answers[combination].probability for answers in by_turns]
        assert chances == sorted(chances)


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_a_third_turn_never_hurts(combination: str) -> None:
    hand, pile = (1, 1, 2, 4, 5), (3, 1, 2, 2, 1, 3)
    two, three = (chance(Question(combination, hand, all_but(hand, pile), turns)) for turns in (2, 3))
    assert two.probability <= three.probability


@given(hands, seen_cards, st.permutations(VALUES))
@settings(max_examples=10, deadline=None)
def test_relabelled_values_leave_the_odds(hand: Cards, seen: list[int], names: list[int]) -> None:
    for combination in VALUE_BLIND:
        for turns in (1, 2) if len(hand) < 7 else (1,):
            before = chance(Question(combination, hand, tuple(seen), turns))
            renamed = Question(combination, tuple(names[c - 1] for c in hand), tuple(names[c - 1] for c in seen), turns)
            assert chance(renamed).probability == before.probability


@given(hands, seen_cards)
@settings(max_examples=10, deadline=None)
def test_straights_do_not_care_which_end_is_up(hand: Cards, seen: list[int]) -> None:
    for combination in ("small_straight", "large_straight"):
        for turns in (1, 2):
            before = chance(Question(combination, hand, tuple(seen), turns))
            mirrored = Question(combination, tuple(7 - c for c in hand), tuple(7 - c for c in seen), turns)
            assert chance(mirrored).probability == before.probability


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_which_of_the_other_values_were_seen_does_not_matter_to_an_upper_row(turns: int) -> None:
    """Only the number of matching cards and of all cards unseen counts."""
    answers = {
        chance(Question("sixes", (1, 2, 3, 6, 6), (6, *others), turns)).probability
        for others in permutations((1, 2, 3, 4, 5), 3)
    }
    assert len(answers) == 1


def test_a_pile_of_proportional_make_up_gives_nearly_the_same_odds() -> None:
    """Six seen of each value leave the ratios of the pile about as they were: the chance moves little."""
    for combination in COMBINATIONS:
        full = chance(Question(combination, (1, 2, 3, 4, 6), ())).probability
        thinned = chance(Question(combination, (1, 2, 3, 4, 6), tuple(v for v in VALUES for _ in range(6)))).probability
        assert abs(full - thinned) < Fraction(3, 100)


@given(hands, seen_cards)
@settings(max_examples=15, deadline=None)
def test_a_distribution_falls(hand: Cards, seen: list[int]) -> None:
    for combination in UPPER:
        for turns in (1, 2, 3):
            answers = distribution(combination, hand, seen, turns)
            chances = [answers[count].probability for count in (1, 2, 3, 4, 5)]
            assert chances == sorted(chances, reverse=True)
            assert answers[3] == chance(Question(combination, hand, tuple(seen), turns, 3))


# Nearly nothing left to draw.


def test_an_empty_pile_leaves_the_hand_as_it_is() -> None:
    hand = (1, 2, 3, 4, 6)
    answers = odds(hand, all_but(hand, (0,) * 6), turns=3)
    assert {name for name, answer in answers.items() if answer.probability} == {"small_straight"}
    assert all((answer.discard, answer.draw) == ((), 0) for answer in answers.values())


def test_a_draw_larger_than_the_pile_is_not_available() -> None:
    hand = (1, 1, 1, 1, 6)
    seen = all_but(hand, (1, 0, 0, 0, 0, 1))
    assert max(draw for _, draw in legal_exchanges(hand, 2)) == 2
    best = chance(Question("knyf", hand, seen))
    assert best.probability == 1
    assert best.discard == (6,)
    assert best.draw == 2
    with pytest.raises(BadQuestion, match="not enough unseen cards"):
        odds_after(hand, (1, 6), 3, seen)


# The moves are what they say they are.


def check_move(answer: CardChance) -> None:
    hand, unseen = answer.question.hand, sum(answer.question.unseen)
    assert (answer.discard, answer.draw) in set(legal_exchanges(hand, unseen))


@given(hands, seen_cards, st.integers(0, 2))
@settings(max_examples=15, deadline=None)
def test_the_first_move_is_legal_and_reaches_the_chance(hand: Cards, seen: list[int], turns: int) -> None:
    for answer in odds(hand, seen, turns).values():
        if answer.draw:
            check_move(answer)
            after = chance_after(answer.question, answer.discard, answer.draw)
            assert after.probability == answer.probability
        else:
            assert answer.discard == ()
            assert answer.probability in (0, 1)


def test_what_can_be_played_now_is_certain_and_can_be_thrown_away() -> None:
    hand = (5, 5, 5, 5, 5)
    assert chance(Question("knyf", hand, turns=0)).probability == 1
    assert chance_after(Question("knyf", hand), hand, 5).probability < Fraction(1, 100)
    assert chance_after(Question("knyf", hand), (), 0).probability == 1


@pytest.mark.parametrize(
    ("combination", "hand", "turns"),
    [(name, hand, turns) for name in COMBINATIONS for hand, turns in [((1, 2, 2, 4, 6), 1), ((1, 2, 3, 3, 5, 6, 6), 1)]]
    + [(name, (1, 2, 2, 4, 6), 2) for name in ("sixes", *LOWER)]
    + [("large_straight", (1, 2, 3, 5, 6), 3), ("fours", (1, 2, 2, 4, 6), 3)],
)
def test_simulation_of_the_best_moves_agrees(combination: str, hand: Cards, turns: int) -> None:
    question, trials = Question(combination, hand, (2, 2, 3, 6), turns), 2000
    *_, tally = simulate(question, trials, seed=11)
    exact = chance(question).probability
    deviation = sqrt(exact * (1 - exact) / trials)
    assert tally.trials == trials
    assert abs(tally.frequency - exact) <= 4 * deviation  # one test in 16,000 would fail by chance; the seed is fixed


def test_simulation_comes_in_chunks_and_repeats_with_its_seed() -> None:
    question = Question("full_house", (1, 1, 2, 2, 6))
    tallies = list(simulate(question, 250, seed=3, chunk=100))
    assert [tally.trials for tally in tallies] == [100, 200, 250]
    assert tallies == list(simulate(question, 250, seed=3, chunk=100))


# Explanations.


@given(hands, seen_cards, st.integers(0, 2))
@settings(max_examples=12, deadline=None)
def test_an_explanation_has_the_probability_it_explains(hand: Cards, seen: list[int], turns: int) -> None:
    for answer in odds(hand, seen, turns).values():
        check_explanation(answer)


def check_explanation(answer: CardChance) -> None:
    match explanation := explain(answer):
        case Certain():
            assert answer.probability == 1
        case Impossible():
            assert answer.probability == 0
        case Steps(branches=branches):
            assert answer.question.turns > 1
            assert len(branches) <= 6
            assert sum(branch.probability for branch in branches) == 1
            assert all(0 <= branch.then <= 1 for branch in branches)
            assert explanation.probability == answer.probability
        case Hypergeometric() | Counted():
            assert answer.question.turns == 1
            assert explanation.probability == answer.probability
        case _:
            pytest.fail(f"unexpected {explanation}")


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_three_turns_are_explained_too(combination: str) -> None:
    hand, pile = (1, 1, 2, 4, 5), (3, 1, 2, 2, 1, 3)
    check_explanation(chance(Question(combination, hand, all_but(hand, pile), 3)))


def test_the_steps_to_a_knyf() -> None:
    """Two equal cards kept, four drawn: what counts is how many are equal then."""
    explanation = explain(chance(Question("knyf", (1, 1, 2, 3, 4), turns=2)))
    assert isinstance(explanation, Steps)
    assert [branch.outcome for branch in explanation.branches] == [(5,), (4,), (3,), (2,)]


def test_the_hypergeometric_numbers_are_those_of_the_position() -> None:
    explanation = explain(chance(Question("sixes", (1, 3, 6, 6, 2), (6, 1))))
    assert explanation == Hypergeometric(matching=15, population=101, drawn=4, at_least=1)


# Bad questions.


@pytest.mark.parametrize(
    ("reason", "changes"),
    [
        ("unknown_combination", {"combination": "chance"}),
        ("wrong_number_of_cards", {"hand": (1, 2, 3, 4)}),
        ("wrong_number_of_cards", {"hand": (1,) * 11}),
        ("value_out_of_range", {"hand": (1, 2, 3, 4, 7)}),
        ("value_out_of_range", {"seen": (0,)}),
        ("too_many_of_a_value", {"seen": (1,) * 18}),
        ("turns_out_of_range", {"turns": -1}),
        ("turns_out_of_range", {"turns": 4}),
        ("at_least_out_of_range", {"at_least": 0}),
        ("at_least_out_of_range", {"at_least": 6}),
        ("not_a_whole_number", {"turns": 1.0}),
        ("not_a_whole_number", {"turns": True}),
        ("not_a_whole_number", {"at_least": "3"}),
        ("not_whole_numbers", {"hand": (1, 2, 3, 4, 5.0)}),
        ("not_whole_numbers", {"hand": (True, 2, 3, 4, 5)}),
        ("not_whole_numbers", {"seen": "6"}),
        ("not_whole_numbers", {"seen": 6}),
    ],
)
def test_bad_questions_say_why(reason: str, changes: dict[str, object]) -> None:
    arguments: dict[str, object] = {"combination": "knyf", "hand": (1, 2, 3, 4, 5), **changes}
    with pytest.raises(BadQuestion) as refused:
        Question(**arguments)  # type: ignore[arg-type]
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("reason", "discard", "draw", "changes"),
    [
        ("cards_not_in_hand", (6,), 1, {}),
        ("wrong_number_of_cards_drawn", (1, 2), 1, {}),
        ("wrong_number_of_cards_drawn", (1, 2), 4, {}),
        ("not_a_whole_number", (1, 2), 2.5, {}),
        ("too_many_cards_discarded", (1, 1, 2, 2, 3, 3), 6, {"hand": (1, 1, 2, 2, 3, 3)}),
        ("hand_over_the_limit", (), 1, {"hand": (1, 2, 3, 4, 5) * 2}),
        ("no_turns_left", (), 0, {"turns": 0}),
    ],
)
def test_bad_exchanges_say_why(reason: str, discard: Cards, draw: int, changes: dict[str, object]) -> None:
    arguments: dict[str, object] = {"hand": (1, 2, 3, 4, 5), "discard": discard, "draw": draw, **changes}
    with pytest.raises(BadQuestion) as refused:
        odds_after(**arguments)  # type: ignore[arg-type]
    assert refused.value.reason == reason


def test_a_distribution_is_for_the_upper_part() -> None:
    with pytest.raises(BadQuestion, match="not an upper combination"):
        distribution("knyf", (1, 2, 3, 4, 5))


def test_equal_questions_are_equal() -> None:
    assert Question("knyf", (3, 1, 2, 5, 4), [6, 1], at_least=2) == Question("knyf", (1, 2, 3, 4, 5), (1, 6))  # type: ignore[arg-type]


def test_the_tables_of_a_question_serve_its_positions() -> None:
    question = Question("four_of_a_kind", (1, 1, 2, 3, 4), turns=2)
    table = Table.of(question)
    assert table.best(question.hand, question.unseen, 2)[0] == chance(question).probability
    assert table.is_met(counts_of((2, 2, 2, 2, 5)))
    assert not table.is_met(counts_of((2, 2, 2, 5, 5)))


# The search with its bounds against the same search without any, on piles too large for plain recursion.


class _EveryPlan(_Solver):
    """Looks at every way of keeping useful cards, in the last exchange too."""

    def best(self, held: Counts, pile: Counts, size: int, turns: int) -> _Found:
        best = _Found(_unit(sum(pile), turns), None, 0)
        for plan in _plans(held, sum(pile), size, self.goal.keeps):
            misses = self.after(plan, pile, min(size + 1, 10), turns)
            if misses < best.misses:
                best = _Found(misses, *plan)
        return best


@pytest.mark.parametrize("combination", LOWER)
def test_bounds_lose_nothing(combination: str) -> None:
    generator = Random(len(combination))
    for copies, turns in [(18, 2)] * 2 + [(6, 2)] * 6 + [(3, 2)] * 10 + [(2, 3)]:
        deck = [value for value in VALUES for _ in range(copies)]
        generator.shuffle(deck)
        size = generator.choice((5, 6, 7)) if copies < 18 else 5
        hand = tuple(sorted(deck[:size]))
        coming = counts_of(deck[size : size + generator.randint(6, len(deck) - size)] if turns == 2 else deck[size:])
        question = Question(combination, hand, all_but(hand, coming), turns)
        goal = _goal(question)
        of_every_plan, *_ = Table(goal, _EveryPlan(goal, {})).best(hand, coming, turns)
        assert chance(question, thorough=True).probability == of_every_plan
