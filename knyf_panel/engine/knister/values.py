"""Knister: what a grid is worth, which is the points that a strong player ends with from it on average.

A grid is worth the sum of what its twelve lines are worth, and a line is worth what a table says for its numbers, its
part in the *plan* and the number of empty cells. The plan is what training has found to pay: the numbers of a column
are equal modulo 5 (5 and 10, 6 and 11, …), which makes full houses, and any five consecutive numbers are of five
different columns, so that rows and diagonals can still become straights. A grid that has its parts elsewhere, turned
about or with high and low numbers exchanged, is worth the same: the plan that fits a grid best is taken.

`python -m knyf_panel.training.knister` works the table out and writes it, `load_values` reads it, `use_values` makes it
known. Everything here is in whole *steps* of a point, so that every Python chooses alike.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from operator import sub
from typing import TypeAlias

from knyf_panel.engine.errors import NoValues
from knyf_panel.engine.knister.odds import SUMS, WAYS
from knyf_panel.engine.knister.rules import CELLS, DIAGONAL_FACTOR, LINES, SIDE, score_line

# ---- Lines -----------------------------------------------------------------------------------------------------------

LINE_KEYS = tuple(LINES)
FACTORS = tuple(DIAGONAL_FACTOR if kind == "diagonal" else 1 for kind, _ in LINE_KEYS)
THROUGH = tuple(tuple(line for line, key in enumerate(LINE_KEYS) if cell in LINES[key]) for cell in range(CELLS))
SHARING = tuple(  # for each cell the others in its lines
    frozenset(other for other in range(CELLS) if other != cell and set(THROUGH[cell]) & set(THROUGH[other]))
    for cell in range(CELLS)
)

# A line that is not full has one of 1365 contents, whatever their order; all full lines count as one more.
CONTENTS = tuple(numbers for size in range(SIDE) for numbers in combinations_with_replacement(SUMS, size))
FULL = len(CONTENTS)
CONTENT_NUMBER = {numbers: number for number, numbers in enumerate(CONTENTS)}

Steps: TypeAlias = Sequence[int]
Contents: TypeAlias = Sequence[int]  # of the twelve lines, as numbers in CONTENTS
Gains: TypeAlias = Sequence[int]  # in steps, for each of the sums from 2 to 12

STEPS = 16  # to the point


@cache
def following() -> tuple[tuple[int, ...], ...]:
    """For each content that is not full: what it becomes with each of the sums."""
    return tuple([tuple([_number((*numbers, added)) for added in SUMS]) for numbers in CONTENTS])


@cache
def finishing() -> dict[int, tuple[int, ...]]:
    """For each content of four numbers: the points, in steps and undoubled, when each of the sums makes it full."""
    return {
        number: tuple([STEPS * score_line((*numbers, added)) for added in SUMS])
        for number, numbers in enumerate(CONTENTS)
        if len(numbers) == SIDE - 1
    }


@cache
def mirrored() -> tuple[int, ...]:
    """For each content the one with every n exchanged for 14 − n, which is rolled as often and scores the same."""
    return (*[_number([SUMS[0] + SUMS[-1] - number for number in numbers]) for numbers in CONTENTS], FULL)


def _number(numbers: Sequence[int]) -> int:
    return CONTENT_NUMBER.get(tuple(sorted(numbers)), FULL)


def contents_of(cells: Sequence[int | None]) -> list[int]:
    """The contents of the twelve lines of a grid."""
    return [_number([number for cell in line if (number := cells[cell]) is not None]) for line in LINES.values()]


# ---- The table -------------------------------------------------------------------------------------------------------

_HEADER = b"knyf_panel knister values 1\n"
STAGES = (1, 2, 3, 4, 5, 6, 8, 11, 14, 17, 20, 24)  # numbers of empty cells in the file; between them, straight lines
_ZERO, _BYTE = 80, 2**8  # the byte that stands for no points: a line can be a hindrance and worth less than nothing
_LENGTH = len(STAGES) * len(LINE_KEYS) * FULL


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """For each stage of the file and each line of the plan the value of every content, as bytes."""

    tables: dict[int, tuple[bytes, ...]]
    _stages: dict[int, tuple[Steps, ...]] = field(default_factory=dict)

    def stage(self, empty: int) -> tuple[Steps, ...]:
        """For each line of the plan the value of every content, in steps, when so many cells of the grid are empty."""
        if empty not in self._stages:
            self._stages[empty] = tuple([[*steps, 0] for steps in self._lines(empty)])  # a full line has its points
        return self._stages[empty]

    def _lines(self, empty: int) -> Iterator[Steps]:
        if not empty:
            yield from [[0] * FULL] * len(LINE_KEYS)
            return
        later = max(stage for stage in STAGES if stage <= empty)
        earlier = min(stage for stage in STAGES if stage >= empty)
        width, right = max(1, earlier - later), empty - later
        for low, high, factor in zip(self.tables[later], self.tables[earlier], FACTORS, strict=True):
            yield [
                ((a - _ZERO) * (width - right) + (b - _ZERO) * right) * factor // width
                for a, b in zip(low, high, strict=True)
            ]


def pack_values(values: Sequence[Sequence[Sequence[float]]]) -> bytes:
    """The file that `load_values` reads, from the value of every content by number of empty cells and line."""
    tables = [
        [_byte(value / factor) for value in values[stage][line][:FULL]]
        for stage in STAGES
        for line, factor in enumerate(FACTORS)
    ]
    flat = bytes(number for table in tables for number in table)
    return _HEADER + zlib.compress(_differences(flat), 9)


def load_values(data: bytes) -> Values:
    """The table that `pack_values` has packed."""
    if not data.startswith(_HEADER):
        raise NoValues("damaged_values")
    try:
        flat = zlib.decompress(data[len(_HEADER) :])
    except zlib.error as damage:
        raise NoValues("damaged_values") from damage
    if len(flat) != _LENGTH:
        raise NoValues("damaged_values")
    stage, previous = len(LINE_KEYS) * FULL, bytes(len(LINE_KEYS) * FULL)
    tables = {}
    for number, empty in enumerate(STAGES):
        changes = flat[number * stage : (number + 1) * stage]
        previous = bytes([(a + b) % _BYTE for a, b in zip(previous, changes, strict=True)])
        tables[empty] = tuple([previous[line * FULL : (line + 1) * FULL] for line in range(len(LINE_KEYS))])
    return Values(tables)


def _byte(points: float) -> int:
    return min(max(round(points * STEPS) + _ZERO, 0), _BYTE - 1)


def _differences(flat: bytes) -> bytes:
    """From stage to stage, which are small and repeat."""
    before = bytes(len(LINE_KEYS) * FULL) + flat
    return bytes([change % _BYTE for change in map(sub, flat, before)])


_in_use: list[Values] = []


def use_values(values: Values | None) -> None:
    """From now on the coach and the strong player go by this table; None takes it away again."""
    _in_use[:] = [] if values is None else [values]


def values_in_use() -> Values:
    if not _in_use:
        raise NoValues("values_not_loaded")
    return _in_use[0]


# ---- Plans -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """One of the 64 ways to lay the plan over a grid: which part each line plays, and whether numbers are mirrored."""

    parts: tuple[int, ...]
    mirror: bool

    def contents(self, contents: Contents) -> Contents:
        return [mirrored()[number] for number in contents] if self.mirror else contents

    def place(self, number: int) -> int:
        """Where the sum stands among the sums of the plan."""
        return SUMS[-1] - number if self.mirror else number - SUMS[0]

    def tables(self, values: Values, empty: int) -> list[Steps]:
        stage = values.stage(empty)
        return [stage[part] for part in self.parts]


@cache
def plans() -> tuple[Plan, ...]:
    """Every way to exchange cells that keeps lines lines and diagonals diagonals, each with and without mirror."""
    ways = [tuple([_cell(cell, *way) for cell in range(CELLS)]) for way in product(_orders(), (0, 1), (0, 1))]
    line_of = {frozenset(cells): line for line, cells in enumerate(LINES.values())}
    parts = [tuple([line_of[frozenset(way[cell] for cell in cells)] for cells in LINES.values()]) for way in ways]
    return tuple([Plan(part, bool(mirror)) for mirror in (0, 1) for part in parts])


def _orders() -> list[tuple[int, ...]]:
    """The orders of rows, and with them of columns, that keep opposite ones opposite and so the diagonals whole."""
    last = SIDE - 1
    return [
        order
        for order in permutations(range(SIDE))
        if all(order[place] + order[last - place] == last for place in range(SIDE))
    ]


def _cell(cell: int, order: tuple[int, ...], flip: int, turn: int) -> int:
    row, column = divmod(cell, SIDE)
    row, column = order[row], order[SIDE - 1 - column if flip else column]
    return SIDE * column + row if turn else SIDE * row + column


# ---- A grid under a plan ---------------------------------------------------------------------------------------------


def gains(table: Steps, content: int, factor: int) -> Gains:
    """What a line gains or loses, in steps, by each of the sums written into it."""
    here = table[content]
    if content in finishing():
        return [factor * points - here for points in finishing()[content]]
    return [table[number] - here for number in following()[content]] if content != FULL else [0] * len(SUMS)


def sum_gains(lines: Sequence[Gains], through: Sequence[int]) -> Gains:
    """What all the lines through a cell gain, by each of the sums."""
    first, second, *diagonals = through
    if not diagonals:
        return [a + b for a, b in zip(lines[first], lines[second], strict=True)]
    return [sum(gained) for gained in zip(*[lines[line] for line in through], strict=True)]


_WAYS = tuple(WAYS.values())
POSSIBLE = sum(_WAYS)


def of_the_best(cells: Sequence[Gains]) -> int:
    """The gain, `POSSIBLE` times too large, when the next sum is written into the cell that gains most by it."""
    return sum([ways * best for ways, best in zip(_WAYS, map(max, zip(*cells, strict=True)), strict=True)])


class Outlook:
    """A grid with a sum to be written: what every empty cell is worth under one plan, looking one roll ahead.

    All values are of the grid when the sum and the next one are written, but for the points that lines have already.
    """

    def __init__(self, values: Values, plan: Plan, contents: Contents, empty: Sequence[int], called: int) -> None:
        self.empty, place = empty, plan.place(called)
        before = plan.contents(contents)
        after = [following()[number][place] if number != FULL else FULL for number in before]
        tables = plan.tables(values, max(0, len(empty) - 2))
        self._gains = [gains(*line) for line in zip(tables, before, FACTORS, strict=True)]
        self._gains_after = [gains(*line) for line in zip(tables, after, FACTORS, strict=True)]
        self._now = [lines[place] for lines in self._gains]
        self._base = sum([table[number] for table, number in zip(tables, before, strict=True)])
        self._cells = {cell: sum_gains(self._gains, THROUGH[cell]) for cell in empty}

    def worth(self, cell: int) -> int:
        """In steps, `POSSIBLE` times too large: the called sum written into the cell, and the next where it is best."""
        written = POSSIBLE * (self._base + sum([self._now[line] for line in THROUGH[cell]]))
        rest = [self._cell_after(other, cell) for other in self.empty if other != cell]
        return written + of_the_best(rest) if rest else written

    def _cell_after(self, cell: int, written: int) -> Gains:
        if cell not in SHARING[written]:
            return self._cells[cell]
        through = THROUGH[cell]
        lines = [(self._gains_after if line in THROUGH[written] else self._gains)[line] for line in through]
        return [sum(gained) for gained in zip(*lines, strict=True)]


def best_plan(values: Values, contents: Contents, empty: Sequence[int], called: int) -> Plan:
    """The plan under which the grid is worth most when the called sum is written."""
    return max(plans(), key=lambda plan: _promise(values, plan, contents, empty, called))


def _promise(values: Values, plan: Plan, contents: Contents, empty: Sequence[int], called: int) -> int:
    """The value, in steps, with the called sum where it is best; without the points that lines have already."""
    gained = line_gains(values, plan, contents, len(empty) - 1, called)
    best = max([sum([gained[line] for line in THROUGH[cell]]) for cell in empty])
    tables = plan.tables(values, len(empty) - 1)
    return best + sum([table[number] for table, number in zip(tables, plan.contents(contents), strict=True)])


def line_gains(values: Values, plan: Plan, contents: Contents, empty_then: int, called: int) -> list[int]:
    """What each of the twelve lines would gain by the called sum, in steps, when so many cells are empty then."""
    tables, here, place = plan.tables(values, empty_then), plan.contents(contents), plan.place(called)
    return [_gain(table, number, factor, place) for table, number, factor in zip(tables, here, FACTORS, strict=True)]


def _gain(table: Steps, content: int, factor: int, place: int) -> int:
    if content == FULL:
        return 0
    if content in finishing():
        return factor * finishing()[content][place] - table[content]
    return table[following()[content][place]] - table[content]
