"""What a decision is worth: every alternative with its value, for the coach and for strong players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Advice:
    """One alternative. `cost` is what it gives away against the best one; `parts` says where the value comes from."""

    action: Any
    value: float  # expected final points
    cost: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict, hash=False)


def ranked(values: Iterable[tuple[Any, float, Mapping[str, float]]]) -> tuple[Advice, ...]:
    """Best first, with what each alternative costs; equals stay in the order they came in."""
    best_first = sorted(values, key=lambda alternative: -alternative[1])
    return tuple(Advice(action, value, best_first[0][1] - value, parts) for action, value, parts in best_first)
