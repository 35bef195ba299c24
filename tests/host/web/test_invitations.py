"""Given an invitation, then it holds for a day, whatever the clock does, and a restart keeps one of today."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, Final

import pytest

from host.app import page_server
from host.app.page_server import load_access
from host.kept_file import write_kept
from host.web.invitations import HELD_SECONDS, RENEWED_AT_START_SECONDS, Invitations
from host.web.roles import ROLES

TODAY: Final = 1_800_000_000.0


class Clocks:
    """The machine's clock as people set it, and the one that only runs."""

    def __init__(self) -> None:
        self.wall, self.running = TODAY, 500.0

    def pass_by(self, seconds: float) -> None:
        self.wall += seconds
        self.running += seconds

    def invitations(self, *kept: Invitations) -> Invitations:
        """New ones, or those of a program that ran before and were kept."""
        clocks = {"clock": lambda: self.running, "wall": lambda: self.wall}
        if not kept:
            return Invitations(**clocks)
        return Invitations(dict(kept[0]), made={role: kept[0].made(role) for role in ROLES}, **clocks)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


def test_it_ends_after_a_day_and_the_next_one_is_another(clocks: Clocks) -> None:
    invitations = clocks.invitations()
    before = dict(invitations)
    clocks.pass_by(HELD_SECONDS - 1)
    assert dict(invitations) == before
    assert invitations.ends("near") == clocks.wall + 1
    clocks.pass_by(1)
    assert not set(before.values()) & set(dict(invitations).values())


@pytest.mark.parametrize("jump", [-400 * 86_400.0, 400 * 86_400.0])
def test_a_clock_that_is_set_sends_nobody_out(clocks: Clocks, jump: float) -> None:
    invitations = clocks.invitations()
    before = dict(invitations)
    clocks.wall += jump
    clocks.pass_by(3600)
    assert dict(invitations) == before


def test_a_restart_of_the_same_evening_keeps_them_and_they_end_when_they_would_have(clocks: Clocks) -> None:
    first = clocks.invitations()
    clocks.pass_by(3600)
    clocks.running = 3.0
    second = clocks.invitations(first)
    assert dict(second) == dict(first)
    clocks.pass_by(HELD_SECONDS - 3600)
    assert not set(first.values()) & set(dict(second).values())


@pytest.mark.parametrize("later", [RENEWED_AT_START_SECONDS, 30 * 86_400.0, -86_400.0])
def test_a_restart_on_another_day_makes_them_anew(clocks: Clocks, later: float) -> None:
    first = clocks.invitations()
    before = dict(first)
    clocks.wall += later
    assert not set(before.values()) & set(dict(clocks.invitations(first)).values())


def test_kept_invitations_of_unknown_age_are_made_anew_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    load_access(True, tmp_path)
    read = json.loads(path.read_text("utf-8"))
    del read["made"]
    path.write_text(json.dumps(read))
    again = load_access(True, tmp_path)
    assert not set(read["tokens"].values()) & set(again.tokens.values())
    assert dict(load_access(True, tmp_path).tokens) == dict(again.tokens)


def test_an_invitation_that_is_revoked_while_somebody_comes_in_stays_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given somebody who comes in and whose coming is just being written down, when the owner revokes another
    invitation, then the revoked one is refused after a restart, too."""
    access = load_access(True, tmp_path)
    revoked = access.tokens["near"]
    writing, revoked_meanwhile = threading.Event(), threading.Event()

    def slow_disk(path: Path, record: Any) -> None:
        if threading.current_thread() is coming:
            writing.set()
            # This cannot come while one is kept after another, so it is not waited for long.
            revoked_meanwhile.wait(0.5)
        write_kept(path, record)

    def revoke() -> None:
        access.tokens.renew("near")
        revoked_meanwhile.set()

    monkeypatch.setattr(page_server, "write_kept", slow_disk)
    coming = threading.Thread(target=access.tokens.joined, args=("viewer", TODAY))
    owner = threading.Thread(target=revoke)
    coming.start()
    assert writing.wait(20)
    owner.start()
    coming.join(20)
    owner.join(20)

    again = load_access(True, tmp_path)
    assert again.role_of(revoked) is None
    assert again.role_of(access.tokens["near"]) == "near"
    assert again.tokens.taken("viewer") == TODAY
