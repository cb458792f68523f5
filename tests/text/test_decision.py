"""The print of a model that answers by costs."""

import re

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris

from unfis import UNFISClassifier
from unfis.rules import RuleModel
from unfis.text import Names
from unfis.text.decision import decision_lines


def test_the_print_answers_as_the_model():
    X, y = load_breast_cancer(return_X_y=True)
    clf = UNFISClassifier(max_rules=4).fit(X, y)
    assert "The answer is" not in clf.rules_
    dear = clf.with_decision(costs={0: 7})
    found = re.search(
        r"above ([\d.]+) %, that is above (\S+) points\.", dear.rules_.replace("\n", " ")
    )
    assert float(found[1]) == 87.5
    sums = dear.model_.points(X)[:, 0] - dear.model_.rules.start[0]
    near = np.abs(sums - float(found[2])) < 1e-3
    assert not near.all()
    assert ((sums > float(found[2])) == dear.predict(X))[~near].all()


def test_several_classes_have_a_table_of_costs():
    X, y = load_iris(return_X_y=True)
    clf = UNFISClassifier(max_rules=3).fit(X, y)
    text = clf.with_decision(costs=[[0, 1, 2], [3, 0, 4], [5, 6, 0]]).rules_
    assert "The class with most points is the answer" in clf.rules_
    assert "The class with most points" not in text
    rows = re.findall(r"class (\d) is true +(\d) +(\d) +(\d)\n", text)
    assert rows == [("0", "0", "1", "2"), ("1", "3", "0", "4"), ("2", "5", "6", "0")]


def test_without_rules_there_are_no_points():
    names = Names((), (), ("no", "yes"))
    lines = decision_lines(RuleModel((), (0.0,), link="logistic"), names, ((0, 1), (3, 0)))
    assert lines == ["", "The answer is yes where its probability is above 25 %."]
