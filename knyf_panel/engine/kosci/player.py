"""Kości: players that choose an action by themselves."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from knyf_panel.engine.checks import check_choice
from knyf_panel.engine.errors import IllegalAction
from knyf_panel.engine.kosci.coach import advise
from knyf_panel.engine.kosci.game import current_player, earned, is_over, legal_actions, rolls, ways_to_write, writes
from knyf_panel.engine.kosci.odds import FIVE_DICE, Dice, points
from knyf_panel.engine.kosci.rules import FIXED, JOKER_BONUS, ROLLS, is_general
from knyf_panel.engine.kosci.state import Action, Roll, Sheet, State, Write
from knyf_panel.engine.kosci.values import Turn
from knyf_panel.engine.strengths import STRENGTHS

OVERLOOKED = 0.5  # how often a beginner does not see a free category


def random_action(state: State, random: Random) -> Action:
    """Any legal action, all equally likely."""
    return random.choice(tuple(legal_actions(state)))


def choose(state: State, strength: str, random: Random) -> Action:
    """What a computer player of this strength does."""
    check_choice("strength", strength, STRENGTHS)
    if is_over(state):
        raise IllegalAction("game_is_over")
    if not state.dice:
        return Roll()
    if strength == "beginner":
        return _beginner(state, random)
    return _skilled(state) if strength == "skilled" else _strong(state)


# ---- Beginner: collects the number that lies there most often, and does not see everything ---------------------------


def _beginner(state: State, random: Random) -> Action:
    sheet = state.sheets[current_player(state)]
    seen = [way for way in writes(state) if random.random() >= OVERLOOKED] or list(writes(state))
    best = max(seen, key=lambda way: sum(earned(sheet, state.dice, way)))
    favourite = max(state.dice, key=lambda value: (state.dice.count(value), value))
    complete = best.category in FIXED and earned(sheet, state.dice, best)[0]
    if complete or state.rolls == ROLLS or is_general(state.dice):
        return best
    return Roll((favourite,) * state.dice.count(favourite))


# ---- Skilled: the best turn, each category measured by what it gives on average --------------------------------------


def _skilled(state: State) -> Action:
    sheet = state.sheets[current_player(state)]
    turn = _turn_of(sheet)
    best = max(writes(state), key=lambda way: _surplus(sheet, state.dice, way))
    keeps = [(turn.kept(roll.keep, ROLLS - state.rolls)[0], roll) for roll in rolls(state)]
    gain, roll = max(keeps, key=lambda keep: keep[0], default=(float("-inf"), Roll()))
    return roll if gain > _surplus(sheet, state.dice, best) else best


@lru_cache(maxsize=64)
def _turn_of(sheet: Sheet) -> Turn:
    """A turn played for the highest surplus, without a thought of those to come."""
    return Turn([(max(_surplus(sheet, dice, way) for way in ways_to_write(sheet, dice)),) for dice in FIVE_DICE.hands])


def _surplus(sheet: Sheet, dice: Dice, way: Write) -> float:
    """How much more these dice give than a turn that is played for this category alone."""
    written, paid_jokers = earned(sheet, dice, way)
    return written + JOKER_BONUS * paid_jokers - _usual(way.category)


@lru_cache(maxsize=16)  # room for the 13 categories
def _usual(category: str) -> float:
    return float(points(category).worth((), ROLLS))


# ---- Strong: what the table of the whole game says -------------------------------------------------------------------


def _strong(state: State) -> Action:
    best: Action = advise(state)[0].action
    return best
