"""What every page has in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

import param
from panel.viewable import Viewable

from knyf_panel.dashboards.shelf import Shelf
from knyf_panel.dashboards.visit import Visit
from knyf_panel.texts import load


class Dashboard(param.Parameterized):
    """A page: its state in parameters, from which everything on the screen is derived.

    Chance comes from outside: `fresh_seed` gives a number that no other visitor has, whenever cards are dealt and the
    link does not say which. What has to outlast a visit goes on the shelf.
    """

    carried: ClassVar[tuple[str, ...]] = ()  # the parameters that make the game, whatever the language

    def __init__(self, visit: Visit, fresh_seed: Callable[[], int], shelf: Shelf | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.visit = visit
        self.texts = load(visit.language)
        self._fresh_seed = fresh_seed
        self._shelf = shelf or Shelf()

    def carry_on(self, other: Dashboard) -> None:
        """Take over the game of the same page in another language."""
        self.param.update(**{name: getattr(other, name) for name in self.carried})

    @classmethod
    @abstractmethod
    def title(cls, language: str) -> str:
        """The name of the page."""

    @classmethod
    @abstractmethod
    def static(cls, language: str) -> str:
        """The first view as HTML without scripts and styles: to be read, and clicked, before Python is ready.

        What can be clicked has an attribute `data-early`; `early` understands its values.
        """

    @abstractmethod
    def view(self) -> Viewable:
        """The page; the same object whenever it is asked for."""

    @abstractmethod
    def early(self, clicks: Sequence[str]) -> None:
        """Do what was clicked on the static view, in that order. What is not known is left out."""
