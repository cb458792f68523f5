"""How far a fit is, in words: the line of `verbose`, and for others who want to be told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import ceil
from typing import TextIO

from unfis.learning.loop import IterationRecord, TrainingOutcome
from unfis.learning.watch import UNWATCHED, FitWatch, Progress, Watch

Listener = Callable[[Progress], None]
# Who is told of fits here, beside the line of `verbose`: the command's bar.
LISTENER: ContextVar[Listener | None] = ContextVar("LISTENER", default=None)
# Seconds from which on minutes are told, and from which on hours.
MINUTES_FROM, HOURS_FROM = 90, 90 * 60


@contextmanager
def fits_told_to(listener: Listener) -> Iterator[None]:
    """Have a listener be told how far each fit is that goes on here."""
    before = LISTENER.set(listener)
    try:
        yield
    finally:
        LISTENER.reset(before)


def watch_of(limit: float | None, line: Listener | None = None) -> Watch:
    """The watch of a fit that begins now; it tells the line, and who listens."""
    listeners = [one for one in (line, LISTENER.get()) if one is not None]
    if limit is None and not listeners:
        return UNWATCHED

    def tell(progress: Progress) -> None:
        for listener in listeners:
            listener(progress)

    return FitWatch(limit, tell)


def progress_words(progress: Progress) -> str:
    """How far a fit is: what goes on, the share that is done, and about how long it still takes."""
    words = f"{progress.doing}, {int(100 * progress.share)} % done"
    if progress.left is None or progress.share == 1:
        return words
    return f"{words}, about {duration(progress.left)} left"


def duration(seconds: float) -> str:
    """A time in words that are no more exact than it is."""
    if seconds >= HOURS_FROM:
        return f"{round(seconds / 3600)} h"
    if seconds >= MINUTES_FROM:
        return f"{round(seconds / 60)} min"
    step = 5 if seconds > 10 else 1
    return f"{max(1, step * ceil(seconds / step))} s"


def ending(outcome: TrainingOutcome, watch: Watch) -> str:
    """How a fit has ended."""
    if watch.left_out:
        return "ended by time_limit"
    return "converged" if outcome.converged else "not converged"


def too_little_time(watch: Watch) -> str:
    """What a limit of time has cost, and what to try."""
    *others, last = watch.left_out
    left_out = f"{', '.join(others)} and {last}" if others else last
    return (
        f"time_limit={watch.limit:g} left no time for {left_out}: the model is the best of what "
        "was found until then. Raise time_limit, share the choice among processes by n_jobs, or "
        "leave less to it by n_rules, max_rules and ridge."
    )


class ProgressLine:
    """Shows what a choice does, then iteration, loss and seconds.

    Redrawn on a terminal, ever more rarely in a log file.
    """

    def __init__(
        self, name: str, limit: int, stream: TextIO | None = None, who: str = "UNFISClassifier"
    ) -> None:
        self.name, self.who = name, who
        self.limit = limit
        self.stream = sys.stderr if stream is None else stream
        self._shown = ""
        self._iterates = False
        self._round_seconds = 0
        self._seconds = 0.0

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is not None:
            self.close("interrupted")

    def begin(self, progress: Progress) -> None:
        """Show what goes on before the first iteration."""
        if self._iterates:
            return
        passed = round_number(int(progress.seconds)) if progress.seconds >= 1 else 0
        self._show(f"{self.who}: {progress_words(progress)}", passed > self._round_seconds)
        self._round_seconds = passed

    def update(self, number: int, record: IterationRecord) -> None:
        """Show an iteration."""
        self._iterates = True
        self._seconds += record.seconds
        line = (
            f"{self.name} iteration {number} of at most {self.limit}: "
            f"loss {record.loss:.6g}, {self._seconds:.2f} s"
        )
        self._show(line, number == round_number(number))

    def _show(self, line: str, is_due: bool) -> None:
        """Redraw the line on a terminal, or write it to a log if it is time for it."""
        if self.stream.isatty():
            self.stream.write("\r" + line.ljust(len(self._shown)))
            self.stream.flush()
        elif is_due:
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
