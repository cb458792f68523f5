"""python -m unfis_paper is the command unfis-paper."""

from unfis_paper.app import main

if __name__ == "__main__":
    main()
