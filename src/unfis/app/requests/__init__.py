"""What people ask for, as plain data that any front end can fill: checked, without flags or forms.

Errors name a setting as it is called here, in backticks; a front end calls it as its people do.
"""

from unfis.app.requests.answers import (
    EvaluateRequest,
    ExplainRequest,
    ExportRequest,
    PredictRequest,
    ReportRequest,
    RowDetails,
)
from unfis.app.requests.fit import ColumnOptions, ExpertOptions, FitRequest
from unfis.app.requests.setting import RequestError, check_known
from unfis.app.requests.shared import OperatingPoint

__all__ = [
    "ColumnOptions",
    "EvaluateRequest",
    "ExpertOptions",
    "ExplainRequest",
    "ExportRequest",
    "FitRequest",
    "OperatingPoint",
    "PredictRequest",
    "ReportRequest",
    "RequestError",
    "RowDetails",
    "check_known",
]
