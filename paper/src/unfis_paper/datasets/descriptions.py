"""What is known of the paper's data sets: sizes, columns, checksums, sources."""

from __future__ import annotations

from typing import NamedTuple


class Description(NamedTuple):
    """What is known of a data set."""

    acronym: str  # the paper's
    rows: int
    checksum: str  # of its rows in any order, see `digest`
    source: str
    citation: str
    file: str = ""  # its name in the folder, "" of those that scikit-learn has
    order: str = ""  # the beginning of the digest of its rows in their order, if that can differ
    columns: tuple[str, ...] = ()  # its inputs in their order, () where they are scikit-learn's
    openml: tuple[str, int] | None = None  # name and version there
    classes: dict[str, str] | None = None  # OpenML's labels
    left_out: tuple[str, ...] = ()  # columns
    categories: tuple[str, ...] = ()  # columns that are categories, by text or by code


AUTISM = Description(
    "AUT",
    1054,
    "e842cd71574ef4d2ae173e4a9ced32050c8a36f87a9674b8c3a6903e066aa664",
    "Autistic Spectrum Disorder Screening Data for Toddlers, July 2018",
    "F. Thabtah, 2018. The class is 'Qchat-10-Score above 3', the score the sum of A1 to A10.",
    file="autism.csv",
    order="ea338a611cf80959",
    columns=(
        "Case_No",
        *(f"A{number}" for number in range(1, 11)),
        "Age_Mons",
        "Qchat-10-Score",
        "Sex",
        "Ethnicity",
        "Jaundice",
        "Family_mem_with_ASD",
        "Who completed the test",
    ),
    left_out=("Case_No", "Qchat-10-Score"),
    categories=("Sex", "Ethnicity", "Jaundice", "Family_mem_with_ASD", "Who completed the test"),
)

DATASETS = {
    "haberman": Description(
        "HAB",
        306,
        "b354b65ed8b82e0a9f713576b7fe8bbc4ecd159b9cc0c277d2169e5bb4d10c35",
        "UCI, Haberman's Survival",
        "S. J. Haberman, 1976; donor T.-S. Lim, 1999.",
        file="haberman.csv",
        order="ac38b2604e1aa6c8",
        columns=("age", "operation_year", "positive_axillary_nodes"),
        openml=("haberman", 1),
        classes={"1": "survived_5_years_or_longer", "2": "died_within_5_years"},
    ),
    "cryotherapy": Description(
        "CRI",
        90,
        "c8293ba86c12ca646c8eb9d9fe503ea573d8cac977ac60fa4e319fc2a90520bc",
        "UCI, Cryotherapy",
        "F. Khozeimeh et al., 2017.",
        file="cryotherapy.csv",
        order="32cfe1c262f455a0",
        columns=("sex", "age", "Time", "Number_of_Warts", "Type", "Area"),
        categories=("Type",),
    ),
    "heart": Description(
        "HEA",
        270,
        "3e5b07e15db422f6b0f85882dc465b89ff2ea1ecd15758e8bb1509a6b6f5d2af",
        "UCI, Statlog (Heart)",
        "R. Detrano et al., 1989.",
        file="heart.csv",
        order="8d7a091e234110e0",
        columns=(
            "age",
            "sex",
            "chest_pain_type",
            "resting_blood_pressure",
            "serum_cholestoral",
            "fasting_blood_sugar",
            "resting_electrocardiographic_results",
            "maximum_heart_rate_achieved",
            "exercise_induced_angina",
            "oldpeak",
            "slope",
            "number_of_major_vessels",
            "thal",
        ),
        openml=("heart-statlog", 1),
        classes={"absent": "absence", "present": "presence"},
        categories=("chest_pain_type", "resting_electrocardiographic_results", "thal"),
    ),
    "autism": AUTISM,
    "autism-17": AUTISM._replace(left_out=("Case_No",)),
    "autism-18": AUTISM._replace(left_out=()),
    "iris": Description(
        "IRI",
        150,
        "dd7f963b2f122a72899144a808a8b23fcad98790f0bbd7711dc3ac0a8834881b",
        "scikit-learn, load_iris",
        "R. A. Fisher, 1936.",
    ),
    "thyroid": Description(
        "THY",
        215,
        "6fb85d863ea2516f7d141921c63df9d68f776df2a3a3532fa2184f07b33c5145",
        "UCI, Thyroid Disease, new-thyroid",
        "D. Coomans; donor S. Aeberhard, 1992.",
        file="thyroid.csv",
        order="f7e99188953acffa",
        columns=(
            "T3_resin_uptake",
            "total_serum_thyroxin",
            "total_serum_triiodothyronine",
            "basal_TSH",
            "max_abs_TSH_difference",
        ),
        openml=("thyroid-new", 1),
        classes={"1": "normal", "2": "hyper", "3": "hypo"},
    ),
    "wine": Description(
        "WIN",
        178,
        "1e96f5730eeccbb2b558f3bb82e91ba5949a08080d14acaa95ac08fb08fcc090",
        "scikit-learn, load_wine",
        "M. Forina et al.; donor S. Aeberhard, 1991.",
    ),
}
