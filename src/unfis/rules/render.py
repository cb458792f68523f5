"""Rule bases as text, Markdown, LaTeX and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfis.rules.escape import for_html, for_latex, for_markdown
from unfis.rules.full import full_rule, recipe
from unfis.rules.words import ToldCondition, ToldRule, footnotes, headline, told_rule

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# Names longer than this do not move the column that follows them.
WIDEST = 40

STYLE = """<style>
.unfis{font:14px/1.45 system-ui,sans-serif;max-width:60em;overflow-wrap:anywhere}
.unfis .rule{border:1px solid #8886;border-radius:6px;padding:.6em 1em;margin:.7em 0}
.unfis table{border-collapse:collapse;margin:.4em 0;background:none}
.unfis td,.unfis th{text-align:left;padding:.1em .8em .1em 0;border:0;vertical-align:top}
.unfis .word{font-weight:600;opacity:.65}
.unfis .soft{opacity:.75}
.unfis .bar{display:inline-block;height:.7em;background:#0072b2;border-radius:2px}
.unfis .against{background:#d55e00}
</style>"""


def told_rules(base: RuleBase) -> list[ToldRule]:
    """All rules in words."""
    return [told_rule(base, number) for number in range(len(base))]


def connected(conditions: list[ToldCondition]) -> list[tuple[str, str, str, str]]:
    """Conditions with the words that lead them in: word, name, "is" term, range."""
    if not conditions:
        return [("IF", "anything", "", "")]
    words = ["IF", *["AND"] * (len(conditions) - 1)]
    return [
        (word, name, f"is {term}", bounds)
        for word, (name, term, bounds) in zip(words, conditions, strict=True)
    ]


def as_text(base: RuleBase, detail: str = "short") -> str:
    """A rule base in plain text."""
    if detail not in ("short", "full"):
        raise ValueError(f"detail must be 'short' or 'full', got {detail!r}.")
    blocks = [headline(base)]
    for number, told in enumerate(told_rules(base)):
        lines = [f"{told.title} ({told.support})", *condition_lines(told)]
        lines.append(f"  THEN {told.conclusion}")
        if detail == "full":
            lines += full_rule(base, number)
        blocks.append("\n".join(lines))
    blocks.append("\n".join(footnotes(base)))
    if detail == "full":
        blocks.append("\n".join(recipe(base)))
    return "\n\n".join(blocks)


def condition_lines(told: ToldRule) -> list[str]:
    """The conditions of a rule, one to a line, in columns."""
    parts = connected(told.conditions)
    names = min(WIDEST, max(len(name) for _, name, _, _ in parts))
    terms = min(WIDEST, max((len(term) for _, _, term, bounds in parts if bounds), default=0))
    lines = []
    for word, name, term, bounds in parts:
        line = f"  {word:4s} {name:{names}s} {term:{terms}s}".rstrip()
        lines.append(f"  {word:4s} {name:{names}s} {term:{terms}s} ({bounds})" if bounds else line)
    return lines


def as_markdown(base: RuleBase) -> str:
    """A rule base in Markdown."""
    blocks = [f"**{for_markdown(headline(base))}**"]
    for told in told_rules(base):
        lines = [f"**{told.title}** ({for_markdown(told.support)})", "", "| | | |", "|---|---|---|"]
        for word, name, term, bounds in connected(told.conditions):
            cells = word, for_markdown(name), for_markdown(term + bracketed(bounds))
            lines.append("| " + " | ".join(cells) + " |")
        lines.append(f"| THEN | {for_markdown(told.conclusion)} | |")
        blocks.append("\n".join(lines))
    blocks += [for_markdown(note) for note in footnotes(base)]
    return "\n\n".join(blocks) + "\n"


def bracketed(bounds: str) -> str:
    """The range of a condition, if there is one to tell."""
    return f" ({bounds})" if bounds else ""


def as_latex(base: RuleBase, caption: str, label: str) -> str:
    """A rule base as a LaTeX table."""
    lines = [
        r"% Needs \usepackage{booktabs}; letters beyond ASCII need XeLaTeX or LuaLaTeX.",
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{for_latex(caption)}: {for_latex(headline(base))}.}}",
        f"  \\label{{{label}}}",
        r"  \begin{tabular}{lp{0.55\linewidth}p{0.3\linewidth}}",
        r"    \toprule",
        r"    Rule & Conditions and conclusion & Rows behind it \\",
        r"    \midrule",
    ]
    for number, told in enumerate(told_rules(base)):
        support = for_latex(told.support)
        for place, (word, name, term, bounds) in enumerate(connected(told.conditions)):
            first = (str(number + 1), support) if place == 0 else ("", "")
            words = for_latex(f"{name} {term}{bracketed(bounds)}")
            lines.append(f"    {first[0]} & \\textsc{{{word.lower()}}} {words} & {first[1]} \\\\")
        lines.append(f"    & \\textsc{{then}} {for_latex(told.conclusion)} & \\\\")
        lines.append(r"    \addlinespace")
    lines[-1] = r"    \bottomrule"
    return "\n".join([*lines, r"  \end{tabular}", r"\end{table}", ""])


def as_html(base: RuleBase) -> str:
    """A rule base as HTML."""
    parts = [STYLE, '<div class="unfis">', f"<p><b>{for_html(headline(base))}</b></p>"]
    for rule, told in zip(base.rules, told_rules(base), strict=True):
        parts.append(f'<div class="rule"><b>{told.title}</b> ({for_html(told.support)})<table>')
        for word, name, term, bounds in connected(told.conditions):
            parts.append(
                f'<tr><td class="word">{word}</td><td>{for_html(name)}</td>'
                f"<td>{for_html(term)}</td>"
                f'<td class="soft">{for_html(bounds)}</td></tr>'
            )
        parts.append(
            f'<tr><td class="word">THEN</td><td colspan="3">{for_html(told.conclusion)}</td></tr>'
            '</table><table><tr class="soft"><th>class</th><th>rows</th><th>the rule says</th>'
            "<th></th></tr>"
        )
        for (label, says, share), probability in zip(told.classes, rule.probabilities, strict=True):
            bar = f'<span class="bar" style="width:{8 * probability:.2f}em"></span>'
            parts.append(
                f"<tr><td>{for_html(label)}</td><td>{share}</td><td>{says}</td><td>{bar}</td></tr>"
            )
        parts.append("</table></div>")
    parts.append(f'<p class="soft">{"<br>".join(map(for_html, footnotes(base)))}</p></div>')
    return "\n".join(parts)
