"""What settings of a request may be, and the error that names one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass
from math import inf, isfinite
from numbers import Integral, Real
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from unfis.serial.messages import listed, quoted

NAMED = re.compile(r"`(\w+)`")
NameList = tuple[str, ...]
WHOLE_TYPES = (int, int | None)


class RequestError(ValueError):
    """A setting is wrong, whatever is in the table; `parameter` is its name.

    Messages of this room and of tables have names of settings in backticks.
    """

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        named = NAMED.search(message)
        self.parameter = parameter or (named[1] if named else None)


def renamed(message: str, name: Callable[[str], str | None]) -> str:
    """A message with the names of settings as a front end calls them, if it does."""
    return NAMED.sub(lambda found: name(found[1]) or found[0], message)


def check_known(parameter: str, names: Iterable[str], known: list[str], where: str) -> None:
    """Raise RequestError for a name that is not among those known."""
    from unfis.data.files import unknown_column  # which needs numpy; settings alone do not

    for name in names:
        if len(known) == 1 and name not in known and name in known[0]:
            raise RequestError(
                f"{where} was read as one column, {quoted(known[0])}. Give what stands between its "
                "cells as `separator`, such as space."
            )
        if name not in known:
            raise RequestError(unknown_column(name, known, where), parameter)


class Bounds(NamedTuple):
    """Between what a number must be; the last two are not in."""

    least: float = -inf
    most: float = inf
    above: float = -inf
    below: float = inf

    @property
    def words(self) -> str:
        """What is expected."""
        found = zip(("at least", "at most", "above", "below"), self, strict=True)
        return " and ".join(f"{word} {bound}" for word, bound in found if isfinite(bound))

    def hold(self, value: float) -> bool:
        """Whether a number is between them."""
        return self.least <= value <= self.most and self.above < value < self.below


class Setting(NamedTuple):
    """What a setting may be."""

    kind: Any  # its type
    default: Any  # `MISSING` if it must be given
    bounds: Bounds | None = None


def settings_in(request: type[Any]) -> dict[str, Setting]:
    """The settings of a kind of request by their names."""
    found = {}
    for name, kind in get_type_hints(request, include_extras=True).items():
        kind, *bounds = get_args(kind) if get_origin(kind) is Annotated else (kind,)
        found[name] = Setting(kind, getattr(request, name, MISSING), *bounds)
    return found


@dataclass(frozen=True, kw_only=True)
class Request:
    """Settings as plain data, checked as far as they can be without a table."""

    def __post_init__(self) -> None:
        for name, setting in settings_in(type(self)).items():
            if (value := getattr(self, name)) is not None:
                check_setting(name, value, setting.kind, setting.bounds)


def check_setting(name: str, value: Any, kind: Any, bounds: Bounds | None) -> None:
    """Raise RequestError for a value that a setting cannot have."""
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    if choices and value not in choices:
        raise RequestError(f"`{name}` must be one of {listed(choices)}, got {quoted(value)}.")
    if kind in (NameList, NameList | None) and isinstance(value, str):
        raise RequestError(f"`{name}` must be a list of names, got the text {quoted(value)}.")
    if bounds is None:
        return
    number = Integral if kind in WHOLE_TYPES else Real
    if not isinstance(value, number) or isinstance(value, bool) or not bounds.hold(float(value)):
        kind_words = (
            "a whole number of " if kind in WHOLE_TYPES else "a number " * isfinite(bounds.above)
        )
        came = f"{value:g}" if isinstance(value, Real) else quoted(value)
        raise RequestError(f"`{name}` must be {kind_words}{bounds.words}, got {came}.")
