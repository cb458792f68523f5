"""Each claim of the paper: what is printed for it, what is measured, whether it holds.

Claims about UNFIS beside other systems are read in three ways (`rivals.py`); the others in one.
"""

from __future__ import annotations

from unfis_paper.reproduction.paper import ACCURACY, ACTIVE, INPUT_COUNTS, SETS
from unfis_paper.reproduction.systems.own import PRINTED, TUNED_LEARNERS
from verdict.comparison import ComparedRuns, tally
from verdict.paper_means import printed_mean
from verdict.rivals import (
    READINGS,
    Claim,
    best_balanced,
    close_to_the_best,
    comes_out,
    far_ahead,
    many_inputs,
    most_accurate,
)
from verdict.selecting import selection_shares
from verdict.wording import all_pairs, as_markdown, listed, mean, number, points, yes

GQLM, LM, SGD, MOMENTUM = TUNED_LEARNERS[:4]


def claims(recorded: ComparedRuns) -> list[str]:
    """All claims in a table."""
    found = [
        comes_out(recorded),
        most_accurate(recorded),
        close_to_the_best(recorded),
        far_ahead(recorded),
        many_inputs(recorded),
        better_than_fnn(recorded),
        best_balanced(recorded),
        selects(recorded),
        one_input_on_iris(recorded),
        best_learner(recorded),
        better_than_first_order(recorded),
        squares_collapse(recorded),
    ]
    rows = [claim for claim in found if claim is not None]
    if not rows:
        return []
    head = ["claim", "as printed"]
    for reading in READINGS:
        head += [reading.title, "holds"]
    width = len(head)
    return [as_markdown([head, *([*row, *["-"] * (width - len(row))] for row in rows)])]


def better_than_fnn(recorded: ComparedRuns) -> Claim:
    """In all experiments significantly better than FNN."""
    sets = recorded.where(SETS, PRINTED, 2)
    if not sets:
        return None
    found = all_pairs(recorded, sets, *PRINTED)
    gaps = {a: printed_mean(ACCURACY, a, "UNFIS") - printed_mean(ACCURACY, a, "FNN") for a in sets}
    higher = sum(one.difference > 0 for one in found.values())
    significant = tally(found).better
    return [
        "UNFIS is significantly better than FNN on all sets",
        f"higher on {sum(gap > 0 for gap in gaps.values())} of {len(sets)}, no test",
        f"higher on {higher} of {len(sets)}, significantly on {significant}",
        yes(significant == len(sets)),
    ]


def selects(recorded: ComparedRuns) -> Claim:
    """The network cancels the effect of inputs, taken as: most selections are decided."""
    shares = selection_shares(recorded, SETS, PRINTED[0])
    if not shares:
        return None
    out, inside = (mean(share[place] for share in shares.values()) for place in (0, 1))
    in_print = mean(mean(ACTIVE[a]) / INPUT_COUNTS[SETS[a]] for a in shares)
    return [
        "Rules select their inputs (most selections below 0.001 or above 0.999)",
        f"only their sum, {in_print:.0%} of the inputs",
        f"{out:.0%} below, {inside:.0%} above, {1 - out - inside:.0%} in between",
        yes(out + inside > 0.5),
    ]


def one_input_on_iris(recorded: ComparedRuns) -> Claim:
    """On iris a rule considers mainly one input, so that three selections are out."""
    counts = recorded.values("iris", PRINTED[0], "selections_out")
    if not len(counts) or "IRI" not in recorded.acronyms:
        return None
    few = int((counts >= 3).sum())
    return [
        "On IRI one rule considers mainly one of four inputs (three selections below 0.001)",
        "one figure",
        f"at least three of the eight selections in {few} of {len(counts)} runs, "
        f"{number(float(counts.mean()))} on average",
        yes(2 * few > len(counts)),
    ]


def best_learner(recorded: ComparedRuns) -> Claim:
    """GqLM is better than the others in all problems."""
    sets = recorded.where(SETS, (GQLM, LM, SGD, MOMENTUM))
    if not sets:
        return None
    first = [
        acronym
        for acronym, name in sets.items()
        if all(recorded.mean(name, GQLM) > recorded.mean(name, o) for o in (LM, SGD, MOMENTUM))
    ]
    return [
        "GqLM is better than LM, SGD and Momentum in all problems",
        "one figure without numbers",
        f"highest, all with tuned steps, on {len(first)} of {len(sets)}: {listed(first)}",
        yes(len(first) == len(sets)),
    ]


def better_than_first_order(recorded: ComparedRuns) -> Claim:
    """GqLM is significantly better than SGD and Momentum in most cases."""
    found = {
        f"{other} {acronym}": one
        for other in (SGD, MOMENTUM)
        for acronym, one in all_pairs(recorded, recorded.sets(SETS), GQLM, other).items()
    }
    if not found:
        return None
    counts = tally(found)
    return [
        "GqLM is significantly better than SGD and Momentum in most cases",
        "one figure, no test",
        f"tuned, better in {counts.better} and worse in {counts.worse} of {len(found)} cases",
        yes(2 * counts.better > len(found)),
    ]


def squares_collapse(recorded: ComparedRuns) -> Claim:
    """LM's squared error is good for two classes and collapses on iris and wine."""
    sets = {a: n for a, n in recorded.sets(SETS).items() if a in ("IRI", "WIN")}
    found = all_pairs(recorded, sets, LM, GQLM)
    if not found:
        return None
    return [
        "LM's performance decreases dramatically on IRI and WIN",
        "one figure without numbers",
        "LM minus GqLM: " + listed(f"{a} {points(one)}" for a, one in found.items()),
        yes(all(one.is_worse for one in found.values())),
    ]
