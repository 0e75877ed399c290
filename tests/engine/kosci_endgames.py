"""The ends of games of Kości, solved by plain recursion over what the engine allows, in exact fractions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb

from knyf_panel.engine import kosci
from knyf_panel.engine.kosci import Roll, Sheet, State, Write

HANDS = tuple(combinations_with_replacement(range(1, 7), 5))
UPPER, LOWER = kosci.CATEGORIES[:6], kosci.CATEGORIES[6:]


def endgame(free: tuple[str, ...], **points: int) -> State:
    """Ala before her turn, with these categories free; 0 points in the used ones that are not mentioned."""
    sheet = Sheet(tuple(None if name in free else points.get(name, 0) for name in kosci.CATEGORIES))
    return replace(kosci.new_game(["Ala"], seed=1), sheets=(sheet,), turn=13 - len(free))


ENDGAMES = {
    "premium within reach": endgame(("sixes",), ones=3, twos=6, threes=9, fours=12, fives=15),
    "premium out of reach": endgame(("ones",), sixes=6),
    "premium won": endgame(("twos",), threes=9, fours=16, fives=20, sixes=24),
    "general to come": endgame(("general",)),
    "a joker for 140": endgame(("large_straight",), general=50),
    "a joker for 40": endgame(("large_straight",)),
    "upper or lower": endgame(("sixes", "full_house"), twos=6, threes=9, fours=12, fives=20, general=50),
    "jokers in the upper part": endgame(("ones", "fours"), twos=8, threes=12, fives=15, sixes=18, general=50),
    "general among two": endgame(("general", "small_straight")),
    "first the general, then a joker": endgame(("general", "full_house"), fours=12, sixes=24),
    "straights": endgame(("small_straight", "large_straight"), general=50),
    "one sum": endgame(("fives", "four_of_a_kind"), sixes=30, fours=16),
}


def exact(state: State) -> Fraction:
    """The expected final points of the best player, before the turn."""
    return _after_roll(state, 0, ()) if not kosci.is_over(state) else Fraction(kosci.standings(state)[0].total)


def exact_action(state: State, action: Roll | Write) -> Fraction:
    """The expected final points if the best player does this now."""
    if isinstance(action, Write):
        return exact(kosci.apply(state, action))
    return _after_roll(replace(state, rolls=0, dice=()), state.rolls, action.keep)


@cache
def _after_roll(start: State, rolls: int, keep: tuple[int, ...]) -> Fraction:
    """So many rolls are made, these dice are kept, and the others are rolled now."""
    rolled = _rolls(5 - len(keep))
    total = sum(ways * _best(start, rolls + 1, tuple(sorted(keep + new))) for new, ways in rolled.items())
    return total * Fraction(1, 6) ** (5 - len(keep))


@cache
def _best(start: State, rolls: int, dice: tuple[int, ...]) -> Fraction:
    state = replace(start, rolls=rolls, dice=dice)
    return max(exact_action(state, action) for action in kosci.legal_actions(state))


@cache
def _rolls(dice: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(new)) for new in product(range(1, 7), repeat=dice))


def at_least(successes: int, trials: int, probability: Fraction) -> Fraction:
    """By Bernoulli's formula."""
    return sum(
        (
            comb(trials, count) * probability**count * (1 - probability) ** (trials - count)
            for count in range(successes, trials + 1)
        ),
        Fraction(0),
    )
