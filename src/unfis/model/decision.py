"""Which class a model answers at which probabilities: by costs, or by a threshold, which is costs.

Probabilities stay as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.costs import (
    Costs,
    cost_table,
    decision_threshold,
    is_finite_number,
    regrets,
    threshold_costs,
)
from unfis.model.calibration import Calibration
from unfis.serial.messages import quoted
from unfis.ties import first_least, is_less, ranked

SURE = 1e-9  # no threshold is nearer to 0 or 1: then an error would cost nothing


def decision_costs(
    costs: Any, threshold: Any, classes: list[Any], present: Costs, found: Calibration | None
) -> Costs:
    """The costs that two settings mean; none where all errors cost the same.

    threshold="auto" is chosen by the costs, or without any by those there are at present.
    """
    if threshold is None:
        return cost_table(costs, classes)
    if len(classes) != 2:
        raise ValueError(
            f"threshold must be None where there are not two classes, got {quoted(threshold)} for "
            f"{len(classes)} classes. Say what errors cost by costs."
        )
    if isinstance(threshold, str) and threshold == "auto":
        if found is None:
            raise ValueError(
                "threshold='auto' needs answers to rows that were held out, and this model has "
                "none. Give a number."
            )
        table = present if costs is None else cost_table(costs, classes)
        return threshold_costs(best_threshold(found, table))
    if costs is not None:
        raise ValueError(
            f"costs and threshold both say where the answer changes, got {quoted(costs)} and "
            f"{quoted(threshold)}. Leave one of them out, or set threshold='auto'."
        )
    if not is_finite_number(threshold) or not 0 < threshold < 1:
        raise ValueError(
            f"threshold must be a probability of {quoted(classes[1])} above 0 and below 1, 'auto' "
            f"or None; got {quoted(threshold)}."
        )
    return threshold_costs(float(threshold))


def best_threshold(found: Calibration, costs: Costs) -> float:
    """The threshold that costs least on rows that were held out."""
    first, second = (np.full(len(scores), c) for c, scores in enumerate(found.scores))
    return chosen_threshold(
        np.concatenate([first, second]),
        np.concatenate([1 - found.scores[0], found.scores[1]]),
        np.concatenate(found.weights),
        costs,
    )


def chosen_threshold(
    codes: NDArray[np.intp], probabilities: Array, weights: Array, costs: Costs = ()
) -> float:
    """The probability of the second class above which to answer it, so that errors cost least.

    Without costs the two classes count alike, so that balanced accuracy is greatest. What follows
    from the costs where probabilities are true stays unless another saves more than its standard
    error; that is in the middle between two probabilities next to each other.
    """
    # Imported late: what predicts needs no scikit-learn.
    from sklearn.metrics import roc_curve

    totals = np.bincount(codes, weights, minlength=2)
    if not totals.all():
        raise ValueError("threshold='auto' needs held-out rows of both classes, got one class.")
    first, second = (totals / totals.sum()).tolist()
    table = costs or ((0.0, second), (first, 0.0))
    beyond, expected = regrets(table), decision_threshold(table, 1)
    false, true, scores = roc_curve(
        codes, np.round(probabilities, 12), sample_weight=weights, drop_intermediate=False
    )
    # In the middle between a probability that is answered and the next one, which is not.
    candidates = (np.minimum(scores, 1.0) + np.append(scores[1:], 0.0)) / 2
    candidates = np.clip(candidates, SURE, 1 - SURE)
    lost = false * totals[0] * beyond[0, 1] + (1 - true) * totals[1] * beyond[1, 0]
    order = ranked(np.abs(candidates - expected))
    best = float(candidates[order][first_least(lost[order] / lost.max())])
    wrong = [(probabilities > one) != (codes == 1) for one in (expected, best)]
    errors = np.where(codes == 1, beyond[1, 0], beyond[0, 1]) / beyond.max()
    saved = errors * (1.0 * wrong[0] - wrong[1])
    mean = float(weights @ saved / weights.sum())
    spread = float(np.sqrt(weights @ np.square(saved - mean)))
    return best if is_less(spread, mean * float(weights.sum())) else expected
