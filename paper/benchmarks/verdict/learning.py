"""The learners with tuned step sizes, and what GqLM is at its printed damping."""

from __future__ import annotations

from unfis_paper.reproduction.paper import CHARACTERISTICS, HYPERPARAMETERS, SETS, WITHOUT_LEAK
from unfis_paper.reproduction.systems.own import (
    GRIDS,
    PRINTED,
    SCALED,
    TUNED,
    TUNED_LEARNERS,
    TUNING_EPOCHS,
    TUNING_SHARE,
)
from verdict.comparison import ComparedRuns
from verdict.wording import against, as_markdown, number


def learning(recorded: ComparedRuns) -> list[str]:
    """Accuracies, differences, grids, and how often the best step is at an end of its grid."""
    sets = {
        acronym: name
        for acronym, name in recorded.sets(SETS).items()
        if any(recorded.has(name, (learner,)) for learner in TUNED_LEARNERS)
    }
    if not sets:
        return []
    rows = [["set", *(name.removesuffix(TUNED) for name in TUNED_LEARNERS)]]
    for acronym, name in sets.items():
        cells = [recorded.summary(name, learner).text(100.0, 1) for learner in TUNED_LEARNERS]
        rows.append([acronym, *cells])
    others = (*TUNED_LEARNERS[1:], PRINTED[0])
    return [
        "Accuracy in per cent of the network as printed, on raw inputs, AUT with 18 columns:",
        "",
        as_markdown(rows),
        "",
        f"{TUNED_LEARNERS[0]}, against the others and against its printed damping ({PRINTED[0]}):",
        "",
        as_markdown(against(recorded, sets, TUNED_LEARNERS[0], others)),
        "",
        f"Each learner tries {len(GRIDS['GqLM'][2])} step sizes for {TUNING_EPOCHS} epochs each on "
        f"{1 - TUNING_SHARE:.0%} of the training part; the one with the lowest log-loss on the "
        f"rest then learns {HYPERPARAMETERS['epochs']:g} epochs on all of it. The steps of GqLM, "
        "SGD and Momentum are the same where the curvature is small.",
        "",
        as_markdown([["learner", "step sizes", "chosen, median", "at an end"], *edges(recorded)]),
        "",
        f"By chance {2 / len(GRIDS['GqLM'][2]):.0%} would be at an end.",
    ]


def edges(recorded: ComparedRuns) -> list[list[str]]:
    """The grid of each learner, what was chosen of it, and how often that is the grid's end."""
    rows = []
    for learner in TUNED_LEARNERS:
        _, setting, steps = GRIDS[learner.removesuffix(TUNED)]
        chosen = [
            step
            for name in recorded.sets(SETS).values()
            for step in recorded.values(name, learner, "step")
        ]
        cells = ["-", "-"]
        if chosen:
            ordered = sorted(chosen)
            at_end = sum(step in (steps[0], steps[-1]) for step in chosen)
            cells = [f"{ordered[len(ordered) // 2]:g}", f"{at_end / len(chosen):.0%}"]
        grid = ", ".join(f"{step:g}" for step in steps)
        rows.append([learner.removesuffix(TUNED), f"{setting} {grid}", *cells])
    return rows


def curvature(recorded: ComparedRuns) -> list[str]:
    """The largest eigenvalue of GqLM's curvature beside its damping."""
    kinds = {"raw": PRINTED[0], "standardised": SCALED[0]}
    rows = [["set", "C lambda"]]
    rows[0] += [f"{kind}, {time}" for kind in kinds for time in ("start", "end")]
    largest: dict[str, dict[str, float]] = {kind: {} for kind in kinds}
    for acronym, name in recorded.sets(WITHOUT_LEAK).items():
        damping = CHARACTERISTICS[acronym][3] * HYPERPARAMETERS["damping (lambda)"]
        cells = []
        for kind, system in kinds.items():
            for time in ("start", "end"):
                values = recorded.values(name, system, f"curvature_{time}")
                cells.append(f"{values.median():.3g} ({values.max():.3g})" if len(values) else "-")
                if len(values):
                    share = float(values.max()) / damping
                    largest[kind][acronym] = max(share, largest[kind].get(acronym, 0.0))
        if set(cells) != {"-"}:
            rows.append([acronym, f"{damping:g}", *cells])
    if len(rows) == 1:
        return []
    return [
        "The largest eigenvalue of sum_c J_c' J_c over mini-batches of 32, to which GqLM adds "
        "C lambda before it solves: median over the runs, and the largest in brackets. AUT with 16 "
        "columns.",
        "",
        as_markdown(rows),
        "",
        *(told(kind, shares) for kind, shares in largest.items() if shares),
        "- As they go to 0 beside C lambda, the solve goes to the gradient divided by "
        "C lambda (tests/paper/test_gqlm.py::test_at_the_printed_damping_gqlm_is_a_gradient_step).",
    ]


def told(kind: str, shares: dict[str, float]) -> str:
    """How much the solve can shorten a gradient step at most, e / (e + C lambda)."""
    above = [acronym for acronym, share in shares.items() if share > 1]
    highest = max(shares, key=lambda acronym: shares[acronym])
    share = shares[highest]
    return (
        f"- On {kind} inputs the largest eigenvalue of all runs is {number(share, '.3g')} times "
        f"C lambda ({highest}), so that the solve shortens a gradient step by at most "
        f"{share / (1 + share):.0%}; it is above C lambda on {len(above)} of {len(shares)} sets."
    )
