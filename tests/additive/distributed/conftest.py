"""A cluster of two processes, which all tests of a session share."""

import pytest
from cluster_tasks import tasks_of

from unfis.distributed import cluster_client


@pytest.fixture(scope="session")
def shared_client():
    with cluster_client(workers=2) as client:
        yield client


@pytest.fixture
def client(shared_client):
    """The client, with which a test leaves no task on the cluster."""
    shared_client.wait_for_workers(2, timeout=30)
    yield shared_client
    assert tasks_of(shared_client) == []
