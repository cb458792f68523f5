"""python -m unfis: the command."""

from unfis.app.cli import main

main()
