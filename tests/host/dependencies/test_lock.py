"""Given the committed locks, then they hold what pyproject.toml asks for, and each file by its hash."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from host import bootstrap
from host.dependencies.advisories import read_answer
from host.dependencies.lock import EXTRAS, LOCKS, lock_of, read_lock, versions
from host.dependencies.newest import newer, outcome

ROOT = Path(__file__).parents[3]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def declared(extra: str) -> set[str]:
    """Everything that an extra asks for by name, through the extras that it contains."""
    found: set[str] = set()
    for line in PYPROJECT["project"]["optional-dependencies"][extra]:
        inner = re.match(r"allfronts\[(\w+)\]", line)
        match = re.match(r"[A-Za-z0-9_.-]+", line)
        assert match
        found |= declared(inner[1]) if inner else {match[0].lower()}
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_lock_holds_everything_that_is_asked_for_and_every_file_by_its_hash(extra: str) -> None:
    lock = lock_of(extra)
    names = {one.name for one in lock}
    assert declared(extra) <= names, "pyproject.toml has changed: python -m host.dependencies.lock"
    assert {"pip", "setuptools"} <= names
    assert all(one.hashes for one in lock)
    for name in names:
        # Two versions of one package never meet on one machine.
        markers = [one.marker for one in lock if one.name == name]
        assert len(markers) == len(set(markers)), name


@pytest.mark.parametrize("name", ["numpy", "opencv-python-headless", "cryptography"])
def test_a_lock_has_files_for_more_than_one_machine(name: str) -> None:
    assert sum(len(one.hashes) for one in lock_of("table") if one.name == name) > 4


def test_the_locks_agree_with_each_other() -> None:
    whole = versions(lock_of("test"))
    for extra in EXTRAS[1:]:
        for name, found in versions(lock_of(extra)).items():
            assert found <= whole[name]


def test_a_lock_names_no_address() -> None:
    for path in LOCKS.glob("*.txt"):
        text = path.read_text("utf-8")
        assert "://" not in text
        assert "index-url" not in text


def test_the_launcher_installs_by_the_lock_alone() -> None:
    for extra in bootstrap.EXTRAS:
        packages, project = bootstrap.install_commands(extra)
        assert {"--require-hashes", "--only-binary", str(LOCKS / f"{extra}.txt")} <= set(packages)
        assert {"--no-index", "--no-deps", "--no-build-isolation"} <= set(project)


def test_pip_refuses_a_file_whose_hash_is_not_the_locked_one(tmp_path: Path) -> None:
    """Given a package that was exchanged on the way, when it is installed, then pip installs none."""
    wheel = tmp_path / "exchanged-1.0-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    lock = tmp_path / "lock.txt"
    lock.write_text(f"exchanged==1.0 --hash=sha256:{'0' * 64}\n")
    run = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--isolated", "--no-index", "--find-links", str(tmp_path),
         "--target", str(tmp_path / "into"), "--require-hashes", "-r", str(lock)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    assert "DO NOT MATCH THE HASHES" in run.stderr
    assert not (tmp_path / "into").exists()


def test_a_line_that_pins_nothing_is_no_lock() -> None:
    with pytest.raises(ValueError, match="flask>=3"):
        read_lock("flask>=3\n")


def test_advisories_are_told_and_no_answer_is_no_good_answer() -> None:
    known = {"id": "CVE-2024-49768", "fix_versions": ["3.0.1"], "aliases": []}
    both = {
        "dependencies": [
            {"name": "waitress", "version": "3.0.0", "vulns": [known]},
            {"name": "segno", "version": "1.6.6", "vulns": []},
        ]
    }
    checked = read_answer(json.loads(json.dumps(both)))
    assert checked.status == 1
    assert "waitress 3.0.0: CVE-2024-49768, mended in 3.0.1" in checked.text()
    assert read_answer({"dependencies": both["dependencies"][1:]}).status == 0
    silent = read_answer({"dependencies": [{"name": "segno", "skip_reason": "could not be audited"}]})
    assert silent.status == 2
    assert "NOT CHECKED" in silent.text()


def test_what_is_newer_than_installed_is_found_in_pips_report() -> None:
    def one(name: str, version: str) -> dict[str, dict[str, str]]:
        return {"metadata": {"name": name, "version": version}}

    report = {"install": [one("Flask", "3.2"), one("types_PyYAML", "6"), one("allfronts", "0.1.0")]}
    assert newer(report, {"flask": "3.1.3", "types-pyyaml": "6"}) == {"flask": "3.2"}


@pytest.mark.parametrize(
    ("status", "output", "said"),
    [
        (0, "255 passed", "the tests that were tried pass: flask 3.2."),
        (1, "FAILED tests/host/web/test_server.py::test_a\n1 failed", "do not work yet: flask 3.2. FAILED tests/host"),
        (-9, "....\nKilled", "not known to work, for the tests ended with status -9: flask 3.2. .... Killed"),
    ],
)
def test_only_a_test_that_failed_speaks_against_the_newest_packages(status: int, output: str, said: str) -> None:
    """Of a run that had ended without one it was said, too, that the packages do not work yet."""
    assert said in outcome(status, output, "flask 3.2")
