"""Files to write, refused where they cannot be written or would be lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from unfis.app.requests.setting import RequestError
from unfis.serial.files import descriptor_of

PACKED_ENDINGS = (".gz", ".zst", ".lz4", ".bz2", ".xz", ".zip")
STANDARD_INPUT = "-"


def check_output(path: Path, inputs: Sequence[str | Path]) -> None:
    """Raise RequestError where a file cannot be written, or is one of those that are read."""
    if descriptor_of(path) is not None:
        return
    folder = path.parent
    in_place = path.exists() and not path.is_file()  # a pipe or a device
    if path.is_dir() or not (in_place or (folder.is_dir() and os.access(folder, os.W_OK))):
        why = "is a folder" if path.is_dir() else f"needs the folder {folder}, to write in"
        raise RequestError(f"{path} {why}; give another file as `output`.")
    if path.suffix.lower() in PACKED_ENDINGS:
        raise RequestError(
            f"{path} would not be packed as its name says; leave out {path.suffix}, and pack the "
            "file afterwards.",
            "output",
        )
    if path.exists() and any(is_same(path, one) for one in inputs):
        raise RequestError(
            f"{path} is read here, and would be lost; give another file as `output`."
        )


def is_same(path: Path, read: str | Path) -> bool:
    """Whether a file is the one that is read, by whatever name."""
    if str(read) == STANDARD_INPUT:
        with suppress(OSError, ValueError):  # it may be closed, or no file
            return os.path.samestat(path.stat(), os.fstat(sys.stdin.fileno()))
        return False
    return Path(read).exists() and path.samefile(read)
