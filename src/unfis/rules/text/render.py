"""Rule bases as text, Markdown and LaTeX: whatever a name of a table is, it stays text."""

from __future__ import annotations

import html
import re
import textwrap

from unfis.rules.plain_rules import PlainRules
from unfis.rules.text.counted import PointsRow
from unfis.rules.text.full import full_rule, recipe
from unfis.rules.text.points import PointsWords, points_lines
from unfis.rules.text.sentences import (
    CARD,
    ConditionWords,
    RuleWords,
    footnotes,
    further_notes,
    headline,
    is_card,
    rules_in_words,
)

# A LaTeX table of more rows than this goes over several pages.
LONGEST_TABLE = 30
# Lines of text are no longer than this, where their words allow it.
WIDEST_TEXT = 100
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
# A sign of per cent that no line begins with.
UNBROKEN = "\N{NO-BREAK SPACE}%"
# The width of the column of titles.
INDENT = 8
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
.unfis .points{text-align:right}
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
    return " ".join(map(word_for_latex, text.split(" "))).replace(r" \%", r"~\%")


def word_for_latex(word: str) -> str:
    """A word in LaTeX; what has a sign is a number."""
    number = re.fullmatch(r"(\(?)([-+]\d+(?:\.\d+)?)([,:.)]*)", word)
    if number:
        return f"{number[1]}${number[2]}${number[3]}"
    between = r"\allowbreak{}" if len(word) > LONGEST_WORD else ""
    return between.join(LATEX.get(char, char) for char in word)


def for_html(text: str) -> str:
    """Text in HTML, also inside an attribute."""
    return html.escape(text, quote=True)


def connected(
    conditions: list[ConditionWords], connective: str = "AND"
) -> list[tuple[str, str, str, str]]:
    """Conditions with the words that lead them in: word, name, "is" term, range."""
    words = ["IF", *[connective] * (len(conditions) - 1)]
    return [
        (word, each.name, f"is {each.term}", each.range)
        for word, each in zip(words, conditions, strict=False)
    ]


def as_plain_text(base: PlainRules, detail: str = "short") -> str:
    """A rule base in plain text."""
    if detail not in ("short", "full"):
        raise ValueError(f"detail must be 'short' or 'full', got {detail!r}.")
    blocks = [headline(base)]
    for number, rule in enumerate(rules_in_words(base)):
        lines = card_lines(rule) if is_card(base) else rule_lines(rule)
        if detail == "full":
            lines += full_rule(base, number)
        blocks.append("\n".join(lines))
    full = detail == "full"
    notes = [*footnotes(base), *(further_notes(base) if full else [])]
    blocks.append("\n".join(line for note in notes for line in wrapped(note)))
    if full:
        blocks.append("\n".join(recipe(base)))
    return "\n\n".join(block for block in blocks if block)


def card_lines(rule: RuleWords) -> list[str]:
    """A rule that is the whole model, and counts."""
    assert rule.points is not None
    return [
        *points_lines(rule.points),
        *(line for note in notes_of(rule) for line in wrapped(note)),
    ]


def rule_lines(rule: RuleWords) -> list[str]:
    """A rule, its title beside its first condition, in lines below each other."""
    told = [
        f"{word} {name} {term}{bracketed(bounds)}"
        for word, name, term, bounds in connected(rule.conditions, rule.connective)
    ]
    told = [line for part in told for line in wrapped(part)] or [rule.opening]
    if rule.points is None:
        told.append(f"THEN {rule.conclusion}")
    else:
        told += [f"THEN {rule.conclusion}:", *(f"  {line}" for line in points_lines(rule.points))]
    told += [line for part in [rule.support, *notes_of(rule)] for line in wrapped(part)]
    margin = " " * INDENT
    return [f"{rule.title:{INDENT}s}{told[0]}".rstrip(), *(margin + line for line in told[1:])]


def notes_of(rule: RuleWords) -> list[str]:
    """What there is to remark of a rule."""
    return [*(rule.points.notes if rule.points else []), *rule.remarks]


def wrapped(text: str) -> list[str]:
    """A sentence in lines, the later ones set in; words and percentages stay whole."""
    lines = textwrap.wrap(
        text.replace(" %", UNBROKEN),
        WIDEST_TEXT - INDENT,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(UNBROKEN, " %") for line in lines]


def points_told(row: PointsRow, points: PointsWords) -> str:
    """What a line of points says in one sentence, with the classes if there are several."""
    several = len(points.classes) > 1 and not points.listed
    told = [
        f"{number} {name}" if several else number
        for number, name in zip(row.points, points.classes, strict=several)
        if number
    ]
    return f"{', '.join(told)}{row.per and ' '}{row.per}"


def scale_told(points: PointsWords) -> str:
    """From points to probabilities in one sentence."""
    measure = points.title.split()[0].lower()
    pairs = ", ".join(f"{share} at {number}" for number, share in points.scale)
    return f"{points.classes[0]} by {measure}: {pairs}"


def as_markdown(base: PlainRules) -> str:
    """A rule base in Markdown."""
    blocks = [f"**{for_markdown(headline(base))}**"]
    for rule in rules_in_words(base):
        title = " ".join(filter(None, [f"**{rule.title}**", rule.opening]))
        lines = [f"{title} ({for_markdown(rule.support)})", "", "| | | |", "|---|---|---|"]
        rows = [
            (word, name, term + bracketed(bounds))
            for word, name, term, bounds in connected(rule.conditions)
        ]
        for cells in [*rows, *then_rows(rule)]:
            lines.append("| " + " | ".join(for_markdown(cell) for cell in cells) + " |")
        blocks.append("\n".join(lines))
        blocks += [for_markdown(note) for note in notes_of(rule)]
    blocks += [for_markdown(note) for note in footnotes(base)]
    return "\n\n".join(blocks) + "\n"


def then_rows(rule: RuleWords) -> list[tuple[str, str, str]]:
    """What a rule concludes in rows of three cells: word, name, points."""
    points = rule.points
    if points is None:
        return [("THEN", rule.conclusion, "")]
    rows = [("" if rule.title == CARD else "THEN", points.heading, "")]
    rows += [("", row.name, points_told(row, points)) for row in points.rows]
    for name, row in points.lines:
        told = points_told(row, points)
        rows.append(("", name, f"{row.name} {told}") if name else ("", row.name, told))
    return [*rows, *([("", scale_told(points), "")] if points.scale else [])]


def bracketed(bounds: str) -> str:
    """The range of a condition, if there is one to tell."""
    return f" ({bounds})" if bounds else ""


def as_latex(base: PlainRules, caption: str, label: str) -> str:
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
        begin = [r"\begin{table}", r"  \centering"]
        begin += [r"  \setlength{\belowcaptionskip}{\medskipamount}"]
        begin += [f"  {title}", f"  \\label{{{label}}}"]
        begin.append(f"  \\begin{{tabular}}{columns}")
        end = [r"  \end{tabular}", r"\end{table}"]
    lines = [head, *begin, r"    \toprule", *rows, r"    \bottomrule", *end, ""]
    return "\n".join(lines)


def latex_rows(base: PlainRules) -> list[str]:
    """The rows of the table of a rule base."""
    rows = []
    for number, rule in enumerate(rules_in_words(base)):
        if number:
            rows.append(r"    \addlinespace")
        title = {"Otherwise": "else", CARD: ""}.get(rule.title, str(number + 1))
        support = "; ".join(filter(None, [rule.opening, rule.support]))
        rows.append(f"    {title} & \\emph{{{for_latex(support)}}} \\\\")
        for word, name, term, bounds in connected(rule.conditions):
            words = for_latex(f"{name} {term}{bracketed(bounds)}")
            rows.append(f"    & \\textsc{{{word.lower()}}} {words} \\\\")
        for word, name, told in then_rows(rule):
            lead = f"\\textsc{{{word.lower()}}} " if word else r"\quad " * bool(told)
            rows.append(f"    & {lead}{for_latex(f'{name}: {told}' if told else name)} \\\\")
        rows += [f"    & \\emph{{{for_latex(note)}}} \\\\" for note in notes_of(rule)]
    notes = [f"    & {for_latex(note)} \\\\" for note in footnotes(base)]
    return [*rows, *([r"    \addlinespace", *notes] if notes else [])]
