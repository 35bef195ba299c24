"""A game log that is kept in memory: for `watch`, the demonstration and tests."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from host.session.game_log import Entry, JsonMapping, NewEntry, Observation, WarInfo, digest_of

IN_MEMORY_KEPT: Final = 2_000


class MemoryLog:
    """See `GameLog`. It is gone with the program."""

    def __init__(self, table: str = "memory", observations_kept: int = IN_MEMORY_KEPT) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._wars: dict[str, WarInfo] = {}
        self._entries: list[Entry] = []
        self._snapshots: dict[str, tuple[int, str]] = {}
        self._observations: deque[Observation] = deque(maxlen=observations_kept)
        self._sequence = 0

    @property
    def table(self) -> str:
        return self._table

    @property
    def keeps_snapshots(self) -> bool:
        return False

    def begin(self, war: str, game: str, options: JsonMapping, at: float) -> None:
        with self._lock:
            # Through JSON, as in any other log.
            self._wars[war] = WarInfo(war, game, json.loads(json.dumps(dict(options))), at, at, 0)

    def append(self, new: NewEntry) -> Entry:
        with self._lock:
            self._sequence += 1
            # What cannot be written down fails here too.
            cause, events = json.dumps(dict(new.cause)), json.dumps([dict(event) for event in new.events])
            previous = next((entry.digest for entry in reversed(self._entries) if entry.war == new.war), new.war)
            digest = digest_of(previous, (self._table, new.war, self._sequence, new.at, new.t), cause, events)
            entry = Entry(
                self._table,
                new.war,
                self._sequence,
                new.at,
                new.t,
                json.loads(cause),
                tuple(json.loads(events)),
                digest,
            )
            self._entries.append(entry)
            info = self._wars[new.war]
            self._wars[new.war] = replace(info, last=new.at, entries=info.entries + 1)
            if new.snapshot is not None:
                self._snapshots[new.war] = (self._sequence, new.snapshot)
            return entry

    def observe(self, observation: Observation) -> None:
        with self._lock:
            self._observations.append(observation)

    def wars(self) -> Sequence[WarInfo]:
        with self._lock:
            return tuple(reversed(self._wars.values()))

    def entries(self, war: str | None = None, after: int = 0) -> Iterator[Entry]:
        with self._lock:
            found = [e for e in self._entries if e.sequence > after and war in (None, e.war)]
        return iter(found)

    def snapshot(self, war: str) -> tuple[int, str] | None:
        with self._lock:
            return self._snapshots.get(war)

    def observations(self, war: str) -> Iterator[Observation]:
        with self._lock:
            return iter([o for o in self._observations if o.war == war])

    def delete(self, war: str) -> None:
        with self._lock:
            self._wars.pop(war, None)
            self._snapshots.pop(war, None)
            self._entries = [e for e in self._entries if e.war != war]
            self._observations = deque(
                (o for o in self._observations if o.war != war), maxlen=self._observations.maxlen
            )

    def close(self) -> None:
        """Nothing is held that would have to be let go."""
