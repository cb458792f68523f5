"""What all compared classifiers hold to: scikit-learn's checks, streams, seeds, rules."""

import pickle
import re

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from unfis_paper.compared import (
    ALMMo0Classifier,
    EFNHNClassifier,
    EFNNClassifier,
    EFNNNullUniClassifier,
    ENFSUni0Classifier,
    UNInullFNNClassifier,
)
from unfis_paper.compared.readable import LogicRules

IRIS = load_iris(as_frame=True)
ORDER = np.random.RandomState(0).permutation(150)
X = StandardScaler().fit_transform(IRIS.data)[ORDER]
Y = IRIS.target.to_numpy()[ORDER]
EVOLVING = [
    ALMMo0Classifier(),
    EFNNClassifier(random_state=0, warm_up=40),
    EFNNNullUniClassifier(random_state=0, warm_up=40),
    EFNNNullUniClassifier(3, "random", random_state=0, warm_up=40),
    ENFSUni0Classifier(random_state=0),
    EFNHNClassifier(n_moves=20, random_state=0, warm_up=40),
]
ALL = [*EVOLVING, UNInullFNNClassifier(random_state=0)]
CHECKED = [
    ALMMo0Classifier(),
    EFNNClassifier(),
    EFNNNullUniClassifier(),
    EFNNNullUniClassifier("auto", "auto"),
    ENFSUni0Classifier(),
    EFNHNClassifier(n_moves=20),
    UNInullFNNClassifier(max_candidates=60, n_samples=4),
]


@pytest.mark.filterwarnings("ignore:Can't check dok sparse matrix:UserWarning")
@pytest.mark.parametrize("estimator", CHECKED, ids=str)
def test_scikit_learn_checks(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail="raise")
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    # Needs SCIPY_ARRAY_API=1 set before scipy is imported.
    assert skipped <= {"check_array_api_input"}
    assert len(results) > 50


@pytest.mark.parametrize("estimator", ALL, ids=str)
def test_they_learn_iris(estimator):
    clf = clone(estimator).fit(X[:100], Y[:100])
    assert clf.score(X[100:], Y[100:]) > 0.7


@pytest.mark.parametrize("estimator", ALL, ids=str)
def test_the_same_seed_gives_the_same(estimator):
    first, second = (clone(estimator).fit(X[:100], Y[:100]) for _ in range(2))
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))
    again = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(first.predict_proba(X), again.predict_proba(X))


def scores_of(estimator, pieces, *, fitted):
    """Scores after a stream that came in pieces, from nothing or after a fit."""
    clf = clone(estimator)
    start = 0
    if fitted:
        clf.fit(X[:60], Y[:60])
        start = 60
    for end in pieces:
        if end > start:
            clf.partial_fit(X[start:end], Y[start:end], classes=[0, 1, 2])
            start = end
    return clf.decision_function(X)


@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize("estimator", EVOLVING, ids=str)
def test_a_stream_in_one_call_is_the_same_stream_in_many(estimator, fitted):
    whole = scores_of(estimator, [150], fitted=fitted)
    for pieces in ([*range(1, 151)], [30, 70, 150]):
        np.testing.assert_array_equal(scores_of(estimator, pieces, fitted=fitted), whole)


@pytest.mark.parametrize("estimator", EVOLVING, ids=str)
def test_until_it_has_rows_enough_a_stream_is_a_fit(estimator):
    streamed = clone(estimator).partial_fit(X[:35], Y[:35], classes=[0, 1, 2])
    fitted = clone(estimator).fit(X[:35], Y[:35])
    np.testing.assert_array_equal(streamed.predict_proba(X), fitted.predict_proba(X))


@pytest.mark.parametrize("estimator", EVOLVING, ids=str)
def test_a_stream_follows_classes_that_are_swapped(estimator):
    """After as many rows again with classes 1 and 2 swapped, more rows are right than before."""
    clf = clone(estimator).fit(X, Y)
    swapped = np.array([0, 2, 1])[Y]
    before = clf.score(X, swapped)
    for _ in range(3):
        clf.partial_fit(X, swapped)
    assert clf.score(X, swapped) > before


@pytest.mark.parametrize("estimator", EVOLVING, ids=str)
def test_classes_of_a_stream_are_named_first(estimator):
    with pytest.raises(ValueError, match="classes must name all classes in the first call"):
        clone(estimator).partial_fit(X[:5], Y[:5])
    clf = clone(estimator).partial_fit(X[:5], Y[:5], classes=[0, 1, 2])
    for known in (clf, clone(estimator).fit(X, Y)):
        with pytest.raises(ValueError, match=r"got 7\. No class can be added later: begin with"):
            known.partial_fit(X[:1], [7])
    with pytest.raises(ValueError, match="classes must be as in the first call"):
        clf.partial_fit(X[:1], Y[:1], classes=[0, 1])
    assert set(clf.predict(X)) <= {0, 1, 2}


@pytest.mark.parametrize(
    "estimator",
    [
        EFNNClassifier(warm_up=2, random_state=0),
        EFNNNullUniClassifier(warm_up=2, random_state=0),
        ENFSUni0Classifier(random_state=0),
    ],
    ids=str,
)
def test_a_stream_has_at_most_so_many_rules(estimator):
    counts = [
        len(
            clone(estimator)
            .set_params(max_rules=most)
            .partial_fit(X, Y, classes=[0, 1, 2])
            .system_.clouds.centres
        )
        for most in (3, 5, 8)
    ]
    assert counts == [3, 5, 8]


@pytest.mark.parametrize("estimator", EVOLVING, ids=str)
def test_a_long_stream_stays_finite(estimator):
    generator = np.random.RandomState(0)
    rows = generator.normal(size=(600, 4)) * [1, 10, 100, 0]
    codes = (rows[:, 0] > 0).astype(int)
    clf = clone(estimator).partial_fit(rows, codes, classes=[0, 1])
    assert np.isfinite(clf.predict_proba(rows)).all()


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (EFNNClassifier(0), "granularity must be a whole number of at least 1, got 0"),
        (EFNNClassifier(forgetting=0), "forgetting must be a number above 0 and at most 1, got 0"),
        (EFNNClassifier(warm_up=1.5), "warm_up must be a whole number"),
        (EFNNNullUniClassifier(-1), 'grid_size must be a number above 0 or "auto", got -1'),
        (EFNNNullUniClassifier("all"), "grid_size must be a number above 0"),
        (EFNNNullUniClassifier(3, "all"), "elements must be a pair with 0 <= u < g <= 1"),
        (EFNNNullUniClassifier(3, (0.5, 0.5)), "elements must be a pair"),
        (EFNNNullUniClassifier(3, (0.5,)), "elements must be a pair"),
        (EFNNNullUniClassifier(True), "grid_size must be a number above 0"),
        (EFNNNullUniClassifier(np.inf), "grid_size must be a number above 0"),
        (EFNNNullUniClassifier(None), "grid_size must be a number above 0"),
        (EFNNNullUniClassifier(3, 5), "elements must be a pair .* got 5"),
        (EFNNNullUniClassifier(3, None), "elements must be a pair .* got None"),
        (EFNNNullUniClassifier(3, ("a", "b")), "elements must be a pair"),
        (EFNNNullUniClassifier(3, (0, True)), "elements must be a pair"),
        (EFNNClassifier(forgetting=True), "forgetting must be a number above 0"),
        (EFNHNClassifier(learning_rate="a"), "learning_rate must be a number of at least 0"),
        (EFNHNClassifier(learning_rate=np.inf), "learning_rate must be a number of at least 0"),
        (ENFSUni0Classifier(max_similarity=2), "max_similarity must be a number above 0"),
        (UNInullFNNClassifier("many"), "n_sets must be a whole number or \"auto\", got 'many'"),
        (UNInullFNNClassifier(share=0), "share must be a number above 0"),
        (EFNHNClassifier(0), "n_molecules must be a whole number of at least 1, got 0"),
        (EFNHNClassifier(learning_rate=-1), "learning_rate must be a number of at least 0"),
    ],
)
def test_parameters_are_checked(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, Y)


@pytest.mark.parametrize("name", ["fit", "partial_fit"])
def test_after_a_fit_that_failed_there_is_no_model(name):
    clf = EFNNClassifier(0)
    settings = {"classes": [0, 1, 2]} if name == "partial_fit" else {}
    with pytest.raises(ValueError, match="granularity"):
        getattr(clf, name)(X, Y, **settings)
    with pytest.raises(NotFittedError):
        clf.predict(X)
    clf.set_params(granularity=2).fit(X, Y).predict(X)
    with pytest.raises(ValueError, match="granularity"):
        clf.set_params(granularity=0).fit(X[:, :2], Y)
    with pytest.raises(NotFittedError):
        clf.predict(X)


def test_a_fit_may_give_more_rules_than_a_stream_adds():
    clf = EFNNClassifier(max_rules=3, random_state=0).fit(X, Y)
    count = len(clf.system_.clouds.centres)
    assert count > 3
    assert len(clf.partial_fit(3 * X, Y).system_.clouds.centres) == count


def test_a_choice_is_made_on_the_training_rows_and_recorded():
    clf = EFNNNullUniClassifier("auto", "auto", random_state=0).fit(X, Y)
    system = clf.system_
    assert system.grid_size in range(2, 8)
    assert 0 <= system.pair[0] < system.pair[1] <= 1
    fixed = EFNNNullUniClassifier(system.grid_size, system.pair, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(fixed.predict_proba(X), clf.predict_proba(X))
    few = EFNNNullUniClassifier("auto", "auto", random_state=0).fit(X[:4], Y[:4])
    assert (few.system_.grid_size, few.system_.pair) == (2, (0.0, 1.0))


def test_neurons_that_are_and_or_or_read_so():
    table, target = IRIS.data, IRIS.target_names[IRIS.target]
    conjunctive, disjunctive = (
        EFNNNullUniClassifier(2, pair).fit(table, target) for pair in ((0, 1), (0, 0))
    )
    text = str(conjunctive.rules_)
    assert "rules for setosa, versicolor or virginica, learned from 150 rows" in text
    assert text.count("THEN ") == len(conjunctive.rules_)
    assert " OR " not in text
    assert "certainties: setosa +" in text
    assert {rule.connective for rule in conjunctive.rules_} == {"AND"}
    assert {rule.connective for rule in disjunctive.rules_} == {"OR"}
    several = [rule for rule in disjunctive.rules_ if len(rule.conditions) > 1]
    assert several
    assert " OR " in str(disjunctive.rules_)
    assert " AND " not in str(disjunctive.rules_)


def test_rules_are_those_of_the_neurons():
    clf = EFNNNullUniClassifier(4).fit(X, Y)
    rules = clf.rules_
    system = clf.system_
    assert len(rules) == len(system.clouds.centres)
    np.testing.assert_array_equal(
        [rules.constant, *(rule.certainties for rule in rules)], system.output.coefficients
    )
    assert sum(rule.rows for rule in rules) == 150
    for rule, centre in zip(rules, system.clouds.centres, strict=True):
        weights = dict(zip(["x0", "x1", "x2", "x3"], system.weights, strict=True))
        assert {c.input for c in rule.conditions} == {n for n, w in weights.items() if w >= 0.05}
        for condition in rule.conditions:
            assert condition.centre == centre[int(condition.input[1])]
            assert condition.selection == weights[condition.input]


def told_scores(text):
    """What a text begins with, and the certainties of its rules, class by class."""
    joined = " ".join(text.split())
    told = re.findall(r"(?:begin with|certainties): ((?:class \d [-+][\d.]+(?:, )?)+)", joined)
    numbers = [re.findall(r"class \d ([-+]\d+\.\d+)", part) for part in told]
    return np.array(numbers, dtype=float)


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize(
    "estimator",
    [
        EFNNClassifier(random_state=0),
        EFNNNullUniClassifier(3, random_state=0),
        ENFSUni0Classifier(random_state=0),
        UNInullFNNClassifier(max_candidates=60, n_samples=4, random_state=0),
    ],
    ids=str,
)
def test_rules_added_up_are_the_answers(estimator, load):
    """The constant and certainties times activations; without the constant many would differ."""
    rows, codes = load(return_X_y=True)
    rows = StandardScaler().fit_transform(rows)
    clf = clone(estimator).fit(rows, codes)
    rules, activations = clf.rules_, clf.system_.activations(rows)
    added = activations @ np.array([rule.certainties for rule in rules])
    sums = rules.constant + added
    np.testing.assert_array_equal(sums.argmax(axis=1), clf.predict(rows))
    assert (added.argmax(axis=1) != clf.predict(rows)).any()
    exact = np.array([rules.constant, *(rule.certainties for rule in rules)])
    np.testing.assert_allclose(told_scores(str(rules)), exact, atol=0.00501)


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize(
    "estimator",
    [EFNNClassifier(random_state=0), EFNNNullUniClassifier(2, (0, 0)), ENFSUni0Classifier()],
    ids=str,
)
def test_rules_tell_how_far_they_hold_at_least(estimator, load):
    rows, codes = load(return_X_y=True)
    clf = clone(estimator).set_params(random_state=0).fit(rows, codes)
    rules, lowest = clf.rules_, clf.system_.activations(rows).min(axis=0)
    assert all(0 <= rule.least <= low + 1e-9 for rule, low in zip(rules, lowest, strict=True))


def test_an_or_of_a_condition_that_always_holds_always_holds():
    """EFNN on wine: inputs beside proline are small, so that one of them holds on each row."""
    table, codes = load_wine(return_X_y=True, as_frame=True)
    clf = EFNNClassifier(random_state=0).fit(table, codes)
    blocks = str(clf.rules_).split("\n\n")[2:-1]
    lowest = clf.system_.activations(table.to_numpy()).min(axis=0)
    always = [i for i, rule in enumerate(clf.rules_) if rule.connective == "OR" and lowest[i] > 0.9]
    assert always
    for i in always:
        assert " IF " not in blocks[i]
        assert "in every case" in blocks[i]
        assert "holds on all rows that were learned from, to " in blocks[i]


def test_an_or_tells_conditions_that_hold_everywhere_too():
    """Of small weight, so that the rule does not always hold; an AND leaves them out."""
    ends = np.zeros(2), np.array([1.0, 10.0])
    centres, widths = np.array([[0.5, 2.0]]), np.ones((1, 2))
    texts = [
        str(
            LogicRules.of_neurons(
                ["a", "b"], [0, 1], ends, 9,
                (centres, widths, np.array([[0.3, 1.0]]), np.array([elements])),
                np.array([[0.0, 0.0], [1.0, 2.0]]),
            )
        )
        for elements in ([0.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    ]  # fmt: skip
    assert "IF a is any of its values (weight 0.30)" in texts[0]
    assert " OR b is " in texts[0]
    assert "a is" not in texts[1]
    assert "IF b is " in texts[1]
    assert not any("in every case" in text for text in texts)


@pytest.mark.parametrize(
    "estimator",
    [EFNNClassifier(random_state=0), ENFSUni0Classifier(random_state=0), ALL[-1]],
    ids=str,
)
def test_drawn_neurons_have_rules_too(estimator):
    rules = clone(estimator).fit(X, Y).rules_
    text = str(rules)
    assert text.count("THEN class ") == len(rules)
    assert "of the degrees" in text


def test_a_hydrocarbon_network_has_no_rules():
    assert not hasattr(EFNHNClassifier(n_moves=2).fit(X, Y), "rules_")
