"""Texts by key, in Polish and English, with their numbers and plural forms filled in.

A text is found by its dotted key, which begins with the folder it is in: `knyf.full_house.name` is the entry
`name` of the table `[full_house]` in knyf/pl.toml or knyf/en.toml. Placeholders say how to show what fills them:

    {points:point}      a number with a noun of common/*.toml, in the right plural form: 25 punktów
    {p:percent}         4,6 %           {p:percent2}    4,60 %          (the digit: how many decimals)
    {p:fraction}        347 897/7 558 272
    {p:decimal4}        0,0460
    {cards:list}        3, 3, 3, 1, 1   {cards:sum}     3 + 3 + 3 + 1 + 1
    {combination:name}  the printed name of a rule, by its id
    {n}                 a number as the language writes it, or a word as it is
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from knyf_panel.engine import GameError
from knyf_panel.texts.numbers import Number, NumberFormat, plural_form

LANGUAGES = ("pl", "en")
TOPICS = ("common", "errors", "interface", "odds", "site", "table", "knyf", "kosci", "knister")


class MissingText(KeyError):
    """A text, language or placeholder that is asked for and not there."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def load(language: str = "pl") -> Texts:
    """All texts in one language; read once."""
    if language not in LANGUAGES:
        raise MissingText(f"no texts in language {language!r}; there are {', '.join(LANGUAGES)}")
    return Texts(language)


class Texts:
    """The texts of one language. Call it with a key and the values of the placeholders."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = {key: text for topic in TOPICS for key, text in flat(read(f"{topic}/{language}.toml"), topic)}
        self._numbers = NumberFormat.from_table({name: self.raw(f"common.numbers.{name}") for name in _NUMBER_SIGNS})

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(self._texts)

    def __call__(self, key: str, /, game: str = "", **values: object) -> str:
        """The text with its placeholders filled. `game` is where the ids in the values are from."""
        return self.fill(self.raw(key), key, game, values)

    def fill(self, template: str, key: str, game: str, values: Mapping[str, object]) -> str:
        try:
            return _Filler(self, game).vformat(template, (), values)
        except KeyError as error:
            raise MissingText(f"text {key!r} in {self.language!r} cannot be filled: {error} is missing") from None

    def raw(self, key: str) -> Any:
        """The text as it stands in the file."""
        try:
            return self._texts[key]
        except KeyError:
            similar = get_close_matches(key, self._texts, n=3)
            hint = f"; did you mean {' or '.join(similar)}?" if similar else ""
            raise MissingText(f"no text {key!r} in language {self.language!r}{hint}") from None

    def has(self, key: str) -> bool:
        return key in self._texts

    def number(self, value: Number, digits: int | None = None) -> str:
        """A whole number, or a decimal with so many digits: 7 558 272, 0,4603."""
        if digits is None and isinstance(value, int):
            return self._numbers.whole(value)
        return self._numbers.decimal(value, 2 if digits is None else digits)

    def percent(self, value: Number, digits: int = 1) -> str:
        """A probability from 0 to 1 in percent: 4,6 %."""
        return self._numbers.as_percent(value, digits)

    def fraction(self, value: Number) -> str:
        return self._numbers.fraction(value)

    def count(self, noun: str, value: Number, digits: int | None = None) -> str:
        """A number with its noun in the right form: 1 karta, 2 karty, 5 kart, 1,5 karty."""
        form = "other" if digits else plural_form(self.language, value)  # 2 punkty, but 2,0 punktu
        return f"{self.number(value, digits)}\u00a0{self.raw(f'common.nouns.{noun}.{form}')}"

    def listed(self, values: Iterable[object], between: str = ", ") -> str:
        return between.join(self.number(value) if type(value) is int else str(value) for value in values)

    def alternatives(self, values: Sequence[object]) -> str:
        """4, 5 lub 6."""
        if len(values) < 2:
            return self.listed(values)
        return f"{self.listed(values[:-1])} {self.raw('common.words.or')} {self.listed(values[-1:])}"

    def error(self, error: GameError, game: str) -> str:
        """What the engine refused, as a sentence for the person who asked."""
        return self(f"errors.{error.reason}", game=game, **error.facts)


class _Filler(Formatter):
    """Fills placeholders as the head of this module says."""

    def __init__(self, texts: Texts, game: str) -> None:
        self._texts = texts
        self._game = game

    def format_field(self, value: Any, spec: str) -> str:
        kind = spec.rstrip("0123456789")
        digits = int(spec[len(kind) :]) if spec != kind else None
        if kind in _SHOWN:
            return _SHOWN[kind](self._texts, value, digits)
        if kind == "name":
            return self._texts(f"{self._game}.{value}.name")
        return self._texts.count(kind, value, digits)


_SHOWN: dict[str, Callable[[Texts, Any, int | None], str]] = {
    "": lambda texts, value, _: texts.number(value) if type(value) is int else str(value),
    "percent": lambda texts, value, digits: texts.percent(value, 1 if digits is None else digits),
    "decimal": lambda texts, value, digits: texts.number(value, 2 if digits is None else digits),
    "fraction": lambda texts, value, _: texts.fraction(value),
    "list": lambda texts, value, _: texts.listed(value),
    "sum": lambda texts, value, _: texts.listed(value, " + "),
    "or": lambda texts, value, _: texts.alternatives(value),
}

_NUMBER_SIGNS = ("decimal_sign", "group_sign", "group_from", "percent")


@cache
def read(path: str) -> dict[str, Any]:
    """A data file of this package."""
    return tomllib.loads(resources.files("knyf_panel.texts").joinpath(path).read_text(encoding="utf-8"))


def flat(table: Mapping[str, Any], prefix: str) -> Iterable[tuple[str, Any]]:
    """The entries of nested tables under dotted keys."""
    for name, entry in table.items():
        if isinstance(entry, dict):
            yield from flat(entry, f"{prefix}.{name}")
        else:
            yield f"{prefix}.{name}", entry
