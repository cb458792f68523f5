"""What is imported is declared, and what predicts imports little."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import unfis

ROOT = Path(__file__).parents[1]
# Packages whose modules have other names.
PACKAGES = {"sklearn": "scikit-learn"}
# Only the packages of compared systems are looked for there, and done without.
COMPARED = "benchmark"


def imported(path):
    """The packages that a file imports, at its top or later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        else:
            continue
        for name in names:
            module = name.partition(".")[0]
            yield PACKAGES.get(module, module)


def test_every_package_that_is_imported_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(one for extra in extras for one in extra)]
    declared = {re.match(r"[\w-]+", requirement)[0] for requirement in wanted}
    used = {
        name
        for path in Path(unfis.__file__).parent.rglob("*.py")
        if COMPARED not in path.parts
        for name in imported(path)
    }
    assert used - set(sys.stdlib_module_names) <= declared


@pytest.mark.parametrize("module", ["unfis.learning.objective", "unfis.network"])
def test_what_predicts_imports_numpy_alone(module):
    """In a process of its own: numpy's parts and the standard library are all that is there."""
    code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    packages = {"numpy", "scipy", "sklearn", "pandas", "joblib", "threadpoolctl"}
    assert packages & set(found.stdout.split()) == {"numpy"}
