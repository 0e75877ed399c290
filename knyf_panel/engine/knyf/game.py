"""Karciany Knyf: the course of a game. A state is never changed: `apply` makes a new one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knyf_panel.engine.checks import check_players, check_seed
from knyf_panel.engine.errors import IllegalAction, IllegalPlay
from knyf_panel.engine.knyf.rules import (
    ANNOUNCED_COMBINATION,
    COMBINATIONS,
    COPIES,
    FEWEST_PLAYERS,
    HAND,
    HAND_LIMIT,
    MOST_DISCARDED,
    MOST_PLAYERS,
    PENALTY_FOR_FORGETTING,
    PENALTY_PER_SURPLUS_CARD,
    UPPER,
    Options,
    deck,
    points_for,
    upper_bonus,
    ways_to_play,
)
from knyf_panel.engine.knyf.state import ROW, Action, Exchange, Known, Play, Sheet, State
from knyf_panel.engine.luck import shuffled
from knyf_panel.engine.multiset import Counts, counts_of, sub_multisets
from knyf_panel.engine.standing import Standing, ranked
from knyf_panel.engine.tuples import replaced, without


def new_game(
    players: Sequence[str],
    seed: int,
    *,
    surplus: str = "keep",
    passing: bool = True,
    malus: str = "always",
) -> State:
    """Shuffle and deal five cards each. The youngest player is named first. For the options see `rules.Options`."""
    names = check_players(players, FEWEST_PLAYERS, MOST_PLAYERS)
    options = Options(surplus, passing, malus)
    pile = shuffled(deck(), check_seed(seed), 0)
    dealt = len(names) * HAND
    hands = tuple(tuple(sorted(pile[first : first + HAND])) for first in range(0, dealt, HAND))
    return State(names, int(seed), options, hands, pile[dealt:], (), (Sheet(),) * len(names))


def current_player(state: State) -> int:
    """The seat of the player whose turn it is."""
    return state.turn % len(state.players)


def is_over(state: State) -> bool:
    """A sheet is complete, and the round in which that happened has been played to its end."""
    return state.turn % len(state.players) == 0 and any(sheet.is_complete for sheet in state.sheets)


def known(state: State, player: int) -> Known:
    hand = state.hands[player]
    seen = counts_of(hand + state.discard_pile)
    return Known(
        hand,
        state.discard_pile,
        tuple(map(len, state.hands)),
        len(state.draw_pile),
        tuple(COPIES - count for count in seen),
    )


def unseen(state: State, player: int) -> Counts:
    """How many of each value this player has not seen. The next card drawn is any of them with equal chance."""
    return known(state, player).unseen


# ---- What may be done ------------------------------------------------------------------------------------------------


def legal_actions(state: State) -> Iterator[Action]:
    """Every legal action of the current player, each once: plays first, then exchanges."""
    if not is_over(state):
        yield from plays(state)
        yield from exchanges(state)


def exchanges(state: State) -> Iterator[Exchange]:
    hand = state.hands[current_player(state)]
    for size in range(MOST_DISCARDED + 1):
        for discard in sub_multisets(hand, size):
            for draw in (size, size + 1):
                if _exchange_fault(state.options, len(hand), size, draw) is None:
                    yield Exchange(discard, draw)


def plays(state: State) -> Iterator[Play]:
    seat = current_player(state)
    hand, sheet = state.hands[seat], state.sheets[seat]
    announcements = (False, True) if must_announce(sheet) else (False,)
    for combination in sheet.free:
        for cards in ways_to_play(combination, hand):
            for drop in _drops(state.options, hand, cards):
                for announced in announcements:
                    yield Play(combination, cards, announced, drop)


def _drops(options: Options, hand: tuple[int, ...], played: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    if options.surplus == "keep":
        return ((),)
    rest = _left(hand, played)
    return sub_multisets(rest, max(0, len(rest) - HAND))


def must_announce(sheet: Sheet) -> bool:
    return len(COMBINATIONS) - sheet.points.count(None) == ANNOUNCED_COMBINATION - 1


# ---- What happens then -----------------------------------------------------------------------------------------------


def apply(state: State, action: Action) -> State:
    """The state after the current player's action; IllegalAction, and no change, if the rules do not allow it."""
    if is_over(state):
        raise IllegalAction("game_is_over")
    if isinstance(action, Exchange):
        return _exchange(state, action)
    if isinstance(action, Play):
        return _play(state, action)
    raise IllegalAction("not_an_action_of_this_game", action=type(action).__name__)


def _exchange(state: State, action: Exchange) -> State:
    seat = current_player(state)
    hand = state.hands[seat]
    rest = _left(hand, action.discard)
    fault = _exchange_fault(state.options, len(hand), len(action.discard), action.draw)
    if fault is not None:
        raise fault
    return _end_turn(state, rest, action.discard, action.draw, state.sheets[seat])


def _exchange_fault(options: Options, held: int, discarded: int, drawn: int) -> IllegalAction | None:
    if discarded > MOST_DISCARDED:
        return IllegalAction("too_many_cards_discarded", discarded=discarded, most=MOST_DISCARDED)
    if drawn not in (discarded, discarded + 1):
        return IllegalAction("wrong_number_of_cards_drawn", drawn=drawn, same=discarded, one_more=discarded + 1)
    if held - discarded + drawn > HAND_LIMIT:
        return IllegalAction("hand_over_the_limit", held=held - discarded + drawn, limit=HAND_LIMIT)
    if not options.passing and drawn == 0:
        return IllegalAction("passing_is_not_allowed")
    return None


def _play(state: State, action: Play) -> State:
    seat = current_player(state)
    hand, sheet = state.hands[seat], state.sheets[seat]
    _check_play(sheet, action)
    rest = _left(hand, action.cards)
    points = points_for(action.combination, action.cards)
    if points is None:
        raise IllegalPlay("cards_do_not_make_it", combination=action.combination, cards=action.cards)
    left = _left(rest, action.drop)
    _check_drop(state.options, rest, action.drop)
    return _end_turn(
        state, left, action.cards + action.drop, max(0, HAND - len(left)), _scored(sheet, action, points, len(hand))
    )


def _check_play(sheet: Sheet, action: Play) -> None:
    if action.combination not in ROW:
        raise IllegalPlay("unknown_combination", combination=action.combination)
    if not sheet.is_free(action.combination):
        raise IllegalPlay("combination_scored_already", combination=action.combination)
    if action.announced and not must_announce(sheet):
        raise IllegalAction("nothing_to_announce", filled=len(COMBINATIONS) - sheet.points.count(None))


def _check_drop(options: Options, rest: tuple[int, ...], drop: tuple[int, ...]) -> None:
    expected = max(0, len(rest) - HAND) if options.surplus == "discard" else 0
    if len(drop) != expected:
        raise IllegalAction("wrong_number_of_cards_dropped", dropped=len(drop), expected=expected)


def sheet_after(state: State, action: Play) -> Sheet:
    """The current player's sheet after a legal play."""
    seat = current_player(state)
    points = points_for(action.combination, action.cards) or 0
    return _scored(state.sheets[seat], action, points, len(state.hands[seat]))


def _scored(sheet: Sheet, action: Play, points: int, held: int) -> Sheet:
    row = ROW[action.combination]
    penalty = PENALTY_PER_SURPLUS_CARD * max(0, held - HAND)
    return Sheet(
        replaced(sheet.points, row, points),
        replaced(sheet.penalties, row, penalty),
        sheet.forgot_to_announce or (must_announce(sheet) and not action.announced),
    )


def _end_turn(state: State, rest: tuple[int, ...], discarded: tuple[int, ...], draw: int, sheet: Sheet) -> State:
    """Lay the cards on the discard pile, draw, and pass the turn on."""
    seat = current_player(state)
    pile, discards, reshuffles = state.draw_pile, state.discard_pile + discarded, state.reshuffles
    drawn, pile = pile[:draw], pile[draw:]
    if not pile:
        # As soon as the last card is taken: so the next card drawn is always one of the unseen, and `unseen` is true.
        # Hands hold at most 50 of the 108 cards; the pile cannot run out twice in one draw.
        reshuffles += 1
        pile, discards = shuffled(discards, state.seed, reshuffles), ()
        missing = draw - len(drawn)
        drawn, pile = drawn + pile[:missing], pile[missing:]
    return State(
        state.players,
        state.seed,
        state.options,
        replaced(state.hands, seat, tuple(sorted(rest + drawn))),
        pile,
        discards,
        replaced(state.sheets, seat, sheet),
        state.turn + 1,
        reshuffles,
    )


def _left(hand: tuple[int, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    """The hand less the cards; IllegalAction when one of them is not there."""
    rest = without(hand, cards)
    if rest is None:
        raise IllegalAction("cards_not_in_hand", cards=cards, hand=hand)
    return rest


# ---- The count -------------------------------------------------------------------------------------------------------


def standings(state: State) -> tuple[Standing, ...]:
    """Places and points by source. While the game goes on, +35 counts once reached, −20 not yet."""
    final = is_over(state)
    return ranked(state.players, [_parts(sheet, state.options, final) for sheet in state.sheets])


def final_total(sheet: Sheet, options: Options) -> int:
    """What this sheet would count if the game ended now."""
    return sum(_parts(sheet, options, final=True).values())


def _parts(sheet: Sheet, options: Options, final: bool) -> dict[str, int]:
    return {
        "upper": sheet.upper_points,
        "bonus": _bonus(sheet, options, final),
        "lower": sheet.lower_points,
        "penalties": -sum(sheet.penalties),
        "announcement": -PENALTY_FOR_FORGETTING if sheet.forgot_to_announce else 0,
    }


def _bonus(sheet: Sheet, options: Options, final: bool) -> int:
    bonus = upper_bonus(sheet.upper_points)
    complete = None not in sheet.points[: len(UPPER)]
    if bonus < 0 and not (final and (complete or options.malus == "always")):
        return 0
    return bonus
