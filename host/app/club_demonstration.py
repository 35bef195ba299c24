"""The demonstration: eight simulated tables and sixteen players through three rounds, with a real broker and desk."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.app.club import ClubOptions, RunningClub
from host.club.simulation.night import until
from host.club.simulation.tables import Fleet, PlayedOut, SimulatedTable
from host.club.tournament.events import ClockSet, Finished, Opened
from host.club.tournament.standings import standings

TABLES: Final = 8
ROUNDS: Final = 3
NAMES: Final = (
    "Ada", "Bruno", "Céleste", "Dmytro", "Elżbieta", "Fyodor", "Grace", "Hania",
    "Ivo", "Jadwiga", "Kateryna", "Lucía", "Mykola", "Noor", "Oleh", "Paula",
)  # fmt: skip
SECONDS_A_MOVE: Final = 1.5
PAUSE_BETWEEN_ROUNDS: Final = 8.0
ROUND_LIMIT: Final = 1800.0


@dataclass(frozen=True, slots=True)
class ClubDemonstrationReport:
    """What the demonstration came to."""

    rounds: int
    results: int
    entries: int
    unequal: tuple[str, ...]
    winner: str

    @property
    def right(self) -> bool:
        return not self.unequal and (self.rounds, self.results) == (ROUNDS, ROUNDS * TABLES) and self.entries > 0

    def text(self) -> str:
        logs = "all logs equal" if not self.unequal else f"logs that differ: {', '.join(self.unequal)}"
        return (
            f"{self.rounds} rounds, {self.results} results that arrived by themselves, {self.entries} entries stored, "
            f"{logs}. First: {self.winner}.\n"
        )


class Demonstration:
    """A club night that plays itself. `quick` plays without waiting, for a check."""

    def __init__(
        self, folder: Path, http_port: int, *, quick: bool, store: str | None, tell: Callable[[str], None]
    ) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            broker_port = int(probe.getsockname()[1])
        club = f"demo-{random.SystemRandom().randrange(10**9)}"
        options = ClubOptions(folder, club, store, broker_port=broker_port, http_port=http_port, tables=TABLES)
        self.night = RunningClub(options, tell)
        self._quick = quick
        pause = 0.0 if quick else SECONDS_A_MOVE
        self.tables = [
            SimulatedTable(
                self.night.join_code(f"t{n}"), PlayedOut(n, pause * (0.8 + 0.05 * n)), f"{club}-{n}", time.time
            )
            for n in range(1, TABLES + 1)
        ]
        self.fleet = Fleet(self.tables)

    def play(self) -> ClubDemonstrationReport:
        """Plays all rounds; raises `Failure` (`waited`) where one does not end."""
        desk = self.night.desk
        if desk.state is None:
            desk.act(Opened("Demonstration", rounds=ROUNDS, target=12, minutes=45))
            for name in NAMES:
                desk.enter(name, checked_in=True)
        self.fleet.start()
        for number in range(ROUNDS):
            desk.pair()
            desk.act(ClockSet(time.time() + 45 * 60))
            until(lambda: desk.state and desk.state.current and desk.state.current.complete, "the round", ROUND_LIMIT)
            if not self._quick and number < ROUNDS - 1:
                time.sleep(PAUSE_BETWEEN_ROUNDS)
        until(lambda: all(table.finished for table in self.tables), "the last entries")
        desk.act(Finished())
        return self.report()

    def report(self) -> ClubDemonstrationReport:
        desk = self.night.desk
        assert desk.state is not None
        unequal, entries = [], 0
        for table in self.tables:
            head = table.outbox.head().sequence
            entries += head
            stored = desk.store.entries(table.outbox.log, 1, head + 1)
            if stored != table.outbox.read(1, head):
                unequal.append(table.code.account)
        first = standings(desk.state)[0]
        return ClubDemonstrationReport(
            len(desk.state.rounds),
            sum(not r.by_hand for round_ in desk.state.rounds for r in round_.results.values()),
            entries,
            tuple(unequal),
            desk.state.players[first.player].name,
        )

    def close(self) -> None:
        self.fleet.close()
        self.night.close()
