"""How much better than the plainest models: all of them cross-validated on the same rows."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from unfis.arrays import Array
from unfis.data.frames import take_rows
from unfis.data.scaling import LocalColumns, largest_exponents
from unfis.estimators.classifier import UNFISClassifier
from unfis.rules import RuleBase

COMPARISON_FOLDS = 5
# So many rows are cross-validated at most, and fewer where the network is large: a report is
# waited for. The work is that of one step, in multiplications; where even the fewest rows would
# take more than the last of these, the rules are not learned again.
MOST_COMPARED = 1000
FEWEST_COMPARED = 200
USUAL_WORK = 1.5e8
MOST_COMPARED_WORK = 6e8
# With fewer rows than this the folds would say nothing.
ENOUGH_COMPARED = 10
OWN_RULES = "Rules of this kind"


class Comparison(NamedTuple):
    """Models of the same folds, each asked only of rows that it did not learn from."""

    rows: NDArray[np.intp]  # their indices in the table, (rows,)
    folds: int
    hits: dict[str, NDArray[np.bool_]]  # whether each model was right, (rows,), by its name
    probabilities: Array | None  # of the folds' rules, (rows, classes); None if they are too large


def compare(
    model: UNFISClassifier, X: Any, values: Array, codes: NDArray[np.intp]
) -> Comparison | None:
    """Cross-validate the model's settings and plain baselines; None where rows are too few.

    X is a table, with its values, (rows, inputs), and the codes of its classes, (rows,).
    """
    base = model.rules_
    work = work_per_row(base)
    rows = sampled_rows(len(codes), work)
    second_most = sorted([0, *np.bincount(codes[rows]).tolist()])[-2]  # rows of a class
    folds = min(COMPARISON_FOLDS, second_most)
    if len(rows) < ENOUGH_COMPARED or folds < 2:
        return None
    X, values, codes = take_rows(X, rows), values[rows], codes[rows]
    plain = in_everyday_units(base, values)
    models = {name: (one, plain) for name, one in plain_models(base).items()}
    if work * FEWEST_COMPARED <= MOST_COMPARED_WORK:
        models = {OWN_RULES: (settled(model), X), **models}
    splits = StratifiedKFold(folds, shuffle=True, random_state=0)
    found = {name: np.zeros((len(rows), len(base.classes))) for name in models}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
        for name, (one, table) in models.items():
            found[name][:, np.unique(codes)] = cross_val_predict(
                one, table, codes, cv=splits, method="predict_proba"
            )
    hits = {name: shares.argmax(axis=1) == codes for name, shares in found.items()}
    return Comparison(rows, folds, hits, found.get(OWN_RULES))


def in_everyday_units(base: RuleBase, values: Array) -> Array:
    """Values whose numbers are at most 1, by powers of 2: trees compute in single precision."""
    numbers = [j for j, variable in enumerate(base.variables) if not variable.categories]
    values = values.astype(np.float64)
    sizes = largest_exponents(LocalColumns(values, np.ones(len(values))), numbers)
    values[:, numbers] = np.ldexp(values[:, numbers], -sizes)
    return values


def work_per_row(base: RuleBase) -> float:
    """About how many multiplications a row takes in one step of learning such rules."""
    columns = sum(max(1, len(variable.categories)) for variable in base.variables)
    classes = len(base.classes)
    return float(classes * (len(base) * (2 * columns + classes * (columns + 1))) ** 2)


def sampled_rows(count: int, work: float) -> NDArray[np.intp]:
    """All rows, or as many at random, always the same, as take seconds."""
    most = max(FEWEST_COMPARED, min(MOST_COMPARED, int(USUAL_WORK / work)))
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.RandomState(0).choice(count, most, replace=False))


def settled(model: UNFISClassifier) -> UNFISClassifier:
    """A model to fit, of the same settings, with the rules and the prior that were chosen.

    Only their parts are chosen again in each fold: the rest would take longer than it changes.
    """
    chosen = {"n_rules": len(model.rules_), "ridge": model.choices_["ridge"]}
    plain = model.model_.settings.plain() | chosen
    return type(model)(**plain | {"warm_start": False, "verbose": False, "time_limit": None})


def plain_models(base: RuleBase) -> dict[str, Any]:
    """A logistic regression, a decision tree and the majority's answer, to be fitted."""
    return {
        "Logistic regression": make_pipeline(
            encoder(base, StandardScaler()), LogisticRegression(max_iter=1000)
        ),
        "Decision tree": make_pipeline(
            encoder(base, "passthrough"), DecisionTreeClassifier(max_depth=4, random_state=0)
        ),
        "Always the most frequent class": DummyClassifier(strategy="prior"),
    }


def encoder(base: RuleBase, scaling: Any) -> Any:
    """Values as of a ValueReader to a matrix: medians where unknown, a column per category."""
    categories = [j for j, variable in enumerate(base.variables) if variable.categories]
    numbers = [j for j in range(len(base.variables)) if j not in categories]
    medians = SimpleImputer(strategy="median", keep_empty_features=True)
    return make_column_transformer(
        (make_pipeline(medians, scaling), numbers),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), categories),
    )
