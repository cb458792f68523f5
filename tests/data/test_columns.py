import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from unfis import UNFISNetworkClassifier
from unfis.data.columns import TableColumns
from unfis.data.frames import frame_kind, named_columns
from unfis.data.scaling import LocalColumns, scaled_inputs
from unfis.data.values import ValueReader

COLUMNS = {
    "age": [20.0, 30.0, 40.0, None],
    "colour": ["red", "green", None, "blue"],
    "sex": ["male", "female", "male", "male"],
    "smoker": [True, False, True, True],
}
FRAMES = {
    "pandas": pd.DataFrame(COLUMNS),
    "pandas categorical": pd.DataFrame(COLUMNS).astype({"colour": "category", "sex": "category"}),
    "pandas nullable": pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas objects": pd.DataFrame(COLUMNS).astype(object),
    "polars": pl.DataFrame(COLUMNS),
    "polars enums": pl.DataFrame(COLUMNS).with_columns(
        pl.col("colour").cast(pl.Enum(["red", "green", "blue"])),
        pl.col("sex").cast(pl.Categorical),
    ),
}


def encode(X, names, categorical="from_dtype", scale=False):
    columns, values = learned(X, list(names), np.ones(len(X)), categorical, scale)
    return columns, columns.matrix(values)


def learned(X, names, weights, categorical="from_dtype", scale=True):
    reader = ValueReader.learn(X, names, categorical)
    values = reader.values(X)
    inputs = scaled_inputs(reader, LocalColumns(values, weights), scale=scale)
    return TableColumns(None, inputs, np.empty(0)), values


def transform(columns, X):
    return columns.matrix(columns.reader.values(X))


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_every_kind_of_frame_gives_the_same_matrix(frame):
    """One column for a number, a two-valued category, a boolean; three for three colours."""
    columns, matrix = encode(frame, COLUMNS)
    nan = np.nan
    expected = [
        [20, 0, 0, 1, 1, 1],  # blue, green, red; female = 0, male = 1
        [30, 0, 1, 0, 0, 0],
        [40, nan, nan, nan, 1, 1],
        [nan, 1, 0, 0, 1, 1],
    ]
    np.testing.assert_array_equal(matrix, expected)
    np.testing.assert_array_equal(transform(columns, frame), expected)
    assert [i.kind for i in columns.inputs] == ["number", "category", "category", "boolean"]
    assert [i.name for i in columns.inputs] == list(COLUMNS)
    assert columns.inputs[1].categories == ("blue", "green", "red")
    assert columns.inputs[1].columns == slice(1, 4)
    assert columns.inputs[2].categories == ("female", "male")
    assert columns.inputs[3].categories == (False, True)


def test_scale_and_back_to_original_units():
    """Numbers and two-valued categories are standardised, the columns of three kinds are not."""
    columns, matrix = encode(FRAMES["pandas"], COLUMNS, scale=True)
    age = columns.inputs[0]
    assert (age.offsets[0], age.scales[0]) == (30.0, pytest.approx(np.sqrt(200 / 3)))
    original = matrix * np.concatenate([i.scales for i in columns.inputs])
    original += np.concatenate([i.offsets for i in columns.inputs])
    plain = encode(FRAMES["pandas"], COLUMNS)[1]
    np.testing.assert_allclose(original, plain)
    assert columns.inputs[1].scales.tolist() == [1, 1, 1]


def test_weights_count_in_the_scale():
    columns, _ = learned(np.array([[0.0], [4.0]]), ["x0"], np.array([1.0, 3.0]))
    assert columns.inputs[0].offsets[0] == 3.0
    assert columns.inputs[0].scales[0] == pytest.approx(np.sqrt(3))


def test_constant_and_empty_columns():
    X = np.column_stack([np.full(3, 5.0), np.full(3, np.nan)])
    _, matrix = encode(X, ["x0", "x1"], scale=True)
    np.testing.assert_array_equal(matrix, [[0, np.nan]] * 3)


def test_huge_inputs_are_clipped_not_infinite():
    columns, _ = encode(np.array([[0.0], [1.0]]), ["x0"], scale=True)
    assert np.isfinite(transform(columns, np.array([[1e308]]))).all()


def test_values_too_large_to_standardise_are_named():
    with pytest.raises(ValueError, match="mass has values too large to standardise"):
        encode(np.array([[1e300], [-1e300]]), ["mass"], scale=True)


@pytest.mark.parametrize("exponent", [-960, -664, -200, 200, 664, 960])
def test_numbers_of_any_size_give_the_same_matrix(exponent):
    """Powers of 2 change no digit, also beside columns of other sizes, and of missing values."""
    values = np.random.RandomState(0).normal(3.0, 2.0, (300, 4))
    values[::7, 1] = np.nan
    values[:, 3] = 5.0
    sizes = np.array([exponent, -exponent, 0, exponent])
    names = ["a", "b", "c", "d"]
    columns, matrix = encode(np.ldexp(values, sizes), names, scale=True)
    usual, expected = encode(values, names, scale=True)
    np.testing.assert_allclose(matrix, expected, rtol=1e-12, atol=1e-12)
    scales, offsets = (
        np.array([getattr(item, name)[0] for item in columns.inputs])
        for name in ("scales", "offsets")
    )
    np.testing.assert_allclose(scales[:3], np.ldexp([i.scales[0] for i in usual.inputs], sizes)[:3])
    np.testing.assert_allclose(offsets, np.ldexp([i.offsets[0] for i in usual.inputs], sizes))
    assert scales[3] == 1.0  # a constant of any size


def test_a_number_that_varies_by_too_little_is_told():
    tiny = np.array([[1e-300], [2e-300], [4e-300]])
    with pytest.warns(UserWarning, match="mass varies by about 1e-300, too little to compute with"):
        columns, _ = encode(tiny, ["mass"], scale=True)
    assert columns.inputs[0].scales[0] == 1.0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1e-200, 3e-200], "mass varies by about 1e-200, which is taken for constant without sc"),
        ([1e200, 3e200], r"mass has values beyond 1e\+100, which count as that without scale=True"),
    ],
)
def test_sizes_that_need_a_scale_are_told_without_it(values, message):
    with pytest.warns(UserWarning, match=message):
        encode(np.array(values)[:, None], ["mass"], scale=False)


@pytest.mark.parametrize(
    "named", [["type"], [1], [False, True], np.array([1]), np.array([0, 1]) > 0]
)
def test_named_categories_of_numbers(named):
    X = np.array([[0.5, 3.0], [0.1, 7.0], [0.2, 6.0], [0.3, np.nan]])
    columns, matrix = encode(X, ["size", "type"], categorical=named)
    assert columns.inputs[1].categories == (3.0, 6.0, 7.0)
    np.testing.assert_array_equal(matrix[:, 1:], [[1, 0, 0], [0, 0, 1], [0, 1, 0], [np.nan] * 3])


def test_named_columns_that_are_not_there():
    with pytest.raises(ValueError, match="table's 2 columns; 'x9' is none of them"):
        named_columns(["x9"], ["a", "b"])
    with pytest.raises(ValueError, match="; 2 is none of them"):
        named_columns([2], ["a", "b"])


def test_an_unseen_category_is_missing_and_told_once():
    frame = FRAMES["pandas"]
    columns, _ = encode(frame, COLUMNS)
    other = frame.assign(colour=["red", "pink", None, "blue"])
    with pytest.warns(
        UserWarning, match="colour has categories .* not seen in training: pink"
    ) as w:
        matrix = transform(columns, other)
    assert len(w) == 1
    assert np.isnan(matrix[1, 1:4]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        transform(columns, other)


def test_many_unseen_categories_are_counted():

    frame = pd.DataFrame({"code": ["a", "b"] * 10})
    clf = UNFISNetworkClassifier(2, selection="soft").fit(frame, [0, 1] * 10)
    with pytest.warns(UserWarning, match="n0, n1, n2, n3, n4 and 4 more"):
        clf.predict(pd.DataFrame({"code": [f"n{i}" for i in range(9)]}))


def test_text_where_numbers_were_promised():
    with pytest.raises(ValueError, match="colour holds text where numbers were expected"):
        encode(FRAMES["pandas"], COLUMNS, categorical=["sex"])
    columns, _ = encode(FRAMES["pandas"], COLUMNS)
    with pytest.raises(ValueError, match="age holds 'old' where a number was expected"):
        transform(columns, FRAMES["pandas"].assign(age=["old"] * 4))
    with pytest.raises(ValueError, match="age holds '30' where a number was expected"):
        transform(columns, FRAMES["pandas"].assign(age=["30"] * 4))


def test_identifiers_and_dates_are_refused():
    names = pd.DataFrame({"name": [f"person {i}" for i in range(30)]})
    with pytest.raises(ValueError, match="name holds text with 30 kinds in 30 rows"):
        encode(names, ["name"])
    encode(names, ["name"], categorical=["name"])
    dates = pd.DataFrame({"visit": pd.date_range("2020-01-01", periods=3)})
    with pytest.raises(ValueError, match="visit has dtype datetime64"):
        encode(dates, ["visit"])
    with pytest.raises(ValueError, match="visit has dtype Date"):
        encode(pl.from_pandas(dates).with_columns(pl.col("visit").cast(pl.Date)), ["visit"])


def test_pandas_na_among_objects():
    objects = pd.DataFrame({"n": [1, pd.NA, 3], "b": [True, pd.NA, False]}, dtype=object)
    columns, matrix = encode(objects, ["n", "b"])
    assert [i.kind for i in columns.inputs] == ["number", "boolean"]
    np.testing.assert_array_equal(matrix, [[1, 1], [np.nan, np.nan], [3, 0]])
    array = objects.to_numpy()
    np.testing.assert_array_equal(encode(array, ["n", "b"], [1])[1][:, 1], [1, np.nan, 0])


def test_a_category_of_text_and_numbers_is_refused():
    frame = pd.DataFrame({"code": ["a", 1, "b"]}, dtype=object)
    with pytest.raises(ValueError, match="code mixes kinds of values, such as text and numbers"):
        encode(frame, ["code"])


def test_kinds_of_object_columns():
    assert frame_kind(pd.Series([1, 2.5, None], dtype=object), "a") == "number"
    assert frame_kind(pd.Series([True, None], dtype=object), "a") == "boolean"
    assert frame_kind(pd.Series(["x", None], dtype=object), "a") == "category"


def test_many_values_are_encoded_by_their_rows(monkeypatch):
    """What is made of some rows when they are asked for is what would be made of all at once."""
    table = pd.DataFrame(
        {"x": [1.0, 2.0, None, 4.0] * 5, "ward": pd.Categorical(["a", "b", "c", None] * 5)}
    )
    known, values = learned(table, ["x", "ward"], np.ones(20))
    whole = known.matrix(values)
    monkeypatch.setattr("unfis.data.columns.MOST_ENCODED", 10)
    lazy = known.matrix(values)
    assert len(lazy) == 20
    assert lazy.shape == whole.shape
    for rows in (slice(3, 9), np.array([4, 1, 19])):
        np.testing.assert_array_equal(lazy[rows], whole[rows])


def test_a_table_gives_the_same_matrix_however_it_lies_in_memory():
    """Sums depend on it: a model must not depend on where its table came from."""
    rows = np.random.RandomState(0).lognormal(size=(500, 3))
    found = []
    for table in (np.ascontiguousarray(rows), np.asfortranarray(rows)):
        found.append(encode(table, ["a", "b", "c"], scale=True)[1])
    np.testing.assert_array_equal(*found)
    assert found[0].strides == found[1].strides
