"""A document as the text of a file: the same bytes for the same content, and a checksum of it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from unfis.serial.files import write_whole
from unfis.serial.messages import quoted

# No model is written that is longer than this; a longer file would only fill the memory.
MOST_BYTES = 500_000_000
PIECE_BYTES = 1 << 20
# A list of plain values, as an indented dump breaks it into lines. No text holds a line end.
BROKEN_LIST = re.compile(r"\[\n\s+([^\[\]{}]*?)\n\s+\]")


class ModelFileError(ValueError):
    """A file is no model file, or a field of it is wrong."""


@contextmanager
def unless_readable(failed: str) -> Iterator[None]:
    """Have settings that no fit could have had raise ModelFileError, which says what failed."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"{failed}: settings: {error}") from None


def document_checksum(document: dict[str, Any]) -> str:
    """SHA-256 of all fields but the checksum itself, whatever their order and spacing."""
    rest = {name: value for name, value in document.items() if name != "checksum"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def write_document(path: str | os.PathLike[str], document: dict[str, Any]) -> None:
    """Write a document with its checksum; a crash leaves what was there."""
    complete = {**document, "checksum": document_checksum(document)}
    lines = json.dumps(complete, indent=1, allow_nan=False)
    joined = BROKEN_LIST.sub(lambda found: "[" + re.sub(r"\n\s+", " ", found[1]) + "]", lines)
    if len(joined) >= MOST_BYTES:  # all of it is ASCII
        raise ModelFileError(
            f"{os.fspath(path)} was not written: a model file may have {MOST_BYTES:,} bytes, and "
            f"this one would have {len(joined):,}. Fit with fewer inputs or rules."
        )
    write_whole(path, joined + "\n")


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The fields of a model file, as they are there; ModelFileError if it is not JSON of a dict."""
    name = os.fspath(path)
    data = first_bytes(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ModelFileError(f"{name} has more than {MOST_BYTES:,} bytes, which no model has.")
    try:
        document = json.loads(
            data.decode("utf-8"), object_pairs_hook=without_repeats, parse_constant=refuse_constant
        )
    except RecursionError:
        raise ModelFileError(f"{name} is nested too deeply for a model file.") from None
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{name} is not UTF-8 text (byte {error.start}).") from None
    except json.JSONDecodeError as error:
        position = f"line {error.lineno}, column {error.colno}"
        raise ModelFileError(f"{name} is not whole JSON: {error.msg} at {position}.") from None
    except ValueError as error:
        raise ModelFileError(f"{name} is not JSON of a model: {error}") from None
    if not isinstance(document, dict):
        raise ModelFileError(f"{name} must hold a JSON object, got {type(document).__name__}.")
    return document


def first_bytes(path: str | os.PathLike[str], most: int) -> bytearray:
    """What a file begins with; it may be a pipe or a device, whose size nobody knows."""
    data = bytearray()
    with open(path, "rb", buffering=0) as file:
        while piece := file.read(min(PIECE_BYTES, most - len(data))):
            data += piece
    return data


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of pairs, none of which hides another."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ModelFileError(f"{quoted(twice)} is there twice.")
    return found


def refuse_constant(name: str) -> None:
    """NaN and infinity are not JSON."""
    raise ModelFileError(f"{name} is no number.")
