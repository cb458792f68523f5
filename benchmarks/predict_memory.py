"""What `unfis predict` takes of memory and time on a file larger than either would like.

python benchmarks/predict_memory.py [--megabytes 2000] [--output benchmarks/results/predict.csv]

The table has ten numbers, a category and a truth value with missing cells, and quoted text that the
model does not look at. It and the predictions are written to a temporary folder and removed.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

MEGABYTE = 1_000_000
ROWS_AT_ONCE = 100_000
LIMIT = 500


def rows_of(count, seed):
    generator = np.random.RandomState(seed)
    numbers = generator.normal(size=(count, 10))
    frame = pd.DataFrame(numbers.round(4), columns=[f"x{j}" for j in range(10)])
    frame["ward"] = generator.choice(["east", "west", "north", ""], count)
    frame["smoker"] = generator.choice(["yes", "no", ""], count)
    frame["remark"] = 'said "well, fine"'
    score = 3 * numbers[:, 0] - 2 * numbers[:, 1] + (frame["ward"] == "east")
    frame["outcome"] = np.where(score + (frame["smoker"] == "yes") > 0.5, "ill", "well")
    return frame


def write_table(path, megabytes):
    rows_of(ROWS_AT_ONCE, 0).to_csv(path, index=False)
    text = rows_of(ROWS_AT_ONCE, 1).to_csv(index=False, header=False).encode()
    rows = ROWS_AT_ONCE
    with path.open("ab") as file:
        while file.tell() < megabytes * MEGABYTE:
            file.write(text)
            rows += ROWS_AT_ONCE
    return rows


def command(*arguments):
    return [sys.executable, "-m", "unfis", *map(str, arguments)]


def measure(megabytes):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        learned, model, table = (folder / f for f in ("some.csv", "model.json", "table.csv"))
        rows_of(1000, 2).to_csv(learned, index=False)
        call = command("fit", learned, "--target", "outcome", "-o", model)
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
        rows = write_table(table, megabytes)
        began = time.perf_counter()
        process = subprocess.Popen(command("predict", model, table, "-o", folder / "out.csv"))
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        assert status == 0
        return {
            "megabytes": round(table.stat().st_size / MEGABYTE),
            "rows": rows,
            "seconds": round(seconds, 1),
            "rows_per_second": round(rows / seconds),
            "megabytes_per_second": round(table.stat().st_size / MEGABYTE / seconds),
            "peak_memory_megabytes": round(usage.ru_maxrss * 1024 / MEGABYTE),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=2000)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    found = measure(arguments.megabytes)
    for name, value in found.items():
        print(f"{name:22s} {value:,}")
    print(f"{'asked: memory under':22s} {LIMIT}")
    if arguments.output:
        with arguments.output.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, found, lineterminator="\n")
            writer.writeheader()
            writer.writerow(found)


if __name__ == "__main__":
    main()
