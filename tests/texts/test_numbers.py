"""Numbers and plural forms, as Polish and English write them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knyf_panel.texts import MissingText, load

PL, EN = load("pl"), load("en")
GENERAL = Fraction(347897, 7558272)
NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("count", "polish", "english"),
    [
        (0, "0 kart", "0 cards"),
        (1, "1 karta", "1 card"),
        (2, "2 karty", "2 cards"),
        (4, "4 karty", "4 cards"),
        (5, "5 kart", "5 cards"),
        (11, "11 kart", "11 cards"),
        (12, "12 kart", "12 cards"),
        (14, "14 kart", "14 cards"),
        (21, "21 kart", "21 cards"),
        (22, "22 karty", "22 cards"),
        (25, "25 kart", "25 cards"),
        (101, "101 kart", "101 cards"),
        (112, "112 kart", "112 cards"),
        (122, "122 karty", "122 cards"),
        (-2, "−2 karty", "−2 cards"),
    ],
)
def test_cards(count: int, polish: str, english: str) -> None:
    assert PL.count("card", count) == polish.replace(" ", NBSP)
    assert EN.count("card", count) == english.replace(" ", NBSP)


def test_parts_of_a_thing() -> None:
    assert PL.count("point", Fraction(3, 2), 1) == f"1,5{NBSP}punktu"
    assert EN.count("point", Fraction(3, 2), 1) == f"1.5{NBSP}points"
    assert PL.count("point", Fraction(2), 1) == f"2,0{NBSP}punktu"


@pytest.mark.parametrize(
    ("value", "digits", "polish", "english"),
    [
        (Fraction(4603, 10000), 4, "0,4603", "0.4603"),
        (0.4603, 4, "0,4603", "0.4603"),
        (Fraction(1, 8), 2, "0,13", "0.13"),  # a half goes up, as taught at school
        (Fraction(-1, 8), 2, "−0,13", "−0.13"),
        (Fraction(-1, 1000), 2, "0,00", "0.00"),
        (1, 0, "1", "1"),
        (7776, None, "7776", "7,776"),
        (7558272, None, "7 558 272", "7,558,272"),
        (-20, None, "−20", "−20"),
        (12345.678, 1, "12 345,7", "12,345.7"),
    ],
)
def test_numbers(value: Fraction, digits: int | None, polish: str, english: str) -> None:
    assert PL.number(value, digits) == polish.replace(" ", NBSP)
    assert EN.number(value, digits) == english


def test_percent_and_fraction() -> None:
    assert PL.percent(GENERAL) == f"4,6{NBSP}%"
    assert EN.percent(GENERAL) == "4.6%"
    assert PL.percent(GENERAL, 3) == f"4,603{NBSP}%"
    assert PL.fraction(GENERAL) == f"347{NBSP}897/7{NBSP}558{NBSP}272"
    assert EN.fraction(GENERAL) == "347,897/7,558,272"
    assert PL.fraction(Fraction(2)) == "2"


def test_the_possible_is_not_shown_as_impossible_nor_the_likely_as_certain() -> None:
    assert PL.percent(Fraction(1, 10**6)) == f"<{NBSP}0,1{NBSP}%"
    assert EN.percent(1 - Fraction(1, 10**6)) == f">{NBSP}99.9%"
    assert PL.percent(0) == f"0,0{NBSP}%"
    assert PL.percent(1) == f"100,0{NBSP}%"
    assert PL.percent(Fraction(1, 2000)) == f"0,1{NBSP}%"
    assert PL.percent(Fraction(1999, 2000)) == f">{NBSP}99,9{NBSP}%"


@given(st.fractions(0, 1))
def test_percent_rounds_to_the_nearest(probability: Fraction) -> None:
    shown = EN.percent(probability, 2)
    if shown[0] in "<>":
        assert 0 < probability < 1
    else:
        assert abs(Fraction(shown.rstrip("%")) - 100 * probability) <= Fraction(1, 200)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(MissingText, match="no texts in language 'de'; there are pl, en"):
        load("de")
