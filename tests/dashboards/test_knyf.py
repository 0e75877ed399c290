"""The page of Karciany Knyf: everything on it follows from the engine's state and the move that is considered."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from http.client import HTTPConnection, HTTPException
from socket import socket
from typing import Any

import pytest

from knyf_panel.build.steps import ROOT
from knyf_panel.dashboards import PAGES, KnyfDashboard, Visit
from knyf_panel.dashboards.knyf import PLAYERS, PUPIL
from knyf_panel.engine import IllegalAction, knyf
from knyf_panel.texts import LANGUAGES, load, rule
from tests.dashboards.test_components import Elements, faces, factors

pytestmark = pytest.mark.filterwarnings("ignore:Widget.name:PendingDeprecationWarning")

FRESH = 99  # what the visitor's own luck gives


def dashboard(language: str = "en", seed: int | None = 7) -> KnyfDashboard:
    return KnyfDashboard(Visit(language, seed), lambda: FRESH)


@pytest.fixture
def page() -> KnyfDashboard:
    return dashboard()


def select(page: KnyfDashboard, *places: int) -> None:
    for place in places:
        page._hand.cards[place].value = True


def bars(page: KnyfDashboard, column: str) -> list[float]:
    return list(page._chart.source.data[column])


def as_floats(chances: dict[str, knyf.CardChance]) -> list[float]:
    return [float(chances[id_].probability) for id_ in knyf.COMBINATIONS]


def words(html: Any) -> str:
    return Elements(str(html)).text


class TestTheDeal:
    def test_a_link_gives_everybody_the_same_cards(self, page: KnyfDashboard) -> None:
        assert page.state == knyf.new_game(PLAYERS, 7)
        assert page.hand == (2, 2, 3, 4, 5)
        assert "7" in words(page._heading.object)

    def test_without_a_link_luck_decides(self) -> None:
        assert dashboard(seed=None).state == knyf.new_game(PLAYERS, FRESH)

    def test_zero_is_a_seed_as_well(self) -> None:
        assert dashboard(seed=0).state == knyf.new_game(PLAYERS, 0)

    def test_a_new_deal_does_not_repeat_the_link(self, page: KnyfDashboard) -> None:
        select(page, 0)
        page._new_deal.clicks += 1
        assert page.state == knyf.new_game(PLAYERS, FRESH)
        assert page.selected == frozenset()
        assert bars(page, "best") == as_floats(knyf.odds(page.hand))

    def test_a_number_that_cannot_be_dealt_is_refused_in_words(self) -> None:
        page = dashboard(seed=-1)
        assert page.state == knyf.new_game(PLAYERS, FRESH)
        refusal, _, dealt = page.happened.partition(load("en")("interface.knyf.dealt", hand=page.hand))
        assert len(refusal.split()) > 3
        assert dealt == ""

    @pytest.mark.parametrize("text", ["<b>7</b>", "", "7.5", "siedem", "7 OR 1=1"])
    def test_links_that_cannot_be_read_are_as_if_not_there(self, text: str) -> None:
        assert Visit.from_link({"seed": text, "lang": text}) == Visit("pl", None)

    def test_links_that_can(self) -> None:
        assert Visit.from_link({"seed": "7", "lang": "en", "other": "x"}) == Visit("en", 7)


class TestTheOdds:
    def test_before_any_choice_the_chart_has_the_best_chances(self, page: KnyfDashboard) -> None:
        assert bars(page, "best") == as_floats(knyf.odds((2, 2, 3, 4, 5)))
        assert bars(page, "chosen") == as_floats(knyf.odds_after((2, 2, 3, 4, 5), (), 0))

    @pytest.mark.parametrize("places", [(0,), (0, 1), (4, 2), (0, 1, 2, 3, 4)])
    def test_selecting_cards_changes_the_chart_exactly(self, page: KnyfDashboard, places: tuple[int, ...]) -> None:
        select(page, *places)
        discard = tuple(page.hand[place] for place in sorted(places))
        assert bars(page, "chosen") == as_floats(knyf.odds_after(page.hand, discard, len(discard)))
        assert bars(page, "best") == as_floats(knyf.odds(page.hand))

    def test_one_card_more(self, page: KnyfDashboard) -> None:
        select(page, 0)
        before = bars(page, "chosen")
        page._one_more.value = True
        assert bars(page, "chosen") == as_floats(knyf.odds_after(page.hand, (2,), 2)) != before

    def test_taking_a_card_back_undoes_the_choice(self, page: KnyfDashboard) -> None:
        before = bars(page, "chosen"), page._status.object
        select(page, 1)
        page._hand.cards[1].value = False
        assert (bars(page, "chosen"), page._status.object) == before

    def test_the_table_says_the_same_as_the_chart(self, page: KnyfDashboard) -> None:
        select(page, 0)
        text = words(page._table.view.object)
        for chance in knyf.odds_after(page.hand, (2,), 1).values():
            assert load("en").percent(chance.probability) in text

    def test_what_has_been_discarded_counts_as_seen(self, page: KnyfDashboard) -> None:
        select(page, 0, 1)
        page._exchange.clicks += 1
        known = knyf.known(page.state, PUPIL)
        assert known.discard_pile == (2, 2)
        assert bars(page, "best") == as_floats(knyf.odds(page.hand, (2, 2)))


class TestAMove:
    def test_an_exchange_is_the_engines(self, page: KnyfDashboard) -> None:
        expected = knyf.apply(knyf.apply(page.state, knyf.Exchange((2, 3), 3)), knyf.Exchange())
        select(page, 0, 2)
        page._one_more.value = True
        page._exchange.clicks += 1
        assert page.state == expected
        assert len(page.hand) == 6
        assert faces(page._hand) == [str(card) for card in page.hand]

    def test_it_says_what_came_and_starts_the_next_choice_afresh(self, page: KnyfDashboard) -> None:
        select(page, 0)
        page._one_more.value = True
        page._exchange.clicks += 1
        assert page.happened in words(page._status.object)
        assert page.selected == frozenset()
        assert not page._one_more.value
        assert not any(card.value for card in page._hand.cards)

    def test_what_the_rules_do_not_allow_says_why_and_changes_nothing(self, page: KnyfDashboard) -> None:
        page._one_more.value = True
        page._exchange.clicks += 1
        select(page, 0, 1, 2, 3, 4, 5)
        with pytest.raises(IllegalAction) as refused:
            knyf.apply(page.state, page.move)
        before = page.state
        page._exchange.clicks += 1
        assert page.state is before
        assert page.selected == {0, 1, 2, 3, 4, 5}
        assert words(page._status.object) == load("en").error(refused.value, "knyf")
        assert bars(page, "chosen") == [0.0] * len(knyf.COMBINATIONS)
        assert Elements(page._status.object).tags == [("p", {"class": "kp-refusal"})]

    def test_a_place_without_a_card_cannot_be_chosen(self, page: KnyfDashboard) -> None:
        for place in (-1, 5):
            page.choose(place, True)
        assert page.selected == frozenset()


class TestExplanations:
    def test_the_chosen_combination_is_explained_with_its_numbers(self, page: KnyfDashboard) -> None:
        select(page, 0)
        page._row.value = "large_straight"
        text = words(page._why.object)
        chance = knyf.odds_after(page.hand, (2,), 1)["large_straight"].probability
        assert 0 < chance < 1
        assert rule("knyf", "large_straight", "en").explanation in text
        assert load("en").percent(chance, 2) in text
        assert f"{chance.numerator}/{chance.denominator}" in text

    def test_its_row_is_marked(self, page: KnyfDashboard) -> None:
        page._row.value = "full_house"
        rows = Elements(page._table.view.object).all("tr")[1:]
        marked = [place for place, row in enumerate(rows) if row.get("class") == "kp-marked"]
        assert marked == [knyf.COMBINATIONS.index("full_house")]
        assert rule("knyf", "full_house", "en").name.capitalize() in words(page._status.object)

    @pytest.mark.parametrize("combination", knyf.COMBINATIONS)
    def test_every_combination_can_be_explained(self, page: KnyfDashboard, combination: str) -> None:
        page._row.value = combination
        assert page.explained == combination
        assert rule("knyf", combination, "en").source in words(page._why.object)


class TestLanguages:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_page_speaks_it(self, language: str) -> None:
        page = dashboard(language)
        assert load(language)("interface.knyf.hand") in words(page._heading.object)
        assert load(language)("interface.odds.caption") in words(page._table.view.object)
        assert factors(page._chart)[0] == rule("knyf", "knyf", language).name
        assert rule("knyf", "knyf", language).explanation in words(page._why.object)

    def test_the_chances_are_the_same_in_both(self) -> None:
        polish, english = dashboard("pl"), dashboard("en")
        assert bars(polish, "best") == bars(english, "best")
        assert words(polish._why.object) != words(english._why.object)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_static_view_can_be_read_and_clicked(self, language: str) -> None:
        static = Elements(KnyfDashboard.static(language))
        for combination in knyf.COMBINATIONS:
            assert rule("knyf", combination, language).explanation in static.text
        clicks = [button["data-early"] for button in static.all("button")]
        assert clicks == [*(f"card-{place}" for place in range(5)), "deal"]
        assert not static.all("script") + static.all("style")


class TestEarlyClicks:
    def test_cards_selected_face_down_are_selected(self, page: KnyfDashboard) -> None:
        page.early(["card-0", "card-3", "card-4", "card-0"])
        assert page.selected == {3, 4}
        assert bars(page, "chosen") == as_floats(knyf.odds_after(page.hand, (4, 5), 2))

    def test_the_deal_that_was_asked_for_is_the_one_of_the_link(self, page: KnyfDashboard) -> None:
        page.early(["card-1", "deal", "card-2"])
        assert page.state == knyf.new_game(PLAYERS, 7)
        assert page.selected == {2}

    def test_what_is_not_known_is_left_out(self, page: KnyfDashboard) -> None:
        page.early(["card-9", "card--1", "card-x", "", "<script>"])
        assert page.selected == frozenset()


def test_the_view_is_the_same_object_whenever_it_is_asked_for(page: KnyfDashboard) -> None:
    assert page.view() is page.view()


def test_chances_are_exact(page: KnyfDashboard) -> None:
    assert all(isinstance(chance.probability, Fraction) for chance in page.odds().values())


@pytest.fixture(scope="module")
def served() -> Iterator[int]:
    """`python -m knyf_panel.dashboards` on a port that is free."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, "-m", "knyf_panel.dashboards", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            while ask(port, "/") is None:
                assert process.poll() is None, process.stdout and process.stdout.read()
                time.sleep(0.2)
            yield port
        finally:
            process.kill()


def ask(port: int, path: str) -> tuple[int, str] | None:
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, HTTPException):
            return None


@pytest.mark.parametrize("name", PAGES)
def test_panel_serves_the_page(served: int, name: str) -> None:
    answer = ask(served, f"/{name}?seed=7&lang=en")
    assert answer is not None
    status, text = answer
    assert status == 200
    assert f"<title>{PAGES[name].title('pl')}</title>" in text
