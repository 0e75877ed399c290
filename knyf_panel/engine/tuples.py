"""Small operations on the tuples that states are made of."""

from __future__ import annotations

from typing import TypeVar

Item = TypeVar("Item")


def replaced(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    """The items with another one at this place."""
    return (*items[:place], item, *items[place + 1 :])


def without(items: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...] | None:
    """The items less the taken ones, or None when one of these is not there."""
    rest = list(items)
    for item in taken:
        if item not in rest:
            return None
        rest.remove(item)
    return tuple(rest)
