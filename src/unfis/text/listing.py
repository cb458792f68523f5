"""The print of a model: one line a rule, with its points and what the rows show of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unfis.data.costs import Costs
from unfis.fitting.evidence import Evidence, is_contrary
from unfis.rules import Condition, Rule, RuleModel
from unfis.rules.link import LINKS
from unfis.text.answers import answer_lines
from unfis.text.decision import decision_lines
from unfis.text.layout import Line, aligned_columns, paragraph
from unfis.text.names import Names
from unfis.text.notes import category_lists, missing_notes
from unfis.text.numbers import enumerated, number_words, percent, points_words, rounded_words
from unfis.text.together import is_gradual, points_by_range
from unfis.text.words import Wording

GIVEN = "given the others"


def listing(
    model: RuleModel, names: Names, evidence: Sequence[Evidence] = (), costs: Costs = ()
) -> str:
    """A model in words, at most 80 columns wide where names allow."""
    if not model.rules:
        lines = paragraph(no_rules(model, names))
        return "\n".join([*lines, *decision_lines(model, names, costs)])
    order = reading_order(model.rules)
    model = replace(model, rules=tuple(model.rules[n] for n in order))
    whole = Print(model, names, tuple(evidence[n] for n in order) if evidence else ())
    parts = [
        aligned_columns(whole.heads, whole.lines()),
        points_by_range(model, names),
        answer_lines(model, names, is_most_probable=not costs),
        decision_lines(model, names, costs),
        category_lists(whole.wording),
        whole.notes(),
    ]
    return "\n".join(line for part in parts for line in part)


def no_rules(model: RuleModel, names: Names) -> str:
    """What a model without rules answers."""
    answer = LINKS[model.link](model.unit * np.array([model.start]))[0]
    if model.link in ("logistic", "softmax"):
        order = np.argsort(-answer, kind="stable").tolist()
        shares = enumerated([f"{names.output(c)} {percent(answer[c])}" for c in order], "and")
        return f"No rule is better than the commonest class. For every row: {shares}."
    number = number_words(float(answer))
    return f"No rule is better than the mean. For every row: {names.output(0)} {number}."


def reading_order(rules: Sequence[Rule]) -> list[int]:
    """The order of the print: by output, the strongest first, those of one input together."""
    strongest: dict[tuple[int, int], float] = {}
    for rule in rules:
        key = rule.output, rule.inputs[0]
        strongest[key] = max(strongest.get(key, 0.0), abs(rule.points))

    def place(n: int) -> tuple[float, ...]:
        rule = rules[n]
        first = -strongest[rule.output, rule.inputs[0]]
        return rule.output, first, rule.inputs[0], -abs(rule.points)

    order = sorted(range(len(rules)), key=place)
    groups = rules_by_output([rules[n] for n in order])
    return [order[n] for entries in groups.values() for entry in entries for n in entry]


def rules_by_output(rules: Sequence[Rule]) -> dict[int, list[list[int]]]:
    """The rules of each output; those of one IF together, where they have most points."""
    same: dict[tuple[frozenset[Condition], int], list[int]] = {}
    repeats = Counter[tuple[frozenset[Condition], int]]()
    for n, rule in enumerate(rules):
        conditions = frozenset(rule.conditions)
        same.setdefault((conditions, repeats[conditions, rule.output]), []).append(n)
        repeats[conditions, rule.output] += 1
    found: dict[int, list[list[int]]] = {}
    for entry in same.values():
        strongest = sorted(entry, key=lambda n: -abs(rules[n].points))
        found.setdefault(rules[strongest[0]].output, []).append(strongest)
    return {output: sorted(found[output]) for output in sorted(found)}


@dataclass(frozen=True)
class Print:
    """The parts of the print of a model whose rules are in order; no evidence or that of each."""

    model: RuleModel
    names: Names
    evidence: tuple[Evidence, ...]

    @cached_property
    def wording(self) -> Wording:
        """The words of the rules."""
        return Wording(self.model, self.names)

    @property
    def is_share(self) -> bool:
        """Whether the means of targets are shares of a class."""
        return self.model.link in ("logistic", "softmax")

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns."""
        shown = ("rows", "share" if self.is_share else "mean", "found")
        return ("points", *(shown if self.evidence else ()))

    def lines(self) -> list[Line]:
        """Titles and rules; rules with the same IF share a line."""
        found: list[Line] = []
        groups = rules_by_output(self.model.rules)
        for output, entries in groups.items():
            found += [Line("")] if found else []
            found.append(Line(self.title(output)))
            for first, *more in entries:
                text = self.wording.rule(self.model.rules[first])
                found.append(Line(text + self.given(first), self.figures(first), 2))
                for n in more:
                    rule = self.model.rules[n]
                    text = f"and {'for' if rule.points >= 0 else 'against'} "
                    text += self.names.output(rule.output) + self.given(n)
                    found.append(Line(text, self.figures(n), 5))
        rest = [
            f"{self.names.output(c)}, starting at {number_words(start)}"
            for c, start in enumerate(self.model.start)
            if c not in groups
        ]
        return [*found, Line(""), Line(f"No rules for {'; '.join(rest)}")] if rest else found

    def title(self, output: int) -> str:
        """What the points are for, where they start, and what all rows show."""
        one = next(
            (
                one
                for rule, one in zip(self.model.rules, self.evidence, strict=False)
                if rule.output == output and one.overall == one.overall
            ),
            None,
        )
        shown = ""
        if one is not None:
            rows = number_words(round(one.total))
            mean = percent(one.overall) if self.is_share else rounded_words(one.overall)
            shown = f" ({mean} of {rows} rows)" if self.is_share else f" (mean {mean}, {rows} rows)"
        start = f", starting at {number_words(self.model.start[output])}"
        if self.model.link == "softmax":
            return f"Points for {self.names.output(output)}{start}{shown}"
        if self.model.link == "identity":
            return f"{self.names.output(output)}{start}{shown}"
        return f"Points for {self.names.titled_output(-1)}{shown}"

    def given(self, n: int) -> str:
        """A mark of a rule whose own rows show the contrary."""
        contrary = self.evidence and is_contrary(self.model.rules[n], self.evidence[n])
        return f" ({GIVEN})" if contrary else ""

    def figures(self, n: int) -> tuple[str, ...]:
        """The points of a rule and its evidence."""
        points = points_words(self.model.rules[n].points)
        if not self.evidence:
            return (points,)
        one = self.evidence[n]
        mean = percent(one.mean) if self.is_share else rounded_words(one.mean)
        found = f"{one.walks} of {one.of}" if one.of else ""
        return points, number_words(round(one.rows)), mean, found

    def notes(self) -> list[str]:
        """What degrees, figures and missing values mean, as far as this print has them."""
        notes = []
        if is_gradual(self.model.rules):
            notes.append("Between two borders a rule holds in part: halfway, it adds half.")
        if self.evidence:
            whose = "that class" if self.model.link == "softmax" else self.names.titled_output(-1)
            mean = f"share: how many of these are {whose}" if self.is_share else "mean: their mean"
            of = self.evidence[0].of
            found = f"; found: how many of the {of} folds' models have it too" if of else ""
            notes.append(f"rows: how many meet the IF; {mean}{found}.")
        if any(self.given(n) for n in range(len(self.evidence))):
            notes.append(f"{GIVEN}: the rule's own rows show the contrary.")
        notes += missing_notes(self.wording)
        return ["", *(line for note in notes for line in paragraph(note))]
