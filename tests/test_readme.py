"""The README: programs print what stands below them, commands run; sessions are doctests."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"```python\n((?!>>>).*?)```\n(?:\n```text\n(.*?)```)?", re.DOTALL)
COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)
MOST_LINES = 150


def test_the_programs_print_what_is_said():
    names = {}
    programs = BLOCK.findall(README.read_text(encoding="utf-8"))
    assert len(programs) >= 3
    for program, expected in programs:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, names)
        assert printed.getvalue() == expected


def test_the_commands_run(tmp_path):
    for extra in ("typer", "pandas", "pyarrow", "jinja2"):
        pytest.importorskip(extra)
    from calling import call

    (block,) = COMMANDS.findall(README.read_text(encoding="utf-8"))
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert len(commands) >= 5
    for program, *arguments in commands:
        assert program == "unfis"
        done = call(*arguments, cwd=tmp_path)
        assert done.returncode == 0, done.stderr.decode()
    for name in ("answers.csv", "model.sql", "report.html"):
        assert (tmp_path / name).stat().st_size > 0


def test_it_is_short():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
