"""Claims about UNFIS beside the systems that the paper compares it with, read in three ways.

As the paper has it: its configuration, and what it prints of the others. The fairest of it: GqLM
with its damping chosen on the training rows. And with the others measured instead of copied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from unfis_paper.reproduction.paper import ACCURACY, BALANCED, COMPARED, INPUT_COUNTS, SETS
from unfis_paper.reproduction.systems.own import PRINTED, TUNED_LEARNERS
from unfis_paper.reproduction.tables import REPRODUCED
from verdict.comparison import ComparedRuns, Comparison, together
from verdict.paper_means import Table, best_compared, printed_mean
from verdict.wording import listed, mean, points, yes

Claim = list[str] | None
MANY_INPUTS = 13
OTHERS = {system: name for system, name in REPRODUCED.items() if system != "UNFIS"}


class Reading(NamedTuple):
    """Which UNFIS is meant, and whether the others are measured too."""

    title: str
    own: str
    measured: bool


READINGS = (
    Reading("measured with the paper's configuration on raw inputs", PRINTED[0], False),
    Reading("with GqLM's damping chosen on the training rows", TUNED_LEARNERS[0], False),
    Reading("and with the others measured, not copied", TUNED_LEARNERS[0], True),
)
Told = tuple[str, bool] | None


def read(claim: str, in_print: str, tell: Callable[[Reading], Told]) -> Claim:
    """A claim in all readings; None where the first one says nothing."""
    found = [tell(reading) for reading in READINGS]
    if found[0] is None:
        return None
    cells = [cell for one in found for cell in (("-", "-") if one is None else in_cells(one))]
    return [claim, in_print, *cells]


def in_cells(one: tuple[str, bool]) -> tuple[str, str]:
    """What is told, and whether it holds."""
    return one[0], yes(one[1])


def sets_of(recorded: ComparedRuns, reading: Reading, count: int = 1) -> dict[str, str]:
    """The sets on which everything that a reading compares has run."""
    systems = (reading.own, *(OTHERS.values() if reading.measured else ()))
    return recorded.where(SETS, systems, count)


def best_other(
    recorded: ComparedRuns, acronym: str, reading: Reading, table: Table = ACCURACY
) -> tuple[str, float]:
    """The best other system, and its mean, in the units of the printed table."""
    if not reading.measured:
        return best_compared(acronym, table)
    factor, measure = units_of(table)
    means = {name: factor * recorded.mean(SETS[acronym], name, measure) for name in OTHERS.values()}
    best = max(means, key=lambda name: means[name])
    return best, means[best]


def units_of(table: Table) -> tuple[float, str]:
    """By what a measure is multiplied to be as in print, and its name."""
    return (1.0, "balanced_accuracy") if table is BALANCED else (100.0, "accuracy")


def margins(
    recorded: ComparedRuns, reading: Reading = READINGS[0], table: Table = ACCURACY
) -> dict[str, float]:
    """By how much the reproduced UNFIS is above the best other system, by acronym."""
    factor, measure = units_of(table)
    return {
        acronym: factor * recorded.mean(name, reading.own, measure)
        - best_other(recorded, acronym, reading, table)[1]
        for acronym, name in sets_of(recorded, reading).items()
        if acronym in table
    }


def places(acronym: str, table: Mapping[str, Sequence[tuple[float, float]]] = ACCURACY) -> int:
    """The place of the printed UNFIS among the printed systems."""
    own = printed_mean(table, acronym, "UNFIS")
    return 1 + sum(printed_mean(table, acronym, system) > own for system in COMPARED)


def told(values: Mapping[str, float], digits: int = 1) -> str:
    """Differences by set."""
    return listed(f"{acronym} {value:+.{digits}f}" for acronym, value in values.items())


def margin_in_print(acronym: str) -> float:
    """By how much the printed UNFIS is above the best printed other system."""
    return printed_mean(ACCURACY, acronym, "UNFIS") - best_compared(acronym)[1]


def comes_out(recorded: ComparedRuns) -> Claim:
    """The printed accuracies of UNFIS, within their deviations."""

    def tell(reading: Reading) -> Told:
        sets = sets_of(recorded, reading)
        if not sets or reading.measured:
            return None
        apart = {}
        for acronym, name in sets.items():
            printed, deviation = ACCURACY[acronym][COMPARED.index("UNFIS")]
            difference = 100 * recorded.mean(name, reading.own) - printed
            apart[acronym] = 0 if abs(difference) <= deviation else difference
        above, below = (
            [acronym for acronym, difference in apart.items() if sign * difference > 0]
            for sign in (1, -1)
        )
        inside = len(sets) - len(above) - len(below)
        text = f"on {inside} of {len(sets)}, above on {listed(above)}, below on {listed(below)}"
        return text, inside == len(sets)

    return read("UNFIS's accuracies are as printed, within the printed deviation", "-", tell)


def most_accurate(recorded: ComparedRuns) -> Claim:
    """Best on all sets but Haberman, where it is second."""

    def tell(reading: Reading) -> Told:
        found = margins(recorded, reading)
        if not found:
            return None
        ahead = [acronym for acronym, margin in found.items() if margin > 0]
        text = f"above the best other on {len(ahead)} of {len(found)}: {told(found)} points"
        return text, set(ahead) >= set(found) - {"HAB"}

    sets = sets_of(recorded, READINGS[0])
    behind = [f"place {places(a)} on {a}" for a in sets if places(a) > 1]
    return read(
        "UNFIS is the most accurate on all sets but HAB, where it is second",
        ", ".join([f"highest on {len(sets) - len(behind)} of {len(sets)}", *behind]),
        tell,
    )


def close_to_the_best(recorded: ComparedRuns) -> Claim:
    """The abstract: better or very close, taken as one printed deviation of UNFIS."""

    def tell(reading: Reading) -> Told:
        found = margins(recorded, reading)
        if not found:
            return None
        near = [a for a, margin in found.items() if margin >= -ACCURACY[a][-1][1]]
        return f"on {len(near)} of {len(found)}: {listed(near)}", len(near) == len(found)

    sets = sets_of(recorded, READINGS[0])
    own = [a for a in sets if places(a) == 1 or margin_in_print(a) >= -ACCURACY[a][-1][1]]
    return read(
        "UNFIS is better or very close (within its printed deviation of the best other)",
        f"on {len(own)} of {len(sets)}",
        tell,
    )


def far_ahead(recorded: ComparedRuns) -> Claim:
    """Significantly better than all others on autism and wine."""

    def compared(reading: Reading, acronym: str, name: str) -> Comparison:
        other, accuracy = best_other(recorded, acronym, reading)
        if reading.measured:
            return recorded.paired(name, reading.own, other)
        return recorded.against(name, reading.own, accuracy / 100)

    def far(reading: Reading) -> dict[str, str]:
        sets = sets_of(recorded, reading, 2)
        return {a: name for a, name in sets.items() if a in ("AUT", "WIN")}

    def tell(reading: Reading) -> Told:
        found = together({a: compared(reading, a, name) for a, name in far(reading).items()})
        if not found:
            return None
        text = listed(f"{acronym} {points(one)}" for acronym, one in found.items())
        return text, all(one.is_better for one in found.values())

    return read(
        "UNFIS is significantly better than the others on AUT and WIN",
        told({a: margin_in_print(a) for a in far(READINGS[0])}, 2) + " points, no test",
        tell,
    )


def many_inputs(recorded: ComparedRuns) -> Claim:
    """It outperforms others especially where there are many inputs."""
    sets = sets_of(recorded, READINGS[0])
    many = [a for a in sets if INPUT_COUNTS[SETS[a]] >= MANY_INPUTS]
    few = [a for a in sets if a not in many]
    if not many or not few:
        return None

    def averages(found: Mapping[str, float]) -> list[float]:
        return [mean(found[a] for a in part if a in found) for part in (many, few)]

    def words(values: list[float]) -> str:
        return f"{values[0]:+.1f} points there, {values[1]:+.1f} on the others"

    def tell(reading: Reading) -> Told:
        found = margins(recorded, reading)
        if not set(sets) <= set(found):
            return None
        values = averages(found)
        return words(values), values[0] > max(0.0, values[1])

    return read(
        f"The margin over the others is larger on sets of many inputs ({', '.join(many)})",
        words(averages({a: margin_in_print(a) for a in sets})),
        tell,
    )


def best_balanced(recorded: ComparedRuns) -> Claim:
    """The highest "AUC" on all sets of two classes."""

    def tell(reading: Reading) -> Told:
        found = margins(recorded, reading, BALANCED)
        if not found:
            return None
        ahead = sum(margin > 0 for margin in found.values())
        text = f"above the best other on {ahead} of {len(found)}: {told(found, 3)}"
        return text, ahead == len(found)

    two = [a for a in sets_of(recorded, READINGS[0]) if a in BALANCED]
    first = sum(places(acronym, BALANCED) == 1 for acronym in two)
    return read(
        'UNFIS has the highest "AUC" (balanced accuracy) on all sets of two classes',
        f"on {first} of {len(two)}",
        tell,
    )
