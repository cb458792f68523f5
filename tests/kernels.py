"""Run a command as on another processor: python tests/kernels.py Haswell pytest tests/selection

The first argument is a kernel of OpenBLAS, such as Haswell, Sandybridge, Nehalem or Prescott;
numpy's own loops then do without what is newer. Where this processor cannot run the kernel the
command is left out, and that said.
"""

import os
import subprocess
import sys

import numpy as np

# What numpy may still use beside a kernel, by the names of its versions: those that processors with
# the kernel have. Beside any other it does with what every processor has.
AS_NEW = {"Haswell": {"X86_V3", "AVX", "AVX2", "F16C", "FMA3"}}
AS_NEW["Zen"] = AS_NEW["Haswell"]
PROBE = """
import numpy, scipy.linalg
from threadpoolctl import threadpool_info
scipy.linalg.inv(numpy.eye(99) + numpy.ones((99, 99)) @ numpy.ones((99, 99)))
print(*sorted(pool["architecture"] for pool in threadpool_info() if "architecture" in pool))
"""


def environment(kernel: str) -> dict[str, str]:
    """The variables by which a program is to choose the kernel, and numpy its loops."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    newer = [name for name in found if name not in AS_NEW.get(kernel, ())]
    return {
        **os.environ,
        "OPENBLAS_CORETYPE": kernel,
        "NPY_DISABLE_CPU_FEATURES": " ".join(newer),
    }


def kernels_of(variables: dict[str, str]) -> str:
    """The kernels that are really used, "" where they cannot be."""
    probe = [sys.executable, "-c", PROBE]
    return subprocess.run(probe, env=variables, capture_output=True, text=True).stdout.strip()


def main() -> int:
    kernel, *command = sys.argv[1:]
    variables = environment(kernel)
    used, usual = kernels_of(variables), kernels_of(dict(os.environ))
    if not used or used == usual:
        print(f"{kernel}: no other kernel than {usual or 'its own'} runs here, left out")
        return 0
    without = variables["NPY_DISABLE_CPU_FEATURES"] or "nothing"
    print(f"{kernel}: OpenBLAS uses {used}, numpy does without {without}", flush=True)
    return subprocess.run(command, env=variables).returncode


if __name__ == "__main__":
    sys.exit(main())
