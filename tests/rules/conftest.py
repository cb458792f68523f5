import pytest
from rule_tables import fitted


@pytest.fixture
def model():
    return fitted
