"""How a measurement shows its figures: a table for people, or JSON for programs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence

Row = Mapping[str, str | int | float]


def show(tables: Mapping[str, Sequence[Row]], as_json: bool) -> None:
    """Named tables, one after the other; all rows of one have the same columns."""
    if as_json:
        print(json.dumps(tables, ensure_ascii=False, indent=2))
        return
    for name, rows in tables.items():
        print(f"{name}\n")
        _show_table(rows)
        print()


def _show_table(rows: Sequence[Row]) -> None:
    columns = list(rows[0])
    lines = [columns, *([_cell(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(columns))]
    for line in lines:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def _cell(value: str | int | float) -> str:
    if isinstance(value, float):
        return f"{value:,.1f}" if value >= 10 else f"{value:.3g}"
    return str(value)


def parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser
