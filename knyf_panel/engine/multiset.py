"""Counting with multisets of the values 1–6: hands of cards and sets of dice in which the order does not matter.

A multiset is written as its counts, a tuple of six numbers: how many ones, twos, …, sixes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TypeAlias

VALUES = (1, 2, 3, 4, 5, 6)

Counts: TypeAlias = tuple[int, ...]


def counts_of(values: Iterable[int]) -> Counts:
    """How many of each value: (3, 3, 3, 1, 1) → (2, 0, 3, 0, 0, 0)."""
    counts = [0] * 6
    for value in values:
        counts[value - 1] += 1
    return tuple(counts)


def values_of(counts: Counts) -> tuple[int, ...]:
    """The values in order, the inverse of `counts_of`: (2, 0, 3, 0, 0, 0) → (1, 1, 3, 3, 3)."""
    return tuple(value for value, count in enumerate(counts, 1) for _ in range(count))


@lru_cache(maxsize=4096)
def sub_multisets(values: tuple[int, ...], size: int) -> tuple[tuple[int, ...], ...]:
    """Every distinct choice of `size` of the sorted `values`, each sorted, in lexicographic order."""
    return tuple(dict.fromkeys(combinations(values, size)))


def sub_counts(counts: Counts, most_removed: int) -> Iterator[Counts]:
    """Every multiset that is left when at most so many are taken away; the counts may be of any number of kinds."""
    if not counts:
        yield ()
        return
    for removed in range(min(counts[0], most_removed) + 1):
        for rest in sub_counts(counts[1:], most_removed - removed):
            yield (counts[0] - removed, *rest)


# Counting draws with polynomials: in (the sum of C(u, i) · x^i for the numbers i allowed of one value) multiplied
# over all values, the coefficient of x^n is the number of ways to draw n cards with an allowed number of each value.
# A polynomial is kept in one whole number with 64 bits for each coefficient, so that Python multiplies it in one go.
# Coefficients too large for their lane spill into higher powers only, never into lower ones: what is read must fit,
# and C(108, 12) < 2^52 does.
_LANE = 64
_LANE_MASK: int = 2**_LANE - 1
LONGEST_DRAW = 12


@lru_cache(maxsize=1024)
def fewer_than(limit: int, copies: int) -> int:
    """The polynomial of drawing fewer than `limit` of a value of which there are `copies`."""
    return sum(comb(copies, drawn) << (_LANE * drawn) for drawn in range(min(limit, LONGEST_DRAW + 1)))


@lru_cache(maxsize=256)
def any_number(copies: int) -> int:
    """The polynomial of drawing any number of a value of which there are `copies`."""
    return fewer_than(LONGEST_DRAW + 1, copies)


def ways_in(polynomial: int, drawn: int) -> int:
    """The coefficient of x^drawn: in how many ways so many cards can be drawn."""
    return (polynomial >> (_LANE * drawn)) & _LANE_MASK
