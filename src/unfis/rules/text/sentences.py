"""Rules as sentences: the same words for text, Markdown, LaTeX and HTML."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from unfis.network.combination import AVERAGED
from unfis.rules.alone import class_answered
from unfis.rules.data import Condition, Rule, Variable
from unfis.rules.plain_rules import PlainRules
from unfis.rules.points import base_rates
from unfis.rules.text.counted import all_of
from unfis.rules.text.numbers import numbered, percent
from unfis.rules.text.operating_point import operating_words
from unfis.rules.text.points import PointsWords, points_words
from unfis.rules.text.terms import any_of_these, interval_words, worded_list
from unfis.rules.text.words import category_name, class_name, visible
from unfis.ties import first_greatest, is_less, ranked

# A difference of shares below this is none.
VISIBLE = 0.01
# So many classes of the rows that a rule leads on are named.
MOST_CLASSES_NAMED = 4
# A class with a smaller share of all rows is told against it.
RARE_CLASS = 0.1
# So many inputs are ranked, and so many pairs of rules that overlap are named.
MOST_IMPORTANT = 5
# What a single rule that counts is called.
CARD = "Scorecard"
# What stands for an IF of which no condition tells rows apart.
UNTOLD = "otherwise (where no other rule holds better)"


class ConditionWords(NamedTuple):
    """A condition in words: name, "is" term, (range)."""

    name: str
    term: str
    range: str
    every: str = ""  # all kinds where the term has not room for them


class RuleWords(NamedTuple):
    """A rule in words."""

    title: str
    support: str  # how many rows it leads on, and of which classes they are
    conditions: list[ConditionWords]  # those that tell rows apart; none of a single rule
    opening: str  # what stands in place of conditions where there are none
    conclusion: str
    points: PointsWords | None  # of a rule that counts
    remarks: list[str]
    classes: list[tuple[str, str, str]]  # class, what the rule says, its share of the rows led
    connective: str = "AND"  # between conditions


def headline(base: PlainRules) -> str:
    """What the rule base is."""
    rules = "A scorecard" if is_card(base) else numbered(len(base), "rule")
    classes = worded_list([class_name(label) for label in base.classes])
    return f"{rules} for {classes}, learned from {numbered(base.rows, 'row')}"


def footnotes(base: PlainRules) -> list[str]:
    """What there is to say of the rules together."""
    notes = []
    if len(base) > 1:
        averaged = base.combination == AVERAGED.name
        said = "the average of what the rules say" if averaged else "what the rules say together"
        notes.append(f"The answer is {said}, each counted by how far it holds.")
        if base.alone is not None:
            told = "the weight" if is_weighted(base) else "the rows"
            same = f"give the same answer on {percent(base.alone)} of {told}"
            notes.append(f"Taken one at a time, the rules {same}.")
    notes += operating_words(base)
    if base.class_weights:
        factors = [
            f"{class_name(label)} by {factor:.3g}"
            for label, factor in zip(base.classes, base.class_weights, strict=True)
        ]
        notes.append(
            f"Classes were weighted ({', '.join(factors)}): probabilities are of classes weighted "
            "so, percentages of rows are not."
        )
    return [*notes, *kept_by_design(base)]


def kept_by_design(base: PlainRules) -> list[str]:
    """What an expert has made sure of, in one sentence if there is anything."""
    verbs = {1: "lowers", -1: "raises"}
    told, probability = [], f"the probability of {class_name(base.classes[-1])}"
    for sign, verb in verbs.items():
        pairs = zip(base.variables, base.monotonic, strict=bool(base.monotonic))
        if more := [more_of(base, variable) for variable, own in pairs if own == sign]:
            told.append(f"{any_of_these(more)} never {verb} {probability}")
            probability = "it"
    return [f"Kept by design: {', '.join(told)}."] if told else []


def more_of(base: PlainRules, variable: Variable) -> str:
    """That an input is more: a number, or the second of two kinds."""
    name = base.labels[variable.name]
    if not variable.categories:
        return f"more {name}"
    kinds = [visible(category_name(kind)) for kind in variable.categories]
    return f"{name} {kinds[-1]} in place of {kinds[0]}"


def further_notes(base: PlainRules) -> list[str]:
    """What the inputs are worth, and how far rules overlap."""
    notes = []
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


def rules_in_words(base: PlainRules) -> list[RuleWords]:
    """All rules in words, no two alike."""
    told = [rule_in_words(rule, number, base) for number, rule in enumerate(base, 1)]
    readings = Counter(map(reading, told))
    return [
        words._replace(remarks=[*words.remarks, sets_words(rule, base)])
        if readings[reading(words)] > 1
        else words
        for rule, words in zip(base, told, strict=True)
    ]


def reading(words: RuleWords) -> str:
    """What a person reads of a rule, but for its number and its rows."""
    return repr(words._replace(title="", support="", classes=[]))


def rule_in_words(rule: Rule, number: int, base: PlainRules) -> RuleWords:
    """One rule in words."""
    single = len(base) == 1
    printed = [] if single else [c for c in rule.conditions if c.term]
    opening = "always" if single or not rule.conditions else UNTOLD
    unit = "points" if rule.unit else "log-odds"
    return RuleWords(
        title=CARD if is_card(base) else rule_name(number, rule),
        support=support_words(rule, base),
        conditions=[condition_words(c, base) for c in printed],
        opening="" if printed or rule.otherwise or is_card(base) else opening,
        conclusion=f"by {unit}" if rule.effects else class_name(rule.label),
        points=points_words(rule, base) if rule.effects else None,
        remarks=[*remarks_of(rule, base), *unprinted_words(rule, base)],
        classes=[
            (class_name(label), percent(says), percent(share) if rule.mix else "")
            for label, says, share in zip(
                base.classes, rule.probabilities, rule.mix or rule.probabilities, strict=True
            )
        ],
    )


def is_card(base: PlainRules) -> bool:
    """Whether rules are a single one that counts."""
    return len(base) == 1 and bool(base[0].effects)


def rule_name(number: int, rule: Rule) -> str:
    """What a rule is called, by its number counted from 1."""
    return "Otherwise" if rule.otherwise else f"Rule {number}"


def condition_words(condition: Condition, base: PlainRules) -> ConditionWords:
    """One condition in words; where it accepts few values, they say enough."""
    variable, bounds = base.by_name[condition.input], ""
    if not condition.degrees and not variable.levels and not condition.reach:
        bounds = interval_words(condition.borders, variable.decimals, variable.unit)
    term = condition.term
    told = visible(bounds) if bounds not in ("", term) else ""
    every = all_of([visible(category_name(kind)) for kind in condition.accepted])
    return ConditionWords(base.labels[condition.input], visible(term), told, every)


def support_words(rule: Rule, base: PlainRules) -> str:
    """How many rows stand behind a rule, and of which classes they are."""
    if not rule.mix:
        return "leads on none of the rows"
    rates = base_rates(base)
    order = [c for c in ranked(-np.array(rule.mix)) if rule.mix[c]]
    mix = [f"{percent(rule.mix[c])} {class_name(base.classes[c])}" for c in order]
    for k, c in enumerate(order):
        if 0 < rates[c] < RARE_CLASS and len(base) > 1:
            mix[k] += f" ({times_words(rule.mix[c] / rates[c])} the average)"
    if len(mix) > MOST_CLASSES_NAMED:
        left_out = len(mix) - MOST_CLASSES_NAMED + 1
        mix = [*mix[: MOST_CLASSES_NAMED - 1], f"{left_out} more classes"]
    about = "about " if base.kept < base.rows else ""
    count = f"{about}{numbered(rule.rows, 'row')}"
    if has_other_weight(rule, base):
        count += f", {percent(rule.support)} of the weight"
    return f"{count}: {', '.join(mix)}"


def has_other_weight(rule: Rule, base: PlainRules) -> bool:
    """Whether rows have weights, by which a rule leads on another share than by their number."""
    return abs(rule.support - rule.rows / max(1, base.rows)) >= VISIBLE


def is_weighted(base: PlainRules) -> bool:
    """Whether that is so of any rule."""
    return any(has_other_weight(rule, base) for rule in base)


def times_words(ratio: float) -> str:
    """How many times something is."""
    return (
        f"{ratio:.0f} times"
        if ratio >= 10
        else f"{ratio:.1f} times"
        if ratio >= 0.1
        else "below a tenth of"
    )


def remarks_of(rule: Rule, base: PlainRules) -> list[str]:
    """Where a rule names another class than it counts for, is answered or has most rows of."""
    if rule.effects:
        return []
    if rule.given is not None:
        told = percent(rule.probabilities[base.classes.index(rule.given)])
        return [f"Given by hand for {class_name(rule.given)}, of which it says {told}."]
    answered = class_answered(base.classes, rule, base.costs)
    if base.costs and answered != base.classes.index(rule.label):
        told = f"{percent(rule.probabilities[answered])} {class_name(base.classes[answered])}"
        return [f"says {told}, which alone is answered {class_name(base.classes[answered])}"]
    said, named = int(first_greatest(rule.probabilities)), base.classes.index(rule.label)
    share = f"{percent(rule.probabilities[said])} {class_name(base.classes[said])}"
    if said != named:
        return [f"counts as {share} where rules are put together"]
    counted = np.multiply(rule.mix or rule.probabilities, base.class_weights or 1.0)
    frequent = int(first_greatest(counted))
    if not is_less(counted[named], counted[frequent]):
        return []
    other = class_name(base.classes[frequent])
    more = "has more of their weight" if is_weighted(base) else "is more frequent among these rows"
    return [f"The rule says {share}, although {other} {more}."]


def unprinted_words(rule: Rule, base: PlainRules) -> list[str]:
    """That further inputs count in its conditions, where no range of them is printed."""
    names = [base.labels[c.input] for c in rule.conditions if not c.term]
    if not names or len(base) == 1:
        return []
    return [f"How far the rule holds also depends on {worded_list(names, 'and')}."]


def sets_words(rule: Rule, base: PlainRules) -> str:
    """The sets of a rule and what it says, in digits that tell it from one that reads alike."""
    sets = [
        f"{base.labels[c.input]} around {c.centre:.6g} by {c.width:.6g}"
        if not c.degrees
        else f"{base.labels[c.input]} by {', '.join(f'{degree:.6g}' for degree in c.degrees)}"
        for c in rule.conditions
    ]
    says = ", ".join(f"{100 * p:.6g} %" for p in rule.probabilities)
    return f"reads as another rule, but has the sets {'; '.join(sets) or 'none'} and says {says}"
