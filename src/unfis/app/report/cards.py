"""The rules for the page: in words, with their pictures, and what answers what-if by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.app.report.pictures import histogram, set_curve
from unfis.export.javascript import model_data, used_variables
from unfis.rules import Condition, Rule, RuleBase, Variable, importances
from unfis.rules.text.explanation import LITTLE, MATTERS, RARE
from unfis.rules.text.numbers import rounded
from unfis.rules.text.render import connected
from unfis.rules.text.terms import ANYTHING
from unfis.rules.text.words import (
    RuleWords,
    category_name,
    class_name,
    labels_of,
    rules_in_words,
    visible,
)
from unfis.ties import ranked

# So many rows are enough for a histogram and for what inputs are worth.
ENOUGH_FOR_PICTURES = 10_000
# So many classes are shown of a rule.
MOST_CLASSES = 8
# So many inputs are ranked.
MOST_RANKED = 12
# A slider has at most about so many positions.
POSITIONS = 200


def rule_cards(base: RuleBase) -> list[dict[str, Any]]:
    """Each rule in words, with what its pictures need."""
    used = used_variables(base)
    indices = {variable.name: j for j, variable in enumerate(used)}
    cards = []
    for rule, words in zip(base.rules, rules_in_words(base), strict=True):
        own = [(condition, indices[condition.input]) for condition in rule.conditions]
        pictured = [condition_picture(condition, j, used[j]) for condition, j in own]
        cards.append(
            {
                "title": words.title,
                "support": words.support,
                "conditions": connected(words.conditions),
                "pictures": pictured if words.conditions else [],
                "conclusion": words.conclusion,
                **rule_classes(rule, words),
            }
        )
    return cards


def rule_classes(rule: Rule, words: RuleWords) -> dict[str, Any]:
    """What a rule says of the classes, of many only the most probable ones."""
    classes = [(*parts, p) for parts, p in zip(words.classes, rule.probabilities, strict=True)]
    more = len(classes) - MOST_CLASSES
    if more > 1:
        order = ranked(-np.array(rule.probabilities))[:MOST_CLASSES]
        classes = [classes[c] for c in order]
    return {"classes": classes, "more": more if more > 1 else 0}


def condition_picture(condition: Condition, index: int, variable: Variable) -> dict[str, Any]:
    """A condition's fuzzy set: a curve, or how far each category fulfils it."""
    unit = f" {visible(variable.unit)}" if variable.unit else ""
    picture: dict[str, Any] = {"input": index, "term": visible(condition.term), "unit": unit}
    if variable.categories:
        names = category_words(variable)
        degrees = [(name, d, f"{d:.2f}") for name, d in zip(names, condition.degrees, strict=True)]
        return {**picture, "curve": "", "degrees": degrees}
    ends = (rounded(end, variable.decimals) for end in (variable.lowest, variable.highest))
    picture["low"], picture["high"] = ends
    return {**picture, "curve": set_curve(condition, variable), "degrees": []}


def histograms(answers: TableAnswers) -> list[str]:
    """For each used input how its values lie in these rows; "" of categories."""
    rows = spaced_rows(len(answers.values))
    used = zip(answers.base.arrays.used, used_variables(answers.base), strict=True)
    return [
        "" if variable.categories else histogram(answers.values[rows, j], variable)
        for j, variable in used
    ]


def importance_table(answers: TableAnswers) -> dict[str, Any]:
    """What the inputs are worth: on these rows if their classes are known, else in training."""
    base = answers.base
    labels = labels_of(base.variables)
    costs = {j: base.variables[j].importance for j in base.arrays.used}
    if answers.codes is not None:
        rows = spaced_rows(len(answers.values))
        found = base.arrays.evaluate(answers.values[rows])
        costs = importances(base.arrays, found, answers.codes[rows], np.ones(len(rows)))
    used = list(costs)
    order = [used[i] for i in ranked([-costs[j] for j in used])]
    largest = max([abs(cost) for cost in costs.values()], default=0.0) or 1.0
    return {
        "here": answers.codes is not None,
        "inputs": [
            (labels[base.variables[j].name], rounded(costs[j], 2), max(0.0, costs[j]) / largest)
            for j in order[:MOST_RANKED]
        ],
        "more": len(order) - MOST_RANKED,
    }


def spaced_rows(count: int) -> Any:
    """All rows, or evenly spaced ones of very many."""
    return np.linspace(0, count - 1, min(count, ENOUGH_FOR_PICTURES)).round().astype(np.intp)


def controls(base: RuleBase) -> list[dict[str, Any]]:
    """What each control is called, and what it offers."""
    labels = labels_of(base.variables)
    return [
        {
            "label": labels[variable.name],
            "name": visible(variable.name),
            "unit": visible(variable.unit) if variable.unit else "",
            "number": not variable.categories,
            "fixed": variable.lowest >= variable.highest,
            "low": rounded(variable.lowest, variable.decimals),
            "high": rounded(variable.highest, variable.decimals),
            "categories": category_words(variable),
        }
        for variable in used_variables(base)
    ]


def page_data(base: RuleBase, presets: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the page's script reads."""
    offered = controls(base)
    names = {"labels": "label", "names": "name", "units": "unit", "categories": "categories"}
    return {
        **model_data(base),
        "limits": {"rare": RARE, "little": LITTLE, "matters": MATTERS, "anything": ANYTHING},
        "words": {
            "classes": [class_name(label) for label in base.classes],
            **{words: [control[name] for control in offered] for words, name in names.items()},
            "terms": [[visible(c.term) for c in rule.conditions] for rule in base],
        },
        "sliders": [slider_steps(variable) for variable in used_variables(base)],
        "presets": list(presets),
    }


def category_words(variable: Variable) -> list[str]:
    """The categories of an input in words."""
    return [visible(category_name(category)) for category in variable.categories]


def presets_of(answers: TableAnswers, rows: Sequence[int]) -> list[dict[str, Any]]:
    """What to begin with: the row of every input's typical value, and rows of the table."""
    used = used_variables(answers.base)
    typical = [v.categories.index(v.typical) if v.categories else v.typical for v in used]
    kinds = [int if variable.categories else float for variable in used]
    presets = [{"name": "a typical row", "values": typical}]
    for row in rows:
        own = zip(kinds, answers.values[row, answers.base.arrays.used], strict=True)
        values = [None if np.isnan(value) else kind(value) for kind, value in own]
        presets.append({"name": f"row {answers.numbers[row]}", "values": values})
    return presets


def slider_steps(variable: Variable) -> dict[str, Any] | None:
    """The values of a number's slider: its ends, and round values between them."""
    if variable.categories:
        return None
    low, high = variable.lowest, variable.highest
    finest = 10.0**-variable.decimals
    step = max(finest, rounded_up((high - low) / POSITIONS))
    first = math.floor(low / step) + 1
    return {
        "step": step,
        "first": first,
        "last": math.ceil(high / step) - 1,
        "decimals": max(0, -math.floor(math.log10(step) + 1e-9)),
    }


def rounded_up(value: float) -> float:
    """The next 1, 2 or 5 with zeros that is not less; 0 for 0."""
    if value <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= value * (1 - 1e-9))
