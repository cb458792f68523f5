"""Check what ruff does not: names that mean two things, files that are too long, rooms that grow.

Every module-level name of a package is defined in one file only, so that it means one thing
wherever it is read; no file has more lines than can be read at once; and no room is over its budget
in `[tool.house]` of pyproject.toml, beside which its size is printed.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

LONGEST = 300
# The estimator's docstring has all its parameters.
MAY_BE_LONG = {"estimators/classifier.py", "estimators/network_classifier.py"}
# It stands beside the rooms that it replaces, and has names of its own; so have these, which go.
BESIDE = "additive/"
GOING = ("model/", "model_file/", "rules/", "selection/", "estimators/model_classifier.py")
# They become modules of their own, which have what they need of the package in them.
STANDS_ALONE = {"export/template.py", "additive/export/template.py"}
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
# The room of the files that are in none.
NO_ROOM = "files"


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
        if lines > LONGEST and name not in MAY_BE_LONG and not name.startswith(GOING):
            yield f"{name} has {lines} lines, more than {LONGEST}: divide it."
        if name not in STANDS_ALONE:
            for found in defined(ast.parse(text)):
                files[found, name.startswith(BESIDE), name.startswith(GOING)].add(name)
    for (found, *_), names in sorted(files.items()):
        if len(names) > 1 and not found.startswith("__"):
            yield f"{found} is defined in {' and '.join(sorted(names))}: give each thing its name."


def constants(tree: ast.Module) -> int:
    """How many names of a module are numbers, or tuples of them."""
    count = 0
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.value is not None:
            leaves = [part for part in ast.walk(node.value) if isinstance(part, ast.expr)]
            whole = ast.Constant | ast.BinOp | ast.UnaryOp | ast.Tuple
            values = [part.value for part in leaves if isinstance(part, ast.Constant)]
            plain = all(isinstance(part, whole) for part in leaves) and len(values) > 0
            if plain and all(type(value) in (int, float) for value in values):
                target = node.targets[0]
                count += len(target.elts) if isinstance(target, ast.Tuple) else 1
    return count


def parameters(tree: ast.Module) -> int:
    """The most parameters of a public function, or of a constructor."""
    counts = [0]
    for node in ast.walk(tree):
        if isinstance(node, FUNCTION) and (node.name == "__init__" or node.name[0] != "_"):
            names = [one.arg for one in (*node.args.args, *node.args.kwonlyargs)]
            counts.append(len([name for name in names if name not in ("self", "cls")]))
    return max(counts)


def sizes(package: Path) -> dict[str, dict[str, int]]:
    """Lines, files, constants and most parameters of each room of a package."""
    found: dict[str, dict[str, int]] = {}
    for path in sorted(package.rglob("*.py")):
        first, *others = path.relative_to(package).parts
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        room = found.setdefault(first if others else NO_ROOM, defaultdict(int))
        room["lines"] += text.count("\n")
        room["files"] += 1
        room["constants"] += constants(tree)
        room["parameters"] = max(room["parameters"], parameters(tree))
    return found


def compared(package: str, found: dict, budgets: dict) -> tuple[list[str], list[str]]:
    """A line for each room, its size beside its budget, and a sentence for each that is over."""
    lines, over = [], []
    for room, size in found.items():
        most = budgets.get(room, {})
        told = [f"{name} {count:,} of {most.get(name, 0):,}" for name, count in size.items()]
        lines.append(f"{package}/{room}: {', '.join(told)}")
        over += [
            f"{package}/{room} has {count} {name}, over its budget of {most.get(name, 0)} in "
            "pyproject.toml: make it smaller, or say why not."
            for name, count in size.items()
            if count > most.get(name, 0)
        ]
    return lines, over


def main() -> None:
    """Print the sizes and the faults of packages; the exit code is 1 if there are any."""
    budgets = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["house"]
    found = []
    for package in map(Path, sys.argv[1:]):
        lines, over = compared(package.name, sizes(package), budgets[package.name])
        print("\n".join(lines))
        found += [*faults(package), *over]
    print(
        "\n".join(found) or "Each name means one thing, no file is too long, no room over budget."
    )
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
