"""What may be said of a fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Annotated, Literal

from unfis.app.requests.setting import Bounds, NameList, Request, RequestError
from unfis.app.requests.shared import OperatingPoint, TableStyle
from unfis.serial.messages import quoted

LARGEST_SEED = 2**32 - 1
TargetTask = Literal["auto", "classes", "number", "counts"]


@dataclass(frozen=True, kw_only=True)
class ColumnOptions(Request):
    """How columns are to be used, each by name."""

    drop: NameList = ()
    keep: NameList = ()  # those that would be left out
    categorical: NameList = ()
    weight: str | None = None  # how much each row counts

    def __post_init__(self) -> None:
        super().__post_init__()
        for other in ("keep", "categorical"):
            check_apart("drop", self.drop, other, getattr(self, other))


@dataclass(frozen=True, kw_only=True)
class ExpertOptions(Request):
    """What an expert knows of columns, each by name."""

    # Those of which more never makes a class less probable, or the number lower.
    increasing: NameList = ()
    decreasing: NameList = ()
    about: str | None = None  # the class that these are about, else the second

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.about is not None and not self.directed:
            raise RequestError(
                "`about` says what `increasing` or `decreasing` is about; give one too."
            )
        check_apart("increasing", self.increasing, "decreasing", self.decreasing)

    @property
    def directed(self) -> list[str]:
        """Which of the two settings of directions are given."""
        return [name for name in ("increasing", "decreasing") if getattr(self, name)]


@dataclass(frozen=True, kw_only=True)
class FitRequest(ColumnOptions, ExpertOptions, OperatingPoint, TableStyle):
    """A model to fit on a table, and to measure on rows held out."""

    target: str
    task: TargetTask = "auto"  # what the target is
    rules: Annotated[int | None, Bounds(least=1)] = None  # the most
    max_conditions: Annotated[int, Bounds(least=1, most=3)] = 2
    points: Literal["whole", "exact"] = "whole"
    test_share: Annotated[float, Bounds(least=0, below=1)] = 0.3
    seed: Annotated[int, Bounds(least=0, most=LARGEST_SEED)] = 0
    class_weight: Mapping[str, float] | Literal["balanced"] | None = None
    given_rules: str | None = None  # rules written by hand, a line each
    engine: Literal["local", "dask"] = "local"
    scheduler: str | None = None  # the address of a cluster that runs
    workers: Annotated[int | None, Bounds(least=1)] = None  # of one that is started here
    time_limit: Annotated[float | None, Bounds(above=0)] = None  # seconds

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.class_weight, Mapping):
            for weight in self.class_weight.values():
                if not 0 < weight < inf:
                    raise RequestError(
                        f"`class_weight` must be a finite number above 0, got {weight:g}."
                    )
        for name in ("scheduler", "workers"):
            if getattr(self, name) is not None and self.engine == "local":
                raise RequestError(f"`{name}` is for `engine` dask; give that as well.")
        if self.scheduler is not None and self.workers is not None:
            raise RequestError(
                "`workers` are those of a cluster that is started here, and `scheduler` has its "
                "own; give one of them."
            )


def check_apart(one: str, names: NameList, other: str, others: NameList) -> None:
    """Raise RequestError for a column that is in both of two settings."""
    for name in names:
        if name in others:
            raise RequestError(
                f"{quoted(name)} is in `{one}` and in `{other}`; only one can be meant."
            )
