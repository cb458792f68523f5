"""The model that a person reads in the print: every number as it is written there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unfis.rules import Condition, RuleModel, Trapezoid, Unknown
from unfis.text.names import Names
from unfis.text.numbers import number_words
from unfis.text.words import Ends, whole_ends


def printed_model(model: RuleModel, names: Names) -> RuleModel:
    """The same model, computed from the numbers in its print."""
    rules = tuple(
        replace(
            rule,
            conditions=tuple(printed_condition(one, names) for one in rule.conditions),
            points=printed_number(rule.points),
        )
        for rule in model.rules
    )
    unit, start = model.unit, tuple(map(printed_number, model.start))
    if rules and model.link != "identity":  # the print has the factor of a point
        sign = -1.0 if model.link == "softmax" else 1.0
        unit = sign * float(np.log(printed_number(float(np.exp(sign * unit)))))
    if rules and model.link == "exp":  # and what is expected at 0 points
        base = printed_number(float(np.exp(model.unit * model.start[0])))
        start = (float(np.log(base)) / unit,)
    return replace(model, rules=rules, start=start, unit=unit)


def printed_condition(condition: Condition, names: Names) -> Condition:
    """A condition by the numbers in its words."""
    if isinstance(condition, Unknown):
        return condition
    unknown = condition.unknown
    if 0 < unknown < 1:
        unknown = printed_number(round(100 * unknown, 9)) / 100
    if not isinstance(condition, Trapezoid):
        return replace(condition, unknown=unknown)
    j, ends = condition.input, Ends(condition.a, condition.b, condition.c, condition.d)
    pair = names.pair(j)
    if pair and sorted(condition.degrees(np.array(pair)).tolist()) == [0.0, 1.0]:
        return replace(condition, unknown=unknown)  # its words are one of the two values
    a, b, c, d = map(printed_number, whole_ends(ends) if names.is_whole(j) else ends)
    return Trapezoid(j, a, b, c, d, unknown)


def printed_number(number: float) -> float:
    """A number as it is read from its words."""
    return float(number_words(number).replace(",", "")) if np.isfinite(number) else number
