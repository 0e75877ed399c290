"""Nothing is lost: games outlast a reload, a damaged save lies aside, and the look of the pages is remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from knyf_panel.build.steps import DIST
from knyf_panel.texts import load
from tests.browser.conftest import Open
from tests.browser.drivers import Page
from tests.browser.playing import Player, spoken, wait_until_ready
from tests.browser.server import FaultyServer

pytestmark = pytest.mark.limit(240)
TEXTS = load("en")
CURRENT = "knyf:games/kosci/current"


@pytest.fixture
def site() -> Iterator[FaultyServer]:
    with FaultyServer(DIST, base="/knyf/") as server:
        yield server


def opened(page: Page, site: FaultyServer, query: str = "?lang=en") -> Player:
    page.open(f"{site.url}kosci.html{query}")
    wait_until_ready(page)
    return Player(page, by_keyboard=False)


def kept(page: Page) -> str | None:
    text: str | None = page.evaluate(f"localStorage.getItem({json.dumps(CURRENT)})")
    return text


def test_a_game_goes_on_after_a_reload(page: Page, site: FaultyServer) -> None:
    player = opened(page, site)
    player.press(TEXTS("interface.kosci.roll"))
    player.press_beside("chance")
    written = player.cells("chance")
    page.reload()
    wait_until_ready(page)
    assert TEXTS("table.saved.resumed") in spoken(page)
    assert player.cells("chance") == written == TEXTS("interface.sheet.is_written")
    assert json.loads(kept(page) or "")["actions"][-1]["category"] == "chance"


def test_a_damaged_save_lies_aside(page: Page, site: FaultyServer) -> None:
    opened(page, site)
    page.evaluate(f"localStorage.setItem({json.dumps(CURRENT)}, '{{broken')")
    page.reload()
    wait_until_ready(page)
    assert TEXTS("table.saved.aside") in spoken(page)
    assert page.evaluate("localStorage.getItem('knyf:games/kosci/damaged/1')") == "{broken"
    assert kept(page) is None


def test_a_game_without_storage_is_played_and_not_kept(open_browser: Open, site: FaultyServer) -> None:
    page = open_browser(storage=False).new_page()
    player = opened(page, site)
    player.press(TEXTS("interface.kosci.roll"))
    page.wait_for("!document.getElementById('kp-unsaved').hidden")


def test_names_from_people_are_text(page: Page, site: FaultyServer) -> None:
    """A name in a save, as it could come from a form or a link."""
    name = "<img src=x onerror=alert(1)>"
    player = opened(page, site)
    player.press(TEXTS("interface.kosci.roll"))
    save = (kept(page) or "").replace('"You"', json.dumps(name))
    page.evaluate(f"localStorage.setItem({json.dumps(CURRENT)}, {json.dumps(save)})")
    page.reload()
    wait_until_ready(page)
    assert TEXTS("table.saved.resumed") in spoken(page)
    assert page.query("img[src='x']") is None
    assert not page.console_errors


def test_the_theme_and_the_projector_are_remembered(page: Page, site: FaultyServer) -> None:
    opened(page, site)
    page.click("summary")
    page.evaluate(
        "(select => { select.value = 'dark'; select.dispatchEvent(new Event('change')); })"
        "(document.getElementById('kp-theme'))"
    )
    page.click("#kp-projector")
    page.reload()
    wait_until_ready(page)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(19, 20, 24)"
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 24


def test_a_link_can_ask_for_the_projector(page: Page, site: FaultyServer) -> None:
    opened(page, site, "?mode=projector")
    assert page.evaluate("document.documentElement.hasAttribute('data-projector')")
