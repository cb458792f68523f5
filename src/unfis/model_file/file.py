"""Files of models: whole or not there, and read with a sentence for whatever is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from unfis.model import FittedModel
from unfis.model_file.network import NETWORK_FORMAT, document_of_network, network_of
from unfis.model_file.reading import model_of
from unfis.model_file.text import (
    ModelFileError,
    checksum,
    document_bytes,
    document_of_bytes,
    first_bytes,
)
from unfis.model_file.writing import document_of
from unfis.network.fitted import FittedNetwork
from unfis.serial.files import write_whole


def write_model(
    path: str | os.PathLike[str],
    model: FittedModel | FittedNetwork,
    *,
    target: str | None = None,
    held_out: Mapping[str, Any] | None = None,
) -> None:
    """Write a model to a file, if it could be read back.

    `target`, the column of the answers, and `held_out`, what was measured on other rows, replace
    those of its origin.
    """
    given: dict[str, Any] = {"target": target, "held_out": held_out}
    given = {name: value for name, value in given.items() if value is not None}
    with sentence(path, "was not written"):
        model = replace(model, origin=replace(model.origin, **given))
        write = document_of_network if isinstance(model, FittedNetwork) else document_of
        content = document_bytes(write(model))  # type: ignore[arg-type]
        model_of_bytes(content)
    write_whole(path, content)


def read_model(path: str | os.PathLike[str]) -> FittedModel:
    """The model of rules of a file that `write_model` wrote, without its training rows."""
    found = read_any_model(path)
    if isinstance(found, FittedNetwork):
        raise ModelFileError(
            f"{os.fspath(path)} has the network of an UNFISNetworkClassifier, and this takes rules "
            "alone. Read it by `load`."
        )
    return found


def read_any_model(path: str | os.PathLike[str]) -> FittedModel | FittedNetwork:
    """The same, or a network."""
    with sentence(path, "cannot be read"):
        return model_of_bytes(first_bytes(path))


def model_of_bytes(content: bytes) -> FittedModel | FittedNetwork:
    """The model of what a file holds; no field of it is believed."""
    document = document_of_bytes(content)
    read = network_of if document.get("format") == NETWORK_FORMAT else model_of
    model: FittedModel | FittedNetwork = read(document)
    if document["checksum"] != checksum(document):
        raise ModelFileError(
            "checksum does not fit the other fields, which were changed after the file was "
            "written. Save the model again."
        )
    return model


@contextmanager
def sentence(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Have whatever is wrong with a file raise ModelFileError that names it."""
    try:
        yield
    except RecursionError:
        raise ModelFileError(f"{os.fspath(path)} {what}: it is nested too deeply.") from None
    except ValueError as error:
        raise ModelFileError(f"{os.fspath(path)} {what}: {error}") from None
