"""The operating point of a model: which class it answers at which probabilities.

Costs and thresholds are one thing, a table of what each answer costs where each class is the true
one; probabilities stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.costs import Costs, cost_table, is_finite_number, regrets, threshold_costs
from unfis.data.naming import class_position
from unfis.model.fitted import FittedModel
from unfis.model.settings import is_auto
from unfis.serial.messages import quoted
from unfis.ties import first_least, is_less, ranked, rounding


def deciding(model: FittedModel, costs: Any, threshold: Any) -> FittedModel:
    """The same model, which answers by other costs or another threshold.

    threshold="auto" alone is chosen by the costs that the model was fitted with, if it was.
    """
    if is_auto(threshold) and costs is None:
        costs = model.settings.costs
    found = given_costs(costs, threshold, model.classes.tolist())
    if is_auto(threshold):
        found = threshold_costs(held_out_threshold(model, found))
    return model.with_costs(found)


def given_costs(costs: Any, threshold: Any, classes: Sequence[Any]) -> Costs:
    """The costs that two parameters of an estimator mean; none where all errors cost the same.

    With threshold="auto" those by which it is to be chosen. ValueError where one is wrong.
    """
    if threshold is not None and len(classes) != 2:
        raise ValueError(
            f"threshold must be None where there are not two classes, got {quoted(threshold)} for "
            f"{len(classes)} classes. Say what errors cost by costs instead."
        )
    if threshold is None or is_auto(threshold):
        return cost_table(costs, classes)
    if costs is not None:
        raise ValueError(
            f"costs and threshold both say where the answer changes, got {quoted(costs)} and "
            f"{quoted(threshold)}. Leave one of them out, or set threshold='auto'."
        )
    return threshold_costs(second_class_threshold(threshold, classes))


def second_class_threshold(threshold: Any, classes: Sequence[Any]) -> float:
    """From which probability of the second class on that is the answer."""
    c, value = 1, threshold
    if isinstance(threshold, Mapping):
        if len(threshold) != 1:
            raise ValueError(
                f"threshold must name one class, as the other has the rest, got "
                f"{quoted(threshold)}."
            )
        ((label, value),) = threshold.items()
        c = class_position("threshold", label, classes)
    if not is_finite_number(value) or not 0 < value < 1:
        raise ValueError(
            f"threshold must be a number above 0 and below 1 for {quoted(classes[1])}, a dict such "
            f"as {{{quoted(classes[0])}: 0.2}}, 'auto' or None; got {quoted(threshold)}."
        )
    return float(value) if c else 1.0 - float(value)


def held_out_threshold(model: FittedModel, costs: Costs) -> float:
    """The threshold that suits what a fit's own cross-validation answered."""
    found = model.held_out
    if found is None:
        raise ValueError(
            "threshold='auto' needs answers to rows that were not learned from, and this model has "
            "none. Give a number, or fit anew on a table with enough rows to cross-validate."
        )
    second = np.where(found.codes == 1, found.likelihoods, 1.0 - found.likelihoods)
    return chosen_threshold(found.codes, second, found.weights, costs)


def chosen_threshold(
    codes: NDArray[np.intp], probabilities: Array, weights: Array, costs: Costs = ()
) -> float:
    """The probability of the second class from which on to answer it, so that errors cost least.

    Without costs the two classes count alike, and so balanced accuracy is greatest. What follows
    from the costs where probabilities are true stays unless another saves more than its standard
    error; that is in the middle between two neighbouring probabilities.

    Parameters
    ----------
    codes : of the true classes, 0 or 1, (rows,)
    probabilities : of the second class, of rows that were not learned from, (rows,)
    weights : of the rows; 2 is a row twice, (rows,)
    costs : what answers cost
    """
    beyond = regrets(costs or class_balance(codes, weights))
    expected = float(beyond[0, 1] / (beyond[0, 1] + beyond[1, 0]))
    # What it costs to be wrong, as a share of all errors together, (rows,).
    errors = np.where(codes == 1, beyond[1, 0], beyond[0, 1])
    errors = errors / (weights @ errors)
    candidates = thresholds_between(probabilities)
    candidates = candidates[ranked(np.abs(candidates - expected))]
    totals = costs_at(candidates, codes, probabilities, weights * errors)
    best = float(candidates[first_least(totals)])
    saved = errors * (1.0 * is_wrong(codes, probabilities, expected))
    saved -= errors * is_wrong(codes, probabilities, best)
    mean = float(weights @ saved / weights.sum())
    spread = float(np.sqrt(weights @ np.square(saved - mean)))
    return best if is_less(spread, mean * float(weights.sum())) else expected


def class_balance(codes: NDArray[np.intp], weights: Array) -> Costs:
    """Costs by which all rows of one class weigh as much as all of the other."""
    totals = np.bincount(codes, weights, minlength=2)
    if not totals.all():
        raise ValueError("threshold='auto' needs held-out rows of both classes, got one class.")
    return (0.0, float(totals[1] / totals.sum())), (float(totals[0] / totals.sum()), 0.0)


def thresholds_between(probabilities: Array) -> Array:
    """The middle between neighbouring probabilities that differ, and of them and 0 or 1."""
    ends = np.concatenate([[0.0], np.sort(probabilities), [1.0]])
    apart = np.diff(ends) > rounding(ends[:-1])
    return np.asarray(0.5 * (ends[:-1] + ends[1:])[apart])


def costs_at(
    thresholds: Array, codes: NDArray[np.intp], probabilities: Array, errors: Array
) -> Array:
    """What all errors cost together at each threshold, given what each row's would, (thresholds,).

    The sum over rows of the second class that are not above it, and over those of the first that
    are.
    """
    order = np.argsort(probabilities, kind="stable")
    signed = np.where(codes == 1, errors, -errors)[order]
    reached = np.concatenate([[0.0], np.cumsum(signed)])
    below = np.searchsorted(probabilities[order], thresholds, side="right")
    return np.asarray(errors[codes == 0].sum() + reached[below])


def is_wrong(codes: NDArray[np.intp], probabilities: Array, threshold: float) -> NDArray[np.bool_]:
    """Which rows are answered wrongly at a threshold, (rows,)."""
    return np.asarray((probabilities > threshold) != (codes == 1))
