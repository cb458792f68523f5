"""What the paper prints: its tables, number by number."""

from __future__ import annotations

from collections.abc import Iterable

# The sets in the paper's order: acronym -> name here, without inputs that give the class away.
WITHOUT_LEAK = {
    "HAB": "haberman",
    "CRI": "cryotherapy",
    "HEA": "heart",
    "AUT": "autism",
    "IRI": "iris",
    "THY": "thyroid",
    "WIN": "wine",
}
# As printed: the 18 inputs of AUT are only reached with the case number and the score.
SETS = {**WITHOUT_LEAK, "AUT": "autism-18"}
# Other forms of a set, by the name of each and what it is called in tables.
FORMS = {"AUT": {"autism-17": "AUT (17 columns)", "autism": "AUT (16 columns)"}}
# The share of the rows that a random split tests on.
TEST_SHARE = 0.3
COMPARED = ("EFNN-NullUni", "UNInull-FNN", "ALMMo-0*", "EFNHN", "EFNN", "FNN", "UNFIS")

# Table I: hyperparameters of the proposed algorithm.
HYPERPARAMETERS = {
    "minibatch size (M)": 32,
    "damping (lambda)": 1e3,
    "eta": 1e-3,
    "smoothing (beta)": 0.9,
    "epochs": 100,
    "rules (R)": 2,
}
# Table II: features, size of the training set, of the test set, classes.
CHARACTERISTICS = {
    "HAB": (3, 214, 92, 2),
    "CRI": (6, 63, 27, 2),
    "HEA": (13, 189, 81, 2),
    "AUT": (18, 737, 316, 2),
    "IRI": (4, 105, 45, 3),
    "THY": (5, 150, 65, 3),
    "WIN": (13, 124, 54, 3),
}
# Inputs of every form of a set.
INPUT_COUNTS = {name: CHARACTERISTICS[acronym][0] for acronym, name in SETS.items()}
INPUT_COUNTS |= {"autism-17": 17, "autism": 16}
# Table III: number of active features of rules 1 and 2.
ACTIVE = {
    "HAB": (1.33, 1.35),
    "CRI": (2.55, 2.40),
    "HEA": (6.77, 6.76),
    "AUT": (8.37, 8.76),
    "IRI": (2.29, 3.31),
    "THY": (2.95, 3.23),
    "WIN": (7.50, 6.64),
}


def by_acronym(text: str) -> dict[str, list[tuple[float, float]]]:
    """Means with their deviations as they are printed, a line for each set."""
    lines = [line.split() for line in text.strip().splitlines()]
    return {
        acronym: [
            (float(mean), float(deviation))
            for mean, _, deviation in (cell.partition("±") for cell in cells)
        ]
        for acronym, *cells in lines
    }


# Table IV: accuracy in per cent with its deviation, in the order of COMPARED.
ACCURACY = by_acronym(
    """
    HAB 76.06±2.99 73.36±3.92 71.25±2.45 58.07±7.37 73.11±4.32 74.6±4.52 74.2±4.3
    CRI 81.26±7.16 82.46±9.06 78.25±1.65 70.98±10.17 81.48±9.72 52.47±10.7 84.69±8.68
    HEA 80.12±4.28 66.17±10.08 71.12±6.21 63.25±5.79 79.14±4.36 52.19±3.49 81.26±3.77
    AUT 95.98±4.42 76.37±2.58 79.99±1.14 77.61±8.75 81.36±4.52 68.71±0.78 98.03±1.97
    IRI 96.17±5.44 94.51±3.53 85.98±7.12 88.59±12.87 82.96±9.02 72.11±17.25 96.25±2.69
    THY 89.54±3.14 85.07±4.27 81.85±3.3 65.2±13.08 82.46±6.18 79.43±3.94 94.72±2.7
    WIN 61.13±7.43 65.34±14.21 61.11±2.75 62.66±7.21 62.07±12.12 47.32±10.36 74.2±12.48
    """
)
# Table V: "AUC", which is balanced accuracy by its formula, with its deviation. The deviation of
# UNFIS on AUT is printed as 0.1402, where 0.0140 is likely meant.
BALANCED = by_acronym(
    """
    HAB 0.5625±0.02 0.5755±0.03 0.5355±0.07 0.5449±0.06 0.5435±0.04 0.5356±0.0438 0.5793±0.0515
    CRI 0.7998±0.08 0.8242±0.08 0.7855±0.07 0.7013±0.09 0.7878±0.07 0.5483±0.072 0.8508±0.0883
    HEA 0.7976±0.03 0.6439±0.11 0.6239±0.09 0.5847±0.06 0.7743±0.04 0.488±0.0201 0.8095±0.0383
    AUT 0.9676±0.04 0.7278±0.13 0.7562±0.06 0.7768±0.08 0.8167±0.04 0.4998±0.0046 0.9774±0.1402
    """
)


def acronyms_of(names: Iterable[str]) -> list[str]:
    """The paper's sets that are named, by acronym or name, in any form and case; all for none."""
    known: dict[str, str] = {}
    for acronym in SETS:
        forms = {acronym, WITHOUT_LEAK[acronym], SETS[acronym], *FORMS.get(acronym, {})}
        known |= {form.lower(): acronym for form in forms}
    wanted = set()
    for name in names:
        if name.lower() not in known:
            choices = ", ".join(f"{name} ({acronym})" for acronym, name in WITHOUT_LEAK.items())
            raise ValueError(f"There is no set {name!r}; choose from {choices}.")
        wanted.add(known[name.lower()])
    return [acronym for acronym in SETS if not wanted or acronym in wanted]
