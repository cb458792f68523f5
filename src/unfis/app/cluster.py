"""A model fitted on Parquet files by a Dask cluster, and measured on rows held out there."""

from __future__ import annotations

from typing import Any

from dask.delayed import delayed

from unfis.app.tables.evaluation import measured_on
from unfis.app.tables.fitting import FitReport, check_fraction
from unfis.app.tables.inputs import PreparedTable
from unfis.app.tables.parts import (
    ParquetParts,
    PartReading,
    held_out_answers,
    joined_answers,
    learned_part,
)
from unfis.app.tables.roles import ColumnOptions
from unfis.distributed import DaskUNFISClassifier
from unfis.distributed.cluster import Cluster


def fit_parts(
    model: DaskUNFISClassifier,
    parts: ParquetParts,
    prepared: PreparedTable,
    options: ColumnOptions,
    fraction: float,
    seed: int,
) -> FitReport:
    """Fit a model on all rows but those held out, on which it is then measured."""
    check_fraction(fraction)
    reading = PartReading.of(parts, prepared, options, fraction, seed)
    model.set_params(categorical_features=prepared.categories)
    model.fit([delayed(learned_part)(part, reading) for part in parts.parts])
    model.model_ = model.model_.with_notation(parts.notation)
    local, measured = model.to_local(), None
    if reading.fraction:
        with Cluster(model.client) as cluster:
            one = delayed(local)
            asked = [delayed(held_out_answers)(part, reading, one) for part in parts.parts]
            codes, probabilities = joined_answers(cluster.results(cluster.compute(asked)))
        measured = measured_on(local, probabilities, codes) if len(codes) else None
    split: dict[str, Any] = {"fraction": reading.fraction, "seed": seed, "table": parts.fingerprint}
    looked_at, target = len(prepared.target.known), prepared.target.name
    note = f"What columns are is told by {looked_at:,} of the rows." * (looked_at < parts.rows)
    return FitReport(local, parts.words, prepared.roles, target, measured, split, note)
