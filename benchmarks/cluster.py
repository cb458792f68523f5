"""What a fit on a Dask cluster takes: seconds, bytes, memory, and what is left of killed workers.

python benchmarks/cluster.py [--rows 2000000 20000000] [--kills 10] [--rounds 1]
    [--parts speed bytes kills] [--output benchmarks/results/cluster.csv]

(Not named after Dask's package `distributed`, which it would hide.) The table is that of
out_of_core.py, in Parquet files of 500,000 rows at most and at least eight files, in the folder of
temporary files. Every cluster is one of processes of one thread, started anew. Seconds are those of
the fit without the cluster's start. Where others use the machine, seconds of the processor say
more: of a fit here those of its process, of a fit on a cluster those of all workers and of the
process with the scheduler and the client.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cluster_jobs import bytes_of_fit, fit_here, fit_there, killed_fits, write_parts
from measuring import in_child, write_rows

PARTS = ("speed", "bytes", "kills")


def measure(
    every: list[int], kills: int, rounds: int, parts: list[str]
) -> Iterator[dict[str, Any]]:
    """Lines of results: part, rows, workers (none for a fit without a cluster), measure, value."""

    def lines(part: str, rows: int, workers: int, found: dict[str, float]) -> Iterator[Any]:
        for name, value in found.items():
            print(f"{part:6s} {rows:>11,} rows {workers} workers  {name:36s} {value}", flush=True)
            line = {"part": part, "rows": rows, "workers": workers, "measure": name}
            yield {**line, "value": value}

    for rows in every if "speed" in parts else []:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_parts(folder, rows)
            for _ in range(rounds):
                yield from lines("speed", rows, 0, in_child(fit_here, threads=1, folder=folder))
                for workers in (1, 2):
                    found = in_child(fit_there, threads=1, folder=folder, workers=workers)
                    yield from lines("speed", rows, workers, found)
    if "bytes" in parts:
        for count in (200_000, 2_000_000):
            yield from lines("bytes", count, 2, in_child(bytes_of_fit, threads=1, rows=count))
    if "kills" in parts:
        few = min(*every, 400_000)
        with tempfile.TemporaryDirectory() as name:
            write_parts(Path(name), few)
            done = in_child(killed_fits, threads=1, folder=Path(name), kills=kills)
        for one in done.get("fits", [done]):
            yield from lines("kills", few, 2, one)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[2_000_000])
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=1, help="of the fits that are timed")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    found = list(measure(arguments.rows, arguments.kills, arguments.rounds, arguments.parts))
    if arguments.output:
        write_rows(arguments.output, found)


if __name__ == "__main__":
    main()
