"""What rules add: to the sums of rows, and over all rows as the importance of inputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unfis.arrays import Array
from unfis.fitting.evidence import Evidence
from unfis.rules import Rule, RuleModel
from unfis.rules.model import BLOCK_ROWS


def contributions(model: RuleModel, values: Array) -> Array:
    """points_i * degree_i(x) of each rule for rows of values, (rows, rules).

    The start of an output and what its rules add, in their order, is `points` to the last digit.
    """
    found = np.empty((len(values), len(model.rules)))
    for first in range(0, len(values), BLOCK_ROWS):
        block = slice(first, first + BLOCK_ROWS)
        for n, rule in enumerate(model.rules):
            found[block, n] = rule.points * rule.degrees(values[block])
    return found


def rules_by_inputs(rules: Sequence[Rule], output: int) -> dict[tuple[int, ...], list[int]]:
    """The places of the rules of an output, by the inputs that they look at together."""
    found: dict[tuple[int, ...], list[int]] = {}
    for n, rule in enumerate(rules):
        if rule.output == output:
            found.setdefault(tuple(sorted(set(rule.inputs))), []).append(n)
    return found


def importances(rules: Sequence[Rule], evidence: Sequence[Evidence], inputs: int) -> Array:
    """The importance of each input: the points by which its rules set rows apart, (inputs,).

    sum_i |points_i| * 2 m_i (1 - m_i) over the rules of an input, m_i being the mean of degree_i
    over the training rows. For a sharp rule this is the mean absolute deviation of what it adds,
    for a gradual one the most that this can be. A rule of several inputs counts for each in equal
    parts.
    """
    found = np.zeros(inputs)
    for rule, one in zip(rules, evidence, strict=True):
        mean = one.rows / one.total
        own = sorted(set(rule.inputs))
        found[own] += abs(rule.points) * 2 * mean * (1 - mean) / len(own)
    return found
