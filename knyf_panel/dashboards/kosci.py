"""A game of Kości: keep dice, and see what that does to the chance of every free category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import panel as pn
import param
from panel.viewable import Viewable

from knyf_panel.dashboards.components import Dice, OddsChart, OddsRow, Sheet, SheetRow, element, not_rolled
from knyf_panel.dashboards.components.markup import Markup, joined, listed
from knyf_panel.dashboards.components.parts import button, capital, column, heading, row, stack, text
from knyf_panel.dashboards.components.scores import ScoreRow
from knyf_panel.dashboards.components.style import COLUMNS
from knyf_panel.dashboards.game import GameDashboard
from knyf_panel.engine import kosci
from knyf_panel.engine.kosci.odds import AT_LEAST
from knyf_panel.engine.kosci.rules import DICE, LOWER, PREMIUM_FROM, ROLLS, ROUNDS, UPPER
from knyf_panel.engine.kosci.state import ROW as PLACE
from knyf_panel.engine.match import PERSON, Match
from knyf_panel.texts import explain, load, rule

Odds = Mapping[str, kosci.DiceChance]


class KosciDashboard(GameDashboard):
    """The considered move: which dice are kept."""

    game = "kosci"
    considering: ClassVar[Mapping[str, Any]] = {"kept": frozenset()}
    carried: ClassVar[tuple[str, ...]] = (*GameDashboard.carried, "kept")

    explained = param.String(default="general")
    kept = param.ClassSelector(class_=frozenset, default=frozenset(), doc="Places among the dice.")

    # ---- What the pupil does -----------------------------------------------------------------------------------------

    def roll(self, *_: object) -> None:
        """Roll the dice that are not kept. Those that are kept stay so, as long as there is another roll."""
        keep = self.keep
        self.act(
            kosci.Roll(keep),
            lambda state: {"kept": _places(keep, state.dice) if state.rolls < ROLLS else frozenset()},
        )

    def write(self, category: str, joker: bool = False) -> None:
        """Write the dice into a category, which ends the turn."""
        self.act(kosci.Write(category, joker))

    def choose(self, place: int, is_kept: bool) -> None:
        """Keep the die in this place, or take it back."""
        if place not in range(DICE) or is_kept == (place in self.kept):
            return
        if self.can_keep:
            self.param.update(kept=self.kept | {place} if is_kept else self.kept - {place}, refused="")
        else:
            self._refuse_to_keep()

    def early(self, clicks: Sequence[str]) -> None:
        """The first roll can be asked for before Python is there; who clicks often gets no second one."""
        if "roll" in clicks and not self.state.dice:
            self.roll()

    def _considered_again(self, state: kosci.State, action: kosci.Action) -> Mapping[str, Any]:
        return {"kept": _places(action.keep, state.dice)} if isinstance(action, kosci.Roll) else {}

    def _refuse_to_keep(self) -> None:
        if self.state.dice or self.match.is_over:
            self.act(kosci.Roll())  # the engine says why there is no other roll
        else:
            self._refuse(self._words("roll_before_keeping"))

    # ---- What follows from the state ---------------------------------------------------------------------------------

    @property
    def sheet(self) -> kosci.Sheet:
        sheet: kosci.Sheet = self.state.sheets[self.seat]
        return sheet

    @property
    def rolls_left(self) -> int:
        return ROLLS - int(self.state.rolls)

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
        return _parts(self.state, self.seat)

    # ---- What is on the screen ---------------------------------------------------------------------------------------

    def _make_widgets(self) -> None:
        words = self._words
        self._dice = Dice(DICE, self.choose, self.texts)
        self._names = {id_: rule("kosci", id_, self.visit.language).name for id_ in kosci.CATEGORIES}
        self._roll = button(words("roll"), self.roll, is_primary=True)
        headings = (self.texts("interface.odds.best"), self.texts("interface.odds.chosen"), words("expected"))
        parts = [{id_: self._names[id_] for id_ in part} for part in (UPPER, LOWER)]
        self._sheet = Sheet(parts, headings, self.texts, self.explain, self.write)
        self._chart = OddsChart(list(self._names.values()), self.texts)
        self._heading, self._why, self._joker_rule = text(), text(), text()
        self._joker_buttons = row()
        self._joker_button: dict[str, pn.widgets.Button] = {}

    def _lay_out(self) -> Viewable:
        note = element("p", element("small", self._words("odds_note", at_least=AT_LEAST)))
        self._joker = stack()
        sheet = column(heading(self._words("table")), self._sheet.view, text(note), flex="2 1 26rem")
        why = column(self._why, flex="2 1 19rem")
        chart = column(self._players.view, heading(self._words("odds")), self._chart.view, flex="1 1 19rem")
        return stack(
            self._tools.buttons,
            self._tools.view,
            self._heading,
            self._dice.view,
            row(self._roll, self._undo),
            self._status,
            self._joker,
            pn.Row(sheet, why, chart, stylesheets=[COLUMNS], sizing_mode="stretch_width", margin=0),
        )

    def _show(self, *_: object) -> None:
        """Derive everything from the state. Setting what is set already sends nothing to the page."""
        best, chosen = self.odds(), self.odds_of_keep()
        self._show_table()
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

    def _score_rows(self) -> Sequence[ScoreRow]:
        sheets, parts = self.state.sheets, [_parts(self.state, seat) for seat in range(len(self.state.sheets))]
        free = self.texts("table.scores.free")
        rows = [
            ScoreRow(
                name, tuple(free if (points := sheet.points[PLACE[id_]]) is None else str(points) for sheet in sheets)
            )
            for id_, name in self._names.items()
        ]
        rows += [
            ScoreRow(self._words(key), tuple(str(part[id_]) for part in parts))
            for key, id_ in (("premium_reached", "premium"), ("jokers", "jokers"))
        ]
        return [*rows, ScoreRow(self._words("sum"), tuple(str(sum(part.values())) for part in parts), is_sum=True)]

    def _turn_in_words(self) -> Markup:
        if self.match.is_over:
            title, stage = self._words("over"), "over"
        else:
            turn = self.state.turn // len(self.state.players) + 1
            title = self._words("round", round=turn, rounds=ROUNDS)
            stage = "keep" if self.can_keep else "write" if self.state.dice else "first"
        facts = [self._words("game_number", seed=str(self.state.seed))]
        if stage != "over":
            facts.append(self._words("rolls_left", rolls=self.rolls_left))
            facts += [self.texts("table.turn.of", name=self.player)] * (len(self.match.kinds) > 1)
        return joined(
            element("h2", title),
            element("p", " · ".join(fact.replace(" ", "\xa0") for fact in facts), class_="kp-deal"),
            element("p", self._words(f"instruction_{stage}")),
        )

    def _status_in_words(self, best: Odds, chosen: Odds) -> Markup:
        if self.refused:
            return element("p", self.refused, class_="kp-refusal")
        if self.match.is_over:
            parts = self.parts()
            final = self._words("final", total=sum(parts.values()), **parts)
            return element("p", " ".join(filter(None, (self.happened, self.standings_in_words(), final))))
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
        return self._words("summary", name=capital(self._names[id_]), **chances)

    def _acted_in_words(self, before: Match, after: Match) -> str:
        action, state = after.actions[-1], after.state
        if isinstance(action, kosci.Roll):
            is_person = before.kind == PERSON
            return self._words("rolled", number=state.rolls, rolls=ROLLS, dice=state.dice) if is_person else ""
        seat = before.seat
        extra = _parts(state, seat)["jokers"] - _parts(before.state, seat)["jokers"]
        points = state.sheets[seat].points[PLACE[action.category]]
        key = "wrote_joker" if action.joker else "wrote"
        return self._words(key, name=self._names[action.category], points=points, extra=extra)

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
            self._joker_button[category] = button("", lambda *_: self.write(category, joker=True))
        after = kosci.apply(self.state, kosci.Write(category, joker=True))
        extra = _parts(after, self.seat)["jokers"] - self.parts()["jokers"]
        points = after.sheets[self.seat].points[PLACE[category]]
        name = self._words("joker_button", name=self._names[category], points=points, extra=extra)
        self._joker_button[category].name = name
        return self._joker_button[category]

    # ---- Why ---------------------------------------------------------------------------------------------------------

    def _why_in_words(self, best: kosci.DiceChance, chosen: kosci.DiceChance) -> Markup:
        entry = rule("kosci", self.explained, self.visit.language)
        examples = tuple(example.text for example in entry.examples)
        return joined(
            element("h2", capital(entry.name)),
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
    return joined(element("h3", capital(entry.name)), element("p", entry.explanation))


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


def _parts(state: kosci.State, seat: int) -> Mapping[str, int]:
    return next(standing.parts for standing in kosci.standings(state) if standing.seat == seat)
