"""Files that are whole or not there: written beside their place, then moved into it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


@contextmanager
def replacing(path: str | os.PathLike[str], *, binary: bool = False) -> Iterator[IO[Any]]:
    """A file to write to, which takes the place of `path` at the end, if the end is reached.

    Whatever happens before leaves what was there. Text is UTF-8 with plain line ends. What is no
    file, such as a pipe or a device, is written to as it is.
    """
    place = Path(path).resolve()  # a link stays a link
    options: dict[str, Any] = {} if binary else {"encoding": "utf-8", "newline": "\n"}
    if place.exists() and not place.is_file():
        with open(path, "wb" if binary else "w", **options) as file:
            yield file
        return
    mode = place.stat().st_mode & 0o777 if place.exists() else 0o666 & ~current_umask()
    handle, draft = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:100]}.")
    try:
        with open(handle, "wb" if binary else "w", **options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, mode)
        os.replace(draft, place)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def current_umask() -> int:
    """The permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file at once."""
    with replacing(path, binary=isinstance(content, bytes)) as file:
        file.write(content)
