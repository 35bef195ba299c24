"""`allfronts test`: formatting, types and all tests, in one go. Arguments are handed to pytest."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from engine.failure import BadInput

ROOT = Path(__file__).resolve().parents[2]
PROCESSES_MOST: Final = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pytest", nargs="*", help="after `--`, passed on to pytest; with any, only pytest runs")


def run(args: argparse.Namespace) -> int:
    """Returns 0 when everything passed, else 1."""
    if not (ROOT / "tests").is_dir():
        raise BadInput("no-tests", "The tests are not part of the package.", "Clone the project and run it there.")
    checks = [] if args.pytest else [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    failed: list[str] = []
    # The whole suite shares the processors; some named tests are run one after the other, as they are debugged.
    spread = [] if args.pytest else ["-n", str(max(2, min(PROCESSES_MOST, os.cpu_count() or 1))), "--dist", "worksteal"]
    for command in [*checks, ["pytest", *spread, *args.pytest]]:
        sys.stderr.write(f"== {' '.join(command)}\n")
        sys.stderr.flush()
        if subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode:
            failed.append(" ".join(command[:2]))
    if failed:
        sys.stderr.write(f"allfronts test: failed: {', '.join(failed)}\n")
    return 1 if failed else 0
