"""The rules for the page: in words, with their pictures, and what answers what-if by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.app.report.pictures import histogram, set_curve
from unfis.data.samples import evenly_spaced
from unfis.export.javascript import model_data
from unfis.model.fitted import FittedModel
from unfis.rules import Rule, RuleBase, Variable, importances, read_rules
from unfis.rules.explain.shapley import MOST_EXACT, drawn_orders
from unfis.rules.text.explanation import (
    HARDLY,
    LEAST_TOLD,
    LITTLE,
    MATTERS,
    MOST_OF_THE_DECISION,
    RARE,
)
from unfis.rules.text.numbers import rounded
from unfis.rules.text.operating_point import reason_words
from unfis.rules.text.points import PointsWords
from unfis.rules.text.render import connected, notes_of
from unfis.rules.text.sentences import rules_in_words
from unfis.rules.text.words import category_name, visible
from unfis.ties import LEAST_LIKELIHOOD, SIGNIFICANT_DIGITS, ranked

# So many rows are enough for a histogram and for what inputs are worth.
ENOUGH_FOR_PICTURES = 10_000
# So many classes are shown of a rule.
MOST_CLASSES = 8
# So many inputs are ranked.
MOST_RANKED = 12
# Of so many classes points have bars: of more there is no room.
MOST_BARRED = 3
# Less than this is told by this.
LEAST_LOSS = 0.0001
# How sure the sets of classes are that the page tells.
CONFIDENCE = 0.95
# A slider has at most about so many positions.
POSITIONS = 200


def rule_cards(base: RuleBase) -> list[dict[str, Any]]:
    """Each rule in words, with its sets, and of many classes only the most probable ones."""
    classes = np.arange(len(base.classes))
    cards: list[dict[str, Any]] = []
    for rule, words in zip(base.rules, rules_in_words(base), strict=True):
        shown = classes
        if len(classes) > MOST_CLASSES + 1:
            shown = ranked(-np.array(rule.probabilities))[:MOST_CLASSES]
        cards.append(
            {
                "words": words,
                "title": words.title,
                "bars": bar_lengths(words.points) if words.points else [],
                "conditions": connected(words.conditions),
                "notes": notes_of(words),
                "pictures": condition_pictures(rule, base) if words.conditions else [],
                "classes": [(*words.classes[c], rule.probabilities[c]) for c in shown],
                "more": len(classes) - len(shown),
            }
        )
    return cards


def bar_lengths(points: PointsWords) -> list[list[float]]:
    """The lengths of the bars of each line, beside the longest of all; the start's have none."""
    if len(points.classes) > MOST_BARRED and not points.listed:
        return []
    lines = [[] if name else row.sizes for name, row in points.lines]
    lines = lines or [[], *(row.sizes for row in points.rows[1:])]
    largest = max((abs(size) for sizes in lines for size in sizes), default=0.0) or 1.0
    return [[size / largest for size in sizes] for sizes in lines]


def condition_pictures(rule: Rule, base: RuleBase) -> list[dict[str, Any]]:
    """The fuzzy sets of a rule's conditions: a curve, or how far each category fulfils it."""
    variables = base.by_name
    indices = {base.variables[j].name: index for index, j in enumerate(base.arrays.used)}
    return [
        {
            "number": number,
            "input": indices[condition.input],
            "term": visible(condition.term),
            "curve": "" if condition.degrees else set_curve(condition, variables[condition.input]),
            "degrees": condition.degrees,
        }
        for number, condition in enumerate(rule.conditions)
        if condition.term
    ]


def histograms(answers: TableAnswers) -> list[str]:
    """For each used input how its values lie in these rows; "" of categories, and without rows."""
    if not answers.shows_rows:
        return ["" for _ in answers.base.arrays.used]
    rows = evenly_spaced(len(answers.values), ENOUGH_FOR_PICTURES)
    used = zip(answers.base.arrays.used, answers.base.arrays.variables, strict=True)
    return [
        "" if variable.categories else histogram(answers.values[rows, j], variable)
        for j, variable in used
    ]


def importance_table(answers: TableAnswers) -> dict[str, Any]:
    """What the inputs are worth: on these rows if their classes are known, else in training."""
    base, labels = answers.base, answers.base.labels
    costs = {j: base.variables[j].importance for j in base.arrays.used}
    if answers.codes is not None:
        rows = evenly_spaced(len(answers.values), ENOUGH_FOR_PICTURES)
        found = base.arrays.evaluate(answers.values[rows])
        costs = importances(base.arrays, found, answers.codes[rows], np.ones(len(rows)))
    used = list(costs)
    order = [used[i] for i in ranked([-costs[j] for j in used])]
    largest = max([abs(cost) for cost in costs.values()], default=0.0) or 1.0
    return {
        "here": answers.codes is not None,
        "inputs": [
            (labels[base.variables[j].name], loss_words(costs[j]), max(0.0, costs[j]) / largest)
            for j in order[:MOST_RANKED]
        ],
        "more": len(order) - MOST_RANKED,
    }


def loss_words(loss: float) -> str:
    """A loss in two digits at least, however small it is; 0 only of nothing, up to rounding."""
    if abs(loss) < LEAST_LOSS:
        return "0" if abs(loss) <= 1e-12 else f"under {LEAST_LOSS}"
    return rounded(loss, max(2, 1 - math.floor(math.log10(abs(loss)))))


def reading_words(answers: TableAnswers) -> list[str]:
    """How true the rules are as they read, on these rows; nothing if their classes are unknown."""
    if answers.codes is None:
        return []
    rows = evenly_spaced(len(answers.values), ENOUGH_FOR_PICTURES)
    shown = answers.values[rows], answers.codes[rows], np.ones(len(rows))
    return read_rules(answers.base, *shown).sentences()


def controls(base: RuleBase) -> list[dict[str, Any]]:
    """What each control is called, and what it offers."""
    return [
        {
            "label": base.labels[variable.name],
            "name": visible(variable.name),
            "unit": variable.unit and visible(variable.unit),
            "low": rounded(variable.lowest, variable.decimals),
            "high": rounded(variable.highest, variable.decimals),
            "categories": [visible(category_name(one)) for one in variable.categories],
        }
        for variable in base.arrays.variables
    ]


def page_data(
    answers: TableAnswers, offered: Sequence[dict[str, Any]], presets: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """What the page's script reads."""
    base, used = answers.base, len(answers.base.arrays.used)
    names = {"labels": "label", "names": "name", "units": "unit", "categories": "categories"}
    made = model_data(base)
    if not answers.shows_rows:
        for variable in made["base"]["variables"]:  # values of training rows that no script reads
            variable["cuts"] = variable["levels"] = []
    return {
        **made,
        "limits": {
            "rare": RARE,
            "little": LITTLE,
            "matters": MATTERS,
            "hardly": HARDLY,
            "half": MOST_OF_THE_DECISION,
            "least": LEAST_TOLD,
        },
        "words": {
            "classes": answers.class_names,
            "reason": reason_words(base) if base.costs else "",
            **{words: [control[name] for control in offered] for words, name in names.items()},
            "terms": [[c.term and visible(c.term) for c in rule.conditions] for rule in base],
        },
        "doubt": doubt_data(answers.model.model_),
        "sliders": [slider_steps(variable) for variable in base.arrays.variables],
        "presets": list(presets),
        # In which inputs get known, where there are too many for all sets of them.
        "orders": drawn_orders(used).tolist() if used > MOST_EXACT else [],
    }


def doubt_data(model: FittedModel) -> dict[str, Any] | None:
    """How probable classes must be to be in a row's set; None if the model cannot tell sets."""
    if model.held_out is None:
        return None
    return {
        "thresholds": model.conformal(CONFIDENCE).thresholds.tolist(),
        "confidence": CONFIDENCE,
        "digits": SIGNIFICANT_DIGITS,
        "least": LEAST_LIKELIHOOD,
    }


def presets_of(answers: TableAnswers, rows: Sequence[int]) -> list[dict[str, Any]]:
    """What to begin with: the row of every input's typical value, and rows of the table."""
    used = answers.base.arrays.variables
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
    step = max(10.0**-variable.decimals, rounded_up((high - low) / POSITIONS))
    return {
        "step": step,
        "first": math.floor(low / step) + 1,
        "last": math.ceil(high / step) - 1,
        "decimals": max(0, -math.floor(math.log10(step) + 1e-9)),
    }


def rounded_up(value: float) -> float:
    """The next 1, 2 or 5 with zeros that is not less; 0 for 0."""
    if value <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= value * (1 - 1e-9))
