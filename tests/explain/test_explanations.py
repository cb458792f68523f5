"""Explanations as data, text and HTML, of all kinds of estimators."""

import json
from dataclasses import FrozenInstanceError, replace
from html.parser import HTMLParser

import numpy as np
import pytest
from conformance.cases import model_of
from explain.tables import TASKS, fitted, table
from hypothesis import given, settings
from text.models import made

from unfis import UNFISClassifier, UNFISRegressor
from unfis.explain import Explanations, Goal


@pytest.fixture(scope="module")
def estimators():
    X, signal = table(5, rows=200)
    return X, {task: fitted(task, X, signal) for task in TASKS}


def model_from(names, rules):
    kinds = tuple(kinds or "number" for kinds in names.categories)
    classes = names.outputs if rules.link in ("logistic", "softmax") else ()
    return replace(model_of(names.inputs, kinds, rules, classes), names=names, searched=None)


@settings(max_examples=200, deadline=None)
@given(made())
def test_explanations_of_random_tables_add_up_to_predictions(data):
    names, rules, values = data
    model = model_from(names, rules)
    predictions = model.predictions(values)
    for one, expected in zip(Explanations(model, values, None), predictions, strict=True):
        totals = []
        for part in one.sums:
            total = part.start
            for rule in part.rules:
                total += rule.contribution
            assert total == part.total
            totals.append(total)
        rebuilt = replace(rules, rules=(), start=tuple(totals)).predictions(values[:1])[0]
        np.testing.assert_array_equal(rebuilt, expected)
        assert [share for _, share in one.probabilities] == np.atleast_1d(expected).tolist() or (
            one.answer == expected
        )


@settings(max_examples=15, deadline=None)
@given(made())
def test_text_is_narrow_and_data_is_json_for_any_names(data):
    names, rules, values = data
    model = model_from(names, rules)
    goal = Goal() if rules.link in ("logistic", "softmax") else None
    for one in Explanations(model, values[:3], goal):
        json.dumps(one.to_dict(), allow_nan=False)
        Cells().feed(one.to_html())
        longest = max(len(word) for line in str(one).splitlines() for word in line.split() or [""])
        assert max(map(len, str(one).splitlines())) <= max(80, longest + 60)


class Cells(HTMLParser):
    """Reads the cells of a table, and that tags are closed."""

    def __init__(self):
        super().__init__()
        self.open, self.cells = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells[-1] += data


@pytest.mark.parametrize("task", TASKS)
def test_an_explanation_has_the_answer_and_what_is_next(estimators, task):
    X, fits = estimators
    estimator, y = fits[task]
    one = estimator.explain(X)[7]
    assert one.answer == estimator.predict(X)[7]
    if task in ("two", "three"):
        order = np.argsort(-estimator.predict_proba(X)[7])
        assert one.runner_up == estimator.classes_[order[1]]
        assert one.counterfactual.answer != one.answer
        assert one.neighbours.error is None
        assert set(dict(one.probabilities)) == set(y)
    else:
        assert one.runner_up is None
        assert one.counterfactual is None
        assert one.neighbours.right is None
    with pytest.raises(FrozenInstanceError):
        one.answer = "other"


def test_rules_of_two_inputs_are_an_item_of_their_own(estimators):
    X, fits = estimators
    for estimator, _ in fits.values():
        rules = estimator.model_.rules.rules
        names = estimator.model_.names.inputs
        for n, part in enumerate(estimator.explain(X)[0].sums):
            keys = {
                tuple(names[j] for j in sorted(set(rule.inputs)))
                for rule in rules
                if rule.output == n
            }
            assert {item.inputs for item in part.inputs} == keys


def test_sequences(estimators):
    X, fits = estimators
    explained = fits["two"][0].explain(X)
    assert len(explained) == 200
    assert explained[-1] == explained[199] == list(explained)[199] == explained[190:][9]
    assert str(explained).endswith("... and 197 more rows. Index the explanations for one.")
    assert explained[:2].to_dict() == [explained[0].to_dict(), explained[1].to_dict()]
    assert explained.to_html().count("<table>") == 3
    with pytest.raises(IndexError, match="There are 200 explained rows; got row 200"):
        explained[200]


def test_the_table_may_change_after_it_is_explained():
    X = np.arange(40.0)[:, None]
    explained = UNFISClassifier(max_rules=1).fit(X, X[:, 0] > 20).explain(X)
    before = explained[3].to_dict()
    X[:] = 0.0
    assert explained[3].to_dict() == before
    assert before["values"] == {"x0": 3.0}


def test_the_sentence_of_a_counterfactual_is_true(estimators):
    X, fits = estimators
    estimator, _ = fits["two"]
    said = 0
    for n, one in enumerate(estimator.explain(X)[:60]):
        if one.counterfactual is None:
            continue
        then = X.iloc[[n]].copy()
        for change in one.counterfactual.changes:
            then[change.name] = [change.after]
        then["ward"] = then["ward"].astype(X["ward"].dtype)
        assert estimator.predict(then)[0] == one.counterfactual.answer
        share = dict(zip(estimator.classes_, estimator.predict_proba(then)[0], strict=True))
        assert share[one.counterfactual.answer] == pytest.approx(one.counterfactual.probability)
        sentence = next(note for note in one.notes if note.startswith("If "))
        assert all(f"{change.name} were " in sentence for change in one.counterfactual.changes)
        said += 1
    assert said > 30


def test_a_number_is_brought_above_or_below_a_given_one(estimators):
    X, fits = estimators
    estimator, _ = fits["number"]
    predicted = estimator.predict(X)
    middle = float(np.median(predicted))
    for n, one in enumerate(estimator.explain(X, above=middle)[:20]):
        if predicted[n] > middle:
            assert one.counterfactual is None
            assert f"is above {middle:.6g} as it is" in " ".join(one.notes)
        elif one.counterfactual is not None:
            assert one.counterfactual.answer > middle
    found = [one.counterfactual for one in estimator.explain(X, below=middle)]
    assert all(one.answer < middle for one in found if one is not None)
    assert sum(one is not None for one in found) > 50
    unreachable = estimator.explain(X, above=1e9)[0]
    assert "No change of one or two inputs brings the target above" in " ".join(unreachable.notes)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"above": 1.0, "below": 2.0}, "Give above or below, not both"),
        ({"above": "much"}, "above must be a finite number, or None; got 'much'"),
        ({"below": float("nan")}, "below must be a finite number, or None; got nan"),
    ],
)
def test_wrong_limits(estimators, settings, message):
    X, fits = estimators
    with pytest.raises(ValueError, match=message):
        fits["number"][0].explain(X, **settings)


def test_the_answer_that_costs_least_says_so(estimators):
    X, fits = estimators
    _, y = fits["two"]
    clf = UNFISClassifier(max_rules=5, costs={"low": 30}).fit(X, y)
    rows = [one for one in clf.explain(X) if one.answer != max(one.probabilities, key=share)[0]]
    assert rows
    assert all("is expected to cost least" in str(one).splitlines()[0] for one in rows)
    assert all(one.runner_up != one.answer for one in rows)


def share(pair):
    return pair[1]


def test_html_is_escaped_and_has_all_figures():
    X = np.arange(60.0)[:, None]
    clf = UNFISClassifier(max_rules=1).fit(X, np.where(X[:, 0] > 30, "<b>yes</b>", "a & b"))
    page = clf.explain(X)[40].to_html()
    assert "<b>" not in page
    assert "&lt;b&gt;yes" in page
    reader = Cells()
    reader.feed(page)
    assert reader.open == []
    assert len(reader.cells) % 5 == 0
    assert any("x0" in cell for cell in reader.cells)


@pytest.mark.parametrize("estimator", [UNFISClassifier(), UNFISRegressor()])
def test_not_fitted(estimator):
    for name in ("explain", "contributions"):
        with pytest.raises(ValueError, match="not fitted"):
            getattr(estimator, name)([[0.0]])
    with pytest.raises(ValueError, match="not fitted"):
        _ = estimator.feature_importances_
