"""One fitted model for all tests of the command."""

import pytest
from calling import clinic, done


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with a table and the model fitted on it; not to be changed."""
    place = tmp_path_factory.mktemp("fitted")
    clinic().to_csv(place / "clinic.csv", index=False)
    place.joinpath("fit.txt").write_text(
        done("fit", "clinic.csv", "--target", "outcome", "-o", "model.json", cwd=place),
        encoding="utf-8",
    )
    return place


@pytest.fixture(scope="session")
def model(folder):
    return folder / "model.json"


@pytest.fixture(scope="session")
def table(folder):
    return folder / "clinic.csv"
