"""Fits of Parquet files here and on a Dask cluster, each measured in a process of its own."""

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import psutil
from dask import delayed
from distributed.comm.tcp import TCP
from out_of_core import INPUTS, ROWS_AT_ONCE, rows_of

from unfis import UNFISClassifier
from unfis.distributed import DaskUNFISClassifier, cluster_client, estimator

FEWEST_FILES = 8
LOOK_EVERY = 0.05  # seconds


def write_parts(folder: Path, rows: int, dtype: Any = np.float64) -> None:
    """Parquet files of the rows."""
    length = min(ROWS_AT_ONCE, -(-rows // FEWEST_FILES))
    for number, start in enumerate(range(0, rows, length)):
        part = rows_of(min(length, rows - start), number)
        names = part.columns[:INPUTS]
        part[names] = part[names].astype(dtype)
        part.to_parquet(folder / f"part-{number:04d}.parquet", index=False)


def files_of(folder: Path) -> list[str]:
    return sorted(map(str, folder.glob("part-*.parquet")))


def read_part(path: str) -> tuple[Any, Any]:
    """A file as a block."""
    frame = pd.read_parquet(path)
    return frame.drop(columns="outcome"), frame["outcome"]


def fit_here(folder: Path) -> dict[str, float]:
    """The fit of the same blocks without a cluster, in this process."""
    began, used = time.perf_counter(), processor_seconds()
    reading: list[float] = []

    def blocks() -> Iterator[tuple[Any, Any]]:
        for path in files_of(folder):
            yield read_part(path)
        reading.append(time.perf_counter() - began)

    UNFISClassifier().fit(blocks())
    return {
        "seconds": time.perf_counter() - began,
        "seconds_after_reading": time.perf_counter() - began - reading[0],
        "processor_seconds": processor_seconds() - used,
    }


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def fit_there(folder: Path, workers: int) -> dict[str, float]:
    """The fit on a cluster of so many workers, and the memory of each beside its blocks."""
    reading: list[float] = []
    read_distributed = estimator.read_distributed

    def timed(*given: Any, **named: Any) -> Any:
        found = read_distributed(*given, **named)
        reading.append(time.perf_counter() - began)
        return found

    estimator.read_distributed = timed
    with cluster_client(workers) as client:
        client.wait_for_workers(workers)
        processes = [psutil.Process(pid) for pid in client.run(os.getpid).values()]
        client.run(imported)
        before = [process.memory_info().rss for process in processes]
        own, each = processor_seconds(), list(map(used_by, processes))
        table = dd.read_parquet(str(folder / "part-*.parquet"), split_row_groups=False)
        began = time.perf_counter()
        with watched_memory(processes) as peaks:
            model = DaskUNFISClassifier(client=client).fit(table, "outcome")
        seconds = time.perf_counter() - began
        own = processor_seconds() - own
        each = [used_by(one) - start for one, start in zip(processes, each, strict=True)]
    estimator.read_distributed = read_distributed
    total = 8.0 * INPUTS * model.model_.origin.rows
    above = sum(peak - start for peak, start in zip(peaks, before, strict=True))
    return {
        "seconds": seconds,
        "seconds_after_reading": seconds - reading[0],
        "processor_seconds": own + sum(each),
        "processor_seconds_of_busiest_worker": max(each),
        "memory_above_start_by_blocks": above / total,
        "memory_of_workers_by_blocks": sum(peaks) / total,
    }


def imported() -> None:
    """Have a worker import what it needs, which is no memory of blocks."""
    import pyarrow.parquet

    import unfis.distributed  # noqa: F401

    assert pyarrow.parquet


def used_by(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def watched_memory(processes: list[psutil.Process]) -> Iterator[list[int]]:
    """The most memory that each process has while this goes on."""
    peaks, over = [0] * len(processes), threading.Event()

    def watch() -> None:
        while not over.wait(LOOK_EVERY):
            for number, process in enumerate(processes):
                peaks[number] = max(peaks[number], process.memory_info().rss)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peaks
    finally:
        over.set()
        thread.join()


class Counter:
    """Bytes that a process has written to its connections."""

    written = 0


def count_bytes() -> None:
    """Count what this process writes from now on."""
    write = TCP.write

    async def counted(self: TCP, *given: Any, **named: Any) -> int:
        sent = await write(self, *given, **named)
        Counter.written += sent
        return sent

    TCP.write = counted


def written_here() -> int:
    return Counter.written


def bytes_of_fit(rows: int, blocks: int = 8) -> dict[str, float]:
    """What all processes together send in a fit, the rows that are searched among it."""
    generator = np.random.RandomState(0)
    seeds = generator.randint(0, 2**31, blocks).tolist()
    made = [delayed(block_of)(rows // blocks, seed) for seed in seeds]
    with cluster_client(2) as client:
        client.wait_for_workers(2)
        client.run(add_folder, str(Path(__file__).parent))
        count_bytes()
        client.run(count_bytes)
        DaskUNFISClassifier(client=client).fit(made)
        sent = written_here() + sum(client.run(written_here).values())
    return {"rows": rows, "blocks": blocks, "bytes": float(sent)}


def add_folder(name: str) -> None:
    sys.path.insert(0, name)


def block_of(rows: int, seed: int) -> tuple[Any, Any]:
    frame = rows_of(rows, seed)
    return frame.drop(columns="outcome"), frame["outcome"]


def killed_fits(folder: Path, kills: int) -> dict[str, list[dict[str, float]]]:
    """Fits of which a worker is killed at a random moment, beside one that is left in peace."""
    generator, found = np.random.RandomState(0), []
    expected, whole = None, 0.0
    for number in range(kills + 1):
        with cluster_client(2) as client:
            client.wait_for_workers(2)
            victim = list(client.run(os.getpid).values())[number % 2]
            delay = (0.05 + 0.75 * generator.rand()) * whole
            killer = threading.Timer(delay, os.kill, (victim, signal.SIGKILL))
            table = dd.read_parquet(str(folder / "part-*.parquet"))
            began = time.perf_counter()
            if number:
                killer.start()
            model = DaskUNFISClassifier(client=client).fit(table, "outcome")
            seconds = time.perf_counter() - began
        if expected is None:
            expected, whole = model.model_.rules, seconds
            continue
        killer.join()
        same = float(model.model_.rules == expected)
        found.append({"killed_after": delay, "seconds": seconds, "same_model": same})
    return {"fits": found}
