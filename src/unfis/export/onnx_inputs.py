"""A table as what the exported ONNX model is fed with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.export.onnx_model import input_names
from unfis.export.onnx_parts import input_dtype, known_categories
from unfis.rules import RuleBase, Variable


def onnx_inputs(rules: RuleBase, X: Any) -> dict[str, NDArray[Any]]:
    """The inputs of a session of the exported model, by name, for each row of a table.

    ONNX has no way to read text as the library does: here it is read as `rules` read it.
    """
    values = rules.read(X)
    names = input_names(rules.variables)
    return {
        names[variable.name]: input_values(variable, values[:, j])[:, None]
        for j, variable in enumerate(rules.variables)
    }


def input_values(variable: Variable, values: Array) -> NDArray[Any]:
    """The values of one input, (rows,): numbers as they are, categories by themselves."""
    if variable.kind != "category":
        return values
    categories = known_categories(variable)
    found = np.full(len(values), unknown_category(categories), dtype=input_dtype(variable))
    known = ~np.isnan(values)
    found[known] = categories[values[known].astype(np.intp)]
    return found


def unknown_category(categories: NDArray[Any]) -> Any:
    """A category that is none of these, to stand for what is unknown."""
    if categories.dtype.kind == "f":
        return np.nan
    word: Any = "" if categories.dtype.kind == "O" else np.iinfo(np.int64).min
    while word in categories:
        word += "?" if isinstance(word, str) else 1
    return word
