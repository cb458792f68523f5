"""How commands run: errors as sentences, exit codes, notes and progress on standard error.

Exit codes: 0 done, 1 it cannot be done, 2 the call is wrong, 130 interrupted.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

DONE, CANNOT, WRONG_CALL, INTERRUPTED = 0, 1, 2, 130
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
        code = app(args=arguments, prog_name="unfis", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # What read the output has seen enough; nor may the flush at the end complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CANNOT
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        return told(error)
    return code if isinstance(code, int) else DONE


def told(error: Exception) -> int:
    """Tell an error in a sentence, and return the exit code."""
    if _debug:
        traceback.print_exception(error)
    if hasattr(error, "format_message"):  # a wrong call, as typer sees it
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "unfis"
        message = error.format_message()
        if type(error).__name__ == "NoArgsIsHelpError":
            note(message)
        else:
            note(f"{path}: {message.rstrip('.')}. See {path} --help.")
        return WRONG_CALL
    expected = isinstance(error, ValueError | OSError | ImportError | MemoryError)
    hint = (
        "" if expected or _debug else " This should not happen; --debug shows where it came from."
    )
    note(f"unfis: {sentence(error)}{hint}")
    from unfis.tables.errors import RequestError

    return WRONG_CALL if isinstance(error, RequestError) else CANNOT


def sentence(error: Exception) -> str:
    """What an error says, in one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    text = " ".join(str(error).split())
    return text or f"{type(error).__name__}."


def note(text: str) -> None:
    """Say something beside the result."""
    print(text, file=sys.stderr)


def say(text: str) -> None:
    """Give the result."""
    sys.stdout.write(text.rstrip("\n") + "\n")


def say_json(data: Any) -> None:
    """Give the result to a program."""
    say(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def confirm(text: str) -> None:
    """Say what was done, to a person who watches."""
    if sys.stderr.isatty():
        note(text)


@contextmanager
def working(words: str) -> Iterator[Callable[[int, int], None]]:
    """Show a person who watches that something goes on, and how far it is where that is known."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
