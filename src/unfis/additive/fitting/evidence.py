"""What the rows show of each rule, and in how many of the folds' walks it was found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unfis.additive.fitting.fit import FittedRules
from unfis.additive.rules import Rule, RuleModel
from unfis.arrays import Array

ALIKE = 0.8  # correlation of degrees from which rules are alike


class Evidence(NamedTuple):
    """What is known of a rule."""

    rows: float  # that hold it: the sum of its degrees by weight
    mean: float  # of the targets of those: the share of its class, or the mean number
    walks: int  # that found it, or one like it
    of: int  # so many


def evidence_of(
    found: FittedRules, values: Array, targets: Array, weights: Array
) -> list[Evidence]:
    """The evidence of each rule of the chosen model; walks are compared on the searched rows."""
    model, folds = found.model, [fold[found.length] for fold in found.folds]
    searched, shares = values[found.rows], weights[found.rows]
    evidence = []
    for rule in model.rules:
        held = weights * rule.degrees(values)
        members = targets == rule.output if model.link == "softmax" else targets
        mean = float(held @ members / max(held.sum(), 1e-300))
        walks = sum(is_found(rule, fold, searched, shares) for fold in folds)
        evidence.append(Evidence(float(held.sum()), mean, walks, len(folds)))
    return evidence


def is_found(rule: Rule, fold: RuleModel, values: Array, weights: Array) -> bool:
    """Whether a fold's model has a rule of the same inputs that holds for much the same rows.

    Of one output its complement says the same.
    """
    for other in fold.rules:
        if set(other.inputs) == set(rule.inputs) and other.output == rule.output:
            alike = correlation(rule.degrees(values), other.degrees(values), weights)
            if alike * np.sign(rule.points * other.points) >= ALIKE:
                return True
    return False


def correlation(one: Array, other: Array, weights: Array) -> float:
    """The correlation of two columns by weight; 0 where one is constant."""
    shares = weights / weights.sum()
    one, other = one - shares @ one, other - shares @ other
    spread = float(np.sqrt((shares @ one**2) * (shares @ other**2)))
    return float(shares @ (one * other)) / spread if spread > 1e-12 else 0.0
