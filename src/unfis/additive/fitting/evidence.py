"""What the rows show of each rule, and how many of the folds' models have it too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from unfis.additive.fitting.all_rows import degree_sums, rule_sums
from unfis.additive.fitting.fit import SearchedRows
from unfis.additive.fitting.rows import AllRows, added
from unfis.additive.rules import Rule, RuleModel
from unfis.arrays import Array

ALIKE = 0.8  # correlation of degrees from which rules are alike


class Evidence(NamedTuple):
    """What is known of a rule."""

    rows: float  # where it holds: the sum of its degrees by weight
    mean: float  # of the targets there: the share of its class, or the mean number
    walks: int  # the folds whose model has it, or one like it
    of: int  # the number of folds
    other_rows: float = 0.0  # where it does not hold: the sum of 1 - degree by weight
    other_mean: float = float("nan")  # of the targets there

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return self.rows + self.other_rows

    @property
    def overall(self) -> float:
        """The mean of the targets of all rows; NaN if not known."""
        return (self.rows * self.mean + self.other_rows * self.other_mean) / self.total


def is_contrary(rule: Rule, evidence: Evidence) -> bool:
    """Whether a rule's own rows show the contrary of its points.

    They do where its class is rarer (or the number smaller) than elsewhere though its points are
    positive, or the other way round. Such a rule is true only given the others.
    """
    return rule.points * (evidence.mean - evidence.other_mean) < 0


def evidence_of(
    model: RuleModel, folds: Sequence[RuleModel], searched: SearchedRows, rows: AllRows
) -> tuple[Evidence, ...]:
    """What all rows show of each rule; the folds' models are compared on the searched ones."""
    work = partial(rule_sums, rules=model.rules, link=model.link)
    (sums,) = rows.joined(work, added)
    evidence = []
    for rule, found in zip(model.rules, sums, strict=True):
        walks = sum(is_found(rule, fold, searched.values, searched.weights) for fold in folds)
        evidence.append(of_sums(found, walks, len(folds)))
    return tuple(evidence)


def rule_evidence(rule: Rule, values: Array, members: Array, weights: Array) -> Evidence:
    """What rows show of a rule; `members` are 1 for its class and 0 for others, or numbers."""
    return of_sums(degree_sums(rule.degrees(values), members, weights), 0, 0)


def of_sums(sums: Array, walks: int, of: int) -> Evidence:
    """What sums of degrees show of a rule."""
    held, other, members, others = sums.tolist()
    mean = members / held if held > 0 else float("nan")
    return Evidence(held, mean, walks, of, other, others / other if other > 0 else mean)


def is_found(rule: Rule, fold: RuleModel, values: Array, weights: Array) -> bool:
    """Whether a fold's model has a rule of the same inputs that holds for much the same rows.

    A rule that holds elsewhere, with points of the other sign, is alike too.
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
