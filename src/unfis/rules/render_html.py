"""Rule bases as HTML, and the style that explanations share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfis.rules.data import Rule
from unfis.rules.escape import for_html
from unfis.rules.render import connected, told_rules
from unfis.rules.words import ToldRule, footnotes, headline

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# Long names may break anywhere; what is not a name keeps its words whole. Colours come from the
# page, so that dark ones stay dark.
STYLE = """<style>
.unfis{font:14px/1.45 system-ui,sans-serif;max-width:60em}
.unfis .rule{border:1px solid #8886;border-radius:6px;padding:.6em 1em;margin:.7em 0}
.unfis p,.unfis .rule,.unfis .name{overflow-wrap:anywhere}
.unfis table{border-collapse:collapse;margin:.4em 0;background:none;font:inherit;color:inherit}
.unfis td,.unfis th{text-align:left;padding:.1em .8em .1em 0;border:0;vertical-align:top}
.unfis td,.unfis th{overflow-wrap:normal}
.unfis .word{font-weight:600;opacity:.65}
.unfis .soft{opacity:.75}
.unfis .bar{display:inline-block;height:.7em;background:#0072b2;border-radius:2px}
.unfis .against{background:#d55e00}
</style>"""


def as_html(base: RuleBase) -> str:
    """A rule base as HTML."""
    parts = [STYLE, '<div class="unfis">', f"<p><b>{for_html(headline(base))}</b></p>"]
    for rule, told in zip(base.rules, told_rules(base), strict=True):
        parts += [
            f'<div class="rule"><b>{told.title}</b> ({for_html(told.support)})',
            conditions_html(told),
            classes_html(rule, told),
            "</div>",
        ]
    notes = "<br>".join(for_html(note) for note in footnotes(base))
    return "\n".join([*parts, f'<p class="soft">{notes}</p></div>'])


def conditions_html(told: ToldRule) -> str:
    """What a rule looks at and what it says, as a table."""
    rows = [
        f'<tr><td class="word">{word}</td><td class="name">{for_html(name)}</td>'
        f'<td>{for_html(term)}</td><td class="soft">{for_html(bounds)}</td></tr>'
        for word, name, term, bounds in connected(told.conditions)
    ]
    then = f'<td class="name" colspan="3">{for_html(told.conclusion)}</td>'
    rows.append(f'<tr><td class="word">THEN</td>{then}</tr>')
    return "\n".join(["<table>", *rows, "</table>"])


def classes_html(rule: Rule, told: ToldRule) -> str:
    """The classes of the rows a rule leads on, and what it says of them, as a table."""
    head = "<th>class</th><th>rows</th><th>the rule says</th><th></th>"
    rows = [
        f'<tr><td class="name">{for_html(label)}</td><td>{share}</td><td>{says}</td>'
        f'<td><span class="bar" style="width:{8 * probability:.2f}em"></span></td></tr>'
        for (label, says, share), probability in zip(told.classes, rule.probabilities, strict=True)
    ]
    return "\n".join([f'<table><tr class="soft">{head}</tr>', *rows, "</table>"])
