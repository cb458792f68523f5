"""A grid over two inputs: which they are, where the others are held, and what the data covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.spatial import KDTree

from unfis.arrays import Array, Mask
from unfis.plots.sources import DrawnRows, input_index
from unfis.rules import RuleBase
from unfis.rules.text.explanation import RARE
from unfis.serial.messages import listed, quoted

# What is farther from all rows than this share of the ranges is not covered by them.
NEAR = 0.1


def most_important(base: RuleBase) -> list[int]:
    """The indices of the two most important inputs that are numbers."""
    numbers = [j for j in by_importance(base) if base.variables[j].kind == "number"]
    if len(numbers) < 2:
        raise ValueError(
            "Regions are drawn over two inputs that are numbers, got a model of "
            f"{len(numbers)} such: {listed(base.variables[j].name for j in numbers) or 'none'}."
        )
    return numbers[:2]


def by_importance(base: RuleBase) -> list[int]:
    """The indices of all inputs, the most important first and those that no rule uses last."""
    used, variables = base.arrays.used, base.variables
    return sorted(range(len(variables)), key=lambda j: (j not in used, -variables[j].importance))


def checked_pair(base: RuleBase, inputs: Sequence[str]) -> list[int]:
    """The indices of two inputs given by name."""
    given = [] if isinstance(inputs, str) else [input_index(base, name) for name in inputs]
    numbers = [j for j, variable in enumerate(base.variables) if variable.kind == "number"]
    if len(given) != 2 or len(set(given) & set(numbers)) != 2:
        suitable = listed(base.variables[j].name for j in numbers)
        wanted = f"two different inputs that are numbers, of {suitable}"
        raise ValueError(f"inputs must be {wanted}; got {quoted(inputs)}.")
    return given


def held_values(base: RuleBase, pair: Sequence[int], at: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each input that is not drawn, by name, the most important first."""
    for name in at:
        if input_index(base, name) in pair:
            raise ValueError(
                f"at must name inputs that are not drawn, got {quoted(name)}, which is."
            )
    others = [base.variables[j] for j in by_importance(base) if j not in pair]
    return {variable.name: at.get(variable.name, variable.typical) for variable in others}


def grid_table(
    base: RuleBase, pair: Sequence[int], held: Mapping[str, Any], across: Array, upwards: Array
) -> Any:
    """All inputs at every point of the grid, shape (n_upwards * n_across, inputs)."""
    first, second = np.meshgrid(across, upwards)
    row = [held.get(variable.name) for variable in base.variables]
    plain = all(variable.kind == "number" for variable in base.variables)
    table = np.empty((first.size, len(row)), dtype=float if plain else object)
    table[:] = row
    table[:, pair[0]], table[:, pair[1]] = first.ravel(), second.ravel()
    return table


def covered_by_rules(base: RuleBase, table: Any) -> Mask:
    """Whether the rules cover points as they do at least one in a hundred training rows."""
    return np.asarray(base.coverage(table) > RARE)


def near_rows(points: Array, rows: DrawnRows, spans: Array) -> Mask:
    """Whether a row is near each point, both of two inputs, (points, 2), by the inputs' ranges."""
    known = rows.values[np.isfinite(rows.values).all(axis=1)]
    if not len(known):
        return np.ones(len(points), dtype=bool)
    distances, _ = KDTree(known / spans).query(points / spans)
    return np.asarray(distances <= NEAR)
