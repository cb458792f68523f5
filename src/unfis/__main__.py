"""python -m unfis: the command."""

from unfis.cli import main

main()
