"""The audit of rules on rows, by hand and of fits."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from text.models import made

from unfis import UNFISClassifier, UNFISRegressor
from unfis.fitting.evidence import Evidence
from unfis.model.audit import audit_of, contrary_rules, rules_in_part
from unfis.model.edit import Rows
from unfis.rules import Rule, RuleModel, Trapezoid
from unfis.text import Names
from unfis.text.printed import printed_model, printed_number

HIGH = Rule((Trapezoid(0, 4.0, 6.0),), 0, 2.0)
SHARP = Rule((Trapezoid(0, 5.0, 5.0),), 0, -1.0)
NAMES = Names(("a",), ((),), ("no", "yes"))
ROWS = Rows(np.arange(10.0)[:, None], (np.arange(10) > 4).astype(float), np.ones(10))


def test_what_is_counted_by_hand():
    model = RuleModel((HIGH, SHARP), (0.0,), link="logistic")
    found = audit_of(model, NAMES, [Evidence(5, 0.5, 5, 5), Evidence(5, 0.5, 3, 5)], ROWS)
    assert found.to_dict() == {
        "rows": 10, "by_hand": 1.0, "rules": 2, "contrary": 1, "folds": 5, "in_all_folds": 1,
        "in_half": 2, "hold": 1.0, "in_part": 0.1,
    }  # fmt: skip
    assert contrary_rules(model, *ROWS) == [1]
    assert rules_in_part(model, ROWS.values) == pytest.approx(0.1)
    assert str(found).splitlines() == [
        "The print gives the prediction on 100 % of 10 rows.",
        "1 of 2 rules say the contrary of their own rows.",
        "1 of 2 rules were found in all 5 folds, 2 in at least half of them.",
        "For a row 1 rules hold on average, 0.1 of them in part.",
    ]


def test_a_model_that_its_print_does_not_have_is_found():
    """More digits than are printed, and values just there."""
    edge = 5.00000012345
    model = RuleModel((Rule((Trapezoid(0, edge, edge),), 0, 2.0),), (0.0,), link="logistic")
    rows = Rows(np.array([[4.0], [5.00000006], [5.0000001], [6.0]]), np.zeros(4), np.ones(4))
    assert audit_of(model, NAMES, (), rows).by_hand == 0.5


@settings(max_examples=60)
@given(made())
def test_the_print_has_the_model(made):
    names, model, rows = made
    expected, found = model.predictions(rows), printed_model(model, names).predictions(rows)
    scale = 1.0 if expected.ndim > 1 else max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(found, expected, atol=2e-3 * scale)


def test_numbers_are_read_as_they_are_written():
    assert printed_number(1234567.891) == 1234568
    assert printed_number(-0.1) == -0.1
    assert printed_number(np.inf) == np.inf


@pytest.mark.parametrize("task", ["two", "three", "number", "count"])
def test_fits_are_what_they_print_on_all_rows(task):
    generator = np.random.default_rng(0)
    X = pd.DataFrame({"a": generator.normal(size=250) * 1e3, "k": generator.choice([*"pqr"], 250)})
    X.loc[:20, "a"] = np.nan
    signal = 2.0 * (X["a"].fillna(0) > 200) + (X["k"] == "p")
    y = np.rint(signal + generator.logistic(size=250) * 0.5)
    y = {"two": y > 1, "three": y.clip(0, 2), "number": signal + y, "count": y.clip(0)}[task]
    loss = {"loss": "poisson"} if task == "count" else {}
    estimator = UNFISClassifier if task in ("two", "three") else UNFISRegressor
    found = estimator(max_rules=6, **loss).fit(X, y).audit(X, y)
    assert found.by_hand == 1
    assert found.rules > 0
    assert found.in_all_folds <= found.in_half <= found.rules
