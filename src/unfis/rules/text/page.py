"""Rule bases as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from unfis.rules.plain_rules import PlainRules
from unfis.rules.text.counted import PointsRow
from unfis.rules.text.points import PointsWords
from unfis.rules.text.render import STYLE, connected, for_html, notes_of
from unfis.rules.text.sentences import RuleWords, footnotes, headline, is_card, rules_in_words


def as_html(base: PlainRules) -> str:
    """A rule base as HTML."""
    parts = [STYLE, '<div class="unfis">', f"<p><b>{for_html(headline(base))}</b></p>"]
    for rule, words in zip(base, rules_in_words(base), strict=True):
        head = " ".join(filter(None, [f"<b>{words.title}</b>", words.opening]))
        parts += [
            f'<div class="rule">{head} ({for_html(words.support)})',
            "" if is_card(base) else conditions_html(words),
            points_html(words.points) if words.points else "",
            *(f'<p class="soft">{for_html(note)}</p>' for note in notes_of(words)),
            "" if is_card(base) else classes_html(words, rule.probabilities),
            "</div>",
        ]
    notes = "<br>".join(for_html(note) for note in footnotes(base))
    return "\n".join([*filter(None, parts), f'<p class="soft">{notes}</p></div>'])


def conditions_html(rule: RuleWords) -> str:
    """What a rule looks at and what it concludes, as a table."""
    rows = [
        f'<tr><td class="word">{word}</td><td class="name">{for_html(name)}</td>'
        f"<td{title_html(each.every)}>{for_html(term)}</td>"
        f'<td class="soft">{for_html(bounds)}</td></tr>'
        for (word, name, term, bounds), each in zip(
            connected(rule.conditions), rule.conditions, strict=True
        )
    ]
    then = f'<td class="name" colspan="3">{for_html(rule.conclusion)}</td>'
    rows.append(f'<tr><td class="word">THEN</td>{then}</tr>')
    return "\n".join(["<table>", *rows, "</table>"])


def title_html(every: str) -> str:
    """The attribute that tells all kinds where a name is cut short."""
    return f' title="{for_html(every)}"' if every else ""


def points_html(points: PointsWords) -> str:
    """What a rule counts, and the way from points to probabilities, as tables."""
    if points.listed:
        head = f'<tr><th colspan="4">{for_html(points.heading)}</th></tr>'
        owned = [(f'<th class="name">{for_html(name)}</th>', row) for name, row in points.lines]
    else:
        heads = [f"<th>{for_html(name)}</th>" for name in points.classes]
        head = f"<tr><th>{for_html(points.title)}</th>{''.join(heads)}<th></th></tr>"
        owned = [("", row) for row in points.rows]
    lines = [f"<tr>{owner}{row_html(row)}</tr>" for owner, row in owned]
    return "\n".join(["<table>", head, *lines, "</table>", *scale_html(points)])


def row_html(row: PointsRow) -> str:
    """The cells of a line of points."""
    name = f'<td class="name"{title_html(row.every)}>{for_html(row.name)}</td>'
    cells = "".join(f'<td class="points">{number}</td>' for number in row.points)
    return f'{name}{cells}<td class="soft">{for_html(row.per)}</td>'


def scale_html(points: PointsWords) -> list[str]:
    """The table from points to probabilities, if there is one."""
    if not points.scale:
        return []
    measure, name = points.title.split()[0].lower(), for_html(points.classes[0])
    numbers = "".join(f"<td>{number}</td>" for number, _ in points.scale)
    shares = "".join(f"<td>{share}</td>" for _, share in points.scale)
    scale = ["<table>", f"<tr><th>{measure}</th>{numbers}</tr>"]
    return [*scale, f"<tr><th>{name}</th>{shares}</tr>", "</table>"]


def classes_html(rule: RuleWords, probabilities: Sequence[float]) -> str:
    """The classes of the rows a rule leads on, and what it says of them, as a table."""
    head = "<th>class</th><th>rows</th><th>the rule says</th><th></th>"
    rows = [
        f'<tr><td class="name">{for_html(label)}</td><td>{share}</td><td>{says}</td>'
        f'<td><span class="bar" style="width:{8 * probability:.2f}em"></span></td></tr>'
        for (label, says, share), probability in zip(rule.classes, probabilities, strict=True)
    ]
    return "\n".join([f'<table><tr class="soft">{head}</tr>', *rows, "</table>"])
