"""Where games lie between visits: texts by their keys, and what pages make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knyf_panel.engine import BadSave
from knyf_panel.engine.match import Match, from_json, to_json

_CURRENT, _SAVED, _DAMAGED = "current", "saved/", "damaged/"


class Shelf:
    """In memory. `changed(key, text)` hears of every change, with None for what was taken away: in the browser the page
    writes it down."""

    def __init__(
        self, kept: Mapping[str, str] | None = None, changed: Callable[[str, str | None], None] = lambda *_: None
    ) -> None:
        self._kept, self._changed = dict(kept or {}), changed

    def get(self, key: str) -> str | None:
        return self._kept.get(key)

    def keys(self, prefix: str) -> list[str]:
        return sorted(key for key in self._kept if key.startswith(prefix))

    def put(self, key: str, text: str) -> None:
        if self._kept.get(key) != text:
            self._kept[key] = text
            self._changed(key, text)

    def remove(self, key: str) -> None:
        if self._kept.pop(key, None) is not None:
            self._changed(key, None)


class GameShelf:
    """The games of one kind on a shelf: the current one, and those that were given a name."""

    def __init__(self, shelf: Shelf, game: str) -> None:
        self._shelf, self._game = shelf, game

    def current(self) -> Match | None:
        """The game that was being played; None if there is none. BadSave if it cannot be read: then it lies aside."""
        return self._read(_CURRENT)

    def keep(self, match: Match) -> None:
        self._shelf.put(self._key(_CURRENT), to_json(match))

    def names(self) -> list[str]:
        prefix = self._key(_SAVED)
        return [key.removeprefix(prefix) for key in self._shelf.keys(prefix)]

    def save(self, name: str, match: Match) -> None:
        self._shelf.put(self._key(_SAVED + name), to_json(match))

    def load(self, name: str) -> Match | None:
        """The game with this name; BadSave if it cannot be read: then it lies aside."""
        return self._read(_SAVED + name)

    def remove(self, name: str) -> None:
        self._shelf.remove(self._key(_SAVED + name))

    def damaged(self) -> list[str]:
        """The texts of saves that could not be read: kept for whoever can mend them."""
        return [self._shelf.get(key) or "" for key in self._shelf.keys(self._key(_DAMAGED))]

    def _read(self, name: str) -> Match | None:
        text = self._shelf.get(self._key(name))
        if text is None:
            return None
        try:
            match = from_json(text)
            if match.game != self._game:
                raise BadSave("save_of_another_game", found=match.game, expected=self._game)
        except BadSave:
            self._put_aside(name, text)
            raise
        return match

    def _put_aside(self, name: str, text: str) -> None:
        number = len(self._shelf.keys(self._key(_DAMAGED))) + 1
        self._shelf.put(self._key(f"{_DAMAGED}{number}"), text)
        self._shelf.remove(self._key(name))

    def _key(self, name: str) -> str:
        return f"{self._game}/{name}"
