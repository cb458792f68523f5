"""How far selections go, as printed and here, and what deciding them gives and costs."""

from __future__ import annotations

import math

from unfis_paper.reproduction.paper import ACTIVE, INPUT_COUNTS, SETS, WITHOUT_LEAK
from unfis_paper.reproduction.systems.own import (
    COUNTS_AS_IN,
    COUNTS_AS_OUT,
    DEFAULT,
    PRINTED,
    SCALED,
    SOFT,
)
from unfis_paper.reproduction.tables import printed_active
from verdict.comparison import ComparedRuns, tally
from verdict.wording import all_pairs, as_markdown, compared_cells, mean, number


def selection_shares(
    recorded: ComparedRuns, forms: dict[str, str], system: str
) -> dict[str, tuple[float, float]]:
    """Shares of the selections that are out of their rule and in it, by acronym."""
    found = {}
    for acronym, name in recorded.where(forms, (system,)).items():
        selections = recorded.mean(name, system, "rules") * INPUT_COUNTS[name]
        shares = tuple(
            recorded.mean(name, system, measure) / selections
            for measure in ("selections_out", "selections_in")
        )
        if not any(map(math.isnan, shares)):
            found[acronym] = (shares[0], shares[1])
    return found


def selecting(recorded: ComparedRuns) -> list[str]:
    """Active features as printed and as measured, and how many selections are decided."""
    sets = recorded.where(SETS, (PRINTED[0],))
    if not sets:
        return []
    raw = selection_shares(recorded, SETS, PRINTED[0])
    scaled = selection_shares(recorded, WITHOUT_LEAK, SCALED[0])
    low, high = f"< {COUNTS_AS_OUT:g}", f"> {COUNTS_AS_IN:g}"
    rows = [["set", "inputs", "printed", "measured", "share", f"raw {low}", f"raw {high}"]]
    rows[0] += [f"scaled {low}", f"scaled {high}"]
    shares = []
    for acronym, name in sets.items():
        active = recorded.summary(name, PRINTED[0], "active")
        shares.append(
            (mean(ACTIVE[acronym]) / INPUT_COUNTS[name], active.mean / INPUT_COUNTS[name])
        )
        counts = [
            number(share, ".0%")
            for ones in (raw, scaled)
            for share in ones.get(acronym, (math.nan, math.nan))
        ]
        share = f"{shares[-1][1]:.0%}"
        row = [acronym, str(INPUT_COUNTS[name]), printed_active(acronym), active.text(), share]
        rows.append([*row, *counts])
    in_print, measured = (mean(share[place] for share in shares) for place in (0, 1))
    lines = [
        as_markdown(rows),
        "",
        f"The sum of selections of a rule starts at 50% of the inputs; on average over the sets it "
        f"is {in_print:.0%} as printed and {measured:.0%} as measured on raw inputs.",
    ]
    for title, ones in (("raw inputs", raw), ("standardised inputs (AUT with 16 columns)", scaled)):
        if ones:
            out, inside = (mean(share[place] for share in ones.values()) for place in (0, 1))
            lines.append(
                f"On {title} {out:.0%} of the selections end below {COUNTS_AS_OUT:g}, "
                f"where a condition hardly counts, {inside:.0%} above {COUNTS_AS_IN:g}, "
                f"and {1 - out - inside:.0%} in between."
            )
    return lines


def decisive(recorded: ComparedRuns) -> list[str]:
    """Conditions of the decisive kind and of the soft one, and the accuracy that they cost."""
    sets = recorded.where(WITHOUT_LEAK, (DEFAULT, SOFT))
    if not sets:
        return []
    found = all_pairs(recorded, sets, DEFAULT, SOFT)
    rows = [["set", "inputs", "conditions, soft", "decisive", "per rule, soft", "decisive"]]
    rows[0] += ["accuracy, soft", "decisive", "points", "p", "d"]
    shares, kept = [], []
    for acronym, name in sets.items():
        conditions = [recorded.mean(name, system, "conditions") for system in (SOFT, DEFAULT)]
        per_rule = [recorded.per_rule(name, system) for system in (SOFT, DEFAULT)]
        accuracies = [recorded.summary(name, system).text(100.0, 1) for system in (SOFT, DEFAULT)]
        shares.append(per_rule[1] / INPUT_COUNTS[name])
        kept.append(conditions[1] / conditions[0])
        rows.append(
            [
                acronym,
                str(INPUT_COUNTS[name]),
                *(number(value, ".1f") for value in (*conditions, *per_rule)),
                *accuracies,
                *compared_cells(found[acronym]),
            ]
        )
    difference = 100 * mean(one.difference for one in found.values())
    counts = tally(found)
    return [
        as_markdown(rows),
        "",
        f"`selection='decisive'`, the default, keeps {mean(kept):.0%} of the conditions of "
        f"`selection='soft'` per model, {mean(shares):.0%} of the inputs per rule (AUT with 16 "
        f"columns), and the rest are out exactly. Its accuracy is {difference:+.2f} points apart "
        f"on average, significantly lower on {counts.worse} of {len(sets)} sets and higher on "
        f"{counts.better}.",
    ]
