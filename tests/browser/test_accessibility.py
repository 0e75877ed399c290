"""axe-core finds nothing on any page, before and after Python has started, light and dark, in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from knyf_panel.build.javascript import fetch
from knyf_panel.build.pages import NAMES
from knyf_panel.build.steps import DIST
from tests.browser.conftest import Open
from tests.browser.drivers import Page
from tests.browser.server import Fault, FaultyServer

_SLOW = Fault(delay=20)
# What axe-core looks at is the same in all three; the colours are the style sheets', not the browser's.
pytestmark = pytest.mark.parametrize("engine", ["chromium"], indirect=True)

READY = "document.documentElement.dataset.state === 'ready'"


@pytest.fixture
def site() -> Iterator[FaultyServer]:
    with FaultyServer(DIST) as server:
        yield server


def findings(page: Page) -> list[str]:
    """What axe-core has to say of the page as it is now."""
    program = (fetch("axe-core") / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(f"void (function () {{ {program} }}).call(window)")
    found: list[dict[str, Any]] = page.evaluate("axe.run(document).then(result => result.violations)")
    return [f"{finding['id']}: {node['html']}" for finding in found for node in finding["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing(open_browser: Open, site: FaultyServer, name: str, scheme: str) -> None:
    page = open_browser(color_scheme=scheme, reduced_motion=True).new_page()
    for language in ("pl", "en"):
        page.open(f"{site.url}{name}.html?lang={language}&seed=7")
        page.wait_for(READY, 60)
        assert json.dumps(findings(page), ensure_ascii=False, indent=1) == "[]"


def test_axe_sees_what_is_wrong(open_browser: Open, site: FaultyServer) -> None:
    """The check above can fail."""
    page = open_browser().new_page()
    page.open(f"{site.url}index.html")
    page.wait_for(READY, 60)
    page.evaluate("void document.getElementById('kp-main').append(document.createElement('img'))")
    assert any(line.startswith("image-alt") for line in findings(page))


@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing_without_python(open_browser: Open, site: FaultyServer, name: str) -> None:
    """The static view, as long as Python has not arrived."""
    site.faults.update({path.relative_to(DIST).as_posix(): _SLOW for path in DIST.glob("assets/snapshot.*")})
    page = open_browser().new_page()
    page.open(f"{site.url}{name}.html")
    page.wait_for("document.documentElement.dataset.state === 'starting'")
    assert json.dumps(findings(page), ensure_ascii=False, indent=1) == "[]"
