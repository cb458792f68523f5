"""Messages: values that are repeated, never more of them than can be read, and warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from importlib import import_module
from inspect import currentframe
from os import sep
from os.path import dirname
from typing import Any

# So many characters of a value, and so many values of a list, are repeated.
LONGEST, MOST_LISTED = 60, 10
# What stands between the user's line and a warning: this package, and those that call it for them.
BETWEEN = ("unfis", "sklearn", "joblib")


def shortened(text: str, length: int = LONGEST) -> str:
    """Text of at most `length` characters, the middle left out: the end has the unit."""
    if len(text) <= length:
        return text
    end = (length - 1) // 3
    return f"{text[: length - 1 - end].rstrip()}…{text[len(text) - end :].lstrip()}"


def quoted(value: Any) -> str:
    """A value as Python writes it, shortened."""
    return shortened(repr(value))


def listed(values: Iterable[Any], most: int = MOST_LISTED) -> str:
    """Values as Python writes them, shortened, and not too many of them."""
    found = list(values)
    more = [f"and {len(found) - most:,} more"] if len(found) > most else []
    return ", ".join([quoted(value) for value in found[:most]] + more)


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of something, at the last line that is none of this package's."""
    folders = tuple(
        dirname(str(sys.modules[name].__file__)) + sep for name in BETWEEN if name in sys.modules
    )
    frame, level = currentframe(), 1
    while frame and frame.f_back and frame.f_code.co_filename.startswith(folders):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def needed(module: str, who: str, extra: str) -> Any:
    """A module that not every installation has, imported now; ImportError tells how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{who}: pip install 'unfis[{extra}]'.") from error
