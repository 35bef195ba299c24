"""The soak benches themselves, a few tries of each: what they look for does not happen, and they would see it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from host.bench.soak.damage import KINDS, Kind, try_kind
from host.bench.soak.requests import beyond_rights, random_requests
from host.bench.soak.surroundings import CHECKS, tried


@pytest.mark.parametrize("kind", KINDS[:6], ids=lambda kind: kind.name)
def test_damage_is_named_and_nothing_is_lost_in_silence(kind: Kind) -> None:
    assert try_kind(kind, 12, seed=7) == ([], [])


def test_a_reader_that_loses_something_in_silence_or_fails_is_found(tmp_path: Path) -> None:
    def make(folder: Path) -> Path:
        (folder / "file").write_text("0123456789")
        return folder / "file"

    careless = Kind("careless", make, lambda path: path.read_bytes()[:5])
    failing = Kind("failing", make, lambda path: path.read_bytes().decode("ascii"))
    assert try_kind(careless, 40)[1]
    assert try_kind(failing, 40)[0]


@pytest.mark.parametrize("name", CHECKS)
def test_what_surrounds_a_table_may_go_wrong(name: str) -> None:
    assert tried(CHECKS[name], 1, seed=Random(name).randrange(99)) == 0


def test_no_request_is_a_fault_of_ours_and_no_role_goes_beyond_its_right() -> None:
    assert random_requests(80)[0] == 0
    failed, count = beyond_rights(1)
    assert failed == 0
    assert count > 30
