"""The result of a game: places, with ties, and each total broken down by where its points come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    place: int  # equal totals share the better place: 1, 2, 2, 4
    player: str
    seat: int
    parts: Mapping[str, int]  # the total by source, in the order of the sheet

    @property
    def total(self) -> int:
        return sum(self.parts.values())


def ranked(players: Sequence[str], parts: Sequence[Mapping[str, int]]) -> tuple[Standing, ...]:
    """Best first; players with equal totals in seating order."""
    totals = [sum(mapping.values()) for mapping in parts]
    places = [1 + sum(other > total for other in totals) for total in totals]
    seats = sorted(range(len(players)), key=lambda seat: (places[seat], seat))
    return tuple(Standing(places[seat], players[seat], seat, parts[seat]) for seat in seats)
