"""Karciany Knyf: what every alternative of a decision is worth.

The value of the best alternative is its expected final total, when the player goes on playing well and has the time to
fill the whole sheet. The value of any other alternative is its expected final total, less `PRICE_OF_A_TURN` for every
turn that it is expected to take longer than the best one (or more, if it is quicker): the game is a race, and in a turn
the others score about as much. When somebody's sheet is complete this is the last turn, and the value is the final
total exactly.

It is a value for points, not for places; rivals' sheets matter in the last round only. The draw that is decided now is
counted with the cards that this player has seen; later ones with chance 1/6 for each value (see `values`).

The parts of a value add up to it:
- `scored`: the points on the sheet, less the penalties on it;
- a combination: its points, if it is played now; or, for an exchange, the points it is expected to bring next turn;
- `penalties`: for surplus cards, due now or expected next turn;
- `bonus`: the +35 or −20 to be expected;
- `speed`: the price of being slower than the best alternative;
- `later`: everything after that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knyf_panel.engine.advice import Advice, ranked
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
from knyf_panel.engine.knyf.rules import COMBINATIONS, PENALTY_FOR_FORGETTING, points_for
from knyf_panel.engine.knyf.state import ROW, Action, Exchange, Known, Play, Sheet, State
from knyf_panel.engine.knyf.values import (
    MOST_PLANNED,
    PRICE_OF_A_TURN,
    Outlook,
    Plan,
    draws,
    expectation,
    expected_bonus,
    kept_value,
    open_rows,
    pace_of,
    packed,
    penalty_for,
    plan,
    sheet_left,
    turns,
)
from knyf_panel.engine.tuples import without


def advise(state: State) -> tuple[Advice, ...]:
    """Every sensible alternative of the current player with its value and its cost, best first.

    All legal actions but those that forget to announce.
    """
    if is_over(state):
        return ()
    values = action_values(state)
    if is_last_turn(state):
        return ranked((action, value, _last_parts(state, action)) for action, value in values)
    best, _ = max(values, key=lambda entry: entry[1])
    position = Position.of(state)
    quickest = _account(position, best).turns
    shift = position.scored + PRICE_OF_A_TURN * quickest
    return ranked(
        (action, value + shift, _parts(position, _account(position, action), value + shift, quickest))
        for action, value in values
    )


def action_values(state: State, *, thorough: bool = True) -> list[tuple[Action, float]]:
    """What `advise` ranks by, without the explanation and up to a constant: plays first, then exchanges.

    Unless thorough, without those that make a hand larger than plans are made for: slow, and rough values.
    """
    actions = [action for action in _sensible(state) if thorough or not _makes_hand_too_large(state, action)]
    if is_last_turn(state):
        return [(action, float(_total_after(state, action))) for action in actions]
    position = Position.of(state)
    return [(action, _value(position, action)) for action in actions]


def is_last_turn(state: State) -> bool:
    """Somebody's sheet is complete: whatever the current player leaves free now stays free."""
    return any(sheet.is_complete for sheet in state.sheets)


@dataclass(frozen=True, slots=True)
class Position:
    """What the current player knows of the game, and a plan for it."""

    sheet: Sheet
    known: Known
    free: int  # the rows, as bits
    pace: int
    plan: Plan

    @classmethod
    def of(cls, state: State) -> Position:
        seat = current_player(state)
        sheet = state.sheets[seat]
        open_, pace = open_rows(sheet), pace_of(sheet)
        return cls(sheet, known(state, seat), open_, pace, plan(open_, pace))

    @property
    def scored(self) -> float:
        return _scored(self.sheet)


def _scored(sheet: Sheet) -> float:
    forgot = PENALTY_FOR_FORGETTING if sheet.forgot_to_announce else 0
    return float(sheet.upper_points + sheet.lower_points - sum(sheet.penalties) - forgot)


def _sensible(state: State) -> Iterator[Action]:
    forgetful = must_announce(state.sheets[current_player(state)])
    yield from (play for play in plays(state) if play.announced or not forgetful)
    yield from exchanges(state)


def _makes_hand_too_large(state: State, action: Action) -> bool:
    held = len(state.hands[current_player(state)])
    return isinstance(action, Exchange) and action.draw > len(action.discard) and held >= MOST_PLANNED


def _total_after(state: State, action: Action) -> int:
    sheet = sheet_after(state, action) if isinstance(action, Play) else state.sheets[current_player(state)]
    return final_total(sheet, state.options)


def _value(position: Position, action: Action) -> float:
    hand = position.known.hand
    if isinstance(action, Exchange):
        kept = without(hand, action.discard) or ()
        return expectation(position.plan, kept, action.draw, position.known.unseen)
    kept = without(hand, action.cards + action.drop) or ()
    points = _points(action) - penalty_for(len(hand))
    return points + kept_value(*_left(position, action), kept)


def _points(play: Play) -> int:
    return points_for(play.combination, play.cards) or 0


def _left(position: Position, play: Play) -> tuple[int, int]:
    return sheet_left(position.free, position.pace, ROW[play.combination], len(play.cards))


# ---- Where a value comes from ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Account:
    """What one alternative is expected to bring, now or next turn, and how long the sheet then takes."""

    points: dict[str, float]
    penalties: float = 0.0
    bonus: float = 0.0
    turns: float = 0.0


def _account(position: Position, action: Action) -> Account:
    if isinstance(action, Play):
        left = _left(position, action)
        penalty = penalty_for(len(position.known.hand))
        return Account({action.combination: float(_points(action))}, penalty, expected_bonus(*left), turns(*left))
    account = Account({})
    base = packed(without(position.known.hand, action.discard) or ())
    for code, chance in draws(position.known.unseen, action.draw):
        _add_next_turn(account, position.plan.outlook(base + code), chance)
    return account


def _add_next_turn(account: Account, outlook: Outlook, chance: float) -> None:
    if outlook.row is not None:
        combination = COMBINATIONS[outlook.row]
        account.points[combination] = account.points.get(combination, 0.0) + chance * outlook.points
        account.penalties += chance * outlook.penalty
    account.bonus += chance * outlook.bonus
    account.turns += chance * (1 + outlook.turns)


def _parts(position: Position, account: Account, value: float, quickest: float) -> Mapping[str, float]:
    parts = {
        "scored": position.scored,
        **{name: account.points[name] for name in COMBINATIONS if name in account.points},
        "penalties": -account.penalties,
        "bonus": account.bonus,
        "speed": -PRICE_OF_A_TURN * (account.turns - quickest),
    }
    return {**parts, "later": value - sum(parts.values())}


def _last_parts(state: State, action: Action) -> Mapping[str, float]:
    parts = {"scored": _scored(state.sheets[current_player(state)])}
    if isinstance(action, Play):
        parts |= {action.combination: float(_points(action))}
        parts |= {"penalties": -float(penalty_for(len(state.hands[current_player(state)])))}
    return {**parts, "bonus": _total_after(state, action) - sum(parts.values())}
