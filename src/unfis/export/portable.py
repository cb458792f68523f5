"""A rule base as other languages compute it, and what they can hold.

The arithmetic is that of `RuleArrays`, in the same order: far from all rules, where firing
strengths are tiny, another order would give other digits.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from unfis.rules import Rule, RuleBase
from unfis.serial.messages import quoted


def portable_rules(base: RuleBase) -> RuleBase:
    """The rules with all parts in the order of the inputs, if other languages can hold them.

    A category of which training knew no value is always unknown: nothing on it stays.
    """
    inputs = [v.name for v in base.variables if v.categories or v.kind != "category"]
    found = replace(base, rules=tuple(with_inputs(rule, inputs) for rule in base))
    for what, labels in named_labels(found):
        if len({isinstance(label, str) for label in labels}) > 1:
            raise ValueError(f"{what} mix text and numbers; make all of them text, and fit again.")
        wrong = [one for one in labels if not isinstance(one, str) and not math.isfinite(one)]
        if wrong:
            raise ValueError(
                f"{what} hold {quoted(wrong[0])}; text or finite numbers were expected."
            )
    return found


def named_labels(base: RuleBase) -> list[tuple[str, tuple[Any, ...]]]:
    """The classes, and the categories of each input in use, after what errors call them."""
    used = base.arrays.variables
    categories = [(f"The categories of {quoted(one.name)}", one.categories) for one in used]
    return [("The classes", base.classes), *categories]


def with_inputs(rule: Rule, inputs: list[str]) -> Rule:
    """The rule with its conditions and effects of these inputs, in their order."""
    conditions = {condition.input: condition for condition in rule.conditions}
    effects = {effect.input: effect for effect in rule.effects}
    return replace(
        rule,
        conditions=tuple(conditions[name] for name in inputs if name in conditions),
        effects=tuple(effects[name] for name in inputs if name in effects),
    )


def is_writable(text: str) -> bool:
    """Whether text can be a name or a value outside of Python: no half characters, no NUL."""
    return "\0" not in text and not any(0xD800 <= ord(char) < 0xE000 for char in text)


def check_text(text: str) -> str:
    """The text, if it can be a name or a value outside of Python."""
    if is_writable(text):
        return text
    raise ValueError(
        f"{quoted(text)} has a character that only Python can hold; change it, and fit again."
    )
