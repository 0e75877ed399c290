"""What a link to a page says: `?lang=en&seed=7`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knyf_panel.texts import LANGUAGES


@dataclass(frozen=True)
class Visit:
    language: str = "pl"
    seed: int | None = None  # which cards are dealt; None: nobody knows yet

    @classmethod
    def from_link(cls, arguments: Mapping[str, str]) -> Visit:
        """The visit for the arguments of a link. People type links: what cannot be read is as if it were not there."""
        language = arguments.get("lang", cls.language)
        return cls(language if language in LANGUAGES else cls.language, _number(arguments.get("seed", "")))


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
