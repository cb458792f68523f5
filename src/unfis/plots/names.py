"""Names of any kind as text on a picture: one short line that matplotlib takes as it is."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from unfis.serial.messages import shortened

# So many characters of a name are shown.
LONGEST_SHOWN = 30


def shown(name: Any, length: int = LONGEST_SHOWN, width: int = 100) -> str:
    """A name as text for matplotlib: short, in lines of a width, its "$" no mathematics."""
    return escaped(wrapped(short(name, length), width))


def wrapped(text: str, width: int) -> str:
    """Text in lines of a width, broken where words of a name end and nowhere else."""
    lines = [""]
    for part in re.split(r"(?<=[\s_-])", text):
        if lines[-1] and len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.strip() for line in lines)


def escaped(text: str) -> str:
    """Text that matplotlib takes as it is, without looking for mathematics in it."""
    return text.replace("$", r"\$")


def short(name: Any, length: int = LONGEST_SHOWN) -> str:
    """A name on one line and not too long."""
    return shortened(one_line(str(name)), length)


def one_line(text: str) -> str:
    """Text without line breaks and without characters that no font can draw."""
    undrawable = ("Cc", "Cs")  # control characters and halves of characters
    drawable = (" " if unicodedata.category(sign) in undrawable else sign for sign in text)
    return " ".join("".join(drawable).split())


def short_value(value: Any) -> str:
    """A value of an input in few characters."""
    return f"{value:.4g}" if isinstance(value, float) else short(value, 12)
