"""The cases of the conformance table: a file of text each, and how a model is fitted on it."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from rule_tables import AVERAGED_KINDS

TARGET = "answer"


@dataclass(frozen=True)
class Case:
    """A table as text, and what to fit on it; the `extra` rows are only predicted."""

    columns: dict  # cells of text by name
    labels: list
    settings: dict = field(default_factory=dict)
    extra: dict = field(default_factory=dict)
    separator: str = ","
    decimal: str | None = None
    missing: tuple | None = None
    categorical: tuple = ()
    averaged: tuple | None = None  # of rule_tables, in place of the network that was fitted


SOFT = {"n_rules": 2, "selection": "soft", "ridge": 0.15}
DECISIVE = {"n_rules": 2, "ridge": 0.3}


def mixed(rows=150, seed=0):
    """Numbers, truth values and categories as plain text, and the classes they make."""
    generator = np.random.default_rng(seed)
    age = generator.integers(18, 90, rows)
    dose = generator.normal(3, 1, rows).round(2)
    smoker = generator.random(rows) < 0.4
    ward = generator.choice(["east", "north", "west"], rows)
    sex = generator.choice(["female", "male"], rows)
    score = 0.05 * (age - 50) + 1.5 * smoker + 1.2 * (ward == "east") + 0.5 * (dose - 3)
    score += 0.3 * generator.normal(size=rows)
    columns = {
        "age": [str(value) for value in age],
        "dose": [str(value) for value in dose],
        "smoker": ["Yes" if value else "No" for value in smoker],
        "ward": ward.tolist(),
        "sex": sex.tolist(),
    }
    return columns, np.where(score > 0.5, "ill", "well").tolist()


def with_cells(columns, change, share=0.2, seed=1):
    """The same columns with some of their cells changed."""
    generator = np.random.default_rng(seed)
    return {
        name: [change(cell) if generator.random() < share else cell for cell in cells]
        for name, cells in columns.items()
    }


def yes_and_no():
    columns, labels = mixed(600)
    return Case(columns, labels, DECISIVE)


def trailing_space():
    columns, labels = mixed(600)
    blanks = iter(np.random.default_rng(2).choice([" ", "  ", "\t", "\xa0"], 10_000))
    return Case(with_cells(columns, lambda cell: f"{cell}{next(blanks)}"), labels, SOFT)


def leading_space():
    columns, labels = mixed(seed=3)
    return Case(with_cells(columns, lambda cell: f"  {cell}"), labels, SOFT)


def question_marks():
    columns, labels = mixed(600)
    return Case(with_cells(columns, lambda _: "?", share=0.1), labels, SOFT)


def every_word_for_missing():
    columns, labels = mixed(seed=4)
    words = ["", "NA", "n/a", "#N/A", "<NA>", "NaN", "null", "?", "-", " ? "]
    chosen = iter(np.random.default_rng(5).choice(words, 10_000))
    return Case(with_cells(columns, lambda _: str(next(chosen))), labels, SOFT)


def own_words_for_missing():
    columns, labels = mixed(seed=6)
    words = ["-999", "unknown", "Unknown ", "-999.0", ""]
    chosen = iter(np.random.default_rng(7).choice(words, 10_000))
    columns = with_cells(columns, lambda _: str(next(chosen)))
    return Case(columns, labels, SOFT, missing=("-999", "-999.0", "unknown"))


def numbers_that_are_missing():
    """A truth value that is false is no number 0, and infinite may be missing."""
    columns, labels = mixed(seed=17)
    chosen = iter(np.random.default_rng(18).choice(["0", "0.00", "inf"], 10_000))
    lost = with_cells(columns, lambda _: str(next(chosen)))
    columns |= {"age": lost["age"], "dose": lost["dose"]}
    columns["warm"] = ["False" if cell == "Yes" else "True" for cell in columns["smoker"]]
    return Case(columns, labels, SOFT, missing=("0", "inf"))


def decimal_comma():
    columns, labels = mixed(seed=8)
    columns["dose"] = [cell.replace(".", ",") for cell in columns["dose"]]
    return Case(columns, labels, SOFT, separator=";", decimal=",")


def plus_and_minus():
    columns, labels = mixed(seed=9)
    columns["smoker"] = ["+" if cell == "Yes" else "-" for cell in columns["smoker"]]
    return Case(columns, labels, SOFT)


def spellings_of_truth():
    columns, labels = mixed(seed=10)
    spelled = {"Yes": ["YES", "yes", "True", "true"], "No": ["NO", "no", "False", "false"]}
    columns["smoker"] = [spelled[cell][n % 4] for n, cell in enumerate(columns["smoker"])]
    extra = {
        **{name: cells[:4] for name, cells in columns.items()},
        "smoker": ["1", "0", "1.0", ""],
    }
    return Case(columns, labels, SOFT, extra=extra)


def categories_that_are_truth_values():
    """Those who guess types read truth values; DuckDB in letters too."""
    columns, labels = mixed(seed=19)
    smoker, sex = columns["smoker"], columns["sex"]
    columns["smoker"] = ["TRUE" if cell == "Yes" else "FALSE" for cell in smoker]
    columns["sex"] = ["T" if cell == "male" else "F" for cell in sex]
    columns["fever"] = ["" if n % 7 == 0 else cell.lower() for n, cell in enumerate(smoker)]
    return Case(columns, labels, SOFT, categorical=("smoker", "fever"))


def codes():
    """Categories that are numbers to whoever does not know better."""
    columns, labels = mixed(seed=11)
    columns["ward"] = [{"east": "1", "north": "2", "west": "10"}[cell] for cell in columns["ward"]]
    columns["sex"] = [{"female": "01", "male": "02"}[cell] for cell in columns["sex"]]
    return Case(columns, labels, SOFT, categorical=("ward", "sex"))


def codes_with_missing():
    case = codes()
    columns = with_cells(case.columns, lambda _: "?", share=0.1)
    return Case(columns, case.labels, SOFT, categorical=case.categorical)


def unseen_and_empty():
    columns, labels = mixed(seed=12)
    extra = {
        "age": ["40", "", "NA", "50"],
        "dose": ["", "", "2.5", "3"],
        "smoker": ["Yes", "", "no", "?"],
        "ward": ["the moon", "", "East", "west "],
        "sex": ["", "", "male", "female"],
    }
    return Case(columns, labels, SOFT, extra=extra)


def extreme_values(**settings):
    columns, labels = mixed(seed=13)
    far = ["1e308", "-1e308", "1e-300", "1e15", "-0", "1e5"]
    rest = {name: cells[:6] for name, cells in columns.items()}
    extra = {**rest, "age": far, "dose": far[::-1]}
    return Case(columns, labels, settings or SOFT, extra=extra)


def sizes():
    generator = np.random.default_rng(14)
    base = generator.normal(size=(120, 3))
    columns = {
        "far": [repr(1e9 + value) for value in base[:, 0].round(3).tolist()],
        "tiny": [repr(1e-9 * value) for value in base[:, 1].tolist()],
        "large": [repr(1e100 * value) for value in (base[:, 0] - base[:, 1]).tolist()],
    }
    return Case(columns, np.where(base[:, 0] + base[:, 1] > 0, "7", "3").tolist(), SOFT)


def many_classes():
    generator = np.random.default_rng(15)
    codes = np.arange(240) % 12
    centres = generator.normal(0, 5, (12, 4))
    values = (centres[codes] + generator.normal(size=(240, 4))).round(3)
    columns = {f"c{j}": [str(v) for v in values[:, j]] for j in range(4)}
    return Case(columns, [f"class {code}" for code in codes], {**SOFT, "n_rules": 5})


def model_of(**settings):
    """The mixed table with some cells missing, and a kind of model."""
    columns, labels = mixed(seed=16)
    return Case(with_cells(columns, lambda _: "", share=0.1), labels, settings)


def averaged_case(kind):
    """A made network of averaged rules, missing cells, and rows of nothing known or far away."""
    case = extreme_values()
    nothing = {name: ["", ""] for name in case.columns}
    extra = {name: [*cells, *nothing[name]] for name, cells in case.extra.items()}
    columns = with_cells(case.columns, lambda _: "", share=0.1)
    return Case(columns, case.labels, SOFT, extra=extra, averaged=AVERAGED_KINDS[kind])


def given_rules():
    """Rules given by hand: open ends, ranges, kinds, and rows on their ends and far beyond them."""
    case = extreme_values()
    rules = [
        "IF age >= 60 AND smoker is yes THEN ill",
        "IF 2 < dose <= 3.5 AND ward is not west THEN well with 80 %",
        "IF age < 30 AND sex is male THEN well",
    ]
    ends = {
        "age": ["60", "59", "61", "30", "29"],
        "dose": ["2", "3.5", "3.51", "2.01", ""],
        "smoker": ["Yes", "No", "", "Yes", "No"],
        "ward": ["east", "west", "north", "", "the moon"],
        "sex": ["male", "", "female", "male", "male"],
    }
    extra = {name: [*cells, *ends[name]] for name, cells in case.extra.items()}
    columns = with_cells(case.columns, lambda _: "", share=0.1)
    return Case(columns, case.labels, {"given_rules": rules}, extra=extra)


CASES = {
    "yes and no": yes_and_no,
    "trailing space": trailing_space,
    "leading space": leading_space,
    "question marks": question_marks,
    "every word for missing": every_word_for_missing,
    "own words for missing": own_words_for_missing,
    "numbers that are missing": numbers_that_are_missing,
    "decimal comma": decimal_comma,
    "plus and minus": plus_and_minus,
    "spellings of truth": spellings_of_truth,
    "categories that are truth values": categories_that_are_truth_values,
    "codes": codes,
    "codes with missing": codes_with_missing,
    "unseen and empty": unseen_and_empty,
    "extreme values": extreme_values,
    "extreme values, decided": lambda: extreme_values(**DECISIVE),
    "sizes": sizes,
    "many classes": many_classes,
    "decisive": lambda: model_of(**DECISIVE),
    "soft": lambda: model_of(**SOFT),
    "no selection": lambda: model_of(**{**SOFT, "selection": "none"}),
    "constant": lambda: model_of(**SOFT, consequents="constant"),
    "constant, decided": lambda: model_of(**DECISIVE, consequents="constant"),
    "unscaled": lambda: model_of(**{**SOFT, "ridge": 1.0}, scale=False),
    "one rule": lambda: model_of(n_rules=1, ridge=0.3),
    "three rules": lambda: model_of(**{**SOFT, "n_rules": 3}),
    "given rules": given_rules,
    **{kind: partial(averaged_case, kind) for kind in AVERAGED_KINDS},
}
