"""One prediction taken apart: as plain data, in words and as HTML."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from unfis.rules.text.numbers import percent, signed, signed_percent
from unfis.rules.text.render import STYLE, for_html
from unfis.rules.text.sureness import sureness_words
from unfis.rules.text.words import class_name, visible
from unfis.ties import ranked

# A rule that carries less of the decision than this is shown in one line.
LITTLE = 0.05
# Of one that carries less than this nothing more is told.
HARDLY = 0.005
# A rule that carries more than this carries most of it.
MOST_OF_THE_DECISION = 0.5
# A condition that holds by less is not told apart from others that do.
LEAST_TOLD = 0.0001
# A condition that holds better than this hardly limits its rule.
MATTERS = 0.95
# A row that is covered no better than this share of the training rows is hardly covered.
RARE = 0.01


@dataclass(frozen=True)
class HeldCondition:
    """How far one condition of a rule holds in a row."""

    input: str
    value: Any  # None where unknown
    label: str  # input and value in words
    term: str  # the condition in words
    degree: float  # from 0 to 1; 1 where the value is unknown
    limits: bool  # whether it is the one that holds least in its rule


@dataclass(frozen=True)
class RulePart:
    """What one rule makes of a row."""

    number: int  # counted from 1
    strength: float  # how much of the decision it carries, all rules together 1
    share: float  # what it adds to the total, strength times what it says
    runner_up_share: float | None  # what it adds to p of the runner-up; None of log-odds
    conditions: tuple[HeldCondition, ...]
    otherwise: bool  # whether it speaks where no other rule does


@dataclass(frozen=True)
class InputPart:
    """What one input adds to the total, over all rules."""

    input: str
    value: Any  # None where unknown
    label: str  # input and value in words
    share: float  # by the conditions it fulfils and by what it adds to rules' outputs


@dataclass(frozen=True)
class Neighbour:
    """A training row that the rules see much alike."""

    row: int  # in the training table, counted from 0
    label: Any  # its class
    distance: float  # 0 where the rules cannot tell them apart


@dataclass(frozen=True)
class Change:
    """The smallest change of one input that would change the answer."""

    input: str
    value: Any
    to: Any  # what it would have to be
    label: str  # all of it in words
    prediction: Any  # the answer then


@dataclass(frozen=True)
class Explanation:
    """Why a row got its answer: parts that add up to its probability, or to its log-odds.

    Attributes
    ----------
    prediction, runner_up : the answer, and the most probable other class
    probabilities : of each class, in the order of `classes`
    classes : labels of the classes
    interval : between which that of the prediction is, with 95 % confidence if these are the right
        rules; None where it is not known
    quantity : "probability", that of the prediction, which rules that average their probabilities
        add up to; "log-odds" of the prediction against the runner-up, of mixed outputs
    total : so much of it: the shares of all rules together, and start + the shares of all inputs
    start : the total if no input were known
    rules : what each rule makes of it
    inputs : what each input adds
    unknown : names of the inputs of which nothing is known
    coverage : the share of training rows that are covered no better; 0 where nothing like it
    neighbours : the training rows most like it
    change : the smallest change of one input that changes the answer, None if there is none
    reason : why the answer is not the most probable class, "" where it is
    """

    prediction: Any
    runner_up: Any
    probabilities: tuple[float, ...]
    classes: tuple[Any, ...]
    interval: tuple[float, float] | None
    quantity: str
    total: float
    start: float
    rules: tuple[RulePart, ...]
    inputs: tuple[InputPart, ...]
    unknown: tuple[str, ...]
    coverage: float
    neighbours: tuple[Neighbour, ...]
    change: Change | None
    reason: str = ""

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_text(self) -> str:
        """The explanation in words."""
        lines = [answer(self), *sureness_words(self.prediction, self.interval)]
        lines += [*warnings_of(self), ""]
        for rule in worth_telling(self):
            conditions = rule.conditions
            if rule.strength < LITTLE:
                conditions = tuple(c for c in conditions if c.limits)[:1]
            lines += [carried(self, rule), *(f"  {held(condition)}" for condition in conditions)]
        lines += ["", f"{share_title(self)}:"] if len(self.rules) > 1 else [f"{share_title(self)}:"]
        table = share_table(self)
        widest = min(60, max(len(label) for label, _, _ in table))
        lines += [f"  {label:{widest}s}  {told:>9s}" for label, told, _ in table]
        lines += ["", *closing_words(self)]
        return "\n".join(lines)

    def to_html(self) -> str:
        """The explanation as HTML that stands by itself or inside a page."""
        parts = [STYLE, f'<div class="unfis"><div class="rule"><b>{for_html(answer(self))}</b>']
        sure = sureness_words(self.prediction, self.interval)
        parts += [f"<p>{for_html(words)}</p>" for words in sure]
        parts += [f"<p><b>{for_html(warning)}</b></p>" for warning in warnings_of(self)]
        for rule in worth_telling(self):
            words = [f"<li>{for_html(held(c))}</li>" for c in rule.conditions]
            held_words = f"<ul>{''.join(words)}</ul>" if words else ""
            parts.append(f"<p>{for_html(carried(self, rule))}</p>{held_words}")
        parts.append(f"<p>{for_html(share_title(self))}:</p><table>")
        *table, together = share_table(self)
        largest = max(abs(share) for _, _, share in table) or 1.0
        for label, told, share in table:
            side = "against" if share < 0 else "for"
            bar = f'<span class="bar {side}" style="width:{8 * abs(share) / largest:.2f}em"></span>'
            name = f'<td class="name">{for_html(label)}</td>'
            parts.append(f"<tr>{name}<td>{told}</td><td>{bar}</td></tr>")
        parts += [f"<tr><th>together</th><th>{together[1]}</th></tr>", "</table>"]
        parts += [f'<p class="soft">{for_html(closing)}</p>' for closing in closing_words(self)]
        return "\n".join([*parts, "</div></div>"])

    def to_dict(self) -> dict[str, Any]:
        """All of it as dicts, tuples, numbers and text."""
        return asdict(self)

    def amount(self, total: float) -> str:
        """Of what is shared out so much: a probability in per cent, or log-odds."""
        return percent(total) if self.quantity == "probability" else signed(total)

    def added(self, share: float) -> str:
        """A share in figures: points of probability in per cent, or log-odds."""
        return signed_percent(share) if self.quantity == "probability" else signed(share)

    @property
    def title(self) -> str:
        """The answer in one line."""
        return f"{class_name(self.prediction)} rather than {class_name(self.runner_up)}"


def answer(explanation: Explanation) -> str:
    """The answer and the next best, with their probabilities."""
    shares = dict(zip(explanation.classes, explanation.probabilities, strict=True))
    first, second = (
        (class_name(label), percent(shares[label]))
        for label in (explanation.prediction, explanation.runner_up)
    )
    if explanation.reason:
        because = f"since {explanation.reason}; {second[0]} is more probable ({second[1]})"
        return f"{first[0]} ({first[1]}), {because}"
    return f"{first[0]} ({first[1]}) rather than {second[0]} ({second[1]})"


def held(condition: HeldCondition) -> str:
    """How far a condition holds."""
    told = f' "is {visible(condition.term)}"' if condition.term else ""
    if condition.value is None:
        return f"{condition.label}:{told} counts as fulfilled"
    matters = condition.limits and condition.degree < MATTERS and condition.term
    limits = ", which limits the rule" if matters else ""
    return f"{condition.label}:{told} holds by {degree_words(condition.degree)}{limits}"


def degree_words(degree: float) -> str:
    """How far something holds, in digits that tell a little from nothing."""
    if degree >= 0.005:
        return f"{degree:.2f}"
    return f"{degree:.1g}" if degree >= LEAST_TOLD else f"under {LEAST_TOLD:.4f}"


def carried(explanation: Explanation, rule: RulePart) -> str:
    """How much of the decision a rule carries, and what it adds."""
    name = f"Rule {rule.number}{' (otherwise)' if rule.otherwise else ''}"
    begun = f"{name} carries {percent(rule.strength)} of the decision"
    holds = math.prod(condition.degree for condition in rule.conditions)
    if holds < LITTLE and rule.strength > MOST_OF_THE_DECISION and not rule.otherwise:
        one = len(explanation.rules) == 2
        begun += f", as the other{' holds' if one else 's hold'} still less"
    if rule.runner_up_share is None:
        return f"{begun} and adds {explanation.added(rule.share)}"
    if rule.strength < HARDLY:
        return begun
    first, second = class_name(explanation.prediction), class_name(explanation.runner_up)
    other = percent(rule.runner_up_share)
    return f"{begun}: {percent(rule.share)} for {first}, {other} for {second}"


def worth_telling(explanation: Explanation) -> list[RulePart]:
    """The rules, strongest first; not a single one, which decides alone whatever it holds by."""
    if len(explanation.rules) == 1:
        return []
    return [explanation.rules[i] for i in ranked([-rule.strength for rule in explanation.rules])]


def warnings_of(explanation: Explanation) -> list[str]:
    """What a reader must know before trusting the answer."""
    found = []
    if all(part.value is None for part in explanation.inputs):
        found.append("Nothing is known that the rules look at.")
    elif explanation.coverage == 0:
        found.append(
            "The rules fit this row worse than any training row: do not rely on the answer."
        )
    elif explanation.coverage <= RARE:
        better = percent(1 - explanation.coverage)
        found.append(f"The rules fit this row worse than {better} of the training rows.")
    if explanation.unknown:
        found.append(f"Unknown: {', '.join(visible(name) for name in explanation.unknown)}.")
    return found


def closing_words(explanation: Explanation) -> list[str]:
    """The training rows most like this one, if any are kept, and what would change the answer."""
    rows = [f"{n.row} ({class_name(n.label)})" for n in explanation.neighbours]
    alike = [f"Most like it under the rules: training rows {', '.join(rows)}"] if rows else []
    return [*alike, change_words(explanation)]


def change_words(explanation: Explanation) -> str:
    """The smallest change that would change the answer."""
    change = explanation.change
    if change is None:
        return "No change of one input within the range seen would change the answer"
    then = class_name(change.prediction)
    return f"Smallest change of one input for another answer: {change.label} gives {then}"


def share_table(explanation: Explanation) -> list[tuple[str, str, float]]:
    """The start, what each input adds to it, and the total: in words, in figures, and exactly."""
    start, total = explanation.start, explanation.total
    inputs = [
        (part.label, explanation.added(part.share), part.share) for part in explanation.inputs
    ]
    # The strongest come first: those that add nothing to speak of are the last.
    nothing = sum(told == signed_percent(0.0) for _, told, _ in inputs)
    if nothing > 1:
        rest = sum(share for _, _, share in inputs[-nothing:])
        inputs = [
            *inputs[:-nothing],
            (f"{nothing} {'more ' * (len(inputs) > nothing)}inputs", "under 1 % each", rest),
        ]
    return [
        ("with nothing known", explanation.amount(start), start),
        *inputs,
        ("together", explanation.amount(total), total),
    ]


def share_title(explanation: Explanation) -> str:
    """What the shares add up to."""
    if explanation.quantity == "probability":
        named = class_name(explanation.prediction)
        return f"What speaks for {named} (in points of probability, beside knowing nothing)"
    first, second = class_name(explanation.prediction), class_name(explanation.runner_up)
    return f"What speaks for {first} against {second} (log-odds, beside knowing nothing)"
