"""Rules as one script for browsers and Node.js: `model.js` with the numbers of these rules."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from typing import Any

import numpy as np

from unfis.data import CategoryReader
from unfis.data.columns import LARGEST_INPUT
from unfis.export.portable import named_labels
from unfis.network.layers import EPSILON, LEAST_REST
from unfis.rules import RuleBase
from unfis.rules.evaluation import FAR

# The largest whole number that has a double of its own.
LARGEST_EXACT = 2**53 - 1
SCRIPT_USE = """\
unfis.predict(row) gives the class of a row, unfis.predictProba(row) the probability of each class
by its label; a row is an object of values by the names of the inputs, or of text that spells them.
An input that is absent, null, NaN or a word for missing is unknown, and so is what cannot be read.
In Node.js: const unfis = require("./THIS_FILE"). In a page: a script element before yours."""
SCRIPT = """\
%(comment)s
const unfis = (() => {
%(functions)s
return byName(%(data)s);
})();
if (typeof module === "object") module.exports = unfis;
"""


def javascript(base: RuleBase) -> str:
    """The source of a script that defines `unfis`, and exports it where there are modules."""
    for what, labels in named_labels(base):
        # Doubles cannot tell them apart.
        if any(isinstance(label, int) and abs(label) > LARGEST_EXACT for label in labels):
            raise ValueError(f"{what} hold whole numbers of more than 53 bits; make them text.")
    # It may stand in a page, where these would end a script, or begin what cannot end.
    words = re.sub("<(?=[/!])", r"<\\", f"{base.to_text()}\n\n{SCRIPT_USE}")
    return SCRIPT % {
        "comment": "\n".join(f"// {line}".rstrip() for line in words.splitlines()),
        "functions": functions(),
        "data": as_json(model_data(base)),
    }


def functions() -> str:
    """The functions that compute, in double precision as the library does."""
    return files("unfis.export").joinpath("model.js").read_text(encoding="utf-8")


def model_data(base: RuleBase) -> dict[str, Any]:
    """What `createModel` is given: the rules, which category each number is, constants."""
    used = base.arrays.variables
    readers = [CategoryReader(variable.categories, base.notation) for variable in used]
    return {
        "base": replace(base, variables=tuple(used)).to_dict(),
        "numbers": [list(reader.numbers.items()) for reader in readers],
        "constants": {
            "largestInput": LARGEST_INPUT,
            "epsilon": EPSILON,
            "leastRest": LEAST_REST,
            "leastNumber": np.finfo(float).tiny,
            "far": FAR,
        },
    }


def as_json(data: Any) -> str:
    """Data as JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
