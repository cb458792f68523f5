"""Where the answer is not the most probable class: what wrong answers cost, in words."""

from __future__ import annotations

import numpy as np

from unfis.data.costs import Costs, decision_threshold
from unfis.rules import RuleModel
from unfis.text.layout import across, paragraph
from unfis.text.names import Names
from unfis.text.numbers import number_words, rounded_words


def decision_lines(model: RuleModel, names: Names, costs: Costs) -> list[str]:
    """Which class is the answer; nothing where it is the most probable one."""
    if not costs:
        return []
    if len(costs) == 2:
        threshold = decision_threshold(costs, 1)
        points = float(np.log(threshold / (1 - threshold))) / model.unit - model.start[0]
        where = f", that is above {rounded_words(points)} points" if model.rules else ""
        share = rounded_words(100 * threshold)
        text = f"The answer is {names.titled_output(1)} where its probability is above {share} %"
        return ["", *paragraph(f"{text}{where}.")]
    text = (
        "The answer is the class that is expected to cost least. What an answer is expected to "
        "cost is the sum, over the true classes, of the probability times the cost:"
    )
    classes = [names.output(c) for c in range(len(costs))]
    rows = [classes, *([number_words(cost) for cost in row] for row in costs)]
    heads = ["answer", *(f"{name} is true" for name in classes)]
    return ["", *paragraph(text), *across(heads, rows)]
