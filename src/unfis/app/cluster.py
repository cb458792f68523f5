"""A model fitted on Parquet files by a Dask cluster, and measured on rows held out there."""

from __future__ import annotations

from typing import Any

from unfis.app.given import GivenRules
from unfis.app.parameters import fit_parameters
from unfis.app.requests import FitRequest
from unfis.app.screen import Screen
from unfis.app.tables.evaluation import measured
from unfis.app.tables.fitting import FitReport, with_notation
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

    from unfis.additive.distributed import (
        DaskUNFISClassifier,
        DaskUNFISRegressor,
        cluster_client,
    )
    from unfis.distributed.cluster import Cluster

    parts = ParquetParts(request.table, Notation.of(".", request.missing))
    prepared = prepare(parts.looked_at(), request.target, request, request.task)
    given = GivenRules(request.given_rules, prepared).rules if request.given_rules else None
    parameters = fit_parameters(request, prepared, given)
    threshold = parameters.pop("threshold", None)
    reading = PartReading.of(parts, prepared, request, request.test_share, request.seed)
    kind = DaskUNFISRegressor if prepared.target.is_number else DaskUNFISClassifier
    with cluster_client(request.workers, request.scheduler) as client:
        screen.note(f"Dask's dashboard: {client.dashboard_link}")
        model = kind(**parameters, categorical_features=prepared.categories, client=client)
        with screen.learning(f"Learning from {parts.rows:,} rows"):
            model.fit([delayed(learned_part)(part, reading) for part in parts.parts])
        local, answers = with_notation(model.to_local(), parts.notation), None
        if threshold is not None:
            local = local.with_decision(threshold=threshold)
        if reading.fraction:
            with Cluster(client) as cluster:
                one = delayed(local)
                asked = [delayed(held_out_answers)(part, reading, one) for part in parts.parts]
                answers = joined_answers(cluster.results(cluster.compute(asked)))
    split: dict[str, Any] = {
        "fraction": reading.fraction,
        "seed": request.seed,
        "table": parts.fingerprint,
    }
    looked_at, target = len(prepared.target.known), prepared.target.name
    note = f"What columns are is known from {looked_at:,} of the rows." * (looked_at < parts.rows)
    found = measured(local, *answers) if answers else None
    return FitReport(local, parts.words, prepared.roles, target, found, split, note)
