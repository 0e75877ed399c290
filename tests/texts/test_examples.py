"""Every worked example of the rule texts, asked of the engine.

An example's facts name a check and the numbers it claims. Each check is a function whose arguments are exactly those
facts, so that a number which nobody checks cannot slip in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from string import Formatter
from typing import Any

import pytest

from knyf_panel.engine import GameError, IllegalAction, IllegalPlay, knister, knyf, kosci
from knyf_panel.engine.knister.rules import DIAGONAL_FACTOR, DIAGONALS, LINES, ROWS, line_points
from knyf_panel.engine.knister.state import Grid
from knyf_panel.engine.knyf.rules import LOWER, UPPER, deck
from knyf_panel.engine.kosci.state import ROW
from knyf_panel.engine.standing import ranked
from knyf_panel.engine.tuples import replaced
from knyf_panel.texts.loader import LANGUAGES, load, read
from knyf_panel.texts.rulebook import GAMES, rule, rules

NAMES = ("Ala", "Olek", "Ewa", "Jan", "Iza")
KINDS_WITH_EXAMPLES = ("action", "combination", "bonus", "penalty", "end")
SCORES = ("points", "other_points", "upper_points", "penalty", "bonus", "premium", "extra", "total")

Check = Callable[..., None]
CHECKS: dict[tuple[str, str], Check] = {}


def claim(*games: str) -> Callable[[Check], Check]:
    """Makes a function the check that has its name (without the game) in these games."""

    def register(check: Check) -> Check:
        for game in games:
            CHECKS[game, check.__name__.removeprefix(f"{game}_")] = check
        return check

    return register


def every_example() -> Iterator[Any]:
    for game in GAMES:
        for id_, facts in read(f"{game}/facts.toml").items():
            for number in range(len(facts.get("examples", []))):
                yield pytest.param(game, id_, number, id=f"{game}-{id_}-{number}")


each_example = pytest.mark.parametrize(("game", "id_", "number"), list(every_example()))


def facts_of(game: str, id_: str, number: int) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = read(f"{game}/facts.toml")[id_]["examples"][number]
    return facts


@each_example
def test_the_engine_agrees_with_the_example(game: str, id_: str, number: int) -> None:
    facts = facts_of(game, id_, number)
    assert (game, facts["check"]) in CHECKS, f"no check {facts['check']!r} for examples of {game}"
    names = {"as": "as_", "sum": "sum_"}  # which Python wants for itself
    claims = {names.get(name, name): value for name, value in facts.items() if name not in ("check", "ours")}
    CHECKS[game, facts["check"]](**claims)


@pytest.mark.parametrize("language", LANGUAGES)
@each_example
def test_the_text_says_the_points(game: str, id_: str, number: int, language: str) -> None:
    facts = facts_of(game, id_, number)
    text = rule(game, id_, language).examples[number].text
    for name in SCORES:
        if name in facts:
            points = load(language).number(facts[name])
            assert re.search(rf"(?<!\d){points}(?!\d)", text), f"{name} {points} is not in: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
@each_example
def test_the_text_has_its_numbers_from_the_facts(game: str, id_: str, number: int, language: str) -> None:
    template = load(language).raw(f"{game}.{id_}.examples")[number]
    assert not [words for words, *_ in Formatter().parse(template) if re.search(r"\d", words)]


@pytest.mark.parametrize("game", GAMES)
def test_every_scoring_rule_action_and_end_has_an_example(game: str) -> None:
    assert not [rule.id for rule in rules(game) if rule.kind in KINDS_WITH_EXAMPLES and not rule.examples]


@claim("knyf", "kosci", "knister")
def ties(totals: list[int], places: list[int]) -> None:
    standings = ranked(NAMES[: len(totals)], [{"points": total} for total in totals])
    assert [standing.place for standing in standings] == places


# ---- Karciany Knyf ---------------------------------------------------------------------------------------------------

COMPLETE = knyf.Sheet((3, 6, 9, 12, 15, 18, 23, 22, 25, 30, 40, 50))  # every field has points that can be scored


def knyf_table(
    hand: list[int] | tuple[int, ...] = (),
    *,
    sheets: tuple[knyf.Sheet, ...] = (knyf.Sheet(), knyf.Sheet()),
    seen: list[int] | tuple[int, ...] = (),
    left: int | None = None,
    turn: int = 0,
    **options: Any,
) -> knyf.State:
    """A position: the first player holds `hand`; `seen`, or all but `left` cards, lies on the discard pile."""
    rest = list(deck())
    for card in (*hand, *seen):
        rest.remove(card)
    mine = tuple(sorted(hand)) or tuple(rest.pop() for _ in range(5))[::-1]
    others = tuple(tuple(sorted(rest.pop() for _ in range(5))) for _ in sheets[1:])
    pile, discards = (tuple(rest), tuple(seen)) if left is None else (tuple(rest[:left]), tuple(rest[left:]))
    state = replace(
        knyf.new_game(NAMES[: len(sheets)], seed=1, **options),
        hands=(mine, *others),
        draw_pile=pile,
        discard_pile=discards,
        sheets=sheets,
        turn=turn,
    )
    return knyf.from_json(knyf.to_json(state))  # which refuses what cannot be: 108 cards, points that can be scored …


def with_filled(number: int) -> knyf.Sheet:
    return knyf.Sheet((*COMPLETE.points[:number], *[None] * (12 - number)))


@claim("knyf")
def knyf_score(as_: str, cards: list[int], points: int) -> None:
    assert knyf.score(as_, cards) == points


@claim("knyf")
def knyf_refused(as_: str, cards: list[int]) -> None:
    with pytest.raises(IllegalPlay, match="cards do not make it"):
        knyf.score(as_, cards)


@claim("knyf")
def knyf_deal(players: int, dealt: int, left: int) -> None:
    state = knyf.new_game(NAMES[:players], seed=1)
    assert [len(hand) for hand in state.hands] == [5] * players
    assert sum(map(len, state.hands)) == dealt
    assert len(state.draw_pile) == left


@claim("knyf")
def knyf_turn(hand: list[int], as_: str, cards: list[int], points: int) -> None:
    state = knyf_table(hand)
    actions = tuple(knyf.legal_actions(state))
    assert {type(action) for action in actions} == {knyf.Play, knyf.Exchange}
    assert knyf.Play(as_, tuple(cards)) in actions
    assert knyf.score(as_, cards) == points
    assert {knyf.current_player(knyf.apply(state, action)) for action in actions} == {1}


@claim("knyf")
def knyf_exchange(hand: list[int], discard: list[int], drawn: int, draws: list[int], held: int) -> None:
    state = knyf_table(hand)
    exchanges = [action for action in knyf.legal_actions(state) if isinstance(action, knyf.Exchange)]
    assert [action.draw for action in exchanges if action.discard == tuple(discard)] == draws
    assert drawn in draws
    assert len(knyf.apply(state, knyf.Exchange(tuple(discard), drawn)).hands[0]) == held


@claim("knyf")
def knyf_play(
    hand: list[int],
    surplus: int,
    as_: str,
    cards: list[int],
    points: int,
    penalty: int,
    refill: int,
    left: int | None = None,
    surplus_left: int = 0,
) -> None:
    before = knyf_table(hand)
    after = knyf.apply(before, knyf.Play(as_, tuple(cards)))
    assert len(hand) - 5 == surplus
    row = knyf.COMBINATIONS.index(as_)
    assert (after.sheets[0].points[row], after.sheets[0].penalties[row]) == (points, penalty)
    assert len(before.draw_pile) - len(after.draw_pile) == refill
    assert len(after.hands[0]) == (5 if left is None else left)
    assert len(after.hands[0]) - 5 == surplus_left


@claim("knyf")
def knyf_two_plays(
    held: int,
    surplus: int,
    penalty: int,
    as_: str,
    cards: list[int],
    points: int,
    refill: int,
    other_as: str,
    other_cards: list[int],
    other_points: int,
    other_refill: int,
) -> None:
    """Whatever the other cards are that the rulebook does not name."""
    for others in combinations_with_replacement(range(1, 7), held - len(cards)):
        hand = [*cards, *others]
        knyf_play(hand, surplus, as_, cards, points, penalty, refill)
        knyf_play(hand, surplus, other_as, other_cards, other_points, penalty, other_refill)


@claim("knyf")
def knyf_second_knyf(as_: str, cards: list[int], points: int) -> None:
    sheet = knyf.Sheet(replaced(knyf.Sheet().points, knyf.COMBINATIONS.index("knyf"), 50))
    state = knyf_table(cards, sheets=(sheet, knyf.Sheet()), turn=2)
    assert knyf.score("knyf", cards) == 50
    with pytest.raises(IllegalPlay, match="combination scored already"):
        knyf.apply(state, knyf.Play("knyf", tuple(cards)))
    after = knyf.apply(state, knyf.Play(as_, tuple(cards)))
    assert after.sheets[0].points[knyf.COMBINATIONS.index(as_)] == points


@claim("knyf")
def knyf_bonus(
    upper: list[int],
    total: int,
    penalties: int,
    bonus: int,
    free: int = 0,
    bonus_if_complete_only: int | None = None,
) -> None:
    """At the end of a game that the second player has brought about. Fields beyond those in `upper` are free."""
    points = (*upper, *[None] * (12 - len(upper)))
    mine = knyf.Sheet(points, _shared_out(penalties, len(upper)))
    assert sum(upper) == total == mine.upper_points
    assert len(UPPER) - len(upper) == free
    other_reading = bonus if bonus_if_complete_only is None else bonus_if_complete_only
    for malus, expected in (("always", bonus), ("complete", other_reading)):
        state = knyf_table(sheets=(mine, COMPLETE), turn=24, malus=malus)
        parts = next(standing.parts for standing in knyf.standings(state) if standing.seat == 0)
        assert knyf.is_over(state)
        assert (parts["upper"], parts["bonus"], parts["penalties"]) == (total, expected, -penalties)


def _shared_out(penalties: int, rows: int) -> tuple[int, ...]:
    """Twelve penalties, of at most 10 for each of the first rows."""
    column = []
    for row in range(12):
        column.append(min(10, penalties) if row < rows else 0)
        penalties -= column[-1]
    return tuple(column)


@claim("knyf")
def knyf_reshuffle(left: int, discarded: int, drawn: int, reshuffled: int, new_pile: int) -> None:
    before = knyf_table(left=left)
    assert len(before.players) == 2
    assert len(before.discard_pile) + discarded == reshuffled
    after = knyf.apply(before, knyf.Exchange(before.hands[0][:discarded], drawn))
    assert after.reshuffles == 1
    assert (len(after.draw_pile), after.discard_pile) == (new_pile, ())


@claim("knyf")
def knyf_played(hand: list[int], as_: str, cards: list[int], seen: int) -> None:
    after = knyf.apply(knyf_table(hand), knyf.Play(as_, tuple(cards)))
    assert sorted(after.discard_pile) == sorted(cards)
    assert len(after.discard_pile) == seen


@claim("knyf")
def knyf_announcement(number: int, announced: bool, penalty: int) -> None:
    hand = [2, 3, 4, 5, 6]  # plays the large straight, which is the 11th field of the sheet
    state = knyf_table(hand, sheets=(with_filled(number - 1), knyf.Sheet()), turn=2 * number)
    after = knyf.apply(state, knyf.Play("large_straight", tuple(hand), announced))
    parts = next(standing.parts for standing in knyf.standings(after) if standing.seat == 0)
    assert len(knyf.COMBINATIONS) - number == 1
    assert parts["announcement"] == -penalty


@claim("knyf")
def knyf_end(players: int, seat: int, turns_left: int) -> None:
    sheets = replaced((knyf.Sheet(),) * players, seat - 1, with_filled(11))
    state = replace(knyf_table(sheets=sheets, turn=12 * players), turn=12 * players + seat - 1)
    state = knyf.apply(state, knyf.Play("knyf", state.hands[seat - 1]))  # the table deals sixes first
    taken = 0
    while not knyf.is_over(state):
        state, taken = knyf.apply(state, knyf.Exchange()), taken + 1
    assert taken == turns_left


@claim("knyf")
def knyf_total(upper: int, bonus: int, lower: int, penalty: int, forgotten: int, total: int) -> None:
    mine = replace(COMPLETE, penalties=_shared_out(penalty, 12), forgot_to_announce=True)
    standing = next(s for s in knyf.standings(knyf_table(sheets=(mine, COMPLETE), turn=24)) if s.seat == 0)
    assert list(standing.parts.values()) == [upper, bonus, lower, -penalty, -forgotten]
    assert standing.total == total


@claim("knyf")
def knyf_no_lower_field(cards: list[int], points: int) -> None:
    for combination in (*UPPER, *LOWER):
        knyf_refused(combination, cards)
    assert "chance" not in knyf.COMBINATIONS
    assert kosci.score("chance", cards) == points


@claim("knyf")
def knyf_unseen(hand: list[int], seen: list[int], total: int, value: int, unseen: int) -> None:
    state = knyf_table(hand, seen=seen)
    counts = knyf.unseen(state, 0)
    assert (sum(counts), counts[value - 1]) == (total, unseen)
    assert sum(counts) == len(state.draw_pile) + len(state.hands[1])


# ---- Kości -----------------------------------------------------------------------------------------------------------


def kosci_table(dice: list[int], rolls: int = 3, filled: Mapping[str, int] | None = None) -> kosci.State:
    points = kosci.Sheet().points
    for category, entry in (filled or {}).items():
        points = replaced(points, ROW[category], entry)
    state = replace(
        kosci.new_game(NAMES[:1], seed=1),
        sheets=(kosci.Sheet(points),),
        turn=len(filled or {}),
        rolls=rolls,
        dice=tuple(sorted(dice)),
    )
    return kosci.from_json(kosci.to_json(state))


def after_first_general(dice: list[int], general: int, used: list[str]) -> kosci.State:
    """`general` is written, and so are the used categories: `chance` with 20, the others with 0."""
    filled = {category: 20 if category == "chance" else 0 for category in used}
    return kosci_table(dice, filled={"general": general, **filled})


def written(state: kosci.State, category: str, joker: bool) -> tuple[int | None, int]:
    """What a write brings: the points of the category, and those of jokers."""
    after = kosci.apply(state, kosci.Write(category, joker))
    return after.sheets[0].points[ROW[category]], kosci.standings(after)[0].parts["jokers"]


@claim("kosci")
def kosci_score(as_: str, dice: list[int], points: int) -> None:
    assert kosci.score(as_, dice) == points


@claim("kosci")
def kosci_scores(dice: list[int], **points: int) -> None:
    assert {category: kosci.score(category, dice) for category in points} == points


@claim("kosci")
def kosci_roll(dice: list[int], keep: list[int], rolled: int) -> None:
    after = kosci.apply(kosci_table(dice, rolls=1), kosci.Roll(tuple(keep)))
    assert after.rolls == 2
    assert len(after.dice) - len(keep) == rolled
    assert all(after.dice.count(value) >= keep.count(value) for value in keep)


@claim("kosci")
def kosci_used(dice: list[int], as_: str) -> None:
    state = kosci_table(dice, filled={as_: 0})
    with pytest.raises(IllegalAction, match="category used already"):
        kosci.apply(state, kosci.Write(as_))
    writes = [action for action in kosci.legal_actions(state) if isinstance(action, kosci.Write)]
    assert len(writes) == len(kosci.CATEGORIES) - 1


@claim("kosci")
def kosci_premium(upper: list[int], total: int, premium: int) -> None:
    state = kosci_table([1, 2, 3, 4, 6], filled=dict(zip(kosci.CATEGORIES[:6], upper, strict=True)))
    parts = kosci.standings(state)[0].parts
    assert (parts["upper"], parts["premium"]) == (total, premium)


@claim("kosci")
def kosci_joker(
    dice: list[int], general: int, used: list[str], as_: str, points: int, extra: int, total: int | None = None
) -> None:
    state = after_first_general(dice, general, used)
    assert written(state, as_, joker=True) == (points, extra)
    assert total in (None, points + extra)


@claim("kosci")
def kosci_declined(dice: list[int], general: int, used: list[str], as_: str, points: int, extra: int) -> None:
    state = after_first_general(dice, general, used)
    assert kosci.joker_categories(state.sheets[0], state.dice)
    assert written(state, as_, joker=False) == (points, extra)


@claim("kosci")
def kosci_no_joker(
    dice: list[int], general: int, used: list[str], as_: str, points: int, upper_as: str, upper_points: int
) -> None:
    state = after_first_general(dice, general, used)
    assert kosci.joker_categories(state.sheets[0], state.dice) == ()
    assert written(state, as_, joker=False) == (points, 0)
    assert written(state, upper_as, joker=False) == (upper_points, 0)


@claim("kosci")
def kosci_end(players: int, rounds: int, turns: int) -> None:
    state, taken = kosci.new_game(NAMES[:players], seed=1), 0
    while not kosci.is_over(state):
        state = kosci.apply(state, kosci.Roll())
        state = kosci.apply(state, kosci.Write(state.sheets[kosci.current_player(state)].free[0]))
        taken += 1
    assert taken == turns == players * rounds


@claim("kosci")
def kosci_total(upper: int, premium: int, lower: int, extra: int, total: int) -> None:
    sheet = kosci.Sheet((3, 6, 9, 12, 15, 18, 23, 22, 25, 30, 40, 50, 20), paid_jokers=1)
    state = replace(kosci.new_game(NAMES[:1], seed=1), sheets=(sheet,), turn=13)
    standing = kosci.standings(kosci.from_json(kosci.to_json(state)))[0]
    assert list(standing.parts.values()) == [upper, premium, lower, extra]
    assert standing.total == total


# ---- Knister ---------------------------------------------------------------------------------------------------------


def grid_with(cells: tuple[int, ...], numbers: list[int] | tuple[int, ...]) -> list[int | None]:
    grid: list[int | None] = [None] * 25
    for cell, number in zip(cells, numbers, strict=True):
        grid[cell] = number
    return grid


@claim("knister")
def knister_score(line: list[int], points: int, as_: str | None = None) -> None:
    assert knister.combination_of(line) == as_
    assert knister.score_line(line) == points


@claim("knister")
def knister_same(line: list[int], other_line: list[int], as_: str, points: int) -> None:
    assert sorted(line) == sorted(other_line)
    assert line != other_line
    knister_score(line, points, as_)
    knister_score(other_line, points, as_)


@claim("knister")
def knister_with_others(line: list[int], others: int, as_: str, points: int) -> None:
    """Whatever the other numbers are, as long as they are different ones."""
    for rest in combinations(sorted(set(range(2, 13)) - set(line)), others):
        knister_score([*line, *rest], points, as_)


@claim("knister")
def knister_sum(dice: list[int], sum_: int) -> None:
    assert knister.called_sum(replace(knister.new_game(NAMES, seed=1), dice=tuple(dice))) == sum_


@claim("knister")
def knister_write(sum_: int, row: int, column: int, left: int) -> None:
    """Rows and columns are counted from 1, as people do."""
    write = knister.Write(row - 1, column - 1)
    dice = (sum_ // 2, sum_ - sum_ // 2)
    after = knister.apply(replace(knister.new_game(NAMES[:1], seed=1), dice=dice), write)
    assert after.grids[0].rows[row - 1][column - 1] == sum_
    assert len(after.grids[0].empty) == left
    with pytest.raises(IllegalAction, match="cell filled already"):
        knister.apply(replace(after, dice=dice), write)


@claim("knister")
def knister_grid(
    rows: list[list[int]], row_points: list[int], column_points: list[int], diagonal_points: list[int], points: int
) -> None:
    points_of_lines = line_points([number for row in rows for number in row])
    assert list(points_of_lines) == list(LINES)
    assert list(points_of_lines.values()) == row_points + column_points + diagonal_points
    assert knister.score_grid(rows) == points


@claim("knister")
def knister_diagonals(
    factor: int,
    as_: str,
    undoubled: int,
    points: int,
    other_as: str,
    other_undoubled: int,
    other_points: int,
) -> None:
    """Whatever the numbers are that the rulebook does not name."""
    assert factor == DIAGONAL_FACTOR
    lines = tuple(combinations_with_replacement(range(2, 13), 5))
    for number, (combination, single, double) in enumerate(
        ((as_, undoubled, points), (other_as, other_undoubled, other_points))
    ):
        for line in (line for line in lines if knister.combination_of(line) == combination):
            assert knister.score_line(line) == single
            assert line_points(grid_with(DIAGONALS[number], line)) == {("diagonal", number): double}


@claim("knister")
def knister_full_line(line: list[int], as_: str, points: int) -> None:
    """A full row of a grid with nothing else in it counts in the standings; the row less one number does not."""
    knister_score(line, points, as_)
    state = knister.new_game(NAMES[:1], seed=1)
    full = grid_with(ROWS[0], line)
    assert knister.standings(replace(state, grids=(Grid(tuple(full)),)))[0].total == points
    assert knister.standings(replace(state, grids=(Grid((None, *full[1:])),)))[0].total == 0


@claim("knister")
def knister_rating(points: int, rating: str | None = None) -> None:
    assert knister.rating(points) == rating


@claim("knister")
def knister_end(players: int, rounds: int, written: int) -> None:
    state, writes = knister.new_game(NAMES[:players], seed=1), 0
    while not knister.is_over(state):
        action = next(iter(knister.legal_actions(state)))
        writes += isinstance(action, knister.Write)
        state = knister.apply(state, action)
    assert (state.round, writes) == (rounds, written)
    assert not any(grid.empty for grid in state.grids)
    with pytest.raises(GameError, match="game is over"):
        knister.apply(state, knister.Roll())
