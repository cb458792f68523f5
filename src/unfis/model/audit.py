"""Audit: whether rules are what they say, on rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.fitting.evidence import Evidence, is_contrary, rule_evidence
from unfis.model.edit import Rows
from unfis.rules import RuleModel
from unfis.text import Names
from unfis.text.numbers import number_words, percent, rounded_words
from unfis.text.printed import printed_model

SAME = 0.005  # half of a per cent, or of the deviation of predictions
PARTLY = (0.05, 0.95)  # degrees between which a rule holds in part


@dataclass(frozen=True)
class Audit:
    """What a check of the rules on rows has found; `print` it."""

    rows: int
    by_hand: float  # the share of rows where the printed numbers give the prediction
    rules: int
    contrary: int  # rules whose own rows show the contrary of their points
    folds: int  # how many folds there were
    in_all_folds: int  # rules that every fold's model has too
    in_half: int  # rules that at least half of the folds' models have too
    hold: float  # rules that hold for a row, on average
    in_part: float  # rules that hold in part for a row, on average

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [
            f"The print gives the prediction on {percent(self.by_hand)} of "
            f"{number_words(self.rows)} rows.",
            f"{self.contrary} of {self.rules} rules say the contrary of their own rows.",
            f"{self.in_all_folds} of {self.rules} rules were found in all {self.folds} folds, "
            f"{self.in_half} in at least half of them.",
            f"For a row {rounded_words(self.hold, 2)} rules hold on average, "
            f"{rounded_words(self.in_part, 2)} of them in part.",
        ]
        return "\n".join(lines if self.folds else [*lines[:2], *lines[3:]])


def audit_of(model: RuleModel, names: Names, evidence: Sequence[Evidence], rows: Rows) -> Audit:
    """The check of a model on rows, given what its fit showed of each rule."""
    answers = model.predictions(rows.values)
    by_hand = printed_model(model, names).predictions(rows.values)
    size = 1.0 if answers.ndim > 1 else float(np.std(answers)) or 1.0
    off = np.abs(by_hand - answers).reshape(len(answers), -1).max(axis=1)
    found = [one.walks for one in evidence]
    folds = max((one.of for one in evidence), default=0)
    return Audit(
        len(answers),
        float(np.mean(off <= SAME * size)),
        len(model.rules),
        len(contrary_rules(model, *rows)),
        folds,
        sum(walks == folds for walks in found),
        sum(2 * walks >= folds for walks in found),
        float((model.degrees(rows.values) > 0).sum() / len(answers)),
        rules_in_part(model, rows.values),
    )


def contrary_rules(model: RuleModel, values: Array, targets: Array, weights: Array) -> list[int]:
    """The places of rules whose own rows show the contrary of what their points say."""
    found = []
    for n, rule in enumerate(model.rules):
        members = 1.0 * (targets == rule.output) if model.link == "softmax" else targets
        if is_contrary(rule, rule_evidence(rule, values, members, weights)):
            found.append(n)
    return found


def rules_in_part(model: RuleModel, values: Array) -> float:
    """How many rules hold in part, on average over rows."""
    degrees = model.degrees(values)
    return float(((degrees > PARTLY[0]) & (degrees < PARTLY[1])).sum(axis=0).mean())
