"""Simulation: the same questions as the odds, asked of repeated play, to set beside the exact answer.

A simulation yields running tallies, one per chunk of trials, so that a page can show progress and stop when it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import NormalDist

from knyf_panel.engine.checks import whole_number
from knyf_panel.engine.errors import BadQuestion


@dataclass(frozen=True, slots=True)
class Tally:
    """How often the event happened in `trials` independent trials."""

    trials: int
    successes: int

    @property
    def frequency(self) -> Fraction:
        return Fraction(self.successes, self.trials)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The Wilson interval: unlike the textbook one it never leaves 0 … 1 and is honest about rare events."""
        if not 0 < confidence < 1:
            raise BadQuestion("confidence_out_of_range", confidence=confidence)
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        n, p = self.trials, self.successes / self.trials
        centre = p + z * z / (2 * n)
        margin = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        scale = 1 + z * z / n
        # Without successes the lower end is exactly 0, without failures the upper is exactly 1; rounding may miss it.
        low = (centre - margin) / scale if self.successes else 0.0
        high = (centre + margin) / scale if self.successes < n else 1.0
        return low, high


def run(trial: Callable[[Random], bool], trials: int, seed: int, chunk: int = 1000) -> Iterator[Tally]:
    """Running tallies of `trial`, one after each `chunk` of trials (the last chunk may be shorter)."""
    # The checks come at the call; a generator function would make them wait until the first tally is asked for.
    generator = Random(whole_number(seed, BadQuestion))
    return _tallies(trial, _positive("trials", trials), generator, _positive("chunk", chunk))


def _tallies(trial: Callable[[Random], bool], trials: int, generator: Random, chunk: int) -> Iterator[Tally]:
    done = successes = 0
    while done < trials:
        size = min(chunk, trials - done)
        successes += sum(trial(generator) for _ in range(size))
        done += size
        yield Tally(done, successes)


def _positive(name: str, value: int) -> int:
    number = whole_number(value, BadQuestion)
    if number < 1:
        raise BadQuestion("not_a_positive_number", name=name, value=number)
    return number
