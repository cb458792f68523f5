"""A training that was interrupted goes on: where it was after its last iteration, in a file."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from unfis.arrays import Array
from unfis.serial.files import write_whole


class Checkpoint:
    """The parameters and the learner's state after each iteration, whole or not there.

    The learner says what of its state is kept by `snapshot`, and makes it again by `restored`.

    Parameters
    ----------
    path : of the file
    fit : what tells this fit from others, in a few words; a file of another one is refused
    """

    def __init__(self, path: str | os.PathLike[str], fit: str) -> None:
        self._path, self._fit = Path(path), fit

    def resumed(self, learner: Any, start: Array, state: Any) -> tuple[Array, Any]:
        """Where the training goes on: where it was, or at its start where nothing is kept.

        Nor is anything where other parameters were learned: then it had not come so far.
        """
        if not self._path.exists():
            return start, state
        kept = self._read()
        vector = kept.pop("vector")
        if vector.shape != start.shape:
            return start, state
        return vector, learner.restored(state, kept)

    def save(self, learner: Any, vector: Array, state: Any) -> None:
        """Keep where the training is."""
        content = io.BytesIO()
        np.savez(content, fit=self._fit, vector=vector, **learner.snapshot(state))
        write_whole(self._path, content.getvalue())

    def _read(self) -> dict[str, Array]:
        try:
            content = io.BytesIO(self._path.read_bytes())
            with np.load(content, allow_pickle=False) as file:
                kept = {name: file[name] for name in file.files}
            fit = str(kept.pop("fit"))
            kept["vector"] = np.asarray(kept["vector"], dtype=np.float64)
        except (KeyError, ValueError, EOFError, BadZipFile) as error:
            raise ValueError(
                f"{self._path} is no checkpoint of a fit, or is damaged. Remove it to begin anew, "
                "or give another path as checkpoint."
            ) from error
        if fit != self._fit:
            raise ValueError(
                f"{self._path} is the checkpoint of a fit of other rows, or with other "
                "parameters. Give what it was begun with, remove it to begin anew, or give another "
                "path as checkpoint."
            )
        return kept
