"""A game of Kości alone: keep dice, and see what that does to the chance of every free category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import panel as pn
import param
from panel.viewable import Viewable

from knyf_panel.dashboards.components import Dice, OddsChart, OddsRow, Sheet, SheetRow, element, not_rolled
from knyf_panel.dashboards.components.markup import Markup, joined, listed
from knyf_panel.dashboards.components.style import BUTTON, COLUMNS, ROW, STACK, TEXT
from knyf_panel.dashboards.dashboard import Dashboard
from knyf_panel.dashboards.visit import Visit
from knyf_panel.engine import GameError, kosci
from knyf_panel.engine.kosci.odds import AT_LEAST
from knyf_panel.engine.kosci.rules import DICE, LOWER, PREMIUM_FROM, ROLLS, ROUNDS, UPPER
from knyf_panel.engine.kosci.state import ROW as PLACE
from knyf_panel.texts import explain, load, rule

Odds = Mapping[str, kosci.DiceChance]

PUPIL = 0  # the only seat
PLAYERS = ("Ty",)  # the name is not shown


class KosciDashboard(Dashboard):
    """The state is the engine's, and the roll that is being considered: which dice are kept."""

    carried = ("state", "past", "kept", "explained")

    state = param.ClassSelector(default=kosci.new_game(PLAYERS, 0), class_=kosci.State)
    past = param.ClassSelector(
        class_=tuple, default=(), doc="What can be undone: states and kept places, the last one last."
    )
    kept = param.ClassSelector(class_=frozenset, default=frozenset(), doc="Places among the dice.")
    explained = param.String(default="general", doc="The category whose chance is explained.")
    happened = param.String(default="", doc="What the last action led to, in words.")
    refused = param.String(default="", doc="Why the last action was not done, in words.")

    def __init__(self, visit: Visit, fresh_seed: Callable[[], int]) -> None:
        super().__init__(visit, fresh_seed)
        self._names = {id_: rule("kosci", id_, visit.language).name for id_ in kosci.CATEGORIES}
        self._make_widgets()
        self._view = self._lay_out()
        self.param.watch(self._show, ["state", "past", "kept", "explained", "happened", "refused"])
        self._start(visit.seed)

    # ---- What the pupil does -----------------------------------------------------------------------------------------

    def new_game(self, *_: object) -> None:
        """Another game, whatever the link said. It can be undone as well."""
        self._go_on(kosci.new_game(PLAYERS, self._fresh_seed()), self._words("started"))

    def roll(self, *_: object) -> None:
        """Roll the dice that are not kept. Those that are kept stay so, as long as there is another roll."""
        keep = self.keep
        after = self._after(kosci.Roll(keep))
        if after:
            kept = _places(keep, after.dice) if after.rolls < ROLLS else frozenset()
            happened = self._words("rolled", number=after.rolls, rolls=ROLLS, dice=after.dice)
            self._go_on(after, happened, kept)

    def write(self, category: str, joker: bool = False) -> None:
        """Write the dice into a category, which ends the turn."""
        after = self._after(kosci.Write(category, joker))
        if after:
            self._go_on(after, self._written_in_words(after, category, joker))

    def choose(self, place: int, is_kept: bool) -> None:
        """Keep the die in this place, or take it back."""
        if place not in range(DICE) or is_kept == (place in self.kept):
            return
        if self.can_keep:
            self.param.update(kept=self.kept | {place} if is_kept else self.kept - {place}, refused="")
        else:
            self._refuse_to_keep()

    def undo(self, *_: object) -> None:
        """Back to what was before the last action, the kept dice included."""
        if self.past:
            *past, (state, kept) = self.past
            self.param.update(state=state, kept=kept, past=tuple(past), happened=self._words("undone"), refused="")
        else:
            self._refuse(self._words("nothing_to_undo"))

    def explain(self, category: str) -> None:
        """Tell the rule of a category, and where its chance comes from."""
        self.param.update(explained=category, refused="")

    def early(self, clicks: Sequence[str]) -> None:
        """The first roll can be asked for before Python is there; who clicks often gets no second one."""
        if "roll" in clicks and not self.state.dice:
            self.roll()

    def _start(self, seed: int | None) -> None:
        refused = ""
        try:
            state = kosci.new_game(PLAYERS, self._fresh_seed() if seed is None else seed)
        except GameError as error:  # the number in the link: say so, and play another game
            refused = self.texts.error(error, "kosci")
            state = kosci.new_game(PLAYERS, self._fresh_seed())
        self.param.update(state=state, happened=f"{refused} {self._words('started')}".strip())

    def _after(self, action: kosci.Action) -> kosci.State | None:
        """The state after an action. What the rules do not allow changes nothing, and the page says why."""
        try:
            return kosci.apply(self.state, action)
        except GameError as error:
            self._refuse(self.texts.error(error, "kosci"))
            return None

    def carry_on(self, other: Dashboard) -> None:
        super().carry_on(other)
        self.happened = ""  # what it was is in the other language

    def _go_on(self, state: kosci.State, happened: str, kept: frozenset[int] = frozenset()) -> None:
        past = (*self.past, (self.state, self.kept))
        self.param.update(state=state, past=past, kept=kept, happened=happened, refused="")

    def _refuse_to_keep(self) -> None:
        if self.state.dice or kosci.is_over(self.state):
            self._after(kosci.Roll())  # the engine says why there is no other roll
        else:
            self._refuse(self._words("roll_before_keeping"))

    def _refuse(self, reason: str) -> None:
        if reason != self.refused:
            self.refused = reason
        else:
            self._show()  # a die that was pressed in vain comes back the second time as well

    # ---- What follows from the state ---------------------------------------------------------------------------------

    @property
    def sheet(self) -> kosci.Sheet:
        return self.state.sheets[PUPIL]

    @property
    def rolls_left(self) -> int:
        return ROLLS - self.state.rolls

    @property
    def can_keep(self) -> bool:
        return bool(self.state.dice and self.rolls_left)

    @property
    def keep(self) -> tuple[int, ...]:
        """The values of the dice that are kept."""
        return tuple(self.state.dice[place] for place in sorted(self.kept))

    def odds(self) -> Odds:
        """The best chances by the end of the turn."""
        return kosci.odds(self.state.dice, self.rolls_left)

    def odds_of_keep(self) -> Odds:
        """The chances with the dice that are kept; without a roll left, those of the dice on the table."""
        keep = self.keep if self.can_keep else self.state.dice
        return kosci.odds_of(self.state.dice, self.rolls_left, keep)

    def jokers(self) -> tuple[str, ...]:
        """The categories into which the dice may be written as a joker."""
        return kosci.joker_categories(self.sheet, self.state.dice)

    def is_further_general(self) -> bool:
        is_general = bool(self.state.dice) and kosci.score("general", self.state.dice) > 0
        return is_general and not self.sheet.is_free("general")

    def parts(self) -> Mapping[str, int]:
        return kosci.standings(self.state)[PUPIL].parts

    # ---- What is on the screen ---------------------------------------------------------------------------------------

    def view(self) -> Viewable:
        return self._view

    def _make_widgets(self) -> None:
        words = self._words
        self._dice = Dice(DICE, self.choose, self.texts)
        self._roll = pn.widgets.Button(name=words("roll"), stylesheets=[BUTTON], css_classes=["kp-primary"])
        self._undo = pn.widgets.Button(name=words("undo"), stylesheets=[BUTTON])
        self._new_game = pn.widgets.Button(name=words("new_game"), stylesheets=[BUTTON])
        headings = (self.texts("interface.odds.best"), self.texts("interface.odds.chosen"), words("expected"))
        parts = [{id_: self._names[id_] for id_ in part} for part in (UPPER, LOWER)]
        self._sheet = Sheet(parts, headings, self.texts, self.explain, self.write)
        self._chart = OddsChart(list(self._names.values()), self.texts)
        self._heading, self._why, self._joker_rule = _text(), _text(), _text()
        self._status = _text(tags=["live"])
        self._joker_buttons = pn.Row(stylesheets=[ROW], margin=0)
        self._joker_button: dict[str, pn.widgets.Button] = {}
        self._roll.on_click(self.roll)
        self._undo.on_click(self.undo)
        self._new_game.on_click(self.new_game)

    def _lay_out(self) -> Viewable:
        controls = pn.Row(self._roll, self._undo, self._new_game, stylesheets=[ROW], margin=0)
        note = element("p", element("small", self._words("odds_note", at_least=AT_LEAST)))
        self._joker = pn.Column(stylesheets=[STACK], margin=0)
        sheet = _column("2 1 26rem", _text(element("h2", self._words("table"))), self._sheet.view, _text(note))
        why = _column("2 1 19rem", self._why)
        chart = _column("1 1 19rem", _text(element("h2", self._words("odds"))), self._chart.view)
        return pn.Column(
            self._heading,
            self._dice.view,
            controls,
            self._status,
            self._joker,
            pn.Row(sheet, why, chart, stylesheets=[COLUMNS], sizing_mode="stretch_width", margin=0),
            stylesheets=[STACK],
            sizing_mode="stretch_width",
            margin=0,
        )

    def _show(self, *_: object) -> None:
        """Derive everything from the state. Setting what is set already sends nothing to the page."""
        best, chosen = self.odds(), self.odds_of_keep()
        self._dice.show(self.state.dice, self.kept)
        self._heading.object = self._turn_in_words()
        self._status.object = self._status_in_words(best, chosen)
        self._show_joker()
        self._sheet.show(self._rows(best, chosen), self._sums(), self.explained)
        free = self.sheet.free
        self._chart.show([OddsRow(self._names[id_], best[id_].probability, chosen[id_].probability) for id_ in free])
        self._why.object = self._why_in_words(best[self.explained], chosen[self.explained])

    def _rows(self, best: Odds, chosen: Odds) -> dict[str, SheetRow]:
        dice = self.state.dice
        return {
            id_: SheetRow(kosci.score(id_, dice) if dice else None, cells=self._cells(best[id_], chosen[id_]))
            if points is None
            else SheetRow(points, is_written=True)
            for id_, points in zip(kosci.CATEGORIES, self.sheet.points, strict=True)
        }

    def _cells(self, best: kosci.DiceChance, chosen: kosci.DiceChance) -> tuple[str, ...]:
        row = OddsRow("", best.probability, chosen.probability)
        label = self.texts("interface.odds.as_good_as_best")
        sign = element("span", "✓", role="img", aria_label=label, title=label) if row.is_best else ""
        sign = element("span", sign, class_="kp-sign")
        percent = self.texts.percent
        return percent(best.probability), joined(percent(chosen.probability), sign), self.texts.number(best.expected, 1)

    def _sums(self) -> tuple[Markup, Markup]:
        parts = self.parts()
        missing = max(0, PREMIUM_FROM - parts["upper"])
        premium = self._words("premium" if missing else "premium_reached", premium_from=PREMIUM_FROM, missing=missing)
        upper = ((self._words("upper"), parts["upper"]), (premium, parts["premium"]))
        lower = ((self._words("lower"), parts["lower"]), (self._words("jokers"), parts["jokers"]))
        total = element("tr", *_sum_cells(self._words("sum"), str(sum(parts.values()))), class_="kp-total")
        return _sum_table(upper), _sum_table(lower, total)

    def _turn_in_words(self) -> Markup:
        if kosci.is_over(self.state):
            title, stage = self._words("over"), "over"
        else:
            title = self._words("round", round=self.state.turn + 1, rounds=ROUNDS)
            stage = "keep" if self.can_keep else "write" if self.state.dice else "first"
        facts = [
            self._words("game_number", seed=str(self.state.seed)),
            self._words("rolls_left", rolls=self.rolls_left),
        ]
        facts = facts[:1] if stage == "over" else facts
        return joined(
            element("h2", title),
            element("p", " · ".join(fact.replace(" ", "\xa0") for fact in facts), class_="kp-deal"),
            element("p", self._words(f"instruction_{stage}")),
        )

    def _status_in_words(self, best: Odds, chosen: Odds) -> Markup:
        if self.refused:
            return element("p", self.refused, class_="kp-refusal")
        if kosci.is_over(self.state):
            parts = self.parts()
            return element("p", f"{self.happened} {self._words('final', total=sum(parts.values()), **parts)}".strip())
        return element("p", " ".join(filter(None, (self.happened, self._joker_said(), self._summary(best, chosen)))))

    def _joker_said(self) -> str:
        if not self.is_further_general():
            return ""
        return self._words("joker_said" if self.jokers() else "no_joker_said")

    def _summary(self, best: Odds, chosen: Odds) -> str:
        id_, percent = self.explained, self.texts.percent
        if not self.sheet.is_free(id_):
            return ""
        chances = {"best": percent(best[id_].probability), "chosen": percent(chosen[id_].probability)}
        return self._words("summary", name=_capital(self._names[id_]), **chances)

    def _written_in_words(self, after: kosci.State, category: str, joker: bool) -> str:
        points = after.sheets[PUPIL].points[PLACE[category]]
        extra = kosci.standings(after)[PUPIL].parts["jokers"] - self.parts()["jokers"]
        return self._words("wrote_joker" if joker else "wrote", name=self._names[category], points=points, extra=extra)

    # ---- Jokers ------------------------------------------------------------------------------------------------------

    def _show_joker(self) -> None:
        """A further general: the rule, and a button for each category into which it may be written as a joker."""
        jokers = self.jokers()
        self._joker_buttons.objects = [self._joker_button_for(category) for category in jokers]
        if self.is_further_general():
            self._joker_rule.object = self._joker_in_words(bool(jokers))
            self._joker.objects = [self._joker_rule, self._joker_buttons]
        else:
            self._joker.objects = []

    def _joker_in_words(self, is_allowed: bool) -> Markup:
        ids = ("joker", "joker_bonus", "declined_joker") if is_allowed else ("general_with_free_upper",)
        parts = [element("h2", self._words("further_general"))]
        for entry in (rule("kosci", id_, self.visit.language) for id_ in ids):
            parts.append(element("p", entry.explanation, " ", element("small", entry.source)))
        if is_allowed:
            parts.append(element("p", self._words("joker_choice")))
        return joined(*parts)

    def _joker_button_for(self, category: str) -> pn.widgets.Button:
        if category not in self._joker_button:
            self._joker_button[category] = button = pn.widgets.Button(stylesheets=[BUTTON])
            button.on_click(lambda *_: self.write(category, joker=True))
        after = kosci.apply(self.state, kosci.Write(category, joker=True))
        extra = kosci.standings(after)[PUPIL].parts["jokers"] - self.parts()["jokers"]
        points = after.sheets[PUPIL].points[PLACE[category]]
        name = self._words("joker_button", name=self._names[category], points=points, extra=extra)
        self._joker_button[category].name = name
        return self._joker_button[category]

    # ---- Why ---------------------------------------------------------------------------------------------------------

    def _why_in_words(self, best: kosci.DiceChance, chosen: kosci.DiceChance) -> Markup:
        entry = rule("kosci", self.explained, self.visit.language)
        examples = tuple(example.text for example in entry.examples)
        return joined(
            element("h2", _capital(entry.name)),
            element("p", entry.explanation),
            listed("ul", examples),
            element("p", element("small", entry.source)),
            *self._chance_in_words(best, chosen),
        )

    def _chance_in_words(self, best: kosci.DiceChance, chosen: kosci.DiceChance) -> list[Markup]:
        written = self.sheet.points[PLACE[self.explained]]
        if written is not None:
            return [element("p", self._words("written_already", points=written))]
        dice, language = self.state.dice, self.visit.language
        now = [element("p", self._words("points_now", points=kosci.score(self.explained, dice)))] if dice else []
        move = self._move_in_words(best.expected_keep)
        expected = self._words("expected_best", expected=best.expected, move=move)
        parts = [*now, element("h3", self._words("why_best")), listed("ul", (*explain(best, language), expected))]
        if self.can_keep:
            parts.append(element("h3", self._words("why_chosen")))
            expected = self._words("expected_chosen", expected=chosen.expected)
            is_best = chosen.keep == best.keep
            reasons = (self._words("choice_is_best"),) if is_best else explain(chosen, language)
            parts.append(listed("ul", (*reasons, expected)))
        return parts

    def _move_in_words(self, keep: tuple[int, ...]) -> str:
        kind = {0: "keep_none", DICE: "keep_all"}.get(len(keep), "keep")
        return self._words(kind, keep=keep)

    def _words(self, key: str, **values: Any) -> str:
        return self.texts(f"interface.kosci.{key}", **values)

    # ---- Before Python is ready --------------------------------------------------------------------------------------

    @classmethod
    def title(cls, language: str) -> str:
        return load(language)("interface.kosci.title")

    @classmethod
    def static(cls, language: str) -> str:
        texts = load(language)
        return joined(
            element("p", texts("interface.kosci.intro"), class_="kp-intro"),
            Markup(f"<noscript>{element('p', texts('interface.page.without_scripts'), class_='kp-note')}</noscript>"),
            element("h2", texts("interface.kosci.dice")),
            not_rolled(DICE),
            element("button", texts("interface.kosci.roll"), type="button", class_="kp-button", data_early="roll"),
            element("p", texts("interface.kosci.early"), class_="kp-note"),
            element("h2", texts("interface.kosci.rules")),
            *(_rule(id_, language) for id_ in ("turn", "writing", "premium", "joker", "joker_bonus")),
            _categories(language),
        )


def _rule(id_: str, language: str) -> Markup:
    entry = rule("kosci", id_, language)
    return joined(element("h3", _capital(entry.name)), element("p", entry.explanation))


def _categories(language: str) -> Markup:
    """The rows of the table, after the rulebook."""
    texts = load(language)
    head = (texts("interface.kosci.category"), texts("interface.kosci.scores"))
    rows = []
    for id_ in kosci.CATEGORIES:
        entry = rule("kosci", id_, language)
        printed = element("small", entry.label, lang="pl", class_="kp-printed")
        name = joined(entry.name, " ", printed) if entry.label != entry.name else joined(entry.name)
        rows.append(element("tr", element("th", name, scope="row"), element("td", entry.explanation)))
    return element(
        "table",
        element("caption", texts("interface.kosci.categories")),
        element("thead", element("tr", *(element("th", title, scope="col") for title in head))),
        element("tbody", *rows),
        class_="kp-table",
    )


def _sum_table(sums: Sequence[tuple[str, int]], *more: Markup) -> Markup:
    return element("table", *(element("tr", *_sum_cells(name, str(points))) for name, points in sums), *more)


def _sum_cells(name: str, points: str) -> tuple[Markup, Markup]:
    return element("th", name, scope="row"), element("td", points)


def _places(keep: tuple[int, ...], dice: tuple[int, ...]) -> frozenset[int]:
    """Where the kept values lie after a roll: the dice are sorted."""
    left = Counter(keep)
    places = []
    for place, value in enumerate(dice):
        if left[value]:
            left[value] -= 1
            places.append(place)
    return frozenset(places)


def _column(flex: str, *parts: Viewable) -> pn.Column:
    return pn.Column(*parts, stylesheets=[STACK], styles={"flex": flex, "min-width": "0"}, margin=0)


def _text(text: str = "", tags: Sequence[str] = ()) -> pn.pane.HTML:
    return pn.pane.HTML(text, stylesheets=[TEXT], sizing_mode="stretch_width", margin=0, tags=list(tags))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
