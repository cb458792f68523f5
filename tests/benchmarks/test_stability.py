"""How stable chosen inputs are: agreement on nothing is none, and chance is taken away."""

import numpy as np
import pandas as pd
import pytest
import stability
from sklearn.datasets import load_breast_cancer


def table(*rows):
    return np.array(rows, dtype=bool)


def test_jaccard_of_pairs():
    assert stability.jaccard(table([1, 1, 0], [1, 1, 0])) == 1
    assert stability.jaccard(table([1, 1, 0], [0, 1, 1])) == pytest.approx(1 / 3)
    assert stability.jaccard(table([1, 0, 0], [1, 0, 0], [0, 0, 0])) == pytest.approx(1 / 3)


def test_nothing_chosen_is_no_agreement():
    assert stability.jaccard(np.zeros((4, 3), dtype=bool)) is None
    assert stability.nogueira(np.zeros((4, 3), dtype=bool)) is None
    # Of three pairs one has no input, and the two others have none in common.
    assert stability.jaccard(table([0, 0], [0, 0], [1, 0])) == 0


def test_chance_is_taken_away():
    drawn = np.random.default_rng(0).random((2000, 6)) < 0.5
    assert stability.nogueira(drawn) == pytest.approx(0, abs=0.01)
    assert stability.jaccard(drawn[:100]) > 0.25
    assert stability.nogueira(table([1, 0, 1], [1, 0, 1])) == pytest.approx(1)
    assert stability.nogueira(np.ones((4, 3), dtype=bool)) is None


def test_trees_are_pruned_to_the_leaves_of_a_model():
    X, y = load_breast_cancer(return_X_y=True)
    leaves = [stability.pruned(X, y, most).get_n_leaves() for most in (2, 5, 9, 1000)]
    assert leaves == sorted(set(leaves))
    assert all(1 < found <= most for found, most in zip(leaves, (2, 5, 9, 1000), strict=True))


def test_samples_are_with_replacement_and_always_the_same():
    X, y = pd.DataFrame({"x": range(100)}), pd.Series(range(100))
    first, labels = stability.sampled(X, y, 1)
    assert list(first["x"]) == list(labels) == list(stability.sampled(X, y, 1)[1])
    assert list(labels) != list(stability.sampled(X, y, 2)[1])
    assert len(labels) == 100
    assert 50 < labels.nunique() < 75


def test_what_there_is_none_of_counts_in_no_mean():
    rows = [
        {"of": of, "set": name, "inputs": 3, "sample": number, "conditions": 1, "chosen": chosen}
        for name in ("a", "b")
        for of in (stability.OURS, *stability.TREES)
        for number, chosen in enumerate(["" if (of, name) == (stability.OURS, "a") else "0"] * 2)
    ]
    lines = stability.summary(pd.DataFrame(rows)).splitlines()
    assert lines[2].split() == ["unfis", "none", "1.00", "1.00"]
    assert any(
        "unfis less tree of depth 4: +0.00" in line and "0 of 1 sets" in line for line in lines
    )
