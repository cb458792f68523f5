"""The command `unfis`: one file per command, no logic that the library lacks."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command."""
    try:
        from unfis.cli.app import app
        from unfis.cli.running import run
    except ImportError as error:
        sys.exit(f"unfis: the command needs {error.name}: pip install 'unfis[cli]'.")
    sys.exit(run(app))
