"""Does the newest of every range still work? `python -m host.dependencies.newest` tries what the lock has not yet.

Only packages that are newer than the installed, locked ones are fetched, into a folder of their own that is put before
the others, and a part of the tests runs with them. The result is one line; it is news for whoever renews the lock and
says nothing against the project as it is, so CI prints it and goes on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from host.dependencies.lock import EXTRAS, ROOT

SECONDS_AT_MOST: Final = 600.0
"""For everything together, beside the tests; what is not known by then is not known."""
TRIED: Final = (
    "tests/engine/test_goldens.py", "tests/host/web/test_server.py", "tests/host/web/test_actions.py",
    "tests/host/session/test_session.py", "tests/vision/geometry/test_registration.py",
    "tests/host/printing/test_mat.py", "tests/host/club/tournament/test_pairing.py",
)  # fmt: skip
"""Tests in which the packages of the table and the club do what they are there for."""


def newer(report: Mapping[str, Any], installed: Mapping[str, str]) -> dict[str, str]:
    """What pip would install by the ranges (its report of a dry run), where another version is installed here."""
    found = {one["metadata"]["name"].lower().replace("_", "-"): one["metadata"]["version"] for one in report["install"]}
    return {name: v for name, v in sorted(found.items()) if name != "allfronts" and installed.get(name) != v}


def _installed() -> dict[str, str]:
    return {d.metadata["Name"].lower().replace("_", "-"): d.version for d in metadata.distributions()}


def _pip(*words: str, seconds: float) -> str:
    command = [sys.executable, "-m", "pip", "install", "-q", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds).stdout


def tried() -> str:
    """What came of it, in one line. Raises `SubprocessError` where the packages cannot be had in time."""
    end = time.monotonic() + SECONDS_AT_MOST
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "report.json"
        _pip(
            "--dry-run", "--ignore-installed", "--report", str(told), "-e", f"{ROOT}[{EXTRAS[0]}]",
            seconds=end - time.monotonic(),
        )  # fmt: skip
        wanted = newer(json.loads(told.read_text("utf-8")), _installed())
        if not wanted:
            return "the locked set is the newest."
        names = ", ".join(f"{name} {version}" for name, version in wanted.items())
        into = Path(folder) / "packages"
        exact = [f"{name}=={version}" for name, version in wanted.items()]
        _pip("--no-deps", "--only-binary", ":all:", "--target", str(into), *exact, seconds=end - time.monotonic())
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *TRIED],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(into)}, capture_output=True, text=True, check=False,
            timeout=max(1.0, end - time.monotonic()),
        )  # fmt: skip
        return outcome(run.returncode, run.stdout + run.stderr, names)


def outcome(status: int, output: str, names: str) -> str:
    """What a run of pytest with the packages `names` says of them, by its exit status and what it wrote. Only a test
    that failed speaks against them: pytest ends with 1 then, and otherwise where it could not run."""
    if status == 0:
        return f"newer than the lock, and the tests that were tried pass: {names}."
    lines = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if status == 1 and lines:
        return f"newer than the lock, and they do not work yet: {names}. {' '.join(lines[:3])}"
    last = " ".join(output.strip().splitlines()[-2:])
    return f"newer than the lock, and not known to work, for the tests ended with status {status}: {names}. {last}"


def main() -> int:
    try:
        line = tried()
    except subprocess.SubprocessError as error:
        line = f"not tried: {type(error).__name__}, within {SECONDS_AT_MOST:.0f} s."
    sys.stdout.write(f"newest packages: {line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
