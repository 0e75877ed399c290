"""Our odds beside icepool's for the same questions, cold and warm tables, and growth with hand, turns and rolls.

icepool has no notion of a best move, so the questions asked of both have none: a given keep and one roll, a given
exchange and one draw, a Knister line that must take every roll. Both answer for all rows of the sheet, the fractions
are checked to be equal, and the ratio is the median over rounds in which the two take turns. "Cold" is the first call
in a fresh interpreter, after the import. Pyodide is that of the site, run by Node and without the tables that the
snapshot brings: a visitor's first question is faster than cold.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import icepool  # type: ignore[import-untyped]

from bench.table import Row, parser, show
from knyf_panel.build import runtime
from knyf_panel.build.javascript import fetch, node
from knyf_panel.engine import knister, knyf, kosci

EQUAL = {"three_of_a_kind": 3, "four_of_a_kind": 4}
STRAIGHTS = {"small_straight": 4, "large_straight": 5}

Answer = dict[str, Fraction]


# ---- The same question asked of both ---------------------------------------------------------------------------------


def our_dice() -> Answer:
    return {row: chance.probability for row, chance in kosci.odds_of((2, 2, 3, 5, 6), 1, keep=(2, 2)).items()}


def icepool_dice() -> Answer:
    table = icepool.d6.pool(3).additive_union([2, 2])
    rolled = {value: icepool.d6.pool(3).keep_outcomes({value}).size() for value in range(1, 7)}
    upper = {
        row: rolled[value].probability(">=", 3 - 2 * (value == 2)) for value, row in enumerate(kosci.CATEGORIES[:6], 1)
    }
    return {**upper, **_patterns(table), "general": table.largest_count().probability(">=", 5), "chance": Fraction(1)}


def our_cards() -> Answer:
    answers = knyf.odds_after((1, 3, 6, 6, 6), discard=(1, 3), draw=3)
    return {row: chance.probability for row, chance in answers.items()}


def icepool_cards() -> Answer:
    deck = icepool.Deck({1: 17, 2: 18, 3: 17, 4: 18, 5: 18, 6: 15})
    table = deck.deal(3).additive_union([6, 6, 6])
    upper = {
        row: deck.deal(3).keep_outcomes({value}).size().probability(">=", 3 - 3 * (value == 6))
        for value, row in enumerate(knyf.COMBINATIONS[:6], 1)
    }
    return {**upper, **_patterns(table), "knyf": table.largest_count().probability(">=", 5)}


def _patterns(table: Any) -> Answer:
    equal, run, counts = table.largest_count(), table.largest_straight(), table.all_counts()
    full = counts.map(lambda c: len(c) > 1 and c[0] >= 3 and c[1] >= 2).probability(True)
    return {
        **{row: equal.probability(">=", count) for row, count in EQUAL.items()},
        "full_house": full,
        **{row: run.probability(">=", length) for row, length in STRAIGHTS.items()},
    }


def our_line() -> Answer:
    answers = knister.odds([7, 7, None, None, None], rolls_left=3)
    return {row: chance.probability for row, chance in answers.items()}


def icepool_line() -> Answer:
    rolls = (2 @ icepool.d6).pool(3).expand()
    ends = rolls.map(lambda rolled: knister.combination_of((7, 7, *rolled)) or "nothing")
    return {row: ends.probability(row) for row in knister.COMBINATIONS}


PAIRS = {
    "Kości, keep 2 2, one roll": (our_dice, icepool_dice),
    "Knyf, discard 1 3, draw three": (our_cards, icepool_cards),
    "Knister, 7 7 and three rolls": (our_line, icepool_line),
}


def side_by_side(rounds: int) -> Iterator[Row]:
    for question, (ours, theirs) in PAIRS.items():
        if ours() != theirs():
            raise AssertionError(f"{question}: the fractions differ")
        ratios, our_times, their_times = [], [], []
        for _ in range(rounds):
            our_times.append(milliseconds(ours))
            their_times.append(milliseconds(theirs))
            ratios.append(their_times[-1] / our_times[-1])
        yield {
            "question": question,
            "ours (ms)": median(our_times),
            "icepool (ms)": median(their_times),
            "icepool / ours": median(ratios),
        }


def milliseconds(ask: Callable[[], object]) -> float:
    start = time.perf_counter()
    ask()
    return 1000 * (time.perf_counter() - start)


# ---- Cold and warm, natively and in Pyodide --------------------------------------------------------------------------

QUESTIONS = {
    "Kości, 13 rows, 1 roll left": "kosci.odds((2, 2, 3, 5, 6), 1)",
    "Kości, 13 rows, 2 rolls left": "kosci.odds((2, 2, 3, 5, 6), 2)",
    "Kości, 13 rows, before the first roll": "kosci.odds((), 3)",
    "Knister, 8 rows, empty line, 25 rolls": "knister.odds([None] * 5, 25)",
    "Knister, 12 lines of a grid with 11 empty cells": "knister.grid_odds([[7, 8, 6, None, None]] * 5, 11)",
    "Knyf, 12 rows, 1 turn": "knyf.odds((1, 3, 6, 6, 6))",
    "Knyf, 12 rows, 2 turns": "knyf.odds((1, 3, 6, 6, 6), turns=2)",
    "Knyf, 12 rows, 3 turns": "knyf.odds((1, 3, 6, 6, 6), turns=3)",
}

TIMES = """\
import sys, time
from knyf_panel.engine import knister, knyf, kosci
times = []
for _ in range(3):
    start = time.perf_counter()
    eval(sys.argv[1])
    times.append(1000 * (time.perf_counter() - start))
print(times[0], min(times[1:]))
"""


def cpython_and_pyodide() -> Iterator[Row]:
    """Each question in a fresh interpreter; the two take turns."""
    in_pyodide = _pyodide()
    for name, question in QUESTIONS.items():
        cold, warm = _times(sys.executable, "-c", TIMES, question)
        cold_there, warm_there = _times(*in_pyodide, question)
        yield {
            "question": name,
            "CPython, cold (ms)": cold,
            "Pyodide, cold (ms)": cold_there,
            "cold, ratio": cold_there / cold,
            "CPython, warm (ms)": warm,
            "Pyodide, warm (ms)": warm_there,
            "warm, ratio": warm_there / warm,
        }


def _pyodide() -> list[str | Path]:
    """The command that runs the program in Pyodide, with what the site is made of."""
    with redirect_stdout(sys.stderr):  # what is built now is said beside the tables
        parts, pyodide = runtime.make(), fetch("pyodide")
    script = Path(__file__).with_name("pyodide.mjs")
    return [node(), "--no-warnings", script, pyodide, parts / "stdlib.zip", parts / "packages.zip", TIMES]


def _times(*command: str | Path) -> tuple[float, float]:
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    cold, warm = map(float, printed.split())
    return cold, warm


# ---- Growth ----------------------------------------------------------------------------------------------------------

HANDS = {5: (1, 3, 4, 6, 6), 6: (1, 2, 3, 4, 6, 6), 8: (1, 1, 2, 3, 4, 5, 6, 6), 10: (1, 1, 2, 2, 3, 4, 5, 5, 6, 6)}


def growth() -> Iterator[Row]:
    """Every hand with cards of its own, so that no table of another helps; a fresh set of seen cards for each."""
    for size, hand in HANDS.items():
        times = {turns: milliseconds(lambda: knyf.odds(hand, (size % 6 + 1,), turns)) for turns in (1, 2, 3)}  # noqa: B023
        yield {"Knyf, cards in hand": size, **{f"{turns} turn(s) (ms)": spent for turns, spent in times.items()}}


def main() -> None:
    arguments_parser = parser(__doc__)
    arguments_parser.add_argument("--rounds", type=int, default=9, help="how often each pair is timed (default: 9)")
    arguments = arguments_parser.parse_args()
    tables = {
        "beside icepool": list(side_by_side(arguments.rounds)),
        "CPython and Pyodide": list(cpython_and_pyodide()),
        "growth": list(growth()),
    }
    show(tables, arguments.json)


if __name__ == "__main__":
    main()
