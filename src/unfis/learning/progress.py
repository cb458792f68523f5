"""A progress line that a terminal redraws and a log file does not drown in."""

from __future__ import annotations

import sys
from typing import TextIO

from unfis.learning.loop import IterationRecord


class ProgressLine:
    """Tells iteration, loss and seconds; on a terminal in place, elsewhere ever more rarely."""

    def __init__(self, name: str, limit: int, stream: TextIO | None = None) -> None:
        self.name = name
        self.limit = limit
        self.stream = sys.stderr if stream is None else stream
        self._shown = ""
        self._seconds = 0.0

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is not None:
            self.close("interrupted")

    def update(self, number: int, record: IterationRecord) -> None:
        """Show an iteration."""
        self._seconds += record.seconds
        line = (
            f"{self.name} iteration {number} of at most {self.limit}: "
            f"loss {record.loss:.6g}, {self._seconds:.2f} s"
        )
        if self.stream.isatty():
            self.stream.write("\r" + line.ljust(len(self._shown)))
            self.stream.flush()
        elif number == round_number(number):
            self.stream.write(line + "\n")
        self._shown = line

    def close(self, outcome: str) -> None:
        """End with one line that says how the training ended."""
        if self.stream.isatty() and self._shown:
            self.stream.write("\r" + " " * len(self._shown) + "\r")
        self.stream.write(f"{self._shown}; {outcome}\n" if self._shown else f"{outcome}\n")
        self.stream.flush()


def round_number(number: int) -> int:
    """The largest of 1, 2, 5, 10, 20, 50, ... that does not exceed a number."""
    size = int(10 ** (len(str(number)) - 1))
    return max(step * size for step in (1, 2, 5) if step * size <= number)
