"""Every door gives the same answers: the library's, by all exports, of cells of text and of values.

A new door is a function in doors.py, a new case one row in cases.py.
"""

import csv
import io
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from conformance import doors
from conformance.cases import CASES

from unfis.export import export

DOORS = {
    "library": lambda at, table: doors.by_library(at.model, table),
    "python": lambda at, table: doors.by_python(at.model, table, at.folder),
    "node": lambda at, table: doors.by_node(at.model, table),
    "sqlite": lambda at, table: doors.by_sqlite(at.model, table),
    "duckdb": lambda at, table: doors.by_duckdb(at.model, table),
    "onnx": lambda at, table: doors.by_onnx(at.model, table),
}


class Opened:
    """A case with its table as a file, as text, and as values."""

    def __init__(self, case, folder):
        self.case, self.model = case, case.model
        self.folder, self.path = folder, folder / "data.csv"
        with open(self.path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file, delimiter=case.separator, lineterminator="\n")
            out.writerow(case.cells)
            out.writerows(zip(*case.cells.values(), strict=True))
        self.text = pd.DataFrame(case.cells, dtype=str)
        self.typed = pd.read_csv(self.path, sep=case.separator, decimal=case.notation.decimal)
        self.expected = doors.by_library(self.model, self.text)


@pytest.fixture(scope="module", params=CASES)
def at(request, tmp_path_factory):
    return Opened(CASES[request.param](), tmp_path_factory.mktemp("conformance"))


def held(model, found, expected):
    """Check answers and probabilities; which class is answered only where that is clear."""
    answers, shares = found
    if shares is None:
        found = np.array(answers, dtype=float)
        np.testing.assert_allclose(found, expected[0], rtol=1e-9, atol=1e-9)
        return
    np.testing.assert_allclose(shares, expected[1], rtol=0, atol=1e-9)
    better = -expected[1] @ np.array(model.costs) if model.costs else expected[1]
    best = np.sort(better, axis=1)
    clear = best[:, -1] - best[:, -2] > 1e-7
    pairs = zip(answers, expected[0], clear, strict=True)
    assert all(one == wanted for one, wanted, is_clear in pairs if is_clear)


def test_rows_are_told_apart(at):
    numbers, shares = at.expected
    found = np.asarray(numbers if shares is None else shares, dtype=float)
    assert np.isfinite(found).all()
    assert (np.ptp(found, axis=0).max() > 0.01) == bool(at.model.rules.rules)


@pytest.mark.parametrize("door", DOORS)
def test_cells_of_text(at, door):
    held(at.model, DOORS[door](at, at.text), at.expected)


@pytest.mark.parametrize("door", DOORS)
def test_values(at, door):
    if not at.case.has_types:
        pytest.skip("those who guess types read other cells")
    held(at.model, DOORS[door](at, at.typed), at.expected)


@pytest.mark.parametrize("options", ["", ", all_varchar=true"])
def test_files_that_duckdb_reads(at, options):
    if not (options or at.case.has_types):
        pytest.skip("those who guess types read other cells")
    found = doors.by_duckdb_of_a_file(at.model, at.path, at.case.separator, options)
    held(at.model, found, at.expected)


def test_files_that_the_command_reads(at):
    held(at.model, doors.by_command(at.model, at.path, at.case.separator), at.expected)


def test_files_that_the_python_module_reads(at):
    (at.folder / "program.py").write_text(export(at.model, "python"), encoding="utf-8")
    call = [sys.executable, "-I", "-S", "-W", "error", "program.py", "data.csv"]
    done = subprocess.run(call, cwd=at.folder, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    head, *rows = csv.reader(io.StringIO(done.stdout.decode(), newline=""))
    classes = at.model.columns.classes.tolist()
    assert head == ["predicted", *(f"probability_{label}" for label in classes)]
    labels = {str(label): label for label in classes}
    answers = [labels.get(row[0], row[0]) for row in rows]
    shares = np.array([row[1:] for row in rows], dtype=float) if classes else None
    held(at.model, (answers, shares), at.expected)


IN_BROWSERS = ["three classes", "a count", "costs of three classes", "codes", "hostile names"]


@pytest.mark.parametrize("name", IN_BROWSERS)
def test_browsers(name, browser, tmp_path):
    at = Opened(CASES[name](), tmp_path)
    held(at.model, doors.by_browser(at.model, at.text, browser), at.expected)
