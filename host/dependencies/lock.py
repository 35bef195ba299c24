"""The locked sets that the launcher installs: `python -m host.dependencies.lock` makes them anew.

Each extra of the launcher has a file with the version of every package and the SHA-256 of every file of it, so that one
lock serves every processor and every Python from 3.11 on. The resolver is uv (https://docs.astral.sh/uv/), which
resolves for all of them at once; it is put into an environment of its own, used, and thrown away.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
LOCKS: Final = Path(__file__).with_name("locks")
EXTRAS: Final = ("test", "club", "table")
"""Each contains those after it; the later ones take the versions of the first."""
RESOLVER: Final = "uv>=0.9,<1"
INSTALLER: Final = "pip>=26"
"""Locked too: the pip that comes with a Python is as old as that Python."""

_PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)(?: *; *([^\\]*?))? *\\?$")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Pinned:
    """One package of a lock: its version, for which machines (an environment marker, or nothing), and its files."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def read_lock(text: str) -> tuple[Pinned, ...]:
    """The packages of a lock file in their order. Raises `ValueError` for a line that pins nothing."""
    found: list[Pinned] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            last = found.pop()
            found.append(Pinned(last.name, last.version, last.marker, (*last.hashes, *_HASH.findall(line))))
            continue
        match = _PINNED.match(line)
        if match is None:
            raise ValueError(f"not a pinned package: {line}")
        found.append(Pinned(match[1], match[2], match[3] or "", ()))
    return tuple(found)


def versions(lock: Sequence[Pinned]) -> Mapping[str, frozenset[str]]:
    """The versions of each package; several where machines differ."""
    return {one.name: frozenset(other.version for other in lock if other.name == one.name) for one in lock}


def lock_of(extra: str) -> tuple[Pinned, ...]:
    """The committed lock of an extra."""
    return read_lock((LOCKS / f"{extra}.txt").read_text("utf-8"))


def compile_locks(resolver: str, into: Path) -> None:
    """Writes every lock to the folder `into`; raises `CalledProcessError` where the resolver fails."""
    project = ROOT / "pyproject.toml"
    needed = tomllib.loads(project.read_text("utf-8"))["build-system"]["requires"]
    with tempfile.TemporaryDirectory() as folder:
        building = Path(folder) / "building.in"
        building.write_text("\n".join([*needed, INSTALLER]) + "\n", "utf-8")
        for extra in EXTRAS:
            made = Path(folder) / f"{extra}.txt"
            command = [resolver, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
            command += ["--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url"]
            command += ["--extra", extra, str(project), str(building), "-o", str(made)]
            if extra != EXTRAS[0]:
                command += ["--constraints", str(Path(folder) / f"{EXTRAS[0]}.txt")]
            subprocess.run(command, check=True, cwd=folder)
            head = f"# What `./allfronts` installs (extra {extra}). Made by: python -m host.dependencies.lock\n"
            (into / f"{extra}.txt").write_text(head + made.read_text("utf-8"), "utf-8")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder) / "bin" / "python"
        subprocess.run([str(python), "-m", "pip", "install", "-q", RESOLVER], check=True)
        compile_locks(str(python.with_name("uv")), LOCKS)
    for extra in EXTRAS:
        packages = lock_of(extra)
        sys.stdout.write(f"{extra}: {len(packages)} packages, {sum(len(one.hashes) for one in packages)} files\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
