"""Whole games in the browser, by mouse and by keyboard alone, in both languages; what is shown is the engine's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from knyf_panel.build.steps import DIST
from knyf_panel.engine import kosci
from knyf_panel.engine.kosci.rules import ROLLS
from knyf_panel.texts import load, rule
from tests.browser.drivers import Page, eventually
from tests.browser.playing import Player, spoken, wait_until_ready
from tests.browser.server import FaultyServer

# Bokeh and Python do the same in every browser, and test_site has seen them start; a whole game in one is enough.
pytestmark = [pytest.mark.limit(300), pytest.mark.parametrize("engine", ["chromium"], indirect=True)]
in_both_ways = pytest.mark.parametrize(
    ("language", "by_keyboard"), [("pl", True), ("en", False), ("en", True)], ids=["pl-keys", "en-mouse", "en-keys"]
)
SEED = 12


@pytest.fixture
def site() -> Iterator[FaultyServer]:
    with FaultyServer(DIST, base="/knyf/") as server:
        yield server


def opened(page: Page, site: FaultyServer, name: str, language: str, by_keyboard: bool) -> Player:
    page.open(f"{site.url}{name}.html?seed={SEED}&lang={language}")
    wait_until_ready(page)
    return Player(page, by_keyboard)


# ---- Kości -----------------------------------------------------------------------------------------------------------


@in_both_ways
def test_a_whole_game_of_kosci(page: Page, site: FaultyServer, language: str, by_keyboard: bool) -> None:
    player, texts = opened(page, site, "kosci", language, by_keyboard), load(language)
    roll = texts("interface.kosci.roll")
    state = kosci.new_game([texts("table.names.you")], SEED)
    while not kosci.is_over(state):
        player.press(roll)
        state = kosci.apply(state, kosci.Roll())
        while state.rolls < ROLLS and (keep := equal_dice(state)) != state.dice:
            keep_by_keys(player, state, keep)
            check_kosci_odds(player, state, keep, language)
            player.press(roll)
            state = kosci.apply(state, kosci.Roll(keep))
        check_kosci_odds(player, state, state.dice, language)
        free = state.sheets[0].free
        best = max(free, key=lambda category: kosci.score(category, state.dice))
        player.press_beside(rule("kosci", best, language).name)
        state = kosci.apply(state, kosci.Write(best))
    (standing,) = kosci.standings(state)
    assert texts.count("point", standing.total) in spoken(page)
    assert not page.console_errors
    assert {url for url in page.requests if not url.startswith(site.url)} == set()


def equal_dice(state: kosci.State) -> tuple[int, ...]:
    favourite = max(state.dice, key=state.dice.count)
    return (favourite,) * state.dice.count(favourite)


def keep_by_keys(player: Player, state: kosci.State, keep: tuple[int, ...]) -> None:
    """The keys 1 to 5; what was kept before the last roll stays so."""
    for place, value in enumerate(state.dice):
        if (value == keep[0]) != is_kept(player.page, place):
            player.page.press(str(place + 1))


def is_kept(page: Page, place: int) -> bool:
    return bool(page.query(f"div.kp-die:nth-of-type({place + 1})", "!!element.shadowRoot.querySelector('.bk-active')"))


def check_kosci_odds(player: Player, state: kosci.State, keep: tuple[int, ...], language: str) -> None:
    """In every free row: the best chance, that of the kept dice, and the expected points."""
    texts, left = load(language), ROLLS - state.rolls
    best, chosen = kosci.odds(state.dice, left), kosci.odds_of(state.dice, left, keep)
    shown = {
        rule("kosci", category, language).name: (
            texts.percent(best[category].probability),
            texts.percent(chosen[category].probability),
            texts.number(best[category].expected, 1),
        )
        for category in state.sheets[0].free
    }
    eventually(
        lambda: all(number in player.cells(name) for name, numbers in shown.items() for number in numbers),
        f"the sheet shows {shown}",
    )
