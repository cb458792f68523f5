"""The benchmark of sets counts what it says."""

import conformal
import numpy as np
import pandas as pd


def test_what_covers_too_little_is_marked():
    rows = [
        {"set": "made", "seed": seed, "system": "unfis", "class": label, "rows": 100}
        | {"covered": covered + seed, "classes_in_sets": 130}
        for seed in range(3)
        for label, covered in (("no", 95), ("yes", 80))
    ]
    (line,) = conformal.summary(pd.DataFrame(rows)).splitlines()
    assert "size 1.300 (0.000)" in line
    assert "no 96.0 (0.6), yes 81.0 (0.6) LOW" in line


def test_a_class_of_few_rows_is_in_all_sets_by_class(monkeypatch):
    monkeypatch.setattr(conformal, "calibrated", lambda *_: np.zeros((5, 2), dtype=bool))
    X = pd.DataFrame({"x": np.arange(200.0)})
    y = pd.Series([1 if row % 4 == 0 else 0 for row in range(200)])
    found = conformal.split_sets_by_class((X, y), X[:5], 0)
    assert found.any(axis=0).tolist() == [False, True]
