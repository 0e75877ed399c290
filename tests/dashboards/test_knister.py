"""The page of Knister: everything on it follows from the engine's state and the cell that is considered."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from knyf_panel.browser.bridge import Bridge
from knyf_panel.dashboards import PAGES, KnisterDashboard, Visit
from knyf_panel.dashboards.knister import PLAYERS
from knyf_panel.engine import IllegalAction, knister
from knyf_panel.engine.knister.rules import CELLS, LINES, POINTS, RATINGS, line_points
from knyf_panel.texts import LANGUAGES, explain, load, rule
from tests.dashboards.test_components import Elements

pytestmark = pytest.mark.filterwarnings("ignore:Widget.name:PendingDeprecationWarning")

FRESH = 99  # what the visitor's own luck gives
FROM_THE_MIDDLE = (12, 6, 18, 8, 16, 0, 24, 4, 20, *(cell for cell in range(CELLS) if cell % 2))  # an order of cells
ORDER = (*FROM_THE_MIDDLE, *(cell for cell in range(CELLS) if cell not in FROM_THE_MIDDLE))


def dashboard(language: str = "en", seed: int | None = 7) -> KnisterDashboard:
    return KnisterDashboard(Visit(language, seed), lambda: FRESH)


@pytest.fixture
def page() -> KnisterDashboard:
    return dashboard()


@pytest.fixture
def rolled(page: KnisterDashboard) -> KnisterDashboard:
    page._roll.clicks += 1
    return page


def click(page: KnisterDashboard, *cells: int) -> None:
    for cell in cells:
        page._grid.cells[cell].clicks += 1


def write(page: KnisterDashboard, *cells: int) -> None:
    for cell in cells:
        click(page, cell, cell)


def replayed(cells: tuple[int, ...], seed: int = 7) -> knister.State:
    """The engine's own game: the sums into these cells, one after the other, and the next roll."""
    state = knister.apply(knister.new_game(PLAYERS, seed), knister.Roll())
    for cell in cells:
        state = knister.apply(state, knister.Write(*divmod(cell, 5)))
        if not knister.is_over(state):
            state = knister.apply(state, knister.Roll())
    return state


def words(pane: Any) -> str:
    return Elements(str(pane.object)).text


def shown(page: KnisterDashboard) -> list[str]:
    """What stands in the cells on the screen."""
    return [page._grid.view.styles[f"--kp-cell-{cell}"].strip('"') for cell in range(CELLS)]


def edge(page: KnisterDashboard, kind: str, number: int) -> str:
    return str(page._grid.view.styles[f"--kp-{kind}-{number}"]).strip('"').replace("\\a ", "\n")


def written(page: KnisterDashboard) -> list[str]:
    return ["" if number is None else str(number) for number in page.grid.cells]


class TestAGame:
    def test_a_link_gives_everybody_the_same_dice(self, page: KnisterDashboard) -> None:
        assert page.state == knister.new_game(PLAYERS, 7)
        assert "7" in words(page._heading)
        page._roll.clicks += 1
        assert page.state == replayed(())
        assert load("en")("interface.knister.rolled", dice=page.state.dice, sum=8) in words(page._status)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_whole_game_is_the_engines(self, language: str) -> None:
        page = dashboard(language)
        page.roll()
        for number, cell in enumerate(ORDER, 1):
            write(page, cell)
            assert page.state == replayed(ORDER[:number])
            assert shown(page) == written(page)
        assert knister.is_over(page.state)
        total = knister.score_grid(page.grid.rows)  # type: ignore[arg-type]
        assert page.total == total
        assert load(language).count("point", total) in words(page._end)
        for (kind, line), points in line_points(page.grid.cells).items():
            assert edge(page, kind, line).split("\n")[-1] == str(points)

    def test_without_a_link_luck_decides(self) -> None:
        assert dashboard(seed=None).state == knister.new_game(PLAYERS, FRESH)
        assert dashboard(seed=0).state == knister.new_game(PLAYERS, 0)

    def test_a_number_that_is_no_game_is_refused_in_words(self) -> None:
        page = dashboard(seed=-1)
        assert page.state == knister.new_game(PLAYERS, FRESH)
        assert len(words(page._status).replace(load("en")("interface.knister.started"), "").split()) > 3

    def test_the_write_button_does_the_same_as_a_second_click(self, rolled: KnisterDashboard) -> None:
        click(rolled, 3)
        rolled._write.clicks += 1
        assert rolled.state == replayed((3,))

    def test_one_can_roll_by_hand(self, rolled: KnisterDashboard) -> None:
        rolled._at_once.value = False
        write(rolled, 3)
        assert not rolled.state.dice
        rolled._roll.clicks += 1
        assert rolled.state == replayed((3,))

    def test_a_line_that_is_full_is_told(self, rolled: KnisterDashboard) -> None:
        write(rolled, 0, 1, 2, 3, 4)
        (points,) = line_points(rolled.grid.cells).values()
        line = load("en")("interface.knister.full_line", line="Row 1", points=points)
        assert line in words(rolled._status)
        assert edge(rolled, "row", 0) == str(points)

    def test_a_new_game_does_not_repeat_the_link(self, rolled: KnisterDashboard) -> None:
        click(rolled, 3)
        rolled._new_game.clicks += 1
        assert rolled.state == knister.new_game(PLAYERS, FRESH)
        assert rolled.chosen is None


class TestPreview:
    def test_the_first_click_only_considers(self, rolled: KnisterDashboard) -> None:
        before = rolled.state
        click(rolled, 12)
        assert rolled.state is before
        assert rolled.chosen == 12
        assert shown(rolled)[12] == "8"
        assert rolled._grid.view.styles["--kp-cell-12-spoken"] != rolled._grid.view.styles["--kp-cell-11-spoken"]

    def test_the_lines_through_the_cell_show_before_and_after(self, rolled: KnisterDashboard) -> None:
        click(rolled, 12)
        now = knister.grid_expected(rolled.grid.rows, 24)
        rows = [[None] * 5 for _ in range(5)]
        rows[2][2] = 8  # type: ignore[call-overload]
        here = knister.grid_expected(rows)
        touched = {("row", 2): 1, ("column", 2): 1, ("diagonal", 0): 2, ("diagonal", 1): 2}
        assert rolled.expected_if_written() == {key: here[key].expected * factor for key, factor in touched.items()}
        number = load("en").number
        for key, factor in touched.items():
            before, after = now[key].expected * factor, here[key].expected * factor
            assert f"{number(before, 2)} →\xa0{number(after, 2)}" in words(rolled._lines.view)
            assert number(after, 1) in edge(rolled, *key)
        before = sum((now[key].expected * factor for key, factor in touched.items()), Fraction())
        after = sum((here[key].expected * factor for key, factor in touched.items()), Fraction())
        assert f"{number(before, 2)} → {number(after, 2)}" in words(rolled._status)

    def test_another_cell_may_be_considered(self, rolled: KnisterDashboard) -> None:
        click(rolled, 12, 3)
        assert rolled.chosen == 3
        assert shown(rolled)[12] == ""


class TestUndo:
    def test_undo_goes_back_as_often_as_wanted(self, rolled: KnisterDashboard) -> None:
        write(rolled, *ORDER)
        for number in reversed(range(CELLS)):
            rolled._undo.clicks += 1
            assert rolled.state == replayed(ORDER[:number])
            assert shown(rolled) == written(rolled)
        rolled._undo.clicks += 1
        assert rolled.state == knister.new_game(PLAYERS, 7)
        rolled._undo.clicks += 1
        assert rolled.state == knister.new_game(PLAYERS, 7)
        assert load("en")("interface.knister.nothing_to_undo") in words(rolled._status)

    def test_undo_does_not_change_luck(self, rolled: KnisterDashboard) -> None:
        write(rolled, 0)
        rolled._undo.clicks += 1
        write(rolled, 24)
        assert rolled.state == replayed((24,))

    def test_undo_brings_back_the_game_before_a_new_one(self, rolled: KnisterDashboard) -> None:
        write(rolled, 0)
        rolled._new_game.clicks += 1
        rolled._undo.clicks += 1
        assert rolled.state == replayed((0,))


class TestWhatIsNotAllowed:
    def refusal(self, page: KnisterDashboard, action: knister.Action) -> str:
        with pytest.raises(IllegalAction) as refused:
            knister.apply(page.state, action)
        return load("en").error(refused.value, "knister")

    def test_writing_before_the_roll(self, page: KnisterDashboard) -> None:
        before, why = page.state, self.refusal(page, knister.Write(0, 0))
        click(page, 0)
        assert (page.state, page.chosen) == (before, None)
        assert why in words(page._status)
        page._write.clicks += 1
        assert why in words(page._status)

    def test_a_cell_that_is_filled(self, rolled: KnisterDashboard) -> None:
        write(rolled, 3)
        before = rolled.state
        click(rolled, 3)
        assert (rolled.state, rolled.chosen) == (before, None)
        assert self.refusal(rolled, knister.Write(0, 3)) in words(rolled._status)

    def test_rolling_twice(self, rolled: KnisterDashboard) -> None:
        before = rolled.state
        rolled._roll.clicks += 1
        assert rolled.state is before
        assert self.refusal(rolled, knister.Roll()) in words(rolled._status)

    def test_writing_without_a_cell(self, rolled: KnisterDashboard) -> None:
        rolled._write.clicks += 1
        assert rolled.state == replayed(())
        assert load("en")("interface.knister.choose_first", sum=8) in words(rolled._status)

    @pytest.mark.parametrize("cell", [-1, 25, 99])
    def test_a_cell_that_is_not_there(self, rolled: KnisterDashboard, cell: int) -> None:
        rolled.choose(cell)
        assert rolled.chosen is None
        assert rolled.refusal

    def test_anything_after_the_end(self, rolled: KnisterDashboard) -> None:
        write(rolled, *ORDER)
        before, why = rolled.state, self.refusal(rolled, knister.Roll())
        for button in (rolled._roll, rolled._write, rolled._grid.cells[0]):
            rolled.refusal = ""
            button.clicks += 1
            assert rolled.state is before
            assert why in words(rolled._status)

    def test_the_next_action_clears_the_refusal(self, rolled: KnisterDashboard) -> None:
        rolled._roll.clicks += 1
        click(rolled, 5)
        assert rolled.refusal == ""


class TestTheOdds:
    def test_the_chances_of_the_line_are_the_engines(self, rolled: KnisterDashboard) -> None:
        write(rolled, 0, 6)
        rolled._grid.edges["diagonal", 0].clicks += 1
        line = [rolled.grid.cells[cell] for cell in LINES["diagonal", 0]]
        assert rolled.line == rolled._line.value == ("diagonal", 0)
        assert rolled.odds() == knister.odds(line, 22)
        click(rolled, 12)
        here = knister.odds_after(line, knister.called_sum(rolled.state) or 0, 23)
        assert rolled.odds_if_written() == here
        for chance in (*rolled.odds().values(), *here.values()):
            assert load("en").percent(chance.probability) in words(rolled._chances.view)

    def test_a_cell_outside_the_line_does_not_change_it(self, rolled: KnisterDashboard) -> None:
        click(rolled, 12)
        assert rolled.line == ("row", 0)
        assert rolled.odds_if_written() == {}

    @pytest.mark.parametrize("key", LINES)
    def test_every_line_can_be_chosen(self, rolled: KnisterDashboard, key: tuple[str, int]) -> None:
        rolled._line.value = key
        assert rolled.line == key
        marked = [row.get("class") for row in Elements(str(rolled._lines.view.object)).all("tr")[1:-1]]
        assert marked.index("kp-marked") == list(LINES).index(key)
        assert marked.count("kp-marked") == 1

    @pytest.mark.parametrize("combination", knister.COMBINATIONS)
    def test_every_combination_is_explained(self, rolled: KnisterDashboard, combination: str) -> None:
        rolled._combination.value = combination
        click(rolled, 2)
        text = words(rolled._why)
        assert rule("knister", combination, "en").explanation in text
        assert rule("knister", combination, "en").source in text
        for chance in (rolled.odds()[combination], rolled.odds_if_written()[combination]):
            assert all(sentence in text for sentence in explain(chance, "en"))

    def test_before_the_roll_all_rolls_are_to_come(self, page: KnisterDashboard) -> None:
        assert page.rolls_to_come == 25
        assert page.expected()["row", 0] == knister.expected([None] * 5, 25).expected
        assert page.expected()["diagonal", 0] == 2 * page.expected()["row", 0]

    def test_a_full_line_is_worth_its_points(self, rolled: KnisterDashboard) -> None:
        write(rolled, *ORDER)
        assert rolled.expected() == line_points(rolled.grid.cells)


class TestTheSums:
    def test_they_are_counted_as_they_are_rolled(self, rolled: KnisterDashboard) -> None:
        write(rolled, 0, 1, 2)
        sums = [number for number in rolled.grid.cells if number is not None]
        assert rolled.observed() == Counter([*sums, knister.called_sum(rolled.state)])
        data = rolled._sums.source.data
        assert sum(data["observed"]) == pytest.approx(1)
        assert data["theory"] == [float(chance) for chance in knister.next_sum().values()]
        assert load("en")("interface.knister.sums_caption", rolls=4) in words(rolled._sums.table)

    def test_nothing_is_rolled_at_first(self, page: KnisterDashboard) -> None:
        assert not page.observed()
        assert set(page._sums.source.data["observed"]) == {0.0}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lowest", [lowest for lowest, _ in RATINGS])
def test_the_rating_is_the_rulebooks(monkeypatch: pytest.MonkeyPatch, language: str, lowest: int) -> None:
    page = dashboard(language)
    page.roll()
    write(page, *ORDER)
    for points in (lowest - 1, lowest):
        monkeypatch.setattr(KnisterDashboard, "total", points)
        page._show()
        rating = knister.rating(points)
        name = load(language)(f"knister.{rating}.name") if rating else ""
        praise = load(language)("interface.knister.rating", rating=name)
        assert (praise in words(page._end)) == bool(rating)
        assert (rule("knister", "below_50", language).explanation in words(page._end)) == (points < 50)


class TestBeforePython:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_static_view_can_be_read_and_clicked(self, language: str) -> None:
        static = Elements(KnisterDashboard.static(language))
        for id_ in knister.COMBINATIONS:
            assert rule("knister", id_, language).explanation in static.text
            assert str(POINTS[id_]) in static.text
        assert [button["data-early"] for button in static.all("button")] == ["roll"]
        assert not static.all("script") + static.all("style")

    def test_an_early_roll_is_made_once(self, page: KnisterDashboard) -> None:
        page.early(["roll", "deal", "roll", "<script>", ""])
        assert page.state == replayed(())
        page.early(["roll"])
        assert page.state == replayed(())
        assert page.refusal == ""

    def test_what_is_not_known_is_left_out(self, page: KnisterDashboard) -> None:
        page.early(["", "cell-3", "Roll"])
        assert page.state == knister.new_game(PLAYERS, 7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_it(language: str) -> None:
    page, texts = dashboard(language), load(language)
    assert texts("interface.knister.grid") in words(page._heading)
    assert texts("interface.knister.started") in words(page._status)
    assert rule("knister", "straight_with_7", language).name in words(page._chances.view)
    assert page._roll.name == texts("interface.knister.roll")
    assert PAGES["knister"].title(language) == texts("interface.knister.title")


def test_a_change_of_language_goes_on_with_the_game(rolled: KnisterDashboard) -> None:
    write(rolled, 0, 1)
    click(rolled, 7)
    polish = dashboard("pl")
    polish.carry_on(rolled)
    assert (polish.state, polish.chosen) == (rolled.state, 7)
    assert shown(polish) == shown(rolled)
    polish._undo.clicks += 1
    assert polish.state == replayed((0,))
    assert load("pl")("interface.knister.undone") in words(polish._status)


def test_the_view_is_the_same_object_whenever_it_is_asked_for(page: KnisterDashboard) -> None:
    assert page.view() is page.view()


class TestOnThePage:
    """What crosses the bridge to the browser."""

    @pytest.fixture(autouse=True)
    def loop(self) -> Iterator[None]:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        yield
        asyncio.set_event_loop(None)
        loop.close()

    def test_the_grid_is_changed_by_one_event(self) -> None:
        patches: list[str] = []
        bridge = Bridge(patches.append)
        bridge.open("knister", "pl", 7)
        bridge.early(["roll"])
        page = bridge._dashboard
        assert isinstance(page, KnisterDashboard)
        model: Any = next(iter(page._grid.cells[3]._models.values()))[0]
        event = {
            "type": "event",
            "name": "button_click",
            "values": {"type": "map", "entries": [["model", {"id": model.id}]]},
        }
        bridge.receive(json.dumps({"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}]}))
        assert page.chosen == 3
        events = json.loads(patches[-1])["events"]
        styles = [event["new"] for event in events if event.get("attr") == "styles"]
        assert len(styles) == 1
        assert dict(styles[0]["entries"])["--kp-cell-3"] == '"8"'
        assert not any(event.get("attr") == "label" for event in events)  # no button is drawn anew
