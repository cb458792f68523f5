"""Of numbers ratios are compared, and no table is both tuned on and judged."""

import numpy as np
import pandas as pd
import public_tables
import pytest
import regression
import regression_tables
import tables
import tuning_tables
import two_class_tables
import unbalanced_tables
from package_tables import Source, keel, read


def results(**values):
    """Results of one split of two tables."""
    rows = [
        {"table": table, "seed": 0, "system": system, "rmse": rmse, "rmse_at_15": 2 * rmse}
        for system, both in values.items()
        for table, rmse in zip("ab", both, strict=True)
    ]
    return pd.DataFrame(rows).assign(rules=10, conditions=12, seconds=1.0)


def test_ratios_are_of_the_same_split_and_their_means_geometric():
    found = results(**{"unfis": [2, 1], "EBM": [1, 2], "ridge regression": [4, 1], "mean": [3, 5]})
    wide = regression.ratios(found)
    assert wide["unfis"].tolist() == pytest.approx([2, 0.5])
    assert wide[regression.AT_FEW].tolist() == pytest.approx([4, 1])
    told = {one.work: one for one in regression.asked(found)}
    assert told["unfis"].measured.startswith("1.000")
    assert told["unfis"].reached
    assert not told[regression.AT_FEW].reached
    worst = regression.worst_beside_plain(found)
    assert worst.to_dict() == pytest.approx({"a": 2 / 3, "b": 1})


def test_no_table_that_is_judged_may_be_tuned_on():
    judged = {
        *regression_tables.NAMES,
        *public_tables.NAMES,
        *two_class_tables.PUBLIC,
        *two_class_tables.MADE,
        *tables.CURVED,
        *tables.SHIPPED,
        *tables.FROM_FOLDER,
        *unbalanced_tables.TABLES,
    }
    assert not judged & {*tuning_tables.CLASSES, *tuning_tables.NUMBERS}
    assert len(regression_tables.NAMES) == 20


@pytest.mark.parametrize("name", tuning_tables.MADE)
def test_made_tables_are_always_the_same(name):
    X, y = tuning_tables.load(name)
    again, target = tuning_tables.MADE[name](
        np.random.default_rng(1000 + list(tuning_tables.MADE).index(name))
    )
    pd.testing.assert_frame_equal(X, again)
    assert len(y) == len(target) <= tuning_tables.MOST_ROWS


def test_a_file_with_a_head(tmp_path, monkeypatch):
    text = "@relation x\n@attribute Size real[0,1]\n@attribute 'Kind' {a, b}\n@attribute Out real\n"
    (tmp_path / "x.dat").write_text(f"{text}#@inputs\n@data\n1.5, a, 2\n<null>,b,3\n")
    frame = keel(tmp_path / "x.dat")
    assert list(frame) == ["Size", "Kind", "Out"]
    monkeypatch.setattr("package_tables.folder", lambda: tmp_path)
    X, y = read(Source("x.dat", dropped=("Size",)))
    assert X["Kind"].tolist() == ["a", "b"]
    assert y.tolist() == [2, 3]
