"""A network's rules in the units of its table: they are the network, and they can be read."""

import numpy as np
import pandas as pd
import pytest
from sample_tables import HURTFUL, clinic, ten_classes
from sklearn.datasets import load_iris, load_wine

from unfis import UNFISNetworkClassifier, load
from unfis.arrays import softmax
from unfis.network.layers import EPSILON

TABLES = {
    "iris": lambda: load_iris(return_X_y=True, as_frame=True),
    "clinic": clinic,
    "ten classes": ten_classes,
}
KINDS = [
    {},
    {"selection": "none"},
    {"consequents": "constant"},
    {"scale": False, "ridge": 1.0},
    {"n_rules": 3},
]


def columns_of(net, X):
    """The columns of a table without scaling, 0 and 1 of kinds; (rows, columns)."""
    values = net.model_.columns.values(X)
    found = []
    for item, column in zip(net.inputs_, values.T, strict=True):
        kinds = np.arange(len(item.categories)) if len(item.scales) > 1 else None
        found.append(column[:, None] if kinds is None else (column[:, None] == kinds) * 1.0)
    return np.hstack(found)


def by_hand(net, x):
    """The paper's layers on what the estimator shows, in the units of the table."""
    rules = net.rules_
    mu = np.exp(-np.square(x[:, None] - net.centres_) / (2 * np.square(net.widths_)))
    vs = rules.degrees
    plus = np.where(vs == 1, mu, (mu + EPSILON) / ((1 - vs) * mu + vs + EPSILON))
    firing = plus.prod(axis=2)
    shares = firing / firing.sum(axis=1, keepdims=True)
    y = net.consequents_[:, :, 0] + np.einsum("rj,rcj,kj->krc", vs, net.consequents_[:, :, 1:], x)
    return softmax(np.einsum("kr,krc->kc", shares, y) - rules.thresholds)


@pytest.mark.parametrize("settings", KINDS, ids=str)
@pytest.mark.parametrize("table", TABLES)
def test_what_is_shown_is_what_predicts(table, settings):
    X, y = TABLES[table]()
    net = UNFISNetworkClassifier(**{"n_rules": 2, "ridge": 0.3, **settings}).fit(X, y)
    known = X[X.notna().all(axis=1)]
    np.testing.assert_allclose(
        by_hand(net, columns_of(net, known)), net.predict_proba(known), atol=1e-9
    )


@pytest.mark.parametrize("table", TABLES)
def test_active_features_are_sums_of_selections(table):
    """Eq. (AF)."""
    X, y = TABLES[table]()
    net = UNFISNetworkClassifier(2, ridge=0.3).fit(X, y)
    assert net.selection_.shape == (2, X.shape[1])
    assert ((net.selection_ > 0) & (net.selection_ < 1)).all()
    np.testing.assert_allclose(net.active_features_, net.selection_.sum(axis=1))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_papers_network_reads_as_the_paper_writes_rules():
    """The first rule looks at petal width, as the paper says of its own."""
    iris = load_iris(as_frame=True)
    net = UNFISNetworkClassifier.paper(random_state=0).fit(
        iris.data, iris.target_names[iris.target]
    )
    first, second, whole = str(net.rules_).split("\n\n")
    lines = first.split("\n")
    assert lines[0] == f"Rule 1, {net.active_features_[0]:.3g} of 4 inputs active"
    width, centre = net.widths_[0, 3], net.centres_[0, 3]
    assert (
        lines[1] == f"IF petal width (cm) is about {centre:.2g} (width {width:.2g}, selected 1.00)"
    )
    assert lines[2].startswith("Relaxed: petal length (cm) 0.06, sepal width (cm) 0.00")
    assert lines[3].split() == ["THEN", "setosa", "versicolor", "virginica"]
    constant, slopes = lines[4].split(), lines[5].split()
    np.testing.assert_allclose(
        [float(one) for one in constant[1:]], net.consequents_[0, :, 0], rtol=0.01
    )
    np.testing.assert_allclose(
        [float(one) for one in slopes[3:]], net.consequents_[0, :, 4], rtol=0.01
    )
    assert [line.split()[0] for line in second.split("\n")[1:4]] == ["IF", "AND", "AND"]
    assert whole.startswith("p = softmax(sum of phi * y less theta)")


def hurtful():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return X.set_axis([*HURTFUL, "a", "b"], axis=1), np.array(HURTFUL)[y]


def wide():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(200, 60)), columns=[f"input {j}" for j in range(60)])
    X["kind"] = pd.Categorical(generator.choice([f"kind {k}" for k in range(30)], 200))
    return X, np.arange(200) % 12


@pytest.mark.parametrize("table", [hurtful, wide, ten_classes, clinic])
def test_nothing_is_wider_than_a_page(table):
    net = UNFISNetworkClassifier(2, ridge=1.0).fit(*table())
    text = str(net.rules_)
    assert max(map(len, text.split("\n"))) <= 80
    assert text.isprintable() or set(filter(lambda sign: not sign.isprintable(), text)) == {"\n"}
    assert text.count("\nIF ") + text.startswith("IF ") == 2


def test_of_many_inputs_the_first_are_told():
    net = UNFISNetworkClassifier(2, ridge=1.0).fit(*wide())
    text = net.rules_.to_text(3)
    order = np.argsort(-net.selection_[0], kind="stable")
    name = net.inputs_[order[0]].name
    assert text.split("\n")[1].startswith(f"IF {name} is ")
    assert f"58 more, selected {net.selection_[0, order[3]]:.2f} or less" in text
    assert "and 58 more inputs" in text


def test_what_was_read_from_a_file_is_told_alike(tmp_path):
    net = UNFISNetworkClassifier(2, ridge=0.3).fit(*clinic())
    net.save(tmp_path / "net.json")
    again = load(tmp_path / "net.json")
    assert type(again) is UNFISNetworkClassifier
    assert str(again.rules_) == str(net.rules_)
    np.testing.assert_array_equal(again.rules_.ends, net.rules_.ends)
