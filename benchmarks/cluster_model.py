"""A cost model of the fit on a cluster, beside what was measured, and what it says of more.

python benchmarks/cluster_model.py [--measured benchmarks/results/cluster.csv]

The fit is simulated round by round: in each, the scheduler gives out a task for every block,
workers do those of their blocks one after the other, results are joined by tasks of up to sixteen,
and sixteen at most come together here. The rates (seconds of a worker for a value, in reading and
in each pass) are those of the measured fits with one worker; the other measured fits are then
predicted by them.
"""

import argparse
import csv
import heapq
from dataclasses import dataclass, replace
from pathlib import Path

# Passes over all rows after reading, of a fit of two rules by default: moments of columns, totals
# (twice) and the draw; then the objective at the start, and two gradients of the last iterations.
PREPARING_PASSES, TRAINING_PASSES = 4, 3
# Rounds that look at some of the rows: their work does not depend on how many there are.
SMALL_ROUNDS = 47
FAN_IN = 16
BUSIEST = "processor_seconds_of_busiest_worker"


@dataclass(frozen=True)
class Cluster:
    """What a cluster can do."""

    workers: int
    reading: float  # worker-seconds for a value that is read from its file and checked
    passing: float  # worker-seconds for a value in one pass
    task: float = 0.001  # seconds of the scheduler for a task
    latency: float = 0.02  # seconds for a round trip
    small: float = 0.1  # seconds for a round over some of the rows
    bytes_per_second: float = 1e9  # of the network of one machine


@dataclass(frozen=True)
class Table:
    """What is learned from."""

    rows: float
    inputs: int
    blocks: int
    parameters: int = 126

    @property
    def bytes(self) -> float:
        """Of its values in double precision."""
        return 8.0 * self.rows * self.inputs


@dataclass(frozen=True)
class Prediction:
    """What a fit takes."""

    reading: float  # seconds
    after: float  # seconds
    busy: float  # seconds that a worker has something to do
    bytes_per_iteration: float  # that come to the scheduler and go on to the client
    memory_per_worker: float  # bytes

    @property
    def seconds(self) -> float:
        """Of the whole fit."""
        return self.reading + self.after


def round_seconds(cluster: Cluster, blocks: int, work: float, sent: float) -> float:
    """How long it takes until all blocks have done some seconds of work and sent some bytes."""
    free = [0.0] * cluster.workers
    heapq.heapify(free)
    ends = []
    for number in range(blocks):
        given = cluster.task * (number + 1)
        ends.append(max(heapq.heappop(free), given) + work)
        heapq.heappush(free, ends[-1])
    done, left = max(ends) + cluster.latency, blocks
    while left > FAN_IN:
        left = -(-left // FAN_IN)
        done += cluster.latency + left * cluster.task + FAN_IN * sent / cluster.bytes_per_second
    return done + 2 * left * sent / cluster.bytes_per_second


def predicted(cluster: Cluster, table: Table) -> Prediction:
    """What a fit takes on a cluster."""
    rows = table.rows / table.blocks
    one_pass = rows * table.inputs * cluster.passing
    few, many = 8.0 * table.parameters, 8.0 * table.parameters**2
    read = rows * table.inputs * cluster.reading
    reading = round_seconds(cluster, table.blocks, read, few)
    passes = PREPARING_PASSES + TRAINING_PASSES
    after = passes * round_seconds(cluster, table.blocks, one_pass, few)
    after += SMALL_ROUNDS * (cluster.small + cluster.latency)
    return Prediction(
        reading,
        after,
        (read + passes * one_pass) * table.blocks / cluster.workers,
        2 * (table.blocks * few + 2 * many),
        table.bytes / cluster.workers,
    )


def measured_points(path: Path) -> dict[tuple[int, int], dict[str, float]]:
    """What was measured, by rows and workers; the least of several rounds."""
    found: dict[tuple[int, int], dict[str, float]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            if line["part"] == "speed" and line["workers"] != "0":
                point = int(line["rows"]), int(line["workers"])
                known = found.setdefault(point, {})
                name, value = line["measure"], float(line["value"])
                known[name] = min(value, known.get(name, value))
    return found


def fitted(points: dict[tuple[int, int], dict[str, float]], inputs: int) -> tuple[Cluster, int]:
    """The rates by the fits with one worker of fewest and of most rows, and the rows of a block."""
    alone = sorted(rows for rows, workers in points if workers == 1)
    few, many = (points[rows, 1] for rows in (alone[0], alone[-1]))
    after = many["seconds_after_reading"]
    small = 0.1
    if len(alone) > 1:  # what does not grow with the rows is the same in both
        slope = (after - few["seconds_after_reading"]) / (alone[-1] - alone[0])
        small = max(few["seconds_after_reading"] - slope * alone[0], 0.0) / SMALL_ROUNDS
    rows = alone[-1]
    passes = PREPARING_PASSES + TRAINING_PASSES
    passing = max(after - SMALL_ROUNDS * small, 0.0) / (rows * inputs * passes)
    reading = (many["seconds"] - after) / (rows * inputs)
    return Cluster(1, reading, passing, small=small, latency=0.0), rows


def report(points: dict[tuple[int, int], dict[str, float]], inputs: int = 20) -> list[str]:
    """The model beside what was measured, and what it says of ten billion rows."""
    cluster, _ = fitted(points, inputs)
    lines = [
        f"reading {1e9 * cluster.reading:.0f} ns a value, a pass {1e9 * cluster.passing:.2f} ns a "
        f"value, {SMALL_ROUNDS} small rounds of {cluster.small:.3f} s",
        "rows, workers: measured seconds (after reading), predicted, off by; of the processor, by "
        "the busiest worker",
    ]
    for (rows, workers), found in sorted(points.items()):
        table = Table(rows, inputs, max(8, -(-rows // 500_000)))
        told = predicted(replace(cluster, workers=workers), table)
        off = told.seconds / found["seconds"] - 1
        lines.append(
            f"{rows:,}, {workers}: {found['seconds']:.1f} ({found['seconds_after_reading']:.1f}), "
            f"{told.seconds:.1f} ({told.after:.1f}), {100 * off:+.0f} %; "
            f"{found.get(BUSIEST, 0.0):.1f}, {told.busy:.1f}"
        )
    for blocks in (2_000, 20_000, 200_000):
        table = Table(1e10, 100, blocks, parameters=606)
        told = predicted(replace(cluster, workers=64, latency=0.02), table)
        lines.append(
            f"10 billion x 100 on 64 workers in {blocks:,} blocks: reading {told.reading:,.0f} s, "
            f"then {told.after:,.0f} s; {told.memory_per_worker / 1e9:.0f} GB per worker, "
            f"{told.bytes_per_iteration / 1e6:.0f} MB per iteration"
        )
    for workers in (16, 64, 256, 1024, 4096):
        table = Table(1e10, 100, 20_000, parameters=606)
        told = predicted(replace(cluster, workers=workers, latency=0.02), table)
        lines.append(f"on {workers} workers: {told.reading:,.0f} + {told.after:,.0f} s")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    results = Path(__file__).parent / "results"
    parser.add_argument("--measured", type=Path, default=results / "cluster.csv")
    print("\n".join(report(measured_points(parser.parse_args().measured))))


if __name__ == "__main__":
    main()
