"""A chance in words: every form of explanation, in both languages, with the numbers of the position."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knyf_panel.engine import knister, knyf, kosci
from knyf_panel.texts import LANGUAGES, explain
from knyf_panel.texts.explaining import AnyChance

NBSP = "\u00a0"


def plain(sentences: tuple[str, ...]) -> str:
    return "\n".join(sentences).replace(NBSP, " ")


def test_the_general_in_both_languages() -> None:
    general = kosci.odds((), rolls_left=3)["general"]
    assert plain(explain(general, "pl")).startswith("generał: 4,60 %, dokładnie 347 897/7 558 272, czyli")
    assert plain(explain(general, "en")).startswith("general: 4.60%, exactly 347,897/7,558,272, or")


def test_a_hypergeometric_sum() -> None:
    question = knyf.Question("sixes", (1, 3, 6, 6, 6), at_least=5)
    text = plain(explain(knyf.chance(question), "pl"))
    assert "odrzuć 1, 3 i dobierz 3 karty" in text
    assert "C(15, 2) · C(88, 1) / C(103, 3) = 9240/176 851" in text
    assert "C(15, 3) · C(88, 0) / C(103, 3) = 455/176 851" in text


def test_a_binomial_sum() -> None:
    text = plain(explain(kosci.odds((6, 6, 1, 2, 3), rolls_left=1)["sixes"], "pl"))
    assert "Schemat Bernoulliego. Prób: 3, prawdopodobieństwo sukcesu w każdej: 1/6" in text
    assert "C(3, 1) · (1/6)^1 · (5/6)^2 = 25/72" in text


def test_certain_and_impossible_events() -> None:
    assert plain(explain(knyf.odds((2, 2, 3, 4, 5))["small_straight"], "pl")) == "mały strit: zdarzenie pewne, 100 %."
    line = knister.odds([2, 12, None, None, None], rolls_left=9)["straight_with_7"]
    assert plain(explain(line, "en")).endswith("an impossible event, 0%.")


def chances() -> st.SearchStrategy[AnyChance]:
    value = st.integers(1, 6)
    hands = st.lists(value, min_size=5, max_size=7)
    cards = st.builds(
        lambda hand, turns, row: knyf.odds(hand, turns=turns)[row],
        hands,
        st.integers(0, 2),
        st.sampled_from(knyf.COMBINATIONS),
    )
    dice = st.builds(
        lambda rolled, rolls, row: kosci.odds(rolled, rolls)[row],
        st.lists(value, min_size=5, max_size=5),
        st.integers(0, 2),
        st.sampled_from(kosci.CATEGORIES),
    )
    lines = st.builds(
        lambda line, rolls, row: knister.odds(line, rolls)[row],
        st.lists(st.none() | st.integers(2, 12), min_size=5, max_size=5),
        st.integers(0, 12),
        st.sampled_from(knister.COMBINATIONS),
    )
    return st.one_of(cards, dice, lines)


@given(chances())
@settings(max_examples=60)
def test_every_chance_has_words_and_says_its_exact_value(chance: AnyChance) -> None:
    for language in LANGUAGES:
        sentences = explain(chance, language)
        assert all("{" not in sentence and sentence == sentence.strip() for sentence in sentences)
        if 0 < chance.probability < 1:
            shown = re.sub(r"[\s,](?=\d{3}\b)", "", sentences[0])
            assert f"{chance.probability.numerator}/{chance.probability.denominator}" in shown
            assert len(sentences) >= 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_steps_add_up_to_the_headline(language: str) -> None:
    """Read back from the sentences, to the precision they show."""
    general = kosci.odds((), rolls_left=3)["general"]
    steps = [re.findall(r"([\d.,]+)\s?%", sentence) for sentence in explain(general, language)[3:]]
    total = sum(
        Fraction(a.replace(",", ".")) * Fraction(b.replace(",", ".")) / 10**4 for a, b in (step[-2:] for step in steps)
    )
    assert float(total) == pytest.approx(float(general.probability), abs=2e-4)
