"""An estimator's parameters, labels and the names of columns as plain data, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from unfis.model_file.text import ModelFileError
from unfis.serial.messages import quoted
from unfis.serial.schema import SchemaError, either, list_of, scalar

PAIRS = "pairs"  # of a dict whose names are not all text
Label = str | bool | int | float
# A column's name: a list is a tuple, the names of several levels.
column_name = either(scalar, list_of(scalar, least=1))


def anything(value: Any, where: str) -> Any:
    """Plain data that is checked later, when more is known."""
    return value


def plain_label(value: Any) -> Label:
    """A category as plain data: text, a number or a truth value; of others their text."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, Label) else str(value)


def plain_data(where: str, value: Any) -> Any:
    """Data of Python and numpy as plain data; ModelFileError for what is none."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if value is None or isinstance(value, Label):
        return value
    if isinstance(value, Mapping):
        pairs = [[plain_data(where, name), plain_data(where, one)] for name, one in value.items()]
        is_object = all(isinstance(name, str) for name in value) and set(value) != {PAIRS}
        return dict(pairs) if is_object else {PAIRS: pairs}
    if isinstance(value, list | tuple):
        return [plain_data(where, one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted((plain_data(where, one) for one in value), key=repr)
    raise ModelFileError(
        f"{where} must be text, numbers, truth values, or lists and dicts of these; got "
        f"{quoted(value)}."
    )


def read_setting(value: Any, where: str) -> Any:
    """A parameter from what `plain_data` gave."""
    if isinstance(value, list):
        return [read_setting(one, where) for one in value]
    if not isinstance(value, dict):
        return value if value is None else scalar(value, where)
    if set(value) != {PAIRS}:
        return {name: read_setting(one, where) for name, one in value.items()}
    pairs = list_of(list_of(anything, least=2, most=2))(value[PAIRS], where)
    found = {column_name(name, where): read_setting(one, where) for name, one in pairs}
    if len(found) < len(pairs):
        raise SchemaError(f"{where} has a name twice.")
    return found
