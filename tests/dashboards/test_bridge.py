"""The bridge between page and Python: documents and patches as JSON, in order, one patch back for one patch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from bokeh import __version__ as bokeh_version

from knyf_panel.browser import bridge as bridge_module
from knyf_panel.browser.bridge import Bridge
from knyf_panel.dashboards import PAGES, KnyfDashboard
from knyf_panel.engine import knyf

pytestmark = pytest.mark.filterwarnings("ignore:Widget.name:PendingDeprecationWarning")

Model = dict[str, Any]


class Page:
    """What the page in the browser sees: the models of the document, and the patches that came."""

    def __init__(self, name: str = "knyf", language: str = "en", seed: int | None = 7) -> None:
        self.patches: list[str] = []
        self.bridge = Bridge(self.patches.append)
        self.open(name, language, seed)

    def open(self, name: str, language: str, seed: int | None) -> None:
        self.text = self.bridge.open(name, language, seed)
        self.content = json.loads(self.text)
        self.models = list(models_in(self.content["document"]))

    @property
    def dashboard(self) -> KnyfDashboard:
        assert isinstance(self.bridge._dashboard, KnyfDashboard)
        return self.bridge._dashboard

    def all(self, kind: str) -> list[Model]:
        return [model for model in self.models if model["name"].endswith(kind)]

    def press(self, *places: int, is_active: bool = True) -> None:
        """Cards change all in one patch."""
        cards = [self.all("Toggle")[place] for place in places]
        self.change(*((card["id"], "active", is_active) for card in cards))

    def change(self, *changes: tuple[str, str, object]) -> None:
        events = [
            {"kind": "ModelChanged", "model": {"id": id_}, "attr": name, "new": value} for id_, name, value in changes
        ]
        self.bridge.receive(json.dumps({"events": events}))

    def events(self, number: int = -1) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = json.loads(self.patches[number])["events"]
        return events

    def chart(self, number: int = -1) -> list[float]:
        """The bars for the choice after a patch."""
        *_, last = (event for event in self.events(number) if event["kind"] == "ColumnDataChanged")
        bars: list[float] = dict(last["data"]["entries"])["chosen"]
        return bars


def models_in(content: object) -> Iterator[Model]:
    if isinstance(content, dict):
        if content.get("type") == "object":
            yield content
        content = list(content.values())
    if isinstance(content, list):
        for item in content:
            yield from models_in(item)


@pytest.fixture(autouse=True)
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """As in the browser, where there is always one."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()


def expected(discard: tuple[int, ...]) -> list[float]:
    chances = knyf.odds_after((2, 2, 3, 4, 5), discard, len(discard))
    return [float(chances[id_].probability) for id_ in knyf.COMBINATIONS]


class TestOpening:
    def test_the_page_gets_a_document(self) -> None:
        page = Page()
        assert page.content["version"] == bokeh_version
        (root,) = page.content["roots"]
        assert root in [model["id"] for model in page.models]
        assert len(page.all("Toggle")) == 5 + 1  # the cards, and whether one card more is drawn
        (source,) = page.all("ColumnDataSource")
        assert dict(source["attributes"]["data"]["entries"])["chosen"] == expected(())

    def test_styles_have_relative_addresses(self) -> None:
        page = Page()
        addresses = [model["attributes"]["url"] for model in page.all("ImportedStyleSheet") if "attributes" in model]
        assert addresses
        assert all(address.startswith("panel/") for address in addresses)
        assert "://" not in page.text.replace("http://www.w3.org/", "")

    def test_nothing_is_sent_by_opening(self) -> None:
        page = Page()
        page.open("knyf", "pl", 8)
        assert page.patches == []
        assert page.dashboard.state.seed == 8

    def test_a_change_of_language_goes_on_with_the_game(self) -> None:
        page = Page(language="pl", seed=None)
        page.press(0)
        page.dashboard.exchange()
        page.press(2)
        before = page.dashboard
        page.open("knyf", "en", None)
        assert page.dashboard is not before
        assert page.dashboard.state == before.state
        assert page.dashboard.selected == {2}
        assert page.dashboard.happened.startswith("Your cards")

    @pytest.mark.parametrize("name", PAGES)
    def test_every_page_goes_on_in_the_other_language(self, name: str) -> None:
        bridge = Bridge(lambda _: None)
        bridge.open(name, "pl", None)
        bridge.early(["roll", "card-1"])
        before: Any = bridge._dashboard
        bridge.open(name, "en", None)
        after: Any = bridge._dashboard
        assert after.visit.language == "en"
        assert [getattr(after, kept) for kept in after.carried] == [getattr(before, kept) for kept in before.carried]
        assert after.state == before.state

    def test_another_deal_does_not_go_on_with_the_game(self) -> None:
        page = Page(seed=7)
        page.open("knyf", "en", 8)
        assert page.dashboard.state == knyf.new_game(page.dashboard.state.players, 8)

    def test_without_a_seed_the_system_chooses_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bridge_module, "randbelow", lambda _: 12345)
        assert Page(seed=None).dashboard.state.seed == 12345

    def test_two_visitors_get_two_deals(self) -> None:
        assert Page(seed=None).dashboard.state.seed != Page(seed=None).dashboard.state.seed


class TestPatches:
    def test_a_pressed_card_changes_the_chart_by_one_patch(self) -> None:
        page = Page()
        page.press(0)
        assert page.dashboard.selected == {0}
        assert len(page.patches) == 1
        assert page.chart() == expected((2,))

    def test_what_the_page_did_is_not_told_to_it(self) -> None:
        page = Page()
        page.press(0)
        card = page.all("Toggle")[0]["id"]
        assert card not in [event["model"]["id"] for event in page.events()]

    def test_events_are_answered_in_order(self) -> None:
        page = Page()
        page.press(0)
        page.press(1)
        page.press(0, is_active=False)
        assert len(page.patches) == 3
        assert [page.chart(number) for number in range(3)] == [expected((2,)), expected((2, 2)), expected((2,))]
        assert page.dashboard.selected == {1}

    def test_several_changes_in_one_patch_have_one_answer(self) -> None:
        page = Page()
        page.press(2, 3, 4)
        assert page.dashboard.selected == {2, 3, 4}
        assert len(page.patches) == 1
        assert page.chart() == expected((3, 4, 5))

    def test_a_click_on_a_button(self) -> None:
        page = Page()
        page.press(0)
        (button,) = (model for model in page.all("Button") if "kp-primary" in model["attributes"]["css_classes"])
        event = {
            "type": "event",
            "name": "button_click",
            "values": {"type": "map", "entries": [["model", {"id": button["id"]}]]},
        }
        message = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
        page.bridge.receive(json.dumps({"events": [message]}))
        assert page.dashboard.state.discard_pile == (2,)
        assert len(page.patches) == 2

    def test_a_patch_that_cannot_be_understood_changes_nothing(self) -> None:
        page = Page()
        with pytest.raises(Exception, match="nowhere"):
            page.change(("nowhere", "active", True))
        assert page.patches == []
        page.press(0)
        assert page.chart() == expected((2,))

    def test_changes_that_come_by_themselves_are_sent_as_well(self, loop: asyncio.AbstractEventLoop) -> None:
        page = Page()
        page.dashboard.choose(0, True)
        assert page.patches == []  # not yet: whatever else changes now goes along
        loop.run_until_complete(asyncio.sleep(0))
        assert len(page.patches) == 1
        assert page.chart() == expected((2,))

    def test_a_layout_that_grows_is_sent(self) -> None:
        page = Page()
        page.dashboard._hand.show((1, 2, 3, 4, 5, 6), set())
        page.bridge._flush()
        (children,) = (event["new"] for event in page.events() if event.get("attr") == "children")
        assert len(children) == 6

    def test_early_clicks_are_answered_by_one_patch(self) -> None:
        page = Page()
        page.bridge.early(["card-0", "card-1"])
        assert page.dashboard.selected == {0, 1}
        assert len(page.patches) == 1

    def test_a_page_that_was_left_says_nothing_any_more(self) -> None:
        page = Page()
        left = page.dashboard
        page.open("knyf", "en", 8)
        left.choose(0, True)
        page.press(1)
        assert len(page.patches) == 1
        assert page.dashboard.selected == {1}
