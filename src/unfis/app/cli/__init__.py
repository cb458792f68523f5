"""The command `unfis`: options and words; no logic that the library lacks."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed before the start: what is written goes nowhere
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    try:
        from unfis.app.cli.app import app
        from unfis.app.cli.running import run
    except ImportError as error:
        sys.exit(f"unfis: the command needs {error.name}: pip install 'unfis[cli]'.")
    code = run(app)
    if code:  # at once: a thread of pyarrow's that still reads would abort a slower end
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
