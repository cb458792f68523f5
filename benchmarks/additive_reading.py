"""What there is to read in rules that add up, and how true it is: numbers of one RuleModel."""

from typing import Any

import numpy as np

from unfis.additive.rules import Kinds, RuleModel, Trapezoid

PARTLY = (0.05, 0.95)  # degrees between which a rule holds partly
WIDE = 0.5  # of the rows that an edge spans
Values = np.ndarray


def parts_of(model: RuleModel) -> int:
    """Numbers and kinds to read in the conditions: a band has two, a set of kinds its kinds."""
    return sum(parts_of_condition(one) for rule in model.rules for one in rule.conditions)


def parts_of_condition(condition: Any) -> int:
    """As many as it has edges or kinds; one that a value is unknown."""
    if isinstance(condition, Trapezoid):
        return len(condition.edges)
    return len(condition.kinds) if isinstance(condition, Kinds) else 1


def at_most_parts(model: Any, parts: int) -> int:
    """The length of the longest model on a path that has no more parts."""
    return max(n for n, one in enumerate(model.model_.path) if parts_of(one) <= parts)


def partly_held(model: RuleModel, values: Values) -> float:
    """How many rules hold partly, on average over rows."""
    degrees = model.degrees(values)
    return float(((degrees > PARTLY[0]) & (degrees < PARTLY[1])).sum(axis=0).mean())


def wide_share(model: RuleModel, values: Values) -> float:
    """The share of the rules with an edge that spans more than half of the rows."""
    wide = [
        any(
            edge_share(edge, values[:, one.input]) > WIDE
            for one in rule.conditions
            if isinstance(one, Trapezoid)
            for edge in one.edges
        )
        for rule in model.rules
    ]
    return float(np.mean(wide)) if wide else 0.0


def edge_share(edge: tuple[float, float], column: Values) -> float:
    """The share of the known values of an input that lie inside an edge."""
    known = column[~np.isnan(column)]
    return float(((known > edge[0]) & (known < edge[1])).mean()) if len(known) else 0.0


def against_rows(model: RuleModel, values: Values, targets: Values) -> int:
    """The rules whose own rows show the contrary of what their points say.

    `targets` are codes of classes, or numbers. A rule's rows count by its degrees; of two classes
    its points are for the second.
    """
    found = 0
    for rule, degrees in zip(model.rules, model.degrees(values), strict=True):
        shown = targets == (rule.output if model.link == "softmax" else 1)
        shown = shown if model.link in ("softmax", "logistic") else targets
        if degrees.sum() > 0:
            more = np.average(shown, weights=degrees) - np.mean(shown)
            found += int(rule.points * more < 0)
    return found


def conditions_per_input(model: RuleModel) -> float:
    """Distinct conditions by distinct inputs in them; 1 of a model without rules."""
    conditions = {one for rule in model.rules for one in rule.conditions}
    return len(conditions) / len({one.input for one in conditions}) if conditions else 1.0


def inputs_of(model: RuleModel) -> list[int]:
    """The inputs that any rule looks at."""
    return sorted({one.input for rule in model.rules for one in rule.conditions})


def readings(model: RuleModel, values: Values, targets: Values, others: Values) -> dict[str, float]:
    """All of these on the rows that were learned from; what holds partly also on others."""
    return {
        "parts": float(parts_of(model)),
        "partly held": partly_held(model, others),
        "wide": 100 * wide_share(model, values),
        "against": float(against_rows(model, values, targets)),
        "conditions per input": conditions_per_input(model),
    }
