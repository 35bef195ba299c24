"""Many simulated tables in one thread: each with its own account, connection, outbox and sending.

They use the same outbox, sending and connection as a real table; only paho's loop is driven from here, so that a
thousand tables need no thousand threads.
"""

from __future__ import annotations

import random
import selectors
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from engine.failure import Failure
from host.club.simulation.war import SimulatedEntry, war
from host.club.table.outbox import MemoryOutbox
from host.club.table.sending import Sending
from host.club.view import view_to_json
from host.club.wire.connection import BrokerConnection, EntryListener, LastWill, WireMessage, read_json
from host.club.wire.join_code import JoinCode
from host.club.wire.topics import Topics

TICK_SECONDS: Final = 0.02


class Script(Protocol):
    """What a table plays."""

    def assigned(self, assignment: Mapping[str, Any]) -> None:
        """The desk has said whom the table serves."""

    def step(self, now: float) -> SimulatedEntry | None:
        """What happens at the table at `now`, if anything; called again and again."""


class PlayedOut:
    """Plays each assigned match as one simulated war, one entry every `pause` seconds."""

    def __init__(self, seed: int, pause: float) -> None:
        self._seed = seed
        self._pause = pause
        self._match = ""
        self._war: Iterator[SimulatedEntry] = iter(())
        self._next = 0.0
        self.assignments: list[Mapping[str, Any]] = []

    def assigned(self, assignment: Mapping[str, Any]) -> None:
        self.assignments.append(assignment)
        match = assignment.get("match")
        if isinstance(match, str) and match != self._match:
            self._match = match
            near, far = assignment["score"]
            self._war = war(self._seed * 1000 + len(self.assignments), match, int(assignment["target"]), (near, far))

    def step(self, now: float) -> SimulatedEntry | None:
        if now < self._next:
            return None
        self._next = now + self._pause
        return next(self._war, None)


class Steady:
    """Tells `count` entries, one every `pause` seconds, whatever the desk says: a load for measurements."""

    def __init__(self, seed: int, count: int, pause: float, match: str = "load") -> None:
        self._rng = random.Random(seed)
        self._count = count
        self._pause = pause
        self._match = match
        self._next: float | None = None
        self.told = 0

    def assigned(self, assignment: Mapping[str, Any]) -> None:
        if isinstance(assignment.get("match"), str):
            self._match = str(assignment["match"])

    def tell_more(self, count: int) -> None:
        """Goes on for `count` entries after those asked for so far."""
        self._count += count

    def step(self, now: float) -> SimulatedEntry | None:
        if self._next is None:
            self._next = now + self._rng.random() * self._pause
        if now < self._next or self.told >= self._count:
            return None
        self._next += self._pause
        self.told += 1
        near, far = self.told // 20 % 12, self.told // 25 % 12
        body = {
            "event": {"event": "move", "move": {"by": "near", "do": "deploy", "card": "A3", "to": "A"}, "n": self.told},
            "match": self._match,
            "near": near,
            "far": far,
            "winner": None,
        }
        return SimulatedEntry(body, replace(_VIEW, match=self._match, near=near, far=far, battle=1 + self.told // 20))


_VIEW: Final = next(war(1, "load", 12)).view


class SimulatedTable:
    """One table. All its methods run in the fleet's thread."""

    def __init__(self, code: JoinCode, script: Script, log: str, wall: Callable[[], float]) -> None:
        self.code = code
        self.script = script
        self.outbox = MemoryOutbox(log)
        self.sending = Sending(self.outbox)
        self._topics = Topics(code.club)
        self._wall = wall
        self._told = 0
        self._view: Mapping[str, Any] | None = None
        self._view_sent = False
        self.away_until = 0.0
        self.trouble: tuple[str, ...] = ()
        self.cuts = 0
        self._made: deque[tuple[int, float]] = deque()
        self.acknowledged_after: list[float] = []
        """Seconds from making an entry to its acknowledgement."""
        self.connection: BrokerConnection | None = None

    def connect(self) -> None:
        """Makes a new connection; raises `OSError` or `Failure` where there is no broker."""
        status = self._topics.table(self.code.account, "status")
        connection = BrokerConnection(
            self.code,
            self._topics.for_table(self.code.account),
            EntryListener(self._received, self._connected),
            LastWill(status, b'{"here":false}'),
        )
        connection.client.connect_timeout = 5.0
        connection.prepare()
        connection.connect()
        self.connection = connection

    def _connected(self) -> None:
        assert self.connection is not None
        self.connection.publish(self._topics.table(self.code.account, "status"), {"here": True}, retain=True)
        self.sending.connected()
        self._view_sent = False

    def _received(self, message: WireMessage) -> None:
        content = read_json(message.payload)
        if message.topic == self._topics.acknowledged(self.code.account):
            self.sending.acknowledge(content)
            now = time.monotonic()
            while self._made and self._made[0][0] <= self.sending.acknowledged:
                self.acknowledged_after.append(now - self._made.popleft()[1])
        elif message.topic == self._topics.assignment(self.code.account):
            self.script.assigned(content)

    def play(self, now: float) -> None:
        """Lets the table go on, with or without a connection, and sends what is due."""
        told = self.script.step(now)
        if told is not None:
            self._told += 1
            self.outbox.add(self._told, told.body)
            self._made.append((self._told, now))
            self._view = view_to_json(replace(told.view, at=self._wall(), trouble=self.trouble))
            self._view_sent = False
        connection = self.connection
        if connection is None or not connection.up:
            return
        for message in self.sending.due(now):
            connection.publish(self._topics.table(self.code.account, "entries"), message)
        if self._view is not None and not self._view_sent:
            self._view_sent = connection.publish(
                self._topics.table(self.code.account, "state"), self._view, retain=True, qos=0
            )

    def show(self, trouble: tuple[str, ...]) -> None:
        """The table's trouble changes."""
        self.trouble = trouble
        if self._view is not None:
            self._view = {**self._view, "trouble": list(trouble), "at": self._wall()}
            self._view_sent = False

    @property
    def finished(self) -> bool:
        return self.sending.waiting == 0


class Fleet:
    """Runs tables in a thread of its own until it is closed."""

    def __init__(self, tables: Sequence[SimulatedTable], seed: int = 1) -> None:
        self.tables = tuple(tables)
        self._rng = random.Random(seed)
        self._selector = selectors.DefaultSelector()
        self._sockets: dict[SimulatedTable, Any] = {}
        self._retry: dict[SimulatedTable, float] = {}
        self._cuts: list[tuple[SimulatedTable, float]] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tables", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=20)
        for table in self.tables:
            self._drop(table)
        self._selector.close()

    def cut(self, table: SimulatedTable, seconds: float) -> None:
        """Cuts a table off as a pulled cable does: no goodbye, and nothing until the time is over."""
        with self._lock:
            self._cuts.append((table, seconds))

    def _run(self) -> None:
        maintained = 0.0
        while not self._stop.is_set():
            now = time.monotonic()
            with self._lock:
                cuts, self._cuts = self._cuts, []
            for table, seconds in cuts:
                self._drop(table)
                table.away_until, table.cuts = now + seconds, table.cuts + 1
            for table in self.tables:
                if table.connection is None and now >= max(table.away_until, self._retry.get(table, 0.0)):
                    self._connect(table, now)
                table.play(now)
                if table in self._sockets and table.connection and table.connection.client.want_write():
                    self._checked(table, table.connection.client.loop_write())
            for key, _ in self._selector.select(TICK_SECONDS):
                table = key.data
                if table.connection is not None:
                    self._checked(table, table.connection.client.loop_read(max_packets=50))
            if now - maintained > 1.0:
                maintained = now
                for table in list(self._sockets):
                    if table.connection is not None:
                        self._checked(table, table.connection.client.loop_misc())

    def _connect(self, table: SimulatedTable, now: float) -> None:
        try:
            table.connect()
        except (OSError, Failure):
            self._retry[table] = now + 0.3 + self._rng.random()
            return
        sock = table.connection.client.socket() if table.connection else None
        if sock is None:
            # The broker died while it answered.
            table.connection = None
            self._retry[table] = now + 0.3 + self._rng.random()
            return
        self._sockets[table] = sock
        self._selector.register(sock, selectors.EVENT_READ, table)

    def _checked(self, table: SimulatedTable, code: int) -> None:
        """Takes a lost connection down; the next one comes after a short while."""
        if code != 0:
            self._drop(table)
            self._retry[table] = time.monotonic() + 0.2 + self._rng.random()

    def _drop(self, table: SimulatedTable) -> None:
        sock = self._sockets.pop(table, None)
        if sock is not None:
            self._selector.unregister(sock)
            sock.close()
        table.connection = None
