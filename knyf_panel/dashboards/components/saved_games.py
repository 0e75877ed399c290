"""Saved games: give the current one a name, and take up or remove those that have one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knyf_panel.dashboards.components.markup import element
from knyf_panel.dashboards.components.parts import button, row, select, stack, text, text_input
from knyf_panel.dashboards.shelf import GameShelf
from knyf_panel.engine import BadSave
from knyf_panel.engine.match import Match
from knyf_panel.texts import Texts

LONGEST_NAME = 40


class SavedGames:
    """`current()` gives the game that is being played; `load(match, said)` goes on with another one."""

    def __init__(
        self, games: GameShelf, texts: Texts, current: Callable[[], Match], load: Callable[[Match, str], None]
    ) -> None:
        self._games, self._texts, self._current, self._load = games, texts, current, load
        self.name = text_input(self._words("name"), longest=LONGEST_NAME)
        self.names = select(self._words("choose"), [])
        self._said = text(tags=["live"])
        self._none = text(element("p", self._words("none")))
        self._loading = row(button(self._words("load"), self.load), button(self._words("remove"), self.remove))
        self.view = stack(
            text(element("p", self._words("automatic"))),
            self.name,
            row(button(self._words("save"), self.save, is_primary=True)),
            self._said,
            self._none,
            self.names,
            self._loading,
        )
        self._list()

    def save(self, *_: object) -> None:
        name = " ".join(str(self.name.value_input or self.name.value or "").split())
        if not name:
            self._say("without_name")
        elif len(name) > LONGEST_NAME:
            self._say("too_long", longest=LONGEST_NAME)
        else:
            self._games.save(name, self._current())
            self._list(name)
            self._say("done", name=name)

    def load(self, *_: object) -> None:
        name = str(self.names.value)
        try:
            match = self._games.load(name)
        except BadSave as error:
            self._list()
            self._said.object = element("p", f"{self._words('aside')} {self._texts.error(error, 'knyf')}")
            return
        if match:
            self._load(match, self._words("loaded", name=name))
            self._list()

    def remove(self, *_: object) -> None:
        name = str(self.names.value)
        self._games.remove(name)
        self._list()
        self._say("removed", name=name)

    def _list(self, chosen: str = "") -> None:
        names = self._games.names()
        self.names.options = names
        self.names.value = chosen if chosen in names else next(iter(names), None)
        self._none.visible = not names
        self.names.visible = self._loading.visible = bool(names)

    def _say(self, key: str, **values: Any) -> None:
        self._said.object = element("p", self._words(key, **values))

    def _words(self, key: str, **values: Any) -> str:
        return self._texts(f"table.saved.{key}", **values)
