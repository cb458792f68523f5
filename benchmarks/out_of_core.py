"""What a fit of a Parquet file takes whose table is larger than the memory it may have.

python benchmarks/out_of_core.py [--rows 20000000] [--limit 1600]
    [--output benchmarks/results/out_of_core.csv]

The table has twenty numbers and two classes. It is written to the folder of temporary files, where
the fit keeps its values as well, and removed. The fit is that of a process whose memory that is in
no file is limited by the system (RLIMIT_DATA, in megabytes, which counts what is reserved as well
as what is used).
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

import jobs
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from measuring import MEGABYTE, in_child, write_rows

from unfis import UNFISClassifier

INPUTS = 20
ROWS_AT_ONCE = 500_000
TEST_ROWS = 100_000
# Bytes of a row in the file, and in those of the fit: values, number, code, weight.
BYTES_IN_FILE, BYTES_IN_FIT = 8 * INPUTS + 1, 8 * (INPUTS + 3)


def rows_of(count: int, seed: int) -> pd.DataFrame:
    """Rows whose class three of the inputs decide, two of them together."""
    generator = np.random.RandomState(seed)
    X = generator.standard_normal((count, INPUTS))
    score = X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * generator.standard_normal(count)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(INPUTS)])
    return frame.assign(outcome=np.where(score > 0, "yes", "no"))


def write_table(path: Path, rows: int) -> None:
    """A Parquet file of so many rows."""
    schema = pa.Schema.from_pandas(rows_of(2, 0), preserve_index=False)
    with pq.ParquetWriter(path, schema) as writer:
        for number, start in enumerate(range(0, rows, ROWS_AT_ONCE)):
            part = rows_of(min(ROWS_AT_ONCE, rows - start), number)
            writer.write_table(pa.Table.from_pandas(part, schema, preserve_index=False))


def refuse_small_disk(rows: int) -> None:
    """Stop where the files would not fit, with a tenth to spare."""
    needed = 1.1 * rows * (BYTES_IN_FILE + BYTES_IN_FIT)
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    if free < needed:
        sys.exit(
            f"{folder} has {free / MEGABYTE:,.0f} MB free and {needed / MEGABYTE:,.0f} are needed. "
            "Give fewer --rows, or another folder as TMPDIR."
        )


def measure(rows: int, limit: int) -> dict[str, float]:
    """What the fit takes, in megabytes and seconds."""
    with tempfile.TemporaryDirectory() as name:
        path, test = Path(name) / "learned.parquet", Path(name) / "test.parquet"
        write_table(path, rows)
        rows_of(TEST_ROWS, -1 % 2**32).to_parquet(test)
        file = path.stat().st_size
        found = in_child(
            jobs.fit_file, model=UNFISClassifier(), path=path, test=test, memory=limit * MEGABYTE
        )
    if "failed" in found:
        sys.exit(f"The fit failed: {found['failed']}")
    return {
        "rows": rows,
        "table_megabytes": 8 * rows * INPUTS / MEGABYTE,
        "file_megabytes": file / MEGABYTE,
        "limit_megabytes": limit,
        "reserved_megabytes": found["reserved"] / MEGABYTE,
        "anonymous_megabytes": found["anonymous"] / MEGABYTE,
        **{name: found[name] for name in ("reading_seconds", "seconds", "accuracy")},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--limit", type=int, default=1600, help="megabytes of memory in no file")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # its own reserves a gigabyte
    refuse_small_disk(arguments.rows)
    found = measure(arguments.rows, arguments.limit)
    for name, value in found.items():
        print(f"{name:20s} {value:,.1f}")
    if arguments.output:
        write_rows(arguments.output, [found])


if __name__ == "__main__":
    main()
