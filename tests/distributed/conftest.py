"""A cluster of two processes, which all tests of a session share."""

import pytest
from distributed import Client

from unfis.distributed import local_client


@pytest.fixture(scope="session")
def shared_client():
    with local_client(workers=2) as client:
        yield client


@pytest.fixture
def client(shared_client):
    """The client, with which a test leaves no task on the cluster."""
    shared_client.wait_for_workers(2, timeout=30)
    yield shared_client
    assert isinstance(shared_client, Client)
    assert tasks_of(shared_client) == []


def tasks_of(client):
    """The tasks that the scheduler knows, once it has heard what was released."""

    async def known(dask_scheduler):
        import asyncio

        for _ in range(50):
            if not dask_scheduler.tasks:
                break
            await asyncio.sleep(0.1)
        return list(dask_scheduler.tasks)

    return client.run_on_scheduler(known)
