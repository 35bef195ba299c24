"""Companions' codes are invitations: they hold for a day, are made anew at the next evening, and end at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from host.app.club import ClubOptions, RunningClub
from host.club.simulation.night import free_port, until
from host.club.wire.accounts import DESK, Accounts
from host.club.wire.broker import mosquitto_program
from host.club.wire.connection import BrokerConnection, EntryListener
from host.club.wire.join_code import parse_join_code
from host.kept_file import write_kept
from host.web.invitations import HELD_SECONDS, RENEWED_AT_START_SECONDS

HOUR = 3600.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_code_holds_for_a_day_and_the_desks_own_password_stays(tmp_path: Path, clock: Clock) -> None:
    accounts = Accounts(tmp_path / "accounts.json", clock=clock, wall=clock)
    accounts.make(["t1", "bridge-north"])
    first = accounts.passwords

    clock.now += HELD_SECONDS - 1
    assert accounts.renew_ending() == ()

    clock.now += 1
    assert accounts.renew_ending() == ("t1", "bridge-north")
    assert all(accounts.passwords[name] != first[name] for name in ("t1", "bridge-north"))
    assert accounts.passwords[DESK] == first[DESK]
    assert accounts.renew_ending() == ()


def test_the_code_of_a_room_that_is_no_longer_named_ends(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "accounts.json"
    accounts = Accounts(path, clock=clock, wall=clock)
    accounts.make(["t1"])
    accounts.keep_bridges(["bridge-north", "bridge-south"])
    before = accounts.passwords

    accounts.keep_bridges(["bridge-south"])

    left = Accounts(path, clock=clock, wall=clock).passwords
    assert left == {name: before[name] for name in (DESK, "t1", "bridge-south")}


def test_a_clock_that_is_set_ends_no_code_in_mid_evening(tmp_path: Path, clock: Clock) -> None:
    wall = Clock()
    accounts = Accounts(tmp_path / "accounts.json", clock=clock, wall=wall)
    accounts.make(["t1"])
    wall.now += 400 * 24 * HOUR
    clock.now += HOUR
    assert accounts.renew_ending() == ()


@pytest.mark.parametrize(("hours", "anew"), [(1.0, False), (11.0, False), (13.0, True), (200.0, True), (-1.0, True)])
def test_an_evening_begins_with_codes_that_last_it(tmp_path: Path, clock: Clock, hours: float, anew: bool) -> None:
    """Given codes of some hours ago; when the desk starts; then none ends while people play."""
    path = tmp_path / "accounts.json"
    before = Accounts(path, clock=clock, wall=clock)
    before.make(["t1"])
    clock.now += hours * HOUR
    again = Accounts(path, clock=Clock(), wall=clock)
    assert again.passwords == before.passwords
    assert again.renew_ending(HELD_SECONDS - RENEWED_AT_START_SECONDS) == (("t1",) if anew else ())
    assert (again.passwords["t1"] != before.passwords["t1"]) == anew


def test_codes_of_an_earlier_version_have_no_age_and_are_made_anew(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "accounts.json"
    write_kept(path, {DESK: "d" * 20, "t1": "p" * 20})
    accounts = Accounts(path, clock=clock, wall=clock)
    assert accounts.renew_ending() == ("t1",)
    assert accounts.passwords[DESK] == "d" * 20


@pytest.fixture
def closing() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_another_rooms_code_opens_the_broker_while_the_desk_names_the_room(tmp_path: Path, closing: ExitStack) -> None:
    if mosquitto_program() is None:
        pytest.skip("needs mosquitto")
    port = free_port()

    def night(*rooms: str) -> RunningClub:
        options = ClubOptions(tmp_path / "club", broker_port=port, http_port=0, tables=1, rooms=rooms)
        return RunningClub(options, lambda line: None)

    def connection(code: str) -> BrokerConnection:
        made = BrokerConnection(parse_join_code(code), (), EntryListener(lambda message: None))
        closing.callback(made.close)
        made.prepare()
        made.start()
        return made

    first = night("north")
    try:
        code = first.room_codes["north"]
        opened = connection(code)
        until(lambda: opened.up, "the room's connection")
    finally:
        first.close()
    second = night()
    closing.callback(second.close)
    assert second.room_codes == {}
    until(lambda: connection(code).refused.wait(1.0), "the refusal of a room that is no longer named")


def test_after_a_day_the_old_code_is_refused_and_the_organiser_is_told(
    tmp_path: Path, clock: Clock, closing: ExitStack
) -> None:
    if mosquitto_program() is None:
        pytest.skip("needs mosquitto")
    told: list[str] = []
    options = ClubOptions(tmp_path / "club", broker_port=free_port(), http_port=0, tables=1)
    night = RunningClub(options, told.append, clock)
    closing.callback(night.close)
    old = night.join_code("t1")
    night.keep_up()
    assert night.join_code("t1") == old
    clock.now += HELD_SECONDS
    night.keep_up()
    assert any("codes have ended" in line for line in told)

    def is_refused() -> bool:
        connection = BrokerConnection(old, (), EntryListener(lambda message: None))
        closing.callback(connection.close)
        connection.prepare()
        connection.start()
        return connection.refused.wait(1.0)

    until(is_refused, "the old code's refusal")
    fresh = BrokerConnection(night.join_code("t1"), (), EntryListener(lambda message: None))
    closing.callback(fresh.close)
    fresh.prepare()
    fresh.start()
    until(lambda: fresh.up, "the new code's connection")
