"""`python -m tunables`."""

import sys

from tunables.cli import main

if __name__ == "__main__":
    sys.exit(main())
