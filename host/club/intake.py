"""What comes from the tables: entries to the store and back an acknowledgement, views to the screen.

Messages are taken from the wire into a queue; one thread works them off, many at a time, so that a commit is shared by
all the tables that wait for one.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from engine.failure import Failure
from host.club.desk import Desk
from host.club.entry import ClubEntry, Head, entry_from_json, log_name
from host.club.store.base import Batch, BatchOutcome, Store
from host.club.view import view_from_json
from host.club.wire.connection import BrokerConnection, EntryListener, WireMessage, read_json
from host.club.wire.join_code import JoinCode
from host.club.wire.topics import Topics

MESSAGES_A_COMMIT: Final = 500
QUEUE_LENGTH: Final = 20_000
"""Messages that wait; beyond that they are dropped and the organiser is told. The tables send entries again."""
ENTRIES_A_MESSAGE: Final = 200
RETRY_SECONDS: Final = 5.0
"""After this long, results that could not be written down are tried again."""


class Intake:
    """The desk's end of the wire."""

    def __init__(
        self,
        desk: Desk,
        store: Store,
        code: JoinCode,
        clock: Callable[[], float],
        on_fault: Callable[[Exception], None] = lambda error: None,
    ) -> None:
        """`on_fault` is given, in the intake's thread, each error that is a fault of this program."""
        self._on_fault = on_fault
        self._desk = desk
        self._store = store
        self._topics = Topics(code.club)
        self._clock = clock
        self._queue: queue.Queue[WireMessage | None] = queue.Queue(QUEUE_LENGTH)
        self._assigned: dict[str, dict[str, Any]] = {}
        self._notice: dict[str, Any] = {}
        self._known: dict[str, tuple[str, Head]] = {}
        self._changes: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._stopping = False
        self._was_lost = False
        self._uncounted: dict[tuple[str, str], tuple[str, ClubEntry]] = {}
        """By log and match: the newest entry that is stored and not counted yet, with the account that sent it."""
        self._count_again_at = 0.0
        self._overflowed = threading.Event()
        """A message came for which there was no room, and nobody was told of it yet."""
        listener = EntryListener(self._received, self._connected, self._lost)
        self.connection = BrokerConnection(code, (self._topics.from_tables,), listener)
        self._thread = threading.Thread(target=self._run, name="intake", daemon=True)

    def start(self, accounts: tuple[str, ...]) -> None:
        """Connects, in the background, and works off what comes. Raises `Failure` where TLS cannot be set up."""
        self.connection.prepare()
        owners, heads = self._store.owners(), self._store.heads()
        self._known = {log: (owners[log], head) for log, head in heads.items()}
        self._desk.connect(self, accounts)
        self._catch_up()
        self._thread.start()
        self.connection.start()

    def close(self) -> None:
        self._stopping = True
        with contextlib.suppress(queue.Full):
            self._queue.put_nowait(None)
        self.connection.close()
        if self._thread.is_alive():
            self._thread.join(timeout=10)

    # The desk tells the tables (`host.club.desk.Wire`)

    def assign(self, account: str, assignment: Mapping[str, Any]) -> None:
        new = dict(assignment)
        # The score that a replacement begins from moves with every battle; it is told with the next real change.
        if self._without_score(self._assigned.get(account)) == self._without_score(new):
            return
        self._assigned[account] = new
        self.connection.publish(self._topics.assignment(account), new, retain=True)

    @staticmethod
    def _without_score(assignment: Mapping[str, Any] | None) -> dict[str, Any] | None:
        return None if assignment is None else {k: v for k, v in assignment.items() if k != "score"}

    def announce(self, notice: Mapping[str, Any]) -> None:
        if notice == self._notice:
            return
        self._notice = dict(notice)
        self.connection.publish(self._topics.notice, self._notice, retain=True)

    # The connection's thread

    def _received(self, message: WireMessage) -> None:
        try:
            self._queue.put_nowait(message)
        except queue.Full:
            self._overflowed.set()

    def _connected(self) -> None:
        self._changes.put("broker-here")

    def _lost(self, why: str) -> None:
        if not self._stopping:
            self._changes.put("broker-refused" if self.connection.refused.is_set() else "broker-lost")

    # The intake's own thread

    def _run(self) -> None:
        while not self._stopping:
            messages = self._next_messages()
            self._guarded(self._tell_changes)
            self._guarded(partial(self.count_again, time.monotonic()))
            if messages and not self._guarded(partial(self.take, messages)) and len(messages) > 1:
                for message in messages:
                    # Each by itself, so that the one that caused it keeps back no other.
                    self._guarded(partial(self.take, [message]))

    def _guarded(self, work: Callable[[], None]) -> bool:
        """Does `work`; where it meets a fault of this program that is told, and the answer is False. A thread that
        ended over it would lose every result of the evening."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - told, and what was not acknowledged is sent again
            self._on_fault(error)
            self._desk.note("intake-fault", kind=type(error).__name__)
            return False
        return True

    def _tell_changes(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                change = self._changes.get_nowait()
                if change == "broker-here":
                    self._tell_everything()
                    if not self._was_lost:
                        continue
                self._was_lost = change != "broker-here"
                self._desk.note(change)
        if self._overflowed.is_set():
            self._overflowed.clear()
            self._desk.note("overflow")

    def _next_messages(self) -> list[WireMessage]:
        found: list[WireMessage] = []
        with contextlib.suppress(queue.Empty):
            first = self._queue.get(timeout=0.2)
            while first is not None:
                found.append(first)
                if len(found) >= MESSAGES_A_COMMIT:
                    break
                first = self._queue.get_nowait()
        return found

    def _tell_everything(self) -> None:
        """A broker that was restarted has forgotten what it held for the tables."""
        for account, assignment in self._assigned.items():
            self.connection.publish(self._topics.assignment(account), assignment, retain=True)
        self.connection.publish(self._topics.notice, self._notice, retain=True)
        for log, (account, head) in self._known.items():
            self._acknowledge(account, log, head)

    def take(self, messages: Sequence[WireMessage]) -> None:
        """Works off some messages. What one of them holds wrongly is told and harms no other."""
        batches: list[Batch] = []
        for message in messages:
            sender = self._topics.sender(message.topic)
            if sender is None or not message.payload:
                continue
            account, kind = sender
            try:
                content = read_json(message.payload)
                if kind == "entries":
                    batches.append(self._batch(account, content))
                elif kind == "state":
                    self._desk.table_shows(account, view_from_json(content))
                else:
                    self._desk.table_here(account, content.get("here") is True)
            except Failure as failure:
                self._desk.note("bad-message", account=account, why=failure.code)
        if not batches:
            return
        try:
            outcomes = self._store.append(batches)
        except Failure as failure:
            # Nothing is acknowledged, so the tables send it again.
            self._desk.note("store-lost", message=failure.message)
            return
        for batch, outcome in zip(batches, outcomes, strict=True):
            self._answer(batch, outcome)

    def _batch(self, account: str, content: Mapping[str, Any]) -> Batch:
        log, read = log_name(content.get("log")), content.get("entries")
        if not isinstance(read, list) or not 1 <= len(read) <= ENTRIES_A_MESSAGE:
            raise Failure("bad-entries", "A message holds no list of entries.")
        return Batch(account, log, tuple(entry_from_json(log, entry) for entry in read), self._clock())

    def _answer(self, batch: Batch, outcome: BatchOutcome) -> None:
        if outcome.refused in ("fork", "forged", "foreign"):
            self._desk.note(outcome.refused, account=batch.account, n=outcome.refused_at)
        if outcome.refused == "foreign":
            return
        self._acknowledge(batch.account, batch.log, outcome.head)
        if outcome.stored:
            self._known[batch.log] = (batch.account, outcome.head)
        for entry in outcome.stored:
            self._count(batch.account, entry)

    def _count(self, account: str, entry: ClubEntry) -> None:
        """Counts what is stored. Where that cannot be written down it is tried again: it was acknowledged, so no
        table sends it once more."""
        match = entry.content.get("match")
        if not isinstance(match, str):
            return
        # A later entry of the match stands for those before it.
        self._uncounted.pop((entry.log, match), None)
        try:
            self._desk.table_played(account, entry.log, entry.sequence, entry.content)
        except Failure as failure:
            self._uncounted[(entry.log, match)] = (account, entry)
            if failure.code == "two-desks":
                self._desk.note("two-desks")
            else:
                self._desk.note("not-counted", message=failure.message)

    def count_again(self, now: float) -> None:
        """Tries once more to count what could not be counted, at `now` of any clock in seconds; not each time."""
        if self._uncounted and now >= self._count_again_at:
            self._count_again_at = now + RETRY_SECONDS
            for account, entry in tuple(self._uncounted.values()):
                self._count(account, entry)

    def _acknowledge(self, account: str, log: str, head: Head) -> None:
        content = {"log": log, "n": head.sequence, "d": head.digest}
        self.connection.publish(self._topics.acknowledged(account), content, retain=True)

    def _catch_up(self) -> None:
        """What was stored when the desk was killed may not have been counted yet: each match's last entry counts."""
        for log, (account, head) in self._known.items():
            last: dict[str, ClubEntry] = {}
            first = 1
            while first <= head.sequence:
                entries = self._store.entries(log, first)
                # What names no match counts for nothing, and may hold anything in its place.
                last |= {match: entry for entry in entries if isinstance(match := entry.content.get("match"), str)}
                first = entries[-1].sequence + 1 if entries else head.sequence + 1
            for entry in last.values():
                self._count(account, entry)
