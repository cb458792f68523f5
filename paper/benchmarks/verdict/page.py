"""The page in Markdown, section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unfis_paper.reproduction.paper import TEST_SHARE
from verdict.claims import claims
from verdict.compared_systems import compared_systems
from verdict.comparison import ComparedRuns
from verdict.defaults import defaults
from verdict.errata import errata
from verdict.learning import curvature, learning
from verdict.others import others
from verdict.printed import printed
from verdict.scaling import scaling
from verdict.selecting import decisive, selecting
from verdict.sessions import sessions

# A section has no lines where nothing that it speaks of has run.
SECTIONS: dict[str, Callable[[ComparedRuns], list[str]]] = {
    "What the paper claims, and what holds": claims,
    "What is printed, and what comes out": printed,
    "The compared systems, measured": compared_systems,
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


def page(recorded: ComparedRuns, figures: Iterable[str] = ()) -> str:
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


def introduction(recorded: ComparedRuns) -> str:
    """What the numbers are of."""
    done = recorded.frame[recorded.frame["accuracy"].notna()]
    if not len(done):
        return "Nothing has run yet: `unfis-paper reproduce all` makes what this page is of."
    counts = done.groupby(["set", "system"])["seed"].nunique()
    low, high = counts.min(), counts.max()
    splits = f"{high}" if low == high else f"{low} to {high}"
    return (
        f"Made from the recorded results by `make reproduce`: {splits} random splits of "
        f"each set and system, {1 - TEST_SHARE:.0%} to learn from and {TEST_SHARE:.0%} to test on, "
        f"seeds {done['seed'].min()} to {done['seed'].max()}; means ± deviations over the splits. "
        "P-values are of paired t-tests over the splits, corrected for their overlap (Nadeau and "
        "Bengio) and, over the sets, for their number (Holm); d is the mean difference in "
        "deviations of the differences. Significant means p < 0.05. AUT is told with 18 columns, "
        "as printed, two of which give the class away, or with 16 without these two."
    )
