"""Karciany Knyf: players that choose an action by themselves.

They go by what their player may know: the own hand, the discard pile, the sheets, and how many cards there are.

- *beginner*: plays what it sees, collects the most frequent card, forgets to announce at times;
- *skilled*: plays for the most points that can be had now, else exchanges for what promises most in the next turn;
- *strong*: weighs points, penalties, bonus and speed over the whole sheet (`values`), and knows when to end the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from random import Random

from knyf_panel.engine.checks import check_choice
from knyf_panel.engine.errors import IllegalAction
from knyf_panel.engine.knyf.coach import action_values, is_last_turn
from knyf_panel.engine.knyf.game import (
    current_player,
    exchanges,
    final_total,
    is_over,
    known,
    must_announce,
    plays,
    sheet_after,
)
from knyf_panel.engine.knyf.rules import (
    ALIKE,
    COMBINATIONS,
    FIXED,
    HAND,
    HAND_LIMIT,
    MOST_DISCARDED,
    STRAIGHTS,
    UPPER,
    points_for,
)
from knyf_panel.engine.knyf.state import Action, Exchange, Play, State
from knyf_panel.engine.knyf.values import draws, open_rows, packed, penalty_for
from knyf_panel.engine.multiset import VALUES
from knyf_panel.engine.strengths import STRENGTHS
from knyf_panel.engine.tuples import without

OVERLOOKED = 0.4  # the beginner's chance not to see a combination, or not to think of the announcement
TAKES_ONE_MORE = 0.3  # the beginner's chance to draw one card more than it discards
FEWEST_ALIKE = 3  # cards that the skilled player wants in an upper field, as the bonus does
PROMISE_OF_A_MISSING_CARD = 0.25  # for the skilled player each card that is missing leaves a quarter of the points
POINTS_ALIKE = 20  # what the skilled player hopes to get for three or four of a kind
SAFE_LEAD = 30  # points that nobody is likely to make up in one turn


def choose(state: State, strength: str, random: Random) -> Action:
    """What a computer player of this strength does."""
    check_choice("strength", strength, STRENGTHS)
    if is_over(state):
        raise IllegalAction("game_is_over")
    if strength == "beginner":
        return _beginner(state, random)
    return greedy_action(state) if strength == "skilled" else _strong(state)


def _announced(state: State, ways: Iterable[Play]) -> list[Play]:
    """The plays that do not forget to announce."""
    due = must_announce(state.sheets[current_player(state)])
    return [way for way in ways if way.announced or not due]


def _net_points(state: State, play: Play) -> int:
    held = len(state.hands[current_player(state)])
    return (points_for(play.combination, play.cards) or 0) - penalty_for(held)


# ---- Random ----------------------------------------------------------------------------------------------------------


def random_action(state: State, random: Random) -> Action:
    """A random play if there is one, otherwise a random exchange."""
    choices = tuple(plays(state))
    return random.choice(choices) if choices else random_exchange(state, random)


def random_exchange(state: State, random: Random) -> Exchange:
    """Any number of cards to discard, any cards, and one more drawn or not, while the hand limit and passing allow."""
    hand = state.hands[current_player(state)]
    size = random.randint(0 if state.options.passing else 1, MOST_DISCARDED)
    extra = random.randint(0, 1) if len(hand) < HAND_LIMIT else 0
    return Exchange(tuple(random.sample(hand, size)), size + extra)


# ---- Beginner: plays what it sees ------------------------------------------------------------------------------------


def _beginner(state: State, random: Random) -> Action:
    overlooked = {combination for combination in COMBINATIONS if random.random() < OVERLOOKED}
    forgets = random.random() < OVERLOOKED
    ways = [way for way in _worth_a_look(state, forgets) if way.combination not in overlooked]
    if ways:
        return max(ways, key=lambda way: _net_points(state, way))
    hand = state.hands[current_player(state)]
    unwanted = without(hand, _collected(state)) or ()
    room = len(hand) < HAND_LIMIT
    if not unwanted:  # all are alike and the combination was overlooked
        return Exchange((), 1) if room else Exchange(hand[:1], 1)
    discard = unwanted[:MOST_DISCARDED]
    return Exchange(discard, len(discard) + (room and random.random() < TAKES_ONE_MORE))


def _worth_a_look(state: State, forgets: bool) -> list[Play]:
    """Not a single card in an upper field."""
    ways = [way for way in plays(state) if len(way.cards) > 1]
    if forgets and must_announce(state.sheets[current_player(state)]):
        return [way for way in ways if not way.announced]
    return _announced(state, ways)


def _collected(state: State) -> tuple[int, ...]:
    """The most frequent card that can still be of use; for straights one card of each value."""
    seat = current_player(state)
    hand, free = state.hands[seat], state.sheets[seat].free
    if set(free) <= set(STRAIGHTS):
        return tuple(sorted(set(hand)))
    alike = any(combination in ALIKE or combination in ("full_house", "knyf") for combination in free)
    wanted = [card for card in hand if alike or any(UPPER.get(combination) == card for combination in free)]
    if not wanted:
        return ()
    favourite = max(wanted, key=lambda card: (wanted.count(card), card))
    return (favourite,) * min(hand.count(favourite), HAND)  # a hand of sixes only never becomes a full house


# ---- Skilled: the most points now, else the best promise for the next turn -------------------------------------------


def greedy_action(state: State, fewest_alike: int = FEWEST_ALIKE) -> Action:
    """The skilled player, who may be told to be content with fewer cards in an upper field."""
    fewest = 1 if is_last_turn(state) else fewest_alike
    ways = [way for way in _announced(state, plays(state)) if way.combination not in UPPER or len(way.cards) >= fewest]
    if ways:
        return max(ways, key=lambda way: _net_points(state, way))
    seat = current_player(state)
    open_, hand, unseen = open_rows(state.sheets[seat]), state.hands[seat], known(state, seat).unseen

    def promise_after(exchange: Exchange) -> tuple[float, int]:
        base = packed(without(hand, exchange.discard) or ())
        mean = sum(
            [chance * promise(open_, base + code, fewest_alike) for code, chance in draws(unseen, exchange.draw)]
        )
        return round(mean, 9), exchange.draw  # of equals the one that moves on: passing for ever ends no game

    return max(exchanges(state), key=promise_after)


@lru_cache(maxsize=1 << 15)
def promise(open_: int, code: int, fewest_alike: int = FEWEST_ALIKE) -> float:
    """The most that a packed hand promises: the points of a free combination, a quarter of them per missing card."""
    counts = [code >> shift & 15 for shift in range(0, 24, 4)]
    free = (name for row, name in enumerate(COMBINATIONS) if open_ >> row & 1)
    return max(_promise_of(name, counts, fewest_alike) for name in free) - penalty_for(sum(counts))


def _promise_of(combination: str, counts: list[int], fewest_alike: int) -> float:
    missing = _missing(combination, counts, fewest_alike)
    return _points_hoped_for(combination, counts, missing) * PROMISE_OF_A_MISSING_CARD**missing


def _missing(combination: str, counts: list[int], fewest_alike: int) -> int:
    """How many cards the combination still needs, at least."""
    if combination in UPPER:
        return max(0, fewest_alike - counts[UPPER[combination] - 1])
    if combination in STRAIGHTS:
        return min(sum(not counts[value - 1] for value in run) for run in STRAIGHTS[combination])
    second, most = sorted(counts)[-2:]
    if combination == "full_house":
        return HAND - min(most, 3) - min(second, 2)
    return max(0, ALIKE.get(combination, HAND) - most)


def _points_hoped_for(combination: str, counts: list[int], missing: int) -> int:
    if combination in UPPER:
        value = UPPER[combination]
        return value * min(HAND, counts[value - 1] + missing)
    if combination in FIXED:
        return FIXED[combination]
    return POINTS_ALIKE if missing else _best_sum(counts, ALIKE[combination])


def _best_sum(counts: list[int], alike: int) -> int:
    """The highest sum of five cards of which so many are equal."""
    sums = []
    for value, count in zip(VALUES, counts, strict=True):
        if count >= alike:
            others = [card for card, number in zip(VALUES, counts, strict=True) for _ in range(number)]
            for _ in range(alike):
                others.remove(value)
            sums.append(alike * value + sum(others[alike - HAND :]))
    return max(sums)


# ---- Strong: the best value over the whole sheet ---------------------------------------------------------------------


def _strong(state: State) -> Action:
    # Never passes: where the cards that are wanted lie in the discard pile, somebody has to draw until it is shuffled.
    values = [entry for entry in action_values(state, thorough=False) if entry[0] != Exchange()]
    best = max(values, key=lambda entry: entry[1])[0]
    if is_last_turn(state) or len(state.sheets[current_player(state)].free) > 1:
        return best
    return _closing(state, values, best)


def _closing(state: State, values: list[tuple[Action, float]], best: Action) -> Action:
    """To fill the last field ends the game: do it at once when that wins, and not while it is sure to lose."""
    seat = current_player(state)
    totals = [final_total(sheet, state.options) for sheet in state.sheets]
    rivals = [total for other, total in enumerate(totals) if other != seat]
    could_reach = [total + SAFE_LEAD * (other > seat) for other, total in enumerate(totals) if other != seat]
    endings = {way: final_total(sheet_after(state, way), state.options) for way, _ in values if isinstance(way, Play)}
    if endings and max(endings.values()) > max(could_reach):
        return max(endings, key=lambda way: endings[way])
    if best in endings and endings[best] < max(rivals):
        return max((entry for entry in values if entry[0] not in endings), key=lambda entry: entry[1])[0]
    return best
