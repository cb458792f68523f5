"""How much better than the plainest models: all of them learn from the same rows."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from unfis.app.report.answers import TableAnswers, Training
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
# So many training rows are learned from at most.
MOST_LEARNED = 100_000
OWN_MODEL, OWN_RULES = "This model", "Rules of this kind"


class Comparison(NamedTuple):
    """Models that learned from the same rows, each asked only of rows that it had not seen."""

    rows: NDArray[np.intp]  # that they are asked of, as indices in the table, (rows,)
    probabilities: dict[str, Array]  # of each model by its name, (rows, classes)
    folds: int  # in which all of them learned anew; 0 where plain ones learned as the model did
    learned: int  # from how many of the model's rows the plain ones learned, 0 in folds


def compare(answers: TableAnswers) -> Comparison | None:
    """The model beside plain ones that learned from the same rows; None where there are too few.

    Where its rows are known the plain ones learn from them and all answer this table; else, and
    where this table is those rows, models of its settings and plain ones are cross-validated on it.
    """
    if answers.codes is None:
        return None
    if answers.training is None or answers.learned:
        return in_folds(answers, answers.codes)
    return taught_alike(answers, answers.training)


def taught_alike(answers: TableAnswers, training: Training) -> Comparison | None:
    """Plain models of the model's own training rows, and itself, on the rows of the table."""
    drawn = drawn_rows(len(training.codes), MOST_LEARNED)
    codes, weights = training.codes[drawn], training.weights[drawn]
    if len(np.unique(codes)) < 2:
        return None
    both = np.concatenate([training.values[drawn], answers.values])
    both = in_everyday_units(answers.base, both)
    found = {OWN_MODEL: answers.probabilities}
    for name, one in plain_models(answers.base).items():
        weighted = {f"{one.steps[-1][0]}__sample_weight": weights}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
            one.fit(both[: len(drawn)], codes, **weighted)
        found[name] = np.zeros_like(answers.probabilities)
        found[name][:, one.classes_] = one.predict_proba(both[len(drawn) :])
    return Comparison(np.arange(len(answers.values)), found, 0, len(drawn))


def in_folds(answers: TableAnswers, codes: NDArray[np.intp]) -> Comparison | None:
    """The model's settings and plain models, cross-validated on the rows of the table."""
    base = answers.base
    columns, classes = sum(max(1, len(one.categories)) for one in base.variables), len(base.classes)
    work = float(classes * (len(base) * (2 * columns + classes * (columns + 1))) ** 2)  # of a row
    most = max(FEWEST_COMPARED, min(MOST_COMPARED, int(USUAL_WORK / work)))
    rows = drawn_rows(len(codes), most)
    codes = codes[rows]
    second_most = sorted([0, *np.bincount(codes).tolist()])[-2]  # rows of a class
    folds = min(COMPARISON_FOLDS, second_most)
    if len(rows) < ENOUGH_COMPARED or folds < 2:
        return None
    plain = in_everyday_units(base, answers.values[rows])
    models = {name: (one, plain) for name, one in plain_models(base).items()}
    if work * FEWEST_COMPARED <= MOST_COMPARED_WORK:
        models = {OWN_RULES: (settled(answers.model), take_rows(answers.X, rows)), **models}
    splits = StratifiedKFold(folds, shuffle=True, random_state=0)
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
        for name, (one, table) in models.items():
            found[name] = held_out_shares(one, table, codes, answers.model.classes_, splits)
    return Comparison(rows, found, folds, 0)


def held_out_shares(
    model: Any, table: Any, codes: NDArray[np.intp], classes: NDArray[Any], splits: StratifiedKFold
) -> Array:
    """The probability of each class by models that have not seen the rows, (rows, classes).

    By labels, not by codes as `cross_val_predict` does it: settings may name classes.
    """
    found = np.zeros((len(codes), len(classes)))
    for train, test in splits.split(codes, codes):
        fitted = clone(model).fit(take_rows(table, train), classes[codes[train]])
        known = np.searchsorted(classes, fitted.classes_)
        found[np.ix_(test, known)] = fitted.predict_proba(take_rows(table, test))
    return found


def in_everyday_units(base: RuleBase, values: Array) -> Array:
    """Values whose numbers are at most 1, by powers of 2: trees compute in single precision."""
    numbers = [j for j, variable in enumerate(base.variables) if not variable.categories]
    values = values.astype(np.float64)
    sizes = largest_exponents(LocalColumns(values, np.ones(len(values))), numbers)
    values[:, numbers] = np.ldexp(values[:, numbers], -sizes)
    return values


def drawn_rows(count: int, most: int) -> NDArray[np.intp]:
    """All rows, or as many at random, always the same."""
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.RandomState(0).choice(count, most, replace=False))


def settled(model: UNFISClassifier) -> UNFISClassifier:
    """A model to fit, of the same settings, with the rules and the prior that were chosen.

    Only their parts are chosen again in each fold: the rest would take longer than it changes.
    """
    plain = model.model_.settings.plain()
    plain["ridge"] = model.choices_["ridge"]
    if model.model_.settings.given_rules is None:
        plain["n_rules"] = len(model.rules_)
    return type(model)(**plain | {"verbose": False, "time_limit": None})


def plain_models(base: RuleBase) -> dict[str, Any]:
    """A logistic regression, a decision tree and one answer to all rows, to be fitted."""
    return {
        "Logistic regression": make_pipeline(
            encoder(base, StandardScaler()), LogisticRegression(max_iter=1000)
        ),
        "Decision tree": make_pipeline(
            encoder(base, "passthrough"), DecisionTreeClassifier(max_depth=4, random_state=0)
        ),
        "The same answer to every row": make_pipeline(DummyClassifier(strategy="prior")),
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
