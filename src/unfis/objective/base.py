"""What the search asks of an objective; several walks, which are other weights, at once."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from unfis.arrays import Array


class Evaluation(NamedTuple):
    """An objective and its derivatives by the outputs z, row by row.

    The curvature of a row is weight * (diag(own) - shared shared').
    """

    losses: Array  # of each row, not weighted, (walks, rows)
    gradient: Array  # of minus the loss, weighted, (walks, outputs, rows)
    curvature: Array  # its diagonal, weighted, (walks, outputs, rows)
    shared: Array | None  # (walks, outputs, rows); None of one output

    def of_walk(self, walk: int) -> Evaluation:
        """That of one walk."""
        one = slice(walk, walk + 1)
        shared = None if self.shared is None else self.shared[one]
        return Evaluation(self.losses[one], self.gradient[one], self.curvature[one], shared)


class Objective(Protocol):
    """The loss of one task."""

    outputs: int
    link: str  # from outputs to predictions, a name in rules.link.LINKS

    def units(self, targets: Array, weights: Array) -> tuple[float, float]:
        """What is taken from targets, and by what they are then divided, before the search."""

    def start(self, targets: Array, weights: Array) -> Array:
        """The best constant outputs, (walks, outputs), given weights (walks, rows)."""

    def evaluate(self, z: Array, targets: Array, weights: Array) -> Evaluation:
        """The loss at outputs z, (walks, outputs, rows), of targets (rows,)."""

    def dispersion(self, losses: Array, weights: Array, parameters: int) -> Array:
        """The unit that gains are counted in, (walks,): 1 where the loss is in nats."""
