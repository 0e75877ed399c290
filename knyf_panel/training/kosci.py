"""Kości solved: the value of every place of a sheet, and what the best player gets, exactly.

Backward induction over the 359,616 places of `engine/kosci/values.py`, those with the fewest free categories first.
A batch of places is worked out at once: each row of an array belongs to a multiset of kept dice, each column to a
place. A turn then costs six additions for each keep and roll (what the next die shows), and as many comparisons for
each keep as it has different dice (whether to let one of them go).

    python -m knyf_panel.training.kosci                     the figures of the best player
    python -m knyf_panel.training.kosci --output FILE       and the table for the engine
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from knyf_panel.engine.kosci.odds import FIVE_DICE
from knyf_panel.engine.kosci.rules import (
    CATEGORIES,
    DICE,
    JOKER_BONUS,
    LOWER,
    PREMIUM,
    ROLLS,
    ROUNDS,
    UPPER,
    joker_points,
    points_for,
    premium,
)
from knyf_panel.engine.kosci.values import (
    FIFTY,
    FREE,
    OTHER_LOWER,
    PLACES,
    STEPS,
    UPPER_NUMBER,
    UPPER_PLACES,
    Place,
    after,
    load_values,
    pack_values,
)

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
Points: TypeAlias = int | Floats
Progress: TypeAlias = Callable[[int, int], object]  # places done, places in all

BATCH = 4096  # places at once: enough to keep numpy busy, few enough for the caches of a processor


@dataclass(frozen=True)
class Rules:
    """What a general may be used for once `general` is used. The defaults are our rulebook's."""

    joker: bool = True  # if the upper category of its number is used too, it scores in every lower one
    may_decline: bool = True  # such a joker may be written as an ordinary roll instead
    upper_first: bool = False  # while the upper category of its number is free, it has to go there
    bonus: int = JOKER_BONUS  # if `general` was written for 50
    only_jokers_are_paid: bool = True


OURS = Rules()
VARIANTS = {  # what the literature has solved, and what it found
    "no joker, no bonus": (Rules(joker=False, bonus=0), 245.8708),
    "forced joker": (Rules(may_decline=False, upper_first=True, only_jokers_are_paid=False), 254.5877),
    "free-choice joker": (Rules(only_jokers_are_paid=False), 254.5896),
}


def solve(rules: Rules = OURS, progress: Progress | None = None) -> Floats:
    """The value of every place, by number: the points that the best player still gets on average."""
    values = _ends()
    _induct(values[np.newaxis], rules, progress)
    return values


@dataclass(frozen=True)
class Results:
    """What is to come from each place, by number: points, their square, and the premium among them, on average."""

    mean: Floats
    mean_square: Floats
    premium: Floats

    @property
    def deviation(self) -> float:
        """The standard deviation of the points of a whole game."""
        return sqrt(self.mean_square[0] - self.mean[0] ** 2)


def follow(guide: Floats, rules: Rules = OURS, progress: Progress | None = None) -> Results:
    """What a player really gets who chooses by these values."""
    ends = _ends()
    table = np.stack([guide, ends, ends**2, ends])
    _induct(table, rules, progress)
    return Results(*table[1:])


# ---- Places, many at once --------------------------------------------------------------------------------------------


class Ground:
    """The places in the order of their numbers, and where each writing leads from all of them."""

    def __init__(self) -> None:
        lowers = [Place(general, lower) for general in range(3) for lower in range(2 ** len(OTHER_LOWER))]
        uppers = [Place(FREE, 0, *upper_place) for upper_place in UPPER_PLACES]
        self.general = np.repeat([place.general for place in lowers], len(uppers))
        self.points = np.tile([place.points for place in uppers], len(lowers))
        self.free = {
            **{name: np.tile([place.is_free(name) for place in uppers], len(lowers)) for name in UPPER},
            **{name: np.repeat([place.is_free(name) for place in lowers], len(uppers)) for name in LOWER},
        }
        self.filled = ROUNDS - np.sum(list(self.free.values()), axis=0)

    @cache  # noqa: B019 - there is one ground
    def step(self, category: str, points: int) -> Numbers:
        """What writing these points adds to the number of each upper place; the lower place adds the same to all."""
        if category not in UPPER:
            return np.full(len(UPPER_PLACES), after(Place(), category, points).number)
        steps = []
        for number, upper_place in enumerate(UPPER_PLACES):
            new = after(Place(FREE, 0, *upper_place), category, points)
            steps.append(UPPER_NUMBER.get((new.upper, new.points), number) - number)
        return np.array(steps)


GROUND = Ground()


def _ends() -> Floats:
    """The value of the places at the end of a game, which is the premium; 0 for the others."""
    values = np.zeros(PLACES)
    for number in np.flatnonzero(GROUND.filled == ROUNDS):
        values[number] = premium(int(GROUND.points[number]))
    return values


def _induct(table: Floats, rules: Rules, progress: Progress | None) -> None:
    """Fills the table in, from the ends of the game to its beginning.

    The rows of the table are one, the values that are looked for, or several: values to choose by, which are known,
    and what comes of choosing so, which is looked for.
    """
    sought = slice(0, 1) if len(table) == 1 else slice(1, None)
    done = int(np.sum(GROUND.filled == ROUNDS))
    for filled in range(ROUNDS - 1, -1, -1):
        level = np.flatnonzero(GROUND.filled == filled)
        for numbers in np.array_split(level, -(-len(level) // BATCH)):
            table[sought, numbers] = Turn(table, rules, numbers).value()[sought]
            done += len(numbers)
            if progress:
                progress(done, PLACES)


# ---- A turn ----------------------------------------------------------------------------------------------------------

# The best of a few categories is the same for many hands: three upper ones have 56 rows of points, the lower ones 100.
_MENUS = (tuple(UPPER)[:3], tuple(UPPER)[3:], LOWER)
_POINTS = {
    menu: [tuple(points_for(category, hand) for category in menu) for hand in FIVE_DICE.hands] for menu in _MENUS
}
_UPPER_OF_VALUE = {value: category for category, value in UPPER.items()}


class Turn:
    """One turn from each place of a batch. `kept` has a row for each of FIVE_DICE.keeps; the last ones are hands."""

    def __init__(self, table: Floats, rules: Rules, numbers: Numbers) -> None:
        self.table, self.rules, self.numbers = table, rules, numbers
        self.general = GROUND.general[numbers]
        self.free = {category: free[numbers] for category, free in GROUND.free.items()}
        self.kept = np.empty((len(FIVE_DICE.keeps), len(table), len(numbers)))

    def value(self) -> Floats:
        """For each row of the table, the mean over all that the dice may show."""
        self._write()
        for _ in range(ROLLS - 1):
            self._roll()
            self._choose()
        self._roll()
        nothing_kept: Floats = self.kept[0]
        return nothing_kept

    def _roll(self) -> None:
        """The mean over what the next die shows, for ever fewer kept dice."""
        kept = self.kept
        for keep in range(FIVE_DICE.first_hand - 1, -1, -1):
            first, second, *others = FIVE_DICE.one_more[keep]
            total = np.add(kept[first], kept[second], out=kept[keep])
            for other in others:
                np.add(total, kept[other], out=total)
            np.multiply(total, 1 / 6, out=total)

    def _choose(self) -> None:
        """For each hand the best part of it to keep: a keep hands it on to those with one die more.

        A hand as a whole stays worth what it was with a roll less. That is right, for a roll more does not harm.
        """
        for keep, smaller_keeps in enumerate(FIVE_DICE.one_fewer):
            for smaller in smaller_keeps:
                _improve(self.kept[keep], self.kept[smaller])

    def _write(self) -> None:
        """For each hand the best category to write it into."""
        hands = self.kept[FIVE_DICE.first_hand :]
        hands[:, 0] = -np.inf
        for menu, points in _POINTS.items():
            written = {
                (category, score): self._written(category, score)
                for category, scores in zip(menu, zip(*points, strict=True), strict=True)
                for score in set(scores)
            }
            best = {row: _best([written[cell] for cell in zip(menu, row, strict=True)]) for row in set(points)}
            for hand, row in zip(hands, points, strict=True):
                _improve(hand, best[row])
        for value in UPPER.values():
            dice = (value,) * DICE
            hands[FIVE_DICE.hands.index(dice)] = self._write_general(dice)

    def _write_general(self, dice: tuple[int, ...]) -> Floats:
        """Five equal dice: the best of all ways to write them as an ordinary roll or as a joker."""
        upper = _UPPER_OF_VALUE[dice[0]]
        used = self.general != FREE
        is_joker = used & ~self.free[upper] & self.rules.joker
        must_go_up = used & self.free[upper] & self.rules.upper_first
        no_lower_left = ~np.logical_or.reduce([self.free[category] for category in LOWER])
        pay = self.rules.bonus * (self.general == FIFTY).astype(float)
        best: Floats = np.full_like(self.kept[0], -np.inf)
        for category in CATEGORIES:
            points = points_for(category, dice)
            plain = ~must_go_up | (category == upper)
            plain &= ~is_joker | self.rules.may_decline
            _improve(best, self._written(category, points, plain, 0.0 if self.rules.only_jokers_are_paid else pay))
            joker = is_joker & (category in LOWER or no_lower_left)
            if joker.any():
                _improve(best, self._written(category, joker_points(category, dice), joker, pay))
        return best

    def _written(self, category: str, points: int, allowed: Mask | None = None, pay: float | Floats = 0.0) -> Floats:
        """These points and what is to come after them; minus infinity where they cannot be written there."""
        step = GROUND.step(category, points)[self.numbers % len(UPPER_PLACES)]
        written: Floats = self.table.take(self.numbers + step, axis=1, mode="clip")
        gain = points + pay
        if len(written) > 1:  # the third row is the square of gain + rest
            written[2] += gain * (gain + 2 * written[1])
        written[:2] += gain
        written[0, ~self.free[category]] = -np.inf
        if allowed is not None:
            written[0, ~allowed] = -np.inf
        return written


def _best(alternatives: Sequence[Floats]) -> Floats:
    best = alternatives[0].copy()
    for alternative in alternatives[1:]:
        _improve(best, alternative)
    return best


def _improve(best: Floats, other: Floats) -> None:
    """Where the first row of the other is higher, all its rows take the place of the best so far."""
    if len(best) == 1:
        np.maximum(best, other, out=best)
    else:
        np.copyto(best, other, where=other[0] > best[0])


# ---- The command -----------------------------------------------------------------------------------------------------


class Steps:
    """Tells what is being done and how far it is, one line for each step."""

    def __init__(self, name: str) -> None:
        self.name, self.start = name, time.perf_counter()

    def __call__(self, done: int, of: int) -> None:
        end = "\n" if done == of else "\r"
        print(f"{self.name}: {done:,} of {of:,} places, {time.perf_counter() - self.start:.0f} s", end=end, flush=True)


def show_variants() -> None:
    for name, (rules, published) in VARIANTS.items():
        print(f"{name}: {solve(rules, Steps(name))[0]:.4f}, published: {published}")


def write_table(values: Floats, premium: Floats, path: Path) -> None:
    """Writes the table, reads it again, and tells what a player loses by its rounding."""
    data = pack_values(values.tolist(), premium.tolist())
    path.write_bytes(data)
    read = np.array(load_values(data).steps) / STEPS
    loss = values[0] - follow(read, OURS, Steps("playing by the table")).mean[0]
    print(f"{path}: {len(data):,} bytes; rounded by at most {abs(read - values).max():.5f} points")
    print(f"who plays by it loses {loss:.7f} points in a game")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the table for the engine")
    parser.add_argument("--variants", action="store_true", help="solve the variants with published values too")
    arguments = parser.parse_args()
    values = solve(OURS, Steps("solving"))
    results = follow(values, OURS, Steps("playing best"))
    print(f"best player: {values[0]:.4f} points, standard deviation {results.deviation:.4f}")
    print(
        f"of which the premium: {results.premium[0]:.4f}, so it is won in {results.premium[0] / PREMIUM:.2%} of games"
    )
    if arguments.output:
        write_table(values, results.premium, arguments.output)
    if arguments.variants:
        show_variants()


if __name__ == "__main__":
    main()
