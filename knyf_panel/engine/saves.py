"""Saved games: frozen dataclasses to JSON text and back, with every type checked on the way in.

A save names its game and the version of its format. Reading one either gives exactly the object that was saved or
raises BadSave with the reason; what the numbers mean is checked by the game itself.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from knyf_panel.engine.checks import check_players, check_seed
from knyf_panel.engine.errors import BadSave, GameError

Saved = TypeVar("Saved")


def dump(game: str, version: int, saved: object) -> str:
    """JSON text on one line, the same for equal objects."""
    body = _plain(saved)
    return json.dumps({"game": game, "version": version, **body}, ensure_ascii=False, separators=(",", ":"))


def load(game: str, version: int, kinds: tuple[type[Saved], ...], text: str) -> Saved:
    """The object of one of these kinds that the text holds."""
    document = document_of(text)
    if document.get("game") != game:
        raise BadSave("save_of_another_game", found=document.get("game"), expected=game)
    found = document.get("version")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise BadSave("damaged_save", where="version")
    if found > version:
        raise BadSave("save_of_a_newer_version", version=found, newest=version)
    kind = next((kind for kind in kinds if kind.__name__ == document.get("kind")), None)
    if kind is None:
        raise BadSave("damaged_save", where="kind")
    body = {name: value for name, value in document.items() if name not in ("game", "version", "kind")}
    try:
        loaded: Saved = _read(kind, body, "save")
    except BadSave:
        raise
    except GameError as error:  # a part that its own class refuses, such as an unknown option
        raise BadSave("damaged_save", where=error.reason) from error
    return loaded


def require(holds: bool, where: str) -> None:
    """Refuse a save in which something that is true of every game does not hold."""
    if not holds:
        raise BadSave("damaged_save", where=where)


def check_table(players: tuple[str, ...], seed: int, fewest: int, most: int) -> None:
    """Refuse a save whose players or seed no game could have been set up with."""
    try:
        require(check_players(players, fewest, most) == players, "players")
        check_seed(seed)
    except GameError as error:
        raise BadSave("damaged_save", where="players or seed") from error


def document_of(text: str) -> dict[str, Any]:
    """The JSON object that the text is."""
    try:
        document = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        raise BadSave("save_is_not_json") from None
    if not isinstance(document, dict):
        raise BadSave("save_is_not_json")
    return document


def _plain(saved: Any) -> dict[str, Any]:
    return {"kind": type(saved).__name__, **_fields(saved)}


def _fields(saved: Any) -> dict[str, Any]:
    return {field.name: _value(getattr(saved, field.name)) for field in fields(saved)}


def _value(value: Any) -> Any:
    if is_dataclass(value):
        return _fields(value)
    return [_value(item) for item in value] if isinstance(value, tuple) else value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(hint: Any, value: Any, where: str) -> Any:
    """The value as its type hint says, or BadSave with the place where they differ."""
    if is_dataclass(hint):
        return _read_fields(hint, value, where)
    if get_origin(hint) is tuple:
        item, _ = get_args(hint)  # the engine's states use tuple[item, ...] only
        if isinstance(value, list):
            return tuple(_read(item, entry, f"{where}[{number}]") for number, entry in enumerate(value))
    elif get_origin(hint) is UnionType:
        some, _ = get_args(hint)  # "item | None"
        return None if value is None else _read(some, value, where)
    elif type(value) is hint and hint is not NoneType:  # not isinstance: True is no number here
        return value
    raise BadSave("damaged_save", where=where)


def _read_fields(kind: Any, value: Any, where: str) -> Any:
    hints = _hints(kind)
    if not isinstance(value, dict) or set(value) != {field.name for field in fields(kind)}:
        raise BadSave("damaged_save", where=where)
    return kind(**{name: _read(hints[name], entry, f"{where}.{name}") for name, entry in value.items()})
