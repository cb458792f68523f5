"""FittedNetwork: everything a fit of a network has learned, as a value that nothing changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, softmax
from unfis.data.columns import TableColumns
from unfis.data.origin import Origin
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Prior
from unfis.network.forward import network_logits
from unfis.network.parameters import Parameters
from unfis.network.prior import start_prior, trainable
from unfis.network.table_rules import NetworkRules
from unfis.network.trainable import Trainable

# What the history has of each iteration.
HISTORY = ("loss", "step", "damping", "seconds")
# The estimator's parameters that shape a network: what goes on learning keeps them.
SHAPING = ("n_rules", "max_rules", "selection", "consequents", "scale", "categorical_features")


@dataclass(frozen=True)
class Memory:
    """What a training leaves behind for the next batch of a stream."""

    weight: float = 0.0  # of all samples so far
    prior: Prior | None = None  # where training ended and how firmly; None is that of the start
    learner: str = ""  # the kind of learner whose state this is
    state: Any = None  # of a learner that goes on by its state, not by the prior


@dataclass(frozen=True, eq=False)
class FittedNetwork:
    """What a fit has learned. Going on with it makes another one."""

    settings: Mapping[str, Any]  # the parameters of the estimator
    columns: TableColumns  # the table's columns, how they are read, and the classes
    parameters: Parameters  # in the units of the network
    start: Parameters  # where the prior holds the fuzzy sets
    choices: Mapping[str, Any]  # what was chosen on the training rows
    ends: Array  # least and greatest value of each input in training, NaN for none, (2, inputs)
    origin: Origin  # its rows, and the versions it was learned with
    memory: Memory = field(default_factory=Memory)
    history: Mapping[str, list[float]] = field(default_factory=dict)  # of each iteration, by name
    n_iter: int = 0
    converged: bool = False

    @property
    def classes(self) -> NDArray[Any]:
        """The labels of the classes, in order, (classes,)."""
        return self.columns.classes

    @property
    def rules(self) -> NetworkRules:
        """The rules as the paper writes them, in the table's units."""
        columns = self.columns
        return NetworkRules.of(self.parameters, columns.inputs, columns.classes.tolist(), self.ends)

    @property
    def selected(self) -> Mask:
        """Which inputs are not out of which rules, (rules, inputs)."""
        return np.asarray(self.parameters.selection.inside[:, self.columns.starts()])

    @property
    def trainable(self) -> Trainable:
        """The network with what may be learned of it."""
        settings = self.settings
        return trainable(
            CrossEntropy(), self.parameters, settings["selection"], settings["consequents"]
        )

    def prior(self, network: Trainable) -> Prior:
        """The prior around the start, as firm as was set or chosen."""
        ridge = self.settings["ridge"]
        ridge = self.choices["ridge"] if isinstance(ridge, str) else float(ridge)
        return start_prior(network, self.start, ridge, self.settings["consequents"])

    def logits(self, values: Array) -> Array:
        """z of rows of values, (rows, classes)."""
        return network_logits(self.parameters, self.columns.matrix(values))

    def probabilities(self, values: Array) -> Array:
        """The probability of each class for rows of values, (rows, classes)."""
        return softmax(self.logits(values))

    def check_shape(self, settings: Mapping[str, Any]) -> None:
        """Raise ValueError for settings of another network, which cannot go on with this one."""
        for name in SHAPING:
            then, now = self.settings[name], settings[name]
            if not np.array_equal(np.asarray(now, dtype=object), np.asarray(then, dtype=object)):
                raise ValueError(
                    f"{name} was {then!r} when learning began and is {now!r} now. What goes on "
                    "learning keeps its network: set it back, or fit anew."
                )
