"""The measurements in bench/: each is a module with a `main` that prints a table, or JSON. And pictures of the site."""

from __future__ import annotations

from collections.abc import Sequence

from knyf_panel.build.environment import python
from knyf_panel.build.steps import run

BENCHES = ("engine", "odds", "boot", "players")


def bench(name: str, arguments: Sequence[str]) -> None:
    run([python("test"), "-m", f"bench.{name}", *arguments], f"bench {name} did not finish: see above.")


def screenshots() -> None:
    run([python("test"), "docs/screenshots.py"], "The pictures were not all taken: see above.")
