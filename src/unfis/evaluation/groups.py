"""Rates by group: whether a model treats groups of rows alike, as far as that is known."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import MonteCarloMethod
from scipy.stats.contingency import chi2_contingency
from sklearn.metrics import multilabel_confusion_matrix

from unfis.arrays import Mask
from unfis.evaluation.measures import Rate
from unfis.evaluation.ranking import positive_class

# More groups than this are put together.
MOST_GROUPS = 10
QUARTERS = 4


class GroupRates(NamedTuple):
    """How the rows of one group fared, with regard to one class."""

    group: str
    rows: int
    right: Rate  # of all rows
    answered: Rate  # of all rows, how many were answered with the class
    found: Rate  # of the rows of the class
    false_alarms: Rate  # of the other rows


def rates_by_group(y_true: Any, y_pred: Any, groups: Any) -> dict[Any, list[GroupRates]]:
    """How often each class is answered, found and mistaken in groups of rows.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        The classes, and those answered.
    groups : array-like of shape (n_samples,)
        What each row has of the attribute that should make no difference. Numbers of more than
        four values are put in quarters; of more than ten groups the smallest are put together.

    Returns
    -------
    rates : dict of list of GroupRates
        By class, of two that of fewer rows alone; each rate has `value`, `interval` and `rows`.
    """
    true, answered, attribute = np.asarray(y_true), np.asarray(y_pred), np.asarray(groups)
    if not len(true) == len(answered) == len(attribute) > 0:
        raise ValueError(
            "y_true, y_pred and groups must have the same number of rows, at least one, got "
            f"{len(true)}, {len(answered)} and {len(attribute)}."
        )
    classes, codes = np.unique(np.concatenate([true, answered]), return_inverse=True)
    codes, answers = codes[: len(true)], codes[len(true) :]
    names, positions = grouped(attribute)
    regarded = [positive_class(codes)] if len(classes) == 2 else range(len(classes))
    labels = classes.tolist()
    rates: dict[Any, list[GroupRates]] = {labels[c]: [] for c in regarded}
    for g, name in enumerate(names):
        here = positions == g
        right = Rate(int((codes == answers)[here].sum()), int(here.sum()))
        counts = multilabel_confusion_matrix(codes[here], answers[here], labels=range(len(classes)))
        for c, of_class in zip(regarded, rates.values(), strict=True):
            (rest, alarms), (missed, hits) = counts[c].tolist()
            answered_so = Rate(hits + alarms, right.rows)
            found, false_alarms = Rate(hits, hits + missed), Rate(alarms, alarms + rest)
            of_class.append(GroupRates(name, right.rows, right, answered_so, found, false_alarms))
    return rates


def grouped(values: NDArray[Any]) -> tuple[list[str], NDArray[np.intp]]:
    """The names of groups, and which of them each row is in, (rows,)."""
    missing = np.array([value is None or value != value for value in values.tolist()])
    if values.dtype.kind in "iuf" and len(np.unique(values[~missing])) > QUARTERS:
        names, positions = in_quarters(values.astype(float), missing)
    else:
        told = [str(value) for value in values[~missing].tolist()]
        if values.dtype.kind == "f":
            told = [value.removesuffix(".0") for value in told]
        kinds, known = np.unique(np.array(told, dtype=str), return_inverse=True)
        names, positions = kinds.tolist(), np.full(len(values), -1)
        positions[~missing] = known
    if missing.any():
        names = [*names, "missing"]
        positions[missing] = len(names) - 1
    return fewer_groups(names, positions)


def in_quarters(values: NDArray[Any], missing: Mask) -> tuple[list[str], NDArray[np.intp]]:
    """Numbers in four groups of about as many rows, by values that occur."""
    shares = np.arange(1, QUARTERS) / QUARTERS
    cuts = np.unique(np.quantile(values[~missing], shares, method="inverted_cdf"))
    cuts = cuts[cuts < values[~missing].max()]
    told = [f"{cut:.6g}" for cut in cuts]
    between = [f"above {low} to {high}" for low, high in pairwise(told)]
    return [f"up to {told[0]}", *between, f"above {told[-1]}"], np.searchsorted(cuts, values)


def fewer_groups(
    names: list[str], positions: NDArray[np.intp]
) -> tuple[list[str], NDArray[np.intp]]:
    """At most ten groups: the largest, and all others as one."""
    if len(names) <= MOST_GROUPS:
        return names, positions
    order = np.argsort(-np.bincount(positions, minlength=len(names)), kind="stable")
    kept = np.sort(order[: MOST_GROUPS - 1])
    places = np.full(len(names), MOST_GROUPS - 1)
    places[kept] = np.arange(len(kept))
    rest = f"the {len(names) - len(kept)} others"
    return [*(names[k] for k in kept), rest], places[positions]


def by_chance(rates: list[Rate]) -> float:
    """How probable differences as large are if all groups are treated alike.

    By the chi-squared of tables with the same sums, drawn at random but always the same.
    """
    counts = np.array([[rate.part, rate.rows - rate.part] for rate in rates])
    if not counts.sum(axis=0).all():
        return 1.0
    method = MonteCarloMethod(rng=0)
    return float(chi2_contingency(counts, correction=False, method=method).pvalue)
