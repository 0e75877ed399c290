"""A practice game of Knister: write the sums of two dice into a grid, and see what that does to each of its lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import panel as pn
import param
from panel.viewable import Viewable

from knyf_panel.dashboards.components import element
from knyf_panel.dashboards.components.grid import Edge, LineKey, NumberGrid, empty_grid, line_name
from knyf_panel.dashboards.components.line_tables import ChanceRow, ChancesTable, LineRow, LinesTable, sign
from knyf_panel.dashboards.components.markup import Markup, joined, listed
from knyf_panel.dashboards.components.rolled import rolled
from knyf_panel.dashboards.components.style import BUTTON, COLUMNS, INPUT, ROW, STACK, TEXT, switch
from knyf_panel.dashboards.components.sums_chart import SumsChart
from knyf_panel.dashboards.dashboard import Dashboard
from knyf_panel.dashboards.shelf import Shelf
from knyf_panel.dashboards.visit import Visit
from knyf_panel.engine import GameError, knister
from knyf_panel.engine.knister.rules import DIAGONAL_FACTOR, LINES, POINTS, ROUNDS, SIDE, line_points
from knyf_panel.texts import explain, load, rule

PUPIL = 0  # the seat
PLAYERS = ("Ty",)  # the name is not shown

Values = Mapping[LineKey, Fraction]


class KnisterDashboard(Dashboard):
    """The state is the engine's, with the states before it, and the cell that is being considered."""

    carried = ("state", "history", "chosen", "line", "explained", "roll_at_once")

    state = param.ClassSelector(default=knister.new_game(PLAYERS, 0), class_=knister.State)
    history = param.ClassSelector(
        default=(), class_=tuple, doc="The states to which undo goes back, the last one last."
    )
    chosen = param.Integer(default=None, allow_None=True, doc="The cell in which the called sum is considered.")
    line = param.ClassSelector(default=("row", 0), class_=tuple, doc="The line whose chances are shown.")
    explained = param.String(default="straight_with_7", doc="The combination whose chance is explained.")
    roll_at_once = param.Boolean(default=True, doc="Roll for the next round as soon as a sum is written.")
    happened = param.String(default="", doc="What the last action led to, in words.")
    refusal = param.String(default="", doc="Why the last action was not possible.")

    def __init__(self, visit: Visit, fresh_seed: Callable[[], int], shelf: Shelf | None = None) -> None:
        super().__init__(visit, fresh_seed, shelf)
        self._names = {id_: rule("knister", id_, visit.language).name for id_ in knister.COMBINATIONS}
        self._line_names = {key: line_name(key, self.texts) for key in LINES}
        self._make_widgets()
        self._view = self._lay_out()
        self._begin(visit.seed)
        self._show()
        self.param.watch(self._show, list(_SHOWN))

    # ---- What the pupil does -----------------------------------------------------------------------------------------

    def new_game(self, *_: object) -> None:
        """Another game, whatever the link said. Undo brings the old one back."""
        self._begin(None, (*self.history, self.state))

    def _begin(self, seed: int | None, history: tuple[knister.State, ...] = ()) -> None:
        refused = ""
        try:
            state = knister.new_game(PLAYERS, self._fresh_seed() if seed is None else seed)
        except GameError as error:  # the number in the link: say so, and begin another game
            refused = self.texts.error(error, "knister")
            state = knister.new_game(PLAYERS, self._fresh_seed())
        self._go_on(state, history, f"{refused} {self._words('started')}".strip())

    def roll(self, *_: object) -> None:
        """Roll both dice. When the sum is called already, it stays."""
        try:
            state = knister.apply(self.state, knister.Roll())
        except GameError as error:
            self._refuse(error)
            return
        self._go_on(state, (*self.history, self.state), self._called_in_words(state))

    def choose(self, cell: int) -> None:
        """Consider to write the called sum into this cell; the second time, write it."""
        if cell == self.chosen:
            self.write()
            return
        try:
            knister.apply(self.state, _writing(cell))
        except GameError as error:
            self._refuse(error)
            return
        self.param.update(chosen=cell, refusal="")

    def write(self, *_: object) -> None:
        """Write the called sum into the cell that is considered."""
        if self.chosen is None:
            self._refuse_to_write()
            return
        written = knister.apply(self.state, _writing(self.chosen))
        happened, after = self._written_in_words(written), written
        if self.roll_at_once and not knister.is_over(written):
            after = knister.apply(written, knister.Roll())
            happened = f"{happened} {self._called_in_words(after)}"
        self._go_on(after, (*self.history, self.state), happened)

    def undo(self, *_: object) -> None:
        """Back to where the last action was decided. The dice show the same again: they belong to the game's number."""
        if not self.history:
            self.refusal = self._words("nothing_to_undo")
            return
        *history, state = self.history
        called = self._called_in_words(state) if state.dice else ""
        self._go_on(state, tuple(history), f"{self._words('undone')} {called}".strip())

    def choose_line(self, key: LineKey) -> None:
        """Show the chances of this line."""
        if key in LINES:
            self.line = key

    def early(self, clicks: Sequence[str]) -> None:
        """The first roll. However often it was asked for, the sum is called once."""
        if "roll" in clicks and not self.state.dice:
            self.roll()

    def carry_on(self, other: Dashboard) -> None:
        super().carry_on(other)
        self.happened = self._called_in_words(self.state) if self.state.dice else ""  # the rest is in that language

    def _go_on(self, state: knister.State, history: tuple[knister.State, ...], happened: str) -> None:
        self.param.update(state=state, history=history, chosen=None, happened=happened, refusal="")

    def _refuse(self, error: GameError) -> None:
        self.refusal = self.texts.error(error, "knister")

    def _refuse_to_write(self) -> None:
        called = knister.called_sum(self.state)
        if called is not None:
            self.refusal = self._words("choose_first", sum=called)
            return
        try:
            knister.apply(self.state, _writing(0))
        except GameError as error:  # roll first, or the game is over
            self._refuse(error)

    # ---- What follows from the state ---------------------------------------------------------------------------------

    @property
    def grid(self) -> knister.Grid:
        return self.state.grids[PUPIL]

    @property
    def rolls_to_come(self) -> int:
        """The called sum is no longer to come."""
        return ROUNDS - self.state.round - bool(self.state.dice)

    @property
    def considered(self) -> knister.Grid | None:
        """The grid with the called sum in the chosen cell."""
        if self.chosen is None:
            return None
        return knister.apply(self.state, _writing(self.chosen)).grids[PUPIL]

    @property
    def total(self) -> int:
        return knister.standings(self.state)[PUPIL].total

    def expected(self) -> Values:
        """The expected points of every line, as it stands, from the rolls to come; diagonals doubled."""
        return _doubled(knister.grid_expected(self.grid.rows, self.rolls_to_come))

    def expected_if_written(self) -> Values:
        """The expected points of the lines through the chosen cell, with the called sum there."""
        after = self.considered
        if after is None:
            return {}
        values = _doubled(knister.grid_expected(after.rows, self.rolls_to_come))
        return {key: value for key, value in values.items() if self.chosen in LINES[key]}

    def odds(self) -> Mapping[str, knister.LineChance]:
        """The chances of the shown line, as it stands, from the rolls to come."""
        return knister.odds(_line(self.grid, self.line), self.rolls_to_come)

    def odds_if_written(self) -> Mapping[str, knister.LineChance]:
        """The chances of the shown line with the called sum in the chosen cell; none if it is not in this line."""
        after = self.considered
        if after is None or self.chosen not in LINES[self.line]:
            return {}
        return knister.odds(_line(after, self.line), self.rolls_to_come)

    def observed(self) -> Counter[int]:
        """How often each sum was rolled in this game."""
        called = knister.called_sum(self.state)
        sums = Counter(number for number in self.grid.cells if number is not None)
        return sums if called is None else sums + Counter([called])

    # ---- What is on the screen ---------------------------------------------------------------------------------------

    def view(self) -> Viewable:
        return self._view

    def _make_widgets(self) -> None:
        theory = knister.next_sum()
        self._grid = NumberGrid(LINES, self.choose, self.choose_line, self.texts)
        self._roll, self._write, self._undo, self._new_game = (
            self._button(key, action)
            for key, action in (
                ("roll", self.roll),
                ("write", self.write),
                ("undo", self.undo),
                ("new_game", self.new_game),
            )
        )
        self._at_once = pn.widgets.Toggle(
            name=self._words("roll_at_once"), value=self.roll_at_once, stylesheets=[switch(self.texts)]
        )
        self._line = self._select("choose_line", {name: key for key, name in self._line_names.items()})
        self._combination = self._select("choose_combination", {name: id_ for id_, name in self._names.items()})
        self._lines, self._chances = LinesTable(self.texts), ChancesTable(self.texts)
        self._sums = SumsChart(theory, self.texts)
        self._heading, self._end, self._why = _text(), _text(), _text()
        self._status = _text(tags=["live"])
        self._at_once.param.watch(lambda event: self.param.update(roll_at_once=event.new), "value")
        self._line.param.watch(lambda event: self.choose_line(event.new), "value")
        self._combination.param.watch(lambda event: self.param.update(explained=event.new), "value")

    def _button(self, key: str, action: Callable[..., None]) -> pn.widgets.Button:
        button = pn.widgets.Button(name=self._words(key), stylesheets=[BUTTON])
        button.on_click(action)
        return button

    def _select(self, key: str, options: dict[str, Any]) -> pn.widgets.Select:
        name = self._words(key)
        return pn.widgets.Select(name=name, options=options, stylesheets=[INPUT], sizing_mode="stretch_width", margin=0)

    def _lay_out(self) -> Viewable:
        controls = pn.Row(self._roll, self._write, self._undo, self._new_game, stylesheets=[ROW], margin=0)
        play = _part(self._heading, self._end, self._grid.view, self._status, controls, self._at_once)
        lines = _part(_heading(self._words("lines")), self._lines.view)
        odds = _part(_heading(self._words("odds")), self._line, self._chances.view, self._combination, self._why)
        sums = _part(_heading(self._words("sums")), self._sums.view, _paragraph(self._words("sums_note")))
        return pn.Row(play, lines, odds, sums, stylesheets=[COLUMNS], sizing_mode="stretch_width", margin=0)

    def _show(self, *_: object) -> None:
        """Derive everything from the state. Setting what is set already sends nothing to the page."""
        values, after = self.expected(), self.expected_if_written()
        self._show_grid(values, after)
        self._show_lines(values, after)
        self._show_odds(self.odds(), self.odds_if_written())
        self._sums.show(self.observed())
        self._heading.object = self._game_in_words()
        self._end.object = self._end_in_words()
        self._status.object = self._status_in_words(values, after)
        self._at_once.value = self.roll_at_once
        is_over = knister.is_over(self.state)
        _mark(self._roll, not self.state.dice and not is_over)
        _mark(self._write, self.chosen is not None)
        _mark(self._new_game, is_over)

    def _show_grid(self, values: Values, after: Values) -> None:
        points = line_points(self.grid.cells)
        edges = {key: Edge(self._edge(key, values, after, points), key in points) for key in LINES}
        called = knister.called_sum(self.state)
        considered = {} if self.chosen is None or called is None else {self.chosen: called}
        head = self._dice_in_words()
        self._grid.show(self.grid.cells, edges, head=head, marked=self.line, considered=considered)

    def _edge(self, key: LineKey, values: Values, after: Values, points: Mapping[LineKey, int]) -> str:
        double = self._words("double") if key[0] == "diagonal" else ""
        if key in points:
            shown = self.texts.number(points[key])
        elif key in after:
            shown = f"{sign(values[key], after[key])}\xa0{self.texts.number(after[key], 1)}"
        else:
            shown = f"≈\xa0{self.texts.number(values[key], 1)}"
        return f"{double}\n{shown}".strip()

    def _show_lines(self, values: Values, after: Values) -> None:
        points = line_points(self.grid.cells)
        rows = [
            LineRow(
                name,
                " ".join(self._number(number) for number in _line(self.grid, key)),
                self._result(key, points),
                values[key],
                after.get(key),
            )
            for key, name in self._line_names.items()
        ]
        caption = self._words("lines_caption", rolls=self.rolls_to_come)
        self._lines.show(rows, list(LINES).index(self.line), self.texts.count("point", self.total), caption)

    def _result(self, key: LineKey, points: Mapping[LineKey, int]) -> str:
        """The combination and the points of a full line; "" while it is not full."""
        if key not in points:
            return ""
        made = knister.combination_of([number for number in _line(self.grid, key) if number is not None])
        name = self._names[made] if made else self._words("no_combination")
        return self._words("combination_points", name=name, points=points[key])

    def _show_odds(self, now: Mapping[str, knister.LineChance], here: Mapping[str, knister.LineChance]) -> None:
        rows = [
            ChanceRow(name, POINTS[id_], now[id_].probability, here[id_].probability if here else None)
            for id_, name in self._names.items()
        ]
        self._line.value = self.line
        self._combination.value = self.explained
        called = knister.called_sum(self.state)
        considered = self._words("here", sum=called) if here else ""
        caption = self._words("odds_caption", line=self._line_names[self.line], rolls=self.rolls_to_come)
        self._chances.show(rows, knister.COMBINATIONS.index(self.explained), considered, caption)
        self._why.object = self._why_in_words(now[self.explained], here.get(self.explained))

    # ---- In words ----------------------------------------------------------------------------------------------------

    def _game_in_words(self) -> Markup:
        number = min(self.state.round + 1, ROUNDS)
        facts = (
            self._words("game_number", seed=str(self.state.seed)),
            self._words("round_number", number=number, rounds=ROUNDS),
            self.texts.count("point", self.total),
        )
        facts_in_words = " · ".join(fact.replace(" ", "\xa0") for fact in facts)
        return joined(element("h2", self._words("grid")), element("p", facts_in_words))

    def _dice_in_words(self) -> Markup:
        if not self.state.dice:
            key = "no_more_rolls" if knister.is_over(self.state) else "before_roll"
            return element("div", self._words(key), class_="kp-called")
        picture = rolled(self.state.dice, self._words("dice", dice=self.state.dice))
        called = element("span", self._words("called"), " ", element("strong", str(knister.called_sum(self.state))))
        return element("div", picture, called, class_="kp-called")

    def _called_in_words(self, state: knister.State) -> str:
        return self._words("rolled", dice=state.dice, sum=knister.called_sum(state))

    def _written_in_words(self, after: knister.State) -> str:
        """What was written, and the lines that are full now."""
        grid = after.grids[PUPIL]
        before, points = line_points(self.grid.cells), line_points(grid.cells)
        full = [
            self._words("full_line", line=_capital(self._line_names[key]), points=points[key])
            for key in points
            if key not in before
        ]
        written = self._words("written", sum=knister.called_sum(self.state), cell=self._cell_in_words())
        return " ".join([written, *full])

    def _status_in_words(self, values: Values, after: Values) -> Markup:
        if self.refusal:
            return element("p", self.refusal, class_="kp-refusal")
        if self.chosen is None:
            return element("p", self.happened)
        changes = {"before": sum(values[key] for key in after), "after": sum(after.values())}
        called = knister.called_sum(self.state)
        return element("p", self._words("preview", sum=called, cell=self._cell_in_words(), **changes))

    def _cell_in_words(self) -> str:
        row, column = divmod(self.chosen or 0, SIDE)
        return self._words("cell", row=row + 1, column=column + 1)

    def _end_in_words(self) -> str:
        if not knister.is_over(self.state):
            return ""
        rating = knister.rating(self.total)
        result = self._words("over", points=self.total)
        praise = self._words("rating", rating=self.texts(f"knister.{rating}.name")) if rating else ""
        solo = rule("knister", "solo", self.visit.language)
        parts = [element("p", element("strong", f"{result} {praise}".strip())), element("p", solo.explanation)]
        if not rating:
            parts.append(element("p", rule("knister", "below_50", self.visit.language).explanation))
        return joined(*parts)

    def _why_in_words(self, now: knister.LineChance, here: knister.LineChance | None) -> Markup:
        explained = rule("knister", self.explained, self.visit.language)
        parts = [
            element("p", explained.explanation),
            element("p", explained.examples[0].text),
            element("p", element("small", explained.source)),
        ]
        called = knister.called_sum(self.state)
        headings = {"why_now": now} if here is None else {"why_elsewhere": now, "why_here": here}
        for key, chance in headings.items():
            heading = element("h3", self._words(key, sum=called))
            parts += [heading, listed("ul", explain(chance, self.visit.language))]
        return joined(*parts)

    def _number(self, number: int | None) -> str:
        return self._words("empty_sign") if number is None else self.texts.number(number)

    def _words(self, key: str, **values: Any) -> str:
        return self.texts(f"interface.knister.{key}", **values)

    # ---- Before Python is ready --------------------------------------------------------------------------------------

    @classmethod
    def title(cls, language: str) -> str:
        return load(language)("interface.knister.title")

    @classmethod
    def static(cls, language: str) -> str:
        texts = load(language)
        roll = texts("interface.knister.roll")
        return joined(
            element("p", texts("interface.knister.intro"), class_="kp-intro"),
            Markup(f"<noscript>{element('p', texts('interface.page.without_scripts'), class_='kp-note')}</noscript>"),
            element("h2", texts("interface.knister.grid")),
            element("p", element("button", roll, type="button", class_="kp-button", data_early="roll")),
            element("p", texts("interface.knister.early"), class_="kp-note"),
            empty_grid(SIDE, texts("interface.knister.empty_grid")),
            _combinations(language),
        )


_SHOWN = ("state", "history", "chosen", "line", "explained", "roll_at_once", "happened", "refusal")


def _combinations(language: str) -> Markup:
    """What the lines are to become, after the rulebook."""
    texts = load(language)
    head = (
        texts("interface.odds.combination"),
        texts("interface.knister.points"),
        texts("interface.knister.explanation"),
    )
    rows = []
    for id_ in knister.COMBINATIONS:
        entry = rule("knister", id_, language)
        printed = element("small", entry.label, class_="kp-printed")
        rows.append(
            element(
                "tr",
                element("th", entry.name, " ", printed, scope="row"),
                element("td", texts.number(POINTS[id_])),
                element("td", entry.explanation),
            )
        )
    return element(
        "table",
        element("caption", texts("interface.knister.combinations")),
        element("thead", element("tr", *(element("th", title, scope="col") for title in head))),
        element("tbody", *rows),
        class_="kp-table",
    )


def _writing(cell: int) -> knister.Write:
    return knister.Write(*divmod(cell, SIDE))


def _line(grid: knister.Grid, key: LineKey) -> tuple[int | None, ...]:
    return tuple(grid.cells[cell] for cell in LINES[key])


def _doubled(values: Mapping[LineKey, knister.LineValue]) -> Values:
    return {key: value.expected * (DIAGONAL_FACTOR if key[0] == "diagonal" else 1) for key, value in values.items()}


def _mark(button: pn.widgets.Button, is_next: bool) -> None:
    """The button that goes on with the game stands out."""
    button.css_classes = ["kp-primary"] if is_next else []


def _part(*parts: Viewable) -> pn.Column:
    return pn.Column(*parts, stylesheets=[STACK], styles={"flex": "1 1 20rem", "min-width": "0"}, margin=0)


def _text(html: str = "", tags: Sequence[str] = ()) -> pn.pane.HTML:
    return pn.pane.HTML(html, stylesheets=[TEXT], sizing_mode="stretch_width", margin=0, tags=list(tags))


def _heading(text: str) -> pn.pane.HTML:
    return _text(element("h2", text))


def _paragraph(text: str) -> pn.pane.HTML:
    return _text(element("p", text))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
