"""The checks of names and lengths of files, on a package made for them."""

import re
import runpy
from pathlib import Path

TOOL = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "house.py"))


def faults(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return list(TOOL["faults"](folder))


def test_names_of_their_own_are_fine(tmp_path):
    assert faults(tmp_path, one="A = 1\n__all__ = []\n", two="B: int = 1\n__all__ = []\n") == []


def test_a_name_defined_in_two_files(tmp_path):
    (found,) = faults(tmp_path, one="A, B = 1, 2\n", two="def B():\n    C = 1\n", three="C = 1\n")
    assert found == "B is defined in one.py and two.py: give each thing its name."


def test_a_long_file(tmp_path):
    (found,) = faults(tmp_path, long="\n" * 301, short="\n" * 300)
    assert found == "long.py has 301 lines, more than 300: divide it."


def test_the_makefile_names_tests_that_there_are():
    root = Path(__file__).parents[1]
    named = re.findall(r"tests/[\w/]+(?:\.py)?", (root / "Makefile").read_text(encoding="utf-8"))
    assert named
    assert [name for name in named if not (root / name).exists()] == []


def test_documents_name_files_that_there_are():
    root = Path(__file__).parents[1]
    texts = [root / "CONTRIBUTING.md"]
    for project in (root, root / "paper"):
        texts += [project / "README.md", *(project / "docs").glob("*.md")]
        texts += (project / "src").rglob("*.py")
    pattern = re.compile(r"\b(?:paper/)?(?:tests|benchmarks|src)/[\w/]+\.(?:py|js|csv)")
    named = {name for path in texts for name in pattern.findall(path.read_text(encoding="utf-8"))}
    assert named
    assert sorted(name for name in named if not (root / name).exists()) == []


def test_what_a_room_has(tmp_path):
    (tmp_path / "room").mkdir()
    numbers = 'A, B = 1, -2.5\nC: int = 3\nD = 1 << 20\nE = (0.1, 0.2)\nF = "text"\nG = [True]\n'
    functions = "def f(a, b, *, c): ...\nclass C:\n    def __init__(self, a): ...\n"
    (tmp_path / "room" / "one.py").write_text(numbers + functions, encoding="utf-8")
    (tmp_path / "room" / "two.py").write_text("def _f(a, b, c, d): ...\n", encoding="utf-8")
    (tmp_path / "alone.py").write_text("", encoding="utf-8")
    found = TOOL["sizes"](tmp_path)
    assert found["room"] == {"lines": 10, "files": 2, "constants": 4, "parameters": 3}
    assert found["files"] == {"lines": 0, "files": 1, "constants": 0, "parameters": 0}


def test_a_room_over_its_budget():
    size = {"lines": 1200, "files": 2}
    lines, over = TOOL["compared"]("unfis", {"room": size}, {"room": {"lines": 1100, "files": 2}})
    assert lines == ["unfis/room: lines 1,200 of 1,100, files 2 of 2"]
    assert over == [
        "unfis/room has 1200 lines, over its budget of 1100 in pyproject.toml: make it smaller, or "
        "say why not."
    ]


def test_the_map_names_rooms_that_there_are():
    root = Path(__file__).parents[1]
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (tree,) = re.findall(r"## The map\n\n(.*?)\nEvery file", text, flags=re.DOTALL)
    folders, absent = {}, []
    for line in tree.splitlines():
        # Names of folders and files stand first in a line, before what they are.
        indent = len(line) - len(line.lstrip())
        for name in (word.rstrip(",") for word in line.split()):
            if not re.fullmatch(r"[\w/]+(/|\.py)", name):
                break
            parent = next((folders[k] for k in sorted(folders, reverse=True) if k < indent), root)
            if not (parent / name).exists():
                absent.append(name)
            elif name.endswith("/"):
                folders = {k: v for k, v in folders.items() if k < indent}
                folders[indent] = parent / name
    assert folders
    assert absent == []
