"""What can be wrong with a request to the engine.

The engine holds no text. An error says what is wrong by a `reason`, an identifier made of plain words, and by the
`facts` that go with it; `str(error)` joins the two for a programmer, and `knyf_panel.texts` turns them into a sentence
in the reader's language.
"""

from __future__ import annotations


class GameError(ValueError):
    """The root of everything the engine refuses."""

    def __init__(self, reason: str, **facts: object) -> None:
        self.reason = reason
        self.facts = facts
        super().__init__(reason, facts)

    def __str__(self) -> str:
        words = self.reason.replace("_", " ")
        if not self.facts:
            return words
        return f"{words} ({', '.join(f'{name}={value!r}' for name, value in self.facts.items())})"


class BadSetup(GameError):
    """A game that cannot be set up: players, seed or options."""


class IllegalAction(GameError):
    """An action that the rules do not allow in this position."""


class IllegalPlay(IllegalAction):
    """Cards that do not make the combination they are played as."""


class BadQuestion(GameError):
    """Cards, dice or numbers that cannot exist, or a question that makes no sense of them."""


class BadSave(GameError):
    """A saved game that cannot be read: damaged, foreign, or made by a newer version."""


class NoValues(GameError):
    """The table of values that a strong player or the coach goes by: not there, or not readable."""
