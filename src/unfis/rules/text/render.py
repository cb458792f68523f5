"""Rule bases as text, Markdown, LaTeX and HTML: whatever a name of a table is, it stays text."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from unfis.rules.text.full import full_rule, recipe
from unfis.rules.text.words import ConditionWords, RuleWords, footnotes, headline, rules_in_words

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# A LaTeX table of more rows than this goes over several pages.
LONGEST_TABLE = 30
# Names longer than this do not move the column that follows them.
WIDEST = 40
LATEX = {char: f"\\{char}" for char in "{}$&#_%"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"\textasciigrave{}",
    "-": "-{}",
    "[": "{[}",
    "]": "{]}",
}
# Words longer than this get places to break.
LONGEST_WORD = 30
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


def for_markdown(text: str) -> str:
    """Text in Markdown, also inside its tables."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&$^!])", r"\\\1", text)


def for_latex(text: str) -> str:
    """Text in LaTeX, long words to break anywhere; letters beyond ASCII are left as they are."""
    return " ".join(
        (r"\allowbreak{}" if len(word) > LONGEST_WORD else "").join(
            LATEX.get(char, char) for char in word
        )
        for word in text.split(" ")
    )


def for_html(text: str) -> str:
    """Text in HTML, also inside an attribute."""
    return html.escape(text, quote=True)


def connected(conditions: list[ConditionWords]) -> list[tuple[str, str, str, str]]:
    """Conditions with the words that lead them in: word, name, "is" term, range."""
    if not conditions:
        return [("IF", "anything", "", "")]
    words = ["IF", *["AND"] * (len(conditions) - 1)]
    return [
        (word, name, f"is {term}", bounds)
        for word, (name, term, bounds) in zip(words, conditions, strict=True)
    ]


def as_plain_text(base: RuleBase, detail: str = "short") -> str:
    """A rule base in plain text."""
    if detail not in ("short", "full"):
        raise ValueError(f"detail must be 'short' or 'full', got {detail!r}.")
    blocks = [headline(base)]
    for number, rule in enumerate(rules_in_words(base)):
        lines = [f"{rule.title} ({rule.support})", *condition_lines(rule)]
        lines.append(f"  THEN {rule.conclusion}")
        if detail == "full":
            lines += full_rule(base, number)
        blocks.append("\n".join(lines))
    blocks.append("\n".join(footnotes(base)))
    if detail == "full":
        blocks.append("\n".join(recipe(base)))
    return "\n\n".join(blocks)


def condition_lines(rule: RuleWords) -> list[str]:
    """The conditions of a rule, one to a line, in columns."""
    parts = connected(rule.conditions)
    names = min(WIDEST, max(len(name) for _, name, _, _ in parts))
    terms = min(WIDEST, max((len(term) for _, _, term, bounds in parts if bounds), default=0))
    return [
        f"  {word:4s} {name:{names}s} {term:{terms}s}{bracketed(bounds)}".rstrip()
        for word, name, term, bounds in parts
    ]


def as_markdown(base: RuleBase) -> str:
    """A rule base in Markdown."""
    blocks = [f"**{for_markdown(headline(base))}**"]
    for rule in rules_in_words(base):
        lines = [f"**{rule.title}** ({for_markdown(rule.support)})", "", "| | | |", "|---|---|---|"]
        for word, name, term, bounds in connected(rule.conditions):
            cells = word, for_markdown(name), for_markdown(term + bracketed(bounds))
            lines.append("| " + " | ".join(cells) + " |")
        lines.append(f"| THEN | {for_markdown(rule.conclusion)} | |")
        blocks.append("\n".join(lines))
    blocks += [for_markdown(note) for note in footnotes(base)]
    return "\n\n".join(blocks) + "\n"


def bracketed(bounds: str) -> str:
    """The range of a condition, if there is one to tell."""
    return f" ({bounds})" if bounds else ""


def as_latex(base: RuleBase, caption: str, label: str) -> str:
    """A rule base as a LaTeX table, over several pages where it is long."""
    rows = latex_rows(base)
    title = f"\\caption{{{for_latex(caption)}: {for_latex(headline(base))}.}}"
    columns = r"{l>{\raggedright\arraybackslash}p{0.85\linewidth}}"
    packages = "array,booktabs,longtable" if len(rows) > LONGEST_TABLE else "array,booktabs"
    head = f"% Needs \\usepackage{{{packages}}}; letters beyond ASCII need XeLaTeX or LuaLaTeX."
    if len(rows) > LONGEST_TABLE:
        begin = [f"\\begin{{longtable}}{columns}", f"  {title}\\label{{{label}}} \\\\"]
        end = [r"\end{longtable}"]
    else:
        begin = [r"\begin{table}", r"  \centering", f"  {title}", f"  \\label{{{label}}}"]
        begin.append(f"  \\begin{{tabular}}{columns}")
        end = [r"  \end{tabular}", r"\end{table}"]
    lines = [head, *begin, r"    \toprule", *rows, r"    \bottomrule", *end, ""]
    return "\n".join(lines)


def latex_rows(base: RuleBase) -> list[str]:
    """The rows of the table of a rule base."""
    rows = []
    for number, rule in enumerate(rules_in_words(base)):
        if number:
            rows.append(r"    \addlinespace")
        rows.append(f"    {number + 1} & \\emph{{{for_latex(rule.support)}}} \\\\")
        for word, name, term, bounds in connected(rule.conditions):
            words = for_latex(f"{name} {term}{bracketed(bounds)}")
            rows.append(f"    & \\textsc{{{word.lower()}}} {words} \\\\")
        rows.append(f"    & \\textsc{{then}} {for_latex(rule.conclusion)} \\\\")
    return rows


def as_html(base: RuleBase) -> str:
    """A rule base as HTML."""
    parts = [STYLE, '<div class="unfis">', f"<p><b>{for_html(headline(base))}</b></p>"]
    for rule, words in zip(base, rules_in_words(base), strict=True):
        parts += [
            f'<div class="rule"><b>{words.title}</b> ({for_html(words.support)})',
            conditions_html(words),
            classes_html(words, rule.probabilities),
            "</div>",
        ]
    notes = "<br>".join(for_html(note) for note in footnotes(base))
    return "\n".join([*parts, f'<p class="soft">{notes}</p></div>'])


def conditions_html(rule: RuleWords) -> str:
    """What a rule looks at and what it says, as a table."""
    rows = [
        f'<tr><td class="word">{word}</td><td class="name">{for_html(name)}</td>'
        f'<td>{for_html(term)}</td><td class="soft">{for_html(bounds)}</td></tr>'
        for word, name, term, bounds in connected(rule.conditions)
    ]
    then = f'<td class="name" colspan="3">{for_html(rule.conclusion)}</td>'
    rows.append(f'<tr><td class="word">THEN</td>{then}</tr>')
    return "\n".join(["<table>", *rows, "</table>"])


def classes_html(rule: RuleWords, probabilities: Sequence[float]) -> str:
    """The classes of the rows a rule leads on, and what it says of them, as a table."""
    head = "<th>class</th><th>rows</th><th>the rule says</th><th></th>"
    rows = [
        f'<tr><td class="name">{for_html(label)}</td><td>{share}</td><td>{says}</td>'
        f'<td><span class="bar" style="width:{8 * probability:.2f}em"></span></td></tr>'
        for (label, says, share), probability in zip(rule.classes, probabilities, strict=True)
    ]
    return "\n".join([f'<table><tr class="soft">{head}</tr>', *rows, "</table>"])
