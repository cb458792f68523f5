"""What an expert knows of inputs, as settings say it: checked, by the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from unfis.data.columns import Input, TableColumns
from unfis.data.naming import as_list, position_of
from unfis.model.settings import Settings, is_auto
from unfis.network.constraints import UNCONSTRAINED, Constraints
from unfis.serial.messages import quoted


def constraints_of(settings: Settings, columns: TableColumns) -> Constraints:
    """The constraints of a fit; ValueError where they cannot be, or leave nothing to learn from."""
    if settings.monotonic_cst is None and settings.forbidden_inputs is None:
        return UNCONSTRAINED
    inputs = columns.inputs
    wanted = () if settings.forbidden_inputs is None else settings.forbidden_inputs
    # A tuple is as good as a list here: no input goes with a rule.
    wanted = list(wanted) if isinstance(wanted, tuple) else wanted
    names = as_list("forbidden_inputs", wanted)
    forbidden = frozenset(position_of("forbidden_inputs", name, inputs) for name in names)
    signs = {j: sign for j, sign in signs_of(settings.monotonic_cst, inputs).items() if sign}
    check_signs(signs, forbidden, columns)
    found = Constraints(forbidden, signs)
    check_usable(found, settings, len(inputs))
    return found


def signs_of(given: Any, inputs: Sequence[Input]) -> dict[int, int]:
    """The sign of each input that has one, or 0, as scikit-learn's `monotonic_cst` is given."""
    if given is None:
        return {}
    pairs: Iterable[tuple[Any, Any]]
    if isinstance(given, Mapping):
        pairs = [(position_of("monotonic_cst", name, inputs), of) for name, of in given.items()]
    elif isinstance(given, str) or np.ndim(given) != 1:
        raise ValueError(
            "monotonic_cst must be a dict such as {'age': 1}, or have 1, -1 or 0 for each input; "
            f"got {quoted(given)}."
        )
    elif len(given) != len(inputs):
        raise ValueError(
            f"monotonic_cst must have 1, -1 or 0 for each of the {len(inputs)} inputs, got "
            f"{len(given)} numbers."
        )
    else:
        pairs = enumerate(given)
    found: dict[int, int] = {}
    for j, sign in pairs:
        if isinstance(sign, str) or sign not in (-1, 0, 1):
            raise ValueError(
                f"monotonic_cst must be 1, -1 or 0 for {inputs[j].name}, got {quoted(sign)}."
            )
        if found.setdefault(j, int(sign)) != sign:
            raise ValueError(
                f"monotonic_cst names {inputs[j].name} twice, with {found[j]} and with {sign}. "
                "Leave one of them."
            )
    return found


def check_signs(signs: Mapping[int, int], forbidden: frozenset[int], columns: TableColumns) -> None:
    """Raise ValueError for signs of inputs that can have none."""
    if signs and len(columns.classes) != 2:
        raise ValueError(
            "monotonic_cst is about the probability of the second of two classes, got "
            f"{len(columns.classes)} classes. Leave it out, or make two classes of them."
        )
    for j, sign in signs.items():
        item = columns.inputs[j]
        if j in forbidden:
            raise ValueError(
                f"monotonic_cst has {sign} for {item.name}, which forbidden_inputs keeps out of "
                "all rules. Take it out of one of them."
            )
        if len(item.categories) > 2:
            raise ValueError(
                f"monotonic_cst has {sign} for {item.name}, a category of {len(item.categories)} "
                "kinds, of which none is more than another. Make it a number, or leave it out."
            )


def check_usable(found: Constraints, settings: Settings, inputs: int) -> None:
    """Raise ValueError where constraints leave rules nothing to look at."""
    if not found.in_consequent(inputs).any():
        raise ValueError(
            "forbidden_inputs must leave an input that rules may use, got all of them."
        )
    if found.in_condition(inputs).any():
        return
    kept_out = "and monotonic_cst and forbidden_inputs keep all inputs out of every IF"
    if settings.consequents == "constant":
        raise ValueError(
            f"consequents='constant' has no inputs in a THEN, {kept_out}. Leave an input free, or "
            "set consequents='linear'."
        )
    if not is_auto(settings.n_rules) and int(settings.n_rules) > 1:
        raise ValueError(
            f"n_rules={settings.n_rules} needs inputs that tell where each rule holds, {kept_out}. "
            "Leave an input free, or set n_rules='auto'."
        )
