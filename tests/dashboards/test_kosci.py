"""The page of Kości: everything on it follows from the engine's state and the dice that are kept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from bokeh.events import ButtonClick

from knyf_panel.dashboards import KosciDashboard, Visit
from knyf_panel.dashboards.components.players import NewGame
from knyf_panel.engine import IllegalAction, kosci
from knyf_panel.engine.kosci.rules import LOWER, ROLLS, UPPER
from knyf_panel.engine.kosci.state import ROW
from knyf_panel.engine.match import PERSON, Match
from knyf_panel.texts import LANGUAGES, load, rule
from tests.dashboards.test_components import Elements, factors

pytestmark = pytest.mark.filterwarnings("ignore:Widget.name:PendingDeprecationWarning")

PLAYERS = ("You",)
FRESH = 99  # what the visitor's own luck gives
FIRST_DICE = (1, 1, 2, 4, 4)  # of game 7


def dashboard(language: str = "en", seed: int | None = 7) -> KosciDashboard:
    return KosciDashboard(Visit(language, seed), lambda: FRESH)


@pytest.fixture
def page() -> KosciDashboard:
    return dashboard()


@pytest.fixture
def rolled(page: KosciDashboard) -> KosciDashboard:
    page._roll.clicks += 1
    return page


def keep(page: KosciDashboard, *places: int) -> None:
    for place in places:
        page._dice.dice[place].value = True


def write(page: KosciDashboard, category: str) -> None:
    """Press the field of the sheet."""
    field: Any = page._sheet.fields[category]
    field._trigger_event(ButtonClick(field))


def put(page: KosciDashboard, dice: tuple[int, ...], rolls: int = ROLLS, **written: int) -> None:
    """A position in the middle of a game: what is written, and what lies on the table."""
    points = tuple(written.get(category) for category in kosci.CATEGORIES)
    state = kosci.State(PLAYERS, 7, (kosci.Sheet(points),), len(written), rolls, dice)
    page.match = Match("kosci", (PERSON,), (state,))


def words(html: Any) -> str:
    return Elements(str(html)).text


def cells(page: KosciDashboard, category: str) -> str:
    return words(page._sheet.cells[category].text)


def bars(page: KosciDashboard, column: str) -> list[float]:
    return list(page._chart.source.data[column])


def as_floats(page: KosciDashboard, chances: dict[str, kosci.DiceChance]) -> list[float]:
    return [float(chances[id_].probability) for id_ in page.sheet.free]


def faces(page: KosciDashboard) -> list[str]:
    return [die.css_classes[-1].removeprefix("kp-value-") for die in page._dice.dice]


class TestTheGame:
    def test_a_link_gives_everybody_the_same_dice(self, rolled: KosciDashboard) -> None:
        assert rolled.state == kosci.apply(kosci.new_game(PLAYERS, 7), kosci.Roll())
        assert rolled.state.dice == FIRST_DICE
        assert "7" in words(rolled._heading.object)
        assert faces(rolled) == [str(value) for value in FIRST_DICE]

    def test_without_a_link_luck_decides(self) -> None:
        assert dashboard(seed=None).state == kosci.new_game(PLAYERS, FRESH)

    def test_a_number_that_cannot_be_played_is_refused_in_words(self) -> None:
        page = dashboard(seed=-1)
        assert page.state == kosci.new_game(PLAYERS, FRESH)
        assert len(page.happened.removesuffix(load("en")("interface.kosci.started")).split()) > 3

    def test_the_first_dice_are_blank(self, page: KosciDashboard) -> None:
        assert faces(page) == ["0"] * 5
        assert page._dice.dice[0].name == load("en")("interface.die.blank", number=1)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_whole_game_is_the_engines(self, language: str) -> None:
        """Thirteen rounds by the page's own buttons, beside the same actions in the engine."""
        page, state = dashboard(language, seed=12), kosci.new_game([load(language)("table.names.you")], 12)
        while not kosci.is_over(state):
            page._roll.clicks += 1
            state = kosci.apply(state, kosci.Roll())
            favourite = max(state.dice, key=state.dice.count)
            for _ in range(ROLLS - 1):
                if set(state.dice) == {favourite}:
                    break
                kept = tuple(value for value in state.dice if value == favourite)
                keep(page, *(place for place, value in enumerate(page.state.dice) if value == favourite))
                assert page.keep == kept
                page._roll.clicks += 1
                state = kosci.apply(state, kosci.Roll(kept))
            best = max(page.sheet.free, key=lambda category: kosci.score(category, state.dice))
            write(page, best)
            state = kosci.apply(state, kosci.Write(best))
            assert page.state == state
            assert page._sheet.fields[best].label == str(state.sheets[0].points[ROW[best]])
        (standing,) = kosci.standings(state)
        assert load(language)("interface.kosci.over") in words(page._heading.object)
        assert load(language).count("point", standing.total) in words(page._status.object)
        assert str(standing.total) in words(page._sheet.sums[-1].text)
        assert factors(page._chart) == []

    def test_a_new_game_does_not_repeat_the_link(self, rolled: KosciDashboard) -> None:
        assert rolled.start(NewGame((("You", PERSON),), None)) == ""
        assert rolled.state == kosci.new_game(PLAYERS, FRESH)
        assert faces(rolled) == ["0"] * 5

    def test_kept_dice_stay_kept_until_the_last_roll(self, rolled: KosciDashboard) -> None:
        keep(rolled, 3, 4)
        rolled._roll.clicks += 1
        assert rolled.keep == (4, 4)
        assert [die.value for die in rolled._dice.dice].count(True) == 2
        rolled._roll.clicks += 1
        assert len(rolled.keep) == 0
        assert not any(die.value for die in rolled._dice.dice)

    def test_it_says_what_happened(self, rolled: KosciDashboard) -> None:
        assert "1, 1, 2, 4, 4" in words(rolled._status.object)
        write(rolled, "fours")
        assert load("en").count("point", 8) in words(rolled._status.object)
        assert "live" in rolled._status.tags


class TestTheOdds:
    def test_before_the_first_roll(self, page: KosciDashboard) -> None:
        assert bars(page, "best") == bars(page, "chosen") == as_floats(page, kosci.odds((), 3))

    @pytest.mark.parametrize("places", [(), (0,), (3, 4), (0, 1, 3, 4), (0, 1, 2, 3, 4)])
    def test_they_are_the_engines(self, rolled: KosciDashboard, places: tuple[int, ...]) -> None:
        keep(rolled, *places)
        kept = tuple(FIRST_DICE[place] for place in places)
        best, chosen = kosci.odds(FIRST_DICE, 2), kosci.odds_of(FIRST_DICE, 2, kept)
        assert bars(rolled, "best") == as_floats(rolled, best)
        assert bars(rolled, "chosen") == as_floats(rolled, chosen)
        texts = load("en")
        for id_ in kosci.CATEGORIES:
            shown = cells(rolled, id_)
            assert texts.percent(best[id_].probability) in shown
            assert texts.percent(chosen[id_].probability) in shown
            assert shown.endswith(texts.number(best[id_].expected, 1))
            assert ("✓" in shown) == (chosen[id_].probability == best[id_].probability != 0)
            assert isinstance(rolled.odds()[id_].probability, Fraction)

    def test_without_a_roll_left_the_dice_fit_or_do_not(self, rolled: KosciDashboard) -> None:
        rolled._roll.clicks += 1
        rolled._roll.clicks += 1
        assert rolled.rolls_left == 0
        assert set(bars(rolled, "best")) <= {0.0, 1.0}
        assert bars(rolled, "best") == bars(rolled, "chosen")

    def test_fields_show_the_points_of_the_dice(self, rolled: KosciDashboard) -> None:
        fields = {id_: field.label for id_, field in rolled._sheet.fields.items()}
        assert fields == {id_: str(kosci.score(id_, FIRST_DICE)) for id_ in kosci.CATEGORIES}

    def test_a_written_row_has_points_and_no_chance(self, rolled: KosciDashboard) -> None:
        write(rolled, "fours")
        assert rolled._sheet.fields["fours"].css_classes == ["kp-written"]
        assert cells(rolled, "fours") == load("en")("interface.sheet.is_written")
        assert rule("kosci", "fours", "en").name not in factors(rolled._chart)
        assert len(bars(rolled, "best")) == 12


class TestTheSheet:
    def test_rows_are_in_the_order_of_the_rulebook(self, page: KosciDashboard) -> None:
        assert tuple(page._sheet.fields) == kosci.CATEGORIES == (*UPPER, *LOWER)

    def test_what_is_missing_for_the_premium(self, page: KosciDashboard) -> None:
        put(page, (1, 2, 3, 4, 5), ones=3, sixes=18)
        assert "42" in words(page._sheet.sums[0].text)
        put(page, (1, 2, 3, 4, 5), ones=3, twos=6, threes=9, fours=12, fives=15, sixes=18)
        assert load("en")("interface.kosci.premium_reached") + "35" in words(page._sheet.sums[0].text)
        assert words(page._sheet.sums[1].text).endswith("98")


class TestUndo:
    def test_as_often_as_there_were_decisions(self, rolled: KosciDashboard) -> None:
        """The first roll of a turn is none: the same dice would come again."""
        seen = [rolled.state]
        keep(rolled, 3, 4)
        rolled._roll.clicks += 1
        seen.append(rolled.state)
        write(rolled, "fours")
        while seen:
            rolled._undo.clicks += 1
            assert rolled.state == seen.pop()
        assert rolled.keep == (4, 4)
        rolled._undo.clicks += 1
        assert words(rolled._status.object) == load("en")("table.undo.nothing")

    def test_the_same_roll_comes_again(self, rolled: KosciDashboard) -> None:
        keep(rolled, 3, 4)
        rolled._roll.clicks += 1
        after = rolled.state
        rolled._undo.clicks += 1
        rolled._roll.clicks += 1
        assert rolled.state == after

    def test_at_the_beginning_there_is_nothing_to_undo(self, page: KosciDashboard) -> None:
        before = page.state
        page._undo.clicks += 1
        assert page.state is before
        assert words(page._status.object) == load("en")("table.undo.nothing")


class TestWhatIsNotAllowed:
    def refusal(self, page: KosciDashboard, action: kosci.Action) -> str:
        with pytest.raises(IllegalAction) as refused:
            kosci.apply(page.state, action)
        return load("en").error(refused.value, "kosci")

    def test_to_write_before_the_first_roll(self, page: KosciDashboard) -> None:
        write(page, "ones")
        assert page.state == kosci.new_game(PLAYERS, 7)
        assert words(page._status.object) == self.refusal(page, kosci.Write("ones"))
        assert Elements(page._status.object).tags == [("p", {"class": "kp-refusal"})]

    def test_to_write_a_row_twice(self, rolled: KosciDashboard) -> None:
        write(rolled, "fours")
        rolled._roll.clicks += 1
        before = rolled.match
        write(rolled, "fours")
        assert rolled.match == before
        assert words(rolled._status.object) == self.refusal(rolled, kosci.Write("fours"))

    def test_a_fourth_roll(self, rolled: KosciDashboard) -> None:
        rolled._roll.clicks += 1
        rolled._roll.clicks += 1
        before = rolled.state
        rolled._roll.clicks += 1
        assert rolled.state is before
        assert words(rolled._status.object) == self.refusal(rolled, kosci.Roll())

    def test_to_roll_no_dice(self, rolled: KosciDashboard) -> None:
        keep(rolled, 0, 1, 2, 3, 4)
        rolled._roll.clicks += 1
        assert rolled.state.rolls == 1
        assert words(rolled._status.object) == self.refusal(rolled, kosci.Roll(FIRST_DICE))

    def test_to_keep_dice_that_are_not_rolled(self, page: KosciDashboard) -> None:
        for _ in range(2):  # the die comes back the second time as well
            keep(page, 0)
            assert page.kept == frozenset()
            assert not page._dice.dice[0].value
            assert words(page._status.object) == load("en")("interface.kosci.roll_before_keeping")

    def test_to_keep_dice_after_the_last_roll(self, rolled: KosciDashboard) -> None:
        rolled._roll.clicks += 1
        rolled._roll.clicks += 1
        keep(rolled, 2)
        assert not rolled._dice.dice[2].value
        assert words(rolled._status.object) == self.refusal(rolled, kosci.Roll())

    def test_a_place_without_a_die(self, rolled: KosciDashboard) -> None:
        for place in (-1, 5):
            rolled.choose(place, True)
        assert rolled.kept == frozenset()

    def test_a_joker_that_is_none(self, rolled: KosciDashboard) -> None:
        before = rolled.state
        rolled.write("full_house", joker=True)
        assert rolled.state is before
        assert words(rolled._status.object) == self.refusal(rolled, kosci.Write("full_house", joker=True))

    def test_the_next_action_clears_the_refusal(self, page: KosciDashboard) -> None:
        write(page, "ones")
        page._roll.clicks += 1
        assert page.refused == ""
        assert "kp-refusal" not in page._status.object


class TestJokers:
    FIVES = (5, 5, 5, 5, 5)

    def offered(self, page: KosciDashboard) -> list[str]:
        return [button.name for button in page._joker_buttons.objects]

    def test_a_further_general_is_offered_as_a_joker(self, page: KosciDashboard) -> None:
        put(page, self.FIVES, general=50, fives=15)
        assert page._joker.objects == [page._joker_rule, page._joker_buttons]
        assert len(self.offered(page)) == len(kosci.joker_categories(page.sheet, self.FIVES)) == 6
        name = rule("kosci", "large_straight", "en").name
        label = load("en")("interface.kosci.joker_button", name=name, points=40, extra=100)
        assert label in self.offered(page)
        assert load("en")("interface.kosci.joker_said") in words(page._status.object)
        assert rule("kosci", "joker", "en").explanation in words(page._joker_rule.object)

    def test_choosing_it_is_the_engines_joker(self, page: KosciDashboard) -> None:
        put(page, self.FIVES, general=50, fives=15)
        expected = kosci.apply(page.state, kosci.Write("full_house", joker=True))
        page._joker_button["full_house"].clicks += 1
        assert page.state == expected
        assert kosci.standings(page.state)[0].parts["jokers"] == 100
        assert page._joker.objects == []
        assert load("en").count("point", 100) in words(page._status.object)

    def test_it_may_be_declined(self, page: KosciDashboard) -> None:
        put(page, self.FIVES, general=50, fives=15)
        expected = kosci.apply(page.state, kosci.Write("full_house"))
        write(page, "full_house")
        assert page.state == expected

    def test_without_a_first_general_of_50_there_is_no_further_100(self, page: KosciDashboard) -> None:
        put(page, self.FIVES, general=0, fives=15)
        name = rule("kosci", "full_house", "en").name
        label = load("en")("interface.kosci.joker_button", name=name, points=25, extra=0)
        assert label in self.offered(page)

    def test_while_its_upper_row_is_free_the_ruling_is_told(self, page: KosciDashboard) -> None:
        put(page, self.FIVES, general=50)
        assert self.offered(page) == []
        assert rule("kosci", "general_with_free_upper", "en").explanation in words(page._joker_rule.object)
        assert load("en")("interface.kosci.no_joker_said") in words(page._status.object)

    def test_the_first_general_is_no_joker(self, page: KosciDashboard) -> None:
        put(page, self.FIVES, fives=15)
        assert page._joker.objects == []


class TestExplanations:
    def test_pressing_a_name_explains_the_row(self, rolled: KosciDashboard) -> None:
        keep(rolled, 3, 4)
        rolled._sheet.names["full_house"].active = True
        assert rolled.explained == "full_house"
        assert [id_ for id_, name in rolled._sheet.names.items() if name.active] == ["full_house"]
        text = words(rolled._why.object)
        best, chosen = kosci.odds(FIRST_DICE, 2), kosci.odds_of(FIRST_DICE, 2, (4, 4))
        assert rule("kosci", "full_house", "en").explanation in text
        for chance in (best["full_house"], chosen["full_house"]):
            assert 0 < chance.probability < 1
            assert load("en").fraction(chance.probability) in text
            assert load("en").number(chance.expected, 2) in text

    def test_one_row_is_always_explained(self, page: KosciDashboard) -> None:
        page._sheet.names["general"].active = False
        assert page._sheet.names["general"].active
        assert page.explained == "general"

    @pytest.mark.parametrize("rolls", [0, 1, 2, 3])
    def test_every_row_can_be_explained_at_any_time(self, page: KosciDashboard, rolls: int) -> None:
        for _ in range(rolls):
            page._roll.clicks += 1
        for category, chance in page.odds().items():
            page.explain(category)
            text = words(page._why.object)
            assert rule("kosci", category, "en").source in text
            assert load("en").number(chance.expected, 2) in text

    def test_a_written_row_has_a_rule_and_no_chance(self, rolled: KosciDashboard) -> None:
        rolled.explain("fours")
        write(rolled, "fours")
        text = words(rolled._why.object)
        assert text.endswith(load("en")("interface.kosci.written_already", points=8))
        assert load("en")("interface.kosci.why_best") not in text


class TestLanguages:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_page_speaks_it(self, language: str) -> None:
        page = dashboard(language)
        assert load(language)("interface.kosci.instruction_first") in words(page._heading.object)
        assert page._sheet.names["general"].label == rule("kosci", "general", language).name
        assert rule("kosci", "general", language).explanation in words(page._why.object)
        assert load(language)("interface.kosci.roll") == page._roll.name

    def test_the_chances_are_the_same_in_both(self) -> None:
        polish, english = dashboard("pl"), dashboard("en")
        assert bars(polish, "best") == bars(english, "best")
        assert words(polish._why.object) != words(english._why.object)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_static_view_can_be_read_and_clicked(self, language: str) -> None:
        static = Elements(KosciDashboard.static(language))
        for id_ in (*kosci.CATEGORIES, "turn", "writing", "premium", "joker"):
            assert rule("kosci", id_, language).explanation in static.text
        assert [button["data-early"] for button in static.all("button")] == ["roll"]
        assert not static.all("script") + static.all("style")


class TestEarlyClicks:
    @pytest.mark.parametrize("clicks", [["roll"], ["roll", "roll", "x"]])
    def test_the_first_roll(self, page: KosciDashboard, clicks: list[str]) -> None:
        page.early(clicks)
        assert page.state.dice == FIRST_DICE
        assert page.state.rolls == 1

    def test_what_is_not_known_is_left_out(self, page: KosciDashboard) -> None:
        page.early(["card-1", "", "<script>"])
        assert page.state == kosci.new_game(PLAYERS, 7)


def test_the_view_is_the_same_object_whenever_it_is_asked_for(page: KosciDashboard) -> None:
    assert page.view() is page.view()


def test_nothing_that_keeps_the_focus_is_drawn_anew(rolled: KosciDashboard) -> None:
    """Bokeh draws a button anew when its label changes: that of a die that is pressed, or of a field, must not."""
    labels = [die.name for die in rolled._dice.dice]
    keep(rolled, 3)
    assert [die.name for die in rolled._dice.dice] == labels
    field = rolled._sheet.fields["fours"].label
    write(rolled, "fours")
    assert rolled._sheet.fields["fours"].label == field
