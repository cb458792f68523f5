"""Parquet files, block by block."""

import decimal
import sys

import numpy as np
import pandas as pd
import pytest
from block_tables import assert_same, clinic, numbers, quick

from unfis.app.tables import TableError
from unfis.data.blocks import blocks_of, sources

pytest.importorskip("pyarrow")


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(sources, "VALUES_AT_ONCE", 700)


@pytest.fixture
def path(tmp_path):
    X, y = clinic()
    path = tmp_path / "clinic.parquet"
    X.assign(outcome=y, weight=np.arange(len(X)) % 3).to_parquet(path, row_group_size=150)
    return path


@pytest.mark.usefixtures("small_blocks")
def test_the_model_of_a_file_is_that_of_its_table(path):
    table = pd.read_parquet(path)
    X, y, weights = table.iloc[:, :5], table["outcome"], table["weight"]
    whole = quick().fit(X, y, sample_weight=weights)
    assert_same(quick().fit(path, "outcome", "weight"), whole, X)
    assert_same(quick().fit(str(path), "outcome", sample_weight="weight"), whole, X)
    inputs = table.drop(columns="outcome")
    assert_same(quick().fit(path, "outcome"), quick().fit(inputs, y), inputs)


def test_many_rows(tmp_path):
    X, y = numbers(60_000)
    table = pd.DataFrame(X).rename(columns=str)
    path = tmp_path / "many.parquet"
    table.assign(y=y).to_parquet(path, row_group_size=25_000)
    y = pd.read_parquet(path)["y"]
    assert_same(quick().fit(path, "y"), quick().fit(table, y), table)


@pytest.mark.usefixtures("small_blocks")
def test_all_types_of_columns(tmp_path):
    rows = 600
    generator = np.random.RandomState(0)
    table = pd.DataFrame({"price": [decimal.Decimal(i % 7) / 4 for i in range(rows)]})
    table["count"] = pd.Series(generator.randint(0, 9, rows), dtype="Int64")
    table.loc[100:200, "count"] = pd.NA
    table["half"] = generator.rand(rows).astype(np.float32)
    table["truth"] = pd.Series(generator.choice([True, False, None], rows), dtype="boolean")
    table["word"] = pd.Series(generator.choice(["b", "a", "c"], rows), dtype="category")
    table["nothing"] = None
    table["y"] = np.where(table["half"] > 0.5, "high", "low")
    path = tmp_path / "types.parquet"
    table.astype({"y": "category"}).to_parquet(path, row_group_size=250)
    table = pd.read_parquet(path)
    X, y = table.drop(columns="y"), table["y"]
    assert_same(quick().fit(path, "y"), quick().fit(X, y), X)
    kinds = [column.kind for column in quick().fit(path, "y").inputs_]
    assert kinds == ["number", "number", "number", "boolean", "category", "number"]


@pytest.mark.usefixtures("small_blocks")
def test_an_index_is_no_input(tmp_path):
    X, y = clinic(300)
    path = tmp_path / "index.parquet"
    X.assign(y=y).set_index(pd.Index(range(300, 600), name="patient")).to_parquet(path)
    assert list(quick().fit(path, "y").feature_names_in_) == list(X.columns)


@pytest.mark.usefixtures("small_blocks")
def test_a_block_is_named_by_its_rows(tmp_path):
    X, y = clinic(300)
    X.loc[150, "dose"] = np.inf
    path = tmp_path / "infinite.parquet"
    X.assign(y=y).to_parquet(path)
    places = [block.name for block in blocks_of(path, "y", None)]
    assert places == [
        f"infinite.parquet, rows {n + 1} to {min(n + 116, 300)}" for n in (0, 116, 232)
    ]
    with pytest.raises(
        ValueError, match=r"^infinite.parquet, rows 117 to 232: dose holds inf in row"
    ):
        quick().fit(path, "y")


def test_a_table_of_one_column_is_no_matter_of_separators(tmp_path):
    path = tmp_path / "one.parquet"
    pd.DataFrame({"dose;outcome": ["1;a", "2;b"]}).to_parquet(path)
    with pytest.raises(ValueError, match="has no column 'outcome'") as caught:
        quick().fit(path, "outcome")
    assert "--" not in str(caught.value)


ASKED = {
    "no target": (
        (None, None),
        "y must be the name of a column of clinic.parquet, got None. It has",
    ),
    "labels": (([1, 2], None), "y must be the name of a column of clinic.parquet, got a list"),
    "weights": (("outcome", [1.0]), "sample_weight must be the name of a column of clinic.parquet"),
    "near": (("outcom", None), "clinic.parquet has no column 'outcom'. Did you mean 'outcome'?"),
    "near weight": (("outcome", "Weight"), "no column 'Weight'. Did you mean 'weight'?"),
    "twice": (("outcome", "outcome"), "y and sample_weight both name the column 'outcome'"),
}


@pytest.mark.parametrize(("asked", "message"), ASKED.values(), ids=ASKED)
def test_columns_that_are_not_there(path, asked, message):
    with pytest.raises(TableError, match=message):
        quick().fit(path, *asked)


def test_files_that_are_none(path, tmp_path):
    with pytest.raises(TableError, match=r"There is no file .*Did you mean 'clinic.parquet'\?"):
        quick().fit(tmp_path / "clinik.parquet", "outcome")
    with pytest.raises(TableError, match="is a folder; a file was expected"):
        quick().fit(tmp_path, "outcome")
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(TableError, match="begins like Parquet but is damaged"):
        quick().fit(damaged, "outcome")
    text = tmp_path / "clinic.csv"
    text.write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match=r"clinic.csv is no Parquet file.* the command unfis fit"):
        quick().fit(str(text), "b")


def test_a_file_without_rows(tmp_path):
    path = tmp_path / "none.parquet"
    pd.DataFrame({"a": [], "y": []}).to_parquet(path)
    with pytest.raises(ValueError, match="X gave no rows to learn from"):
        quick().fit(path, "y")


def test_a_reader_that_is_not_installed_is_named(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(TableError, match=r"needs pyarrow: pip install 'unfis\[app\]'"):
        quick().fit(path, "outcome")
