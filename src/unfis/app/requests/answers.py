"""What may be asked of a model: predictions, explanations, how good it is, a report, an export."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from unfis.app.requests.setting import Bounds, NameList, Request, RequestError
from unfis.app.requests.shared import OperatingPoint, TableStyle

ExportKind = Literal["python", "sql", "onnx", "javascript"]


@dataclass(frozen=True, kw_only=True)
class ModelRequest(OperatingPoint):
    """A model, which answers by the costs or the threshold given, else by its own."""

    model: str  # the path of its file


@dataclass(frozen=True, kw_only=True)
class RowDetails(Request):
    """What is told of each row beside the answer."""

    proba: bool = False  # each class's probability
    explain: bool = False  # how it comes about
    coverage: bool = False  # how much of it is like training
    sets: bool = False  # which classes it may be of, or between which numbers it is
    why: bool = False  # why the answer is in doubt
    abstain: bool = False  # that it is not known, in place of an answer in doubt, and why
    confidence: Annotated[float, Bounds(above=0, below=1)] = 0.95  # of sets and doubts


@dataclass(frozen=True, kw_only=True)
class PredictRequest(RowDetails, ModelRequest, TableStyle):
    """The class or the number of each row of a table."""


@dataclass(frozen=True, kw_only=True)
class ExplainRequest(ModelRequest, TableStyle):
    """Why rows of a table got their answers."""

    rows: tuple[int, ...]  # counted from 1


@dataclass(frozen=True, kw_only=True)
class EvaluateRequest(ModelRequest, TableStyle):
    """How good a model is on a table, and whether groups of rows are treated alike."""

    target: str | None = None  # the column of true answers, if not that of the model
    groups: NameList = ()  # columns


@dataclass(frozen=True, kw_only=True)
class ReportRequest(EvaluateRequest):
    """A model and how good it is, as a page."""

    title: str | None = None
    no_rows: bool = False  # leaves out the rows of the table, and single values


@dataclass(frozen=True, kw_only=True)
class ExportRequest(ModelRequest):
    """A model as a program for elsewhere."""

    kind: ExportKind
    sql_table: str = "data"  # what the query reads
    sql_columns: NameList | None = None  # what it gives as well

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sql_columns is not None and self.kind != "sql":
            raise RequestError(f"`sql_columns` is for sql; {self.kind} has no columns of its own.")
