"""Tasks on the workers of a Dask client: in order, none left behind, losses as sentences."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, Self, TypeVar
from weakref import WeakSet

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, as_completed, default_client
from distributed.comm import CommClosedError

from unfis.serial.messages import quoted, shortened

# So many results are joined by one task, in the order of the blocks; no more come at once.
FAN_IN = 16
# Seconds to wait for a scheduler that does not answer.
PATIENCE_TO_CONNECT = 10
# How a cluster here is set up. A block that is stolen would be in the memory of two workers. And
# Dask has workers give memory back at once: an array of a few megabytes, of which every sum makes
# many, would be cleared by the system each time, which takes longer than the sum. What is larger
# goes back at once, Arrow's as well, which keeps what it has read otherwise.
SPAWN = "distributed.nanny.pre-spawn-environ"
SUITABLE = {
    "distributed.scheduler.work-stealing": False,
    f"{SPAWN}.MALLOC_TRIM_THRESHOLD_": 1 << 26,
    f"{SPAWN}.MALLOC_MMAP_THRESHOLD_": 1 << 22,
    f"{SPAWN}.ARROW_DEFAULT_MEMORY_POOL": "system",
}

Result = TypeVar("Result")


class ClusterError(ConnectionError):
    """The cluster is not there, or has not done its work."""


class Cluster:
    """What has tasks run on a client's workers; at its end none of them is left there."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._held: WeakSet[Future] = WeakSet()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        # What nobody wants any more is neither begun nor kept. Not cancelled: in Dask's scheduler
        # that fails where a result is wanted by nobody but other tasks.
        for future in list(self._held):
            future.release()

    def compute(self, delayed: Sequence[Any]) -> list[Future]:
        """What workers make of delayed objects, which stays there."""
        with losses_told():
            return self._noted(self._client.compute(list(delayed)))

    def hold(self, work: Callable[..., Any], *each: Iterable[Any], **same: Any) -> list[Future]:
        """What workers make of each block, which stays there; of which every one knows the same.

        A result that is lost with its worker is computed again.
        """
        with losses_told():
            columns = [list(one) for one in each]
            return self._noted(self._client.map(work, *columns, pure=False, **same))

    def one(self, work: Callable[..., Any], *given: Any) -> Future:
        """What one worker makes of something, which stays there."""
        with losses_told():
            return self._noted([self._client.submit(work, *given, pure=False)])[0]

    def results(
        self, futures: Sequence[Future], tell: Callable[[float], None] | None = None
    ) -> list[Any]:
        """What came of tasks, in their order; `tell` is called with the share that is done."""
        with losses_told():
            if tell is not None:
                done = as_completed(futures, loop=self._client.loop)
                for number, _ in enumerate(done, start=1):
                    tell(number / len(futures))
            return list(self._client.gather(list(futures)))

    def joined(self, futures: Sequence[Future], join: Callable[[list[Result]], Result]) -> Result:
        """What came of tasks, joined in their order wherever they ran: few at a time by workers."""
        left = list(futures)
        while len(left) > FAN_IN:
            left = [
                self.one(join, left[first : first + FAN_IN])
                for first in range(0, len(left), FAN_IN)
            ]
        return join(self.results(left))

    def _noted(self, futures: list[Future]) -> list[Future]:
        self._held.update(futures)
        return futures


@contextmanager
def losses_told() -> Iterator[None]:
    """Have the loss of a scheduler or of all workers be a ClusterError that says what to do."""
    try:
        yield
    except KilledWorker as error:
        raise ClusterError(
            f"Workers died again and again while they did the same task: "
            f"{shortened(str(error), 200)} Most often a block does not fit into a worker's memory; "
            "give smaller blocks, or workers with more memory."
        ) from error
    except (CommClosedError, CancelledError, TimeoutError) as error:
        raise ClusterError(
            "The connection to Dask's scheduler was lost, or the tasks of the fit were cancelled "
            "there. The model is what it was before. Start the cluster again, make a new client, "
            "and fit anew; with checkpoint=... it goes on where it was."
        ) from error


def usable_client(client: Any) -> Client:
    """A client that can be asked; the current one for None."""
    if client is None:
        try:
            client = default_client()
        except ValueError:
            raise ValueError(
                "There is no Dask client: make one, such as client = "
                "distributed.Client(n_workers=2, threads_per_worker=1), or give one as client."
            ) from None
    if not isinstance(client, Client):
        raise ValueError(
            f"client must be a distributed.Client or None, got {quoted(client)}. Make one of an "
            "address by distributed.Client(address)."
        )
    if client.asynchronous:
        raise ValueError("client must not be asynchronous: fit waits for what comes of its tasks.")
    if client.status != "running":
        raise ValueError(
            f"client is {client.status} and has no scheduler; make a new distributed.Client."
        )
    return client


@contextmanager
def cluster_client(workers: int | None = None, address: str | None = None) -> Iterator[Client]:
    """A client of the scheduler at an address, or of a cluster of processes here that then ends."""
    if address is not None:
        with scheduler_at(address) as client:
            yield client
        return
    with (
        dask.config.set(SUITABLE),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def scheduler_at(address: str) -> Iterator[Client]:
    """A client of the scheduler at an address."""
    try:
        client = Client(address, timeout=PATIENCE_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(
            f"No Dask scheduler answers at {quoted(address)}. Is it running, and is the address "
            "such as tcp://192.0.2.1:8786?"
        ) from error
    with client:
        yield client
