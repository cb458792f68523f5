"""Rules in an expert's words, read and written again."""

import re

import numpy as np
import pytest

from unfis.data.columns import Input, column_spans
from unfis.data.notation import Notation
from unfis.rules.given import GivenCondition, GivenRule, range_words
from unfis.rules.given_reader import GivenReader, GivenRulesError

KINDS = {
    "age": ("number", ()),
    "petal width (cm)": ("number", ()),
    "smoker": ("boolean", (False, True)),
    "ward": ("category", ("A", "B", "north and south", "is or")),
    "sex": ("category", ("f", "m")),
    "code": ("category", (1, 2, 10)),
    "rock and roll": ("number", ()),
}
INPUTS = tuple(
    Input(name, kind, kinds, span, np.zeros(1), np.ones(1))
    for (name, (kind, kinds)), span in zip(
        KINDS.items(), column_spans([kinds for _, kinds in KINDS.values()]), strict=True
    )
)
CLASSES = ["well", "very ill", "Well"]
READER = GivenReader(INPUTS, CLASSES, Notation(), lambda _: [10.0, 20.0, 30.0, 40.0])


def condition(text):
    (found,) = READER.rule(f"IF {text} THEN very ill").conditions
    return found


RANGES = {
    "age > 60": ((60, None), (False, False)),
    "age>=60": ((60, None), (True, False)),
    "AGE ≤ 1.5e1": ((None, 15), (False, True)),
    "60 < age": ((60, None), (False, False)),
    "60 >= age": ((None, 60), (False, True)),
    "30 <= age < 40": ((30, 40), (True, False)),
    "40 > age >= 30": ((30, 40), (True, False)),
    "-40 < age < -30": ((-40, -30), (False, False)),
    "age is 30 to 40": ((30, 40), (True, True)),
    "age is above 60": ((60, None), (False, False)),
    "age is at most 60": ((None, 60), (False, True)),
    "age = 3": ((3, 3), (True, True)),
    "age is 3": ((3, 3), (True, True)),
    "age is yes": ((1, 1), (True, True)),
    "age is high": ((30, None), (False, False)),
    "age is very low": ((None, 10), (False, True)),
    "age is medium": ((20, 30), (False, True)),
}


@pytest.mark.parametrize("text", RANGES)
def test_ranges(text):
    assert condition(text) == GivenCondition(0, *RANGES[text])


def test_names_go_by_their_letters_without_unit_or_in_quotes():
    assert condition("petal width > 1.7 cm") == GivenCondition(1, (1.7, None))
    assert condition("Petal Width (cm) > 1.7") == GivenCondition(1, (1.7, None))
    assert condition('"rock and roll" < 3') == GivenCondition(6, (None, 3))


ACCEPTED = {
    "ward is A": (3, (0,)),
    "ward is A or B": (3, (0, 1)),
    "ward is B, A": (3, (0, 1)),
    "ward is not A": (3, (1, 2, 3)),
    "ward is not A or B": (3, (2, 3)),
    'ward is "north and south" or "is or"': (3, (2, 3)),
    "ward = b": (3, (1,)),
    "smoker is yes": (2, (1,)),
    "smoker is not true": (2, (0,)),
    "sex is m": (4, (1,)),
    "code is 10 or 2.0": (5, (1, 2)),
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_kinds(text):
    position, accepted = ACCEPTED[text]
    assert condition(text) == GivenCondition(position, accepted=accepted)


CONCLUSIONS = {
    "well": (0, None),
    "Well": (2, None),
    "VERY ILL.": (1, None),
    '"very ill"': (1, None),
    "very ill with 80 %": (1, 0.8),
    "very ill (80%)": (1, 0.8),
    "very ill with probability 0.8": (1, 0.8),
}


@pytest.mark.parametrize("text", CONCLUSIONS)
def test_classes_and_their_probability(text):
    found = READER.rule(f"if age > 3 then {text}")
    assert (found.label, found.probability) == CONCLUSIONS[text]


def test_lines_and_comments():
    text = '# known since 1990\n\nIF age > 3 THEN well  # surely\n  if ward is "is or" then Well\n'
    found = READER.rules(text)
    assert [rule.label for rule in found] == [0, 2]
    assert READER.rules(text.splitlines()) == found


WRONG = {
    "age > 3": "a rule has one IF and one THEN, such as: IF age > 60",
    "IF age > 3 THEN well THEN well": "one IF and one THEN",
    "IF age > 3 THEN dead": "THEN must name one of the classes 'well', 'very ill', 'Well'",
    "IF age > 3 THEN WELL": "THEN must name one of the classes",
    "IF aeg > 3 THEN well": "there is no input 'aeg'. Did you mean 'age'?",
    "IF age THEN well": "a condition compares a number or names a kind",
    "IF THEN well": "a condition compares a number or names a kind",
    "IF age > many THEN well": "a finite number was expected, got 'many'",
    "IF age > inf THEN well": "a finite number was expected, got 'inf'",
    "IF 5 < age < 3 THEN well": "from a smaller to a larger number, got 5 and 3",
    "IF 3 < age > 5 THEN well": "a range is given as 30 <= age < 40",
    "IF age > 3 AND age < 5 THEN well": "'age' has more than one condition",
    "IF ward is C THEN well": "'C' is no kind of 'ward'. There are 'A', 'B'",
    "IF ward > 3 THEN well": "'ward' is a category, which is no number",
    "IF smoker is maybe THEN well": "'smoker' is yes or no, got 'maybe'",
    "IF smoker is yes or no THEN well": "must name some of its kinds, and not all of them",
    "IF age > 3 THEN well with 100 %": "above 0 % and below 100 %, got 100%",
    "IF age > 3 THEN well with 7": "above 0 % and below 100 %, got 7",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_with_its_line(text):
    with pytest.raises(GivenRulesError, match=r"^given_rules, line 2: "):
        READER.rules(f"IF age > 3 THEN well\n{text}")
    with pytest.raises(GivenRulesError, match=re.escape(WRONG[text])):
        READER.rules([text])


def test_all_wrong_lines_are_told_up_to_five():
    lines = ["IF age > 3 THEN well", *["nonsense"] * 7]
    with pytest.raises(GivenRulesError) as told:
        READER.rules(lines)
    assert [n for n in range(1, 9) if f"rule {n}:" in told.value.wrong] == [2, 3, 4, 5, 6]
    assert told.value.wrong.endswith("2 more are wrong.")


@pytest.mark.parametrize("given", ["", "# nothing", [], ["  "]])
def test_no_rules_are_none(given):
    with pytest.raises(GivenRulesError, match="at least one rule was expected"):
        READER.rules(given)


@pytest.mark.parametrize("given", [3, [3], {"a": 1}])
def test_what_is_no_text_is_refused(given):
    with pytest.raises(ValueError, match="given_rules must be text, or a list of rules"):
        READER.rules(given)


def test_what_is_written_is_read_as_the_same():
    conditions = [condition(text) for text in (*RANGES, *ACCEPTED)]
    for one in conditions:
        for probability in (None, 1 / 3):
            rule = GivenRule((one, condition('"rock and roll" >= 0.1')), 1, probability)
            assert READER.rule(rule.text(INPUTS, CLASSES)) == rule


def test_names_with_quotes_cannot_be_written():
    odd = Input('5" disk', "number", (), slice(0, 1), np.zeros(1), np.ones(1))
    with pytest.raises(ValueError, match="has a double quote in it"):
        GivenRule((GivenCondition(0, (1.0, None)),), 0).text([odd], CLASSES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age > 60", "above 60"),
        ("age >= 60.50", "at least 60.5"),
        ("age < 60", "below 60"),
        ("age <= 60", "at most 60"),
        ("age is 30 to 40", "30 to 40"),
        ("30 <= age < 40", "at least 30 and below 40"),
        ("age = 3", "3"),
    ],
)
def test_ranges_read_as_they_were_given(text, words):
    assert range_words(condition(text)) == words
