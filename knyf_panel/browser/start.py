"""The start of Python in the browser. `warm_up` runs once, at build time; its memory is what visitors restore."""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Callable

from knyf_panel.browser.bridge import Bridge
from knyf_panel.dashboards import PAGES
from knyf_panel.dashboards.shelf import Shelf
from knyf_panel.engine import knister, kosci
from knyf_panel.texts import LANGUAGES


def warm_up() -> None:
    """Do everything once that takes time the first time: open the pages, make the tables of the odds."""
    kosci.odds((), rolls_left=3)
    knister.odds([None] * 5, rolls_left=25)
    knister.expected([None] * 5, rolls_left=25)
    for page in PAGES:
        for language in LANGUAGES:
            Bridge(lambda _: None).open(page, language, seed=7)
    gc.collect()


def begin(
    send: Callable[[str], None],
    entropy: int,
    kept: str = "{}",
    keep: Callable[[str, str | None], None] = lambda *_: None,
) -> Bridge:
    """Called after a restore or a plain start, with a number that no other visitor has, and with the games that this
    visitor has kept, as JSON."""
    random.seed(entropy)  # its state is the same for everybody who restores the snapshot
    return Bridge(send, Shelf(json.loads(kept), keep))
