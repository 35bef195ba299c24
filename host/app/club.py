"""A running club night: store, broker, desk, intake and pages, put together and taken apart in order."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.app.fault_report import keep_fault
from host.club.desk import Desk
from host.club.intake import Intake
from host.club.screen import Feed
from host.club.store.opening import open_store
from host.club.web.access import load_access
from host.club.web.app import Site, make_club_app
from host.club.web.companions import Companions
from host.club.wire.accounts import BRIDGE, DESK, Accounts
from host.club.wire.broker import Bridge, Broker, BrokerListener
from host.club.wire.certificate import fetch_pinned, fingerprint, make_certificate
from host.club.wire.join_code import TLS_PORT, JoinCode, parse_join_code
from host.messages.command_text import command_text
from host.web.access import LOOPBACK, hosts, lan_address
from host.web.invitations import HELD_SECONDS, RENEWED_AT_START_SECONDS, running_clock
from host.web.server import PageServer

HTTP_PORT: Final = 8430
FAULT: Final = "fault.txt"
"""Where in the club's folder the last fault of this program is told, for a report."""


@dataclass(frozen=True, slots=True)
class ClubOptions:
    """What a club night is started with. `store` is None for SQLite in the folder; `broker` None starts Mosquitto."""

    folder: Path
    club: str = "club"
    store: str | None = None
    broker: str | None = None
    bridge: str | None = None
    rooms: tuple[str, ...] = ()
    """Other rooms whose brokers may pass their tables on to this one."""
    with_broker: bool = True
    broker_port: int = TLS_PORT
    http_port: int = HTTP_PORT
    tables: int = 8
    lan: bool = False
    language: str = "en"


class RunningClub:
    """Everything that `allfronts club` runs. Raises `BadInput` or `Failure` with the remedy where a part fails."""

    def __init__(
        self, options: ClubOptions, tell: Callable[[str], None], clock: Callable[[], float] = running_clock
    ) -> None:
        self._options = options
        self._tell = tell
        self._address = (lan_address() if options.lan else None) or LOOPBACK
        self._closing: list[Callable[[], None]] = []
        folder = options.folder
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        try:
            self.store = open_store(options.store or folder / "desk.db", options.club)
            self._closing.append(self.store.close)
            self.accounts = Accounts(folder / "accounts.json", clock=clock)
            if options.with_broker and options.broker is None:
                # Whoever keeps a broker of their own installs the passwords by hand, and ends them there.
                self.accounts.renew_ending(HELD_SECONDS - RENEWED_AT_START_SECONDS)
                self.accounts.keep_bridges([BRIDGE + room for room in options.rooms])
            self.accounts.make(f"t{n}" for n in range(1, options.tables + 1))
            self.broker: Broker | None = None
            desk_code = self._start_broker() if options.with_broker else None
            self.desk = Desk(self.store, Feed(time.monotonic), time.time)
            self.intake: Intake | None = None
            if desk_code is not None:
                self.intake = Intake(
                    self.desk, self.store, desk_code, time.time, lambda error: keep_fault(folder / FAULT, error)
                )
                self.intake.start(self.accounts.tables())
                self._closing.append(self.intake.close)
            self._serve()
        except BaseException:
            self.close()
            raise

    def _start_broker(self) -> JoinCode:
        """Starts Mosquitto, or takes the one that was named; the desk's own way to it."""
        options, folder = self._options, self._options.folder / "broker"
        if options.broker is not None:
            code = parse_join_code(options.broker)
            self._code_to = code
            # For whoever keeps that broker: the passwords and rules that this club needs there.
            given = options.folder / "for-the-broker"
            Broker(given, code.club, self.accounts, ()).write_accounts()
            self._say("club-broker-files", folder=given)
            return code
        make_certificate(folder, options.club, datetime.datetime.now(datetime.UTC))
        pinned = fingerprint((folder / "club.crt").read_text())
        self._code_to = JoinCode(self._address, options.broker_port, options.club, DESK, "-", True, pinned)
        listeners = [BrokerListener(LOOPBACK, options.broker_port)]
        if self._address != LOOPBACK:
            listeners.append(BrokerListener(self._address, options.broker_port))
        self.broker = Broker(folder, options.club, self.accounts, listeners, self._bridge(folder))
        self.broker.write_files()
        self._closing.append(self.broker.stop)
        self.broker.start()
        return JoinCode(LOOPBACK, options.broker_port, options.club, DESK, self.accounts.passwords[DESK], True, pinned)

    def _bridge(self, folder: Path) -> Bridge | None:
        if self._options.bridge is None:
            return None
        code = parse_join_code(self._options.bridge)
        if not code.tls or code.fingerprint is None:
            return Bridge(code)
        path = folder / "bridge.crt"
        path.write_text(fetch_pinned(code.host, code.port, code.fingerprint))
        return Bridge(code, path)

    def join_code(self, account: str) -> JoinCode:
        """The code with which a companion joins."""
        to = self._code_to
        return JoinCode(to.host, to.port, to.club, account, self.accounts.passwords[account], to.tls, to.fingerprint)

    @property
    def room_codes(self) -> Mapping[str, str]:
        """Of each other room what its desk is started with, as `--bridge`; none where the broker is not ours."""
        if self.broker is None:
            return {}
        return {room: str(self.join_code(BRIDGE + room)) for room in self._options.rooms}

    def _serve(self) -> None:
        options = self._options
        access = load_access(options.folder / "access.json", options.lan, self._tell_address)
        self.access = access
        found: list[PageServer] = []
        companions = Companions()
        if options.with_broker:
            companions = Companions(
                lambda: {account: str(self.join_code(account)) for account in self.accounts.tables()},
                self._one_more,
                self._renew,
            )
        outside = None if self._address == LOOPBACK else self._address
        site = Site(
            access,
            lambda: hosts(found[0].port, outside),
            lambda: f"http://{self._address}:{found[0].port}",
            options.language,
            companions,
        )
        self.app = make_club_app(self.desk, site)
        found.append(PageServer(self.app, (LOOPBACK, outside) if outside else (LOOPBACK,), options.http_port))
        self.server = found[0]
        self._closing += [self.server.close, self.desk.feed.close, self.desk.changed.close]
        self.server.start()

    @property
    def base(self) -> str:
        return f"http://{self._address}:{self.server.port}"

    @property
    def address(self) -> str:
        """What the organiser opens."""
        return f"{self.base}/join?k={self.access.tokens['organiser']}" if self.access.opened else self.base

    @property
    def screen_address(self) -> str:
        return f"{self.base}/join?k={self.access.tokens['screen']}" if self.access.opened else f"{self.base}/screen"

    def _tell_address(self) -> None:
        """Whoever runs the desk at its terminal is never kept out."""
        self._say("club-new-invitation", organiser=self.address)

    def _say(self, code: str, **parts: object) -> None:
        self._tell(command_text(self._options.language, "terminal", code, parts))

    def _one_more(self) -> None:
        numbers = [int(a[1:]) for a in self.accounts.tables() if a[:1] == "t" and a[1:].isdigit()]
        self.accounts.make([f"t{max(numbers, default=0) + 1}"])
        self._new_accounts()

    def _renew(self, account: str) -> None:
        self.accounts.renew(account)
        self._new_accounts()

    def _new_accounts(self) -> None:
        if self.broker is not None:
            self.broker.reload()
        if self.intake is not None:
            self.desk.connect(self.intake, self.accounts.tables())

    def keep_up(self) -> None:
        """Starts the broker again where it has died; the tables and the desk find back by themselves. Ends the codes
        of companions that are a day old."""
        if self.broker is not None and self.accounts.renew_ending():
            self._new_accounts()
            self._say("club-codes-ended")
        if self.broker is not None and not self.broker.running:
            self._say("club-broker-again")
            self.broker.start()

    def close(self) -> None:
        """Ends everything in the opposite order."""
        while self._closing:
            self._closing.pop()()
