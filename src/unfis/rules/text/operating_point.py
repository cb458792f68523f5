"""Where the answer changes, in words: what errors cost, from which probability or points on."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from unfis.data.costs import decision_threshold, regrets
from unfis.rules.plain_rules import PlainRules
from unfis.rules.points import starts_of
from unfis.rules.text.points import counted_class
from unfis.rules.text.words import class_name

# So many costs are named.
MOST_COSTS = 6
LEAST_COST = "it is expected to cost least"


def operating_words(base: PlainRules) -> list[str]:
    """Where the answer is another than the most probable class; nothing if that is nowhere."""
    if not base.costs:
        return []
    beyond = regrets(base.costs)
    if np.ptp(beyond[~np.eye(len(beyond), dtype=bool)]) <= 1e-9 * beyond.max():
        return []  # all errors cost the same
    if len(base.classes) == 2:
        return [
            f"The answer is {class_name(favoured(base))} {from_words(base)}: {reason_words(base)}."
        ]
    return [f"The answer is the class that is expected to cost least: {cost_words(base)}."]


def reason_words(base: PlainRules) -> str:
    """Why the answer may be another than the most probable class."""
    if len(base.classes) != 2:
        return LEAST_COST
    threshold = min(decision_threshold(base.costs, c) for c in range(2))
    alarms = (1 - threshold) / threshold
    times = f"{alarms:,.0f}" if alarms >= 100 else f"{alarms:.3g}"
    return f"a missed {class_name(favoured(base))} counts as much as {times} false alarms"


def favoured(base: PlainRules) -> object:
    """Of two classes the one that is answered although the other is more probable."""
    return base.classes[int(decision_threshold(base.costs, 1) < 0.5)]


def from_words(base: PlainRules) -> str:
    """From which probability on that class is the answer, of a single scorecard from which sum."""
    c = base.classes.index(favoured(base))
    threshold = decision_threshold(base.costs, c)
    share = f"from {100 * threshold:.2g} % on"
    if len(base) > 1 or not base[0].effects:
        return share
    rule, counted = base[0], counted_class(base)
    unit, measure = rule.unit or 1.0, "points" if rule.unit else "log-odds"
    # The start is printed whole, and what it lacks is in the scale alone.
    start = starts_of(rule, base, 1 - counted)[counted] / unit
    lacking = start - round(start) if rule.unit else 0.0
    odds = math.log(threshold / (1 - threshold)) * (1 if c == counted else -1)
    side = "above" if c == counted else "below"
    return f"{side} {odds / unit - lacking:.2f} {measure} ({share})"


def cost_words(base: PlainRules) -> str:
    """What errors of several classes cost, those that differ from the usual."""
    beyond, names = regrets(base.costs), [class_name(label) for label in base.classes]
    others = [(c, k) for c in range(len(names)) for k in range(len(names)) if c != k]
    usual = Counter(beyond[pair] for pair in others).most_common(1)[0][0]
    told = []
    for c, name in enumerate(names):
        missed = np.delete(beyond[c], c)
        if np.ptp(missed) == 0:
            told += [f"missing {name} costs {missed[0]:.3g}"] if missed[0] != usual else []
            continue
        told += [
            f"{name} answered {names[k]} costs {beyond[c, k]:.3g}"
            for k in range(len(names))
            if k != c and beyond[c, k] != usual
        ]
    if len(told) > MOST_COSTS:
        told = [*told[:MOST_COSTS], f"{len(told) - MOST_COSTS} more errors cost otherwise"]
    return ", ".join([*told, f"any other error {usual:.3g}"])
