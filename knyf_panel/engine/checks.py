"""Checks of what callers hand in, shared by the three games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index

from knyf_panel.engine.errors import BadSetup, GameError

# Every JSON reader, JavaScript's included, keeps whole numbers up to here; a seed travels in links and saves.
LARGEST_SEED = 2**53 - 1
LONGEST_NAME = 40


def check_players(players: Sequence[str], fewest: int, most: int) -> tuple[str, ...]:
    """The names, without surrounding blanks, in seating order: the youngest first, then clockwise."""
    if isinstance(players, str) or not all(isinstance(name, str) for name in players):
        raise BadSetup("players_are_not_a_list_of_names")
    names = tuple(" ".join(name.split()) for name in players)
    if not fewest <= len(names) <= most:
        raise BadSetup("wrong_number_of_players", players=len(names), fewest=fewest, most=most)
    for seat, name in enumerate(names):
        if not name:
            raise BadSetup("empty_name", seat=seat + 1)
        if len(name) > LONGEST_NAME:
            raise BadSetup("name_too_long", name=name, longest=LONGEST_NAME)
        if name.casefold() in (other.casefold() for other in names[:seat]):
            raise BadSetup("duplicate_name", name=name)
    return names


def check_seed(seed: int) -> int:
    number = whole_number(seed, BadSetup)
    if not 0 <= number <= LARGEST_SEED:
        raise BadSetup("seed_out_of_range", seed=number, largest=LARGEST_SEED)
    return number


def check_choice(option: str, chosen: object, choices: Sequence[object]) -> None:
    if chosen not in choices:
        raise BadSetup("unknown_option", option=option, chosen=chosen, choices=tuple(choices))


def whole_number(value: int, error: type[GameError]) -> int:
    """The value as a plain int: a numpy integer becomes one; a float, a string or True is refused."""
    try:
        if not isinstance(value, bool):
            return index(value)
    except TypeError:
        pass
    raise error("not_a_whole_number", value=value)


def sorted_numbers(values: Iterable[int], error: type[GameError]) -> tuple[int, ...]:
    """The values as plain ints in order: the one way in which hands, keeps and discards are written."""
    try:
        numbers = tuple(values)
        if bool not in map(type, numbers):
            return tuple(sorted([index(number) for number in numbers]))
    except TypeError:
        pass
    raise error("not_whole_numbers", values=values)


def check_values(values: Iterable[int], error: type[GameError]) -> tuple[int, ...]:
    """Cards or dice: sorted whole numbers from 1 to 6."""
    numbers = sorted_numbers(values, error)
    for number in numbers:
        if not 1 <= number <= 6:
            raise error("value_out_of_range", value=number, lowest=1, highest=6)
    return numbers
