"""Where a front end shows what goes on beside the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple


class Screen(NamedTuple):
    """Where a front end shows what goes on beside the result; nowhere if it does not care."""

    # Given words, what is called with what is done, with the whole, and more words.
    working: Callable[[str], AbstractContextManager[Callable[..., None]]] = lambda words: (
        nullcontext(lambda done, total, beside="": None)
    )
    note: Callable[[str], None] = lambda text: None

    @contextmanager
    def learning(self, words: str) -> Iterator[None]:
        """Show how far the fits are that go on here."""
        from unfis.estimators.progress import fits_told_to, progress_words

        with (
            self.working(words) as show,
            fits_told_to(lambda fit: show(fit.share, 1.0, progress_words(fit))),
        ):
            yield


UNSEEN = Screen()
