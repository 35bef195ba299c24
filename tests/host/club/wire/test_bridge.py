"""Two rooms with a broker each: the second passes its tables on to the first, where the desk is."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host.club.simulation.night import CLUB, ClubNight, free_port, until
from host.club.simulation.tables import PlayedOut, SimulatedTable
from host.club.tournament.events import Opened
from host.club.wire.accounts import Accounts
from host.club.wire.broker import Bridge, Broker, BrokerListener
from host.club.wire.certificate import fingerprint, make_certificate
from host.club.wire.join_code import JoinCode

Night = Callable[[int], ClubNight]


def test_a_table_in_another_room_plays_its_match_over_the_bridge_and_outlasts_its_brokers(
    club_night: Night, tmp_path: Path
) -> None:
    night = club_night(1)
    night.accounts.make(["bridge-north"])
    night.broker.reload()
    desk = night.open_desk()
    folder, port = tmp_path / "north", free_port()
    accounts = Accounts(folder / "accounts.json")
    accounts.make(["n1"])
    make_certificate(folder, CLUB, datetime.datetime.now(datetime.UTC))
    to: Any = night.folder / "broker" / "club.crt"
    north = Broker(folder, CLUB, accounts, [BrokerListener("127.0.0.1", port)], Bridge(night.code("bridge-north"), to))
    north.write_files()
    north.start()
    try:
        pinned = fingerprint((folder / "club.crt").read_text())
        code = JoinCode("127.0.0.1", port, CLUB, "n1", accounts.passwords["n1"], True, pinned)
        table = SimulatedTable(code, PlayedOut(1, 0.05), "north-1", time.time)
        fleet = night.play([table])
        until(lambda: "n1" in desk.companions and desk.companions["n1"].here, "the table behind the bridge")
        desk.act(Opened("Two rooms", target=6))
        for name in ("Anna", "Bela"):
            desk.enter(name, checked_in=True)
        desk.pair()
        desk.place(1, "n1")
        until(lambda: table.outbox.head().sequence > 3, "the match to begin")

        north.kill()
        north.start()
        night.broker.kill()
        night.broker.start()
        fleet.cut(table, 0.2)

        until(lambda: desk.state and desk.state.current and desk.state.current.complete, "the result", 120)
        until(lambda: table.finished, "the rest of the entries", 120)
        assert night.store is not None
        assert night.store.entries("north-1") == table.outbox.read(1, 1000)
    finally:
        north.stop()
