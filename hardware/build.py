"""Writes everything in hardware/ that a program makes: parts, pictures, wiring, tables.

    python hardware/build.py                everything
    python hardware/build.py parts          one of: parts, pictures, wiring, tables

It needs the packages of the project's `test` extra, and Graphviz (`dot`) for the wiring.
"""

from __future__ import annotations

import shutil
import sys

from kit.everything import WRITERS


def main(what: list[str]) -> int:
    unknown = [name for name in what if name not in WRITERS]
    if unknown:
        sys.stderr.write(f"build: {unknown[0]!r} is not one of {', '.join(WRITERS)}.\n")
        return 2
    if "wiring" in (what or WRITERS) and shutil.which("dot") is None:
        sys.stderr.write("build: the wiring is drawn by Graphviz, which is not there: sudo apt-get install graphviz\n")
        return 2
    for name in what or WRITERS:
        WRITERS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
