"""Decks that many tests need are learnt once in a run: learning takes ten seconds, and tests run in several
processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from vision.enrolment.enrol import PHOTOS, enrol
from vision.profile import DeckProfile
from vision.types import Picture

LIMIT_S = 300.0


def learnt_once(
    base: pytest.TempPathFactory, name: str, photographs: Callable[[], Mapping[str, Picture]]
) -> DeckProfile:
    """The deck of four photographs, by `PHOTOS`; whichever process asks first learns it, all others read it."""
    root = base.getbasetemp()
    # Each process of several has a folder of its own in one that they share.
    shared = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    folder, claim = shared / f"deck-{name}", shared / f"deck-{name}.claim"
    end = time.monotonic() + LIMIT_S
    while not folder.exists():
        if _claimed(claim):
            return _learnt(folder, claim, photographs)
        assert time.monotonic() < end, f"nobody has learnt {name}"
        time.sleep(0.05)
    return DeckProfile.load(folder)


def _claimed(claim: Path) -> bool:
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _learnt(folder: Path, claim: Path, photographs: Callable[[], Mapping[str, Picture]]) -> DeckProfile:
    try:
        photos = photographs()
        fresh = folder.with_name(folder.name + ".fresh")
        enrol(*(photos[name] for name in PHOTOS)).save(fresh)
        fresh.rename(folder)
    except BaseException:
        # Another process may try.
        claim.unlink()
        raise
    return DeckProfile.load(folder)
