"""Kości: what every alternative of a decision is worth, in expected final points of a player who plays on perfectly.

Other players at the table do not change the advice: it is for the most points, not for the first place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knyf_panel.engine.advice import Advice, ranked
from knyf_panel.engine.kosci.game import current_player, earned, is_over, rolls, writes
from knyf_panel.engine.kosci.rules import CATEGORIES, JOKER_BONUS, ROLLS
from knyf_panel.engine.kosci.state import Action, State, Write
from knyf_panel.engine.kosci.values import Account, Values, plan_from, turn_from, values_in_use, written


def advise(state: State) -> tuple[Advice, ...]:
    """Every legal action of the current player with its value and its cost, best first.

    The parts add up to the value: `written` is on the sheet already, `points` and `jokers` come in this turn, `premium`
    and `future` are what is then to be expected of the premium and of everything else.
    """
    if is_over(state):
        return ()
    sheet = state.sheets[current_player(state)]
    so_far = sheet.upper_points + sheet.lower_points + JOKER_BONUS * sheet.paid_jokers
    accounts = _accounts(state, values_in_use())
    return ranked((action, so_far + account[0], _parts(so_far, account)) for action, account in accounts)


def turn_points(state: State, action: Action) -> dict[str, float]:
    """The points that this action brings to each category in this turn, on average, if the turn is then played best."""
    sheet = state.sheets[current_player(state)]
    if isinstance(action, Write):
        return {action.category: earned(sheet, state.dice, action)[0]}
    _, *points = plan_from(values_in_use(), sheet).kept(action.keep, ROLLS - state.rolls)
    return {category: number for category, number in zip(CATEGORIES, points, strict=True) if number}


def _accounts(state: State, values: Values) -> Iterator[tuple[Action, Account]]:
    """Among equals, to stop is better than to roll, and to keep many dice better than few, as people do."""
    sheet = state.sheets[current_player(state)]
    for write in writes(state):
        yield write, written(values, sheet, state.dice, write)
    for roll in reversed(list(rolls(state))):
        yield roll, turn_from(values, sheet).kept(roll.keep, ROLLS - state.rolls)


def _parts(so_far: int, account: Account) -> Mapping[str, float]:
    value, points, jokers, premium = account
    future = value - points - jokers - premium
    return {"written": so_far, "points": points, "jokers": jokers, "premium": premium, "future": future}
