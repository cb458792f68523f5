"""A prediction taken apart: what each rule and each input adds to it, exactly.

Rules that average their probabilities add to the probability of the predicted class: a rule its
strength times what it says, an input its Shapley value. Rules that mix their outputs add to the
logit of that class against the runner-up, as follows.

The model has its own way of not knowing an input: it fulfils every condition and adds nothing to
any opinion. Knowing nothing, every rule has the strength 1/R and says its bias. What changes from
there to a row is shared out among the inputs with no remainder:

- the strengths: phi_i - 1/R = sum_j a_ij, where a_ij = L_i (l_ij - sum_k w_k l_kj), l = log mu+,
  L_i = (phi_i - 1/R) / log(R phi_i) is the logarithmic mean of both strengths and w = L / sum(L);
- the products: phi d - phi' d' = (phi - phi') (d + d') / 2 + (d - d') (phi + phi') / 2.

Equal inputs get equal shares, an input on which all rules agree gets none for the strengths, and of
two rules these are the shares of integrated gradients along the straight line in log mu+.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.data.costs import Costs, least_costly
from unfis.rules.evaluation import Evaluation, RuleArrays
from unfis.rules.explain.shapley import shapley_values
from unfis.ties import first_greatest


class Shares(NamedTuple):
    """What adds up to the probability of the predicted class, or to its logit against the next."""

    predicted: NDArray[np.intp]  # (rows,)
    runner_up: NDArray[np.intp]  # (rows,)
    total: Array  # p of the predicted class; of mixed outputs its z minus the runner-up's, (rows,)
    start: Array  # the total before any input is known, (rows,)
    of_rules: Array  # each rule's share, strength times what it says, (rows, rules)
    # Each rule's share in the runner-up's p; 0 of mixed outputs, that are against it, (rows, rules)
    for_runner_up: Array
    of_inputs: Array  # each used input's share over all rules, (rows, used)

    def part(self, rows: NDArray[np.intp]) -> Shares:
        """Those of some of the rows."""
        return Shares._make(array[rows] for array in self)


def share_out(arrays: RuleArrays, found: Evaluation, costs: Costs = ()) -> Shares:
    """The shares of rules and inputs in each row."""
    two = first_two(found.logits, costs)
    return (averaged_shares if arrays.averages else mixed_shares)(arrays, found, *two)


def averaged_shares(
    arrays: RuleArrays, found: Evaluation, predicted: NDArray[np.intp], runner_up: NDArray[np.intp]
) -> Shares:
    """Shares in the probability of the predicted class: p = sum_i phi_i q^i."""
    every, said = np.arange(len(predicted)), found.strengths[:, :, None] * found.said
    start, of_inputs = shapley_values(arrays, found, predicted)
    total = softmax(found.logits)[every, predicted]
    by_rules = said[every, :, predicted], said[every, :, runner_up]
    return Shares(predicted, runner_up, total, start, *by_rules, of_inputs)


def mixed_shares(
    arrays: RuleArrays, found: Evaluation, predicted: NDArray[np.intp], runner_up: NDArray[np.intp]
) -> Shares:
    """Shares in the logit of the predicted class against the runner-up."""
    rows, rules = np.arange(len(predicted)), len(arrays.biases)
    biases = (arrays.biases[:, predicted] - arrays.biases[:, runner_up]).T
    added = input_effects(arrays, found.columns, predicted, runner_up)
    moved = strength_shares(found)
    opinions = biases + 0.5 * added.sum(axis=2)
    strengths = 0.5 * (found.strengths + 1 / rules)
    inputs = moved * opinions[:, :, None] + added * strengths[:, :, None]
    margin = found.logits[rows, predicted] - found.logits[rows, runner_up]
    of_rules = biases / rules + inputs.sum(axis=2)
    start, of_inputs = biases.sum(axis=1) / rules, inputs.sum(axis=1)
    return Shares(predicted, runner_up, margin, start, of_rules, np.zeros_like(of_rules), of_inputs)


def first_two(logits: Array, costs: Costs) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The answer to each row, as `predict` finds it, and the most probable other class."""
    predicted = least_costly(softmax(logits), costs)
    others = logits.copy()
    others[np.arange(len(others)), predicted] = -np.inf
    return predicted, first_greatest(others)


def strength_shares(found: Evaluation) -> Array:
    """a_ij, what each input adds to each rule's strength beyond 1/R, (rows, rules, used)."""
    rules = found.log_strengths.shape[1]
    ratios = found.log_strengths + np.log(rules)
    flat = np.abs(ratios) < 1e-300
    means = np.expm1(ratios) / np.where(flat, 1.0, ratios)
    means = np.where(flat, 1.0, means) / rules
    weights = means / means.sum(axis=1, keepdims=True)
    common = (weights[:, :, None] * found.log_degrees).sum(axis=1, keepdims=True)
    shares = means[:, :, None] * (found.log_degrees - common)
    # Far from all sets the differences cancel: what is lost goes where most was to be shared.
    lost = found.strengths - 1 / rules - shares.sum(axis=2)
    sizes = np.abs(shares)
    shares += sizes * (lost / np.maximum(sizes.sum(axis=2), np.finfo(float).tiny))[:, :, None]
    return np.asarray(shares)


def input_effects(
    arrays: RuleArrays, columns: Array, predicted: NDArray[np.intp], runner_up: NDArray[np.intp]
) -> Array:
    """What inputs add to rules' opinions on one class against another, (rows, rules, used)."""
    slopes = arrays.slopes.transpose(0, 2, 1)
    added = slopes[:, :, predicted] - slopes[:, :, runner_up]
    added *= columns.T
    if added.shape[1] > len(arrays.used):
        added = np.add.reduceat(added, [span.start for span in arrays.spans], axis=1)
    return np.asarray(added.transpose(2, 0, 1))
