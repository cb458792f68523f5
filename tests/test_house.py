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
