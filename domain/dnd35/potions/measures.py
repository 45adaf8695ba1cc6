"""Exact quotients (HM-0.3): masses, prices and shares are never rounded."""

from collections.abc import Iterable
from fractions import Fraction

from events.potions import Dose, Ratio


def ratio(exact: Fraction) -> Ratio:
    return Ratio(exact.numerator, exact.denominator)


def exactly(told: Ratio) -> Fraction:
    return Fraction(told.n, told.d)


def mass(doses: Iterable[Dose]) -> Fraction:
    """HM-13.2: grams of liquid."""
    return sum((exactly(dose.mass) for dose in doses), Fraction())
