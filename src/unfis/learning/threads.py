"""How many threads the matrix products of a training use."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache

from threadpoolctl import ThreadpoolController  # comes with scikit-learn

# Below so many parameters a step's matrices are so small that threads wait for each other for
# longer than they work: on two cores one thread is two to four times as fast (wine, breast cancer).
FEW_PARAMETERS = 1000


@cache
def controller() -> ThreadpoolController:
    """The process's thread pools; looking for them takes milliseconds, so it is done once."""
    return ThreadpoolController()


def suitable_threads(parameters: int) -> AbstractContextManager[object]:
    """A context in which BLAS and OpenMP use one thread if there are few parameters."""
    if parameters >= FEW_PARAMETERS:
        return nullcontext()
    limit: AbstractContextManager[object] = controller().limit(limits=1)
    return limit
