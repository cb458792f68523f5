"""How much better than the plainest models: all of them learn from the same rows."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from unfis.app.report.answers import TableAnswers, Training
from unfis.arrays import Array
from unfis.data.scaling import LocalColumns, largest_exponents
from unfis.fitting import SearchedRows
from unfis.model import FittedModel
from unfis.model.calibration import held_out_answers

MOST_LEARNED = 100_000  # rows that plain models learn from
TREE_DEPTH = 4
OWN_MODEL, OWN_FOLDS = "This model", "The rules of the folds"


class Comparison(NamedTuple):
    """Models that learned from the same rows, each asked only of rows that it had not seen."""

    rows: NDArray[np.intp]  # that they are asked of, as indices in the table, (rows,)
    predictions: dict[str, Array]  # of each model by its name
    folds: int  # in which all of them learned; 0 where all learned as the model did
    learned: int  # from how many rows the plain ones learned, 0 in folds


def compare(answers: TableAnswers) -> Comparison | None:
    """The model beside plain ones that learned from the same rows; None if these are not known.

    Where the table is the rows that it learned from, the models of the fit's folds answer, each the
    rows that it had not seen, and plain models learn in the same folds.
    """
    if answers.targets is None:
        return None
    if answers.learned:
        return in_folds(answers, answers.targets)
    return None if answers.training is None else alike(answers, answers.training)


def alike(answers: TableAnswers, training: Training) -> Comparison:
    """Plain models of the model's own training rows, and itself, on the rows of the table."""
    assert answers.targets is not None
    values, targets, weights = training
    if len(values) > MOST_LEARNED:
        drawn = np.random.RandomState(0).choice(len(values), MOST_LEARNED, replace=False)
        values, targets, weights = values[drawn], targets[drawn], weights[drawn]
    found = {OWN_MODEL: answers.predictions}
    both = in_everyday_units(answers.fitted, np.concatenate([values, answers.values]))
    for name, one in plain_models(answers.fitted).items():
        learned, asked = both[: len(values)], both[len(values) :]
        found[name] = plain_predictions(answers, one, Training(learned, targets, weights), asked)
    return Comparison(np.arange(len(answers.values)), found, 0, len(values))


def in_folds(answers: TableAnswers, targets: Array) -> Comparison | None:
    """The models of the fit's folds and plain ones, each asked of rows that it had not seen."""
    fitted = answers.fitted
    if fitted.searched is None:  # of a file; a fit of the same rows has the same folds
        labels = fitted.columns.classes
        y = labels[targets.astype(int)] if len(labels) else targets
        fitted = clone(answers.model).set_params(verbose=False).fit(answers.X, y).model_
    rows, length = fitted.training_rows(), answers.fitted.length
    if not fitted.folds:
        return None
    folds = [fold[min(length, len(fold) - 1)] for fold in fitted.folds]
    found = {OWN_FOLDS: held_out_answers(folds, rows)}
    values = in_everyday_units(fitted, rows.values)
    for name, one in plain_models(fitted).items():
        found[name] = np.zeros_like(found[OWN_FOLDS])
        for held in rows.held:
            asked = np.flatnonzero(held)
            training = Training(values, rows.targets, rows.weights * (1 - held))
            predictions = plain_predictions(answers, one, training, values[asked])
            found[name][asked] += (held[asked] * predictions.T).T
    return Comparison(places_of(rows, answers.values, targets), found, len(folds), 0)


def places_of(rows: SearchedRows, values: Array, targets: Array) -> NDArray[np.intp]:
    """Where the rows that a fit has searched are in their table, (rows,)."""
    places: dict[bytes, list[int]] = {}
    for place, key in enumerate(row_keys(values, targets)):
        places.setdefault(key, []).append(place)
    return np.array([places[key].pop() for key in row_keys(rows.values, rows.targets)])


def row_keys(values: Array, targets: Array) -> list[bytes]:
    """Rows as what can be looked up; 0 is -0, and all kinds of NaN are the same."""
    rows = np.column_stack([values, targets]) + 0.0
    return [row.tobytes() for row in np.where(np.isnan(rows), np.nan, rows)]


def plain_predictions(answers: TableAnswers, plain: Any, training: Training, asked: Array) -> Array:
    """What a plain model predicts that learns from rows: of one class that class."""
    own = training.weights > 0
    values, targets, weights = (part[own] for part in training)
    one = clone(plain)
    if answers.classes and len(np.unique(targets)) < 2:
        one = make_pipeline(DummyClassifier(strategy="prior"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
        one.fit(values, targets, **{f"{one.steps[-1][0]}__sample_weight": weights})
    if not answers.classes:
        return np.asarray(one.predict(asked))
    found = np.zeros((len(asked), len(answers.classes)))
    found[:, one.classes_.astype(int)] = one.predict_proba(asked)
    return found


def in_everyday_units(fitted: FittedModel, values: Array) -> Array:
    """Values whose numbers are at most 1, by powers of 2: trees compute in single precision."""
    numbers = [j for j, one in enumerate(fitted.columns.inputs) if not one.categories]
    values = values.copy()
    sizes = largest_exponents(LocalColumns(values, np.ones(len(values))), numbers)
    values[:, numbers] = np.ldexp(values[:, numbers], -sizes)
    return values


def plain_models(fitted: FittedModel) -> dict[str, Any]:
    """A linear model, a decision tree and one answer to all rows, to be fitted."""
    scaled, plain = encoder(fitted, StandardScaler()), encoder(fitted, "passthrough")
    if len(fitted.columns.classes):
        return {
            "Logistic regression": make_pipeline(scaled, LogisticRegression(max_iter=1000)),
            "Decision tree": make_pipeline(
                plain, DecisionTreeClassifier(max_depth=TREE_DEPTH, random_state=0)
            ),
            "The same answer to every row": make_pipeline(DummyClassifier(strategy="prior")),
        }
    return {
        "Linear regression": make_pipeline(scaled, Ridge()),
        "Decision tree": make_pipeline(
            plain, DecisionTreeRegressor(max_depth=TREE_DEPTH, random_state=0)
        ),
        "The mean": make_pipeline(DummyRegressor()),
    }


def encoder(fitted: FittedModel, scaling: Any) -> Any:
    """Values to a matrix: medians where a number is unknown, a column for each category."""
    inputs = fitted.columns.inputs
    categories = [j for j, one in enumerate(inputs) if one.categories]
    numbers = [j for j in range(len(inputs)) if j not in categories]
    medians = SimpleImputer(strategy="median", keep_empty_features=True)
    return make_column_transformer(
        (make_pipeline(medians, scaling), numbers),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), categories),
    )
