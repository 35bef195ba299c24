"""Are there known advisories about what is locked? `python -m host.dependencies.advisories` asks with pip-audit.

pip-audit (https://github.com/pypa/pip-audit) asks a public database over the internet. Where that is out of reach, this
says so and ends with status 2: no answer is not a good answer. Status 1 means that advisories were found.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from host.dependencies.lock import EXTRAS, LOCKS, ROOT

AUDITOR: Final = "pip-audit>=2.9,<3"
SECONDS_AT_MOST: Final = 300.0


@dataclass(frozen=True, slots=True)
class Advisory:
    """One advisory about a locked package; `mended` are the versions that have no longer what it tells of."""

    package: str
    version: str
    id: str
    mended: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """What the database said. `asked` packages got an answer, `unanswered` did not."""

    asked: int
    unanswered: tuple[str, ...]
    advisories: tuple[Advisory, ...]

    @property
    def status(self) -> int:
        """0 nothing known, 1 advisories, 2 not every package was answered."""
        return 1 if self.advisories else 2 if self.unanswered or not self.asked else 0

    def text(self) -> str:
        lines = [
            f"{a.package} {a.version}: {a.id}, mended in {', '.join(a.mended) or 'no version yet'}"
            for a in self.advisories
        ]
        if self.unanswered:
            lines.append(f"NOT CHECKED, the database gave no answer: {', '.join(self.unanswered)}")
        lines.append(f"{self.asked} packages checked, {len(self.advisories)} advisories.")
        return "\n".join(lines) + "\n"


UNREACHABLE: Final = (
    "NOT CHECKED: the database of advisories is out of reach ({why}).\n"
    "Nothing is known about the locked packages; try again where the internet is within reach.\n"
)


def read_answer(told: Mapping[str, Any]) -> Checked:
    """pip-audit's JSON. Raises `KeyError` or `TypeError` for something else."""
    packages: Sequence[Mapping[str, Any]] = told["dependencies"]
    advisories = tuple(
        Advisory(p["name"], p["version"], found["id"], tuple(found["fix_versions"]))
        for p in packages
        for found in p.get("vulns", ())
    )
    unanswered = tuple(p["name"] for p in packages if "skip_reason" in p)
    return Checked(len(packages) - len(unanswered), unanswered, advisories)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            subprocess.run([str(python), "-m", "pip", "install", "-q", AUDITOR], check=True, timeout=SECONDS_AT_MOST)
            run = subprocess.run(
                [str(python.with_name("pip-audit")), "--require-hashes", "--disable-pip", "--format", "json",
                 "--progress-spinner", "off", "-r", str(LOCKS / f"{EXTRAS[0]}.txt")],
                cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS_AT_MOST,
            )  # fmt: skip
            checked = read_answer(json.loads(run.stdout))
        except (subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
            why = error if isinstance(error, subprocess.SubprocessError) else run.stderr.strip().splitlines()[-1:]
            sys.stderr.write(UNREACHABLE.format(why=why))
            return 2
    sys.stdout.write(checked.text())
    return checked.status


if __name__ == "__main__":
    sys.exit(main())
