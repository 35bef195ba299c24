"""`allfronts test`: formatting, types and all tests, in one go. Arguments are handed to pytest."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from engine.failure import BadInput

ROOT = Path(__file__).resolve().parents[2]
PROCESSES_MOST: Final = 4
WAITING_PROCESSES: Final = 2
"""More processes than there are processors: while one waits for a browser or the emulator, another has work."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pytest", nargs="*", help="after `--`, passed on to pytest; with any, only pytest runs")


def run(args: argparse.Namespace) -> int:
    """Returns 0 when everything passed, else 1."""
    if not (ROOT / "tests").is_dir():
        raise BadInput("no-tests", "The tests are not part of the package.", "Clone the project and run it there.")
    named: list[str] = args.pytest
    # The whole suite shares the processors; some named tests are run one after the other, as they are debugged.
    processes = min(PROCESSES_MOST, (os.cpu_count() or 1) + WAITING_PROCESSES)
    spread = [] if named else ["-n", str(processes), "--dist", "worksteal"]
    failed: list[str] = []
    for command in [] if named else [["ruff", "check", "."], ["ruff", "format", "--check", "."]]:
        failed += _failed(command)
    # The types are checked beside the tests, of whose processes the last one would else work alone for a while.
    with ThreadPoolExecutor(1) as beside:
        types = None if named else beside.submit(_failed, ["mypy"], kept=True)
        failed += _failed(["pytest", *spread, *named])
        failed += [] if types is None else types.result()
    if failed:
        sys.stderr.write(f"allfronts test: failed: {', '.join(failed)}\n")
    return 1 if failed else 0


def _failed(command: list[str], kept: bool = False) -> list[str]:
    """Runs a module with its arguments; its name, where it failed. `kept`: what it says is told when it has ended, so
    that it does not come between the lines of what runs beside it."""
    sys.stderr.write(f"== {' '.join(command)}\n")
    sys.stderr.flush()
    out, errors = (subprocess.PIPE, subprocess.STDOUT) if kept else (None, None)
    # Hundreds of processes that tests start would compile all modules anew where bytecode may not be kept: of tests of
    # the commands that took 88 s of processor time instead of 65 s.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    words = [sys.executable, "-m", *command]
    done = subprocess.run(words, cwd=ROOT, env=own, check=False, stdout=out, stderr=errors, text=True)
    sys.stderr.write(done.stdout or "")
    return [" ".join(command[:2])] if done.returncode else []
