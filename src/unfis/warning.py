"""Warnings that name the user's line, however deep they come from."""

from __future__ import annotations

import sys
import warnings
from inspect import currentframe
from os import sep
from os.path import dirname

# What stands between the user's line and a warning: this package, and those that call it for them.
BETWEEN = ("unfis", "sklearn", "joblib")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of something, at the last line that is none of this package's."""
    folders = tuple(
        dirname(str(sys.modules[name].__file__)) + sep for name in BETWEEN if name in sys.modules
    )
    frame, level = currentframe(), 1
    while frame and frame.f_back and frame.f_code.co_filename.startswith(folders):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
