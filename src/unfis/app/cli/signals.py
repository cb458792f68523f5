"""Signals that end a process, as exceptions: what was begun is undone on the way out."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# The second is not known to every system.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class TerminatedError(BaseException):
    """The process is asked to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Have these signals raise TerminatedError; one that is ignored, as by nohup, stays so."""
    taken = []
    if threading.current_thread() is threading.main_thread():
        taken = [number for number in ENDING if signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in taken:
            signal.signal(number, terminate)
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def terminate(number: int, frame: Any) -> None:
    """End what goes on."""
    raise TerminatedError(number)
