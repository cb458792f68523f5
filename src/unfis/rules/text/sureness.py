"""Intervals of probabilities in words."""

from __future__ import annotations

from typing import Any

from unfis.rules.text.numbers import percent
from unfis.rules.text.words import class_name


def sureness_words(label: Any, interval: tuple[float, float] | None) -> list[str]:
    """Between which probabilities a class is, if that is known."""
    if interval is None:
        return []
    low, high = map(percent, interval)
    between = low if low == high else f"between {low} and {high}"
    condition = "with 95 % confidence, if these are the right rules"
    return [f"{class_name(label)} has {between} {condition}"]
