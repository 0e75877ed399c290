"""Chance: what an odds query answers, and the forms in which it can say how it comes about.

Every probability is an exact `Fraction`. The forms of explanation carry numbers only; `knyf_panel.texts` has the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """The highest probability of an event, over all ways of playing. Each game adds the first move that reaches it."""

    probability: Fraction
    lower_bound: bool = False  # True where the value is that of the best fixed plan, not of the best play

    @property
    def percent(self) -> Fraction:
        return 100 * self.probability

    @property
    def one_in(self) -> Fraction | None:
        """The n of "one in n"; None for an impossible event."""
        return 1 / self.probability if self.probability else None


@dataclass(frozen=True, slots=True)
class Certain:
    """The event has happened already."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """No way of playing brings the event about."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Equally likely outcomes, counted: `favourable` of `possible`."""

    favourable: int
    possible: int

    @property
    def probability(self) -> Fraction:
        return Fraction(self.favourable, self.possible)


@dataclass(frozen=True, slots=True)
class Hypergeometric:
    """At least `at_least` of the `matching` among `population` cards when `drawn` are drawn without replacement."""

    matching: int
    population: int
    drawn: int
    at_least: int

    @property
    def terms(self) -> tuple[Counted, ...]:
        """One term for each number of matching cards that suffices: C(m, i) · C(N − m, n − i) of C(N, n)."""
        others, possible = self.population - self.matching, comb(self.population, self.drawn)
        return tuple(
            Counted(comb(self.matching, i) * comb(others, self.drawn - i), possible)
            for i in range(self.at_least, min(self.matching, self.drawn) + 1)
        )

    @property
    def probability(self) -> Fraction:
        return sum((term.probability for term in self.terms), Fraction(0))


@dataclass(frozen=True, slots=True)
class Binomial:
    """At least `at_least` successes in `trials` independent trials, each with probability `success`."""

    trials: int
    success: Fraction
    at_least: int

    @property
    def terms(self) -> tuple[Fraction, ...]:
        """One term for each number of successes that suffices: C(n, i) · p^i · (1 − p)^(n − i)."""
        n, p = self.trials, self.success
        return tuple(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(self.at_least, n + 1))

    @property
    def probability(self) -> Fraction:
        return sum(self.terms, Fraction(0))


@dataclass(frozen=True, slots=True)
class Branch:
    """One thing that can happen after the first move: how likely it is, and the best chance from there."""

    outcome: tuple[int, ...]  # what came: the cards or dice that matter, or the sum that was rolled
    probability: Fraction
    then: Fraction


@dataclass(frozen=True, slots=True)
class Steps:
    """A recursion: the best first move, then the sum over what can happen of P(outcome) · P(success from there)."""

    branches: tuple[Branch, ...]

    @property
    def probability(self) -> Fraction:
        return sum((branch.probability * branch.then for branch in self.branches), Fraction(0))


Explanation: TypeAlias = Certain | Impossible | Counted | Hypergeometric | Binomial | Steps
