"""What the three game pages have in common: people and computers at a table, undo, saved games, a log."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, ClassVar

import param
from panel.viewable import Viewable

from knyf_panel.dashboards.components.markup import Markup, element, joined, listed
from knyf_panel.dashboards.components.parts import Fold, OneOpen, button, heading, row, stack, text
from knyf_panel.dashboards.components.players import (
    NewGame,
    PlayerRow,
    PlayersForm,
    PlayersTable,
    Seats,
    default_name,
)
from knyf_panel.dashboards.components.saved_games import SavedGames
from knyf_panel.dashboards.components.scores import SCORES, ScoreRow, score_table
from knyf_panel.dashboards.dashboard import Dashboard
from knyf_panel.dashboards.shelf import GameShelf, Shelf
from knyf_panel.dashboards.visit import Visit
from knyf_panel.engine import BadSave, GameError
from knyf_panel.engine.match import PERSON, Match

_NOT_BEGUN = Match.begin("kosci", [("–", PERSON)], seed=0)  # until a page has set up its own


class GameDashboard(Dashboard):
    """A page on which a game is played. The truth is one `Match`; a page adds the move that is being considered.

    A page says what its game is, shows a match, and puts actions into words; everything else is here.
    """

    game: ClassVar[str]
    considering: ClassVar[Mapping[str, Any]] = {}  # the parameters of the considered move, when there is none
    usual_seats: ClassVar[Sequence[str]] = (PERSON,)  # the kinds of players in a game that nobody has set up
    details: ClassVar[Sequence[str]] = ()  # keys of the headings of what the table says of each player
    carried: ClassVar[tuple[str, ...]] = ("match", "explained")

    match = param.ClassSelector(default=_NOT_BEGUN, class_=Match)
    explained = param.String(default="", doc="The row whose rule and chance are explained.")
    happened = param.String(default="", doc="What the last action led to, in words.")
    refused = param.String(default="", doc="Why the last action was not done, in words.")

    def __init__(self, visit: Visit, fresh_seed: Callable[[], int], shelf: Shelf | None = None) -> None:
        super().__init__(visit, fresh_seed, shelf)
        self._games = GameShelf(self._shelf, self.game)
        self._rules = import_module(f"knyf_panel.engine.{self.game}.rules")
        self._make_table()
        self._make_widgets()
        self._view = self._lay_out()
        self._arrive()
        self._show()
        self.param.watch(self._show_changes, ["match", "explained", "happened", "refused", *self.considering])

    # ---- What a game page brings -------------------------------------------------------------------------------------

    @abstractmethod
    def _make_widgets(self) -> None: ...

    @abstractmethod
    def _lay_out(self) -> Viewable: ...

    @abstractmethod
    def _show(self, *_: object) -> None:
        """Derive everything on the screen from the match and the considered move."""

    @abstractmethod
    def _acted_in_words(self, before: Match, after: Match) -> str:
        """What the last action of `after` did; "" if it is not worth a sentence."""

    def _considered_again(self, _state: Any, _action: Any) -> Mapping[str, Any]:
        """The parameters of the considered move for an action that was taken back."""
        return {}

    def _score_rows(self) -> Sequence[ScoreRow]:
        """The sheets of all players, row by row; none where the page shows them already."""
        return ()

    def _details_of(self, _seat: int) -> tuple[str, ...]:
        """What the table of players says of one of them, under the headings."""
        return ()

    # ---- What people do ----------------------------------------------------------------------------------------------

    def act(self, action: Any, consider: Callable[[Any], Mapping[str, Any]] = lambda _: {}) -> bool:
        """Do it, and let the computers answer. What the rules do not allow changes nothing, and the page says why.

        `consider` says which move is considered in the state that follows."""
        try:
            after = self.match.after(action)
        except GameError as error:
            self._refuse(self.texts.error(error, self.game))
            return False
        self._go_on(after, self._said(self.match, after), **consider(after.state))
        return True

    def undo(self, *_: object) -> None:
        """Back to the last decision of the only person at the table."""
        undone = self.match.undone()
        if not self.match.is_practice:
            self._refuse(self.texts("table.undo.only_in_practice"))
        elif undone is None:
            self._refuse(self.texts("table.undo.nothing"))
        else:
            action = self.match.actions[len(undone.actions)]
            self._set(undone, self.texts("table.undo.undone"), **self._considered_again(undone.state, action))

    def start(self, asked: NewGame) -> str:
        """Another game; the unfinished one can still be loaded. Answers why it could not be set up, or nothing."""
        try:
            match = self._new_match(asked.seats, asked.seed)
        except GameError as error:
            return self.texts.error(error, self.game)
        self._put_by(self.match)
        self._setup.close()
        self._begin(match)
        return ""

    def again(self, *_: object) -> None:
        """The same game from its beginning."""
        self._setup.close()
        self._begin(self.match.until(0))

    def explain(self, row_: str) -> None:
        """Tell the rule of a row, and where its chance comes from."""
        self.param.update(explained=row_, refused="")

    def load(self, match: Match, said: str) -> None:
        """Go on with a saved game."""
        self._put_by(self.match)
        self._saved.close()
        self._set(match, said)

    def carry_on(self, other: Dashboard) -> None:
        super().carry_on(other)
        self.happened = ""  # what it was is in the other language

    # ---- What follows from the match ---------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def seat(self) -> int:
        """Whose sheet the page shows: the person whose turn it is, or else the one who decided last."""
        match: Match = self.match
        if match.waits_for_a_person:
            return match.seat
        acted = (match.rules.current_player(state) for state in reversed(match.states[:-1]))
        return next((seat for seat in acted if match.kinds[seat] == PERSON), match.people[0])

    @property
    def player(self) -> str:
        return str(self.state.players[self.seat])

    def standings_in_words(self) -> str:
        """Who has won, once the game is over; nothing for a game alone."""
        standings = self.match.rules.standings(self.state)
        best = [standing.player for standing in standings if standing.place == 1]
        if not self.match.is_over or len(standings) == 1:
            return ""
        key = "winner" if len(best) == 1 else "winners"
        return self.texts(f"table.standings.{key}", name=best[0], names=", ".join(best), points=standings[0].total)

    # ---- The course of the game --------------------------------------------------------------------------------------

    def _arrive(self) -> None:
        """What the link asks for; the game that was kept, if it began like that, or if the link asks for nothing."""
        asked, problem = self._asked()
        kept = self._kept()
        if kept and self.visit.seed in (None, kept.state.seed):
            self._set(kept, self.texts("table.saved.resumed") if kept.actions else "")
        else:
            self._put_by(kept)
            self._begin(asked)
        self.happened = " ".join(filter(None, (problem, self._damage, self.happened)))

    def _asked(self) -> tuple[Match, str]:
        try:
            return self._new_match(self._usual_seats(), self.visit.seed), ""
        except GameError as error:  # the number in the link: say so, and play another game
            return self._new_match(self._usual_seats(), None), self.texts.error(error, self.game)

    def _kept(self) -> Match | None:
        self._damage = ""
        try:
            return self._games.current()
        except BadSave as error:
            self._damage = f"{self.texts('table.saved.aside')} {self.texts.error(error, self.game)}"
            return None

    def _usual_seats(self) -> Seats:
        return [(default_name(seat, kind, self.texts), kind) for seat, kind in enumerate(self.usual_seats)]

    def _new_match(self, seats: Seats, seed: int | None) -> Match:
        return Match.begin(self.game, seats, self._fresh_seed() if seed is None else seed)

    def _begin(self, match: Match) -> None:
        self._go_on(match, self._began_in_words(match))

    def _began_in_words(self, _: Match) -> str:
        return self.texts(f"interface.{self.game}.started")

    def _go_on(self, match: Match, said: str, **considered: Any) -> None:
        """From here to the next decision of a person: the computers act, one after the other."""
        sentences = [said]
        while not match.is_over and not match.waits_for_a_person:
            before, match = match, match.after_computer()
            sentences.append(self._said(before, match))
        self._set(match, " ".join(filter(None, sentences)), **considered)

    def _set(self, match: Match, happened: str, **considered: Any) -> None:
        """Everything at once, so that the page is drawn once. A game that nobody has begun is not worth keeping."""
        if match.actions:
            self._games.keep(match)
        self.param.update(match=match, happened=happened, refused="", **{**self.considering, **considered})

    def _put_by(self, match: Match | None) -> None:
        """An unfinished game gets a name, so that a new one does not end it for ever."""
        if match and match.actions and not match.is_over:
            self._games.save(self.texts("table.saved.put_by", seed=str(match.state.seed)), match)

    def _said(self, before: Match, after: Match) -> str:
        words = self._acted_in_words(before, after)
        if not words or len(after.kinds) == 1:
            return words
        return self.texts("table.turn.said", name=before.state.players[before.seat], what=words[:1].lower() + words[1:])

    def _refuse(self, reason: str) -> None:
        if reason != self.refused:
            self.refused = reason
        else:
            self._show()  # what was pressed in vain comes back the second time as well

    # ---- What is on the screen ---------------------------------------------------------------------------------------

    def view(self) -> Viewable:
        return self._view

    def _make_table(self) -> None:
        words = self.texts
        self._form: PlayersForm | None = None
        self._undo = button(words("table.undo.button"), self.undo)
        self._setup = Fold(words("table.setup.open"), self._make_form)
        self._saved = Fold(words("table.saved.open"), self._make_saved)
        self._log_pane = text()
        self._log = Fold(words("table.log.open"), lambda: self._log_pane)
        self._scores_pane = text(style=SCORES)
        self._scores = Fold(words("table.scores.open"), lambda: self._scores_pane)
        self._tools = OneOpen(self._setup, self._saved, self._scores, self._log)
        headings = [self._words(key) for key in self.details]
        self._players = PlayersTable(words, headings)
        self._status = text(tags=["live"])
        for fold in (self._log, self._scores):
            fold.button.param.watch(self._show_what_is_open, "value")

    def _make_form(self) -> Viewable:
        rules = self._rules
        self._form = PlayersForm(
            rules.FEWEST_PLAYERS, rules.MOST_PLAYERS, self.texts, self.start, lambda *_: self._setup.close()
        )
        self._form.show(list(zip(self.state.players, self.match.kinds, strict=True)))
        again = row(button(self.texts("table.setup.again"), self.again))
        return stack(heading(self.texts("table.setup.heading")), self._form.view, again)

    def _make_saved(self) -> Viewable:
        self._saved_games = SavedGames(self._games, self.texts, lambda: self.match, self.load)
        return stack(heading(self.texts("table.saved.heading")), self._saved_games.view)

    def _show_changes(self, *events: Any) -> None:
        self._show(*events)
        self._show_what_is_open()

    def _show_table(self) -> None:
        """The players; nobody else is there in a game alone."""
        match: Match = self.match
        self._players.view.visible = len(match.kinds) > 1
        self._scores.button.visible = len(match.kinds) > 1 and bool(self._score_rows())
        if self._players.view.visible:
            self._players.show([self._player_row(standing) for standing in match.rules.standings(self.state)])

    def _player_row(self, standing: Any) -> PlayerRow:
        is_next = not self.match.is_over and standing.seat == self.match.seat
        kind = self.match.kinds[standing.seat]
        return PlayerRow(
            standing.place, standing.player, kind, standing.total, is_next, self._details_of(standing.seat)
        )

    def _show_what_is_open(self, *_: object) -> None:
        if self._log.is_open:
            self._log_pane.object = self._log_in_words()
        if self._scores.is_open:
            caption = self.texts("table.scores.caption")
            self._scores_pane.object = score_table(caption, self.state.players, self._score_rows())

    def _log_in_words(self) -> Markup:
        match: Match = self.match
        steps = [match.until(number) for number in range(len(match.actions) + 1)]
        said = tuple(filter(None, (self._said(*pair) for pair in pairwise(steps))))
        if not said:
            return element("p", self.texts("table.log.empty"))
        return joined(element("h2", self.texts("table.log.open")), listed("ol", said))

    def _words(self, key: str, **values: Any) -> str:
        return self.texts(f"interface.{self.game}.{key}", **values)
