"""Where unfis fit learns: from a table in memory, or from files on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from unfis.app.cli.running import learning, note, working
from unfis.serial.messages import needed

if TYPE_CHECKING:
    from unfis.app.tables import ColumnOptions
    from unfis.app.tables.fitting import FitReport
    from unfis.app.tables.inputs import PreparedTable


def fitted_here(
    path: str,
    how: dict[str, Any],
    target: str,
    columns: ColumnOptions,
    settings: Callable[[PreparedTable], dict[str, Any]],
    split: tuple[float, int],
) -> FitReport:
    """A model of a table in memory."""
    from unfis import UNFISClassifier
    from unfis.app.tables import prepare, read_table
    from unfis.app.tables.fitting import fit_table

    with working("Reading") as progress:
        read = read_table(path, **how, progress=progress)
    prepared = prepare(read, target, columns)
    model = UNFISClassifier(**settings(prepared))
    with learning(f"Learning from {len(prepared.y):,} rows"):
        return fit_table(model, read, prepared, *split).report


def fitted_on_cluster(
    pattern: str,
    missing: Any,
    target: str,
    columns: ColumnOptions,
    settings: Callable[[PreparedTable], dict[str, Any]],
    split: tuple[float, int],
    cluster: tuple[str | None, int | None],
) -> FitReport:
    """A model of Parquet files that a Dask cluster reads, or one that is started here for it."""
    needed("distributed", "--engine dask needs dask", "dask")
    from unfis.app.cluster import fit_parts
    from unfis.app.tables.parts import ParquetParts, prepared_head
    from unfis.data import Notation
    from unfis.distributed import DaskUNFISClassifier, cluster_client

    scheduler, workers = cluster
    parts = ParquetParts(pattern, Notation.of(".", missing))
    prepared = prepared_head(parts, target, columns)
    with cluster_client(workers, scheduler) as client:
        note(f"Dask's dashboard: {client.dashboard_link}")
        model = DaskUNFISClassifier(**settings(prepared), client=client)
        with learning(f"Learning from {parts.rows:,} rows"):
            return fit_parts(model, parts, prepared, columns, *split)
