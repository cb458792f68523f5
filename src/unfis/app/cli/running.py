"""How commands run: errors as sentences, exit codes, notes and progress on standard error.

Exit codes: 0 done, 1 it cannot be done, 2 the call is wrong, 130 interrupted, 128 and the number of
the signal that ended it otherwise.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from unfis.app.cli.options import in_flags
from unfis.app.requests import RequestError
from unfis.app.screen import Screen
from unfis.serial.files import ELSEWHERE, NO_ROOM, descriptor_of
from unfis.serial.messages import shortened

DONE, CANNOT, WRONG_CALL, INTERRUPTED = 0, 1, 2, 130
# Characters of a file's name, and of an error that other packages may fill with what they got.
LONGEST_FILE_NAME = 200
LONGEST_MESSAGE = 1000
_debug = False


def set_debug(value: bool) -> bool:
    """Have errors show where they came from."""
    global _debug
    _debug = _debug or value
    return value


def run(app: typer.Typer, arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    warnings.showwarning = lambda message, *_: note(str(message))
    try:
        with ending_in_order():
            code = app(args=arguments, prog_name="unfis", standalone_mode=False)
            sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except BrokenPipeError:  # what read the output has seen enough
        code = CANNOT
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except SystemExit as ended:
        code = int(ended.code or DONE)
    except Exception as error:
        code = report_error(error)
    try:
        sys.stdout.flush()
    except OSError:  # or the flush at the end would complain of what cannot be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def report_error(error: Exception) -> int:
    """Tell an error in a sentence, and return the exit code."""
    if _debug:
        traceback.print_exception(error)
    if hasattr(error, "format_message"):  # a wrong call, as typer sees it
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "unfis"
        message = error.format_message()
        if type(error).__name__ != "NoArgsIsHelpError":
            message = shortened(message, LONGEST_MESSAGE).rstrip(".")
            message = f"{path}: {message}. See {path} --help."
        note(message)
        return WRONG_CALL
    message = f"unfis: {shortened(sentence(error), LONGEST_MESSAGE)}"
    if not (_debug or isinstance(error, ValueError | OSError | ImportError | MemoryError)):
        message += " This should not happen; --debug shows where it came from."
    note(message)
    return WRONG_CALL if isinstance(error, RequestError) else CANNOT


def sentence(error: Exception) -> str:
    """What an error says, in one line."""
    if isinstance(error, OSError) and error.strerror:
        if error.filename:
            return f"{shortened(str(error.filename), LONGEST_FILE_NAME)}: {error.strerror}."
        if error.errno in NO_ROOM:  # whatever else is written to is named
            return f"standard output: {error.strerror}. {ELSEWHERE}."
        return f"{error.strerror}."
    text = " ".join(str(error).split())
    return text or f"{type(error).__name__}."


def note(text: str) -> None:
    """Say something beside the result."""
    print(in_flags(text), file=sys.stderr)


def print_text(text: str, written: Path | None = None) -> None:
    """Give the result; beside a file that was written to standard output, on standard error."""
    taken = written is not None and descriptor_of(written) == 1
    (sys.stderr if taken else sys.stdout).write(text.rstrip("\n") + "\n")


def print_json(data: Any, written: Path | None = None) -> None:
    """Give the result to a program."""
    print_text(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False), written)


def confirm(text: str) -> None:
    """Say what was done, to a person who watches."""
    if sys.stderr.isatty():
        note(text)


@contextmanager
def working(words: str) -> Iterator[Callable[..., None]]:
    """Show a person who watches that something goes on, and how far it is where that is known.

    To tell it, call what this gives with what is done, with the whole, and in words.
    """
    if not sys.stderr.isatty():
        yield lambda done, total, beside="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    described, told = TextColumn("{task.description}"), TextColumn("{task.fields[beside]}")
    columns = described, BarColumn(), TimeElapsedColumn(), told
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None, beside="")
        yield lambda done, total, beside="": bar.update(
            task, completed=done, total=total, beside=beside
        )


SCREEN = Screen(working, note)
# The second is not known to every system.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Have these signals raise SystemExit; one that is ignored, as by nohup, stays so."""
    taken = []
    if threading.current_thread() is threading.main_thread():
        taken = [number for number in ENDING if signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in taken:
            signal.signal(number, lambda number, frame: sys.exit(128 + number))
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
