"""The print of a model: one line a rule, with points, evidence, and points to probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import numpy as np

from unfis.additive.fitting.evidence import Evidence
from unfis.additive.rules import Rule, RuleModel
from unfis.additive.text.words import Names, Wording, number_words

WIDTH = 80
SUMS = 9  # numbers in the table of probabilities
SHOWN = 0.02, 0.98  # probabilities that the table goes from and to


def listing(model: RuleModel, names: Names, evidence: Sequence[Evidence] = ()) -> str:
    """A model in words, at most 80 columns wide."""
    wording = Wording(model, names)
    shown: list[Evidence | None] = [*evidence] or [None] * len(model.rules)
    order = sorted(
        range(len(model.rules)), key=lambda n: (model.rules[n].output, -abs(model.rules[n].points))
    )
    lines = [headline(model, names)]
    columns = [
        (
            points_words(model.rules[n], model, names),
            "IF " + " AND ".join(wording.of(one) for one in model.rules[n].conditions),
            evidence_words(shown[n], model),
        )
        for n in order
    ]
    left = max((len(points) for points, _, _ in columns), default=0)
    right = max((len(words) for _, _, words in columns), default=0)
    room = WIDTH - left - right - 4
    for points, text, words in columns:
        parts = wrap(text, max(room, 20), subsequent_indent="   ")
        lines.append(f"{points:>{left}}  {parts[0]:{room}}  {words}".rstrip())
        lines += [" " * (left + 2) + part for part in parts[1:]]
    return "\n".join([*lines, *probabilities(model, names)])


def headline(model: RuleModel, names: Names) -> str:
    """What the points are for, and where they start."""
    if model.link == "logistic":
        return f"Points for {names.outputs[1]}, starting at {number_words(model.start[0])}"
    if model.link == "softmax":
        starts = zip(names.outputs, model.start, strict=True)
        listed = ", ".join(f"{name} {number_words(start)}" for name, start in starts)
        return f"The class with most points is the answer. They start at: {listed}"
    return f"{names.outputs[0]} starts at {number_words(model.start[0])}"


def points_words(rule: Rule, model: RuleModel, names: Names) -> str:
    """The points of a rule, and what they are for."""
    points = f"{rule.points:+.6g}"
    return f"{names.outputs[rule.output]} {points}" if model.link == "softmax" else points


def evidence_words(found: Evidence | None, model: RuleModel) -> str:
    """How many rows hold the rule, what they show, and in how many walks it was found."""
    if found is None:
        return ""
    shown = (
        f"{100 * found.mean:.0f} %"
        if model.link in ("logistic", "softmax")
        else f"{found.mean:.4g}"
    )
    return f"{found.rows:,.0f} rows: {shown}, in {found.walks} of {found.of}"


def probabilities(model: RuleModel, names: Names) -> list[str]:
    """A small table from sums of points to probabilities."""
    if model.link == "softmax":
        factor = np.exp(model.unit)
        return [f"One point more makes a class {factor:.3g} times as probable beside the others."]
    if model.link != "logistic":
        return []
    ends = [np.log(share / (1 - share)) / model.unit for share in SHOWN]
    step = max(1, round((ends[1] - ends[0]) / (SUMS - 1)))
    sums = step * np.arange(-(SUMS // 2), SUMS // 2 + 1)
    shares = 100 / (1 + np.exp(-model.unit * sums))
    heads = f"sum of points{'':>3}" + "".join(f"{one:>7d}" for one in sums)
    cells = "".join(f"{share:>5.0f} %" for share in shares)
    return ["", heads, f"{names.outputs[1][:15]:16}" + cells]
