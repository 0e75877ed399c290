"""A game with the people and computers who play it: how it began, and every action since. The rest follows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any

from knyf_panel.engine import knister, knyf, kosci
from knyf_panel.engine.checks import check_choice
from knyf_panel.engine.errors import BadSave, GameError
from knyf_panel.engine.saves import document_of, require
from knyf_panel.engine.strengths import STRENGTHS

GAMES: Mapping[str, Any] = {"knyf": knyf, "kosci": kosci, "knister": knister}
PERSON = "person"
KINDS = (PERSON, *STRENGTHS)  # who decides at a seat
VERSION = 1  # of the format of saved matches


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody chose when there was something to choose."""

    number: int  # the place of the action in the match
    state: Any  # before it
    seat: int
    action: Any


@dataclass(frozen=True, slots=True)
class Match:
    """Frozen: every action makes a new one. `states` has one more than `actions`, the present one last."""

    game: str
    kinds: tuple[str, ...]
    states: tuple[Any, ...]
    actions: tuple[Any, ...] = ()

    @classmethod
    def begin(cls, game: str, seats: Sequence[tuple[str, str]], seed: int, **options: Any) -> Match:
        """A new game of these (name, kind), in seating order."""
        for _, kind in seats:
            check_choice("kind", kind, KINDS)
        state = GAMES[game].new_game([name for name, _ in seats], seed, **options)
        return cls(game, tuple(kind for _, kind in seats), (state,))

    @property
    def rules(self) -> Any:
        """The game's module of the engine."""
        return GAMES[self.game]

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_over(self.state))

    @property
    def seat(self) -> int:
        """Of the player whose turn it is."""
        return int(self.rules.current_player(self.state))

    @property
    def kind(self) -> str:
        return self.kinds[self.seat]

    @property
    def waits_for_a_person(self) -> bool:
        return not self.is_over and self.kind == PERSON

    @property
    def people(self) -> tuple[int, ...]:
        """The seats at which people sit."""
        return tuple(seat for seat, kind in enumerate(self.kinds) if kind == PERSON)

    @property
    def is_practice(self) -> bool:
        """Nobody else is cheated when the only person takes a move back."""
        return len(self.people) <= 1

    def after(self, action: Any) -> Match:
        """The match with one more action; IllegalAction if the rules do not allow it."""
        after = self.rules.apply(self.state, action)
        return replace(self, states=(*self.states, after), actions=(*self.actions, action))

    def after_computer(self) -> Match:
        """The computer whose turn it is acts. What it does follows from the match alone: a replay is the same."""
        return self.after(self.rules.choose(self.state, self.kind, Random(f"{self.state.seed}/{len(self.actions)}")))

    def until(self, number: int) -> Match:
        """The match as it was before the action with this number."""
        return replace(self, states=self.states[: number + 1], actions=self.actions[:number])

    def decisions(self, seat: int | None = None) -> Iterator[Decision]:
        """In the order in which they were made; those of one seat, or of everybody."""
        for number, (state, action) in enumerate(zip(self.states, self.actions, strict=False)):
            decider = self.rules.current_player(state)
            if seat in (None, decider) and self._is_choice(state):
                yield Decision(number, state, decider, action)

    def undone(self) -> Match | None:
        """Back to the last decision of a person, which can now be made otherwise; None if there was none."""
        mine = [decision for decision in self.decisions() if self.kinds[decision.seat] == PERSON]
        return self.until(mine[-1].number) if mine else None

    def _is_choice(self, state: Any) -> bool:
        return len(list(islice(self.rules.legal_actions(state), 2))) > 1


# ---- Saved -----------------------------------------------------------------------------------------------------------


def to_json(match: Match) -> str:
    """The beginning and the actions, on one line."""
    body = {
        "match": VERSION,
        "game": match.game,
        "kinds": match.kinds,
        "first": json.loads(match.rules.to_json(match.states[0])),
        "actions": [json.loads(match.rules.action_to_json(action)) for action in match.actions],
    }
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> Match:
    """The match that was saved, replayed; BadSave with the reason if it cannot be."""
    body = _checked(document_of(text))
    state = GAMES[body["game"]].from_json(json.dumps(body.get("first")))
    match = Match(body["game"], _kinds(body.get("kinds"), len(state.players)), (state,))
    for number, action in enumerate(body["actions"]):
        match = _replayed(match, action, f"actions[{number}]")
    return match


def _checked(body: dict[str, Any]) -> dict[str, Any]:
    version: Any = body.get("match")
    require(isinstance(version, int) and not isinstance(version, bool) and version >= 1, "match")
    if version > VERSION:
        raise BadSave("save_of_a_newer_version", version=version, newest=VERSION)
    require(body.get("game") in tuple(GAMES), "game")
    require(isinstance(body.get("actions"), list), "actions")
    return body


def _kinds(kinds: Any, seats: int) -> tuple[str, ...]:
    require(isinstance(kinds, list) and len(kinds) == seats and all(kind in KINDS for kind in kinds), "kinds")
    return tuple(kinds)


def _replayed(match: Match, action: Any, where: str) -> Match:
    try:
        return match.after(match.rules.action_from_json(json.dumps(action)))
    except GameError as error:
        if error.reason == "save_of_a_newer_version":
            raise
        raise BadSave("damaged_save", where=where) from error
