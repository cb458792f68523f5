"""The runner for other processors' kernels, which must also know when there are none."""

import os
import subprocess
import sys
from pathlib import Path

import kernels
import pytest


def run(*arguments):
    command = [sys.executable, "-W", "error", Path(kernels.__file__), *arguments]
    chosen = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES")  # by who runs this test
    own = {name: value for name, value in os.environ.items() if name not in chosen}
    return subprocess.run(command, capture_output=True, text=True, env=own)


def test_a_kernel_that_is_not_there_is_left_out():
    done = run("Nonsense", sys.executable, "-c", "raise SystemExit(3)")
    assert (done.returncode, done.stderr) == (0, "")
    assert "left out" in done.stdout


@pytest.mark.parametrize("kernel", ["Haswell", "Prescott"])
def test_numpy_does_without_what_the_kernels_processors_lack(kernel):
    done = run(kernel, sys.executable, "-W", "error", "-c", "import numpy; raise SystemExit(3)")
    if "left out" in done.stdout:
        pytest.skip(done.stdout.strip())
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith(f"{kernel}: OpenBLAS uses ")
    names = kernels.environment(kernel)["NPY_DISABLE_CPU_FEATURES"].split()
    assert not set(names) & kernels.AS_NEW.get(kernel, set())
