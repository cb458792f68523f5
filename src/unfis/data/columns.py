"""What a model knows of its table: the columns, how they are read, and the classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.encoder import Input, TableEncoder
from unfis.data.notation import Notation
from unfis.data.samples import Samples
from unfis.data.training_sample import TrainingSample


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table that a model was learned from.

    Attributes
    ----------
    names : the columns' names as they were given, None of a table without
    inputs : each column's kind, categories and scale
    classes : labels in order, (classes,)
    notation : how text is read
    """

    names: tuple[Any, ...] | None
    inputs: tuple[Input, ...]
    classes: NDArray[Any]
    notation: Notation = field(default_factory=Notation)

    @cached_property
    def encoder(self) -> TableEncoder:
        """What turns values into the network's matrix."""
        return TableEncoder(self.inputs)

    def values(self, table: Any, unseen: str = "missing") -> Array:
        """The values of a table with these columns, shape (rows, inputs).

        `unseen` says what a category is that training did not see: "missing" or an "error".
        """
        return self.encoder.reader.values(table, unseen, self.notation)

    def matrix(self, values: Array) -> Array:
        """The network's matrix of values, or of many what acts as one by its rows."""
        return self.encoder.rows(values)

    def samples(
        self, read: TrainingSample, encode: Callable[[NDArray[np.intp], int], Array]
    ) -> Samples:
        """Rows that were read, as the network sees them, with the weights they were given."""
        targets = encode(read.codes, len(self.classes))
        return Samples(self.matrix(read.values), targets, read.weights)

    def starts(self) -> list[int]:
        """The first column of each input."""
        return [item.columns.start for item in self.inputs]

    def knows(self, labels: Any) -> bool:
        """Whether all labels are among the classes."""
        return bool(np.isin(np.asarray(labels), self.classes).all())
