"""ALMMo-0: its update by hand, and what it comes to on iris."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unfis_paper.compared import ALMMo0Classifier
from unfis_paper.compared.almmo0 import FIRST_RADIUS, ClassPrototypes


def direction(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def test_the_update_by_hand():
    """Rows at 0, 40 and 10 degrees: two prototypes, and the third row moves the first."""
    model = ClassPrototypes(2)
    model.add(direction(0))
    assert model.radii.tolist() == [FIRST_RADIUS] == [pytest.approx(0.13397, abs=1e-5)]
    # Densities of both are alike, but 1 - cos 40 = 0.234 > 0.134.
    model.add(direction(40))
    assert len(model.points) == 2
    # mu is near 16.7 degrees, so that 10 is the densest yet: a third prototype.
    model.add(direction(10))
    assert len(model.points) == 3
    # 38 lies between the densities of 10 and of 40, and 1 - cos 2 is small: the second moves.
    model.add(direction(38))
    assert model.sizes.tolist() == [1, 2, 1]
    moved = (direction(40) + direction(38)) / 2
    np.testing.assert_allclose(model.points[1], moved)
    assert model.radii[1] == pytest.approx(FIRST_RADIUS / 2 + (1 - moved @ moved) / 4)
    np.testing.assert_allclose(model.mean, sum(map(direction, (0, 40, 10, 38))) / 4)


def test_a_remote_row_opens_a_prototype():
    model = ClassPrototypes(2)
    for degrees in (0, 20, -20):
        model.add(direction(degrees))
    # Less dense than all of them, though within 30 degrees of the second.
    before = len(model.points)
    model.add(direction(45))
    assert len(model.points) == before + 1


def test_rows_alike_are_one_prototype():
    model = ClassPrototypes(3)
    for _ in range(5):
        model.add(np.array([1.0, 2.0, 2.0]) / 3)
    assert model.sizes.tolist() == [5]


def test_the_class_of_the_nearest_prototype_is_the_answer():
    X = np.array([[1.0, 0], [2.0, 0], [0, 1.0], [0, 3.0]])
    clf = ALMMo0Classifier().fit(X, ["a", "a", "b", "b"])
    assert clf.predict([[5.0, 1], [1, 5], [0, 0.1]]).tolist() == ["a", "b", "b"]
    degrees = np.exp(-0.5 * np.array([((direction(30) - at) ** 2).sum() for at in np.eye(2)]))
    expected = degrees / degrees.sum()
    np.testing.assert_allclose(clf.predict_proba([direction(30)])[0], expected)


@pytest.mark.parametrize("seen", ["a", "b"])
def test_a_class_without_rows_is_never_the_answer(seen):
    """Nor where a row is as far as can be from all prototypes; and it has no rule."""
    clf = ALMMo0Classifier().partial_fit([[1.0, 0]], [seen], classes=["a", "b"])
    assert clf.predict([[-1.0, 0], [0, 1]]).tolist() == [seen, seen]
    certain = (clf.classes_ == seen).astype(float)
    np.testing.assert_array_equal(clf.predict_proba([[-1.0, 0]])[0], certain)
    assert [rule.label for rule in clf.rules_] == [seen]
    text = str(clf.rules_)
    assert text.startswith(f"1 rule for {seen}, learned from 1 row")
    assert text.count("THEN") == text.count("IF") == 1


def test_the_published_accuracy_of_the_star_on_iris():
    """85.98 is printed; other groups of 30 splits have from 81 to 85."""
    X, y = load_iris(return_X_y=True)
    accuracies = []
    for seed in range(30):
        order = np.random.default_rng(seed).permutation(150)
        train, test = order[:105], order[105:]
        star = make_pipeline(StandardScaler(), ALMMo0Classifier()).fit(X[train], y[train])
        accuracies.append(100 * star.score(X[test], y[test]))
    assert np.mean(accuracies) == pytest.approx(85.98, abs=2)


def test_rules_are_prototypes_combined_by_or():
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = ALMMo0Classifier().fit(X, y)
    rules = clf.rules_
    assert len(rules) == 3
    assert sum(rules[0].rows) == 50
    text = str(rules)
    assert "3 rules for class 0, class 1 or class 2, learned from 150 rows" in text
    assert "        OR the row is near sepal length (cm) " in text
    assert "THEN class 2" in text
    assert " AND " not in text
    assert f"{len(rules[1].rows) - 4} more prototypes are not printed" in text
