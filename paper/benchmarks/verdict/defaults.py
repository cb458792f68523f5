"""The default settings against what is printed, and where they stand when they fall short."""

from __future__ import annotations

from unfis_paper.reproduction.paper import ACCURACY, FORMS, SETS, WITHOUT_LEAK
from unfis_paper.reproduction.systems.compared import AS_STREAM
from unfis_paper.reproduction.systems.own import DEFAULT
from verdict.comparison import ComparedRuns, Comparison, together
from verdict.paper_means import best_compared, printed_mean
from verdict.wording import as_markdown, compared_cells, points, yes


def defaults(recorded: ComparedRuns) -> list[str]:
    """The default model against the paper's UNFIS and its best compared system."""
    # The other forms of a set are told too, and not counted: nothing is printed of them.
    names = {label: (acronym, name) for label, acronym, name in labelled(recorded)}
    if not names:
        return []
    own = tested(recorded, {label: (n, unfis_of(a)) for label, (a, n) in names.items()})
    best = tested(recorded, {label: (n, best_compared(a)[1]) for label, (a, n) in names.items()})
    rows = [["set", "default", "printed UNFIS", "points", "p", "d"]]
    rows[0] += ["best compared", "points", "p", "d", "reached"]
    for label, (acronym, name) in names.items():
        system, accuracy = best_compared(acronym)
        reached = " / ".join(yes(one[label].difference >= 0) for one in (own, best))
        rows.append(
            [
                label,
                recorded.summary(name, DEFAULT).text(100.0),
                f"{unfis_of(acronym):.2f}",
                *compared_cells(own[label]),
                f"{accuracy:.2f} ({system})",
                *compared_cells(best[label]),
                reached,
            ]
        )
    counted = [label for label, (acronym, name) in names.items() if SETS[acronym] == name]
    reached_own, reached_best = (
        sum(one[label].difference >= 0 for label in counted) for one in (own, best)
    )
    below = [
        shortfall(recorded, names[label][0], own[label], best[label])
        for label in counted
        if min(own[label].difference, best[label].difference) < 0
    ]
    return [
        as_markdown(rows),
        "",
        f"The default is at or above the printed UNFIS on {reached_own} of {len(counted)} sets, at "
        f"or above the best compared system on {reached_best} of {len(counted)}, AUT with 18 "
        "columns, as printed. P and d are of the splits against the printed mean, which is taken "
        "as it is: its own deviation is not counted.",
        *(["", *below] if below else []),
    ]


def labelled(recorded: ComparedRuns) -> list[tuple[str, str, str]]:
    """Label, acronym and name of every form of a set that the default has run on."""
    found = []
    for acronym in recorded.acronyms:
        forms = {SETS[acronym]: acronym}
        if acronym in FORMS:
            forms = {SETS[acronym]: f"{acronym} (18 columns)", **FORMS[acronym]}
        found += [(label, acronym, name) for name, label in forms.items()]
    return [one for one in found if recorded.has(one[2], (DEFAULT,))]


def unfis_of(acronym: str) -> float:
    """The printed accuracy of UNFIS."""
    return printed_mean(ACCURACY, acronym, "UNFIS")


def tested(recorded: ComparedRuns, wanted: dict[str, tuple[str, float]]) -> dict[str, Comparison]:
    """The default on each set against a printed accuracy in per cent."""
    return together(
        {
            label: recorded.against(name, DEFAULT, accuracy / 100)
            for label, (name, accuracy) in wanted.items()
        }
    )


def shortfall(recorded: ComparedRuns, acronym: str, own: Comparison, best: Comparison) -> str:
    """Where the default is below, by how much, and what others reach there."""
    name = WITHOUT_LEAK[acronym]
    parts = []
    if own.difference < 0:
        parts.append(f"{points(own)} against the printed UNFIS")
    if best.difference < 0:
        parts.append(f"{points(best)} against the printed {best_compared(acronym)[0]}")
    runs = recorded.frame[recorded.frame["set"] == name]
    runs = runs[~runs["system"].str.endswith(AS_STREAM)]  # those have seen the test rows
    means = runs.groupby("system")["accuracy"].mean()
    means = means.dropna().sort_values(ascending=False)
    place = 1 + int((means > means.get(DEFAULT, 0)).sum())
    return (
        f"- {acronym}: {', '.join(parts)}. Of the {len(means)} systems measured here on "
        f"{name}, the default has place {place}; the highest mean is {100 * means.iloc[0]:.2f} "
        f"({means.index[0]}), and the best printed other {best_compared(acronym)[1]:.2f}."
    )
