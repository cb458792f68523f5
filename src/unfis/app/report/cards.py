"""The rules for the page: in words, with the coordinates of their pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.app.report.pictures import histogram, set_curve
from unfis.app.report.whatif import category_words
from unfis.export.javascript import used_variables
from unfis.rules import Condition, Rule, RuleBase, Variable, importances
from unfis.rules.text.numbers import rounded
from unfis.rules.text.render import connected
from unfis.rules.text.words import RuleWords, labels_of, rules_in_words, visible
from unfis.ties import ranked

# So many rows are enough for a histogram and for what inputs are worth.
ENOUGH_FOR_PICTURES = 10_000
# So many classes are shown of a rule.
MOST_CLASSES = 8
# So many inputs are ranked.
MOST_RANKED = 12


def rule_cards(base: RuleBase) -> list[dict[str, Any]]:
    """Each rule in words, with what its pictures need."""
    used = used_variables(base)
    places = {variable.name: j for j, variable in enumerate(used)}
    cards = []
    for rule, words in zip(base.rules, rules_in_words(base), strict=True):
        pictured = [
            condition_picture(condition, places[condition.input], used[places[condition.input]])
            for condition in rule.conditions
        ]
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


def condition_picture(condition: Condition, place: int, variable: Variable) -> dict[str, Any]:
    """A condition's fuzzy set: a curve, or how far each category fulfils it."""
    unit = f" {visible(variable.unit)}" if variable.unit else ""
    picture: dict[str, Any] = {"input": place, "term": visible(condition.term), "unit": unit}
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
    order = [used[place] for place in ranked([-costs[j] for j in used])]
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
    if count <= ENOUGH_FOR_PICTURES:
        return np.arange(count)
    return np.linspace(0, count - 1, ENOUGH_FOR_PICTURES).round().astype(np.intp)
