"""`allfronts test`: formatting, types and all tests, in one go. Arguments are handed to pytest."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from engine.failure import BadInput

ROOT = Path(__file__).resolve().parents[2]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pytest", nargs="*", help="after `--`, passed on to pytest; with any, only pytest runs")


def run(args: argparse.Namespace) -> int:
    """Returns 0 when everything passed, else 1."""
    if not (ROOT / "tests").is_dir():
        raise BadInput("no-tests", "The tests are not part of the package.", "Clone the project and run it there.")
    checks = [] if args.pytest else [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    failed: list[str] = []
    for command in [*checks, ["pytest", *args.pytest]]:
        sys.stderr.write(f"== {' '.join(command)}\n")
        sys.stderr.flush()
        if subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode:
            failed.append(" ".join(command[:2]))
    if failed:
        sys.stderr.write(f"allfronts test: failed: {', '.join(failed)}\n")
    return 1 if failed else 0
