"""Karciany Knyf: the exact chance of every combination within up to three exchanges, and the move that reaches it.

An *exchange* discards 0–5 cards and draws as many or one more. The question is always: how likely is it, with the best
play, that the combination can be played? What makes it answerable is that hardly any of the legal moves can be best.
Each proof lets a second player B look over the shoulder of any player A, and end at least as well off as A.

*Equally likely.* The pile is in a random order that nobody knows, so for every move we may hand B the pile in any order
that depends on nothing B has seen. "B imitates A" means: B moves as A would, with B's card in the place of A's.

1. Take the extra card. A discards some cards and draws as many; B discards the same and draws one more, the card x
   that is next for A. From then on B discards what A discards and draws as many as A *discarded*. As soon as A takes
   an extra card too, the hands are equal; until then B has A's hand and x, the next card of A's pile. B's hand stays
   within the limit: A's does not grow, and B's fitted. (If A takes all that is left of the pile, B discards one card
   less and has all of A's cards.)
2. Useless cards go first. A card is useless when it cannot help, whatever comes: a value that cannot be completed any
   more, a second copy in a straight, a fourth in a full house. A keeps a useless card c and could have discarded it as
   well, for one more card y. B does so, and imitates A with y for c; B's pile is A's with y taken from the bottom.
   (A may reach the bottom only by drawing the whole pile; B then discards one card less and has all the useful cards
   that A has.) Nor does A gain by keeping c and discarding a useful g instead: B swaps the two and imitates A with g
   for c. Useless cards are also alike, so only their number matters.
3. In ones … sixes no matching card is ever discarded. A discards one and draws y for it; B keeps it, draws one card
   less, has y at the bottom of the pile, and imitates A with the matching card for y, which is never worse.

So the hand grows by one card at every exchange until it has ten, the useless cards leave (as many as five), and what
remains to be searched is which useful cards to keep. In the last exchange more can be said (`_whole_keeps`). Before it,
every way of keeping useful cards is considered, and left out only if a bound shows that it cannot be best: `hope` and
`_least` say why they are bounds. One may not even keep a value that every straight needs: if the pile is full of threes
and has one four, 1 2 3 had better discard the three for one more chance of the four.

With three turns, "so many of a kind" and the full house are answered by the best *plan* found: only a few ways of
keeping cards are looked at (`PLAN_WIDTHS`), so that the answer is a lower bound, and marked as such. Everything else is
exact.

Values are whole numbers: the *misses*, weighted draws after which the combination cannot be played, in units of
1 / (N · (N − 1) · …), six factors for each exchange that is left: a common denominator of everything six draws can do.
Floating point only decides what is not worth a look, with a margin far above its error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import comb, perm
from typing import NamedTuple, TypeAlias

from knyf_panel.engine.chance import Chance
from knyf_panel.engine.checks import check_values, whole_number
from knyf_panel.engine.errors import BadQuestion
from knyf_panel.engine.knyf.rules import (
    ALIKE,
    COMBINATIONS,
    COPIES,
    HAND,
    HAND_LIMIT,
    MOST_DISCARDED,
    STRAIGHTS,
    UPPER,
)
from knyf_panel.engine.multiset import VALUES, Counts, any_number, counts_of, fewer_than, sub_counts, values_of, ways_in
from knyf_panel.engine.tuples import without

AT_LEAST = 3  # of its value in an upper row, unless told otherwise: three of each make the 63 points of the bonus
MOST_TURNS = 3
MOST_DRAWN = MOST_DISCARDED + 1
# A plan for three turns looks at so many ways of keeping cards when so many exchanges are left. Hands of seven and
# more have several times the draws to go through.
PLAN_WIDTHS, PLAN_WIDTHS_OF_LARGE_HANDS, LARGE_HAND = {3: 3, 2: 2}, {3: 3, 2: 1}, 7
SHORTLIST = 8
MARGIN = 1e-9  # far above the rounding of the bounds (about 1e-14), far below a difference that would cost time
MOST_REMEMBERED = 20_000  # positions per table, some 8 MB
MOST_PLAN_LISTS = 2_000

Cards: TypeAlias = tuple[int, ...]  # sorted


@dataclass(frozen=True, slots=True)
class Question:
    """Can the combination be played after at most `turns` exchanges? `seen` are the cards known to be elsewhere."""

    combination: str
    hand: Cards
    seen: Cards = ()
    turns: int = 1
    at_least: int = AT_LEAST  # of its value, in ones … sixes

    def __post_init__(self) -> None:
        if self.combination not in COMBINATIONS:
            raise BadQuestion("unknown_combination", combination=self.combination)
        at_least, turns = whole_number(self.at_least, BadQuestion), whole_number(self.turns, BadQuestion)
        if not 1 <= at_least <= HAND:
            raise BadQuestion("at_least_out_of_range", at_least=at_least, lowest=1, highest=HAND)
        if not 0 <= turns <= MOST_TURNS:
            raise BadQuestion("turns_out_of_range", turns=turns, lowest=0, highest=MOST_TURNS)
        object.__setattr__(self, "hand", _check_hand(self.hand))
        object.__setattr__(self, "seen", check_values(self.seen, BadQuestion))
        object.__setattr__(self, "turns", turns)
        # Elsewhere `at_least` says nothing; one spelling keeps equal questions equal.
        object.__setattr__(self, "at_least", at_least if self.combination in UPPER else AT_LEAST)
        _check_copies(self.hand, self.seen)

    @property
    def unseen(self) -> Counts:
        """How many of each value may still come: a player knows no more about the pile."""
        return tuple(COPIES - count for count in counts_of(self.hand + self.seen))


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChance(Chance):
    """The chance of a combination and the first move to it; () and 0 when it is there already, or out of reach."""

    question: Question
    discard: Cards
    draw: int


def odds(
    hand: Iterable[int], seen: Iterable[int] = (), turns: int = 1, at_least: int = AT_LEAST
) -> dict[str, CardChance]:
    """The highest chance of every combination, over all discards and draws."""
    return {question.combination: chance(question) for question in _questions(hand, seen, turns, at_least)}


def odds_after(
    hand: Iterable[int],
    discard: Iterable[int],
    draw: int,
    seen: Iterable[int] = (),
    turns: int = 1,
    at_least: int = AT_LEAST,
) -> dict[str, CardChance]:
    """The odds if the first exchange is this one; those after it are played best."""
    questions = _questions(hand, seen, turns, at_least)
    discarded = check_values(discard, BadQuestion)
    return {question.combination: chance_after(question, discarded, draw) for question in questions}


def distribution(
    combination: str, hand: Iterable[int], seen: Iterable[int] = (), turns: int = 1
) -> dict[int, CardChance]:
    """For ones … sixes: the highest chance of at least 1, 2, …, 5 cards of that value."""
    if combination not in UPPER:
        raise BadQuestion("not_an_upper_combination", combination=combination)
    held, out = check_values(hand, BadQuestion), check_values(seen, BadQuestion)
    return {count: chance(Question(combination, held, out, turns, count)) for count in range(1, HAND + 1)}


def chance(question: Question, thorough: bool = False) -> CardChance:
    """The answer to one question.

    With three turns, the best play of `full_house`, `knyf` and the two of a kind takes too long to find while a person
    waits: the answer is then that of the best plan found, marked `lower_bound`. `thorough` searches on, for seconds or
    a minute.
    """
    table = Table.of(question, thorough)
    probability, discard, draw = table.best(question.hand, question.unseen, question.turns)
    bounded = table.is_plan and 0 < probability < 1
    return CardChance(probability=probability, lower_bound=bounded, question=question, discard=discard, draw=draw)


def chance_after(question: Question, discard: Iterable[int], draw: int, thorough: bool = False) -> CardChance:
    """The chance if the first exchange is this one. A combination that could be played now is not played."""
    discarded, drawn = _check_move(question, discard, draw)
    table = Table.of(question, thorough)
    kept = counts_of(without(question.hand, discarded) or ())
    probability = table.after(kept, question.unseen, drawn, question.turns)
    bounded = table.is_plan and 0 < probability < 1
    return CardChance(probability=probability, lower_bound=bounded, question=question, discard=discarded, draw=drawn)


def legal_exchanges(hand: Cards, unseen: int) -> Iterator[tuple[Cards, int]]:
    """Every discard with every draw: as many or one more, ten in hand at most, no more than there are cards unseen."""
    for kept in sub_counts(counts_of(hand), MOST_DISCARDED):
        discard = values_of(tuple(have - keep for have, keep in zip(counts_of(hand), kept, strict=True)))
        for draw in (len(discard), len(discard) + 1):
            if draw <= unseen and len(hand) - len(discard) + draw <= HAND_LIMIT:
                yield discard, draw


class Table:
    """Best chances and moves for one combination, for as many hands as are asked about."""

    def __init__(self, goal: _Goal, solver: _Solver) -> None:
        self._goal, self._solver = goal, solver
        self.is_plan = bool(solver.widths)

    @staticmethod
    def of(question: Question, thorough: bool = False) -> Table:
        """The table that answers the question, and every position that can follow from it."""
        goal = _goal(question)
        widths = PLAN_WIDTHS if len(question.hand) < LARGE_HAND else PLAN_WIDTHS_OF_LARGE_HANDS
        is_plan = question.turns == MOST_TURNS and not thorough and isinstance(goal, (_Alike, _Full))
        if isinstance(goal, _Straight):  # the bounds for straights start from the unseen cards of the question
            return _straight_table(question.combination, question.unseen)
        return _table(question.combination, question.at_least, tuple(widths.items()) if is_plan else ())

    def is_met(self, hand: Counts) -> bool:
        return self._goal.is_met(self._goal.kinds(hand))

    def best(self, hand: Cards, unseen: Counts, turns: int) -> tuple[Fraction, Cards, int]:
        """The highest chance with the discard and draw that reach it."""
        counts = counts_of(hand)
        if self.is_met(counts) or turns == 0:
            return Fraction(self.is_met(counts)), (), 0
        held, pile = self._position(counts, unseen)
        order = list(range(len(held)))
        if self._goal.value_blind:
            order.sort(key=lambda kind: (held[kind], pile[kind]))
        found = self._solver.best(_picked(held, order), _picked(pile, order), len(hand), turns)
        unit = _unit(sum(pile), turns)
        if found.keep is None or found.misses == unit:
            return Fraction(0), (), 0
        keep = [0] * len(held)
        for kind, count in zip(order, found.keep, strict=True):
            keep[kind] = count
        discards = found.draw - (len(hand) < HAND_LIMIT)
        # Either all that is not kept is discarded, or only useless cards are, and then any of them will do.
        discard = _not_kept(counts, self._goal.values(tuple(keep)))[:discards]
        return 1 - Fraction(found.misses, unit), discard, found.draw

    def chance(self, hand: Counts, unseen: Counts, turns: int) -> Fraction:
        """The highest chance alone, remembered."""
        if self.is_met(hand) or turns == 0:
            return Fraction(self.is_met(hand))
        held, pile = self._position(hand, unseen)
        return 1 - Fraction(self._solver.misses(held, pile, sum(hand), turns), _unit(sum(pile), turns))

    def after(self, kept: Counts, unseen: Counts, draw: int, turns: int) -> Fraction:
        """The chance if these cards are kept now and so many drawn, with the best play after that."""
        if self.is_met(kept):
            return Fraction(1)
        held, pile = self._position(kept, unseen)
        misses = self._solver.after(_Plan(held, draw), pile, sum(kept) + draw, turns)
        return 1 - Fraction(misses, _unit(sum(pile), turns))

    def _position(self, hand: Counts, unseen: Counts) -> tuple[Counts, Counts]:
        pile = self._goal.kinds(unseen)
        return self._goal.useful(self._goal.kinds(hand), pile), pile


@lru_cache(maxsize=48)  # the 30 upper ones are small
def _table(combination: str, at_least: int, widths: tuple[tuple[int, int], ...]) -> Table:
    goal = _goals(combination, at_least)
    return Table(goal, _Solver(goal, dict(widths)))


@lru_cache(maxsize=4)
def _straight_table(combination: str, unseen: Counts) -> Table:
    goal = _Straight(STRAIGHTS[combination])
    return Table(goal, _StraightSolver(goal, unseen))


class _Goal(ABC):
    """What a hand must hold. Cards are told apart by kind; a kind is a value, unless the goal needs fewer kinds.

    `held` are the useful cards of each kind, `pile` the unseen ones, `keep` those of the held that are not discarded.
    """

    value_blind = False  # may the values be relabelled?
    outlook = 0  # more cards drawn in the estimate that says what to look at first; found by trying

    def kinds(self, counts: Counts) -> Counts:
        return counts

    def values(self, kinds: Counts) -> Counts:
        return kinds

    @abstractmethod
    def is_met(self, held: Counts) -> bool: ...

    @abstractmethod
    def useful(self, held: Counts, pile: Counts) -> Counts:
        """The hand without the cards that cannot help whatever comes."""

    @abstractmethod
    def misses(self, keep: Counts, pile: Counts, draw: int) -> int:
        """After how many of the C(N, draw) draws the goal is not met."""

    def misses_of(self, plans: list[_Plan], pile: Counts) -> list[int]:
        return [self.misses(keep, pile, draw) for keep, draw in plans]

    def limits(self, keep: Counts, pile: Counts) -> Counts:  # noqa: ARG002 (others need it)
        """More than this of a kind meets the goal (or is not there)."""
        return pile

    def keeps(self, held: Counts, most_discarded: int) -> tuple[Counts, ...]:
        return _all_keeps(held, most_discarded)

    def last_keeps(self, held: Counts, most_discarded: int) -> tuple[Counts, ...]:
        """The ways of keeping cards in the last exchange."""
        return self.keeps(held, most_discarded)

    def hope(self, keep: Counts, pile: Counts, draw: int, size: int, turns: int) -> float:  # noqa: ARG002
        """At least the chance of this exchange followed by the best ones; `size` is that of the hand after it."""
        return 1.0


@dataclass(frozen=True)
class _Single(_Goal):
    """At least so many cards of one value. Two kinds: that value, and the rest."""

    value: int
    needed: int

    def kinds(self, counts: Counts) -> Counts:
        matching = counts[self.value - 1]
        return matching, sum(counts) - matching

    def values(self, kinds: Counts) -> Counts:
        return tuple(kinds[0] if value == self.value else 0 for value in VALUES)

    def is_met(self, held: Counts) -> bool:
        return held[0] >= self.needed

    def useful(self, held: Counts, pile: Counts) -> Counts:  # noqa: ARG002
        return held[0], 0

    def misses(self, keep: Counts, pile: Counts, draw: int) -> int:
        return ways_in(_FEWER[pile[0]][self.needed - keep[0]] * _ANY[pile[1]], draw)

    def keeps(self, held: Counts, most_discarded: int) -> tuple[Counts, ...]:  # noqa: ARG002
        return (held,)


@dataclass(frozen=True)
class _Alike(_Goal):
    """So many equal cards of any value."""

    needed: int
    value_blind = True

    @property
    def outlook(self) -> int:  # type: ignore[override]
        return 3 if self.needed > 3 else 0

    def is_met(self, held: Counts) -> bool:
        return max(held) >= self.needed

    def useful(self, held: Counts, pile: Counts) -> Counts:
        needed = self.needed
        return tuple([have if have + more >= needed else 0 for have, more in zip(held, pile, strict=True)])

    def misses(self, keep: Counts, pile: Counts, draw: int) -> int:
        needed, polynomial = self.needed, 1
        for kept, copies in zip(keep, pile, strict=True):
            polynomial *= _FEWER[copies][needed - kept]
        return ways_in(polynomial, draw)

    def misses_of(self, plans: list[_Plan], pile: Counts) -> list[int]:
        """Written out, as most of the time goes here."""
        rows = _FEWER_BY_KEPT[self.needed]
        a, b, c, d, e, f = [rows[copies] for copies in pile]
        return [ways_in(a[i] * b[j] * c[k] * d[m] * e[n] * f[o], draw) for (i, j, k, m, n, o), draw in plans]

    def limits(self, keep: Counts, pile: Counts) -> Counts:
        return tuple([min(copies, self.needed - 1 - kept) for kept, copies in zip(keep, pile, strict=True)])

    def last_keeps(self, held: Counts, most_discarded: int) -> tuple[Counts, ...]:
        return _whole_keeps(held, most_discarded)

    def hope(self, keep: Counts, pile: Counts, draw: int, size: int, turns: int) -> float:
        """Whoever gets there does so with one of the values: no more than the sum of going for each of them alone."""
        left = sum(pile)
        return sum(
            [
                _alone_after(self.needed, kept, draw, size, copies, left, turns)
                for kept, copies in zip(keep, pile, strict=True)
            ]
        )


@dataclass(frozen=True)
class _Full(_Goal):
    """Three of one value and two of another."""

    value_blind = True

    def is_met(self, held: Counts) -> bool:
        *_, second, most = sorted(held)
        return most >= 3 and second >= 2

    def useful(self, held: Counts, pile: Counts) -> Counts:
        return tuple([min(have, 3) if have + more >= 2 else 0 for have, more in zip(held, pile, strict=True)])

    def misses(self, keep: Counts, pile: Counts, draw: int) -> int:
        """No full house: at most two of each value, or three or more of one and at most one of each other."""
        pairs_at_most, with_a_triple, singles_at_most = 1, 0, 1
        for kept, copies in zip(keep, pile, strict=True):
            fewer = _FEWER[copies]
            no_triple = fewer[3 - kept]
            no_pair = fewer[2 - kept] if kept < 2 else 0
            with_a_triple = with_a_triple * no_pair + singles_at_most * (_ANY[copies] - no_triple)
            singles_at_most *= no_pair
            pairs_at_most *= no_triple
        return ways_in(pairs_at_most + with_a_triple, draw)


@dataclass(frozen=True)
class _Straight(_Goal):
    """All values of one of the runs."""

    runs: tuple[Cards, ...]

    def is_met(self, held: Counts) -> bool:
        return any(all(held[value - 1] for value in run) for run in self.runs)

    def useful(self, held: Counts, pile: Counts) -> Counts:
        open_values = {v for run in self.runs if all(held[v - 1] or pile[v - 1] for v in run) for v in run}
        return tuple([1 if have and value in open_values else 0 for value, have in zip(VALUES, held, strict=True)])

    def misses(self, keep: Counts, pile: Counts, draw: int) -> int:
        return comb(sum(pile), draw) - self.hits(keep, pile, sum(pile), draw)

    def hits(self, keep: Counts, pile: Counts, left: int, draw: int) -> int:
        """Some run is completed: the sum over the runs, less what is counted twice (inclusion and exclusion)."""
        total = 0
        for sign, kinds in _signed_lacks(self.runs, keep):
            polynomial, others = 1, left
            for kind in kinds:
                copies = pile[kind]
                polynomial *= _ANY[copies] - 1  # at least one of it
                others -= copies
            total += sign * ways_in(polynomial * _ANY[others], draw)
        return total


@lru_cache(maxsize=256)
def _lacks(runs: tuple[Cards, ...], keep: Counts) -> tuple[frozenset[int], ...]:
    """The kinds that each run lacks. One that lacks all that another lacks, and more, is never completed first."""
    lacks = {frozenset(value - 1 for value in run if not keep[value - 1]) for run in runs}
    return tuple(lack for lack in lacks if not any(other < lack for other in lacks))


@lru_cache(maxsize=256)
def _decisive(runs: tuple[Cards, ...], keep: Counts) -> frozenset[int]:
    """The kinds whose coming decides: how many there are of the others makes no difference to the last exchange."""
    return frozenset().union(*_lacks(runs, keep))


@lru_cache(maxsize=256)
def _signed_lacks(runs: tuple[Cards, ...], keep: Counts) -> tuple[tuple[int, Cards], ...]:
    """The unions of lacks with their signs in the inclusion–exclusion sum; those that cancel are left out."""
    signs: dict[frozenset[int], int] = {}
    for chosen in _subsets(tuple(range(len(lacks := _lacks(runs, keep)))))[1:]:
        union = frozenset().union(*(lacks[i] for i in chosen))
        signs[union] = signs.get(union, 0) + (1 if len(chosen) % 2 else -1)
    return tuple((sign, tuple(sorted(union))) for union, sign in signs.items() if sign)


@lru_cache(maxsize=64)
def _subsets(kinds: Cards) -> tuple[Cards, ...]:
    return tuple(chosen for size in range(len(kinds) + 1) for chosen in combinations(kinds, size))


def _goal(question: Question) -> _Goal:
    return _goals(question.combination, question.at_least)


@lru_cache(maxsize=64)
def _goals(combination: str, at_least: int) -> _Goal:
    if combination in UPPER:
        return _Single(UPPER[combination], at_least)
    if combination in STRAIGHTS:
        return _Straight(STRAIGHTS[combination])
    return _Full() if combination == "full_house" else _Alike(ALIKE.get(combination, HAND))


class _Plan(NamedTuple):
    keep: Counts
    draw: int


class _Found(NamedTuple):
    misses: int
    keep: Counts | None
    draw: int


class _Solver:
    """The fewest misses of a goal, by searching the plans that are not proven worse."""

    def __init__(self, goal: _Goal, widths: dict[int, int]) -> None:
        self.goal, self.widths = goal, widths
        self._remembered: dict[tuple[Counts, Counts, int, int], int] = {}
        self._last_plan_lists: dict[tuple[Counts, int, int], list[_Plan]] = {}

    def misses(self, held: Counts, pile: Counts, size: int, turns: int) -> int:
        """Of a hand of `size` cards with these useful ones, in units of `_unit(sum(pile), turns)`."""
        if turns == 0:
            return 1
        if self.goal.value_blind:
            held, pile = zip(*sorted(zip(held, pile, strict=True)), strict=True)
        key = (held, pile, size, turns)
        found = self._remembered.get(key)
        if found is None:
            found = self.best(held, pile, size, turns).misses
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = found
        return found

    def best(self, held: Counts, pile: Counts, size: int, turns: int) -> _Found:
        """The best plan. Goals that are blind to values want (held, pile) of the kinds in ascending order."""
        return self._last(held, pile, size) if turns == 1 else self._earlier(held, pile, size, turns)

    def _last(self, held: Counts, pile: Counts, size: int) -> _Found:
        left = sum(pile)
        plans = self._last_plans_of(held, left, size)
        if not plans:
            return _Found(_unit(left, 1), None, 0)
        weights = _weights(left)
        misses = [ways * weights[plan.draw] for ways, plan in zip(self.goal.misses_of(plans, pile), plans, strict=True)]
        fewest = min(misses)
        return _Found(fewest, *plans[misses.index(fewest)])

    def _last_plans_of(self, held: Counts, left: int, size: int) -> list[_Plan]:
        key = (held, min(left, MOST_DRAWN), size)
        plans = self._last_plan_lists.get(key)
        if plans is None:
            if len(self._last_plan_lists) >= MOST_PLAN_LISTS:
                self._last_plan_lists.clear()
            plans = self._last_plan_lists[key] = _plans(held, left, size, self.goal.last_keeps)
        return plans

    def _earlier(self, held: Counts, pile: Counts, size: int, turns: int) -> _Found:
        size_after = min(size + 1, HAND_LIMIT)
        unit = _unit(sum(pile), turns)
        best = _Found(unit, None, 0)
        for plan in self._promising(held, pile, size, turns):
            if self.goal.hope(plan.keep, pile, plan.draw, size_after, turns) + MARGIN < 1 - best.misses / unit:
                continue
            misses = self.after(plan, pile, size_after, turns, best.misses if best.keep else None)
            if misses < best.misses:
                best = _Found(misses, *plan)
        return best

    def _promising(self, held: Counts, pile: Counts, size: int, turns: int) -> list[_Plan]:
        """The plans, most promising first: a good one found early lets the bounds put the others aside."""
        left, outlook = sum(pile), self.goal.outlook
        plans = _plans(held, left, size, self.goal.keeps)
        if len(plans) <= 1:
            return plans
        if self.goal.value_blind:  # plans that keep as many cards of equally frequent values come to the same
            plans = list({tuple(sorted(zip(plan.keep, pile, strict=True))): plan for plan in plans}.values())

        def estimate(plan: _Plan) -> float:
            further = min(plan.draw + outlook, left)
            now, later = (self.goal.misses(plan.keep, pile, draw) / comb(left, draw) for draw in (plan.draw, further))
            return now * later

        ranked = sorted(plans, key=estimate)
        if turns not in self.widths:
            return ranked
        return (ranked if turns == 2 else self._shortlist(ranked, pile, size, turns))[: self.widths[turns]]

    def _shortlist(self, plans: list[_Plan], pile: Counts, size: int, turns: int) -> list[_Plan]:
        """Those that are best with one turn less, in turn with those that have the highest hopes; and a fresh start.

        A fresh start can be best where nobody looks for it: three fours in hand, but few fours left in the pile.
        """
        size_after = min(size + 1, HAND_LIMIT)
        proven = sorted(plans[:SHORTLIST], key=lambda plan: self.after(plan, pile, size_after, turns - 1))
        hopeful = sorted(plans, key=lambda plan: -self.goal.hope(plan.keep, pile, plan.draw, size_after, turns))
        fresh_start = min(plans, key=lambda plan: sum(plan.keep))
        return list(dict.fromkeys([proven[0], hopeful[0], fresh_start, *proven[1:2], *hopeful[1:2]]))

    def after(self, plan: _Plan, pile: Counts, size: int, turns: int, enough: int | None = None) -> int:
        """The misses of a plan, or `enough` once they are proven to be no fewer; `size` is that of the new hand."""
        left, draw = sum(pile), plan.draw
        if turns == 1:
            return self.goal.misses(plan.keep, pile, draw) * _weight(left, draw, 1)
        weight, unit = _weight(left, draw, turns), _unit(left - draw, turns - 1)
        outcomes = self._unmet(plan, pile)
        if enough is None:
            return weight * sum([ways * self.misses(held, rest, size, turns - 1) for ways, held, rest in outcomes])
        total, limit = 0, enough / (weight * unit) * (1 + MARGIN)
        rated = [(ways * self._least(held, rest, size, turns - 1), ways, held, rest) for ways, held, rest in outcomes]
        rated.sort(reverse=True)  # the worst first: if the plan is no good, that soon shows
        bound = sum([least for least, *_ in rated])
        for least, ways, held, rest in rated:
            if bound > limit:
                return enough
            misses = ways * self.misses(held, rest, size, turns - 1)
            total += misses
            bound += misses / unit - least
        return total * weight

    def _unmet(self, plan: _Plan, pile: Counts) -> list[tuple[int, Counts, Counts]]:
        """What can be drawn without meeting the goal: ways, useful cards, pile."""
        is_met, useful = self.goal.is_met, self.goal.useful
        outcomes = _outcomes(plan.keep, pile, self.goal.limits(plan.keep, pile), plan.draw)
        return [(ways, useful(held, rest), rest) for ways, held, rest in outcomes if not is_met(held)]

    def _least(self, useful: Counts, pile: Counts, size: int, turns: int) -> float:
        """The share of misses that nobody avoids: that of a hand that keeps all and still draws as many as can be."""
        reach, left = 0, sum(pile)
        for later in range(turns):
            reach = min(left, reach + MOST_DISCARDED + (size + later < HAND_LIMIT))
        return self.goal.misses(useful, pile, reach) / comb(left, reach)


class _Draw(NamedTuple):
    """A draw of which we know the new values: at least one of each kind in `came`, none of the others missing."""

    plan: _Plan
    pile: Counts
    held: Counts  # the values then in hand
    came: Cards
    size: int

    def ways(self, drawn: dict[int, int]) -> int:
        """In how many ways exactly so many cards of these kinds come, with all that is known of the others."""
        ways, to_come, kept_cards, polynomial = 1, self.plan.draw, 0, 1
        for kind, copies in enumerate(self.pile):
            if kind in drawn:
                ways *= _CHOOSE[copies][drawn[kind]]
                to_come -= drawn[kind]
            elif kind in self.came:
                polynomial *= _ANY[copies] - 1
            else:
                kept_cards += copies
        return ways * ways_in(polynomial * _ANY[kept_cards], to_come) if to_come >= 0 else 0


class _StraightSolver(_Solver):
    """Straights, with a closer bound: a kinder game, where a discarded value is as frequent in the pile as at first.

    In the kinder game only the set of values in hand matters, not what was drawn before: 64 sets instead of thousands
    of piles. It is never worse. Let A play the true game and B the kinder one with the same exchange; B's pile is A's
    in which some cards of values that are kept, useless now, have become cards of values that are not. Whatever A
    draws, B draws as much or more: B's set of values contains A's, and a set that contains another is never worse, as a
    value may be discarded like a useless card. (Where the pile has too few useless cards left for that, the bound is
    1.)
    """

    def __init__(self, goal: _Straight, pile: Counts) -> None:
        super().__init__(goal, {})
        self._straight, self._first_pile = goal, pile
        self._kinder: dict[tuple[Counts, int, int, int], list[tuple[float, _Plan]]] = {}
        self._kinder_after: dict[tuple[_Plan, int, int, int], float] = {}
        self._last_kinder: dict[tuple[Counts, int, int], list[tuple[int, _Plan, frozenset[int]]]] = {}
        self._known: dict[tuple[_Plan, int, Counts], int] = {}

    def best(self, held: Counts, pile: Counts, size: int, turns: int) -> _Found:
        left, size_after = sum(pile), min(size + 1, HAND_LIMIT)
        unit = _unit(left, turns)
        best, reached = _Found(unit, None, 0), 0.0
        for hope, plan in self._hopes(held, left, size, turns):
            if hope + MARGIN < reached:
                break
            misses = self.after(plan, pile, size_after, turns, best.misses)
            if misses < best.misses:
                best, reached = _Found(misses, *plan), 1 - misses / unit
        return best

    def after(self, plan: _Plan, pile: Counts, size: int, turns: int, enough: int | None = None) -> int:
        weight = _weight(sum(pile), plan.draw, turns)
        if turns == 1:
            return self.goal.misses(plan.keep, pile, plan.draw) * weight
        if turns == 2:
            return self._before_last(plan, pile, size) * weight
        return super().after(plan, pile, size, turns, enough)

    def _least(self, useful: Counts, pile: Counts, size: int, turns: int) -> float:
        return 1 - MARGIN - self._hope_of(useful, sum(pile), size, turns)

    def _before_last(self, plan: _Plan, pile: Counts, size: int) -> int:
        """The sum over the sets of new values, not over the draws: mostly the set alone decides what comes next."""
        missing = tuple([kind for kind, kept in enumerate(plan.keep) if not kept])
        total = 0
        for came in _subsets(missing):
            held = tuple([1 if kept or kind in came else 0 for kind, kept in enumerate(plan.keep)])
            if len(came) <= plan.draw and not self.goal.is_met(held):
                drawn = {kind: 0 for kind in missing if kind not in came}
                total += self._over_counts(_Draw(plan, pile, held, came, size), drawn)
        return total

    def _over_counts(self, draw: _Draw, drawn: dict[int, int]) -> int:
        """The sum over the draws of a set, told apart no more than needed: `drawn` says how many came of some kinds."""
        ways = draw.ways(drawn)
        if not ways:
            return 0
        pile = tuple([copies - drawn.get(kind, 0) for kind, copies in enumerate(draw.pile)])
        left = sum(draw.pile) - draw.plan.draw
        misses, hanging_on = self._last_by_set(draw.held, pile, drawn.keys(), left, draw.size)
        if hanging_on is None:
            return ways * misses
        fewest, most = int(hanging_on in draw.came), min(draw.pile[hanging_on], draw.plan.draw)
        return sum([self._over_counts(draw, {**drawn, hanging_on: count}) for count in range(fewest, most + 1)])

    def _last_by_set(self, held: Counts, pile: Counts, known: Set[int], left: int, size: int) -> tuple[int, int | None]:
        """The fewest misses of the last exchange; or a kind on which they hang, as it is not known how many of it are
        left.

        A plan that hangs only on known kinds has known misses; of another plan we know that it misses no less often
        than in the kinder game. The plans come in the order of the kinder game.
        """
        fewest = _unit(left, 1)
        for in_kinder_game, plan, decisive in self._last_plans(held, left, size):
            if fewest <= in_kinder_game:
                break
            for kind in decisive:
                if kind not in known:
                    return 0, kind
            key = (plan, left, tuple([pile[kind] for kind in decisive]))
            misses = self._known.get(key)
            if misses is None:
                hits = self._straight.hits(plan.keep, pile, left, plan.draw)
                misses = (comb(left, plan.draw) - hits) * _weight(left, plan.draw, 1)
                self._known[key] = misses
            fewest = min(fewest, misses)
        return fewest, None

    def _last_plans(self, held: Counts, left: int, size: int) -> list[tuple[int, _Plan, frozenset[int]]]:
        """The plans of the last exchange with their misses in the kinder game, the fewest first."""
        key = (held, left, size)
        if key not in self._last_kinder:
            rated = []
            for plan in _plans(held, left, size, self.goal.keeps):
                decisive = _decisive(self._straight.runs, plan.keep)
                misses = 0
                if sum([self._first_pile[kind] for kind in decisive]) <= left:
                    hits = self._straight.hits(plan.keep, self._first_pile, left, plan.draw)
                    misses = (comb(left, plan.draw) - hits) * _weight(left, plan.draw, 1)
                rated.append((misses, plan, decisive))
            self._last_kinder[key] = sorted(rated, key=lambda rating: rating[0])
        return self._last_kinder[key]

    def _hopes(self, held: Counts, left: int, size: int, turns: int) -> list[tuple[float, _Plan]]:
        """The plans with their chances in the kinder game, the highest first."""
        key = (held, left, size, turns)
        if key not in self._kinder:
            size_after = min(size + 1, HAND_LIMIT)
            plans = _plans(held, left, size, self.goal.keeps)
            hopes = [(self._hope(plan, left, size_after, turns), plan) for plan in plans]
            self._kinder[key] = sorted(hopes, reverse=True)
        return self._kinder[key]

    def _hope(self, plan: _Plan, left: int, size: int, turns: int) -> float:
        key = (plan, left, size, turns)
        if key not in self._kinder_after:
            missing = [kind for kind, kept in enumerate(plan.keep) if not kept]
            wanted = missing if turns > 1 else _decisive(self._straight.runs, plan.keep)
            useless = left - sum([self._first_pile[kind] for kind in wanted])
            if useless < 0:
                self._kinder_after[key] = 1.0
            elif turns == 1:
                hits = self._straight.hits(plan.keep, self._first_pile, left, plan.draw)
                self._kinder_after[key] = hits / comb(left, plan.draw)
            else:
                self._kinder_after[key] = self._expected_hope(plan, missing, useless, left, size, turns)
        return self._kinder_after[key]

    def _expected_hope(self, plan: _Plan, missing: list[int], useless: int, left: int, size: int, turns: int) -> float:
        expected = 0.0
        for came in product((0, 1), repeat=len(missing)):
            polynomial, held = _ANY[useless], list(plan.keep)
            for kind, some in zip(missing, came, strict=True):
                if some:
                    polynomial *= _ANY[self._first_pile[kind]] - 1
                    held[kind] = 1
            if ways := ways_in(polynomial, plan.draw):
                expected += ways * self._hope_of(tuple(held), left - plan.draw, size, turns - 1)
        return expected / comb(left, plan.draw)

    def _hope_of(self, held: Counts, left: int, size: int, turns: int) -> float:
        if self.goal.is_met(held):
            return 1.0
        return max((hope for hope, _ in self._hopes(held, left, size, turns)), default=0.0)


def _plans(held: Counts, left: int, size: int, keeps: Callable[[Counts, int], tuple[Counts, ...]]) -> list[_Plan]:
    """The plans that proofs 1 and 2 leave over: the extra card is drawn, and useless cards are discarded first."""
    extra = 1 if size < HAND_LIMIT else 0
    room = min(MOST_DISCARDED, left - extra)  # a draw larger than the pile is not available
    if room < 0:
        return []
    useless = size - sum(held)
    if useless >= room:
        return [_Plan(held, room + extra)]
    return [_Plan(keep, size + extra - sum(keep)) for keep in keeps(held, room - useless)]


@lru_cache(maxsize=2048)
def _all_keeps(held: Counts, most_discarded: int) -> tuple[Counts, ...]:
    return tuple(sub_counts(held, most_discarded))


@lru_cache(maxsize=2048)
def _whole_keeps(held: Counts, most_discarded: int) -> tuple[Counts, ...]:
    """For k equal cards, in the last exchange: keep all cards of a value or none, and the more frequent value of two
    alike.

    *All or none.* Fix what is kept of the other values; with a cards of value v kept, M − a cards are drawn. Compare
    keeping a + 1 with keeping a. Both have a cards of v and the same M − a − 1 drawn ones; then one gets a v for sure,
    the other a random card. With q = k − 1 − a, u cards of v in the pile, and L = M − k, the sure v wins where the
    random card does not in
        C(u, q) · (L + 1) · g(L + 1)          ways (exactly q of v came, and the random card is neither v nor a winner),
    and the random card wins where the sure v does not in
        C(u, q − 1) · e(L + 1) + C(u, q − 2) · e(L + 2) + … + C(u, 0) · e(L + q)        ways,
    where g(s) counts the draws of s other cards that do not win, and e(s) those with one more card that then wins.
    Neither depends on a. Divide by C(u, q): each C(u, q − i) / C(u, q) grows with q. So if a sure v is the better
    choice at some a, it is so at every larger a as well: the chance falls and then rises with a, and is highest at one
    of the ends: all of v, or as few as may be. (The limit of five discards can stop one value on its way to none: then
    exactly that many are discarded.)

    *The more frequent.* Let v and w be held a times each, with u ≥ u' cards in the pile, just one of them kept. The
    draws that miss with i cards of the kept and j of the other value: i < k − a, j < k. Those with j < k − a pair off,
    C(u, i) · C(u', j) with C(u, j) · C(u', i). In the others i < j, and C(u, i) · C(u', j) ≤ C(u', i) · C(u, j):
    keeping v misses less often. The values come in ascending order of (held, pile), so of neighbours with equal `held`
    the second is the more frequent.
    """
    return tuple(keep for keep in sub_counts(held, most_discarded) if _is_whole(keep, held, most_discarded))


def _is_whole(keep: Counts, held: Counts, most_discarded: int) -> bool:
    parts = sum(0 < kept < have for kept, have in zip(keep, held, strict=True))
    if parts > (1 if sum(held) - sum(keep) == most_discarded else 0):
        return False
    neighbours = zip(held, held[1:], keep, keep[1:], strict=False)
    return not any(0 < have == next_have == kept and next_kept == 0 for have, next_have, kept, next_kept in neighbours)


def _outcomes(keep: Counts, pile: Counts, limits: Counts, draw: int) -> list[tuple[int, Counts, Counts]]:
    """Every draw with at most `limits` of each kind: in how many ways it comes, the cards then held, and the pile."""
    room = sum(limits)
    partial: list[tuple[int, Counts, Counts, int]] = [(1, (), (), draw)] if draw <= room else []
    for kept, copies, limit in zip(keep, pile, limits, strict=True):
        room -= limit  # what the kinds after this one can take
        ways_of = _CHOOSE[copies]
        partial = [
            (ways * ways_of[drawn], (*held, kept + drawn), (*rest, copies - drawn), to_come - drawn)
            for ways, held, rest, to_come in partial
            for drawn in range(max(0, to_come - room), min(limit, to_come) + 1)
        ]
    return [(ways, held, rest) for ways, held, rest, _ in partial]


@lru_cache(maxsize=8192)
def _alone(needed: int, held: int, size: int, copies: int, left: int, turns: int) -> float:
    """The chance of so many of one value, going for nothing else; for bounds only."""
    if held >= needed:
        return 1.0
    extra = 1 if size < HAND_LIMIT else 0
    if turns == 0 or held + copies < needed or left < extra:
        return 0.0
    discarded = min(MOST_DISCARDED, size - held, left - extra)
    return _alone_after(needed, held, discarded + extra, size + extra, copies, left, turns)


@lru_cache(maxsize=8192)
def _alone_after(needed: int, kept: int, draw: int, size: int, copies: int, left: int, turns: int) -> float:
    expected = 0.0
    for drawn in range(max(0, draw - (left - copies)), min(draw, copies) + 1):
        ways = comb(copies, drawn) * comb(left - copies, draw - drawn)
        expected += ways * _alone(needed, kept + drawn, size, copies - drawn, left - draw, turns - 1)
    return expected / comb(left, draw)


@lru_cache(maxsize=1024)
def _unit(left: int, turns: int) -> int:
    """The common denominator with so many cards in the pile and exchanges left."""
    return perm(left, min(MOST_DRAWN * turns, left))


@lru_cache(maxsize=4096)
def _weight(left: int, draw: int, turns: int) -> int:
    """What one way of drawing, times misses in the next unit, is worth in this one: always whole."""
    return _unit(left, turns) // (comb(left, draw) * _unit(left - draw, turns - 1))


@lru_cache(maxsize=256)
def _weights(left: int) -> tuple[int, ...]:
    """The weights of all draws in the last exchange."""
    return tuple(_weight(left, draw, 1) for draw in range(min(left, MOST_DRAWN) + 1))


_CARDS = COPIES * len(VALUES)
_ANY = [any_number(copies) for copies in range(_CARDS + 1)]
_FEWER = [[fewer_than(limit, copies) for limit in range(HAND + 1)] for copies in range(COPIES + 1)]
_FEWER_BY_KEPT = {k: [fewer[k::-1] for fewer in _FEWER] for k in range(1, HAND + 1)}  # of k equal cards, by those kept
_CHOOSE = [[comb(copies, drawn) for drawn in range(MOST_DRAWN + 1)] for copies in range(_CARDS + 1)]


def _picked(counts: Counts, order: list[int]) -> Counts:
    return tuple([counts[kind] for kind in order])


def _not_kept(hand: Counts, keep: Counts) -> Cards:
    return values_of(tuple([have - kept for have, kept in zip(hand, keep, strict=True)]))


def _questions(hand: Iterable[int], seen: Iterable[int], turns: int, at_least: int) -> list[Question]:
    held, out = check_values(hand, BadQuestion), check_values(seen, BadQuestion)
    return [Question(combination, held, out, turns, at_least) for combination in COMBINATIONS]


def _check_hand(cards: Iterable[int]) -> Cards:
    hand = check_values(cards, BadQuestion)
    if not HAND <= len(hand) <= HAND_LIMIT:
        raise BadQuestion("wrong_number_of_cards", cards=len(hand), fewest=HAND, most=HAND_LIMIT)
    return hand


def _check_copies(hand: Cards, seen: Cards) -> None:
    for value, count in zip(VALUES, counts_of(hand + seen), strict=True):
        if count > COPIES:
            raise BadQuestion("too_many_of_a_value", value=value, count=count, most=COPIES)


def _check_move(question: Question, discard: Iterable[int], draw: int) -> tuple[Cards, int]:
    discarded = check_values(discard, BadQuestion)
    if question.turns == 0:
        raise BadQuestion("no_turns_left")
    if len(discarded) > MOST_DISCARDED:
        raise BadQuestion("too_many_cards_discarded", discarded=len(discarded), most=MOST_DISCARDED)
    if without(question.hand, discarded) is None:
        raise BadQuestion("cards_not_in_hand", cards=discarded, hand=question.hand)
    same, drawn = len(discarded), whole_number(draw, BadQuestion)
    if drawn not in (same, same + 1):
        raise BadQuestion("wrong_number_of_cards_drawn", drawn=drawn, same=same, one_more=same + 1)
    if len(question.hand) - len(discarded) + drawn > HAND_LIMIT:
        raise BadQuestion("hand_over_the_limit", held=len(question.hand) - same + drawn, limit=HAND_LIMIT)
    if drawn > sum(question.unseen):
        raise BadQuestion("not_enough_unseen_cards", draw=drawn, unseen=sum(question.unseen))
    return discarded, drawn
