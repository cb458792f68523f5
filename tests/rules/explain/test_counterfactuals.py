"""The smallest change of one input that changes the answer: it does, and no smaller one would."""

import numpy as np
import pytest
from rule_tables import AVERAGED_KINDS, names_of_sets

from unfis.rules.explain.counterfactuals import change_size


def changed(values, changes):
    """The rows with their changes made, and which rows have one."""
    possible = changes.inputs >= 0
    then = values.copy()
    rows = np.flatnonzero(possible)
    then[rows, changes.inputs[rows]] = changes.values[rows]
    return then, possible


@pytest.mark.parametrize("kind", ["decisive", "soft", "constant", "three rules", *AVERAGED_KINDS])
@pytest.mark.parametrize("name", names_of_sets())
def test_the_change_changes_the_answer(model, name, kind):
    clf, X, _ = model(name, kind)
    explained = clf.explain(X)
    then, possible = changed(explained.values, explained.changes)
    answers = clf.rules_.arrays.evaluate(then).logits.argmax(axis=1)
    assert possible.any() or kind in AVERAGED_KINDS  # made networks may always answer the same
    assert (answers[possible] != explained.shares.predicted[possible]).all()
    np.testing.assert_array_equal(answers[possible], explained.changes.predicted[possible])
    assert (explained.changes.predicted[~possible] == -1).all()


def comb(variable):
    """All values that an input can be changed to, as fine as the data resolves."""
    if variable.categories:
        return np.arange(float(len(variable.categories)))
    if variable.levels:
        return np.array(variable.levels)
    unit = 10.0**-variable.decimals
    steps = np.arange(np.ceil(variable.lowest / unit), np.floor(variable.highest / unit) + 1)
    return np.round(steps * unit, variable.decimals)


@pytest.mark.parametrize("kind", ["decisive", "soft", "three rules", *AVERAGED_KINDS])
@pytest.mark.parametrize("name", names_of_sets())
def test_no_smaller_change_of_any_input_would(model, name, kind):
    """Against every value that the data could hold, of every input."""
    clf, X, _ = model(name, kind)
    rows = X.iloc[:: len(X) // 8]
    explained = clf.explain(rows)
    values, variables = explained.values, clf.rules_.variables
    for row in range(len(rows)):
        j = explained.changes.inputs[row]
        found = np.inf
        if j >= 0:
            now, then = values[row, [j]], explained.changes.values[[row]]
            found = change_size(variables[j], now, then)[0]
        for k in clf.rules_.arrays.used:
            if np.isnan(values[row, k]):
                continue
            every = comb(variables[k])
            sizes = change_size(variables[k], np.full(len(every), values[row, k]), every)
            near = every[sizes < found - 1e-9]
            others = np.repeat(values[[row]], len(near), axis=0)
            others[:, k] = near
            answers = clf.rules_.arrays.evaluate(others).logits.argmax(axis=1)
            assert (answers == explained.shares.predicted[row]).all()


def test_a_number_changes_to_one_that_the_data_could_hold(model):
    clf, X, _ = model("iris")
    changes = clf.explain(X).changes
    values = changes.values[changes.inputs >= 0]
    np.testing.assert_allclose(values, values.round(1), atol=1e-12)
    low, high = X.min().to_numpy(), X.max().to_numpy()
    inputs = changes.inputs[changes.inputs >= 0]
    assert (values >= low[inputs]).all()
    assert (values <= high[inputs]).all()


def test_an_unknown_input_is_not_changed(model):
    clf, X, _ = model("iris")
    rows = X.copy()
    rows["petal length (cm)"] = np.nan
    assert (clf.explain(rows).changes.inputs != 2).all()
    nothing = clf.explain(X.iloc[:2] * np.nan)
    assert (nothing.changes.inputs == -1).all()
    assert nothing[0].change is None
    assert "No change of one input within the range seen" in str(nothing[0])
