"""What may be said of several requests: how a table is written, which answers it gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from unfis.app.requests.setting import NameList, Request, RequestError


@dataclass(frozen=True, kw_only=True)
class TableStyle(Request):
    """A table, and how it is written; what is None is found out."""

    table: str  # a file's path, or "-" for standard input
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    missing: NameList | None = None  # words that mean nothing is known

    def style(self, missing: Any = None) -> dict[str, Any]:
        """What reads the table; other words that mean nothing is known where none are given."""
        style = {name: getattr(self, name) for name in ("separator", "decimal", "encoding")}
        return {**style, "missing": missing if self.missing is None else self.missing}


@dataclass(frozen=True, kw_only=True)
class OperatingPoint(Request):
    """Which class is answered where: what errors cost, or from which probability on."""

    # By class, or by the true one and the answer: {"yes": 10}, {"yes:no": 10}.
    costs: Mapping[str, float] | None = None
    threshold: Mapping[str, float] | Literal["auto"] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.threshold, Mapping):
            return
        for name, share in self.threshold.items():
            if not 0 < share < 1:
                raise RequestError(
                    "`threshold` must be a probability above 0 and below 1, such as "
                    f"{name}=0.2, got {share:g}."
                )
