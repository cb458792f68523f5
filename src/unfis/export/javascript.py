"""Rules as one script for browsers and Node.js: `model.js` with the numbers of these rules."""

from __future__ import annotations

import json
import re
from typing import Any

from unfis.export.portable import Portable, model_data, source_of

SCRIPT_USE = """\
unfis.predict(row) gives %s;
a row is an object of values by the names of the inputs, or of text that spells them. An input that
is absent, null, NaN or a word for missing is unknown, and so is what cannot be read.
In Node.js: const unfis = require("./THIS_FILE"). In a page: a script element before yours."""
SCRIPT = """\
%(comment)s
const unfis = (() => {
%(functions)s
return byName(%(data)s);
})();
if (typeof module === "object") module.exports = unfis;
"""


def javascript(model: Portable) -> str:
    """The source of a script that defines `unfis`, and exports it where there are modules."""
    answer = "the class of a row, unfis.predictProba(row) each class's probability by its label"
    use = SCRIPT_USE % (answer if model.classes else "the number that is expected of a row")
    # It may stand in a page, where these would end a script, or begin what cannot end.
    words = re.sub("<(?=[/!])", r"<\\", f"{model.words}\n\n{use}")
    return SCRIPT % {
        "comment": "\n".join(f"// {line}".rstrip() for line in words.splitlines()),
        "functions": functions(),
        "data": as_json(model_data(model)),
    }


def functions() -> str:
    """The functions that compute, in double precision as the library does."""
    return source_of("unfis.export", "model.js")


def as_json(data: Any) -> str:
    """Data as JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
