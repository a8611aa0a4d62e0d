"""`python -m huaben`: the command line, for where the script is not on the path."""

from __future__ import annotations

from huaben.cli.main import main

if __name__ == "__main__":
    main()
