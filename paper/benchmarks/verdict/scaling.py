"""UNFIS against FNN, on raw and on standardised inputs, and what standardising does to each."""

from __future__ import annotations

from unfis_paper.reproduction.paper import ACCURACY, SETS, WITHOUT_LEAK
from unfis_paper.reproduction.systems.own import PRINTED, SCALED
from verdict.comparison import ComparedRuns, Comparison, tally
from verdict.paper_means import printed_mean
from verdict.wording import all_pairs, as_markdown, compared_cells, mean, points

# Title, and the two systems of which the second is taken from the first.
PAIRS = {
    "UNFIS - FNN, raw": PRINTED,
    "UNFIS - FNN, scaled": SCALED,
    "FNN, scaled - raw": (SCALED[1], PRINTED[1]),
    "UNFIS, scaled - raw": (SCALED[0], PRINTED[0]),
}


def scaling(recorded: ComparedRuns) -> list[str]:
    """All four differences on the same sets, and what they say of the printed gap."""
    sets = recorded.where(WITHOUT_LEAK, (*PRINTED, *SCALED))
    if not sets:
        return []
    found = {title: all_pairs(recorded, sets, *pair) for title, pair in PAIRS.items()}
    rows = [["set"]]
    for title in found:
        rows[0] += [title, "p", "d"]
    for acronym in sets:
        cells = [cell for ones in found.values() for cell in compared_cells(ones[acronym])]
        rows.append([acronym, *cells])
    return [as_markdown(rows), "", *told(sets, found), *with_leak(recorded)]


def told(sets: dict[str, str], found: dict[str, dict[str, Comparison]]) -> list[str]:
    """The averages, and how much of the printed gap they account for."""
    gap, scaled_gap, fnn, unfis = (
        100 * mean(one.difference for one in ones.values()) for ones in found.values()
    )
    counts = {title: tally(ones) for title, ones in found.items()}
    in_print = mean(
        printed_mean(ACCURACY, a, "UNFIS") - printed_mean(ACCURACY, a, "FNN") for a in sets
    )
    count = len(sets)
    return [
        f"All are the same codes and the same splits, AUT with 16 columns; only the scale differs. "
        f"The mean gap between UNFIS and FNN is {in_print:+.1f} points as printed, {gap:+.1f} on "
        f"raw inputs and {scaled_gap:+.1f} on standardised ones; it is significant on "
        f"{counts['UNFIS - FNN, raw'].better} of {count} sets on raw inputs and on "
        f"{counts['UNFIS - FNN, scaled'].better} on standardised ones.",
        "",
        f"Standardising changes FNN by {fnn:+.1f} points (significantly better on "
        f"{counts['FNN, scaled - raw'].better}, worse on {counts['FNN, scaled - raw'].worse} of "
        f"{count} sets) and UNFIS by {unfis:+.1f} (better on "
        f"{counts['UNFIS, scaled - raw'].better}, worse on {counts['UNFIS, scaled - raw'].worse}). "
        f"So the scale makes {gap - scaled_gap:+.1f} of the {in_print:+.1f} points of "
        f"the printed gap, and {scaled_gap:+.1f} are left without it; {in_print - gap:+.1f} do not "
        "come out on raw inputs with the KNN start.",
    ]


def with_leak(recorded: ComparedRuns) -> list[str]:
    """The gap on AUT as printed, which is not the same data."""
    name = recorded.where(SETS, PRINTED).get("AUT")
    if name is None:
        return []
    one = recorded.paired(name, *PRINTED)
    return ["", f"On AUT with 18 columns, as printed, the gap on raw inputs is {points(one)}."]
