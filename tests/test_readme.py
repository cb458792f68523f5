"""The README's programs print what stands beneath them; its sessions are doctests."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"```python\n((?!>>>).*?)```\n(?:\n```text\n(.*?)```)?", re.DOTALL)


def test_the_programs_print_what_is_said():
    pytest.importorskip("matplotlib").use("Agg")
    names = {}
    programs = BLOCK.findall(README.read_text(encoding="utf-8"))
    assert len(programs) >= 4
    for program, expected in programs:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, names)
        assert printed.getvalue() == expected
