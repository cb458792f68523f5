"""Threads, of matrix products and over blocks of many samples, and processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

# Below so many parameters a step's matrices are so small that threads wait for each other for
# longer than they work: on two cores one thread is two to four times as fast (wine, breast cancer),
# and still on 2,000 x 200; from 2,000 x 500 on two are faster.
FEW_PARAMETERS = 4000
# From so many blocks of samples on, threads take a part of the blocks each, and every matrix
# product is one thread's: so what is no matrix product is shared out too.
MANY_BLOCKS = 8

Found = TypeVar("Found")
# In how many parts many blocks are shared out, where that is not this process's to say.
PARTS: ContextVar[int | None] = ContextVar("PARTS", default=None)


@cache
def controller() -> ThreadpoolController:
    """The process's thread pools; looking for them takes milliseconds, so it is done once."""
    from threadpoolctl import ThreadpoolController  # imported late: what predicts does without

    return ThreadpoolController()


def threads_now() -> int:
    """How many threads matrix products use now."""
    return max((int(pool["num_threads"]) for pool in controller().info()), default=1)


class OneThread(AbstractContextManager[None]):
    """A context in which BLAS and OpenMP use one thread.

    That limit is the whole process's: who enters first sets it and who leaves last lifts it, in
    whatever thread they are.
    """

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0
        self._outside = 1  # threads that there were before it was entered
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._outside = threads_now()
                self._limit = controller().limit(limits=1)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit.restore_original_limits()

    def threads_outside(self) -> int:
        """How many threads there are without this limit."""
        with self._lock:
            return self._outside if self._inside else threads_now()


ONE_THREAD = OneThread()


def suitable_threads(parameters: int) -> AbstractContextManager[None]:
    """A context in which BLAS and OpenMP use one thread if there are few parameters."""
    return nullcontext() if parameters >= FEW_PARAMETERS else ONE_THREAD


def usual_threads() -> int:
    """How many threads the user allows: those of matrix products but for the limits set here."""
    return PARTS.get() or ONE_THREAD.threads_outside()


def in_parts(starts: range, work: Callable[[range], Found]) -> list[Found]:
    """What comes of blocks of samples that start there, shared out among threads if they are many.

    `work` takes the starts of its blocks. The parts and their order depend on the number of threads
    alone, not on which of them is faster.
    """
    threads = usual_threads() if len(starts) >= MANY_BLOCKS else 1
    if threads == 1:
        return [work(starts)]
    share = -(-len(starts) // threads)
    parts = [starts[first : first + share] for first in range(0, len(starts), share)]
    contexts = [copy_context() for _ in parts]  # numpy's error state is a context's
    with ONE_THREAD, ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(lambda context, part: context.run(work, part), contexts, parts))


@contextmanager
def undivided() -> Iterator[None]:
    """A context in which a work is one thread's: others go on beside it, and sums stay the same."""
    before = PARTS.set(1)
    try:
        with ONE_THREAD:
            yield
    finally:
        PARTS.reset(before)


def in_processes(
    works: Sequence[Callable[[], Found]],
    n_jobs: int | None,
    done: Callable[[int], None] = lambda count: None,
) -> list[Found]:
    """What comes of works that know nothing of each other, in their order.

    In joblib's processes if several are asked for, each of which adds up as this one would. `done`
    is called here after each of them, with how many are done.
    """
    found: list[Found] = []
    for count, one in enumerate(results_of(works, n_jobs), start=1):
        found.append(one)
        done(count)
    return found


def results_of(works: Sequence[Callable[[], Found]], n_jobs: int | None) -> Iterable[Found]:
    """What comes of works, one after the other where that can be had."""
    if n_jobs in (None, 1) or len(works) < 2:
        return (work() for work in works)
    from joblib import Parallel, delayed  # imported late: it is not needed otherwise

    parts, limit = usual_threads(), threads_now()
    try:
        processes = Parallel(n_jobs, return_as="generator")
    except (TypeError, ValueError):  # joblib before 1.3, or a backend that gives all at once
        processes = Parallel(n_jobs)
    results: Iterable[Found] = processes(delayed(as_here)(work, parts, limit) for work in works)
    return results


def as_here(work: Callable[[], Found], parts: int, limit: int) -> Found:
    """What comes of a work, with the parts and the threads of the process that asks for it."""
    before = PARTS.set(parts)
    try:
        with controller().limit(limits=limit):
            return work()
    finally:
        PARTS.reset(before)  # the process may be asked by others next
