"""The points of rules on one page to print: text, HTML or LaTeX."""

from __future__ import annotations

from collections.abc import Callable

from unfis.rules.plain_rules import PlainRules
from unfis.rules.text.counted import PointsRow
from unfis.rules.text.page import points_html
from unfis.rules.text.render import (
    LONGEST_TABLE,
    STYLE,
    bracketed,
    card_lines,
    connected,
    for_html,
    for_latex,
    notes_of,
    rule_lines,
    scale_told,
    wrapped,
)
from unfis.rules.text.sentences import RuleWords, footnotes, headline, is_card, rules_in_words

HOW_TO_COUNT = (
    "Begin at the start and add what applies. Numbers count in proportion, below as above."
)
PAGE_STYLE = (
    "<style>@page{size:A4;margin:2cm}.unfis{margin:auto}.unfis .rule{break-inside:avoid}</style>"
)


def as_scorecard(base: PlainRules, form: str) -> str:
    """One page of the points of a rule base."""
    if form not in PAGES:
        options = ", ".join(repr(name) for name in PAGES)
        raise ValueError(f"format must be one of {options}, got {form!r}.")
    if not any(rule.effects for rule in base):
        raise ValueError(
            "to_scorecard needs a rule whose THEN counts inputs, got rules that name classes only. "
            "Print them by to_text."
        )
    return PAGES[form](base)


def closing_lines(base: PlainRules) -> list[str]:
    """How to count, and what there is to say of the rules together."""
    return [HOW_TO_COUNT, *footnotes(base)]


def page_as_text(base: PlainRules) -> str:
    """The page in plain text."""
    told = rules_in_words(base)
    blocks = [card_lines(rule) if is_card(base) else rule_lines(rule) for rule in told]
    closing = [line for note in closing_lines(base) for line in wrapped(note)]
    return "\n\n".join("\n".join(lines) for lines in [[headline(base)], *blocks, closing]) + "\n"


def page_as_html(base: PlainRules) -> str:
    """The page as a document of HTML."""
    title = for_html(headline(base))
    parts = ['<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">']
    parts += [f"<title>{title}</title>", STYLE, PAGE_STYLE, "</head><body>"]
    parts += ['<div class="unfis">', f"<h1>{title}</h1>"]
    for rule in rules_in_words(base):
        head = "" if is_card(base) else f"<p>{for_html(condition_sentence(rule))}</p>"
        points = points_html(rule.points) if rule.points else ""
        notes = [f'<p class="soft">{for_html(note)}</p>' for note in notes_of(rule)]
        parts += ['<div class="rule">', head, points, *notes, "</div>"]
    parts += [f"<p>{for_html(line)}</p>" for line in closing_lines(base)]
    return "\n".join([*filter(None, parts), "</div></body></html>"])


def condition_sentence(rule: RuleWords) -> str:
    """A rule in one line, up to its points."""
    told = [
        f"{word} {name} {term}{bracketed(bounds)}"
        for word, name, term, bounds in connected(rule.conditions)
    ] or [rule.opening]
    return " ".join(filter(None, [rule.title, *told, f"THEN {rule.conclusion}"]))


def page_as_latex(base: PlainRules) -> str:
    """The page as a document of LaTeX."""
    lines = [
        "% Letters beyond ASCII need XeLaTeX or LuaLaTeX.",
        r"\documentclass{article}",
        r"\usepackage{array,booktabs,longtable}",
        r"\usepackage[a4paper,margin=2cm]{geometry}",
        r"\setlength{\parindent}{0pt}\pagestyle{empty}",
        r"\begin{document}",
        f"\\section*{{\\raggedright {for_latex(headline(base))}}}",
    ]
    for rule in rules_in_words(base):
        if not is_card(base):
            lines.append(f"{for_latex(condition_sentence(rule))}\\par")
        lines += latex_points(rule)
        lines += [f"{for_latex(note)}\\par" for note in notes_of(rule)]
    lines += [f"\\medskip {for_latex(line)}\\par" for line in closing_lines(base)]
    return "\n".join([*lines, r"\end{document}", ""])


def latex_points(rule: RuleWords) -> list[str]:
    """What a rule counts, as a table."""
    points = rule.points
    if points is None:
        return []
    if points.listed:
        head = rf"\multicolumn{{4}}{{l}}{{{for_latex(points.heading)}}}"
        columns = f"{{{broken_column(0.2)}{broken_column(0.35)}rl}}"
        rows = [f"{for_latex(name)} & {latex_row(row)}" for name, row in points.lines]
    else:
        head = " & ".join(map(for_latex, [points.title, *points.classes, ""]))
        columns = f"{{{broken_column(0.4)}{'r' * len(points.classes)}l}}"
        rows = [latex_row(row) for row in points.rows]
    kind = "longtable" if len(rows) > LONGEST_TABLE else "tabular"
    begin = [rf"\begin{{{kind}}}{columns}", r"\toprule", rf"{head} \\", r"\midrule"]
    end = [r"\bottomrule", rf"\end{{{kind}}}\par\medskip"]
    scale = [f"{for_latex(scale_told(points))}\\par"] if points.scale else []
    return [r"\medskip", *begin, *(rf"{row} \\" for row in rows), *end, *scale]


def broken_column(share: float) -> str:
    """A column of a table that takes a share of the line, in which words are broken into lines."""
    return rf">{{\raggedright\arraybackslash}}p{{{share}\linewidth}}"


def latex_row(row: PointsRow) -> str:
    """The cells of a line of points, nothing where there are none."""
    numbers = [number and f"${number}$" for number in row.points]
    return " & ".join([for_latex(row.name), *numbers, for_latex(row.per)])


PAGES: dict[str, Callable[[PlainRules], str]] = {
    "text": page_as_text,
    "html": page_as_html,
    "latex": page_as_latex,
}
