"""A document as the text of a file: one rule a line, the same bytes for the same content."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, NamedTuple

from unfis.serial.messages import quoted


class FileLimits(NamedTuple):
    """What no file goes beyond: its content would only fill the memory."""

    most_bytes: int = 100_000_000
    piece: int = 1 << 20  # bytes that are read at once
    folds: int = 100
    log: float = 700.0  # of an expected count: its exponential is finite


FILE_LIMITS = FileLimits()


class ModelFileError(ValueError):
    """A file is no model file, or a field of it is wrong."""


def checksum(document: dict[str, Any]) -> str:
    """SHA-256 of all fields but the checksum itself, whatever their order and spacing."""
    rest = {name: value for name, value in document.items() if name != "checksum"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def document_bytes(document: dict[str, Any], most: int = FILE_LIMITS.most_bytes) -> bytes:
    """A document with its checksum as a file holds it; each entry of a list of lists on a line."""
    lines = []
    for name, value in document.items():
        text = json_text(name, value)
        if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
            text = "[\n  " + ",\n  ".join(json_text(name, entry) for entry in value) + "\n ]"
        lines.append(f' "{name}": {text}')
    lines.append(f' "checksum": "{checksum(document)}"')
    content = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    if len(content) > most:
        raise ModelFileError(
            f"a model file may have {most:,} bytes, and this one would have {len(content):,}. Fit "
            "with fewer inputs or rules."
        )
    return content


def json_text(name: str, value: Any) -> str:
    """A field or a part of it on one line; letters as they are, unless no file can hold them."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError:  # half of a pair of UTF-16
        return json.dumps(value)
    except ValueError:
        raise ModelFileError(f"{name} has a number that is not finite.") from None
    return text


def first_bytes(path: str | os.PathLike[str], most: int = FILE_LIMITS.most_bytes) -> bytes:
    """What is in a file; it may be a pipe or a device, whose size nobody knows."""
    data = bytearray()
    with open(path, "rb", buffering=0) as file:
        while piece := file.read(min(FILE_LIMITS.piece, most + 1 - len(data))):
            data += piece
    if len(data) > most:
        raise ModelFileError(f"it has more than {most:,} bytes, which no model has.")
    return bytes(data)


def document_of_bytes(data: bytes) -> dict[str, Any]:
    """The fields of a model file, as they are there; ModelFileError if it is not JSON of a dict."""
    try:
        document = json.loads(
            data.decode("utf-8"), object_pairs_hook=without_repeats, parse_constant=refuse_constant
        )
    except UnicodeDecodeError as error:
        raise ModelFileError(f"it is not UTF-8 text (byte {error.start}).") from None
    except json.JSONDecodeError as error:
        position = f"line {error.lineno}, column {error.colno}"
        raise ModelFileError(f"it is not whole JSON: {error.msg} at {position}.") from None
    if not isinstance(document, dict):
        raise ModelFileError(f"it must hold a JSON object; got {type(document).__name__}.")
    return document


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of pairs, none of which hides another."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ModelFileError(f"{quoted(name)} is there twice.")
        found[name] = value
    return found


def refuse_constant(name: str) -> None:
    """NaN and infinity are not JSON."""
    raise ModelFileError(f"{name} is no number.")
