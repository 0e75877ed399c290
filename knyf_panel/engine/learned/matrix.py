"""How a learnt table is written down: whole numbers of two bytes, in base 85, times a scale for each column."""

from __future__ import annotations

from base64 import b85decode, b85encode
from collections.abc import Sequence
from functools import lru_cache
from struct import pack, unpack
from typing import TypeAlias

Vector: TypeAlias = Sequence[float]
Written: TypeAlias = tuple[tuple[float, ...], str]  # the scale of each column, and the numbers row by row

LARGEST = 2**15 - 1


@lru_cache(maxsize=64)
def matrix(written: Written) -> tuple[tuple[float, ...], ...]:
    """The rows of the table."""
    scales, text = written
    data = b85decode(text)
    numbers = unpack(f"<{len(data) // 2}h", data)
    width = len(scales)
    return tuple(
        tuple(map(float.__mul__, scales, map(float, numbers[first : first + width])))
        for first in range(0, len(numbers), width)
    )


def written(rows: Sequence[Vector]) -> Written:
    """The inverse of `matrix`, to within half a scale."""
    scales = tuple(max(map(abs, column)) / LARGEST or 1.0 for column in zip(*rows, strict=True))
    numbers = [round(entry / scale) for row in rows for entry, scale in zip(row, scales, strict=True)]
    return scales, b85encode(pack(f"<{len(numbers)}h", *numbers)).decode("ascii")
