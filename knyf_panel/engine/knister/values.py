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
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import nlargest
from itertools import combinations_with_replacement, permutations, product
from operator import itemgetter, sub
from typing import TypeAlias

from knyf_panel.engine.errors import NoValues
from knyf_panel.engine.knister.odds import SUMS, WAYS
from knyf_panel.engine.knister.rules import CELLS, DIAGONAL_FACTOR, LINES, SIDE, score_line

# ---- Lines -----------------------------------------------------------------------------------------------------------

LINE_KEYS = tuple(LINES)
FACTORS = tuple(DIAGONAL_FACTOR if kind == "diagonal" else 1 for kind, _ in LINE_KEYS)
THROUGH = tuple(tuple(line for line, key in enumerate(LINE_KEYS) if cell in LINES[key]) for cell in range(CELLS))
SHARED = tuple(  # for each cell the others in its lines, each with the one line that it shares with the cell
    {other: line for line in THROUGH[cell] for other in LINES[LINE_KEYS[line]] if other != cell}
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
    """By number of empty cells, and for each line of the plan: the value of every content, in steps."""

    stages: tuple[tuple[Steps, ...], ...]


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
    in_file = _in_file(flat)
    return Values(tuple([tuple(_stage(in_file, empty)) for empty in range(CELLS)]))


def _in_file(flat: bytes) -> dict[int, Sequence[int]]:
    """The bytes of each stage in the file, less what stands for no points."""
    stage = len(LINE_KEYS) * FULL
    in_file: dict[int, Sequence[int]] = {}
    previous = bytes(stage)
    for number, empty in enumerate(STAGES):
        changes = flat[number * stage : (number + 1) * stage]
        previous = bytes([(before + change) % _BYTE for before, change in zip(previous, changes, strict=True)])
        in_file[empty] = [byte - _ZERO for byte in previous]
    return in_file


def _stage(in_file: dict[int, Sequence[int]], empty: int) -> Iterator[Steps]:
    """The values of each line: those in the file, or between the nearest two of them. A full line has its points."""
    later = max([stage for stage in STAGES if stage <= empty], default=0)
    earlier = min(stage for stage in STAGES if stage >= empty)
    width, right = max(1, earlier - later), empty - later
    left = width - right
    for line, factor in enumerate(FACTORS):
        if not empty:
            yield array("h", [0] * (FULL + 1))
            continue
        place = slice(line * FULL, (line + 1) * FULL)
        pairs = zip(in_file[later][place], in_file[earlier][place], strict=True)
        yield array("h", [(low * left + high * right) * factor // width for low, high in pairs] + [0])


def _byte(points: float) -> int:
    return min(max(round(points * STEPS) + _ZERO, 0), _BYTE - 1)


def _differences(flat: bytes) -> bytes:
    """From stage to stage, which are small and repeat."""
    before = bytes(len(LINE_KEYS) * FULL) + flat
    return bytes([change % _BYTE for change in map(sub, flat, before)])


_in_use: list[Values] = []


def use_values(values: Values | None) -> None:
    """From now on the coach and the strong player go by this table; None takes it away again."""
    _ = following(), finishing(), mirrored(), plans()  # worked out now, so that the first move need not wait
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
        stage = values.stages[empty]
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


_WAYS = tuple(WAYS.values())
POSSIBLE = sum(_WAYS)


class Outlook:
    """A grid under one plan before a sum is called: what it is worth to write the sum into a cell.

    Everything is worked out for the grid with two sums more, and without the points that lines have already. The
    contents are those that the plan sees, and sums are given by their place in it.
    """

    def __init__(self, values: Values, plan: Plan, contents: Contents, empty: Sequence[int]) -> None:
        self._values, self._plan, self._contents, self._empty = values, plan, contents, empty
        self._tables = plan.tables(values, max(0, len(empty) - 2))
        self._gains = [gains(*line) for line in zip(self._tables, contents, FACTORS, strict=True)]
        self._base = sum([table[content] for table, content in zip(self._tables, contents, strict=True)])
        self._cells = {cell: _sums([self._gains[line] for line in THROUGH[cell]]) for cell in empty}

    def worth(self, cell: int, place: int) -> int:
        """Looking one roll ahead: the sum is written, and the next where it gains most. `POSSIBLE` times too large."""
        written = POSSIBLE * (self._base + self._cells[cell][place])
        rest = self._cells_after(cell, place)
        if not rest:
            return written
        best: Iterator[int] = map(max, zip(*rest.values(), strict=True))
        return written + sum([ways * gained for ways, gained in zip(_WAYS, best, strict=True)])

    def worth_in_two(self, cell: int, place: int) -> int:
        """Looking two rolls ahead, at the few most promising cells for the next. `POSSIBLE` times too large."""
        rest = self._cells_after(cell, place)
        if len(rest) < 2:
            return self.worth(cell, place)  # exact already
        then = Outlook(self._values, self._plan, self._contents_after(cell, place), tuple(rest))
        total = 0
        for next_place, ways in enumerate(_WAYS):
            promising = nlargest(PROMISING, rest, key=lambda other: rest[other][next_place])
            total += ways * max([then.worth(other, next_place) for other in promising])
        return total // POSSIBLE + POSSIBLE * self._points(cell, place)

    def _cells_after(self, cell: int, place: int) -> dict[int, Gains]:
        """What the other empty cells gain by each sum when this one is filled."""
        changes = {line: self._change(line, place) for line in THROUGH[cell]}
        shared = SHARED[cell]
        rest: dict[int, Gains] = {}
        for other in self._empty:
            if other in shared:
                change = changes[shared[other]]
                rest[other] = [gained + more for gained, more in zip(self._cells[other], change, strict=True)]
            elif other != cell:
                rest[other] = self._cells[other]
        return rest

    def _change(self, line: int, place: int) -> Gains:
        """By how much a line will gain more or less with each sum when this one is written into it."""
        then = gains(self._tables[line], following()[self._contents[line]][place], FACTORS[line])
        return [after - before for after, before in zip(then, self._gains[line], strict=True)]

    def _contents_after(self, cell: int, place: int) -> list[int]:
        contents = list(self._contents)
        for line in THROUGH[cell]:
            contents[line] = following()[contents[line]][place]
        return contents

    def _points(self, cell: int, place: int) -> int:
        """Of the lines that the sum makes full, in steps."""
        full = [line for line in THROUGH[cell] if self._contents[line] in finishing()]
        return sum([FACTORS[line] * finishing()[self._contents[line]][place] for line in full])


def gains(table: Steps, content: int, factor: int) -> Gains:
    """What a line gains or loses, in steps, by each of the sums written into it."""
    if content == FULL:
        return [0] * len(SUMS)
    here = table[content]
    if content in finishing():
        return [factor * points - here for points in finishing()[content]]
    return [table[number] - here for number in following()[content]]


def _sums(lines: Sequence[Gains]) -> Gains:
    return [sum(gained) for gained in zip(*lines, strict=True)]


# ---- Decisions -------------------------------------------------------------------------------------------------------

LOOKED_INTO, PROMISING = 3, 2  # cells for the called sum, and for the next one, that are looked at two rolls ahead


@dataclass(frozen=True, slots=True)
class Prospect:
    """An empty cell for the called sum: what the grid is worth then, the plan it serves, and what its lines gain."""

    cell: int
    worth: int  # in steps, `POSSIBLE` times too large, without the points that lines have already
    plan: Plan
    gained: tuple[int, ...]  # in steps, by the lines through the cell


def prospects(values: Values, contents: Contents, empty: Sequence[int], called: int) -> list[Prospect]:
    """Every empty cell, best first, each under the plan that promises most for it. Equal promises are all looked into.

    The best few are looked at two rolls ahead, the others one roll ahead. These are then moved along, by as much as it
    changes the best few at least, so that none of them passes one that has been looked at more closely.
    """
    outlooks = Outlooks(values, contents, empty, called)
    one_ahead = sorted(_one_ahead(outlooks, empty), key=lambda prospect: -prospect.worth)
    best = one_ahead[:LOOKED_INTO]
    changes = [outlooks.worth_in_two(prospect.plan, prospect.cell) - prospect.worth for prospect in best]
    changes += [min(changes)] * (len(one_ahead) - len(best))
    moved = [
        replace(prospect, worth=prospect.worth + change) for prospect, change in zip(one_ahead, changes, strict=True)
    ]
    return sorted(moved, key=lambda prospect: -prospect.worth)


def _one_ahead(outlooks: Outlooks, empty: Sequence[int]) -> Iterator[Prospect]:
    promises = {plan: outlooks.promise(plan) for plan in plans()}
    for cell in empty:
        through = THROUGH[cell]
        promised = [base + sum([gained[line] for line in through]) for base, gained in promises.values()]
        most = max(promised)
        equal = [plan for plan, promise in zip(promises, promised, strict=True) if promise == most]
        worth, plan = max([(outlooks.worth(plan, cell), plan) for plan in equal], key=itemgetter(0))
        yield Prospect(cell, worth, plan, tuple([promises[plan][1][line] for line in through]))


class Outlooks:
    """One grid with a called sum under the plans that are asked for.

    While the grid is rather empty, many plans see the same in it, only turned about: what they see is looked up.
    """

    def __init__(self, values: Values, contents: Contents, empty: Sequence[int], called: int) -> None:
        self._values, self._contents, self._empty, self._called = values, contents, empty, called
        self._views: dict[Plan, tuple[int, ...]] = {}
        self._outlooks: dict[Plan, Outlook] = {}
        self._worths: dict[tuple[tuple[int, ...], frozenset[int]], int] = {}

    def promise(self, plan: Plan) -> tuple[int, list[int]]:
        """The value of the lines as they are, and what each would gain by the called sum, in steps, at first sight."""
        tables, here = plan.tables(self._values, len(self._empty) - 1), plan.contents(self._contents)
        place, lines = plan.place(self._called), list(zip(tables, here, FACTORS, strict=True))
        return sum([table[content] for table, content, _ in lines]), [_gain(*line, place) for line in lines]

    def worth(self, plan: Plan, cell: int) -> int:
        seen = self._view(plan), frozenset([plan.parts[line] for line in THROUGH[cell]])
        if seen not in self._worths:
            self._worths[seen] = self._outlook(plan).worth(cell, plan.place(self._called))
        return self._worths[seen]

    def worth_in_two(self, plan: Plan, cell: int) -> int:
        return self._outlook(plan).worth_in_two(cell, plan.place(self._called))

    def _outlook(self, plan: Plan) -> Outlook:
        if plan not in self._outlooks:
            self._outlooks[plan] = Outlook(self._values, plan, plan.contents(self._contents), self._empty)
        return self._outlooks[plan]

    def _view(self, plan: Plan) -> tuple[int, ...]:
        """The contents by part of the plan, and the called sum."""
        if plan not in self._views:
            lines = sorted(zip(plan.parts, plan.contents(self._contents), strict=True))
            self._views[plan] = (plan.place(self._called), *[content for _, content in lines])
        return self._views[plan]


def _gain(table: Steps, content: int, factor: int, place: int) -> int:
    if content == FULL:
        return 0
    if content in finishing():
        return factor * finishing()[content][place] - table[content]
    return table[following()[content][place]] - table[content]
