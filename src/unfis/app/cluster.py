"""A model fitted on Parquet files by a Dask cluster, and measured on rows held out there."""

from __future__ import annotations

from typing import Any

from unfis.app.parameters import fit_parameters
from unfis.app.requests import FitRequest
from unfis.app.screen import Screen
from unfis.app.tables.evaluation import measured_on
from unfis.app.tables.fitting import FitReport
from unfis.app.tables.inputs import prepare
from unfis.app.tables.parts import (
    ParquetParts,
    PartReading,
    held_out_answers,
    joined_answers,
    learned_part,
)
from unfis.data import Notation
from unfis.serial.messages import needed


def fit_on_cluster(request: FitRequest, screen: Screen) -> FitReport:
    """A model of all rows but those held out, on which it is then measured."""
    needed("distributed", "`engine` dask needs dask", "dask")
    from dask.delayed import delayed

    from unfis.distributed import DaskUNFISClassifier, cluster_client
    from unfis.distributed.cluster import Cluster

    parts = ParquetParts(request.table, Notation.of(".", request.missing))
    prepared = prepare(parts.looked_at(), request.target, request)
    reading = PartReading.of(parts, prepared, request, request.test_share, request.seed)
    with cluster_client(request.workers, request.scheduler) as client:
        screen.note(f"Dask's dashboard: {client.dashboard_link}")
        given = fit_parameters(request, prepared) | {"categorical_features": prepared.categories}
        model = DaskUNFISClassifier(**given, client=client)
        with screen.learning(f"Learning from {parts.rows:,} rows"):
            model.fit([delayed(learned_part)(part, reading) for part in parts.parts])
        model.model_ = model.model_.with_notation(parts.notation)
        local, measured = model.to_local(), None
        if reading.fraction:
            with Cluster(client) as cluster:
                one = delayed(local)
                asked = [delayed(held_out_answers)(part, reading, one) for part in parts.parts]
                codes, probabilities = joined_answers(cluster.results(cluster.compute(asked)))
            measured = measured_on(local, probabilities, codes) if len(codes) else None
    split: dict[str, Any] = {
        "fraction": reading.fraction,
        "seed": request.seed,
        "table": parts.fingerprint,
    }
    looked_at, target = len(prepared.target.known), prepared.target.name
    note = f"What columns are is told by {looked_at:,} of the rows." * (looked_at < parts.rows)
    return FitReport(local, parts.words, prepared.roles, target, measured, split, note)
