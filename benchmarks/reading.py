"""What there is to read in rules, and how true it is: numbers of one RuleModel."""

from typing import Any

import numpy as np

from unfis.model.audit import contrary_rules, rules_in_part
from unfis.rules import Kinds, RuleModel, Trapezoid

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
        "partly held": rules_in_part(model, others),
        "wide": 100 * wide_share(model, values),
        "against": float(len(contrary_rules(model, values, targets, np.ones(len(values))))),
        "conditions per input": conditions_per_input(model),
    }
