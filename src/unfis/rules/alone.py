"""The strongest rule by itself: what a person answers who reads the rules one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.data.costs import Costs, expected_costs
from unfis.rules.data import Rule
from unfis.rules.evaluation import Evaluation
from unfis.ties import first_greatest, first_least


def alone_answers(
    classes: Sequence[Any], rules: Sequence[Rule], found: Evaluation, costs: Costs
) -> NDArray[np.intp]:
    """The class of each row by its strongest rule, as that is printed, (rows,).

    A rule that names a class answers it, one that counts inputs the class with the most points;
    with costs the class that is to be answered at what the rule says.
    """
    own = sure_answers(softmax(found.opinions), costs)  # (rows, rules)
    for i, rule in enumerate(rules):
        if not rule.effects:
            own[:, i] = class_answered(classes, rule, costs)
    strongest = first_greatest(found.log_strengths)[:, None]
    return np.asarray(np.take_along_axis(own, strongest, 1)[:, 0])


def class_answered(classes: Sequence[Any], rule: Rule, costs: Costs) -> int:
    """The class to answer by what a rule alone says: by default the one that it names."""
    if not costs:
        return classes.index(rule.label)
    return int(sure_answers(np.array(rule.probabilities), costs))


def sure_answers(probabilities: Array, costs: Costs) -> NDArray[np.intp]:
    """The classes to answer over the last axis, the first of those that last digits tell apart."""
    return first_least(expected_costs(probabilities, costs))
