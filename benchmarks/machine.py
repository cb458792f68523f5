"""What this machine can do at most, and how much of that a fit does.

Matrix products are counted in `unfis.learning.system.added_products`, where all curvature sums are
made, exponentials and logarithms in `numpy.exp` and `numpy.log`.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from measuring import seconds_of
from threadpoolctl import ThreadpoolController, threadpool_limits

import unfis.learning.system

PRODUCT_SIZE = 2000
EXPONENTIALS = 1 << 15  # in a first or second cache, with their results
REPEATS = 5


def cores() -> int:
    """How many threads this process may use at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def product_rate(
    threads: int, dtype: type = np.float64, size: int = PRODUCT_SIZE, repeats: int = REPEATS
) -> float:
    """Operations per second of a matrix product, the best of a few."""
    generator = np.random.RandomState(0)
    a, b = (generator.normal(size=(size, size)).astype(dtype) for _ in range(2))
    out = np.empty((size, size), dtype)
    with threadpool_limits(threads, user_api="blas"):
        best = min(seconds_of(lambda: np.matmul(a, b, out=out)) for _ in range(repeats + 1))
    return 2 * size**3 / best


def exponential_rate(
    threads: int, dtype: type = np.float64, rounds: int = 500, repeats: int = REPEATS
) -> float:
    """Exponentials per second of arrays that fit into a cache, the best of a few."""
    values = np.random.RandomState(0).uniform(-20, 0, EXPONENTIALS).astype(dtype)

    def work(_: int) -> None:
        out = np.empty_like(values)
        for _ in range(rounds):
            np.exp(values, out=out)

    def all_threads() -> None:
        list(pool.map(work, range(threads)))

    with ThreadPoolExecutor(threads) as pool:
        best = min(seconds_of(all_threads) for _ in range(repeats + 1))
    return threads * rounds * EXPONENTIALS / best


@dataclass
class Tally:
    """Work that was done and the time that threads spent on it, those of a product included."""

    done: float = 0.0
    seconds: float = 0.0  # of all threads together
    calls: int = 0
    threads: int = 1  # the most that took part at once
    _now: int = 0
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    def watched(
        self, work: Callable[..., Any], amount: Callable[..., float], each: Callable[[], int]
    ) -> Callable[..., Any]:
        """The same work, counted; `each` says how many threads a call has for itself."""

        def counted(*arguments: Any, **options: Any) -> Any:
            threads = each()
            with self._lock:
                self._now += threads
                self.threads = max(self.threads, self._now)
            began = time.perf_counter()
            found = work(*arguments, **options)
            seconds = time.perf_counter() - began
            with self._lock:
                self._now -= threads
                self.done += amount(*arguments)
                self.seconds += threads * seconds
                self.calls += 1
            return found

        return counted

    @property
    def rate(self) -> float:
        """Work per second of one thread."""
        return self.done / self.seconds if self.seconds else float("nan")


@contextlib.contextmanager
def products_counted() -> Iterator[Tally]:
    """Operations of the curvature sums: rows P (P + 1) for each symmetric product."""
    tally, original = Tally(), unfis.learning.system.added_products
    libraries = ThreadpoolController().select(user_api="blas").lib_controllers

    def operations(gram: Any, rows: Any) -> float:
        return float(len(rows)) * rows.shape[1] * (rows.shape[1] + 1)

    def threads_of_a_product() -> int:
        return max((library.num_threads for library in libraries), default=1)

    counted = tally.watched(original, operations, threads_of_a_product)
    homes = [
        module
        for name, module in sys.modules.items()
        if name.startswith("unfis") and getattr(module, "added_products", None) is original
    ]
    for module in homes:
        module.added_products = counted  # type: ignore[attr-defined]
    try:
        yield tally
    finally:
        for module in homes:
            module.added_products = original  # type: ignore[attr-defined]


@contextlib.contextmanager
def exponentials_counted() -> Iterator[Tally]:
    """Elements of exponentials and logarithms of arrays, which cost about the same."""
    tally, originals = Tally(), {"exp": np.exp, "log": np.log}
    for name, function in originals.items():
        setattr(np, name, tally.watched(function, lambda x, *_: float(np.size(x)), lambda: 1))
    try:
        yield tally
    finally:
        for name, function in originals.items():
            setattr(np, name, function)
