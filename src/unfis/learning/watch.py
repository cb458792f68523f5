"""How far a fit is, and whether its time is over: what goes on tells it, who waits is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import time
from typing import Any, NamedTuple

# Nothing is said of the time left before so many seconds, or such a share: it would be a guess.
SECONDS_TO_GUESS, SHARE_TO_GUESS = 2.0, 0.05
# What goes on leaves this share of the usual time to what comes after it.
SHARE_LEFT = 0.5


class Progress(NamedTuple):
    """How far a fit is."""

    share: float  # of the whole fit that is done
    doing: str  # in words
    seconds: float  # since it began
    left: float | None  # about how many seconds it still takes, None if nothing can be said yet


class Watch:
    """What a fit tells how far it is, and asks for the time; this one is silent and never over."""

    limit: float | None = None  # seconds that the fit may take
    left_out: Sequence[str] = ()  # what the limit cost, in words
    share = 0.0  # of the whole fit that is done

    def begin(self, doing: str, span: tuple[float, float], number: int = 1, count: int = 1) -> None:
        """Tell what goes on next, which share of the whole fit it is, and which one of how many."""

    def report(self, share: float, doing: str = "") -> None:
        """Tell how much is done of what goes on, from 0 to 1, and what that is now."""

    def is_over(self, left_out: str = "") -> bool:
        """Whether what goes on has no time left; then what is left out is taken note of."""
        return False


UNWATCHED = Watch()


class FitWatch(Watch):
    """The watch of one fit, from now on; in another process it is silent, and over as here.

    Parameters
    ----------
    limit : seconds that the fit may take, None for no limit
    tell : is called with every Progress; the share in it never falls
    """

    def __init__(
        self, limit: float | None = None, tell: Callable[[Progress], None] | None = None
    ) -> None:
        self.limit = limit
        self.left_out: list[str] = []
        self._began = time()  # that of the calendar, which other processes know too
        self._tell = tell
        self._doing = ""
        self._span = 0.0, 1.0
        self._latest = 1.0  # share of the limit at which what goes on has to end

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_tell": None}

    def begin(self, doing: str, span: tuple[float, float], number: int = 1, count: int = 1) -> None:
        """Tell what goes on next, which share of the whole fit it is, and which one of how many."""
        low, high = span
        # Else what comes first would take all the time, and nothing be left to finish with.
        self._latest = 1 - SHARE_LEFT * (1 - high)
        step = (high - low) / count
        self._span = low + step * (number - 1), low + step * number
        self._doing = doing if count == 1 else f"{doing} {number} of {count}"
        self.report(0.0)

    def report(self, share: float, doing: str = "") -> None:
        """Tell how much is done of what goes on, from 0 to 1, and what that is now."""
        low, high = self._span
        self._doing = doing or self._doing
        self.share = max(self.share, low + (high - low) * min(max(share, 0.0), 1.0))
        if self._tell is not None:
            self._tell(Progress(self.share, self._doing, self._seconds, self._left))

    def is_over(self, left_out: str = "") -> bool:
        """Whether what goes on has no time left; then what is left out is taken note of."""
        over = self.limit is not None and self._seconds >= self._latest * self.limit
        if over and left_out and left_out not in self.left_out:
            self.left_out.append(left_out)
        return over

    @property
    def _seconds(self) -> float:
        return max(0.0, time() - self._began)

    @property
    def _left(self) -> float | None:
        """Seconds left, if all goes on as fast, and no more than the limit leaves."""
        seconds = self._seconds
        if not self.share or (seconds < SECONDS_TO_GUESS and self.share < SHARE_TO_GUESS):
            return None
        left = seconds * (1 - self.share) / self.share
        return left if self.limit is None else min(left, max(0.0, self.limit - seconds))
