"""The systems that the paper compares with, measured: what comes out, and why the rest does not."""

from __future__ import annotations

from unfis_paper.reproduction.paper import ACCURACY, COMPARED, SETS
from unfis_paper.reproduction.systems.compared import AS_STREAM, RAW, STANDARDISED
from unfis_paper.reproduction.tables import ON_SCALED_INPUTS, REPRODUCED
from verdict.comparison import ComparedRuns
from verdict.wording import as_markdown, listed

# What is not known of each, and may make a cell come out otherwise.
DOUBTS = {
    "EFNN-NullUni": "how u and g are set and how wide the sets are is not published",
    "UNInull-FNN": "the numbers of sets and candidates and Bolasso's settings are not published",
    "ALMMo-0*": "what the star's pre-processing is was not to be seen",
    "EFNHN": "of the text only a description in another paper was to be seen",
    "EFNN": "clouds, widths and pruning are those of sister papers",
}
# Forms that Table IV does not have.
FURTHER = {
    "ALMMo-0 (no star), raw": f"ALMMo-0{RAW}",
    "EFNN-NullUni, u and g chosen, raw": f"EFNN-NullUni, chosen{RAW}",
    "EFNN-NullUni, u and g chosen, scaled": f"EFNN-NullUni, chosen{STANDARDISED}",
    "ENFS-Uni0, raw": f"ENFS-Uni0{RAW}",
    "ENFS-Uni0, scaled": f"ENFS-Uni0{STANDARDISED}",
}
INTRODUCTION = (
    "All are re-implemented from published descriptions (`unfis_paper.compared`; each file says "
    'what is certain and what was chosen). "Reproduced" is as they most likely ran: raw inputs, '
    "ALMMo-0* standardised ones. Test-then-train answers each test row and then learns from it "
    "with its class, as the originals most likely did and UNFIS does not; UNInull-FNN learns from "
    "all rows at once, on a grid that does not see the scale of the inputs."
)


def compared_systems(recorded: ComparedRuns) -> list[str]:
    """How many cells of each system come out in which form, further forms, and reasons."""
    systems = [system for system in DOUBTS if recorded.where(SETS, (REPRODUCED[system],))]
    if not systems:
        return []
    rows = [["system", "reproduced", "test-then-train", "scaled", "scaled, test-then-train"]]
    for system in systems:
        forms = (REPRODUCED[system], ON_SCALED_INPUTS.get(system, ""))
        names = [name for form in forms for name in (form, form and f"{form}{AS_STREAM}")]
        rows.append([system, *(inside(recorded, system, name) for name in names)])
    return [
        INTRODUCTION,
        "",
        "On how many sets the mean is within the printed deviation of the printed mean:",
        "",
        as_markdown(rows),
        "",
        *further(recorded),
        "Where the reproduced mean is farther from the printed one than the printed deviation:",
        "",
        *(reasons(recorded, system) for system in systems),
    ]


def is_within(recorded: ComparedRuns, system: str, name: str, acronym: str) -> bool:
    """Whether a measured mean is within the printed deviation of the printed mean."""
    mean, deviation = ACCURACY[acronym][COMPARED.index(system)]
    return abs(100 * recorded.mean(SETS[acronym], name) - mean) <= deviation


def inside(recorded: ComparedRuns, system: str, name: str) -> str:
    """On how many sets a form of a system comes out."""
    sets = recorded.where(SETS, (name,))
    if not sets:
        return "-"
    found = [acronym for acronym in sets if is_within(recorded, system, name, acronym)]
    return f"{len(found)} of {len(sets)}" + (f": {', '.join(found)}" if found else "")


def further(recorded: ComparedRuns) -> list[str]:
    """Accuracies of forms that Table IV does not have, held out and as streams."""
    known = {label: name for label, name in FURTHER.items() if recorded.where(SETS, (name,))}
    if not known:
        return []
    ran = [set(recorded.where(SETS, (name,))) for name in known.values()]
    sets = {a: name for a, name in recorded.sets(SETS).items() if a in set().union(*ran)}
    rows = [["further forms, accuracy in per cent", *sets]]
    for label, name in known.items():
        for suffix in ("", AS_STREAM):
            cells = [recorded.summary(one, name + suffix).text(100.0, 1) for one in sets.values()]
            if set(cells) != {"-"}:
                rows.append([label + suffix, *cells])
    return [as_markdown(rows), ""]


def reasons(recorded: ComparedRuns, system: str) -> str:
    """Of each cell that does not come out, in which other form it does."""
    name = REPRODUCED[system]
    scaled = ON_SCALED_INPUTS.get(system, "")
    others = {f"{name}{AS_STREAM}": "as a stream", f"ALMMo-0{RAW}": "on raw inputs"}
    if system != "ALMMo-0*":
        del others[f"ALMMo-0{RAW}"]
    if scaled:
        others |= {scaled: "on scaled inputs", f"{scaled}{AS_STREAM}": "scaled and as a stream"}
    if system == "EFNN-NullUni":
        others[FURTHER["EFNN-NullUni, u and g chosen, raw"]] = "with u and g chosen"
        others[FURTHER["EFNN-NullUni, u and g chosen, scaled"]] = "scaled, with u and g chosen"
    told = []
    for acronym in recorded.where(SETS, (name,)):
        if is_within(recorded, system, name, acronym):
            continue
        mean = ACCURACY[acronym][COMPARED.index(system)][0]
        found = 100 * recorded.mean(SETS[acronym], name)
        known = [other for other in others if recorded.has(SETS[acronym], (other,))]
        fits = [others[one] for one in known if is_within(recorded, system, one, acronym)]
        why = f"it comes out {fits[0]}" if fits else "in no form that was run"
        told.append(f"{acronym} {found:.1f} for {mean:.1f}, {why}")
    return f"- {system} ({DOUBTS[system]}): {'; '.join(told) or listed([])}."
