"""Files that are whole or not there: written beside their place, then moved into it."""

from __future__ import annotations

import errno
import io
import os
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any

# A full disk, a quota that is used up, and a bound on the size of files.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
ELSEWHERE = "Make room there, or write to another place"
ELSEWHERE_TEMPORARY = (
    "Make room in this folder of temporary files, or name another one in the environment variable "
    "TMPDIR before the start"
)
# What a process has open already, by other names than a file's.
STANDARD_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})")
# So much of a name is part of its draft's, which must not be too long in any encoding.
LONGEST_NAME = 40


@contextmanager
def replacing(path: str | os.PathLike[str], *, binary: bool = False) -> Iterator[IO[Any]]:
    """A file to write to, which takes the place of `path` at the end, if the end is reached.

    Whatever happens before leaves what was there. Text is UTF-8 with plain line ends. What is no
    file, such as a pipe, a device or standard output by its name, is written to as it is.
    """
    name = os.fspath(path)
    descriptor = descriptor_of(path)
    if descriptor is not None or (os.path.exists(path) and not os.path.isfile(path)):
        with naming(name):
            opened = name if descriptor is None else os.dup(descriptor)
        with writing(opened, name, binary=binary) as file:
            yield file
        return
    target = Path(path).resolve()  # a link stays a link
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    permissions = 0o666 if mode is None else mode
    draft = target.with_name(f".{target.name[:LONGEST_NAME]}.{secrets.token_hex(8)}")
    try:
        # Nobody may look at the draft who may not look at the file.
        with writing(os.fspath(draft), name, permissions, binary=binary) as file:
            yield file
            file.flush()
            with naming(name):
                os.fsync(file.fileno())
        if mode is not None:
            os.chmod(draft, mode)
        os.replace(draft, target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file at once."""
    with replacing(path, binary=isinstance(content, bytes)) as file:
        file.write(content)


def descriptor_of(path: str | os.PathLike[str]) -> int | None:
    """The number of what is open already, of names such as /dev/stdout; None of other names."""
    name = Path(path).as_posix()
    found = DESCRIPTOR.fullmatch(name)
    return int(found[1]) if found else STANDARD_STREAMS.get(name)


class NamedFile(io.FileIO):
    """A file to write to whose errors name it."""

    def __init__(self, file: str | int, name: str, permissions: int | None) -> None:
        self._name = name
        with naming(name):
            if permissions is None:
                super().__init__(file, "w")
            else:  # a new one: what the user masks of these the system takes away
                super().__init__(file, "x", opener=lambda f, how: os.open(f, how, permissions))

    def write(self, data: Any, /) -> int:
        with naming(self._name):
            return super().write(data)


def writing(file: str | int, name: str, permissions: int | None = None, *, binary: bool) -> IO[Any]:
    """What writes to a file or descriptor; with permissions, to a file that was not there."""
    buffered = io.BufferedWriter(NamedFile(file, name, permissions))
    return buffered if binary else io.TextIOWrapper(buffered, encoding="utf-8", newline="\n")


@contextmanager
def naming(path: str, advice: str = ELSEWHERE) -> Iterator[None]:
    """Have errors of the system name what was written to, and say what to do if it is full."""
    try:
        yield
    except OSError as error:
        words = error.strerror or str(error)
        if error.errno in NO_ROOM:
            words = f"{words}. {advice}"
        raise OSError(error.errno, words, path) from error


def naming_temporary() -> AbstractContextManager[None]:
    """The same of what is written to temporary files."""
    return naming(tempfile.gettempdir(), ELSEWHERE_TEMPORARY)


def temporary_file() -> Any:
    """A temporary file without a name, or a buffer: what does not fit is known at once."""
    return tempfile.TemporaryFile(prefix="unfis-", buffering=0)


def write_temporary(file: Any, data: memoryview | bytes) -> None:
    """Write all of some bytes to such a file."""
    left = memoryview(data)
    with naming_temporary():
        while left:
            left = left[file.write(left) :]
