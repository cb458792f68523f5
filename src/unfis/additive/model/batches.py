"""More rows for a fitted model: its rules stay, their points learn on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from unfis.additive.fitting.evidence import Evidence, rule_evidence
from unfis.additive.fitting.rows import LocalRows
from unfis.additive.model.edit import Rows
from unfis.additive.model.estimate import MOST_PARAMETERS

if TYPE_CHECKING:
    from unfis.additive.model.fitted import FittedModel


def after_batch(model: FittedModel, rows: Rows) -> FittedModel:
    """The model with points that rows were learned into, held near what it knew before.

    The sets and intervals stay calibrated by the rows of the fit.
    """
    if model.estimate is None or model.ranges is None:
        raise ValueError(
            f"partial_fit needs a model of at most {MOST_PARAMETERS} starts and points; got "
            f"{len(model.rules.start) + len(model.rules.rules)}. Fit anew with fewer max_rules."
        )
    estimate = model.estimate.with_rows(
        model.rules, model.fixed, model.constraints, LocalRows(*rows)
    )
    rules = estimate.model(model.rules, model.fixed, whole=model.settings["points"] == "whole")
    evidence = tuple(
        with_more(one, rule_evidence(rule, rows.values, members, rows.weights))
        for one, rule in zip(model.evidence, rules.rules, strict=True)
        for members in [rows.targets == rule.output if rules.link == "softmax" else rows.targets]
    )
    count = model.origin.rows + len(rows.targets)
    return replace(
        model, rules=rules, estimate=estimate, evidence=evidence, path=(),
        ranges=model.ranges.with_rows(rows.values),
        origin=replace(model.origin, rows=count, fingerprint=""),
    )  # fmt: skip


def with_more(one: Evidence, other: Evidence) -> Evidence:
    """What two sets of rows show of a rule together."""
    rows, other_rows = one.rows + other.rows, one.other_rows + other.other_rows
    return one._replace(
        rows=rows,
        mean=mean_of(one.mean, one.rows, other.mean, other.rows),
        other_rows=other_rows,
        other_mean=mean_of(one.other_mean, one.other_rows, other.other_mean, other.other_rows),
    )


def mean_of(one: float, weight: float, other: float, more: float) -> float:
    """The mean of two means by weight; those without rows are not known."""
    total = weight + more
    if not total > 0:
        return one
    return float((np.nan_to_num(one) * weight + np.nan_to_num(other) * more) / total)
