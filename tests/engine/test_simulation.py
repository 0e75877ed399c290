"""Tallies, their intervals, and the chunks in which they come."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from knyf_panel.engine.errors import BadQuestion
from knyf_panel.engine.simulation import Tally, run


def heads(generator: Random) -> bool:
    return generator.random() < 0.5


def test_a_tally_after_each_chunk_and_a_short_one_last() -> None:
    assert [tally.trials for tally in run(heads, trials=2500, seed=1)] == [1000, 2000, 2500]
    assert [tally.trials for tally in run(heads, trials=3, seed=1, chunk=1)] == [1, 2, 3]
    assert [tally.trials for tally in run(heads, trials=2, seed=1, chunk=5)] == [2]


def test_the_chunk_does_not_change_the_result() -> None:
    assert list(run(heads, 700, seed=5, chunk=70))[-1] == list(run(heads, 700, seed=5, chunk=700))[-1]


def test_a_seed_replays_and_another_differs() -> None:
    assert list(run(heads, 3000, seed=7)) == list(run(heads, 3000, seed=7))
    assert list(run(heads, 3000, seed=7)) != list(run(heads, 3000, seed=8))


def test_only_as_many_trials_are_made_as_are_asked_for() -> None:
    made = []

    def trial(generator: Random) -> bool:
        made.append(generator)
        return True

    assert next(run(trial, trials=10_000, seed=0, chunk=10)) == Tally(10, 10)
    assert len(made) == 10


def test_frequency() -> None:
    assert Tally(12, 9).frequency == Fraction(3, 4)


@pytest.mark.parametrize(
    ("tally", "low", "high"),
    [  # Newcombe 1998, Statistics in Medicine 17, table I, method 3 (the score method without continuity correction)
        (Tally(263, 81), 0.2553, 0.3662),
        (Tally(148, 15), 0.0624, 0.1605),
        (Tally(20, 0), 0.0000, 0.1611),
        (Tally(29, 1), 0.0061, 0.1718),
    ],
)
def test_the_interval_is_the_published_one(tally: Tally, low: float, high: float) -> None:
    assert tally.interval() == pytest.approx((low, high), abs=5e-5)


def test_the_interval_ends_at_certainty() -> None:
    assert Tally(50, 0).interval()[0] == 0.0
    assert Tally(50, 50).interval()[1] == 1.0


def test_more_confidence_needs_a_wider_interval() -> None:
    (low, high), (lower, higher) = Tally(100, 30).interval(0.9), Tally(100, 30).interval(0.99)
    assert lower < low < 0.3 < high < higher


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(1000):
        (tally,) = run(heads, 100, seed)
        low, high = tally.interval()
        covered += low <= 0.5 <= high
    assert 921 <= covered <= 965  # the exact coverage of 100 coins is 94.3 %; three standard deviations are 22


@pytest.mark.parametrize(
    ("arguments", "reason", "facts"),
    [
        ({"trials": 0}, "not_a_positive_number", {"name": "trials", "value": 0}),
        ({"chunk": -1}, "not_a_positive_number", {"name": "chunk", "value": -1}),
        ({"trials": 2.5}, "not_a_whole_number", {"value": 2.5}),
        ({"trials": True}, "not_a_whole_number", {"value": True}),
        ({"chunk": "9"}, "not_a_whole_number", {"value": "9"}),
        ({"seed": None}, "not_a_whole_number", {"value": None}),
    ],
)
def test_bad_numbers_are_refused_at_the_call(arguments: dict[str, int], reason: str, facts: dict[str, object]) -> None:
    with pytest.raises(BadQuestion) as refusal:
        run(heads, **{"trials": 10, "seed": 1, **arguments})
    assert (refusal.value.reason, refusal.value.facts) == (reason, facts)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_a_confidence_is_a_share(confidence: float) -> None:
    with pytest.raises(BadQuestion) as refusal:
        Tally(10, 5).interval(confidence)
    assert refusal.value.reason == "confidence_out_of_range"
    assert refusal.value.facts == {"confidence": confidence}
