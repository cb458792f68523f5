"""The cases of the conformance table: a table of text each, and rules that add up on it."""

from dataclasses import dataclass, replace
from functools import cache
from math import inf, nextafter

import numpy as np

from unfis.additive import UNFISClassifier
from unfis.additive.model.ranges import Ranges
from unfis.additive.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown
from unfis.additive.text import Names
from unfis.data import Notation
from unfis.data.columns import Input, TableColumns

ROWS = 40
PLAIN = Notation()


@dataclass(frozen=True)
class Case:
    """Cells of text by the names of columns, their kinds, and a model on them."""

    cells: dict
    kinds: tuple  # "number", "boolean", or the categories of each column
    rules: RuleModel
    classes: tuple = ()  # none of a number
    costs: tuple = ()
    notation: Notation = PLAIN
    separator: str = ","
    has_types: bool = True  # whether those who guess types read the same in it

    @property
    def model(self):
        """All that exports look at of a fitted model."""
        names = tuple(self.cells)
        return model_of(names, self.kinds, self.rules, self.classes, self.costs, self.notation)


def model_of(names, kinds, rules, classes=(), costs=(), notation=PLAIN):
    inputs = tuple(map(input_of, names, kinds))
    columns = TableColumns(names, inputs, np.array(classes), notation)
    outputs = tuple(map(str, classes)) or ("the number",)
    called = Names(names, tuple(one.categories for one in inputs), outputs)
    ranges = Ranges.of(np.zeros((1, len(names))))
    return replace(
        any_model(), columns=columns, names=called, rules=rules, evidence=(), costs=costs,
        ranges=ranges,
    )  # fmt: skip


@cache
def any_model():
    rows = np.arange(12.0)[:, None]
    return UNFISClassifier(max_rules=1).fit(rows, rows[:, 0] > 5).model_


def input_of(name, kind):
    categories = {"number": (), "boolean": (False, True)}.get(kind, kind)
    word = kind if isinstance(kind, str) else "category"
    return Input(name, word, categories, slice(0, 1), np.zeros(1), np.ones(1))


# Of the mixed table: every shape of a condition, sharp edges at values that there are.
AGE, DOSE, SMOKER, WARD, SEX = range(5)
RULES = (
    Rule((Trapezoid(AGE, 40.0, 60.0),), 0, 3.0),
    Rule((Trapezoid(DOSE, c=2.0, d=3.5, unknown=0.4),), 0, -2.0),
    Rule((Trapezoid(SMOKER, 0.5, 0.5, unknown=0.25),), 0, 1.5),
    Rule((Kinds(WARD, (0, 2), unknown=1.0), Trapezoid(AGE, 30.0, 30.0, 70.0, 70.0, 0.3)), 0, -1.0),
    Rule((Kinds(SEX, (1,)), Trapezoid(DOSE, 1.0, 2.0, 3.0, 4.0), Kinds(WARD, (1,))), 0, 4.0),
    Rule((Unknown(DOSE),), 0, 0.75),
    Rule((Unknown(WARD), Trapezoid(AGE, 20.0, 50.0, unknown=1.0)), 0, -0.625),
    Rule((Kinds(SEX, (0,), unknown=0.5),), 0, 0.5),
)
TWO = RuleModel(RULES, (-1.25,), 0.8, "logistic")
KINDS = ("number", "number", "boolean", ("east", "north", "west"), ("female", "male"))


def of_classes(count, unit=0.7):
    """The rules dealt out to several classes."""
    rules = tuple(replace(rule, output=n % count) for n, rule in enumerate(RULES))
    return RuleModel(rules, tuple(n / 4 for n in range(count)), unit, "softmax")


def mixed(seed=0):
    """Numbers, truth values and categories as plain text."""
    generator = np.random.default_rng(seed)
    dose = generator.normal(2.5, 1, ROWS).round(2)
    dose = np.where(generator.random(ROWS) < 0.3, dose.round(), dose)
    return {
        "age": [str(value) for value in generator.choice([*range(18, 90), 30, 70], ROWS)],
        "dose": [str(value) for value in dose],
        "smoker": ["Yes" if value else "No" for value in generator.random(ROWS) < 0.4],
        "ward": generator.choice(["east", "north", "west"], ROWS).tolist(),
        "sex": generator.choice(["female", "male"], ROWS).tolist(),
    }


def with_cells(change, seed=1, share=0.2):
    """The mixed table with some of its cells changed."""
    generator = np.random.default_rng(seed)
    return {
        name: [change(cell) if generator.random() < share else cell for cell in cells]
        for name, cells in mixed(seed).items()
    }


def drawn(words, seed=2):
    """One of these words at each call."""
    chosen = iter(np.random.default_rng(seed).choice(words, 10_000))
    return lambda *_: str(next(chosen))


def case(cells=None, rules=TWO, classes=("ill", "well"), **others):
    cells = with_cells(drawn([""])) if cells is None else cells
    return Case(cells, KINDS, rules, classes, **others)


def number(rules=RULES, start=12.5, link="identity", unit=1.0):
    return case(rules=RuleModel(rules, (start,), unit, link), classes=())


def one_column(values, rules, link="identity", kinds="number", **others):
    """A column of these cells, and rules that add to a number."""
    return Case({"x": list(values), "row": list(map(str, range(len(values))))}, (kinds, "number"),
                RuleModel(tuple(rules), (0.5,), 1.0, link), **others)  # fmt: skip


def decimal_comma():
    cells = with_cells(drawn([""]))
    cells["dose"] = [cell.replace(".", ",") for cell in cells["dose"]]
    return case(cells, notation=Notation(","), separator=";")


def numbers_that_are_missing():
    """A truth value that is false is no number 0, and infinite may be missing."""
    cells = mixed(3)
    lost = with_cells(drawn(["0", "0.00", "inf"]), 3)
    cells |= {"age": lost["age"], "dose": lost["dose"]}
    return case(cells, notation=Notation.of(".", ["0", "inf"]))


def plus_and_minus():
    """What a category spells is not missing."""
    cells = mixed(4)
    cells["sex"] = ["+" if cell == "male" else "-" for cell in cells["sex"]]
    return replace(case(cells), kinds=(*KINDS[:4], ("+", "-")))


def truth_values_as_categories():
    """Those who guess types read truth values; DuckDB in letters too."""
    cells = mixed(5)
    cells["sex"] = ["T" if cell == "male" else "F" for cell in cells["sex"]]
    cells["smoker"] = ["TRUE" if cell == "Yes" else "FALSE" for cell in cells["smoker"]]
    return replace(case(cells), kinds=(*KINDS[:4], ("F", "T")))


def codes():
    """Categories that are numbers to whoever does not know better."""
    cells = with_cells(drawn(["?", ""]), 6)
    wards = {"east": "1", "north": "2", "west": "10"}
    cells["ward"] = [wards.get(cell, cell) for cell in cells["ward"]]
    cells["sex"] = [{"female": "01", "male": "02"}.get(cell, cell) for cell in cells["sex"]]
    return replace(case(cells), kinds=(*KINDS[:3], ("1", "2", "10"), ("01", "02")))


def numbers_as_categories():
    """Categories that are whole numbers, other numbers and truth values, some of them unseen."""
    cells = mixed(7)
    cells["ward"] = drawn_cells(["1", "2", "10", "3", "", " 2"])
    cells["sex"] = drawn_cells(["0.5", "0.25", "0.3", "NA"])
    cells["smoker"] = drawn_cells(["true", "False", "", "1", "0"])
    kinds = ("number", "number", (False, True), (1, 2, 10), (0.25, 0.5))
    rules = tuple(
        replace(rule, conditions=(Kinds(SMOKER, (1,), 0.25),)) if rule.inputs == (SMOKER,) else rule
        for rule in RULES
    )
    return replace(case(cells, rules=replace(TWO, rules=rules)), kinds=kinds, has_types=False)


def drawn_cells(words):
    draw = drawn(words)
    return [draw() for _ in range(ROWS)]


def unseen():
    cells = mixed(8)
    cells["ward"] = drawn_cells(["east", "the moon", "East", "west ", "", "north"])
    cells["sex"] = drawn_cells(["male", "MALE", "?", "female"])
    return case(cells)


def extreme_values():
    cells = mixed(9)
    cells["age"] = drawn_cells(["1e308", "-1e308", "1e-300", "1e15", "-0", "1e5", "5e-324", "40"])
    cells["dose"] = drawn_cells(["-1e308", "1e308", "-1e-300", "+2", ".5e1", "2.", "3.5E0"])
    return case(cells)


def sizes():
    generator = np.random.default_rng(10)
    base = generator.normal(size=(ROWS, 3))
    columns = [1e9 + base[:, 0].round(3), 1e-9 * base[:, 1], 1e100 * base[:, 2]]
    cells = {f"c{j}": [repr(value) for value in one.tolist()] for j, one in enumerate(columns)}
    rules = (
        Rule((Trapezoid(0, 1e9 - 0.5, 1e9 + 0.25),), 0, 2.0),
        Rule((Trapezoid(1, -1e-9, -1e-10, 1e-10, 1.5e-9),), 0, -1e-3),
        Rule((Trapezoid(2, c=-1e100, d=1.5e100),), 0, 1e3),
    )
    return Case(cells, ("number",) * 3, RuleModel(rules, (1e-3,)), has_types=True)


def sharp_edges():
    """At exactly their values, and next to them."""
    edges = [-2.5, 0.0, 0.1, 1 / 3, 5.1, 1e9]
    near = [nextafter(edge, end) for edge in edges for end in (-inf, inf)]
    values = [repr(value) for value in [*edges, *near]] + ["", "-0.0"]
    rules = []
    for n, edge in enumerate(edges):
        rules.append(Rule((Trapezoid(0, edge, edge, unknown=0.1),), 0, 2.0**n))
        rules.append(Rule((Trapezoid(0, c=edge, d=edge),), 0, 0.5 ** (n + 2)))
    return one_column(values, rules)


def bands():
    """Ranges that meet share no value; some have no core, one nothing at all."""
    values = [str(value) for value in [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 10, -1]] + [""]
    ends = [(0, 1, 1, 2), (1, 1, 2, 2), (2, 2, 3, 3), (0, 0, 3, 4), (3, 3, 3, 3), (-1, 0, 10, 10)]
    rules = [
        Rule((Trapezoid(0, *map(float, four), unknown=0.3),), 0, 10.0**n)
        for n, four in enumerate(ends)
    ]
    return one_column(values, rules)


def shoulders():
    """Ranges without an end, and one without any."""
    rules = [
        Rule((Trapezoid(0, 1.0, 2.0, unknown=0.5),), 0, 1.0),
        Rule((Trapezoid(0, c=1.5, d=2.5),), 0, 10.0),
        Rule((Trapezoid(0, unknown=0.125),), 0, 100.0),
    ]
    return one_column(["1", "1.25", "1.75", "2", "2.25", "1e308", "-1e308", "", "-5"], rules)


def one_input_twice():
    three = Trapezoid(0, 1.0, 2.0), Trapezoid(0, c=2.0, d=3.0), Trapezoid(0, c=2.5, d=2.5)
    rules = [Rule(three, 0, 8.0)]
    return one_column(["1", "1.5", "2", "2.25", "2.5", "2.75", "3", ""], rules)


HOSTILE = ['a"b', "two\nlines", "SELECT", "größe 日本", "predicted"]
WORDS = ["it's", '"""', "</script>", "\\", "x; --"]


def hostile_names(names=HOSTILE, kinds=tuple(WORDS), classes=("'); DROP TABLE data; --", "\u2028")):
    cells = dict(zip(names, mixed(11).values(), strict=True))
    cells[names[WARD]] = drawn_cells([*kinds[:3], "other"])
    cells[names[SEX]] = drawn_cells(kinds[3:])
    return Case(cells, (*KINDS[:3], kinds[:3], kinds[3:]), TWO, classes)


def blanks_in_kinds():
    """Categories with blanks around them, beside the same without."""
    cells = mixed(12)
    cells["ward"] = drawn_cells(["a", " a", "a ", "b ", "b", ""])
    return replace(case(cells), kinds=(*KINDS[:3], (" a", "a", "b "), KINDS[4]), has_types=False)


def nothing_known():
    """Conditions on a category of which training knew no kind."""
    rules = [
        Rule((Unknown(0), Trapezoid(1, 1.0, 3.0)), 0, 5.0),
        Rule((Kinds(0, (), 0.25), Trapezoid(1, 2.0, 2.0)), 0, 1.0),
    ]
    return one_column(["", "a", "?", "1", "b"], rules, kinds=())


def trailing_space():
    blanks = drawn([" ", "\t", "\xa0"])
    return case(with_cells(lambda cell: cell + blanks()))


def several(count, **others):
    return case(
        rules=of_classes(count), classes=tuple(f"class {n}" for n in range(count)), **others
    )


def without_rules(one):
    return replace(one, rules=replace(one.rules, rules=()))


COSTS = ((0.0, 3.0, 1.0), (20.0, 0.0, 1.0), (4.0, 5.0, 0.5))

CASES = {
    "two classes": case,
    "three classes": lambda: several(3),
    "twelve classes": lambda: several(12),
    "a number": number,
    "a sum that starts at 0": lambda: number(RULES, 0.0, unit=0.1),
    "a count": lambda: number(RULES, 0.5, "exp", 0.3),
    "no rules, two classes": lambda: without_rules(case()),
    "no rules, three classes": lambda: without_rules(several(3)),
    "no rules, a number": lambda: without_rules(number()),
    "costs of two classes": lambda: case(costs=((0.0, 1.0), (9.0, 0.0))),
    "costs of three classes": lambda: several(3, costs=COSTS),
    "classes that are numbers": lambda: case(classes=(3, 7)),
    "classes that are truth values": lambda: case(classes=(False, True)),
    "classes that are shares": lambda: case(classes=(0.5, 1.5)),
    "far from undecided": lambda: case(rules=replace(TWO, unit=400.0)),
    "trailing space": trailing_space,
    "leading space": lambda: case(with_cells(lambda cell: f"  {cell}")),
    "question marks": lambda: case(with_cells(lambda _: "?")),
    "every word for missing": lambda: case(
        with_cells(drawn(["", "NA", "n/a", "#N/A", "<NA>", "NaN", "null", "?", "-", " ? "]))
    ),
    "own words for missing": lambda: case(
        with_cells(drawn(["-999", "unknown", "Unknown ", "-999.0", ""])),
        notation=Notation.of(".", ["-999", "-999.0", "unknown"]),
    ),
    "numbers that are missing": numbers_that_are_missing,
    "decimal comma": decimal_comma,
    "plus and minus": plus_and_minus,
    "spellings of truth": lambda: case(
        mixed() | {"smoker": drawn_cells(["YES", "no", "True", "false", "1", "0", "1.0", ""])}
    ),
    "truth values as categories": truth_values_as_categories,
    "codes": codes,
    "numbers as categories": numbers_as_categories,
    "unseen kinds": unseen,
    "blanks in kinds": blanks_in_kinds,
    "nothing known": nothing_known,
    "extreme values": extreme_values,
    "sizes": sizes,
    "sharp edges": sharp_edges,
    "bands": bands,
    "shoulders": shoulders,
    "one input twice": one_input_twice,
    "hostile names": hostile_names,
    "hostile classes": lambda: hostile_names(classes=("probability_x", "Größe 'x'")),
}
