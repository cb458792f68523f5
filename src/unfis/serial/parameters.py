"""Parameters that a user gives, checked: the error names the one that is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

from unfis.serial.messages import quoted


def check_positive(owner: object, name: str, **kind: Any) -> None:
    """Raise ValueError unless an attribute is such a number as `check_number` asks for."""
    check_number(name, getattr(owner, name), **kind)


def check_number(
    name: str,
    value: Any,
    *,
    whole: bool = False,
    zero: bool = False,
    below: float = inf,
    otherwise: Any = ...,
) -> None:
    """Raise ValueError unless a value is such a number, finite, or what it may be `otherwise`.

    Of several things a tuple.
    """
    words = otherwise if isinstance(otherwise, tuple) else (otherwise,)
    if any(isinstance(value, type(word)) and value == word for word in words):
        return
    good = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if not good or not is_finite(value) or value < 0 or value >= below or (value == 0 and not zero):
        expected = "a whole number" if whole else "a number"
        expected += " of at least 0" if zero else " above 0"
        expected += "" if below == inf else f" and below {below:g}"
        expected += "" if otherwise is ... else f", or {' or '.join(map(repr, words))}"
        raise ValueError(f"{name} must be {expected}, got {quoted(value)}.")


def is_finite(value: Any) -> bool:
    """Whether a number is one that a float can hold."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def check_option(name: str, value: Any, options: Iterable[Any]) -> None:
    """Raise ValueError unless the value is one of the options."""
    if not any(value is option or value == option for option in options):
        allowed = ", ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be one of {allowed}; got {quoted(value)}.")


def check_jobs(name: str, n_jobs: Any) -> None:
    """Raise ValueError unless it is a number of processes as joblib takes it."""
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0):
        raise ValueError(
            f"{name} must be a whole number other than 0 (-1 for all cores), or None, "
            f"got {quoted(n_jobs)}."
        )
