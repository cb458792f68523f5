"""Rule bases as text, Markdown and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfis.rules.escape import for_latex, for_markdown
from unfis.rules.full import full_rule, recipe
from unfis.rules.words import ToldCondition, ToldRule, footnotes, headline, told_rule

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# A LaTeX table of more rows than this goes over several pages.
LONGEST_TABLE = 30
# Names longer than this do not move the column that follows them.
WIDEST = 40


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
    for number, told in enumerate(told_rules(base)):
        if number:
            rows.append(r"    \addlinespace")
        rows.append(f"    {number + 1} & \\emph{{{for_latex(told.support)}}} \\\\")
        for word, name, term, bounds in connected(told.conditions):
            words = for_latex(f"{name} {term}{bracketed(bounds)}")
            rows.append(f"    & \\textsc{{{word.lower()}}} {words} \\\\")
        rows.append(f"    & \\textsc{{then}} {for_latex(told.conclusion)} \\\\")
    return rows
