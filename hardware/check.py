"""Checks the whole kit and says what does not hold: python hardware/check.py [--all]

Fits and clearances, no bar in the watched picture, the wiring against the pins of all boards, lights <= fuse <= wire,
the list of parts against the wiring, meshes closed and within the bed, drawings and tables as their sources make them,
print files to size. Exit status: 0 everything holds, 1 something does not.
"""

from __future__ import annotations

import sys

from kit.everything import all_checks


def main(words: list[str]) -> int:
    checks = all_checks()
    failed = [check for check in checks if not check.holds]
    for check in checks if "--all" in words else failed:
        sys.stdout.write(f"{'ok  ' if check.holds else 'FAIL'} {check.name}: {check.found}\n")
    sys.stdout.write(f"{len(checks) - len(failed)} of {len(checks)} checks hold.\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
