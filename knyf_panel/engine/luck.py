"""Seeded luck: dice and shuffles that come out alike on every Python, so that a link deals everybody the same game.

There is no hidden generator state. Each roll or shuffle has a *place* in the game (turn 12, second roll), and its
outcome is a function of the seed and the place. Pupils who share a seed therefore meet the same first roll in every
turn, whatever they did with the turn before.

The numbers come from SplitMix64 (Steele, Lea and Flood 2014): 64-bit arithmetic that needs nothing of the platform.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio, made odd: steps through all 64-bit words


def roll(count: int, seed: int, *place: int) -> tuple[int, ...]:
    """`count` dice, sorted."""
    words = _words(seed, *place)
    return tuple(sorted([_below(6, words) + 1 for _ in range(count)]))


def shuffled(cards: Sequence[int], seed: int, *place: int) -> tuple[int, ...]:
    """The cards in random order, every order equally likely (Fisher and Yates)."""
    words, pile = _words(seed, *place), list(cards)
    for last in range(len(pile) - 1, 0, -1):
        other = _below(last + 1, words)
        pile[last], pile[other] = pile[other], pile[last]
    return tuple(pile)


def _words(seed: int, *place: int) -> Iterator[int]:
    """An endless stream of 64-bit words that belongs to this seed and place."""
    key = _mix(seed & _MASK)
    for number in place:
        key = _mix((key + _GOLDEN * (number + 1)) & _MASK)
    while True:
        key = (key + _GOLDEN) & _MASK
        yield _mix(key)


def _mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


def _below(limit: int, words: Iterator[int]) -> int:
    """A number from 0 to limit − 1, all equally likely: words beyond the last multiple of limit are passed over."""
    fair = 2**64 - 2**64 % limit
    return next(word for word in words if word < fair) % limit
