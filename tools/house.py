"""Check what ruff does not: names that mean two things, files that are too long.

Every module-level name of a package is defined in one file only, so that it means one thing
wherever it is read; and no file has more lines than can be read at once.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

LONGEST = 300
# The estimator's docstring has all its parameters.
MAY_BE_LONG = {"estimators/classifier.py"}
# It stands beside the rooms that it replaces, and has names of its own.
BESIDE = "additive/"
# It becomes a module of its own, which has what it needs of the package in it.
STANDS_ALONE = {"export/template.py"}


def defined(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines for others to import."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = [part for target in targets for part in ast.walk(target)]
            yield from (part.id for part in parts if isinstance(part, ast.Name))


def faults(package: Path) -> Iterator[str]:
    """A sentence for each name defined in several files, and for each file that is too long."""
    files = defaultdict(set)
    for path in sorted(package.rglob("*.py")):
        name, text = path.relative_to(package).as_posix(), path.read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > LONGEST and name not in MAY_BE_LONG:
            yield f"{name} has {lines} lines, more than {LONGEST}: divide it."
        if name not in STANDS_ALONE:
            for found in defined(ast.parse(text)):
                files[found, name.startswith(BESIDE)].add(name)
    for (found, _), names in sorted(files.items()):
        if len(names) > 1 and not found.startswith("__"):
            yield f"{found} is defined in {' and '.join(sorted(names))}: give each thing its name."


def main() -> None:
    """Print the faults of packages; the exit code is 1 if there are any."""
    found = [fault for name in sys.argv[1:] for fault in faults(Path(name))]
    print("\n".join(found) or "Each name means one thing, and no file is too long.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
