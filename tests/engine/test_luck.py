"""Seeded luck: the same everywhere and for ever, and fair."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import sqrt

from knyf_panel.engine.luck import _GOLDEN, _MASK, _mix, roll, shuffled


def chi_square_z(counts: list[int], expected: float) -> float:
    """How many standard deviations the chi-square statistic is from its mean."""
    degrees = len(counts) - 1
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    return (statistic - degrees) / sqrt(2 * degrees)


def test_a_link_shared_today_deals_the_same_game_for_ever() -> None:
    """These outcomes are in people's links and saves: a change here breaks them."""
    assert roll(5, 7, 0, 0) == (1, 1, 2, 4, 4)
    assert roll(2, 2**53 - 1, 24) == (2, 3)
    assert shuffled(range(1, 11), 7, 0) == (10, 8, 5, 9, 6, 1, 7, 4, 2, 3)


def test_the_generator_is_splitmix64() -> None:
    """The published first outputs for the state 0."""
    assert _mix(_GOLDEN) == 0xE220A8397B1DCDAF
    assert _mix(2 * _GOLDEN & _MASK) == 0x6E789E6AA1B965F4
    assert _mix(3 * _GOLDEN & _MASK) == 0x06C45D188009454F


def test_the_place_decides() -> None:
    places = [(seed, turn, number) for seed in range(4) for turn in range(13) for number in range(3)]
    assert len({shuffled(range(20), *place) for place in places}) == len(places)
    assert shuffled(range(20), 1, 2, 0) == shuffled(range(20), 1, 2, 0)


def test_dice_are_fair() -> None:
    rolled = Counter(value for seed in range(20_000) for value in roll(3, seed, 5))
    assert abs(chi_square_z([rolled[value] for value in range(1, 7)], 10_000)) < 4


def test_neighbouring_seeds_and_places_are_independent() -> None:
    for seed_step, place in ((1, 0), (0, 1)):
        pairs = Counter((roll(1, seed, 0), roll(1, seed + seed_step, place)) for seed in range(36_000))
        assert abs(chi_square_z([pairs[(a,), (b,)] for a in range(1, 7) for b in range(1, 7)], 1000)) < 4


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    orders = Counter(shuffled((1, 2, 3, 4), seed, 3) for seed in range(24_000))
    assert abs(chi_square_z([orders[order] for order in permutations((1, 2, 3, 4))], 1000)) < 4
