"""Threads: as many as the user allows now, whatever was asked for before."""

from functools import partial
from importlib import import_module

import pytest
from block_tables import numbers, quick
from threadpoolctl import threadpool_info, threadpool_limits

from unfis import parallel
from unfis.parallel import (
    FEW_PARAMETERS,
    as_here,
    in_parts,
    in_processes,
    suitable_threads,
    threads_now,
    usual_threads,
)

# The module, whose name in the package is that of its function.
BLOCKS = import_module("unfis.network.forward")


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def parts_of(count):
    """In how many parts so many blocks are shared out."""
    return len(in_parts(range(count), len))


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_how_many_works_are_done_is_told_here(n_jobs):
    told = []
    assert in_processes([partial(pow, 2, n) for n in range(4)], n_jobs, told.append) == [1, 2, 4, 8]
    assert told == [1, 2, 3, 4]


def test_few_parameters_are_trained_on_one_thread():
    before = blas_threads()
    with suitable_threads(FEW_PARAMETERS - 1):
        assert set(blas_threads()) == {1}
    assert blas_threads() == before
    with suitable_threads(FEW_PARAMETERS):
        assert blas_threads() == before


def test_the_number_of_threads_is_what_the_user_allows_now():
    for allowed in (1, 3, 2, 1):
        with threadpool_limits(allowed):
            assert usual_threads() == parts_of(12) == allowed


def test_a_limit_set_here_is_not_the_users():
    with threadpool_limits(3), suitable_threads(1):
        assert threads_now() == 1
        with suitable_threads(1):
            assert usual_threads() == parts_of(12) == 3
        assert usual_threads() == 3
        assert threads_now() == 1


def test_limits_that_overlap_are_lifted_by_the_last():
    """As those of fits in two threads do, of which either may end first."""
    with threadpool_limits(2):
        first, second = suitable_threads(1), suitable_threads(1)
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert threads_now() == 1
        assert usual_threads() == 2
        second.__exit__(None, None, None)
        assert threads_now() == 2


def test_work_of_another_process_leaves_no_trace_in_this_one():
    with threadpool_limits(2):
        assert as_here(usual_threads, parts=5, limit=1) == 5
        assert usual_threads() == 2
        with pytest.raises(ZeroDivisionError):
            as_here(lambda: 1 / 0, parts=5, limit=1)
        assert usual_threads() == 2


def test_a_fit_uses_the_threads_that_it_may_whatever_fits_came_before(monkeypatch):
    sizes = []

    class Pool(parallel.ThreadPoolExecutor):
        def __init__(self, size):
            sizes.append(size)
            super().__init__(size)

    monkeypatch.setattr(parallel, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(BLOCKS, "BLOCK_ELEMENTS", 1000)
    X, y = numbers(1000)
    for allowed in (1, 2, 1, 3):
        sizes.clear()
        with threadpool_limits(allowed):
            quick(ridge=0.3).fit(X, y)
        assert set(sizes) == ({allowed} if allowed > 1 else set())
