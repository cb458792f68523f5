"""Labels and weights: what the user gave, checked, with errors that are sentences."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from unfis.arrays import Array
from unfis.data.frames import is_missing
from unfis.data.naming import class_position
from unfis.serial.messages import listed, quoted
from unfis.serial.parameters import check_option

LARGEST_WEIGHT = 1e100  # sums of weights times squared derivatives must stay finite


def check_labels(y: Any, rows: int) -> NDArray[Any]:
    """The labels as an array, shape (rows,)."""
    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind in "fc":
        assert_all_finite(labels, input_name="y")
    if labels.dtype.kind == "O":
        labels = uniform_labels(labels)
    if len(labels) != rows:
        raise ValueError(
            f"y must hold one label for each row of X: X has {rows} rows, y {len(labels)} labels."
        )
    check_classification_targets(labels)
    return np.asarray(labels)


def uniform_labels(labels: NDArray[np.object_]) -> NDArray[Any]:
    """Labels that came as objects: known, of one kind, and numbers as numbers."""
    if any(is_missing(label) for label in labels):
        raise ValueError("y holds missing labels; drop those rows or give them a class.")
    if all(isinstance(label, bool | int | np.bool_ | np.integer) for label in labels):
        return np.array(labels.tolist())
    kinds = sorted({type(label).__name__ for label in labels})
    if len(kinds) > 1 and "str" in kinds:
        raise ValueError(f"y mixes labels of the kinds {', '.join(kinds)}; make them all text.")
    return labels


def encode_labels(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Position of each label among the sorted classes."""
    unknown = labels[~np.isin(labels, classes)]
    if len(unknown):
        raise ValueError(
            f"y holds the class {quoted(unknown.tolist()[0])}, which is not among the classes "
            f"[{listed(classes.tolist())}] the model knows. Fit anew, or give partial_fit all "
            "classes in its first call."
        )
    return np.searchsorted(classes, labels)


def classes_of(labels: Any) -> NDArray[Any]:
    """The sorted classes; ValueError unless there are two to tell apart."""
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError(
            "y must hold at least two classes to tell apart, got one class: "
            f"{quoted(classes.tolist()[0])}."
        )
    return classes


def check_same_classes(classes: Any, known: NDArray[Any]) -> None:
    """Raise ValueError if a later call of partial_fit names other classes than the first."""
    if classes is not None and not np.array_equal(np.unique(classes), known):
        raise ValueError(
            f"classes must be those of the first call, [{listed(known.tolist())}], got "
            f"[{listed(np.unique(classes).tolist())}]."
        )


def check_weights(sample_weight: Any, rows: int) -> Array:
    """One weight per row; 1 where none were given."""
    if sample_weight is None:
        return np.ones(rows)
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        first = np.ravel(np.asarray(sample_weight, dtype=object))[:3].tolist()
        raise ValueError(
            f"sample_weight must hold numbers, got values such as [{listed(first)}]."
        ) from error
    if weights.shape != (rows,):
        raise ValueError(
            f"sample_weight must hold one number for each of the {rows} rows, got shape "
            f"{weights.shape}."
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        worst = weights[~np.isfinite(weights) | (weights < 0)][0]
        raise ValueError(f"sample_weight must hold finite numbers of at least 0, got {worst}.")
    return weights


def check_total_weight(total: float) -> None:
    """Raise ValueError unless the weights of all rows add up to what can be computed with."""
    if total > LARGEST_WEIGHT:
        raise ValueError(
            f"sample_weight adds up to {total:.3g}, too large to compute with. Divide all weights "
            "by the same number."
        )
    if not total:
        raise ValueError("sample_weight must hold a number above 0, got zero for every row.")


def class_weights(
    class_weight: Any, classes: NDArray[Any], codes: NDArray[np.intp], weights: Array
) -> Array:
    """Weights with those of the classes multiplied in; "balanced" gives all classes one weight."""
    if class_weight is None:
        return weights
    totals = np.bincount(codes, weights, minlength=len(classes)).astype(float)
    factors = class_factors(class_weight, classes, totals, float(weights.sum()))
    return np.asarray(weights * factors[codes])


def class_factors(class_weight: Any, classes: NDArray[Any], totals: Array, total: float) -> Array:
    """By what the weights of each class are multiplied, given their sums, (classes,)."""
    factors = np.ones(len(classes))
    if class_weight is None:
        return factors
    if isinstance(class_weight, str):
        check_option("class_weight", class_weight, (None, "balanced"))
        np.divide(total, len(classes) * totals, out=factors, where=totals > 0)
        return factors
    if not isinstance(class_weight, Mapping):
        raise ValueError(
            "class_weight must be None, 'balanced' or a dictionary from class to weight, got "
            f"{quoted(class_weight)}."
        )
    known = classes.tolist()
    for label, factor in class_weight.items():
        c = class_position("class_weight", label, known)
        factors[c] = factor if isinstance(factor, Real) else np.nan
    if not np.isfinite(factors).all() or (factors <= 0).any():
        raise ValueError(
            f"class_weight must hold finite numbers above 0, got {quoted(class_weight)}."
        )
    return factors
