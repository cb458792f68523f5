"""The paper's data sets by name."""

import os
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from unfis_paper.datasets import DATASETS, Dataset, digest, lines_of, load_dataset

FOLDER = os.environ.get("UNFIS_DATA", "")
needs_folder = pytest.mark.skipif(not FOLDER, reason="needs the folder UNFIS_DATA")


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_sets_that_scikit_learn_has(name, monkeypatch):
    monkeypatch.delenv("UNFIS_DATA", raising=False)
    data = load_dataset(name)
    assert len(data.frame) == len(data.target) == DATASETS[name].rows
    assert set(data.kinds.values()) == {"number"}
    assert data.source.startswith("scikit-learn")
    assert data.citation


def test_iris_is_fishers():
    data = load_dataset("iris")
    np.testing.assert_array_equal(data.frame.to_numpy(), load_iris().data)
    assert sorted(data.target.unique()) == ["setosa", "versicolor", "virginica"]


@needs_folder
@pytest.mark.parametrize("name", DATASETS)
def test_every_set_is_the_recorded_one(name):
    data = load_dataset(name)
    described = DATASETS[name]
    assert (data.name, data.acronym) == (name, described.acronym)
    assert len(data.frame) == described.rows
    assert "target" not in data.frame
    assert list(data.kinds) == list(data.frame.columns)
    coded = data.coded()
    assert all(dtype.kind in "if" for dtype in coded.dtypes)
    assert coded.shape == data.frame.shape


@needs_folder
def test_the_forms_of_autism():
    columns = {name: load_dataset(name).frame.shape[1] for name in DATASETS if "autism" in name}
    assert columns == {"autism": 16, "autism-17": 17, "autism-18": 18}
    assert "Qchat-10-Score" not in load_dataset("autism").frame
    assert "Case_No" not in load_dataset("autism-17").frame


@pytest.fixture
def copy(tmp_path):
    """Copies a set into a folder, and changes its text."""

    def change(name, how=lambda text: text):
        path = tmp_path / f"{name}.csv"
        text = (Path(FOLDER) / path.name).read_text(encoding="utf-8")
        path.write_bytes(how(text).encode())
        return path

    return change


def test_codes_become_categories_and_text_stays():
    frame = pd.DataFrame({"code": [3, 6, 7], "text": ["b", "a", "b"], "size": [1.0, 2.0, 3.0]})
    kinds = {"code": "category", "text": "category", "size": "number"}
    data = Dataset("made up", "", frame, None, kinds, "", "")
    typed = data.typed()
    assert typed["code"].dtype.name == "category"
    assert typed["code"].cat.categories.tolist() == [3, 6, 7]
    assert typed.drop(columns="code").equals(frame.drop(columns="code"))
    assert data.coded().to_numpy().tolist() == [[3, 1, 1], [6, 0, 2], [7, 1, 3]]
    assert frame["code"].dtype.kind == "i"


@needs_folder
def test_which_sets_have_codes():
    found = {
        name: sum(dtype.name == "category" for dtype in load_dataset(name).typed().dtypes)
        for name in DATASETS
    }
    assert {name: count for name, count in found.items() if count} == {"cryotherapy": 1, "heart": 3}


@needs_folder
def test_line_ends_make_no_difference(copy):
    path = copy("haberman", lambda text: text.replace("\n", "\r\n"))
    assert len(load_dataset("haberman", data_home=path.parent).frame) == 306


def swapped(text):
    """The first two names in the header, changed over."""
    first, second, rest = text.split(",", 2)
    return f"{second},{first},{rest}"


def reversed_rows(text):
    """The header, then the rows from the last to the first."""
    lines = text.splitlines()
    return "\n".join([lines[0], *lines[:0:-1]]) + "\n"


WRONG = {
    "must have the columns age, sex, .*, target; got sex, age": swapped,
    "must have the columns .*; got .*thallium, target": lambda t: t.replace("thal,", "thallium,"),
    "must have the columns .*; got .*, class": lambda t: t.replace(",target", ",class"),
    "has the recorded rows in another order": reversed_rows,
    "must have 270 rows, got 0": lambda text: text.splitlines()[0] + "\n",
    "cannot be read .*must be a CSV file in UTF-8 with a header": lambda text: "",
}


@needs_folder
@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_with_a_file_is_said(copy, message):
    path = copy("heart", WRONG[message])
    with pytest.raises(ValueError, match=rf"heart\.csv {message}"):
        load_dataset("heart", data_home=path.parent)


def test_a_file_in_another_encoding_and_a_folder_of_that_name(tmp_path):
    path = tmp_path / "heart.csv"
    path.write_bytes("age,target\n1,x\n".encode("utf-16"))
    with pytest.raises(ValueError, match=r"heart\.csv cannot be read .*UTF-8"):
        load_dataset("heart", data_home=tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(ValueError, match=r"heart\.csv cannot be read .*irectory"):
        load_dataset("heart", data_home=tmp_path)


@needs_folder
def test_another_file_of_that_name_is_refused(tmp_path):
    shutil.copy(Path(FOLDER) / "haberman.csv", tmp_path)
    path = tmp_path / "haberman.csv"
    path.chmod(0o644)
    path.write_text(path.read_text(encoding="utf-8").replace("30,64,1", "30,64,2", 1))
    with pytest.raises(ValueError, match=r"haberman\.csv is not the set that was recorded: the"):
        load_dataset("haberman", data_home=tmp_path)
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]))
    with pytest.raises(ValueError, match=r"haberman\.csv must have 306 rows, got 305"):
        load_dataset("haberman", data_home=tmp_path)


def test_what_is_not_to_be_had_says_where_to_put_it(tmp_path, monkeypatch):
    monkeypatch.delenv("UNFIS_DATA", raising=False)
    with pytest.raises(
        FileNotFoundError, match=r"Put cryotherapy.csv into a folder that UNFIS_DATA"
    ):
        load_dataset("cryotherapy")
    with pytest.raises(FileNotFoundError, match=r"Put it at .*autism.csv; its source is Autistic"):
        load_dataset("autism-17", data_home=tmp_path)


def test_openml_is_asked_for_what_it_has(tmp_path, monkeypatch):
    """Without a network it cannot be had; with one, its values must be the recorded ones."""
    asked = []

    def offline(name, **settings):
        asked.append((name, settings["version"]))
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", offline)
    with pytest.raises(FileNotFoundError, match=r"could not be fetched from OpenML \(no network\)"):
        load_dataset("thyroid", data_home=tmp_path)
    assert asked == [("thyroid-new", 1)]


@needs_folder
def test_a_set_from_openml_becomes_the_recorded_one(tmp_path, monkeypatch):
    """Other names of columns, other labels, another order of rows: the same values."""
    heart = load_dataset("heart")
    order = np.random.default_rng(0).permutation(270)

    class Bunch:
        data = heart.frame.iloc[order].set_axis([f"V{j}" for j in range(13)], axis=1)
        target = heart.target.iloc[order].map({"absence": "absent", "presence": "present"})

    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: Bunch)
    with pytest.warns(
        UserWarning, match="heart from OpenML has the recorded rows in another order"
    ) as caught:
        fetched = load_dataset("heart", data_home=tmp_path)
    assert caught[0].filename == __file__
    assert list(fetched.frame.columns) == list(heart.frame.columns)
    assert digest(sorted(lines_of(fetched.frame, fetched.target))) == DATASETS["heart"].checksum
    Bunch.data = Bunch.data.drop(columns="V3")
    with pytest.raises(
        ValueError, match=r"heart from OpenML must have the columns age, .*; got V0"
    ):
        load_dataset("heart", data_home=tmp_path)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"must be one of haberman, cryotherapy, .* got 'irs'"):
        load_dataset("irs")
