"""Knister: the facts of the rulebook, the rulings where it is silent, and what a line and a grid are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from knyf_panel.engine.checks import sorted_numbers
from knyf_panel.engine.errors import BadQuestion

FEWEST_PLAYERS, MOST_PLAYERS = 1, 12
DICE = 2
SIDE = 5
CELLS = ROUNDS = SIDE * SIDE
LOWEST_SUM, HIGHEST_SUM = 2, 12

POINTS = {
    "pair": 1,
    "two_pairs": 3,
    "three": 3,
    "full_house": 8,
    "four": 6,
    "five": 10,
    "straight_with_7": 8,
    "straight_without_7": 12,
}
COMBINATIONS = tuple(POINTS)

SHAPES = {  # how often the numbers of a line occur, most frequent first
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two_pairs",
    (3, 1, 1): "three",
    (3, 2): "full_house",
    (4, 1): "four",
    (5,): "five",
}

ROWS = tuple(tuple(range(SIDE * row, SIDE * row + SIDE)) for row in range(SIDE))
COLUMNS = tuple(tuple(range(column, CELLS, SIDE)) for column in range(SIDE))
DIAGONALS = (tuple(range(0, CELLS, SIDE + 1)), tuple(range(SIDE - 1, CELLS - 1, SIDE - 1)))
DIAGONAL_FACTOR = 2
LINES = {  # the twelve lines, by kind and number, each as its cells; cells are numbered row by row from 0 to 24
    (kind, number): cells
    for kind, lines in (("row", ROWS), ("column", COLUMNS), ("diagonal", DIAGONALS))
    for number, cells in enumerate(lines)
}

RATINGS = ((100, "amazing"), (80, "very_good"), (50, "good"))  # from so many points, playing alone

# What the engine does where the rulebook is silent. The texts show each of these as ours, not as the book's.
RULINGS = (
    "exactly_100",  # counts as amazing: the book has 80–99 and above 100
    "below_50",  # has no rating
    "ties",  # players with equal totals share the place
)


def score_line(line: Sequence[int]) -> int:
    """The points of five numbers, in any order, undoubled."""
    combination = combination_of(line)
    return POINTS[combination] if combination else 0


def combination_of(line: Sequence[int]) -> str | None:
    """The one best combination of five numbers, or None. No line makes two: its shape decides."""
    numbers = check_sums(line)
    if len(numbers) != SIDE:
        raise BadQuestion("wrong_length_of_line", length=len(numbers), expected=SIDE)
    return _combination(numbers)


@cache  # 4368 sorted lines
def _combination(numbers: tuple[int, ...]) -> str | None:
    distinct = sorted(set(numbers))
    if len(distinct) == SIDE and distinct[-1] - distinct[0] == SIDE - 1:
        return "straight_with_7" if 7 in distinct else "straight_without_7"
    return SHAPES.get(tuple(sorted(map(numbers.count, distinct), reverse=True)))


def score_grid(rows: Sequence[Sequence[int]]) -> int:
    """The points of a full 5 × 5 grid, given row by row."""
    if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
        raise BadQuestion("wrong_size_of_grid", rows=len(rows), expected=SIDE)
    grid = tuple(number for row in rows for number in row)
    check_sums(grid)
    return sum(line_points(grid).values())


def line_points(grid: Sequence[int | None]) -> dict[tuple[str, int], int]:
    """The points of every line of a grid of 25 cells that is full already, diagonals doubled."""
    points = {}
    for (kind, number), cells in LINES.items():
        numbers = [sum_ for cell in cells if (sum_ := grid[cell]) is not None]
        if len(numbers) == SIDE:
            combination = _combination(tuple(sorted(numbers)))
            factor = DIAGONAL_FACTOR if kind == "diagonal" else 1
            points[kind, number] = factor * POINTS[combination] if combination else 0
    return points


def rating(points: int) -> str | None:
    """How good a solo game was: `good`, `very_good`, `amazing`, or None below 50 points."""
    return next((name for lowest, name in RATINGS if points >= lowest), None)


def check_sums(numbers: Iterable[int]) -> tuple[int, ...]:
    """Sums of two dice: sorted whole numbers from 2 to 12."""
    sums = sorted_numbers(numbers, BadQuestion)
    for number in sums:
        if not LOWEST_SUM <= number <= HIGHEST_SUM:
            raise BadQuestion("sum_out_of_range", sum=number, lowest=LOWEST_SUM, highest=HIGHEST_SUM)
    return sums
