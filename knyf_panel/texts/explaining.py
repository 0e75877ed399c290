"""A chance in words: what it is, the move that leads to it, and the sum behind it, with the numbers of the position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from knyf_panel.engine import chance as forms
from knyf_panel.engine import knister, knyf, kosci
from knyf_panel.engine.knister.odds import LineChance
from knyf_panel.engine.knyf.odds import CardChance
from knyf_panel.engine.kosci.odds import DiceChance
from knyf_panel.texts.loader import Texts, load

AnyChance: TypeAlias = CardChance | DiceChance | LineChance
Outcome: TypeAlias = tuple[int, ...]

_ALIKE_IN_CARDS = ("three_of_a_kind", "four_of_a_kind", "knyf")
_STRAIGHTS = ("small_straight", "large_straight")


def explain(chance: AnyChance, language: str = "pl") -> tuple[str, ...]:
    """Sentences, in the order in which a reader needs them."""
    texts = load(language)
    headline = _headline(texts, chance)
    if chance.probability in (0, 1):
        return (headline,)
    return (headline, _move(texts, chance), *_sum(texts, chance))


def _headline(texts: Texts, chance: AnyChance) -> str:
    if chance.probability in (0, 1):
        kind = "certain" if chance.probability else "impossible"
    else:
        kind = "lower_bound" if chance.lower_bound else "exact"
    event = _event(texts, chance)
    return texts(f"odds.chance.{kind}", event=event, probability=chance.probability, one_in=chance.one_in)


def _event(texts: Texts, chance: AnyChance) -> str:
    if isinstance(chance, LineChance):
        return texts(f"knister.{chance.question.combination}.name")
    game, id_ = _rule_of(chance)
    name = texts(f"{game}.{id_}.name")
    if id_ not in kosci.CATEGORIES[:6]:  # the upper rows have the same ids in both games
        return name
    kind = "cards" if game == "knyf" else "dice"
    return texts(f"odds.event.{kind}", name=name, at_least=chance.question.at_least)


def _rule_of(chance: CardChance | DiceChance) -> tuple[str, str]:
    if isinstance(chance, CardChance):
        return "knyf", chance.question.combination
    return "kosci", chance.question.category


# ---- The move --------------------------------------------------------------------------------------------------------


def _move(texts: Texts, chance: AnyChance) -> str:
    if isinstance(chance, CardChance):
        kind = "exchange" if chance.discard else "draw"
        return texts(f"odds.move.{kind}", discard=chance.discard, draw=chance.draw)
    if isinstance(chance, DiceChance):
        kind = {0: "roll_all", 5: "stop"}.get(len(chance.keep), "keep")
        return texts(f"odds.move.{kind}", keep=chance.keep, rolled=5 - len(chance.keep))
    empty = chance.question.line.count(None)
    kind = "accept_all" if empty == chance.question.rolls_left else "accept"
    return texts(f"odds.move.{kind}", accept=chance.accept)


# ---- The sum ---------------------------------------------------------------------------------------------------------


def explanation_of(chance: AnyChance) -> forms.Explanation:
    """The sum behind a chance of any of the three games."""
    if isinstance(chance, CardChance):
        return knyf.explain(chance)
    if isinstance(chance, DiceChance):
        return kosci.explain(chance)
    return knister.explain(chance)


def _sum(texts: Texts, chance: AnyChance) -> Iterator[str]:
    match explanation_of(chance):
        case forms.Counted(favourable, possible):
            yield texts("odds.sum.counted", favourable=favourable, possible=possible)
        case forms.Hypergeometric() as drawn:
            yield from _hypergeometric(texts, drawn)
        case forms.Binomial() as trials:
            yield from _binomial(texts, trials)
        case forms.Steps(branches):
            yield texts("odds.sum.steps")
            for branch in branches:
                outcome = _outcome(texts, chance, branch.outcome)
                yield texts("odds.sum.step", outcome=outcome, probability=branch.probability, then=branch.then)


def _hypergeometric(texts: Texts, form: forms.Hypergeometric) -> Iterator[str]:
    numbers: dict[str, Any] = {
        "matching": form.matching,
        "population": form.population,
        "drawn": form.drawn,
        "others": form.population - form.matching,
    }
    yield texts("odds.sum.hypergeometric", at_least=form.at_least, **numbers)
    for i, term in enumerate(form.terms, form.at_least):
        yield texts("odds.sum.hypergeometric_term", i=i, rest=form.drawn - i, probability=term.probability, **numbers)


def _binomial(texts: Texts, form: forms.Binomial) -> Iterator[str]:
    numbers: dict[str, Any] = {"trials": form.trials, "success": form.success, "failure": 1 - form.success}
    yield texts("odds.sum.binomial", at_least=form.at_least, **numbers)
    for i, probability in enumerate(form.terms, form.at_least):
        yield texts("odds.sum.binomial_term", i=i, rest=form.trials - i, probability=probability, **numbers)


# ---- What can happen: the explanation.py of each game says what the numbers of an outcome mean -----------------------


def _outcome(texts: Texts, chance: AnyChance, outcome: Outcome) -> str:
    kind = _kind_of_outcome(chance, outcome)
    first, second = (*outcome, 0, 0)[:2]
    return texts(f"odds.outcome.{kind}", values=outcome, shape=outcome, count=first, first=first, second=second)


def _kind_of_outcome(chance: AnyChance, outcome: Outcome) -> str:
    if isinstance(chance, LineChance):
        return "into_line" if set(outcome) <= set(chance.accept) else "elsewhere"
    game, id_ = _rule_of(chance)
    if id_ in kosci.CATEGORIES[:6]:
        return "values" if outcome else "no_values"
    if game == "kosci":
        return "such_as" if id_ in _STRAIGHTS and outcome else "shape" if outcome else "fresh_start"
    if id_ in _ALIKE_IN_CARDS:
        return "equal"
    return "run" if id_ in _STRAIGHTS else "two_most"
