"""The parts of pages draw what they are given, and no text of theirs becomes markup."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest

from knyf_panel.dashboards.components import Hand, OddsChart, OddsRow, OddsTable, element, face_down
from knyf_panel.dashboards.components.markup import Markup, joined, listed
from knyf_panel.texts import LANGUAGES, load

NASTY = """<script>alert("1 & 2")</script><img src=x onerror='alert(3)'>"""


class Elements(HTMLParser):
    """The elements of a piece of HTML with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


class TestMarkup:
    def test_text_stays_text(self) -> None:
        for made in (element("p", NASTY), joined(Markup("<p>"), NASTY), listed("ul", (NASTY,))):
            seen = Elements(made)
            assert seen.text == NASTY
            assert {tag for tag, _ in seen.tags} <= {"p", "ul", "li"}

    def test_attributes_stay_attributes(self) -> None:
        assert Elements(element("p", title=NASTY + '" onclick="x')).tags == [("p", {"title": NASTY + '" onclick="x'})]

    def test_names_of_attributes_are_written_as_in_html(self) -> None:
        made = element("button", class_="kp-card", data_early="deal", aria_label="x")
        assert made == '<button class="kp-card" data-early="deal" aria-label="x"></button>'

    def test_elements_stand_inside_elements(self) -> None:
        assert element("p", "1 < 2, ", element("b", "sure")) == "<p>1 &lt; 2, <b>sure</b></p>"

    def test_what_is_put_together_from_markup_and_text_is_text_again(self) -> None:
        assert element("p", element("b", "a") + "<i>") == "<p>&lt;b&gt;a&lt;/b&gt;&lt;i&gt;</p>"


def faces(hand: Hand) -> list[str]:
    """What is written on the cards on the screen."""
    models: list[Any] = [card.get_root() for card in hand.cards if card.visible]
    return [model.label for model in models]


def factors(chart: OddsChart) -> list[str]:
    """The names beside the bars, from below."""
    names: Any = chart.figure.y_range
    return list(names.factors)


@pytest.mark.filterwarnings("ignore:Widget.name:PendingDeprecationWarning")
class TestHand:
    @pytest.fixture
    def changes(self) -> list[tuple[int, bool]]:
        return []

    @pytest.fixture
    def hand(self, changes: list[tuple[int, bool]]) -> Hand:
        hand = Hand(lambda place, is_selected: changes.append((place, is_selected)), load("pl"))
        hand.show((1, 3, 6), selected={1})
        return hand

    def test_it_shows_the_cards_and_which_are_selected(self, hand: Hand) -> None:
        assert faces(hand) == ["1", "3", "6"]
        assert [card.value for card in hand.cards] == [False, True, False]
        assert list(hand.view.objects) == hand.cards

    def test_pressing_a_card_is_told(self, hand: Hand, changes: list[tuple[int, bool]]) -> None:
        changes.clear()
        hand.cards[2].value = True
        hand.cards[1].value = False
        assert changes == [(2, True), (1, False)]

    def test_a_smaller_hand_hides_cards_and_a_larger_one_keeps_those_that_are_there(self, hand: Hand) -> None:
        first = list(hand.cards)
        hand.show((2,), selected=set())
        assert faces(hand) == ["2"]
        hand.show((4, 4, 5, 6), selected={3})
        assert faces(hand) == ["4", "4", "5", "6"]
        assert hand.cards[:3] == first  # not drawn anew: the keyboard's focus stays
        assert [card.value for card in hand.cards] == [False, False, False, True]

    def test_the_picture_follows_the_value(self, hand: Hand) -> None:
        assert [card.css_classes[-1] for card in hand.cards] == ["kp-value-1", "kp-value-3", "kp-value-6"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_lie_face_down_before_python_is_ready(language: str) -> None:
    texts = load(language)
    buttons = Elements(face_down(3, texts)).all("button")
    assert [button["data-early"] for button in buttons] == ["card-0", "card-1", "card-2"]
    labels = [texts("interface.card.face_down", number=number) for number in (1, 2, 3)]
    assert [button["aria-label"] for button in buttons] == labels


ROWS = (
    OddsRow("ones", Fraction(1, 3), Fraction(1, 3)),
    OddsRow(NASTY, Fraction(1, 7), Fraction(0)),
    OddsRow("knyf", Fraction(0), Fraction(0)),
    OddsRow("full", Fraction(1), None),
)


class TestOddsTable:
    @pytest.fixture
    def table(self) -> Elements:
        table = OddsTable(load("en"), caption="1 < 2")
        table.show(ROWS, marked=1)
        return Elements(table.view.object)

    def test_it_has_a_row_for_each(self, table: Elements) -> None:
        assert [attributes["scope"] for attributes in table.all("th")] == ["col"] * 3 + ["row"] * 4
        assert [attributes.get("class") for attributes in table.all("tr")[1:]] == [None, "kp-marked", None, None]
        for text in ("1 < 2", "33.3%", "14.3%", NASTY, "100.0%", load("en")("interface.odds.none")):
            assert text in table.text
        assert not table.all("script") + table.all("img")

    def test_a_choice_that_cannot_be_better_has_a_sign(self, table: Elements) -> None:
        (sign,) = table.all("span")
        assert sign["aria-label"] == load("en")("interface.odds.as_good_as_best")
        assert [row.is_best for row in ROWS] == [True, False, False, False]


def test_the_chart_has_a_bar_for_each_chance() -> None:
    chart = OddsChart([row.name for row in ROWS], load("pl"))
    chart.show(ROWS)
    assert chart.source.data == {
        "name": [row.name for row in ROWS],
        "best": [1 / 3, 1 / 7, 0.0, 1.0],
        "chosen": [1 / 3, 0.0, 0.0, 0.0],
    }
    assert factors(chart) == [row.name for row in reversed(ROWS)]  # the first one at the top
    assert chart.figure.xaxis[0].major_label_overrides[0.5] == load("pl").percent(0.5, 0)
