"""What an expert has made sure of holds for every pair of rows, whatever is learned and how."""

import numpy as np
import pandas as pd
import pytest

from unfis import UNFISClassifier, load

PAIRS = 10_000
SIGNS = {"a": 1, "b": -1, "flag": 1, "kind": -1}
NAMES = ["a", "b", "c", "d", "flag", "kind", "ward"]


def table(seed, rows, missing=0.0):
    """A random table; the truth is monotone in nothing, so that a free fit would break signs."""
    draw = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": draw.normal(size=rows),
            "b": draw.integers(0, 7, rows).astype(float),
            "c": draw.gamma(2.0, size=rows),
            "d": draw.normal(size=rows),
            "flag": draw.random(rows) < 0.4,
            "kind": draw.choice(["left", "right"], rows),
            "ward": draw.choice(["north", "south", "west"], rows),
        }
    )
    turns = draw.normal(size=6)
    odds = (
        2 * turns[0] * np.sin(2 * X["a"])
        + turns[1] * (X["b"] - 3) ** 2 / 3
        + turns[2] * X["c"] * X["a"]
        + turns[3] * X["flag"] * X["d"]
        + 2 * turns[4] * np.where(X["kind"] == "left", 1, -1) * (X["ward"] == "west")
        + turns[5] * X["d"]
    )
    labels = np.where(odds - odds.median() + draw.logistic(size=rows) > 0, "yes", "no")
    for name in ("c", "d", "ward") if missing else ():
        X[name] = X[name].mask(draw.random(rows) < missing)
    return X, labels


def pairs(seed, missing=0.0):
    """Rows, some far from all that is known, and the same with more of what may only raise."""
    draw = np.random.default_rng(seed + 1000)
    low, _ = table(seed + 500, PAIRS, missing)
    far = draw.choice([1.0, 3.0, 100.0], PAIRS, p=[0.7, 0.25, 0.05])
    for name in "abcd":
        low[name] = low[name] * far
    moved = {name: draw.random(PAIRS) < 0.6 for name in SIGNS}
    more = draw.exponential(size=(2, PAIRS)) * far
    high = low.assign(
        a=low["a"] + more[0] * moved["a"],
        b=low["b"] - more[1] * moved["b"],
        flag=low["flag"] | moved["flag"],
        kind=np.where(moved["kind"], "left", low["kind"]),  # the first of two kinds
    )
    return low, high


def least_rise(predict, seed, missing=0.0):
    low, high = pairs(seed, missing)
    return float((predict(high)[:, 1] - predict(low)[:, 1]).min())


def kept(model, seed, missing=0.0):
    assert least_rise(model.predict_proba, seed, missing) >= -1e-12
    return model


WAYS = {
    "default": {},
    "exact": {"points": "exact"},
    "two points": {"points": 2},
    "one rule": {"n_rules": 1},
    "two rules": {"n_rules": 2, "points": "exact"},
    "three rules": {"n_rules": 3},
    "classes": {"consequents": "constant"},
    "balanced": {"class_weight": "balanced", "costs": {"yes": 10}},
    "short": {"max_conditions": 3},
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("seed", "way"), [*enumerate(WAYS)])
def test_ten_thousand_pairs_of_rows_keep_to_the_signs(way, seed):
    X, y = table(seed, 250)
    kept(UNFISClassifier(monotonic_cst=SIGNS, **WAYS[way]).fit(X, y), seed)


def test_a_free_fit_breaks_them():
    """Else the pairs would show nothing."""
    broken = [
        least_rise(UNFISClassifier(max_rules=3).fit(*table(seed, 250)).predict_proba, seed)
        for seed in range(3)
    ]
    assert sorted(broken)[1] < -0.05


@pytest.mark.parametrize("seed", range(3))
def test_missing_values_of_others_and_weights(seed):
    X, y = table(seed, 250, missing=0.2)
    weights = np.random.default_rng(seed).exponential(size=len(X))
    model = UNFISClassifier(monotonic_cst=SIGNS).fit(X, y, sample_weight=weights)
    kept(model, seed, missing=0.2)


def test_an_unknown_value_is_exempt():
    """A row that lacks the input is between the others, and says nothing about more or less."""
    X, y = table(3, 300)
    y = np.where(X["a"] + np.random.default_rng(3).logistic(size=300) > 0, "yes", "no")
    model = UNFISClassifier(monotonic_cst={"a": 1}).fit(X, y)
    rows = pd.concat([X.assign(a=value).head(20) for value in (-5.0, np.nan, 5.0)])
    least, unknown, most = model.predict_proba(rows)[:, 1].reshape(3, 20)
    assert (least <= unknown).all()
    assert (unknown <= most).all()


def test_later_batches_keep_to_the_signs():
    model = UNFISClassifier(monotonic_cst=SIGNS)
    for seed in (6, 7, 8):  # each of another truth
        kept(model.partial_fit(*table(seed, 150)), seed)


def test_later_batches_have_the_same_signs():
    model = UNFISClassifier(monotonic_cst=SIGNS).fit(*table(9, 200))
    with pytest.raises(ValueError, match=r"monotonic_cst was .* when learning began"):
        model.set_params(monotonic_cst={"a": -1}).partial_fit(*table(9, 200))


def test_all_of_the_path_and_edits_keep_to_the_signs():
    X, y = table(11, 250)
    model = UNFISClassifier(monotonic_cst=SIGNS, tolerance=0.0).fit(X, y)
    for parts in sorted(set(model.path_["parts"]))[:: max(1, len(model.path_["parts"]) // 4)]:
        kept(model.at(parts), 11)
    edited = model.edit(forbid=["c"])
    kept(edited, 11)
    kept(model.edit(forbid=["d"], refit=True, X=X, y=y), 11)
    other, labels = table(12, 250)
    kept(edited.partial_fit(other, labels), 11)


def test_files_and_exports_keep_to_the_signs(tmp_path):
    X, y = table(13, 250)
    model = kept(UNFISClassifier(monotonic_cst=SIGNS).fit(X, y), 13)
    model.save(tmp_path / "model.json")
    read = load(tmp_path / "model.json")
    # A file names no inputs: a sign for each of them.
    assert read.monotonic_cst == [SIGNS.get(name, 0) for name in NAMES]
    kept(read, 13)
    kept(read.partial_fit(*table(14, 150)), 13)
    kept(model.rules_, 13)


def test_categories_of_several_kinds_have_no_direction():
    with pytest.raises(ValueError, match="ward, a category of 3 kinds"):
        UNFISClassifier(monotonic_cst={"ward": 1}).fit(*table(0, 60))
