"""The odds of Knister against plain recursion, enumeration, closed forms, icepool and simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import sqrt
from random import Random

import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine.chance import Binomial, Certain, Counted, Explanation, Impossible, Steps
from knyf_panel.engine.errors import BadQuestion
from knyf_panel.engine.knister.explanation import explain
from knyf_panel.engine.knister.odds import (
    LineChance,
    Prospects,
    Question,
    can_become,
    chance,
    expected,
    grid_expected,
    grid_odds,
    next_sum,
    odds,
    odds_after,
)
from knyf_panel.engine.knister.rules import COMBINATIONS, POINTS, combination_of, score_line
from knyf_panel.engine.knister.simulation import simulate

Line = tuple[int | None, ...]
Numbers = tuple[int, ...]
SUMS = range(2, 13)
WAYS = Counter(first + second for first in range(1, 7) for second in range(1, 7))
EMPTY: Line = (None,) * 5

numbers = st.sampled_from(SUMS)
lines = st.lists(st.none() | numbers, min_size=5, max_size=5).map(tuple)
rolls = st.integers(0, 25)


def line_of(filled: Numbers) -> Line:
    return filled + (None,) * (5 - len(filled))


def all_filled(sizes: range) -> list[Numbers]:
    return [filled for size in sizes for filled in combinations_with_replacement(SUMS, size)]


# ---- plain recursion: one line, one roll at a time, into the line or not


def plain_best(
    worth: Callable[[Numbers], int], cells: int, ways: Mapping[int, int]
) -> Callable[[Numbers, int], Fraction]:
    possible = sum(ways.values())

    @cache
    def best(filled: Numbers, left: int) -> Fraction:
        if len(filled) == cells:
            return Fraction(worth(filled))
        if not left:
            return Fraction(0)
        into = {number: best(tuple(sorted((*filled, number))), left - 1) for number in ways}
        elsewhere = best(filled, left - 1)
        return sum((ways[number] * max(then, elsewhere) for number, then in into.items()), Fraction(0)) / possible

    return best


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_every_line_with_few_rolls_is_as_the_plain_recursion_says(combination: str) -> None:
    plain = plain_best(lambda line: int(combination_of(line) == combination), 5, WAYS)
    for filled in all_filled(range(6)):
        for left in range(len(filled) > 4, 5 - len(filled) + 3):
            assert chance(Question(combination, line_of(filled), left)).probability == plain(filled, left), filled


def test_the_expected_points_of_every_line_are_as_the_plain_recursion_says() -> None:
    plain = plain_best(score_line, 5, WAYS)
    for filled in all_filled(range(6)):
        for left in (5 - len(filled), 5 - len(filled) + 2):
            assert expected(line_of(filled), left).expected == plain(filled, left), filled


@pytest.mark.parametrize("combination", ["full_house", "straight_without_7"])
def test_many_rolls_are_as_the_plain_recursion_says(combination: str) -> None:
    plain = plain_best(lambda line: int(combination_of(line) == combination), 5, WAYS)
    for line in [(4, 9), (10, 11), (5, 6, 6)]:
        assert chance(Question(combination, line_of(line), 23)).probability == plain(line, 23)


@settings(max_examples=25)
@given(st.integers(1, 3), st.randoms(use_true_random=False))
def test_short_lines_with_any_dice_and_any_goal(cells: int, generator: Random) -> None:
    ways = {number: generator.randint(1, 3) for number in range(1, 5)}
    worths = {line: generator.randrange(4) for line in combinations_with_replacement(ways, cells)}
    prospects, plain = Prospects(worths.__getitem__, cells, ways), plain_best(worths.__getitem__, cells, ways)
    for size in range(cells + 1):
        for filled in combinations_with_replacement(ways, size):
            for left in (7, 0, 3):
                assert prospects.worth(filled, left) == plain(filled, left)


# ---- no choice left, closed forms, icepool


def test_the_next_sum_agrees_with_icepool() -> None:
    two_dice = 2 @ icepool.d6
    assert next_sum() == {number: two_dice.probability(number) for number in SUMS}
    assert sum(next_sum().values()) == 1


@pytest.mark.parametrize("filled", [(), (7,), (2, 3), (7, 7), (3, 4, 5), (6, 6, 8), (4, 4, 9, 9), (8, 9, 10, 12)])
def test_a_line_without_choice_agrees_with_icepool(filled: Numbers) -> None:
    rest = 5 - len(filled)
    ends = (2 @ icepool.d6).pool(rest).expand().map(lambda rolled: combination_of((*filled, *rolled)) or "nothing")
    found = odds(line_of(filled), rest)
    for combination in COMBINATIONS:
        assert found[combination].probability == ends.probability(combination)
        assert found[combination].accept == tuple(SUMS)
    value = expected(line_of(filled), rest)
    assert value.expected == sum(POINTS[combination] * found[combination].probability for combination in COMBINATIONS)
    assert value.accept == tuple(SUMS)


@given(st.lists(numbers, min_size=4, max_size=4).map(sorted), rolls)
def test_one_cell_waits_for_its_numbers(filled: list[int], left: int) -> None:
    for combination, found in odds((*filled, None), left).items():
        right = [number for number in SUMS if combination_of((*filled, number)) == combination]
        missed = 1 - Fraction(sum(WAYS[number] for number in right), 36)
        assert found.probability == 1 - missed**left
        if right and left > 1:
            assert found.accept == tuple(right)


@given(numbers, st.integers(2, 25))
def test_five_of_a_started_number_is_binomial(number: int, left: int) -> None:
    p = Fraction(WAYS[number], 36)
    two_more = 1 - (1 - p) ** left - left * p * (1 - p) ** (left - 1)
    found = odds((number, number, number, None, None), left)["five"]
    assert found.probability == two_more
    assert found.accept == (tuple(SUMS) if left == 2 else (number,))


def test_a_straight_with_everything_but_luck() -> None:
    """3 4 5 6 and 2 or 7; the six of 36 sevens would make another combination, so only 2 helps without a seven."""
    found = odds((3, 4, 5, 6, None), 1)
    assert found["straight_with_7"].probability == Fraction(6, 36)
    assert found["straight_without_7"].probability == Fraction(1, 36)
    assert found["pair"].probability == Fraction(2 + 3 + 4 + 5, 36)


@given(lines, rolls)
def test_fewer_rolls_than_cells_are_hopeless(line: Line, left: int) -> None:
    if left < line.count(None):
        assert all(found.probability == 0 and found.accept == () for found in odds(line, left).values())
        assert expected(line, left).expected == 0


@pytest.mark.parametrize("left", [0, 9])
def test_a_full_line_is_what_it_is(left: int) -> None:
    found = odds((7, 10, 8, 6, 9), left)
    assert {combination for combination in found if found[combination].probability} == {"straight_with_7"}
    assert found["straight_with_7"].probability == 1
    assert found["straight_with_7"].accept == ()
    assert expected((7, 10, 8, 6, 9), left).expected == 8


def test_what_can_still_be_reached_is_just_what_has_a_chance() -> None:
    for combination in COMBINATIONS:
        for filled in all_filled(range(5)):
            hope = chance(Question(combination, line_of(filled), 5 - len(filled))).probability > 0
            assert can_become(combination, filled) == hope


# ---- decisions


@given(lines.filter(lambda line: None in line), st.integers(1, 25))
def test_a_number_is_accepted_when_it_leaves_no_less_than_waiting(line: Line, left: int) -> None:
    found, waiting = odds(line, left), odds(line, left - 1)
    after = {number: odds_after(line, number, left) for number in SUMS}
    for combination in COMBINATIONS:
        wait = waiting[combination].probability
        then = {number: after[number][combination].probability for number in SUMS}
        best = sum(Fraction(WAYS[number], 36) * max(then[number], wait) for number in SUMS)
        assert found[combination].probability == best
        if best:
            accept = tuple(number for number in SUMS if then[number] >= wait and (then[number] or not wait))
            assert found[combination].accept == accept


@given(lines.filter(lambda line: None in line), st.integers(1, 25))
def test_the_expected_points_follow_from_what_is_accepted(line: Line, left: int) -> None:
    filled = tuple(number for number in line if number is not None)
    value, wait = expected(line, left), expected(line, left - 1).expected
    then = {number: expected(line_of((*filled, number)), left - 1).expected for number in SUMS}
    best = sum(Fraction(WAYS[number], 36) * (then[number] if number in value.accept else wait) for number in SUMS)
    assert value.expected == best
    assert all(number in value.accept for number in SUMS if then[number] > wait)


# ---- symmetries


@given(lines, st.integers(0, 24))
def test_more_rolls_never_hurt(line: Line, left: int) -> None:
    few, many = odds(line, left), odds(line, left + 1)
    assert all(few[combination].probability <= many[combination].probability for combination in COMBINATIONS)
    assert expected(line, left).expected <= expected(line, left + 1).expected


@given(lines, rolls)
def test_mirrored_sums_change_nothing(line: Line, left: int) -> None:
    """2 is as rare as 12, 3 as 11, …; a straight stays one, and 7 stays 7."""
    mirrored = tuple(None if number is None else 14 - number for number in line)
    ours, theirs = odds(line, left), odds(mirrored, left)
    for combination in COMBINATIONS:
        assert ours[combination].probability == theirs[combination].probability
        assert ours[combination].accept == tuple(14 - number for number in reversed(theirs[combination].accept))
    assert expected(line, left).expected == expected(mirrored, left).expected


@given(lines, rolls, st.randoms(use_true_random=False))
def test_the_order_in_the_line_does_not_matter(line: Line, left: int, generator: Random) -> None:
    assert odds(generator.sample(line, 5), left) == odds(line, left)


@given(lines, rolls)
def test_points_are_worth_more_than_any_one_combination(line: Line, left: int) -> None:
    value = expected(line, left).expected
    assert all(value >= POINTS[name] * found.probability for name, found in odds(line, left).items())


# ---- grids


def grid_with(cells: Mapping[tuple[int, int], int]) -> list[list[int | None]]:
    return [[cells.get((row, column)) for column in range(5)] for row in range(5)]


def test_a_grid_has_the_odds_of_its_twelve_lines() -> None:
    grid = grid_with({(0, 0): 7, (0, 3): 6, (1, 3): 8, (4, 0): 11, (2, 2): 5})
    found = grid_odds(grid)
    assert set(found) == {(kind, place) for kind in ("row", "column") for place in range(5)} | {
        ("diagonal", 0),
        ("diagonal", 1),
    }
    assert found["row", 0] == odds((7, 6, None, None, None), 20)
    assert found["column", 3] == odds((6, 8, None, None, None), 20)
    assert found["diagonal", 0] == odds((7, 5, None, None, None), 20)
    assert found["diagonal", 1] == odds((8, 5, 11, None, None), 20)
    assert found["row", 3] == odds(EMPTY, 20)
    assert grid_expected(grid)["diagonal", 1] == expected((8, 5, 11, None, None), 20)


def test_the_rolls_of_a_grid_may_be_told() -> None:
    assert grid_odds(grid_with({}), 5)["row", 4] == odds(EMPTY, 5)
    assert grid_expected(grid_with({}), 5)["row", 4] == expected(EMPTY, 5)


# ---- explanations


def value_of(explanation: Explanation) -> Fraction:
    if isinstance(explanation, Certain | Impossible):
        return Fraction(isinstance(explanation, Certain))
    return explanation.probability


def check_explanation(found: LineChance) -> None:
    explanation = explain(found)
    assert value_of(explanation) == found.probability
    if isinstance(explanation, Steps):
        assert sum(branch.probability for branch in explanation.branches) == 1
        assert sorted(number for branch in explanation.branches for number in branch.outcome) == list(SUMS)
        for branch in explanation.branches:
            assert branch.probability == sum(next_sum()[number] for number in branch.outcome)
            assert len({number in found.accept for number in branch.outcome}) == 1


@given(lines, rolls)
def test_explanations_add_up(line: Line, left: int) -> None:
    for found in odds(line, left).values():
        check_explanation(found)


def test_the_forms_of_explanation() -> None:
    assert explain(odds((6, 7, 8, 9, None), 1)["straight_with_7"]) == Counted(favourable=7, possible=36)
    assert explain(odds((6, 7, 8, 9, None), 4)["straight_with_7"]) == Binomial(4, Fraction(7, 36), at_least=1)
    assert explain(odds((6, 7, 8, 9, 10), 4)["straight_with_7"]) == Certain()
    assert explain(odds((6, 7, 8, 8, None), 4)["straight_with_7"]) == Impossible()


def test_the_steps_tell_sums_that_lead_to_the_same_together() -> None:
    explanation = explain(odds((7, 7, None, None, None), 8)["five"])
    assert isinstance(explanation, Steps)
    seven, others = explanation.branches
    assert (seven.outcome, seven.probability) == ((7,), Fraction(1, 6))
    assert (others.outcome, others.probability) == ((2, 3, 4, 5, 6, 8, 9, 10, 11, 12), Fraction(5, 6))
    assert seven.then == odds((7, 7, 7, None, None), 7)["five"].probability
    assert others.then == odds((7, 7, None, None, None), 7)["five"].probability


# ---- simulation


@pytest.mark.parametrize("combination", COMBINATIONS)
@pytest.mark.parametrize(
    ("line", "left"), [(EMPTY, 9), ((6, None, None, None, None), 12), ((5, 8, None, None, None), 3)]
)
def test_simulated_lines_agree(combination: str, line: Line, left: int) -> None:
    question = Question(combination, line, left)
    p = float(chance(question).probability)
    *_, tally = simulate(question, trials=4000, seed=11)
    if p == 0:
        assert tally.successes == 0
    else:
        assert abs(float(tally.frequency) - p) / sqrt(p * (1 - p) / tally.trials) < 3.5


def test_simulation_of_a_full_line() -> None:
    assert [tally.successes for tally in simulate(Question("four", (6, 3, 6, 6, 6), 2), 20, seed=1)] == [20]


# ---- bad questions


@pytest.mark.parametrize(
    ("line", "left", "reason", "facts"),
    [
        ((None,) * 4, 5, "wrong_length_of_line", {"length": 4, "expected": 5}),
        ((None,) * 6, 5, "wrong_length_of_line", {"length": 6, "expected": 5}),
        ((13, None, None, None, None), 5, "sum_out_of_range", {"sum": 13, "lowest": 2, "highest": 12}),
        ((1, None, None, None, None), 5, "sum_out_of_range", {"sum": 1, "lowest": 2, "highest": 12}),
        ((7.0, 7, 7, 7, 7), 5, "not_whole_numbers", {"values": (7.0, 7, 7, 7, 7)}),
        ((True, 7, 7, 7, 7), 5, "not_whole_numbers", {"values": (True, 7, 7, 7, 7)}),
        (7, 5, "not_whole_numbers", {"values": 7}),
        (EMPTY, -1, "rolls_out_of_range", {"rolls_left": -1, "lowest": 0, "highest": 25}),
        (EMPTY, 26, "rolls_out_of_range", {"rolls_left": 26, "lowest": 0, "highest": 25}),
        (EMPTY, True, "not_a_whole_number", {"value": True}),
        (EMPTY, "5", "not_a_whole_number", {"value": "5"}),
    ],
)
def test_bad_questions_say_what_is_wrong(line: Line, left: int, reason: str, facts: dict[str, object]) -> None:
    for ask in (odds, expected):
        with pytest.raises(BadQuestion) as refusal:
            ask(line, left)
        assert (refusal.value.reason, refusal.value.facts) == (reason, facts)


def test_an_unknown_combination_is_refused() -> None:
    with pytest.raises(BadQuestion, match="unknown combination"):
        Question("six", EMPTY, 5)


def test_a_number_needs_a_cell_and_a_roll() -> None:
    with pytest.raises(BadQuestion, match="no empty cell"):
        odds_after((2, 3, 4, 5, 6), 7, 5)
    with pytest.raises(BadQuestion, match="no rolls left"):
        odds_after(EMPTY, 7, 0)
    with pytest.raises(BadQuestion, match="sum out of range"):
        odds_after(EMPTY, 14, 9)


@pytest.mark.parametrize("rows", [[EMPTY] * 4, [EMPTY] * 4 + [(None,)]])
def test_a_grid_is_five_by_five(rows: list[Line]) -> None:
    for ask in (grid_odds, grid_expected):
        with pytest.raises(BadQuestion, match="wrong size of grid"):
            ask(rows)


def test_equal_questions_are_equal() -> None:
    assert Question("pair", (None, 9, None, 2, None), 5) == Question("pair", (2, 9, None, None, None), 5)
