"""SODA, self-organised direction-aware partitioning: clouds by distance and by angle.

X. Gu, P. Angelov, D. Kangin, J. Principe, "Self-organised direction aware data partitioning
algorithm", Information Sciences 423 (2018). Certain: both forms, which the authors' program has
too. The program's density is not the paper's, but its reciprocal with one distance taken twice;
here it is the paper's. Chosen: inputs of weight w_j are multiplied by sqrt(w_j), so that distances
and angles shrink along those that count little; row by row, a cell becomes a cloud when it holds
two rows and is the densest around, and of too many cells the smallest goes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import distance

from unfis.arrays import Array, Mask
from unfis.ties import first_greatest, first_least, ranked
from unfis_paper.compared.adpa import CloudChange, means_of

MOST_GRID_CELLS = 1000
SMALLEST_STEP = 1e-12


def unit_directions(X: Array) -> Array:
    """x / |x|, and 0 of 0."""
    lengths = np.linalg.norm(X, axis=-1, keepdims=True)
    return np.asarray(X / np.where(lengths > 0, lengths, 1.0))


class DirectionAwareClouds:
    """Cells of a grid of distances and angles, and the clouds around the densest of them."""

    def __init__(self, inputs: int, grid_size: float, most: int | None = None) -> None:
        self.grid_size, self.most = grid_size, most
        self.rows = 0
        self.mean, self.mean_squares = np.zeros(inputs), np.zeros(inputs)
        self.mean_direction = np.zeros(inputs)
        self.cells, self.cell_sizes = np.zeros((0, inputs)), np.zeros(0)
        self.cell_clouds = np.zeros(0, dtype=int)  # the cloud that a cell began, -1 if none
        self.centres, self.sizes = np.zeros((0, inputs)), np.zeros(0)

    @classmethod
    def from_rows(
        cls, X: Array, weights: Array, grid_size: float, most: int | None = None
    ) -> DirectionAwareClouds:
        """Cells and clouds of all rows at once."""
        made = cls(X.shape[1], grid_size, most)
        roots = np.sqrt(weights)
        scaled = X * roots
        made.rows, made.mean = len(X), X.mean(axis=0)
        made.mean_squares = (X**2).mean(axis=0)
        made.mean_direction = unit_directions(scaled).mean(axis=0)
        steps = made.steps(weights)
        points, repeats = np.unique(scaled, axis=0, return_counts=True)
        counts = repeats.astype(float)
        densities = joint_densities(points, counts)
        owners, cells = grid_cells(points, counts, densities, steps)
        cell_densities = np.bincount(owners, densities, len(cells)).astype(float)
        peaks = peaks_of(cells, cell_densities, steps)
        places = first_least(sum_of_distances(scaled, cells[peaks], steps))
        means, sizes = means_of(X, places, len(peaks))
        made.centres, made.sizes = means[sizes > 0], sizes[sizes > 0]
        made._keep_cells(X, scaled, cells, peaks[sizes > 0], steps)
        return made

    def _keep_cells(
        self, X: Array, scaled: Array, cells: Array, peaks: NDArray[np.intp], steps: Array
    ) -> None:
        """The cells in the units of the rows, with the clouds that they began."""
        places = first_least(sum_of_distances(scaled, cells, steps))
        means, sizes = means_of(X, places, len(cells))
        clouds = np.full(len(cells), -1)
        clouds[peaks] = np.arange(len(peaks))
        held = (sizes > 0) | (clouds >= 0)
        # A cell whose rows are all nearer to others still stands where its cloud is.
        empty = held & (sizes == 0)
        means[empty], sizes[empty] = self.centres[clouds[empty]], 1.0
        self.cells, self.cell_sizes, self.cell_clouds = means[held], sizes[held], clouds[held]

    @property
    def radius(self) -> float:
        """Half of the root mean square distance of two rows; 1 of a point."""
        square = 2 * float((self.mean_squares - self.mean**2).clip(min=0).sum())
        size = 1 + np.sqrt(self.mean_squares.sum())
        return float(np.sqrt(square) / 2) if square > (1e-12 * size) ** 2 else 1.0

    def steps(self, weights: Array) -> Array:
        """The grid's steps of distance and of angle, dM* and dA*."""
        square = 2 * float(weights @ (self.mean_squares - self.mean**2).clip(min=0))
        turned = 1 - float(self.mean_direction @ self.mean_direction)
        steps = np.sqrt([max(square, 0.0), max(turned, 0.0)]) / self.grid_size
        return np.asarray(np.maximum(steps, SMALLEST_STEP))

    def add(self, x: Array, weights: Array) -> CloudChange:
        """One more row: whether it opened a cloud, the last, and those that went before."""
        roots = np.sqrt(weights)
        self.rows += 1
        self.mean += (x - self.mean) / self.rows
        self.mean_squares += (x**2 - self.mean_squares) / self.rows
        self.mean_direction += (unit_directions(x * roots) - self.mean_direction) / self.rows
        steps = self.steps(weights)
        cell = self._place(x, roots, steps)
        cell, removed = self._merge(cell, roots, steps)
        opened = self._peaks(cell, roots, steps)
        if opened:
            removed += self._make_room()
            self.cell_clouds[cell] = len(self.centres)
            self.centres = np.vstack([self.centres, self.cells[cell]])
            self.sizes = np.append(self.sizes, self.cell_sizes[cell])
        elif len(self.centres):
            apart = sum_of_distances((x * roots)[None], self.centres * roots, steps)
            nearest = int(first_least(apart[0]))
            self.sizes[nearest] += 1
            self.centres[nearest] += (x - self.centres[nearest]) / self.sizes[nearest]
        return CloudChange(opened, removed)

    def _place(self, x: Array, roots: Array, steps: Array) -> int:
        """The cell that a row goes into, a new one if it is too far from each."""
        if len(self.cells):
            apart = both_distances((x * roots)[None], self.cells * roots)[:, 0]
            fits = (apart < steps[:, None]).all(axis=0)
            if fits.any():
                cell = int(first_least(np.where(fits, apart.sum(axis=0), np.inf)))
                self.cell_sizes[cell] += 1
                self.cells[cell] += (x - self.cells[cell]) / self.cell_sizes[cell]
                return cell
        if len(self.cells) >= MOST_GRID_CELLS:
            free = np.where(self.cell_clouds < 0, self.cell_sizes, np.inf)
            self._drop_cell(int(free.argmin()))
        self.cells = np.vstack([self.cells, x])
        self.cell_sizes = np.append(self.cell_sizes, 1.0)
        self.cell_clouds = np.append(self.cell_clouds, -1)
        return len(self.cells) - 1

    def _merge(self, cell: int, roots: Array, steps: Array) -> tuple[int, list[int]]:
        """Put a cell that has come close into this one; its place, and the cloud that went."""
        apart = both_distances((self.cells[cell] * roots)[None], self.cells * roots)[:, 0]
        close: Mask = np.all(apart < steps[:, None] / 2, axis=0)
        close[cell] = False
        if not close.any():
            return cell, []
        other = int(first_least(np.where(close, apart.sum(axis=0), np.inf)))
        pair = [cell, other]
        self.cells[cell] = np.average(self.cells[pair], axis=0, weights=self.cell_sizes[pair])
        self.cell_sizes[cell] += self.cell_sizes[other]
        removed = []
        if self.cell_clouds[other] >= 0 and self.cell_clouds[cell] >= 0:
            removed = [int(self.cell_clouds[other])]
            self._join_clouds(int(self.cell_clouds[cell]), removed[0])
        elif self.cell_clouds[other] >= 0:
            self.cell_clouds[cell] = self.cell_clouds[other]
        self._drop_cell(other)
        return cell - (other < cell), removed

    def _join_clouds(self, kept: int, other: int) -> None:
        """Two clouds become the first one."""
        pair = [kept, other]
        self.centres[kept] = np.average(self.centres[pair], axis=0, weights=self.sizes[pair])
        self.sizes[kept] += self.sizes[other]
        self._drop_cloud(other)

    def _peaks(self, cell: int, roots: Array, steps: Array) -> bool:
        """Whether a cell begins a cloud: none yet, rows enough, and the densest around."""
        if self.cell_clouds[cell] >= 0:
            return False
        if not len(self.centres):
            return True
        if self.cell_sizes[cell] < 2:
            return False
        scaled = self.cells * roots
        apart = both_distances(scaled[cell][None], scaled)[:, 0]
        around = (apart < 2 * steps[:, None]).all(axis=0)
        densities = joint_densities(scaled, self.cell_sizes)
        return bool(densities[cell] >= densities[around].max())

    def _make_room(self) -> list[int]:
        """The smallest cloud goes where there would be too many."""
        if self.most is None or len(self.centres) < self.most:
            return []
        smallest = int(self.sizes.argmin())
        self._drop_cloud(smallest)
        return [smallest]

    def _drop_cloud(self, cloud: int) -> None:
        self.centres = np.delete(self.centres, cloud, axis=0)
        self.sizes = np.delete(self.sizes, cloud)
        self.cell_clouds[self.cell_clouds == cloud] = -1
        self.cell_clouds[self.cell_clouds > cloud] -= 1

    def _drop_cell(self, cell: int) -> None:
        self.cells = np.delete(self.cells, cell, axis=0)
        self.cell_sizes = np.delete(self.cell_sizes, cell)
        self.cell_clouds = np.delete(self.cell_clouds, cell)


def both_distances(X: Array, others: Array) -> Array:
    """dM and dA = sqrt(1 - cos) of each row to each other, shape (2, rows, others)."""
    # |u - v|^2 / 2 = 1 - cos of directions, without the rounding of 1 - cos.
    turned = distance.cdist(unit_directions(X), unit_directions(others)) / np.sqrt(2)
    return np.stack([distance.cdist(X, others), turned])


def sum_of_distances(X: Array, others: Array, steps: Array) -> Array:
    """dM / dM* + dA / dA*, shape (rows, others)."""
    return np.asarray((both_distances(X, others) / steps[:, None, None]).sum(axis=0))


def joint_densities(points: Array, counts: Array) -> Array:
    """D = f (sum piM / (2 K piM) + sum piA / (2 K piA)), of points with their counts."""
    return sum(
        (counts * inverse_proximities(part, counts) for part in (points, unit_directions(points))),
        start=np.zeros(len(points)),
    )


def inverse_proximities(points: Array, counts: Array) -> Array:
    """Sum pi / (2 K pi) with pi = |x - mu|^2 + mean |x|^2 - |mu|^2; 1 where all are one point."""
    total = counts.sum()
    mean = counts @ points / total
    apart = ((points - mean) ** 2).sum(axis=1)
    proximities = apart + counts @ apart / total
    if not (proximities > 0).all():
        return np.ones(len(points))
    return np.asarray(counts @ proximities / (2 * total * proximities))


def grid_cells(
    points: Array, counts: Array, densities: Array, steps: Array
) -> tuple[NDArray[np.intp], Array]:
    """The cell of each point and the cells' means, points taken in order of falling density."""
    owners = np.zeros(len(points), dtype=int)
    means, sizes, count = np.zeros_like(points), np.zeros(len(points)), 0
    for i in ranked(-densities):
        apart = both_distances(points[i][None], means[:count])[:, 0]
        fits = (apart < steps[:, None]).all(axis=0)
        if fits.any():
            relative = (apart / steps[:, None]).sum(axis=0)
            cell = int(first_least(np.where(fits, relative, np.inf)))
        else:
            cell, count = count, count + 1
        owners[i] = cell
        sizes[cell] += counts[i]
        means[cell] += (points[i] - means[cell]) * counts[i] / sizes[cell]
    return owners, means[:count]


def peaks_of(cells: Array, densities: Array, steps: Array) -> NDArray[np.intp]:
    """Which cells are the densest of those nearer than two steps, the first of equals."""
    around: Mask = np.all(both_distances(cells, cells) < 2 * steps[:, None, None], axis=0)
    np.fill_diagonal(around, True)
    densest = first_greatest(np.where(around, densities, -np.inf))
    return np.flatnonzero(densest == np.arange(len(cells)))
