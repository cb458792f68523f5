import pytest
from recorded_runs import made_up_runs

from unfis_paper.reproduction.results import Recorded


@pytest.fixture
def frame():
    """Results of five runs that are made up, and a peer that is not installed."""
    return made_up_runs()


@pytest.fixture
def recorded(frame):
    """The same, of all sets."""
    return Recorded(frame)
