"""One interface to three browsers.

`with make_engine("firefox", browsers.find()).fresh(Options()) as browser: browser.new_page().open(url)`
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.browser.drivers.base import (
    Browser,
    CouldNotOpen,
    Engine,
    Message,
    NeverHappened,
    NotInThisBrowser,
    Options,
    Page,
    ScriptError,
    eventually,
)

ENGINES = ("chromium", "firefox", "webkit")

__all__ = [
    "ENGINES",
    "Browser",
    "CouldNotOpen",
    "Engine",
    "Message",
    "NeverHappened",
    "NotInThisBrowser",
    "Options",
    "Page",
    "ScriptError",
    "eventually",
    "make_engine",
]


def make_engine(name: str, programs: Mapping[str, Path]) -> Engine:
    """An engine from the programs that `knyf_panel.build.browsers` found; drivers are loaded when needed."""
    match name:
        case "chromium":
            from tests.browser.drivers.chromium import Chromium

            return Chromium(programs["chromium"])
        case "firefox":
            from tests.browser.drivers.firefox import Firefox

            return Firefox(programs["firefox"])
        case "webkit":
            from tests.browser.drivers.webkit import WebKit

            return WebKit(programs["webkit"], programs["xvfb"], programs["webkit_python"])
    raise ValueError(f"no engine is called {name!r}: {', '.join(ENGINES)}")
