"""Whether two fitted estimators say the same, and numbers to learn."""

import numpy as np
from additive.fitting.tables import assert_same as assert_same_rules


def measured(X):
    """A number of some inputs, more or less missing."""
    known = np.nan_to_num(X)
    noise = np.random.default_rng(0).normal(size=len(X))
    return (100 + 20 * (known[:, 0] > 0.5) - 3 * known[:, -1] + noise).round(2)


def assert_same(found, expected, X):
    """Two estimators have the same rules, and points to 1e-9."""
    one, other = found.model_, expected.model_
    scale = max(1.0, *map(abs, other.rules.start))
    assert other.rules.rules
    assert_same_rules(one.rules, other.rules, points=1e-9 * scale)
    np.testing.assert_allclose(one.rules.unit, other.rules.unit, rtol=1e-9)
    np.testing.assert_allclose(one.evidence, other.evidence, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(one.searched.values, other.searched.values)
    np.testing.assert_array_equal(one.searched.targets, other.searched.targets)
    np.testing.assert_allclose(one.losses, other.losses, atol=1e-8 * scale)
    assert [len(model.rules) for model in one.path] == [len(model.rules) for model in other.path]
    assert found.n_features_in_ == expected.n_features_in_
    np.testing.assert_array_equal(one.columns.classes, other.columns.classes)
    ask = "predict_proba" if hasattr(expected, "predict_proba") else "predict"
    answers = (getattr(estimator, ask)(X[:50]) for estimator in (found, expected))
    np.testing.assert_allclose(*answers, rtol=1e-9)
