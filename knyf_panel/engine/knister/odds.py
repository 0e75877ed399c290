"""Knister: the exact chance of every combination in a line, and the numbers to put into it.

A line is the numbers in it, in any order, and each roll is either put into it or somewhere else. As far as one goal is
concerned, many lines have the same future: 1365 lines that are not full have, for all eight combinations and the points
together, fewer than nine hundred different ones. Each is worked out once, in whole numbers over 36^rolls, and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from operator import le
from typing import TypeAlias

from knyf_panel.engine.chance import Chance
from knyf_panel.engine.checks import whole_number
from knyf_panel.engine.errors import BadQuestion
from knyf_panel.engine.knister.rules import (
    COMBINATIONS,
    HIGHEST_SUM,
    LINES,
    LOWEST_SUM,
    ROUNDS,
    SHAPES,
    SIDE,
    check_sums,
    combination_of,
    score_line,
)
from knyf_panel.engine.multiset import VALUES

SUMS = tuple(range(LOWEST_SUM, HIGHEST_SUM + 1))
WAYS = {number: sum(number - die in VALUES for die in VALUES) for number in SUMS}  # of rolling each sum, of 36

SHAPE_OF = {combination: shape for shape, combination in SHAPES.items()}
RUNS = tuple(frozenset(range(low, low + SIDE)) for low in range(LOWEST_SUM, HIGHEST_SUM - SIDE + 2))
STRAIGHTS = {
    "straight_with_7": tuple(run for run in RUNS if 7 in run),
    "straight_without_7": tuple(run for run in RUNS if 7 not in run),
}

Numbers: TypeAlias = tuple[int, ...]  # sorted
Line: TypeAlias = tuple[int | None, ...]  # the numbers in order, then None for each empty cell
LineKey: TypeAlias = tuple[str, int]  # ("row", 0), ("column", 3), ("diagonal", 1)


@dataclass(frozen=True, slots=True)
class Question:
    """Will the line end as exactly this combination, the best that its five numbers make?"""

    combination: str
    line: Line
    rolls_left: int

    def __post_init__(self) -> None:
        if self.combination not in COMBINATIONS:
            raise BadQuestion("unknown_combination", combination=self.combination)
        object.__setattr__(self, "line", _check_line(self.line))
        object.__setattr__(self, "rolls_left", _check_rolls(self.rolls_left))


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChance(Chance):
    """The chance of a combination, and the numbers to put into the line if one of them is rolled next."""

    question: Question
    accept: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class LineValue:
    """The highest expected points of a line, undoubled, and the numbers to put into it for them.

    A value of its own beside the chances: it belongs to the whole line, not to one of its combinations.
    """

    line: Line
    rolls_left: int
    expected: Fraction
    accept: Numbers


def odds(line: Sequence[int | None], rolls_left: int) -> dict[str, LineChance]:
    """The highest chance of every combination, if each roll may be put into the line or somewhere else, as it comes."""
    cells = _check_line(line)
    return {combination: chance(Question(combination, cells, rolls_left)) for combination in COMBINATIONS}


def odds_after(line: Sequence[int | None], number: int, rolls_left: int) -> dict[str, LineChance]:
    """The odds if the next of the rolls left shows this number and it is put into the line."""
    filled = numbers_of(_check_line(line))
    if len(filled) == SIDE:
        raise BadQuestion("no_empty_cell", line=filled)
    if not _check_rolls(rolls_left):
        raise BadQuestion("no_rolls_left")
    return odds((*filled, number, *[None] * (SIDE - len(filled) - 1)), rolls_left - 1)


def chance(question: Question) -> LineChance:
    """The highest chance of one combination."""
    prospects, filled = becoming(question.combination), numbers_of(question.line)
    return LineChance(
        probability=prospects.worth(filled, question.rolls_left),
        question=question,
        accept=prospects.accept(filled, question.rolls_left),
    )


def expected(line: Sequence[int | None], rolls_left: int) -> LineValue:
    """The highest expected points of the line."""
    cells, rolls = _check_line(line), _check_rolls(rolls_left)
    prospects, filled = points(), numbers_of(cells)
    return LineValue(
        line=cells,
        rolls_left=rolls,
        expected=prospects.worth(filled, rolls),
        accept=prospects.accept(filled, rolls),
    )


def grid_odds(
    rows: Sequence[Sequence[int | None]], rolls_left: int | None = None
) -> dict[LineKey, dict[str, LineChance]]:
    """The odds of the twelve lines, each for itself; a roll is left for each empty cell, unless told otherwise."""
    lines, empty = _lines_of(rows)
    return {key: odds(line, empty if rolls_left is None else rolls_left) for key, line in lines.items()}


def grid_expected(rows: Sequence[Sequence[int | None]], rolls_left: int | None = None) -> dict[LineKey, LineValue]:
    """The expected points of the twelve lines, each for itself, diagonals undoubled."""
    lines, empty = _lines_of(rows)
    return {key: expected(line, empty if rolls_left is None else rolls_left) for key, line in lines.items()}


def next_sum() -> dict[int, Fraction]:
    """The distribution of the next roll."""
    return {number: Fraction(ways, sum(WAYS.values())) for number, ways in WAYS.items()}


class Prospect:
    """One future of a line: which futures the next roll can lead to, and in how many ways.

    `values[r]` is the highest expected worth with r rolls left, a whole number `possible ** r` times too large.
    """

    __slots__ = ("branches", "possible", "values")

    def __init__(self, branches: tuple[tuple[int, Prospect], ...], possible: int, worth: int = 0) -> None:
        self.branches = branches  # none when the line is full, or nothing can come of it any more
        self.possible = possible
        self.values = [worth]

    def value(self, rolls: int) -> int:
        if len(self.values) <= rolls:
            self._grow(rolls)
        return self.values[rolls]

    def _grow(self, rolls: int) -> None:
        values = self.values
        for _, prospect in self.branches:
            prospect.value(rolls - 1)
        while len(values) <= rolls:
            stay, before = values[-1], len(values) - 1
            if self.branches:
                nexts = [(ways, prospect.values[before]) for ways, prospect in self.branches]
                values.append(sum([ways * (go if go > stay else stay) for ways, go in nexts]))
            else:
                values.append(stay * self.possible)


class Prospects:
    """The futures of all lines with regard to one goal, which is told by what each full line is worth.

    Lines are merged from the full ones backwards: if the next roll leads two lines to the same futures in as many ways,
    they have the same future themselves. Nothing is lost, as the value of a future depends on nothing else. That 3 3
    and 11 11 are mirror images, or that it is all the same to a four which number stands beside it, need not be told.
    """

    def __init__(
        self,
        end_worth: Callable[[Numbers], int],
        cells: int,
        ways: Mapping[int, int],
        is_open: Callable[[Numbers], bool] = lambda _: True,
    ) -> None:
        self.cells = cells
        self.numbers, self.ways = tuple(ways.keys()), tuple(ways.values())
        self.possible = sum(self.ways)
        self._end_worth = end_worth
        self._is_open = is_open  # False for lines, not full, that are known to come to nothing: it saves following them
        self._ends: dict[int, Prospect] = {}
        self._merged: dict[frozenset[tuple[Prospect, int]], Prospect] = {}
        self._of_line: dict[Numbers, Prospect] = {}

    def worth(self, filled: Numbers, rolls: int) -> Fraction:
        return Fraction(self.of(filled).value(rolls), self.possible**rolls)

    def accept(self, filled: Numbers, rolls: int) -> Numbers:
        """The numbers to put into the line if rolled now: those that leave no less than waiting does.

        All of them when there are just as many rolls as cells; none when nothing can come of the line.
        """
        if not rolls or len(filled) == self.cells:
            return ()
        no_choice = rolls == self.cells - len(filled)
        wait = self.of(filled).value(rolls - 1)
        worths = [self.of(line).value(rolls - 1) for line in one_more(filled, self.numbers)]
        numbers = zip(self.numbers, worths, strict=True)
        return tuple([number for number, worth in numbers if worth >= wait and (worth or no_choice)])

    def of(self, filled: Numbers) -> Prospect:
        prospect = self._of_line.get(filled)
        if prospect is None:
            prospect = self._of_line[filled] = self._find(filled)
        return prospect

    def _find(self, filled: Numbers) -> Prospect:
        if len(filled) == self.cells:
            return self._end(self._end_worth(filled))
        if not self._is_open(filled):
            return self._end(0)
        ways: dict[Prospect, int] = {}
        for line, ways_of_number in zip(one_more(filled, self.numbers), self.ways, strict=True):
            prospect = self.of(line)
            ways[prospect] = ways.get(prospect, 0) + ways_of_number
        if len(ways) == 1 and self._end(0) in ways:  # whatever comes, nothing comes of it
            return self._end(0)
        key = frozenset(ways.items())
        if key not in self._merged:
            self._merged[key] = Prospect(tuple((count, prospect) for prospect, count in ways.items()), self.possible)
        return self._merged[key]

    def _end(self, worth: int) -> Prospect:
        if worth not in self._ends:
            self._ends[worth] = Prospect((), self.possible, worth)
        return self._ends[worth]


@lru_cache(maxsize=2048)  # room for the 1365 lines that are not full
def one_more(filled: Numbers, numbers: Numbers) -> tuple[Numbers, ...]:
    """The line with each of the numbers put into it."""
    return tuple([tuple(sorted((*filled, number))) for number in numbers])


@cache  # eight combinations
def becoming(combination: str) -> Prospects:
    """The futures of lines that are to become this combination."""
    return Prospects(
        lambda line: int(_combination(line) == combination), SIDE, WAYS, lambda filled: can_become(combination, filled)
    )


_combination = lru_cache(maxsize=4096)(combination_of)  # asked about the same 3003 full lines by each combination


def can_become(combination: str, filled: Numbers) -> bool:
    """Whether a line with these numbers, not full, can still become the combination, if the right numbers come."""
    if combination in STRAIGHTS:
        return len(set(filled)) == len(filled) and any(run.issuperset(filled) for run in STRAIGHTS[combination])
    return _fits_into(_shape(filled), SHAPE_OF[combination])


@lru_cache(maxsize=2048)  # the lines that are not full, asked about by each combination
def _shape(filled: Numbers) -> tuple[int, ...]:
    """How often the numbers occur, most frequent first, as in the rules."""
    return tuple(sorted(map(filled.count, set(filled)), reverse=True))


@cache  # few shapes
def _fits_into(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Frequencies only grow and numbers only join: the most frequent may not exceed the most frequent, and so on."""
    return len(shape) <= len(target) and all(map(le, shape, target))


@cache
def points() -> Prospects:
    """The futures of lines that are to bring many points."""
    return Prospects(score_line, SIDE, WAYS)


def numbers_of(line: Iterable[int | None]) -> Numbers:
    return tuple([number for number in line if number is not None])


def _check_line(line: Sequence[int | None]) -> Line:
    try:
        cells = tuple(line)
    except TypeError:
        raise BadQuestion("not_whole_numbers", values=line) from None
    if len(cells) != SIDE:
        raise BadQuestion("wrong_length_of_line", length=len(cells), expected=SIDE)
    filled = check_sums(numbers_of(cells))
    return (*filled, *[None] * (SIDE - len(filled)))


def _check_rolls(rolls_left: int) -> int:
    rolls = whole_number(rolls_left, BadQuestion)
    if not 0 <= rolls <= ROUNDS:
        raise BadQuestion("rolls_out_of_range", rolls_left=rolls, lowest=0, highest=ROUNDS)
    return rolls


def _lines_of(rows: Sequence[Sequence[int | None]]) -> tuple[dict[LineKey, Line], int]:
    """The twelve lines of a grid, and how many of its cells are empty."""
    if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
        raise BadQuestion("wrong_size_of_grid", rows=len(rows), expected=SIDE)
    cells = [cell for row in rows for cell in row]
    return {key: tuple([cells[place] for place in places]) for key, places in LINES.items()}, cells.count(None)
