"""How true rules are as they read: what is printed of them, held against rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, softmax
from unfis.data.columns import numbers_of_kinds
from unfis.rules.alone import alone_answers, class_answered, sure_answers
from unfis.rules.data import Effect, Rule, Variable
from unfis.rules.directions import MOST_ROWS_LED, directions_of
from unfis.rules.evaluation import Evaluation
from unfis.rules.points import contrast, other_classes, reference_class
from unfis.rules.rule_base import RuleBase
from unfis.rules.support import leading
from unfis.rules.text.numbers import numbered, percent
from unfis.rules.text.terms import worded_list
from unfis.rules.text.words import class_name, visible

# A condition holds where its degree is more than this, and is empty if it does on so many rows.
HALF, NEARLY_ALL = 0.5, 0.9
# A class that is answered on so many rows must be in what is printed.
NOT_RARE = 0.01


@dataclass(frozen=True)
class EffectDirection:
    """Which class a number speaks for in a rule's THEN, and how far the whole model agrees.

    Attributes
    ----------
    rule : its number, counted from 1
    input : name of the input
    label : the class that more of the input speaks for, against the one without points or for it;
        of several classes that of the least share
    share : of the rows that the rule leads on and the input is known in, those on which more of
        it makes the class more probable beside the other; None if there are no such rows
    against : whether it is a class that more of the input speaks against, as where no class is
        without points; the share is then that of rows on which it makes the class less probable
    """

    rule: int
    input: str
    label: Any
    share: float | None
    against: bool = False

    @property
    def holds(self) -> bool:
        """Whether it is true of nine tenths of these rows; of no rows it is."""
        return self.share is None or self.share >= MOST_ROWS_LED


@dataclass(frozen=True)
class Reading:
    """What a person gets who reads the rules, measured on rows; all shares by their weights.

    Attributes
    ----------
    rows : how many rows it was measured on
    rules : how many rules there are
    conditions : how many conditions all rules have in their IF
    empty : share of the conditions that hold by more than half on nine tenths of the rows or more
    parts : what there is to read: conditions, and numbers in THEN parts (for an input the classes
        that it speaks for, at most C - 1 of C, times one less than its kinds for a category, at
        most 4)
    agreement : share of rows on which the strongest rule alone, by what is printed of it, gives
        the model's answer: the class it names, or if its THEN counts inputs its own most probable
    accuracy : of the model
    alone_accuracy : of the strongest rule alone
    distance : total variation between the classes' printed percentages and the classes of the
        rows that each rule leads on, by these rows; None if no rule has percentages that leads
    directions : those of all numbers in THEN parts
    alike : pairs of rules, counted from 1, that have the same words and the same class
    unreachable : classes that the model answers on one row in a hundred or more, and the
        strongest rule alone never
    """

    rows: int
    rules: int
    conditions: int
    empty: float
    parts: int
    agreement: float
    accuracy: float
    alone_accuracy: float
    distance: float | None
    directions: tuple[EffectDirection, ...]
    alike: tuple[tuple[int, int], ...]
    unreachable: tuple[Any, ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def to_dict(self) -> dict[str, Any]:
        """All of it as dicts, tuples, numbers and text."""
        return asdict(self)

    def sentences(self) -> list[str]:
        """What was measured, in words."""
        if self.rules == 1:
            # It leads on all rows, and what it says is the model.
            right = percent(self.accuracy, 1)
            return [
                size_words(self),
                f"It is right on {right} of the {numbered(self.rows, 'row')}.",
            ]
        found = [size_words(self), *empty_words(self), alone_words(self)]
        if self.distance is not None:
            found.append(
                f"The printed percentages are {100 * self.distance:.1f} points off those of the "
                "rows that the rules lead on here."
            )
        found += direction_words(self)
        found += [f"Rules {one} and {other} read alike." for one, other in self.alike]
        if self.unreachable:
            names = worded_list([class_name(label) for label in self.unreachable], last="and")
            found.append(f"The model answers {names}, which no rule read alone comes to.")
        return found


def read_rules(base: RuleBase, values: Array, codes: NDArray[np.intp], weights: Array) -> Reading:
    """What a person gets who reads rules, measured on rows of values, their classes and weights."""
    found, shares = base.arrays.evaluate(values), weights / weights.sum()
    answers = sure_answers(softmax(found.logits), base.costs)
    alone = alone_answers(base.classes, base.rules, found, base.costs)
    conditions = sum(len(rule.conditions) for rule in base)
    leads = leading(found.log_strengths)
    # The classes that rules say, or come to by counting on some row that they lead on.
    named = {class_answered(base.classes, rule, base.costs) for rule in base if not rule.effects}
    reached = named | set(alone.tolist())
    return Reading(
        rows=len(values),
        rules=len(base),
        conditions=conditions,
        empty=sum(empty_conditions(base, found, shares)) / max(1, conditions),
        parts=sum(parts_in(rule, base.by_name) for rule in base),
        agreement=share_of(alone == answers, shares),
        accuracy=share_of(answers == codes, shares),
        alone_accuracy=share_of(alone == codes, shares),
        distance=percentages_distance(base, leads * shares[:, None], codes),
        directions=tuple(effect_directions(base, values, found, leads * shares[:, None])),
        alike=tuple(rules_alike(base)),
        unreachable=tuple(
            label
            for c, label in enumerate(base.classes)
            if share_of(answers == c, shares) >= NOT_RARE and c not in reached
        ),
    )


def share_of(which: Mask, shares: Array) -> float:
    """The share of some of the rows, at most 1."""
    return min(1.0, float(shares[which].sum()))


def parts_in(rule: Rule, variables: Mapping[str, Variable]) -> int:
    """How much there is to read of a rule: conditions, and the numbers of its THEN."""
    numbers = 0
    for effect in acting(rule):
        said = np.array(effect.slopes).reshape(len(effect.slopes), -1) != 0
        most = numbers_of_kinds(len(variables[effect.input].categories))
        counts = np.minimum(said.sum(axis=1), most)
        numbers += int(counts.sum() - counts.min())  # what is said for all is read for all but one
    return len(rule.conditions) + numbers


def acting(rule: Rule) -> list[Effect]:
    """The effects that tell classes apart; those of constant consequents are all the same."""
    return [effect for effect in rule.effects if np.ptp(np.array(effect.slopes), axis=0).any()]


def empty_conditions(base: RuleBase, found: Evaluation, shares: Array) -> Iterator[bool]:
    """Of each condition, whether it holds by more than half on nearly all rows."""
    names = [variable.name for variable in base.arrays.variables]
    for i, rule in enumerate(base):
        for condition in rule.conditions:
            degrees = np.exp(found.log_degrees[:, i, names.index(condition.input)])
            yield share_of(degrees > HALF, shares) >= NEARLY_ALL - 1e-9


def percentages_distance(base: RuleBase, led: Array, codes: NDArray[np.intp]) -> float | None:
    """Mean total variation of `Rule.mix` from the rows led, which `led` has by weight."""
    apart, weight = 0.0, 0.0
    for rule, own in zip(base, led.T, strict=True):
        if rule.mix and own.any():
            mix = np.bincount(codes, weights=own, minlength=len(base.classes))
            apart += 0.5 * float(np.abs(mix - own.sum() * np.array(rule.mix)).sum())
            weight += float(own.sum())
    return apart / weight if weight else None


def effect_directions(
    base: RuleBase, values: Array, found: Evaluation, led: Array
) -> Iterator[EffectDirection]:
    """The direction of each number in a THEN, held against the rows led, in order of rules."""
    reference = reference_class(base)
    for i, rule in enumerate(base):
        shares = directions_of(base, i, led[:, i], found, values)
        for effect, each in zip(rule.effects, shares, strict=True):
            if effect.kind != "number" or effect not in acting(rule):
                continue
            adds = {c: contrast(effect, c, reference) for c in other_classes(base, reference)}
            adds = {c: float(added) for c, added in adds.items() if added}
            c = min(adds, key=lambda c: (each[c] if each else 1.0, -abs(adds[c])))
            named = c if adds[c] > 0 or reference is None else reference
            label, share = base.classes[named], each[c] if each else None
            yield EffectDirection(i + 1, effect.input, label, share, named == c and adds[c] < 0)


def rules_alike(base: RuleBase) -> Iterator[tuple[int, int]]:
    """Pairs of rules with the same conditions in words and the same class, counted from 1."""
    read = []
    for rule in base:
        words = frozenset((condition.input, condition.term) for condition in rule.conditions)
        read.append((words, rule.otherwise, rule.label))
    for one, other in combinations(range(len(read)), 2):
        if read[one] == read[other]:
            yield one + 1, other + 1


def size_words(reading: Reading) -> str:
    """How much there is to read."""
    rules, numbers = numbered(reading.rules, "rule"), reading.parts - reading.conditions
    if reading.rules == 1:
        card = f"A scorecard of {numbered(numbers, 'number')}."
        return card if numbers else "One rule, which says the same of every row."
    conditions = numbered(reading.conditions, "condition")
    counted = f"{numbered(numbers, 'number')} to count with"
    if reading.conditions and numbers:
        return f"{rules} with {conditions} and {counted}: {reading.parts:,} parts to read."
    return f"{rules} with {counted if numbers else conditions}."


def empty_words(reading: Reading) -> list[str]:
    """How many conditions say nothing."""
    if not reading.conditions:
        return []
    return [
        f"Empty conditions, which hold by more than half on nine tenths of the rows or more: "
        f"{round(reading.empty * reading.conditions)} of {reading.conditions}."
    ]


def alone_words(reading: Reading) -> str:
    """How good the strongest rule alone is."""
    return (
        f"Taken one at a time, the rules give the same answer on {percent(reading.agreement)} of "
        f"the {numbered(reading.rows, 'row')}; they are right on "
        f"{percent(reading.alone_accuracy, 1)}, the model on {percent(reading.accuracy, 1)}."
    )


def direction_words(reading: Reading) -> list[str]:
    """How many directions hold, and which do not."""
    if not reading.directions:
        return []
    false = [one for one in reading.directions if not one.holds]
    count = len(reading.directions)
    found = f"Directions of numbers that hold on nine tenths of the rows led: {count - len(false)}"
    side = {False: "for", True: "against"}
    exceptions = [
        f"{visible(one.input)} in rule {one.rule} (more of it speaks {side[one.against]} "
        f"{class_name(one.label)} on {percent(one.share or 0.0)})"
        for one in false
    ]
    told = f"; not {worded_list(exceptions, last='and')}" if exceptions else ""
    return [f"{found} of {count}{told}."]
