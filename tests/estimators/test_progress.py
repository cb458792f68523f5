import io

import pytest

from unfis.estimators.progress import ProgressLine, round_number
from unfis.learning.loop import IterationRecord


class Terminal(io.StringIO):
    def isatty(self):
        return True


def show(stream, iterations):
    line = ProgressLine("TrustRegion", 200, stream)
    for number in range(1, iterations + 1):
        line.update(number, IterationRecord(1.0 / number, 0.1, 1.0, 0.01 * number))
    line.close("converged")
    return stream.getvalue()


def test_a_terminal_redraws_one_line():
    text = show(Terminal(), 57)
    assert text.count("\n") == 1
    assert text.count("\r") >= 57
    assert "iteration 57 of at most 200" in text
    assert text.endswith("converged\n")


def test_a_log_file_gets_ever_fewer_lines():
    lines = show(io.StringIO(), 157).splitlines()
    assert len(lines) == 7 + 1  # 1 2 5 10 20 50 100 and the end
    assert "\r" not in "".join(lines)


def test_an_interrupted_line_is_closed():
    stream = Terminal()
    line = ProgressLine("SGD", 5, stream)
    line.update(1, IterationRecord(1.0, 0.1, 1.0, 0.5))
    with pytest.raises(KeyboardInterrupt), line:
        raise KeyboardInterrupt
    assert stream.getvalue().endswith("interrupted\n")


def test_round_number():
    assert [round_number(n) for n in (1, 3, 9, 10, 19, 55, 100, 999)] == [
        1,
        2,
        5,
        10,
        10,
        50,
        100,
        500,
    ]
