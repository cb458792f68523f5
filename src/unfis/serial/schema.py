"""Plain data that came from outside, checked field by field: nothing of it is believed.

A check takes a value and the words for where it is, such as `rules[0].support`, and returns the
value as the program holds it (lists as tuples), or raises `SchemaError`, which says where,
what was expected and what came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from math import inf
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from unfis.serial.messages import quoted
from unfis.serial.parameters import is_finite

Check = Callable[[Any, str], Any]
LARGEST_WHOLE = 2**63


class SchemaError(ValueError):
    """A field of plain data is not what it must be."""


def wrong(where: str, expected: str, value: Any) -> SchemaError:
    """The error of a value that is not what was expected."""
    came = quoted(value)
    if isinstance(value, dict | list | tuple | set):
        came = f"a {type(value).__name__} of {len(value)}"
    return SchemaError(f"{where} must be {expected}, got {came}.")


def require(fits: bool, message: str) -> None:
    """Raise SchemaError with a message unless parts of the data fit together."""
    if not fits:
        raise SchemaError(message)


def fitting(expected: str, fits: Callable[[Any], bool]) -> Check:
    """Values that fit, as they are."""

    def check(value: Any, where: str) -> Any:
        if not fits(value):
            raise wrong(where, expected, value)
        return value

    return check


text = fitting("text", lambda value: isinstance(value, str))
truth = fitting("true or false", lambda value: isinstance(value, bool))
# A label or a category.
scalar = fitting(
    "text, a number, true or false",
    lambda value: isinstance(value, str) or (isinstance(value, int | float) and is_finite(value)),
)


def number(low: float = -inf, high: float = inf, *, above: bool = False) -> Check:
    """A finite number within bounds; `above` leaves the lower one out."""
    bound = f"above {low:g}" if above else f"at least {low:g}"
    words = [bound] if low > -inf else []
    words += [f"at most {high:g}"] if high < inf else []
    expected = " ".join(["a finite number", " and ".join(words)]).strip()

    def check(value: Any, where: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
            raise wrong(where, expected, value)
        if not low <= value <= high or (above and value == low):
            raise wrong(where, expected, value)
        # An array of whole numbers that no machine holds would be one of objects.
        return value if abs(value) < LARGEST_WHOLE else float(value)

    return check


def whole(low: int, high: int = 2**53) -> Check:
    """A whole number within bounds."""
    return fitting(
        f"a whole number from {low} to {high}",
        lambda value: (
            isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        ),
    )


def one_of(*options: Any) -> Check:
    """One of these values."""
    return fitting(
        f"one of {', '.join(repr(option) for option in options)}",
        lambda value: any(type(value) is type(one) and value == one for one in options),
    )


def optional(check: Check) -> Check:
    """None, or what another check takes."""
    return lambda value, where: None if value is None else check(value, where)


def either(first: Check, second: Check, kinds: Any = list | tuple) -> Check:
    """A list, or another of these kinds, that the second check takes, else what the first takes."""
    return lambda value, where: (second if isinstance(value, kinds) else first)(value, where)


def list_of(check: Check, *, least: int = 0, most: float = inf) -> Check:
    """A list of at least and at most so many things."""
    size = f" of {least}" if least == most else f" of at least {least}"
    expected = "a list" + (size if least or most < inf else "")

    def checked(value: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            raise wrong(where, expected, value)
        return tuple(check(item, f"{where}[{i}]") for i, item in enumerate(value))

    return checked


def record(checks: Mapping[str, Check], make: Callable[..., Any] = dict) -> Check:
    """Exactly these fields, made into something by their names."""

    def check(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise wrong(where or "the data", "a dict", value)
        for name in checks:
            if name not in value:
                raise SchemaError(f"{where or 'the data'} lacks {quoted(name)}.")
        for name in value:
            if name not in checks:
                raise SchemaError(f"{where or 'the data'} has {quoted(name)}, which is not known.")
        prefix = f"{where}." if where else ""
        return make(**{n: of(value[n], f"{prefix}{n}") for n, of in checks.items()})

    return check


def mapping_of(check: Check) -> Check:
    """A dict of any names and one kind of values."""

    def checked(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise wrong(where, "a dict", value)
        return {
            text(name, where): check(item, f"{where}[{quoted(name)}]")
            for name, item in value.items()
        }

    return checked


def check_of(kind: Any) -> Check:
    """What a type asks for: a dataclass its fields, `Annotated` the check beside the type."""
    plain: dict[Any, Check] = {str: text, bool: truth, float: number(), int: whole(0), Any: scalar}
    if kind in plain:
        return plain[kind]
    if is_dataclass(kind):
        made: Any = kind
        return record_of(made)
    if get_origin(kind) is Annotated:
        found: Check = kind.__metadata__[0]
        return found
    parts = get_args(kind)
    first, count = check_of(parts[0]), len(parts)
    if get_origin(kind) is tuple:
        return list_of(first) if ... in parts else list_of(first, least=count, most=count)
    return optional(first) if type(None) in parts else either(first, check_of(parts[1]))


@cache  # to find out the types of fields takes longer than to check a file by them
def record_of(kind: Any) -> Check:
    """The fields of a dataclass, which is made of them."""
    hints = get_type_hints(kind, include_extras=True)
    return record({name: check_of(hints[name]) for name in hints}, kind)
