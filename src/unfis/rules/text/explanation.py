"""Explanations of one row as text and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfis.rules.text.numbers import percent, signed
from unfis.rules.text.render import STYLE, for_html
from unfis.rules.text.terms import ANYTHING
from unfis.rules.text.words import class_name, visible
from unfis.ties import ranked

if TYPE_CHECKING:
    from unfis.rules.explain.explanation import Explanation, HeldCondition, RulePart

# A rule with less of the say than this is shown in one line.
LITTLE = 0.05
# A condition that holds better than this hardly limits its rule.
MATTERS = 0.95
# A row that is covered no better than this share of the training rows is hardly covered.
RARE = 0.01


def answer(explanation: Explanation) -> str:
    """The answer and the next best, with their probabilities."""
    shares = dict(zip(explanation.classes, explanation.probabilities, strict=True))
    first, second = explanation.prediction, explanation.runner_up
    return (
        f"{class_name(first)} ({percent(shares[first])}) "
        f"rather than {class_name(second)} ({percent(shares[second])})"
    )


def held(condition: HeldCondition) -> str:
    """How far a condition holds."""
    if condition.value is None:
        return f'{condition.label}: "{visible(condition.term)}" counts as fulfilled'
    matters = condition.limits and condition.degree < MATTERS and condition.term != ANYTHING
    limits = ", which limits the rule" if matters else ""
    return f'{condition.label}: "{visible(condition.term)}" holds by {condition.degree:.2f}{limits}'


def say(rule: RulePart) -> str:
    """How much of the say a rule has, and what it adds."""
    return (
        f"Rule {rule.number} has {percent(rule.strength)} of the say and adds {signed(rule.share)}"
    )


def worth_telling(explanation: Explanation, rule: RulePart) -> list[HeldCondition]:
    """The conditions of a rule; none of a single one, which has all the say whatever they do."""
    return list(rule.conditions) if len(explanation.rules) > 1 else []


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


def share_table(explanation: Explanation) -> list[tuple[str, float]]:
    """The start and what each input adds to it, in words."""
    return [("with nothing known", explanation.start)] + [
        (part.label, part.share) for part in explanation.inputs
    ]


def share_title(explanation: Explanation) -> str:
    """What the shares add up to."""
    first, second = class_name(explanation.prediction), class_name(explanation.runner_up)
    return f"What speaks for {first} against {second} (log-odds, beside knowing nothing)"


def strongest_first(explanation: Explanation) -> list[RulePart]:
    """The rules in the order of how much say they have."""
    return [explanation.rules[i] for i in ranked([-rule.strength for rule in explanation.rules])]


def explanation_text(explanation: Explanation) -> str:
    """An explanation in plain text."""
    lines = [answer(explanation), *warnings_of(explanation), ""]
    for rule in strongest_first(explanation):
        conditions = worth_telling(explanation, rule)
        if rule.strength < LITTLE:
            conditions = [condition for condition in conditions if condition.limits][:1]
        lines += [say(rule), *(f"  {held(condition)}" for condition in conditions)]
    lines += ["", f"{share_title(explanation)}:"]
    table = [*share_table(explanation), ("together", explanation.margin)]
    widest = min(60, max(len(label) for label, _ in table))
    lines += [f"  {label:{widest}s} {signed(share):>8s}" for label, share in table]
    lines += ["", *closing_words(explanation)]
    return "\n".join(lines)


def explanation_html(explanation: Explanation) -> str:
    """An explanation as HTML."""
    title = for_html(answer(explanation))
    parts = [STYLE, f'<div class="unfis"><div class="rule"><b>{title}</b>']
    parts += [f"<p><b>{for_html(words)}</b></p>" for words in warnings_of(explanation)]
    for rule in strongest_first(explanation):
        conditions = "".join(
            f"<li>{for_html(held(condition))}</li>"
            for condition in worth_telling(explanation, rule)
        )
        parts.append(f"<p>{say(rule)}</p><ul>{conditions}</ul>")
    parts.append(f"<p>{for_html(share_title(explanation))}:</p>{share_table_html(explanation)}")
    for words in closing_words(explanation):
        parts.append(f'<p class="soft">{for_html(words)}</p>')
    return "\n".join([*parts, "</div></div>"])


def share_table_html(explanation: Explanation) -> str:
    """What each input adds, with a bar for each."""
    table = share_table(explanation)
    largest = max(abs(share) for _, share in table) or 1.0
    rows = []
    for label, share in table:
        side = "against" if share < 0 else "for"
        bar = f'<span class="bar {side}" style="width:{8 * abs(share) / largest:.2f}em"></span>'
        name = f'<td class="name">{for_html(label)}</td>'
        rows.append(f"<tr>{name}<td>{signed(share)}</td><td>{bar}</td></tr>")
    total = f"<tr><th>together</th><th>{signed(explanation.margin)}</th></tr>"
    return "\n".join(["<table>", *rows, total, "</table>"])
