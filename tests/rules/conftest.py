import functools

import pytest
from rule_tables import AVERAGED_KINDS, averaged, settings, table_of


@functools.cache
def fitted(name, kind="decisive"):
    """A model of a table and the table; the same one for all tests that ask."""
    if kind in AVERAGED_KINDS:
        clf, X, y = fitted(name, "soft")
        return averaged(clf, *AVERAGED_KINDS[kind]), X, y
    X, y = table_of(name)
    return settings()[kind].fit(X, y), X, y


@pytest.fixture
def model():
    return fitted
