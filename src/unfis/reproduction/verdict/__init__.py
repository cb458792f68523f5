"""The verdict in Markdown: what of the paper holds, by the recorded numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unfis.reproduction.paper import TEST_SHARE
from unfis.reproduction.recorded import Recorded
from unfis.reproduction.verdict.claims import claims
from unfis.reproduction.verdict.defaults import defaults
from unfis.reproduction.verdict.errata import errata
from unfis.reproduction.verdict.learning import curvature, learning
from unfis.reproduction.verdict.others import others
from unfis.reproduction.verdict.printed import printed
from unfis.reproduction.verdict.scaling import scaling
from unfis.reproduction.verdict.selecting import decisive, selecting
from unfis.reproduction.verdict.sessions import sessions

# A section has no lines where nothing that it speaks of has run.
SECTIONS: dict[str, Callable[[Recorded], list[str]]] = {
    "What the paper claims, and what holds": claims,
    "What is printed, and what comes out": printed,
    "What the default settings reach": defaults,
    "Is it the scale of the inputs?": scaling,
    "How far the selection selects": selecting,
    "What the decisive kind adds": decisive,
    "Which learner": learning,
    "What GqLM is at its printed damping": curvature,
    "Beside what people use instead": others,
    "What is wrong in print": errata,
    "What the runs were done with": sessions,
}
# Where each figure belongs.
PLACES = {
    "figure-selection": "How far the selection selects",
    "figure-iris": "How far the selection selects",
    "figure-learners": "Which learner",
    "figure-ranks": "Beside what people use instead",
}


def verdict(recorded: Recorded, figures: Iterable[str] = ()) -> str:
    """The whole page; figures are the names of those that are drawn beside it."""
    parts = ["# The paper's experiments, again", "", introduction(recorded)]
    for heading, section in SECTIONS.items():
        lines = section(recorded)
        if lines:
            parts += ["", f"## {heading}", "", *lines]
            for name in figures:
                if PLACES[name] == heading:
                    parts += ["", f"![{name}]({name}.svg)"]
    return "\n".join([*parts, ""])


def introduction(recorded: Recorded) -> str:
    """What the numbers are of."""
    done = recorded.frame[recorded.frame["accuracy"].notna()]
    if not len(done):
        return "Nothing has run yet: `unfis reproduce all` makes the results that this page is of."
    counts = done.groupby(["set", "system"])["seed"].nunique()
    low, high = counts.min(), counts.max()
    splits = f"{high}" if low == high else f"{low} to {high}"
    return (
        f"Made from the recorded results by `unfis reproduce verdict`: {splits} random splits of "
        f"each set and system, {1 - TEST_SHARE:.0%} to learn from and {TEST_SHARE:.0%} to test on, "
        f"seeds {done['seed'].min()} to {done['seed'].max()}; means ± deviations over the splits. "
        "P-values are of paired t-tests over the splits, corrected for their overlap (Nadeau and "
        "Bengio) and, over the sets, for their number (Holm); d is the mean difference in "
        "deviations of the differences. Significant means p < 0.05. AUT is told with 18 columns, "
        "as printed, two of which give the class away, or with 16 without these two."
    )
