"""Numbers in words, as people read them."""

from __future__ import annotations

from collections.abc import Iterable


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def few(numbers: Iterable[int]) -> str:
    """The first six, and dots for more."""
    words = [str(number) for number in numbers]
    return ", ".join(words[:6]) + ", ..." * (len(words) > 6)


def three_digits(value: float) -> str:
    """0.0974, 0.100, 8.00, 12.5, 210, 2340."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:#.3g}"


def seconds(value: float) -> str:
    """A time in the unit that suits it."""
    scale, unit = (1.0, "s") if value >= 1 else (1e3, "ms") if value >= 1e-3 else (1e6, "us")
    return f"{three_digits(value * scale)} {unit}"


def power(value: float) -> str:
    """1e-4, 2.5e-7: a tolerance."""
    digits, exponent = f"{value:.3e}".split("e")
    return f"{digits.rstrip('0').rstrip('.')}e{int(exponent)}"
