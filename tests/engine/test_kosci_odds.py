"""The odds of Kości against plain enumeration, closed forms, published values, icepool and simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, sqrt
from random import Random

import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine.chance import Binomial, Certain, Counted, Explanation, Impossible, Steps
from knyf_panel.engine.errors import BadQuestion
from knyf_panel.engine.kosci.explanation import explain
from knyf_panel.engine.kosci.odds import (
    DiceChance,
    Question,
    Table,
    Turn,
    chance,
    distribution,
    odds,
    odds_of,
)
from knyf_panel.engine.kosci.rules import CATEGORIES, UPPER
from knyf_panel.engine.kosci.simulation import simulate

Dice = tuple[int, ...]
HANDS = tuple(combinations_with_replacement(range(1, 7), 5))
VALUE_BLIND = ("three_of_a_kind", "four_of_a_kind", "full_house", "general")
hands = st.lists(st.integers(1, 6), min_size=5, max_size=5).map(lambda dice: tuple(sorted(dice)))


# ---- plain enumeration: the rules told once more, every roll of the dice in order, no table

LONGEST_RUN = {"small_straight": 4, "large_straight": 5}
EQUAL = {"three_of_a_kind": 3, "four_of_a_kind": 4, "general": 5}
PRINTED_POINTS = {"full_house": 25, "small_straight": 30, "large_straight": 40, "general": 50}


def plain_fits(category: str, dice: Dice, at_least: int = 3) -> bool:
    if category in UPPER:
        return dice.count(UPPER[category]) >= at_least
    if category in LONGEST_RUN:
        length = LONGEST_RUN[category]
        return any(all(low + step in dice for step in range(length)) for low in range(1, 8 - length))
    if category == "full_house":
        return sorted(Counter(dice).values()) == [2, 3]
    return max(Counter(dice).values()) >= EQUAL.get(category, 1)


def plain_points(category: str, dice: Dice) -> int:
    if category in UPPER:
        return sum(die for die in dice if die == UPPER[category])
    return PRINTED_POINTS.get(category, sum(dice)) if plain_fits(category, dice) else 0


def plain_best(worth: Callable[[Dice], int], size: int) -> Callable[[Dice, int], Fraction]:
    """The best expected worth of a hand with so many rolls left, by trying every keep and every roll."""

    @cache
    def rolled(keep: Dice, rolls: int) -> Fraction:
        others = size - len(keep)
        total = sum(best(tuple(sorted(keep + roll)), rolls - 1) for roll in product(range(1, 7), repeat=others))
        return total / Fraction(6**others)

    @cache
    def best(hand: Dice, rolls: int) -> Fraction:
        if not rolls:
            return Fraction(worth(hand))
        return max(rolled(keep, rolls) for count in range(size + 1) for keep in set(combinations(hand, count)))

    return lambda hand, rolls: best(hand, rolls) if hand else rolled((), rolls)


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_hand_with_one_and_two_rolls_is_as_enumerated(category: str) -> None:
    probability = plain_best(lambda hand: int(plain_fits(category, hand)), 5)
    points = plain_best(lambda hand: plain_points(category, hand), 5)
    for rolls in (0, 1, 2):
        for hand in HANDS:
            found = chance(Question(category, hand, rolls))
            assert (found.probability, found.expected) == (probability(hand, rolls), points(hand, rolls)), hand


@pytest.mark.parametrize("category", CATEGORIES)
def test_before_the_first_roll_it_is_as_enumerated(category: str) -> None:
    probability = plain_best(lambda hand: int(plain_fits(category, hand)), 5)
    points = plain_best(lambda hand: plain_points(category, hand), 5)
    for rolls in (1, 2, 3):
        found = chance(Question(category, (), rolls))
        assert (found.probability, found.expected) == (probability((), rolls), points((), rolls))
        assert found.keep == found.expected_keep == ()


@settings(max_examples=12)
@given(st.integers(1, 3), st.randoms(use_true_random=False))
def test_a_table_of_few_dice_and_any_goal_is_as_enumerated(dice: int, generator: Random) -> None:
    turn = Turn(dice)
    worths = {hand: generator.randrange(20) for hand in turn.hands}
    table, plain = Table(turn, list(worths.values())), plain_best(worths.__getitem__, dice)
    for rolls in (0, 1, 2, 3):
        for hand in turn.hands:
            assert table.worth(table.best_keep(hand, rolls), rolls) == plain(hand, rolls)
        assert not rolls or table.worth((), rolls) == plain((), rolls)


# ---- published values and closed forms


def test_five_equal_in_three_rolls_is_the_published_fraction() -> None:
    assert odds((), 3)["general"].probability == Fraction(347897, 7558272)


@pytest.mark.parametrize(
    ("category", "favourable"),
    [  # the textbook counts for one roll of five dice
        ("general", 6),
        ("large_straight", 2 * 120),
        ("small_straight", 1200),
        ("full_house", 300),
        ("four_of_a_kind", 150 + 6),
        ("three_of_a_kind", 1200 + 300 + 150 + 6),
        ("chance", 7776),
    ],
)
def test_one_roll_of_five_dice(category: str, favourable: int) -> None:
    assert odds((), 1)[category].probability == Fraction(favourable, 7776)


def at_least(successes: int, trials: int, p: Fraction) -> Fraction:
    counts = range(max(successes, 0), trials + 1)
    return sum((comb(trials, i) * p**i * (1 - p) ** (trials - i) for i in counts), Fraction(0))


@given(hands, st.integers(0, 3), st.sampled_from(sorted(UPPER)))
def test_upper_rows_are_binomial(hand: Dice, rolls: int, category: str) -> None:
    """Each die that does not match yet has `rolls` rolls of its own: it stays unmatched with (5/6)^rolls."""
    matching, match = hand.count(UPPER[category]), 1 - Fraction(5, 6) ** rolls
    for count, found in distribution(category, hand, rolls).items():
        assert found.probability == at_least(count - matching, 5 - matching, match)
        assert found.expected == UPPER[category] * (matching + (5 - matching) * match)


@given(hands, st.integers(0, 3))
def test_each_die_of_chance_is_rolled_until_it_beats_the_mean_of_what_can_come(hand: Dice, rolls: int) -> None:
    fresh = (Fraction(0), Fraction(7, 2), Fraction(17, 4), Fraction(14, 3))[rolls]
    found = odds(hand, rolls)["chance"]
    assert found.probability == 1
    assert found.expected == sum(max(Fraction(die), fresh) for die in hand)
    assert found.expected_keep == tuple(die for die in hand if die >= fresh)


# ---- icepool: one roll, with and without kept dice


@pytest.mark.parametrize("keep", [(), (3,), (6, 6), (2, 3), (1, 2, 4), (4, 4, 4), (2, 2, 5, 5), (2, 3, 4, 5)])
def test_one_roll_with_a_given_keep_agrees_with_icepool(keep: Dice) -> None:
    table = icepool.d6.pool(5 - len(keep)) + list(keep)
    equal, run, two_most = table.largest_count(), table.largest_straight(), table.all_counts()
    ours = odds_of(keep + (1, 3, 6, 1, 6)[len(keep) :], 1, keep)
    for category, count in EQUAL.items():
        assert ours[category].probability == equal.probability(">=", count)
    for category, length in LONGEST_RUN.items():
        assert ours[category].probability == run.probability(">=", length)
    assert ours["full_house"].probability == two_most.probability((3, 2))
    for category, number in UPPER.items():
        matching = icepool.d6.pool(5 - len(keep)).keep_outcomes({number}).size()
        assert ours[category].probability == matching.probability(">=", 3 - keep.count(number))
    assert ours["chance"].expected == table.sum().mean()


# ---- the keep that is returned, and keeps of one's own


@given(hands, st.integers(1, 2), st.integers(1, 5))
def test_the_odds_are_the_best_of_all_keeps(hand: Dice, rolls: int, count: int) -> None:
    keeps = {keep for size in range(6) for keep in combinations(hand, size)}
    of_keep = {keep: odds_of(hand, rolls, keep, count) for keep in keeps}
    for category, best in odds(hand, rolls, count).items():
        assert best.probability == max(given_[category].probability for given_ in of_keep.values())
        assert best.probability == of_keep[best.keep][category].probability
        assert best.expected == max(given_[category].expected for given_ in of_keep.values())
        assert best.expected == of_keep[best.expected_keep][category].expected


@pytest.mark.parametrize(
    ("category", "dice", "rolls", "keep"),
    [
        ("full_house", (4, 2, 4, 4, 2), 2, (2, 2, 4, 4, 4)),  # made: stop
        ("sixes", (6, 6, 6, 1, 2), 1, (1, 2, 6, 6, 6)),  # three are asked for: stop
        ("chance", (1, 1, 1, 1, 1), 2, (1, 1, 1, 1, 1)),  # anything fits: stop
        ("general", (1, 2, 3, 4, 5), 0, (1, 2, 3, 4, 5)),  # no rolls left: nothing to decide
        ("three_of_a_kind", (6, 6, 2, 2, 1), 1, (6, 6)),  # equal chances: the higher pair
        ("general", (1, 2, 3, 4, 5), 1, (5,)),  # as good as five fresh dice: keep more
        ("general", (3, 3, 3, 4, 4), 2, (3, 3, 3)),
        ("large_straight", (2, 3, 4, 5, 5), 1, (2, 3, 4, 5)),
        ("ones", (2, 3, 4, 5, 6), 2, ()),
    ],
)
def test_the_keep_is_what_a_person_would_keep(category: str, dice: Dice, rolls: int, keep: Dice) -> None:
    assert odds(dice, rolls)[category].keep == keep


@given(hands, st.integers(1, 3))
def test_what_is_made_is_kept(hand: Dice, rolls: int) -> None:
    for category, found in odds(hand, rolls).items():
        assert (found.keep == hand) == plain_fits(category, hand) == (found.probability == 1)


def test_to_keep_all_ends_the_turn() -> None:
    found = odds_of((6, 6, 6, 6, 5), 2, (6, 6, 6, 6, 5))
    assert found["general"].probability == 0
    assert found["four_of_a_kind"].probability == 1
    assert found["four_of_a_kind"].expected == 29


# ---- symmetries


@given(hands, st.integers(0, 2), st.integers(1, 5))
def test_more_rolls_never_hurt(hand: Dice, rolls: int, count: int) -> None:
    few, many = odds(hand, rolls, count), odds(hand, rolls + 1, count)
    for category in CATEGORIES:
        assert few[category].probability <= many[category].probability
        assert few[category].expected <= many[category].expected


@given(hands, st.integers(0, 3), st.sampled_from(list(permutations(range(1, 7)))))
def test_values_may_be_renamed_where_they_do_not_matter(hand: Dice, rolls: int, names: tuple[int, ...]) -> None:
    renamed = odds([names[die - 1] for die in hand], rolls)
    for category in VALUE_BLIND:
        assert renamed[category].probability == odds(hand, rolls)[category].probability
    for category, number in UPPER.items():
        other = next(name for name, value in UPPER.items() if value == names[number - 1])
        assert renamed[other].probability == odds(hand, rolls)[category].probability


@given(hands, st.integers(0, 3))
def test_straights_may_be_mirrored(hand: Dice, rolls: int) -> None:
    mirrored = odds([7 - die for die in hand], rolls)
    for category in LONGEST_RUN:
        assert mirrored[category].probability == odds(hand, rolls)[category].probability


@given(hands, st.integers(0, 3), st.sampled_from(sorted(UPPER)))
def test_more_is_harder(hand: Dice, rolls: int, category: str) -> None:
    probabilities = [found.probability for found in distribution(category, hand, rolls).values()]
    assert probabilities == sorted(probabilities, reverse=True)


@given(st.permutations([1, 3, 3, 5, 6]))
def test_the_order_of_the_dice_does_not_matter(dice: list[int]) -> None:
    assert odds(dice, 2) == odds((1, 3, 3, 5, 6), 2)


# ---- explanations


def check_explanation(found: DiceChance) -> None:
    explanation = explain(found)
    assert value_of(explanation) == found.probability, found
    if isinstance(explanation, Steps):
        assert sum(branch.probability for branch in explanation.branches) == 1
        assert len({branch.outcome for branch in explanation.branches}) == len(explanation.branches) <= 7


def value_of(explanation: Explanation) -> Fraction:
    if isinstance(explanation, Certain | Impossible):
        return Fraction(isinstance(explanation, Certain))
    return explanation.probability


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_explanation_adds_up(category: str) -> None:
    for hand in HANDS:
        for rolls in (0, 1, 2):
            check_explanation(chance(Question(category, hand, rolls)))
    for rolls in (1, 2, 3):
        check_explanation(chance(Question(category, (), rolls)))


@given(hands, st.integers(1, 2), st.sets(st.integers(0, 4)), st.integers(1, 5))
def test_a_keep_of_ones_own_is_explained_as_well(hand: Dice, rolls: int, places: set[int], count: int) -> None:
    for found in odds_of(hand, rolls, [hand[place] for place in places], count).values():
        check_explanation(found)


def test_the_forms_of_explanation() -> None:
    last = odds((6, 6, 1, 2, 3), 1)
    assert explain(last["sixes"]) == Binomial(trials=3, success=Fraction(1, 6), at_least=1)
    assert explain(last["general"]) == Counted(favourable=1, possible=216)
    assert explain(last["chance"]) == Certain()
    assert explain(odds((6, 6, 1, 2, 3), 0)["general"]) == Impossible()


def outcomes(found: DiceChance) -> Iterator[tuple[tuple[int, ...], Fraction, Fraction]]:
    explanation = explain(found)
    assert isinstance(explanation, Steps)
    return ((branch.outcome, branch.probability, branch.then) for branch in explanation.branches)


def test_the_steps_of_a_general_count_the_equal_dice() -> None:
    assert list(outcomes(odds((4, 4, 4, 1, 2), 2)["general"])) == [
        ((5,), Fraction(1, 36), Fraction(1)),
        ((4,), Fraction(10, 36), Fraction(1, 6)),
        ((3,), Fraction(25, 36), Fraction(1, 36)),
    ]


def test_the_steps_of_an_upper_row_show_its_dice() -> None:
    assert list(outcomes(odds((5, 5, 5, 1, 2), 2, at_least=5)["fives"])) == [
        ((5, 5, 5, 5, 5), Fraction(1, 36), Fraction(1)),
        ((5, 5, 5, 5), Fraction(10, 36), Fraction(1, 6)),
        ((5, 5, 5), Fraction(25, 36), Fraction(1, 36)),
    ]


def test_the_steps_of_an_upper_row_show_no_more_dice_than_are_asked_for() -> None:
    assert list(outcomes(odds((1, 2, 3, 4, 5), 2, at_least=1)["sixes"])) == [
        ((6,), 1 - Fraction(5, 6) ** 5, Fraction(1)),
        ((), Fraction(5, 6) ** 5, 1 - Fraction(5, 6) ** 5),
    ]


def test_the_steps_of_a_straight_show_the_run_or_the_dice_to_keep() -> None:
    assert list(outcomes(odds((2, 3, 4, 5, 5), 2)["large_straight"])) == [
        ((1, 2, 3, 4, 5), Fraction(1, 3), Fraction(1)),
        ((2, 3, 4, 5), Fraction(2, 3), Fraction(1, 3)),
    ]


# ---- simulation


@pytest.mark.parametrize("category", [category for category in CATEGORIES if category != "chance"])
@pytest.mark.parametrize(("dice", "rolls"), [((), 3), ((1, 3, 3, 4, 6), 2)])
def test_simulated_turns_agree(category: str, dice: Dice, rolls: int) -> None:
    question = Question(category, dice, rolls)
    *_, tally = simulate(question, trials=4000, seed=20)
    p = float(chance(question).probability)
    assert abs(float(tally.frequency) - p) / sqrt(p * (1 - p) / tally.trials) < 3.5


def test_simulated_turns_keep_what_is_best_for_the_rolls_that_are_left() -> None:
    """With two rolls left 3 4 is better than 3 4 6, which is what to keep with one: by 8 standard deviations here."""
    question = Question("small_straight", (3, 4, 6, 6, 6), 2)
    *_, tally = simulate(question, trials=20_000, seed=3)
    p = float(chance(question).probability)
    assert abs(float(tally.frequency) - p) / sqrt(p * (1 - p) / tally.trials) < 3.5


def test_simulation_of_what_is_settled() -> None:
    assert [tally.successes for tally in simulate(Question("chance", (), 3), 20, seed=1, chunk=10)] == [10, 20]
    assert [tally.successes for tally in simulate(Question("general", (1, 1, 1, 1, 2), 0), 10, seed=1)] == [0]


# ---- bad questions


@pytest.mark.parametrize(
    ("dice", "rolls", "count", "reason", "facts"),
    [
        ((1, 2, 3, 4, 5, 6), 1, 3, "wrong_number_of_dice", {"dice": 6, "expected": 5}),
        ((1, 2), 1, 3, "wrong_number_of_dice", {"dice": 2, "expected": 5}),
        ((1, 2, 3, 4, 7), 1, 3, "value_out_of_range", {"value": 7, "lowest": 1, "highest": 6}),
        ((0, 2, 3, 4, 5), 1, 3, "value_out_of_range", {"value": 0, "lowest": 1, "highest": 6}),
        ((True, 2, 3, 4, 5), 1, 3, "not_whole_numbers", {"values": (True, 2, 3, 4, 5)}),
        ((1.0, 2, 3, 4, 5), 1, 3, "not_whole_numbers", {"values": (1.0, 2, 3, 4, 5)}),
        (7, 1, 3, "not_whole_numbers", {"values": 7}),
        ((1, 2, 3, 4, 5), -1, 3, "rolls_out_of_range", {"rolls_left": -1, "lowest": 0, "highest": 3}),
        ((1, 2, 3, 4, 5), 4, 3, "rolls_out_of_range", {"rolls_left": 4, "lowest": 0, "highest": 3}),
        ((1, 2, 3, 4, 5), True, 3, "not_a_whole_number", {"value": True}),
        ((1, 2, 3, 4, 5), 1.5, 3, "not_a_whole_number", {"value": 1.5}),
        ((1, 2, 3, 4, 5), 1, 0, "at_least_out_of_range", {"at_least": 0, "lowest": 1, "highest": 5}),
        ((1, 2, 3, 4, 5), 1, 6, "at_least_out_of_range", {"at_least": 6, "lowest": 1, "highest": 5}),
        ((1, 2, 3, 4, 5), 1, True, "not_a_whole_number", {"value": True}),
        ((), 0, 3, "no_dice_and_no_rolls", {}),
    ],
)
def test_bad_questions_say_what_is_wrong(
    dice: Dice, rolls: int, count: int, reason: str, facts: dict[str, object]
) -> None:
    with pytest.raises(BadQuestion) as refusal:
        odds(dice, rolls, count)
    assert (refusal.value.reason, refusal.value.facts) == (reason, facts)


def test_an_unknown_category_is_refused() -> None:
    with pytest.raises(BadQuestion, match="unknown category"):
        Question("sevens", (), 3)
    with pytest.raises(BadQuestion, match="not an upper category"):
        distribution("general", (), 3)


@pytest.mark.parametrize(("rolls", "keep"), [(1, (6,)), (2, (1, 1)), (0, (1, 2)), (0, ())])
def test_only_dice_on_the_table_can_be_kept_and_without_rolls_all(rolls: int, keep: Dice) -> None:
    with pytest.raises(BadQuestion) as refusal:
        odds_of((1, 2, 3, 4, 5), rolls, keep)
    assert refusal.value.reason == "cannot_keep_these_dice"
    assert refusal.value.facts == {"keep": keep, "dice": (1, 2, 3, 4, 5), "rolls_left": rolls}


def test_equal_questions_are_equal() -> None:
    assert Question("general", (5, 1, 3, 2, 4), 1, at_least=2) == Question("general", (1, 2, 3, 4, 5), 1)
    assert Question("ones", (5, 1, 3, 2, 4), 1, at_least=2) != Question("ones", (1, 2, 3, 4, 5), 1)
