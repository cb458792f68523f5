"""A probability taken apart by inputs: Shapley values of what is known of a row.

The model has its own way of not knowing an input: it fulfils every condition and adds nothing to
what any rule says. So p of a class is a number v(S) for every set S of inputs that are known, and
an input's share is the mean of v(S + it) - v(S) over all orders in which inputs get known. Shares
add up to v(all) - v(none), an input that is unknown or moves nothing gets none, and inputs that do
the same get the same.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.rules.evaluation import Evaluation, RuleArrays, times_slopes, with_otherwise

# Up to so many inputs all sets of them are looked at, of more only those along some orders.
MOST_EXACT = 10
# So many orders, the same ones always, and the reverse of each.
DRAWN_ORDERS = 32
# So many numbers are held at once: they stay in the cache.
NUMBERS_IN_CACHE = 2**18


class KnownRows(NamedTuple):
    """What each used input adds in some rows once it is known."""

    log_degrees: Array  # to log f, (inputs, rules, rows)
    outputs: Array  # to y, (inputs, rules, classes, rows)
    predicted: NDArray[np.intp]  # the class in question, (rows,)
    total: Array  # its probability with all that is known, (rows,)


def shapley_values(
    arrays: RuleArrays, found: Evaluation, predicted: NDArray[np.intp]
) -> tuple[Array, Array]:
    """p of a class where nothing is known, (rows,), and each used input's share, (rows, used)."""
    count, inputs = len(predicted), len(arrays.used)
    start, shares = np.empty(count), np.empty((count, inputs))
    is_exact = inputs <= MOST_EXACT
    sets = 2**inputs if is_exact else inputs + 1
    step = max(1, NUMBERS_IN_CACHE // (sets * arrays.biases.size))
    for first in range(0, count, step):
        rows = np.arange(first, min(first + step, count))
        known = known_rows(arrays, found.part(rows), predicted[rows])
        share_of = shares_of_all_sets if is_exact else shares_along_orders
        start[rows], shares[rows] = share_of(arrays, known)
    return start, shares


def known_rows(arrays: RuleArrays, found: Evaluation, predicted: NDArray[np.intp]) -> KnownRows:
    """What the inputs add in rows that were evaluated."""
    outputs = [times_slopes(found.columns[:, s], arrays.slopes[:, :, s]) for s in arrays.spans]
    shape = 0, *arrays.biases.shape, len(predicted)
    return KnownRows(
        np.ascontiguousarray(found.log_degrees.transpose(2, 1, 0)),
        np.array([one.transpose(1, 2, 0) for one in outputs]) if outputs else np.empty(shape),
        predicted,
        softmax(found.logits)[np.arange(len(predicted)), predicted],
    )


def shares_of_all_sets(arrays: RuleArrays, known: KnownRows) -> tuple[Array, Array]:
    """v(none), and sum_S |S|! (n - 1 - |S|)! / n! (v(S + j) - v(S)) of each input j.

    Set number s has the inputs of its binary digits, the first input being the last digit.
    """
    log_firing, outputs = (np.zeros((*part.shape[1:-1], 1, part.shape[-1])) for part in known[:2])
    for degrees, added in zip(known.log_degrees, known.outputs, strict=True):
        log_firing = np.concatenate([log_firing, log_firing + degrees[:, None]], axis=1)
        outputs = np.concatenate([outputs, outputs + added[:, :, None]], axis=2)
    values = values_of(arrays, known, log_firing, outputs)
    inputs, rows = len(known.log_degrees), values.shape[1]
    sizes = [number.bit_count() for number in range(len(values) // 2)]
    weights = np.array([1 / (inputs * comb(inputs - 1, size)) for size in sizes])
    shares = np.empty((rows, inputs))
    for j in range(inputs):
        without, having = values.reshape(-1, 2, 2**j, rows).transpose(1, 0, 2, 3)
        # Products with a matrix would have other last digits on each processor.
        moved = weights[:, None] * (having - without).reshape(-1, rows)
        shares[:, j] = moved.sum(axis=0)
    return values[0], shares


def shares_along_orders(arrays: RuleArrays, known: KnownRows) -> tuple[Array, Array]:
    """v(none), and the mean of v(S + j) - v(S) along some orders, for each input j."""
    inputs = len(known.log_degrees)
    orders, shares = drawn_orders(inputs), np.zeros((len(known.total), inputs))
    for order in orders:
        log_firing, outputs = (
            np.cumsum(np.concatenate([np.zeros_like(part[:1]), part[order]]), axis=0)
            for part in known[:2]
        )
        values = values_of(
            arrays, known, log_firing.transpose(1, 0, 2), outputs.transpose(1, 2, 0, 3)
        )
        shares[:, order] += np.diff(values, axis=0).T / len(orders)
    return values[0], shares


def drawn_orders(inputs: int) -> NDArray[np.intp]:
    """Orders of inputs drawn at random, always the same ones, and their reverses."""
    generator = np.random.RandomState(0)
    drawn = np.array([generator.permutation(inputs) for _ in range(DRAWN_ORDERS)])
    return np.concatenate([drawn, drawn[:, ::-1]])


def values_of(arrays: RuleArrays, known: KnownRows, log_firing: Array, outputs: Array) -> Array:
    """v of sets of known inputs, the last of which is all of them, (sets, rows).

    Given are sums over each set: log f, (rules, sets, rows), and y without biases, (rules,
    classes, sets, rows).
    """
    rules, classes, sets, rows = outputs.shape
    firing = with_otherwise(log_firing.reshape(rules, -1).T, arrays.otherwise)
    strengths = softmax(firing).T.reshape(rules, sets, rows)
    values = np.zeros((sets, rows))
    for strength, biases, output in zip(strengths, arrays.biases, outputs, strict=True):
        said = softmax((output + biases[:, None, None]).reshape(classes, -1).T).T
        one = said.reshape(classes, sets, rows)[known.predicted, :, np.arange(rows)]
        values += strength * one.T
    # Sums in another order may end with other last digits than the prediction has.
    values[-1] = known.total
    return values
