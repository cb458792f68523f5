"""What a reader sees of a page."""

import html
import re


def words_of(page):
    """The text of a page, without its tags, style and script."""
    body = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body.replace("<wbr>", ""))).split())
