"""Kości: the course of a game. A state is never changed: `apply` makes a new one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knyf_panel.engine.checks import check_players, check_seed
from knyf_panel.engine.errors import IllegalAction
from knyf_panel.engine.kosci.rules import (
    DICE,
    FEWEST_PLAYERS,
    FIXED,
    JOKER_BONUS,
    LOWER,
    MOST_PLAYERS,
    ROLLS,
    ROUNDS,
    UPPER,
    is_general,
    joker_points,
    points_for,
    premium,
)
from knyf_panel.engine.kosci.state import ROW, Action, Roll, Sheet, State, Write
from knyf_panel.engine.luck import roll
from knyf_panel.engine.multiset import sub_multisets
from knyf_panel.engine.standing import Standing, ranked
from knyf_panel.engine.tuples import replaced, without

_UPPER_OF_VALUE = {value: category for category, value in UPPER.items()}


def new_game(players: Sequence[str], seed: int) -> State:
    """Empty tables. The first player named begins."""
    names = check_players(players, FEWEST_PLAYERS, MOST_PLAYERS)
    return State(names, check_seed(seed), (Sheet(),) * len(names))


def current_player(state: State) -> int:
    """The seat of the player whose turn it is."""
    return state.turn % len(state.players)


def is_over(state: State) -> bool:
    """Every player has had 13 turns."""
    return state.turn == ROUNDS * len(state.players)


# ---- What may be done ------------------------------------------------------------------------------------------------


def legal_actions(state: State) -> Iterator[Action]:
    """Every legal action of the current player, each once: writes first, then rolls."""
    if not is_over(state):
        yield from writes(state)
        yield from rolls(state)


def writes(state: State) -> Iterator[Write]:
    if state.dice:
        yield from ways_to_write(state.sheets[current_player(state)], state.dice)


def ways_to_write(sheet: Sheet, dice: tuple[int, ...]) -> Iterator[Write]:
    jokers = joker_categories(sheet, dice)
    for category in sheet.free:
        yield Write(category)
        if category in jokers:
            yield Write(category, joker=True)


def rolls(state: State) -> Iterator[Roll]:
    if not state.dice:
        yield Roll()
    elif state.rolls < ROLLS:
        for kept in range(DICE):
            for keep in sub_multisets(state.dice, kept):
                yield Roll(keep)


def joker_categories(sheet: Sheet, dice: tuple[int, ...]) -> tuple[str, ...]:
    """Where these dice may be written as a joker: free lower categories, or upper ones once no lower one is free."""
    if not is_general(dice) or sheet.is_free("general") or sheet.is_free(_UPPER_OF_VALUE[dice[0]]):
        return ()
    lower = tuple(category for category in sheet.free if category in LOWER)
    return lower or sheet.free


# ---- What happens then -----------------------------------------------------------------------------------------------


def apply(state: State, action: Action) -> State:
    """The state after the current player's action; IllegalAction, and no change, if the rules do not allow it."""
    if is_over(state):
        raise IllegalAction("game_is_over")
    if isinstance(action, Roll):
        return _roll(state, action)
    if isinstance(action, Write):
        return _write(state, action)
    raise IllegalAction("not_an_action_of_this_game", action=type(action).__name__)


def _roll(state: State, action: Roll) -> State:
    if state.rolls == ROLLS:
        raise IllegalAction("no_rolls_left", most=ROLLS)
    if without(state.dice, action.keep) is None:
        raise IllegalAction("kept_dice_not_rolled", keep=action.keep, dice=state.dice)
    if len(action.keep) == DICE:
        raise IllegalAction("no_dice_to_roll")
    new = roll(DICE - len(action.keep), state.seed, state.turn, state.rolls)
    dice = tuple(sorted(action.keep + new))
    return State(state.players, state.seed, state.sheets, state.turn, state.rolls + 1, dice)


def _write(state: State, action: Write) -> State:
    seat = current_player(state)
    _check_write(state.sheets[seat], state.dice, action)
    sheet = _written(state.sheets[seat], state.dice, action)
    return State(state.players, state.seed, replaced(state.sheets, seat, sheet), state.turn + 1)


def _check_write(sheet: Sheet, dice: tuple[int, ...], action: Write) -> None:
    if not dice:
        raise IllegalAction("roll_first")
    if action.category not in ROW:
        raise IllegalAction("unknown_category", category=action.category)
    if not sheet.is_free(action.category):
        raise IllegalAction("category_used_already", category=action.category)
    if action.joker and action.category not in joker_categories(sheet, dice):
        raise IllegalAction("not_a_joker", category=action.category, dice=dice)


def _written(sheet: Sheet, dice: tuple[int, ...], action: Write) -> Sheet:
    points, paid_jokers = earned(sheet, dice, action)
    return Sheet(replaced(sheet.points, ROW[action.category], points), sheet.paid_jokers + paid_jokers)


def earned(sheet: Sheet, dice: tuple[int, ...], action: Write) -> tuple[int, int]:
    """The points that are written, and whether the dice are a joker that earns 100 more: 1 or 0."""
    points = (joker_points if action.joker else points_for)(action.category, dice)
    # The 100 need a first general that was written into `general` for 50, not crossed out with 0.
    return points, int(action.joker and sheet.points[ROW["general"]] == FIXED["general"])


# ---- The count -------------------------------------------------------------------------------------------------------


def standings(state: State) -> tuple[Standing, ...]:
    """Places and points by source; the premium counts once it is reached."""
    return ranked(state.players, [_parts(sheet) for sheet in state.sheets])


def _parts(sheet: Sheet) -> dict[str, int]:
    return {
        "upper": sheet.upper_points,
        "premium": premium(sheet.upper_points),
        "lower": sheet.lower_points,
        "jokers": JOKER_BONUS * sheet.paid_jokers,
    }
