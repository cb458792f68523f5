"""How far a fit is: the line of `verbose`, others who listen, and the limit of its time."""

from __future__ import annotations

from typing import Self

from unfis.estimators.progress import ProgressLine, watch_of
from unfis.serial.messages import warn_user

LEFT_OUT = "longer models"
SEARCH = 0.0, 0.8  # of a fit, what the search is


class FitProgress:
    """Tells how far a search is, and says when its time is over."""

    def __init__(self, name: str, limit: float | None, *, shown: bool) -> None:
        self.line = ProgressLine("", 0, who=name) if shown else None
        self.watch = watch_of(limit, None if self.line is None else self.line.begin)
        self.watch.begin("search for rules", SEARCH)

    def go_on(self, share: float) -> bool:
        """Tell which share of the rules there is; whether there is time for more."""
        self.watch.report(share)
        return not self.watch.is_over(LEFT_OUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.line is not None:
            done = "ended by time_limit" if self.watch.left_out else "done"
            self.line.close("interrupted" if error[0] is not None else done)
        if self.watch.left_out and error[0] is None:
            warn_user(
                f"time_limit={self.watch.limit:g} left no time for {LEFT_OUT}: the model is the "
                "best of what was found until then. Raise time_limit, or lower max_rules."
            )
