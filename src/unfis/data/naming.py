"""Inputs and classes as users name them: inputs by name, or by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.data.columns import Input
from unfis.serial.messages import listed, quoted


def position_of(setting: str, name: Any, inputs: Sequence[Input]) -> int:
    """Where an input is, given by name, or by position where no input has such a name."""
    named = [j for j, item in enumerate(inputs) if item.name == str(name)]
    numbered = isinstance(name, int | np.integer) and not isinstance(name, bool)
    if numbered and not named and 0 <= name < len(inputs):
        return int(name)
    if not named or isinstance(name, bool):
        names = listed(item.name for item in inputs)
        raise ValueError(f"{setting} names the input {quoted(name)}, which is none of: {names}.")
    return named[0]


def class_position(setting: str, label: Any, classes: Sequence[Any]) -> int:
    """Which of the classes a setting names."""
    if label not in classes:
        raise ValueError(
            f"{setting} names {quoted(label)}, which is not among [{listed(classes)}]."
        )
    return classes.index(label)
