"""What columns are taken for, and why they are left out."""

import numpy as np
import pytest

from unfis.tables import TableError, Wishes, prepare, read_table
from unfis.tables.errors import RequestError

ROWS = 60


def table_of(folder, **columns):
    generator = np.random.RandomState(0)
    columns = {
        "size": generator.rand(ROWS).round(3),
        **columns,
        "kind": np.where(np.arange(ROWS) % 3 == 0, "x", "y"),
    }
    lines = [",".join(columns)]
    lines += [",".join(str(cells[row]) for cells in columns.values()) for row in range(ROWS)]
    path = folder / "t.csv"
    path.write_text("\n".join(lines))
    return read_table(path)


def role(folder, name, cells, **wishes):
    prepared = prepare(table_of(folder, **{name: cells}), "kind", Wishes(**wishes))
    return next(role for role in prepared.roles if role.name == name)


IDENTIFIERS = {
    "id": range(ROWS),
    "patientId": [3 * row + row % 2 for row in range(ROWS)],
    "CustomerID": [f"C{row:03d}" for row in range(ROWS)],
    "user_id": [row // 2 for row in range(ROWS)],
    "case": [7 * row for row in range(ROWS)],
    "counter": np.random.RandomState(1).permutation(ROWS) + 50,
    "name": [f"person {row}" for row in range(ROWS)],
}


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_identifiers_are_left_out(tmp_path, name):
    found = role(tmp_path, name, IDENTIFIERS[name])
    assert found.role == "left out"
    assert found.reason == f"an identifier (--keep {name} to learn from it)"


LEARNED = {
    "number": {
        "income": [1000 + 37 * row for row in range(ROWS)],
        "valid": [row % 40 for row in range(ROWS)],  # holds "id", but not as a word
        "store id": [row % 5 for row in range(ROWS)],  # too few to name rows
        "humid": np.random.RandomState(2).rand(ROWS),
    },
    "category": {"ward": ["east", "west", "north"] * 20},
    "boolean": {"smoker": ["yes", "yes", "no", "no", "NA", "no"] * 10},
}


@pytest.mark.parametrize("kind", LEARNED)
def test_others_are_learned_from(tmp_path, kind):
    for name, cells in LEARNED[kind].items():
        assert role(tmp_path, name, cells).role == kind


REASONS = {
    "constant, always 7": [7] * ROWS,
    "every cell is missing": ["NA", "?", ""] * 20,
    "dates; turn it into a number, such as an age in days": ["2024-01-05", "2024-02-07"] * 30,
    "tells the same as kind (--keep it to learn from it)": [
        "p" if row % 3 == 0 else "q" for row in range(ROWS)
    ],
    "1 of 60 cells is no number, such as 'unknown'; mend or empty them": [
        *range(59),
        "unknown",
    ],
    "text that hardly repeats, 40 kinds": [f"w{row % 40}" for row in range(ROWS)],
}


@pytest.mark.parametrize("reason", REASONS)
def test_reasons_to_leave_out(tmp_path, reason):
    found = role(tmp_path, "it", REASONS[reason])
    assert (found.role, found.reason) == ("left out", reason)


def test_a_double_of_the_target_may_lack_some_cells(tmp_path):
    cells = ["" if row == 5 else row % 3 == 0 for row in range(ROWS)]
    assert "tells the same" in role(tmp_path, "it", cells).reason
    cells[7] = True
    assert role(tmp_path, "it", cells).role == "boolean"


def test_what_is_asked_is_done(tmp_path):
    assert role(tmp_path, "id", range(ROWS), keep=["id"]).role == "number"
    assert role(tmp_path, "id", range(ROWS), categorical=["id"]).role == "category"
    assert role(tmp_path, "x", LEARNED["category"]["ward"], drop=["x"]).reason == "as asked"
    with pytest.raises(RequestError, match=r"has no column 'siz'\. Did you mean 'size'\?"):
        role(tmp_path, "x", range(ROWS), drop=["siz"])


def test_weights_are_numbers(tmp_path):
    table = table_of(tmp_path, w=[1, 2] * 30)
    assert prepare(table, "kind", Wishes(weight="w")).weights.tolist() == [1.0, 2.0] * 30
    table = table_of(tmp_path, w=[1, -2] * 30)
    with pytest.raises(TableError, match=r"t.csv, line 3: the weight 'w' is '-2'"):
        prepare(table, "kind", Wishes(weight="w"))


def test_classes_that_are_whole_numbers_stay_numbers(tmp_path):
    prepared = prepare(table_of(tmp_path, grade=[1, 2, 10] * 20), "grade")
    assert np.unique(prepared.y).tolist() == [1, 2, 10]
    prepared = prepare(table_of(tmp_path, grade=["01", "02", "10"] * 20), "grade")
    assert set(prepared.y) == {"01", "02", "10"}


def test_classes_must_come_back(tmp_path):
    with pytest.raises(TableError, match="holds 60 different values in 60 rows; a class must"):
        prepare(table_of(tmp_path, name=[f"n{row}" for row in range(ROWS)]), "name")
