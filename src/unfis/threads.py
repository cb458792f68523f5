"""Threads, of matrix products and over blocks of many samples, and processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar, copy_context
from functools import cache
from typing import TypeVar

from threadpoolctl import ThreadpoolController  # comes with scikit-learn

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
    return ThreadpoolController()


def suitable_threads(parameters: int) -> AbstractContextManager[object]:
    """A context in which BLAS and OpenMP use one thread if there are few parameters."""
    usual_threads()  # remembered before it is limited
    if parameters >= FEW_PARAMETERS:
        return nullcontext()
    limit: AbstractContextManager[object] = controller().limit(limits=1)
    return limit


@cache
def usual_threads() -> int:
    """How many threads matrix products use when nobody limits them: what the user allows."""
    return threads_now()


def threads_now() -> int:
    """How many threads matrix products use now."""
    return max((int(pool["num_threads"]) for pool in controller().info()), default=1)


def in_parts(starts: range, work: Callable[[range], Found]) -> list[Found]:
    """What comes of blocks of samples that start there, shared out among threads if they are many.

    `work` takes the starts of its blocks. The parts and their order depend on the number of threads
    alone, not on which of them is faster.
    """
    threads = (PARTS.get() or usual_threads()) if len(starts) >= MANY_BLOCKS else 1
    if threads == 1:
        return [work(starts)]
    share = -(-len(starts) // threads)
    parts = [starts[first : first + share] for first in range(0, len(starts), share)]
    contexts = [copy_context() for _ in parts]  # numpy's error state is a context's
    with controller().limit(limits=1), ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(lambda context, part: context.run(work, part), contexts, parts))


def in_processes(works: Sequence[Callable[[], Found]], n_jobs: int | None) -> list[Found]:
    """What comes of works that know nothing of each other, in their order.

    In joblib's processes if several are asked for, each of which adds up as this one would.
    """
    if n_jobs in (None, 1) or len(works) < 2:
        return [work() for work in works]
    from joblib import Parallel, delayed  # imported late: it is not needed otherwise

    parts, limit = usual_threads(), threads_now()
    found: list[Found] = Parallel(n_jobs)(delayed(as_here)(work, parts, limit) for work in works)
    return found


def as_here(work: Callable[[], Found], parts: int, limit: int) -> Found:
    """What comes of a work, with the parts and the threads of the process that asks for it."""
    PARTS.set(parts)
    with controller().limit(limits=limit):
        return work()
