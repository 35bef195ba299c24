"""A club night on this machine, for the demonstration, the tests and the measurements: Mosquitto, desk and tables."""

from __future__ import annotations

import datetime
import socket
import time
from collections.abc import Callable
from pathlib import Path

from engine.failure import Failure
from host.club.desk import Desk
from host.club.intake import Intake
from host.club.screen import Feed
from host.club.simulation.tables import Fleet, Script, SimulatedTable
from host.club.store.base import Store
from host.club.store.opening import open_store
from host.club.wire.accounts import DESK, Accounts
from host.club.wire.broker import Broker, BrokerListener
from host.club.wire.certificate import fingerprint, make_certificate
from host.club.wire.join_code import JoinCode

CLUB = "club"
LIMIT = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(holds: Callable[[], object], what: str, limit: float = LIMIT) -> None:
    """Waits for a condition; raises `Failure` (`waited`) with `what` where it does not come in `limit` seconds."""
    end = time.monotonic() + limit
    while not holds():
        if time.monotonic() > end:
            raise Failure("waited", f"This did not come within {limit:.0f} s: {what}.")
        time.sleep(0.02)


class ClubNight:
    """A broker with TLS and plain listeners, and what is started over it."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.folder = folder
        self.accounts = Accounts(folder / "accounts.json")
        self.accounts.make(f"t{n}" for n in range(1, tables + 1))
        make_certificate(folder / "broker", CLUB, datetime.datetime.now(datetime.UTC))
        self.fingerprint = fingerprint((folder / "broker" / "club.crt").read_text())
        self.tls_port, self.plain_port = free_port(), free_port()
        listeners = [
            BrokerListener("127.0.0.1", self.tls_port),
            BrokerListener("127.0.0.1", self.plain_port, tls=False),
        ]
        self.broker = Broker(folder / "broker", CLUB, self.accounts, listeners)
        self.broker.write_files()
        self.broker.start()
        self.store: Store | None = None
        self.intake: Intake | None = None
        self.fleets: list[Fleet] = []

    def code(self, account: str, *, tls: bool = True, password: str | None = None) -> JoinCode:
        given = self.accounts.passwords.get(account, "none") if password is None else password
        port = self.tls_port if tls else self.plain_port
        return JoinCode("127.0.0.1", port, CLUB, account, given, tls, self.fingerprint if tls else None)

    def open_desk(self, address: str | Path | None = None) -> Desk:
        self.store = open_store(address or self.folder / "desk.db", CLUB)
        desk = Desk(self.store, Feed(time.monotonic), time.time)
        self.intake = Intake(desk, self.store, self.code(DESK), time.time)
        self.intake.start(self.accounts.tables())
        return desk

    def close_desk(self) -> None:
        if self.intake is not None and self.store is not None:
            self.intake.close()
            self.store.close()
        self.intake = self.store = None

    def seat(self, number: int, script: Script) -> SimulatedTable:
        return SimulatedTable(self.code(f"t{number}"), script, f"log-{number}", time.time)

    def play(self, tables: list[SimulatedTable]) -> Fleet:
        fleet = Fleet(tables)
        fleet.start()
        self.fleets.append(fleet)
        return fleet

    def close(self) -> None:
        for fleet in self.fleets:
            fleet.close()
        self.close_desk()
        self.broker.stop()
