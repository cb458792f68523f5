"""Rules as sentences: the same words for text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unfis.rules.data import Condition, Rule, Variable
from unfis.rules.text.numbers import as_given, exact, numbered, percent, rounded
from unfis.rules.text.terms import interval_words, worded_list
from unfis.ties import first_greatest, ranked

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# A rule whose first class is less probable than this names others beside it.
SURE = 0.75
# A class with less than this share, or two shares that differ by less, make no difference.
VISIBLE = 0.01
# An input whose effect on the logit over its span is below this is not worth a word.
WORTH_NAMING = 0.1
# Of a rule's inputs those are named whose effect is at least this share of the strongest one's.
STRONG = 1 / 3
MOST_IN_SENTENCE = 3
# So many inputs are ranked, and so many pairs of rules that overlap are named.
MOST_IMPORTANT = 5
# Characters that would turn the reading direction of what follows them.
TURNS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


class ConditionWords(NamedTuple):
    """A condition in words: name, "is" term, (range)."""

    name: str
    term: str
    range: str


class RuleWords(NamedTuple):
    """A rule in words."""

    title: str
    support: str
    conditions: list[ConditionWords]  # none of a single rule, which always has all the say
    conclusion: str
    classes: list[tuple[str, str, str]]  # class, what the rule says, its share of the rows led


def visible(text: Any) -> str:
    """Text in one line, with what cannot be seen written out."""
    if not str(text).strip():
        return repr(text)
    return "".join(
        repr(char)[1:-1]
        if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") or ord(char) in TURNS
        else char
        for char in str(text)
    )


def labels_of(variables: Sequence[Variable]) -> dict[str, str]:
    """How each input is called: without its unit, where that leaves no two alike."""
    counts = Counter(variable.label for variable in variables)
    return {
        variable.name: visible(variable.label if counts[variable.label] == 1 else variable.name)
        for variable in variables
    }


def class_name(label: Any) -> str:
    """How a class is called: by its name, or by the number or truth value it has for one."""
    return visible(label) if isinstance(label, str) else f"class {label}"


def headline(base: RuleBase) -> str:
    """What the rule base is."""
    rules = numbered(len(base), "rule")
    classes = worded_list([class_name(label) for label in base.classes])
    return f"{rules} for {classes}, learned from {numbered(base.rows, 'row')}"


def footnotes(base: RuleBase) -> list[str]:
    """What there is to say of the rules together."""
    together = "each counted by how far all its conditions hold"
    notes = [f"The answer is what the rules say together, {together}."] if len(base) > 1 else []
    order = ranked([-variable.importance for variable in base.variables])
    worth = [
        f"{base.labels[variable.name]} {variable.importance:.2f}"
        for variable in (base.variables[j] for j in order[:MOST_IMPORTANT])
        if variable.importance >= 0.005
    ]
    if worth:
        notes.append(f"Importance (loss per row if it were never known): {', '.join(worth)}.")
    pairs = [(i, k) for i in range(len(base)) for k in range(i + 1, len(base))]
    pairs.sort(key=lambda pair: -base.overlap[pair[0]][pair[1]])
    overlaps = [f"{i + 1} and {k + 1} by {percent(base.overlap[i][k])}" for i, k in pairs]
    if len(overlaps) > MOST_IMPORTANT:
        more = len(overlaps) - MOST_IMPORTANT
        overlaps = [*overlaps[:MOST_IMPORTANT], f"{more} more pairs by less"]
    if overlaps:
        notes.append(f"Rules overlap: {', '.join(overlaps)}.")
    return notes


def rules_in_words(base: RuleBase) -> list[RuleWords]:
    """All rules in words."""
    return [
        RuleWords(
            title=f"Rule {number}",
            support=support_words(rule, base),
            conditions=[condition_words(c, base) for c in rule.conditions if len(base) > 1],
            conclusion=conclusion(rule, base),
            classes=[
                (class_name(label), percent(says), percent(share) if rule.mix else "")
                for label, says, share in zip(
                    base.classes, rule.probabilities, rule.mix or rule.probabilities, strict=True
                )
            ],
        )
        for number, rule in enumerate(base, 1)
    ]


def condition_words(condition: Condition, base: RuleBase) -> ConditionWords:
    """One condition in words; where it accepts few values, they say enough."""
    variable, ranges = base.by_name[condition.input], []
    if not condition.degrees and not variable.levels:
        unit = visible(variable.unit) if variable.unit else ""
        ranges.append(interval_words(condition.interval, variable.decimals, unit))
        if condition.leading and is_shared(condition, base):
            ends = [rounded(end, variable.decimals) for end in condition.leading]
            ranges.append(f"leads mostly from {ends[0]} to {ends[1]}")
    label, term = base.labels[condition.input], visible(condition.term)
    return ConditionWords(label, term, "; ".join(filter(None, ranges)))


def is_shared(condition: Condition, base: RuleBase) -> bool:
    """Whether several rules have the same words for their sets on an input."""
    same = [c for rule in base for c in rule.conditions if c.input == condition.input]
    return sum(c.term == condition.term for c in same) > 1


def support_words(rule: Rule, base: RuleBase) -> str:
    """How many rows stand behind a rule, and of which classes they are."""
    if not rule.mix:
        return "leads on none of the rows"
    order = ranked(-np.array(rule.mix))
    mix = [f"{percent(rule.mix[c])} {class_name(base.classes[c])}" for c in order if rule.mix[c]]
    if len(mix) > MOST_IN_SENTENCE:
        mix = [*mix[: MOST_IN_SENTENCE - 1], f"{len(mix) - MOST_IN_SENTENCE + 1} more classes"]
    about = "about " if base.kept < base.rows else ""
    count = f"{about}{rule.rows:,} of {base.rows:,}"
    # Where rows have weights, their share of the weight is not their share of the rows.
    if abs(rule.support - rule.rows / base.rows) < VISIBLE:
        led = f"{percent(rule.support)} of the rows, {count}"
    else:
        led = f"{percent(rule.support)} of the weight, {count} rows"
    return f"leads on {led}; of them {', '.join(mix)}"


def conclusion(rule: Rule, base: RuleBase) -> str:
    """What a rule says, and what makes it say so more or less."""
    order = ranked(-np.array(rule.probabilities))
    first, second = int(order[0]), int(order[1])
    names = [class_name(label) for label in base.classes]
    shares = [f"{names[c]} ({percent(rule.probabilities[c])})" for c in order]
    named = [s for s, c in zip(shares, order, strict=True) if rule.probabilities[c] >= VISIBLE]
    reasons = leanings(rule, base, first, second)
    if rule.probabilities[first] >= SURE:
        others = f", else {worded_list(named[1:])}" if named[1:] else ""
        return f"{shares[0]}{others}; more surely {reasons}" if reasons else shares[0] + others
    text = worded_list(named or shares[:1])
    return f"{text}; {names[first]} rather than {names[second]} {reasons}" if reasons else text


def leanings(rule: Rule, base: RuleBase, first: int, second: int) -> str:
    """Which of a rule's inputs make it lean to one class more than to another, in words."""
    effects: list[tuple[float, str, str]] = []
    for k, condition in enumerate(rule.conditions):
        of, against = (rule.consequents[c].slopes[k] for c in (first, second))
        variable, label = base.by_name[condition.input], base.labels[condition.input]
        effects.append(leaning(np.subtract(of, against), condition, variable, label))
    strongest = max((effect for effect, _, _ in effects), default=0.0)
    if strongest < WORTH_NAMING:
        return ""
    order = ranked([-effect for effect, _, _ in effects])[:MOST_IN_SENTENCE]
    named = [effects[k] for k in order if effects[k][0] >= STRONG * strongest]
    phrases = [
        f"{how} {worded_list([name for _, name, h in named if h == how], last='and')}"
        for how in dict.fromkeys(how for _, _, how in named)
    ]
    return worded_list(phrases, last="and")


def leaning(
    difference: Any, condition: Condition, variable: Variable, label: str
) -> tuple[float, str, str]:
    """How strongly an input moves the logit over its span, its name, and which way.

    Of categories, only those that the condition accepts: the others are another rule's.
    """
    if variable.categories:
        effects = [
            (effect, category)
            for effect, category in zip(difference, variable.categories, strict=True)
            if category in condition.accepted
        ]
        sizes = [effect for effect, _ in effects]
        best = visible(category_name(effects[first_greatest(sizes)][1]))
        return float(np.ptp(sizes)), f"{label} is {best}", "if"
    strength = abs(float(difference)) * variable.span
    if len(variable.levels) == 2:
        best = levels_of(variable)[int(difference > 0)]
        return strength * (condition.term not in levels_of(variable)), f"{label} is {best}", "if"
    return strength, label, "the higher" if difference > 0 else "the lower"


def levels_of(variable: Variable) -> list[str]:
    """The few values of a number in words."""
    return [rounded(level, variable.decimals) for level in variable.levels]


def value_words(variable: Variable, value: Any) -> str:
    """A value of an input in words, with its unit."""
    if value is None:
        return "unknown"
    if variable.categories:
        return visible(category_name(value))
    unit = f" {visible(variable.unit)}" if variable.unit else ""
    return as_given(value, variable.decimals) + unit


def category_name(category: Any) -> str:
    """A category in words."""
    if isinstance(category, bool):
        return "true" if category else "false"
    return exact(category) if isinstance(category, float) else str(category)
