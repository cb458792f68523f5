"""What is printed, what comes out with the paper's configuration, and what does not."""

from __future__ import annotations

from unfis_paper.reproduction.paper import ACCURACY, BALANCED, COMPARED, SETS
from unfis_paper.reproduction.systems.own import DEFAULT, PRINTED
from unfis_paper.reproduction.tables import TABLES
from verdict.comparison import ComparedRuns
from verdict.paper_means import printed_mean
from verdict.wording import as_markdown, listed


def printed(recorded: ComparedRuns) -> list[str]:
    """Tables IV and V, which of their rows come out, and other measures of the same runs."""
    sets = recorded.where(SETS, PRINTED)
    if not sets:
        return []
    some = ComparedRuns(recorded.frame, list(sets))
    lines = ["Table IV, accuracy in per cent:", "", as_markdown(TABLES["table-4"](some)), ""]
    lines += [within(recorded, sets, place) for place in (0, 1)]
    if any(acronym in BALANCED for acronym in sets):
        lines += ["", 'Table V, "AUC", which is balanced accuracy by its formula:', ""]
        lines += [as_markdown(TABLES["table-5"](some))]
    return [*lines, "", *measures(recorded, sets)]


def within(recorded: ComparedRuns, sets: dict[str, str], place: int) -> str:
    """Which printed means of UNFIS or FNN come out within the printed deviation."""
    system = ("UNFIS", "FNN")[place]
    inside: list[str] = []
    outside: list[str] = []
    for acronym, name in sets.items():
        mean, deviation = ACCURACY[acronym][COMPARED.index(system)]
        found = 100 * recorded.mean(name, PRINTED[place])
        text = f"{acronym} {found:.1f} (printed {mean:.1f} ± {deviation:.1f})"
        (inside if abs(found - mean) <= deviation else outside).append(text)
    return (
        f"- {system} on raw inputs with the KNN start is within the printed deviation on "
        f"{len(inside)} of {len(sets)} sets: {listed(inside)}. It is not on: {listed(outside)}."
    )


def measures(recorded: ComparedRuns, sets: dict[str, str]) -> list[str]:
    """What the paper does not print: the real area under the curve, log-loss, calibration."""
    names = {"UNFIS": PRINTED[0], "FNN": PRINTED[1], "default": DEFAULT}
    rows = [["set", 'printed "AUC"']]
    kinds = {"roc_auc": "ROC AUC", "log_loss": "log-loss", "calibration_error": "calibration"}
    rows[0] += [f"{title}, {name}" for title in kinds.values() for name in names]
    for acronym, name in sets.items():
        in_print = "-"
        if acronym in BALANCED:
            in_print = f"{printed_mean(BALANCED, acronym, 'UNFIS'):.3f}"
        cells = [
            recorded.summary(name, system, kind)._replace(deviation=float("nan")).text(digits=3)
            for kind in kinds
            for system in names.values()
        ]
        rows.append([acronym, in_print, *cells])
    return ["Other measures of the same runs, means, AUT with 18 columns:", "", as_markdown(rows)]
