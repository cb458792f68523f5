"""What an expert knows of inputs, as scikit-learn's parameters say it, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from unfis.data.columns import Input
from unfis.data.naming import position_of
from unfis.search.constraints import Constraints
from unfis.serial.messages import quoted

# How many conditions a rule may have by a word for groups.
CONDITIONS_OF_WORDS = {"no_interactions": 1, "pairwise": 2}


def constraints_of(
    monotonic_cst: Any, interaction_cst: Any, inputs: Sequence[Input], outputs: int
) -> Constraints:
    """The constraints that two parameters of an estimator mean."""
    signs = {j: sign for j, sign in given_signs(monotonic_cst, inputs) if sign}
    if signs and outputs > 1:
        raise ValueError(
            "monotonic_cst is about the probability of the second of two classes, or about a "
            f"number; got {outputs} classes. Leave it out, or make two classes of them."
        )
    for j, sign in signs.items():
        if inputs[j].kind == "category":
            raise ValueError(
                f"monotonic_cst has {sign} for {inputs[j].name}, a category, of which no kind is "
                "more than another. Make it a number, or leave it out."
            )
    return Constraints(signs, groups_of(interaction_cst, inputs))


def given_signs(given: Any, inputs: Sequence[Input]) -> list[tuple[int, int]]:
    """Inputs and their signs, as `monotonic_cst` has them, each input once."""
    if given is None:
        return []
    pairs: Iterable[tuple[int, Any]]
    if isinstance(given, Mapping):
        pairs = [(position_of("monotonic_cst", name, inputs), sign) for name, sign in given.items()]
    elif isinstance(given, str) or np.ndim(given) != 1:
        raise ValueError(
            "monotonic_cst must be a dict such as {'age': 1}, or have 1, -1 or 0 for each input; "
            f"got {quoted(given)}."
        )
    elif len(given) != len(inputs):
        raise ValueError(
            f"monotonic_cst must have 1, -1 or 0 for each of the {len(inputs)} inputs; got "
            f"{len(given)} numbers."
        )
    else:
        pairs = enumerate(given)
    found: dict[int, int] = {}
    for j, sign in pairs:
        if isinstance(sign, str) or sign not in (-1, 0, 1):
            raise ValueError(
                f"monotonic_cst must be 1, -1 or 0 for {inputs[j].name}; got {quoted(sign)}."
            )
        if found.setdefault(j, int(sign)) != sign:
            raise ValueError(
                f"monotonic_cst names {inputs[j].name} twice, with {found[j]} and with {sign}. "
                "Leave one of them."
            )
    return [*found.items()]


def most_conditions(max_conditions: int, interaction_cst: Any) -> int:
    """How many conditions a rule may have by both parameters."""
    if not isinstance(interaction_cst, str):
        return max_conditions
    if interaction_cst not in CONDITIONS_OF_WORDS:
        raise ValueError(
            "interaction_cst must be 'no_interactions', 'pairwise', a list of groups of inputs, "
            f"or None; got {interaction_cst!r}."
        )
    return min(max_conditions, CONDITIONS_OF_WORDS[interaction_cst])


def groups_of(given: Any, inputs: Sequence[Input]) -> tuple[frozenset[int], ...]:
    """The groups that `interaction_cst` lists; inputs that it does not name are one more."""
    if given is None or isinstance(given, str):
        return ()
    groups = []
    for group in given if isinstance(given, Iterable) else [given]:
        if isinstance(group, str) or not isinstance(group, Iterable):
            raise ValueError(
                "interaction_cst must list groups of inputs, such as [['age', 'bmi'], ['dose']]; "
                f"got {quoted(group)} in place of a group."
            )
        groups.append(frozenset(position_of("interaction_cst", one, inputs) for one in group))
    rest = frozenset(range(len(inputs))).difference(*groups)
    return (*groups, rest) if rest else (*groups,)
