"""The command as a process, and a table with all kinds of columns and of trouble.

`call` forks a process that has the packages imported already: a hundred calls would take minutes
otherwise. `fresh` starts an interpreter, as a shell does.
"""

import io
import multiprocessing
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

COMMAND = [sys.executable, "-m", "unfis"]
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        *(
            "unfis.app.cli.app",
            "unfis.app.demo",
            "unfis.additive.export",
            "unfis.app.tables.predictions",
        ),
        # What they import late.
        *("pandas", "pyarrow.pandas_compat", "pyarrow.parquet", "openpyxl", "jinja2"),
        *("pydantic.type_adapter", "pydantic.json_schema", "typer._adapters", "rich.console"),
    ]
)


def fresh(*arguments, **settings):
    settings.setdefault("timeout", 120)
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, check=False, **settings
    )


def call(*arguments, input=b"", cwd=".", timeout=120, stdout=None):
    """Call the command; its output goes to a file, or to a place or pipe that is given."""
    with tempfile.TemporaryDirectory() as name:
        streams = [Path(name) / stream for stream in ("in", "out", "err")]
        streams[0].write_bytes(input)
        streams[1].touch()
        texts = [str(argument) for argument in arguments]
        given = [streams[0], stdout or streams[1], streams[2]]
        process = PROCESSES.Process(target=run_here, args=(texts, str(cwd), given))
        process.start()
        if hasattr(stdout, "close"):
            stdout.close()
        process.join(timeout)
        assert process.exitcode is not None, f"unfis {' '.join(texts)} takes too long"
        out, err = (stream.read_bytes() for stream in streams[1:])
        return subprocess.CompletedProcess(texts, process.exitcode, out, err)


def piped(*arguments, read=True, **settings):
    """Call the command with a pipe for its output, which is read or has no reader any more."""
    reading, writing = PROCESSES.Pipe(duplex=False)
    if not read:
        reading.close()
        return call(*arguments, stdout=writing, **settings)
    with ThreadPoolExecutor() as pool, os.fdopen(os.dup(reading.fileno()), "rb") as file:
        data = pool.submit(file.read)
        result = call(*arguments, stdout=writing, **settings)
        result.stdout = data.result(30)
        return result


def run_here(arguments, cwd, streams):
    """The command in this process, which is a new one."""
    from unfis.app.cli import main

    for number, (stream, mode) in enumerate(zip(streams, ("r", "w", "w"), strict=True)):
        with stream if hasattr(stream, "fileno") else open(stream, mode) as file:
            os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.FileIO(number, mode, closefd=False), encoding="utf-8")
        for number, mode in enumerate(("r", "w", "w"))
    )
    os.chdir(cwd)
    sys.argv = ["unfis", *arguments]
    main()


def done(*arguments, **settings):
    """Call the command, which must succeed and say nothing beside its result."""
    result = call(*arguments, **settings)
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout.decode("utf-8")


def refused(*arguments, code=1, **settings):
    """Call the command, which must refuse in one or two sentences; returns them."""
    result = call(*arguments, **settings)
    words = result.stderr.decode("utf-8")
    assert result.returncode == code, words
    assert "Traceback" not in words
    assert words.count("\n") == 1, words
    assert result.stdout == b""
    return words


def clinic(rows=90, seed=0):
    """A table with all kinds of columns and of trouble."""
    generator = np.random.RandomState(seed)
    age = generator.randint(18, 90, rows)
    dose = generator.normal(5, 2, rows).round(2)
    ward = generator.choice(["Süd", "Nord", "West"], rows)
    smoker = generator.choice(["yes", "no"], rows)
    ill = (age > 50) ^ (dose > 6.5) ^ (generator.rand(rows) < 0.05)
    frame = pd.DataFrame({"patient_id": generator.permutation(rows) + 1000})
    frame["age"], frame["dose"], frame["ward"], frame["smoker"] = age, dose, ward, smoker
    frame["visit"] = [f"2024-{1 + row % 12:02d}-{1 + row % 28:02d}" for row in range(rows)]
    frame["clinic"], frame["empty"] = "A", ""
    frame["code"] = np.where(ill, 7, 3)
    frame["outcome"] = np.where(ill, "ill", "well")
    return frame
