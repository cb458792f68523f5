"""Products with the curvature of many samples, block by block, without its matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from unfis.arrays import Array
from unfis.learning.model import LinearMap
from unfis.learning.objective import Curvature
from unfis.parallel import in_parts

# Below so many parameters a matrix is soon made and solved.
FEWEST_PARAMETERS = 150
# A solve takes about so many products, each a pass over dZ forward and one back.
USUAL_PASSES = 40
# Numbers that are read and written once each cost as much as so many that a matrix product
# multiplies and adds.
SLOWNESS = 25
# Up to so many numbers what is known of the samples is kept from one product to the next.
MOST_REMEMBERED = 1 << 25


BentBlock = tuple[LinearMap, Curvature]


@dataclass(frozen=True, eq=False)
class CurvatureProducts:
    """dZ' S dZ summed over samples, as a linear map.

    Attributes
    ----------
    bent : dZ and S of the samples in the blocks that start somewhere
    starts : of all blocks
    size : how many numbers the samples are; blocks of many are made again for every product
    """

    bent: Callable[[range], Iterable[BentBlock]]
    starts: range
    size: int
    _kept: dict[range, list[BentBlock]] = field(default_factory=dict)

    def times(self, vector: Array) -> Array:
        """dZ' S dZ v, shape (parameters,)."""

        def part(starts: range) -> Array:
            found = np.zeros_like(vector)
            for near, curvature in self._blocks(starts):
                found += near.sums(curvature.times(near.tangents(vector)))
            return found

        return np.asarray(sum(in_parts(self.starts, part)))

    def matrices(self) -> list[Array]:
        """Blocks of the matrix, shapes (blocks, size, size)."""

        def part(starts: range) -> list[Array]:
            every = (near.blocks(*curvature) for near, curvature in self._blocks(starts))
            return added_up(every)

        return added_up(in_parts(self.starts, part))

    def _blocks(self, starts: range) -> Iterator[BentBlock]:
        """The blocks that start there."""
        if starts in self._kept:
            yield from self._kept[starts]
            return
        if self.size > MOST_REMEMBERED:
            yield from self.bent(starts)
            return
        self._kept[starts] = list(self.bent(starts))
        yield from self._kept[starts]


def added_up(many: Iterable[list[Array]]) -> list[Array]:
    """Lists of arrays, added one by one."""
    found: list[Array] = []
    for arrays in many:
        found = [a + b for a, b in zip(found, arrays, strict=True)] if found else arrays
    return found


def are_cheaper(samples: int, rows_per_sample: int, parameters: int, product_work: int) -> bool:
    """Whether a solve by products costs less than one of the matrix of so many rows.

    `product_work` is how many numbers a product reads and makes for one sample. Of fewer rows than
    parameters the matrix is that of the rows.
    """
    rows = samples * rows_per_sample
    size = min(rows, parameters)
    matrix = rows * parameters * size + size**3 / 3
    return samples * USUAL_PASSES * SLOWNESS * product_work < matrix
