"""What columns are taken for, and why they are left out."""

import numpy as np
import pytest

from unfis.additive import UNFISClassifier
from unfis.app.requests import RequestError
from unfis.app.tables import ColumnOptions, TableError, prepare, read_table
from unfis.app.tables.fitting import fit_table

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


def role(folder, name, cells, **options):
    prepared = prepare(table_of(folder, **{name: cells}), "kind", ColumnOptions(**options))
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
    assert found.reason == f"an identifier (`keep` {name} to learn from it)"


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
    "every cell is missing ('?', 'NA')": ["NA", "?", ""] * 20,
    "dates; turn it into a number, such as an age in days": ["2024-01-05", "2024-02-07"] * 30,
    "tells the same as kind (`keep` it to learn from it)": [
        "p" if row % 3 == 0 else "q" for row in range(ROWS)
    ],
    "1 of 60 cells is no number, such as 'unknown'; mend or empty them": [
        *range(59),
        "unknown",
    ],
    "text that hardly repeats, 40 kinds": [f"w{row % 40}" for row in range(ROWS)],
    "constant, always EU, 20 cells missing ('NA'); `missing` says which words mean that": [
        *("EU", "EU", "NA") * 20
    ],
    "numbers in another notation, such as '24,100.5'; write them without marks between the "
    "thousands": [f'"24,{100 + row}.5"' for row in range(ROWS)],
    "numbers in another notation, such as '21,5'; their decimal mark is a comma, other columns' is "
    "not: write all with one mark, or give `decimal` comma if it is that of the table": [
        *(f'"21,{5 + row}"' for row in range(ROWS))
    ],
    "numbers in another notation, such as '1,100'; write them without marks between the thousands, "
    "or give `decimal` comma if that is what it is": [f'"1,{100 + row}"' for row in range(ROWS)],
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


def test_plus_and_minus_are_answers(tmp_path):
    signs = ["+", "-", "-", "+", "NA", "+"] * 10
    assert role(tmp_path, "it", signs) == (
        "it",
        "category",
        "2 kinds (+, -), 10 cells missing ('NA')",
    )
    prepared = prepare(table_of(tmp_path, test=signs), "test")
    assert set(prepared.y) == {"+", "-"}
    assert prepared.target.note == (
        "2 classes (+ 30, - 20); 10 rows without an answer ('NA') left out"
    )


def test_a_class_that_was_taken_for_missing_is_named(tmp_path):
    table = table_of(tmp_path, region=["EU", "NA", "EU"] * 20)
    with pytest.raises(
        TableError,
        match=r"every row that has one has 'EU'\. There are 20 rows without "
        r"an answer \('NA'\): `missing` says which words mean that",
    ):
        prepare(table, "region")
    table = read_table(tmp_path / "t.csv", missing=["?"])
    assert set(prepare(table, "region").y) == {"EU", "NA"}


def test_what_is_kept_is_learned_from_though_it_hardly_repeats(tmp_path):
    cells = REASONS["text that hardly repeats, 40 kinds"]
    for option in ("keep", "categorical"):
        table = table_of(tmp_path, it=cells)
        prepared = prepare(table, "kind", ColumnOptions(**{option: ["it"]}))
        assert prepared.categories == ["it"]
        fitted = fit_table(UNFISClassifier(max_rules=1), table, prepared, 0, 0)
        assert fitted.model.model_.columns.inputs[1].kind == "category"


def test_wishes_that_contradict(tmp_path):
    for option in ("keep", "categorical"):
        with pytest.raises(RequestError, match=f"'x' is in `drop` and in `{option}`; only one"):
            role(tmp_path, "x", range(ROWS), drop=["x"], **{option: ["x"]})


def test_what_is_asked_is_done(tmp_path):
    assert role(tmp_path, "id", range(ROWS), keep=["id"]).role == "number"
    assert role(tmp_path, "id", range(ROWS), categorical=["id"]).role == "category"
    assert role(tmp_path, "x", LEARNED["category"]["ward"], drop=["x"]).reason == "as asked"
    with pytest.raises(RequestError, match=r"has no column 'siz'\. Did you mean 'size'\?"):
        role(tmp_path, "x", range(ROWS), drop=["siz"])


def test_weights_are_numbers(tmp_path):
    table = table_of(tmp_path, w=[1, 2] * 30)
    assert prepare(table, "kind", ColumnOptions(weight="w")).weights.tolist() == [1.0, 2.0] * 30
    without = [1, "none"] * 30
    classes = ["a", "", "b", ""] * 15
    table = table_of(tmp_path, w=without, grade=classes)
    assert prepare(table, "grade", ColumnOptions(weight="w")).weights.tolist() == [1.0] * 30
    table = table_of(tmp_path, w=[1, -2] * 30)
    with pytest.raises(TableError, match=r"t.csv, line 3: the weight 'w' is '-2'"):
        prepare(table, "kind", ColumnOptions(weight="w"))


def test_classes_that_are_whole_numbers_stay_numbers(tmp_path):
    prepared = prepare(table_of(tmp_path, grade=[1, 2, 10] * 20), "grade")
    assert np.unique(prepared.y).tolist() == [1, 2, 10]
    prepared = prepare(table_of(tmp_path, grade=["01", "02", "10"] * 20), "grade")
    assert set(prepared.y) == {"01", "02", "10"}


def test_classes_must_come_back(tmp_path):
    with pytest.raises(TableError, match="holds 60 different values in 60 rows; a class must"):
        prepare(table_of(tmp_path, name=[f"n{row}" for row in range(ROWS)]), "name")


NUMBERS = {
    "fractions": [f"{row}.25" for row in range(ROWS)],
    "many whole numbers": [100 + 7 * row for row in range(ROWS)],
}


@pytest.mark.parametrize("what", NUMBERS)
def test_many_numbers_are_a_number_unless_classes_are_wanted(tmp_path, what):
    target = prepare(table_of(tmp_path, price=NUMBERS[what]), "price").target
    assert (target.task, target.is_number) == ("number", True)
    assert target.labels.tolist() == [float(cell) for cell in NUMBERS[what]]
    low, high = target.labels.min(), target.labels.max()
    words = f"a number from {low:g} to {high:g}; `task` classes would predict classes"
    assert target.note == words


def test_few_whole_numbers_are_classes_unless_a_number_is_wanted(tmp_path):
    table = table_of(tmp_path, grade=[1, 2, 10] * 20)
    target = prepare(table, "grade").target
    assert target.task == "classes"
    assert target.note.endswith("; `task` number would predict the number")
    for task in ("number", "counts"):
        target = prepare(table, "grade", task=task).target
        assert (target.task, set(target.labels)) == (task, {1.0, 2.0, 10.0})
    assert "task" not in prepare(table_of(tmp_path, sick=[0, 1] * 30), "sick").target.note


def test_rows_without_a_number_are_left_out(tmp_path):
    cells = [f"{row}.5" for row in range(ROWS - 2)] + ["", "NA"]
    prepared = prepare(table_of(tmp_path, price=cells), "price")
    assert len(prepared.y) == len(prepared.X) == ROWS - 2
    assert "; 2 rows without an answer ('NA') left out" in prepared.target.note


WRONG_TARGETS = {
    "t.csv, line 5: 'it' is 'x'; a finite number was expected": ("number", ["1", "2", "3", "x"]),
    "t.csv, line 3: 'it' is 'inf'; a finite number": ("number", ["1", "inf", "3", "4"]),
    "t.csv, line 4: 'it' is '-3'; a count of at least 0": ("counts", ["1", "2", "-3", "4"]),
    "'it' must hold at least two different numbers, but every row has 4.": ("number", ["4"] * 4),
}


@pytest.mark.parametrize("message", WRONG_TARGETS)
def test_what_is_no_number_is_named(tmp_path, message):
    task, cells = WRONG_TARGETS[message]
    with pytest.raises(TableError) as caught:
        prepare(table_of(tmp_path, it=cells * 15), "it", task=task)
    assert message in str(caught.value)


def test_the_target_in_another_unit_is_left_out(tmp_path):
    euros = np.random.RandomState(3).rand(ROWS).round(3)
    other = np.random.RandomState(4).rand(ROWS).round(3)
    table = table_of(tmp_path, euros=euros, cents=100 * euros, noise=other)
    roles = {role.name: role for role in prepare(table, "euros").roles}
    assert roles["cents"].reason.startswith("tells the same as euros")
    assert roles["noise"].role == roles["size"].role == "number"
