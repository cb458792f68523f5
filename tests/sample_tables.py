"""Tables of every kind of column that many tests share."""

import numpy as np
import pandas as pd

# Names of inputs, categories and classes that hurt where they are not escaped.
HURTFUL = [
    "<script>alert(1)</script>",
    "a_b^c",
    "x & y",
    "two\nlines\tand tab",
    "n" * 200,
    "فشار خون",
    "血压",
    "100 % {of} $5 #1 ~ \\end{table}",
    "| pipe | *star* `tick` [link](http) !",
    "turned\u202eback",
    "quote\"s & 'apostrophes'",
]


def clinic(rows=120):
    """A table with missing values, two kinds of categories and a truth value."""
    generator = np.random.default_rng(5)
    age = generator.integers(18, 90, rows).astype(float)
    ward = generator.choice(["east", "north", "west"], rows)
    smoker = generator.random(rows) < 0.4
    pressure = (110 + 0.4 * age + 10 * generator.normal(size=rows)).round(1)
    score = 0.05 * (age - 50) + 1.5 * smoker + (ward == "east") + 0.3 * generator.normal(size=rows)
    table = pd.DataFrame(
        {
            "age (years)": age,
            "ward": pd.Categorical(ward),
            "smoker": pd.array(smoker, dtype="boolean"),
            "pressure (mmHg)": pressure,
            "sex": generator.choice(["female", "male"], rows),
        }
    )
    for place, name in enumerate(table.columns):
        table.loc[generator.random(rows) < 0.05 + 0.03 * place, name] = None
    return table, np.where(score > 0.5, "ill", "well")


def ten_classes(rows=300):
    """A table of ten classes, with a category of seven kinds and unknown values of one number."""
    generator = np.random.default_rng(7)
    table = pd.DataFrame(generator.normal(size=(rows, 5)).round(2), columns=list("abcde"))
    table["length (cm)"] = generator.integers(0, 40, rows).astype(float)
    kinds = ["car", "boat", "rent", "school", "garden", "repair", "wedding"]
    table["purpose"] = pd.Categorical(generator.choice(kinds, rows, p=[0.1] * 6 + [0.4]))
    y = np.argsort(np.argsort(table["a"] + table["b"] + (table["purpose"] == "car"))) * 10 // rows
    table.loc[generator.random(rows) < 0.1, "e"] = None
    return table, y.to_numpy()
