"""`python -m host` is `allfronts`."""

import sys

from host.cli import main

if __name__ == "__main__":
    sys.exit(main())
