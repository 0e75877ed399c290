"""Numbers as a language writes them. The signs come from the text files; here is only the arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

Number = int | float | Fraction


@dataclass(frozen=True, slots=True)
class NumberFormat:
    decimal_sign: str  # between whole and decimals
    group_sign: str  # between groups of three digits
    group_from: int  # the number of digits from which a number is grouped
    percent: str  # with {} for the number

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> NumberFormat:
        return cls(table["decimal_sign"], table["group_sign"], table["group_from"], table["percent"])

    def whole(self, value: int) -> str:
        digits = str(abs(value))
        if len(digits) >= self.group_from:
            digits = f"{abs(value):,}".replace(",", self.group_sign)
        return f"−{digits}" if value < 0 else digits

    def decimal(self, value: Number, digits: int) -> str:
        """The value rounded to so many decimals, halves away from zero as taught at school; a float is read exactly."""
        scaled = floor(abs(Fraction(value)) * 10**digits + Fraction(1, 2))
        whole, decimals = divmod(scaled, 10**digits)
        text = self.whole(whole) + (f"{self.decimal_sign}{decimals:0{digits}}" if digits else "")
        return f"−{text}" if value < 0 and scaled else text

    def as_percent(self, value: Number, digits: int) -> str:
        """A probability in percent. What is possible is never shown as 0, what is uncertain never as 100."""
        smallest = Fraction(1, 10 ** (digits + 2))
        exact = Fraction(value)
        if 0 < exact < smallest / 2:
            return f"<\u00a0{self.percent.format(self.decimal(100 * smallest, digits))}"
        if 1 - smallest / 2 <= exact < 1:
            return f">\u00a0{self.percent.format(self.decimal(100 * (1 - smallest), digits))}"
        return self.percent.format(self.decimal(100 * exact, digits))

    def fraction(self, value: Number) -> str:
        exact = Fraction(value)
        if exact.denominator == 1:
            return self.whole(exact.numerator)
        return f"{self.whole(exact.numerator)}/{self.whole(exact.denominator)}"


def plural_form(language: str, value: Number) -> str:
    """Which form of a noun goes with the number: one, few or many, and other for what is not whole."""
    exact = Fraction(value)
    if exact.denominator != 1:
        return "other"
    return _PLURAL_FORMS[language](abs(exact.numerator))


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "many"


def _english(n: int) -> str:
    return "one" if n == 1 else "many"


_PLURAL_FORMS = {"pl": _polish, "en": _english}
