"""Each claim of the paper: what is printed for it, what is measured, whether it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unfis.reproduction.paper import ACCURACY, ACTIVE, BALANCED, COMPARED, INPUT_COUNTS, SETS
from unfis.reproduction.systems.own import PRINTED, TUNED_LEARNERS
from verdict.comparison import ComparedRuns, tally, together
from verdict.paper_means import best_compared, printed_mean
from verdict.selecting import selection_shares
from verdict.wording import all_pairs, as_markdown, listed, mean, number, points, yes

Claim = list[str] | None
MANY_INPUTS = 13
GQLM, LM, SGD, MOMENTUM = TUNED_LEARNERS[:4]


def claims(recorded: ComparedRuns) -> list[str]:
    """All claims in a table."""
    found = [
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
    head = ["claim", "as printed", "measured with the paper's configuration on raw inputs", "holds"]
    return [as_markdown([head, *rows])]


def places(acronym: str, table: Mapping[str, Sequence[tuple[float, float]]] = ACCURACY) -> int:
    """The place of the printed UNFIS among the printed systems."""
    own = printed_mean(table, acronym, "UNFIS")
    return 1 + sum(printed_mean(table, acronym, system) > own for system in COMPARED)


def margins(recorded: ComparedRuns, *, balanced: bool = False) -> dict[str, float]:
    """By how much the reproduced UNFIS is above the best printed other system, by acronym."""
    table, measure, factor = (
        (BALANCED, "balanced_accuracy", 1.0) if balanced else (ACCURACY, "accuracy", 100.0)
    )
    sets = {a: n for a, n in recorded.where(SETS, PRINTED[:1]).items() if a in table}
    return {
        acronym: factor * recorded.mean(name, PRINTED[0], measure)
        - best_compared(acronym, table)[1]
        for acronym, name in sets.items()
    }


def told(values: Mapping[str, float], digits: int = 1) -> str:
    """Differences by set."""
    return listed(f"{acronym} {value:+.{digits}f}" for acronym, value in values.items())


def most_accurate(recorded: ComparedRuns) -> Claim:
    """Best on all sets but Haberman, where it is second."""
    found = margins(recorded)
    if not found:
        return None
    ahead = [acronym for acronym, margin in found.items() if margin > 0]
    behind = [f"place {places(a)} on {a}" for a in found if places(a) > 1]
    return [
        "UNFIS is the most accurate on all sets but HAB, where it is second",
        ", ".join([f"highest on {len(found) - len(behind)} of {len(found)}", *behind]),
        f"above the best printed other on {len(ahead)} of {len(found)}: {told(found)} points",
        yes(set(ahead) >= set(found) - {"HAB"}),
    ]


def close_to_the_best(recorded: ComparedRuns) -> Claim:
    """The abstract: better or very close, taken as one printed deviation of UNFIS."""
    found = margins(recorded)
    if not found:
        return None
    near = [a for a, margin in found.items() if margin >= -ACCURACY[a][-1][1]]
    own = [a for a in found if places(a) == 1 or margin_in_print(a) >= -ACCURACY[a][-1][1]]
    return [
        "UNFIS is better or very close (within its printed deviation of the best other)",
        f"on {len(own)} of {len(found)}",
        f"on {len(near)} of {len(found)}: {listed(near)}",
        yes(len(near) == len(found)),
    ]


def margin_in_print(acronym: str) -> float:
    """By how much the printed UNFIS is above the best printed other system."""
    return printed_mean(ACCURACY, acronym, "UNFIS") - best_compared(acronym)[1]


def far_ahead(recorded: ComparedRuns) -> Claim:
    """Significantly better than all others on autism and wine."""
    sets = {a: n for a, n in recorded.where(SETS, PRINTED[:1], 2).items() if a in ("AUT", "WIN")}
    if not sets:
        return None
    found = together(
        {
            acronym: recorded.against(name, PRINTED[0], best_compared(acronym)[1] / 100)
            for acronym, name in sets.items()
        }
    )
    return [
        "UNFIS is significantly better than the others on AUT and WIN",
        told({a: margin_in_print(a) for a in sets}, 2) + " points, no test",
        listed(f"{acronym} {points(one)}" for acronym, one in found.items()),
        yes(all(one.is_better for one in found.values())),
    ]


def many_inputs(recorded: ComparedRuns) -> Claim:
    """It outperforms others especially where there are many inputs."""
    found = margins(recorded)
    many = [a for a in found if INPUT_COUNTS[SETS[a]] >= MANY_INPUTS]
    few = [a for a in found if a not in many]
    if not many or not few:
        return None
    averages = [mean(found[a] for a in part) for part in (many, few)]
    in_print = [mean(margin_in_print(a) for a in part) for part in (many, few)]
    return [
        f"The margin over the others is larger on sets of many inputs ({', '.join(many)})",
        f"{in_print[0]:+.1f} points there, {in_print[1]:+.1f} on the others",
        f"{averages[0]:+.1f} points there, {averages[1]:+.1f} on the others",
        yes(averages[0] > max(0.0, averages[1])),
    ]


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


def best_balanced(recorded: ComparedRuns) -> Claim:
    """The highest "AUC" on all sets of two classes."""
    found = margins(recorded, balanced=True)
    if not found:
        return None
    ahead = sum(margin > 0 for margin in found.values())
    first = sum(places(acronym, BALANCED) == 1 for acronym in found)
    return [
        'UNFIS has the highest "AUC" (balanced accuracy) on all sets of two classes',
        f"on {first} of {len(found)}",
        f"above the best printed other on {ahead} of {len(found)}: {told(found, 3)}",
        yes(ahead == len(found)),
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
