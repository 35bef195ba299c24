"""The archive: every war that the log keeps, summed up once and remembered, with its pictures."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from engine.failure import BadInput
from host.archive.moments import Moment, moments_of
from host.archive.summaries import PlayerSummary, WarSummary, players_of, summary_of
from host.session.archive import json_lines_of, notation_of
from host.session.game_log import GameLog, WarInfo
from host.session.memory_log import MemoryLog
from host.session.picture_store import MEGABYTE, PictureStore
from host.session.session import GAME, Rules, replayed
from host.session.shared_log import LogSource
from host.temporary_folder import temporary_folder

WARS_COUNTED: Final = 1000
"""The newest wars that statistics are made of."""
STORIES_KEPT: Final = 3
DEMONSTRATION_PICTURES: Final = 20 * MEGABYTE
"""Still pictures of a demonstration."""


@dataclass(frozen=True, slots=True)
class ListedWar:
    """A war of the list; `summary` is None where the log is damaged there, and `damage` says how."""

    info: WarInfo
    summary: WarSummary | None
    open: bool
    """It may still be gone on with: what its players hide from each other is not exported."""
    damage: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedWar:
    """A war as it was told."""

    listed: ListedWar
    summary: WarSummary
    moments: tuple[Moment, ...]
    pictures: tuple[int, ...]
    """The entries that a still picture was kept with."""


@dataclass(frozen=True, slots=True)
class DemonstrationGames:
    """What a demonstration plays: to be watched again while it is shown, and listed among nobody's wars."""

    log: GameLog
    pictures: PictureStore


@contextmanager
def demonstration_games() -> Iterator[DemonstrationGames]:
    """A log in memory and a folder for pictures, which is removed at the end; raises `OSError` where there is none."""
    with temporary_folder("allfronts-demo-") as folder:
        yield DemonstrationGames(MemoryLog(), PictureStore(folder, DEMONSTRATION_PICTURES))


class WarArchive:
    """Every method may be called from any thread and raises `BadInput` where the log cannot be read."""

    def __init__(
        self,
        log: LogSource,
        pictures: PictureStore | None = None,
        running: Callable[[], str | None] = lambda: None,
        demonstration: Callable[[], DemonstrationGames | None] = lambda: None,
        deleted: Callable[[], None] = lambda: None,
    ) -> None:
        """`running` gives the id of the war that is being played, `demonstration` what is shown, if one is; `deleted`
        is called after a war was."""
        self._log, self._pictures, self._running, self._demonstration = log, pictures, running, demonstration
        self._deleted = deleted
        self._lock = threading.Lock()
        self._summaries: dict[tuple[str, int], WarSummary | str] = {}
        self._stories: dict[tuple[str, int], tuple[Moment, ...]] = {}

    def wars(self, start: int = 0, count: int = WARS_COUNTED) -> tuple[list[ListedWar], int]:
        """`count` wars from the `start`-th newest on, and how many there are. Wars without an entry are none."""
        with self._log.reading() as log:
            if log is None:
                return [], 0
            infos = [info for info in log.wars() if info.game == GAME and info.entries]
            chosen = infos[start : start + count]
            return [self._listed(log, info, newest=info.id == infos[0].id) for info in chosen], len(infos)

    def players(self) -> tuple[PlayerSummary, ...]:
        """Everybody who played under a name."""
        wars, _ = self.wars()
        return players_of(war.summary for war in wars if war.summary is not None)

    def listed(self, name: str) -> ListedWar:
        """A war by its id as the list has it, damaged or not; raises `BadInput` (`no-war`)."""
        with self._holding(name) as log:
            info, newest = self._found(log, name)
            assert log is not None
            return self._listed(log, info, newest=newest)

    def war(self, name: str) -> ArchivedWar:
        """A war by its id; raises `BadInput` (`no-war`, or what is wrong with its entries)."""
        with self._holding(name) as log:
            info, newest = self._found(log, name)
            assert log is not None
            listed = self._listed(log, info, newest=newest)
            if listed.summary is None:
                raise BadInput("log-damaged", listed.damage, "allfronts games rescue keeps what is whole.")
            key = (info.id, info.entries)
            with self._lock:
                moments = self._stories.get(key)
            if moments is None:
                rules = Rules.from_json(info.options)
                moments = moments_of(rules, info.began, replayed(log, info.id, rules))
                with self._lock:
                    self._stories[key] = moments
                    while len(self._stories) > STORIES_KEPT:
                        self._stories.pop(next(iter(self._stories)))
        pictures = self._pictures_of(info.id)
        kept = pictures.entries(info.id) if pictures else ()
        return ArchivedWar(listed, listed.summary, moments, kept)

    def picture(self, war: str, entry: int) -> bytes | None:
        """A still picture as JPEG, or None where none is kept."""
        pictures = self._pictures_of(war)
        return pictures.read(war, entry) if pictures else None

    def notation(self, name: str) -> str:
        """The war in the project's notation; raises `BadInput` (`war-open` while it may be gone on with)."""
        with self._holding(name) as log:
            info = self._to_export(log, name)
            assert log is not None
            return notation_of(log, info)

    def json_lines(self, name: str) -> str:
        """The war's entries as the log holds them, one JSON object a line; raises as `notation` does."""
        with self._holding(name) as log:
            info = self._to_export(log, name)
            assert log is not None
            return json_lines_of(log, info)

    def delete(self, name: str) -> None:
        """Removes a war with its pictures, for good; raises `BadInput` (`war-running`) for the one that is played."""
        with self._log.reading() as log:
            info, _ = self._found(log, name)
            if info.id == self._running():
                raise BadInput("war-running", "This war is being played.", "Begin another one first.")
            assert log is not None
            log.delete(info.id)
        if self._pictures:
            self._pictures.delete(info.id)
        self._deleted()

    @contextmanager
    def _holding(self, name: str) -> Iterator[GameLog | None]:
        """The log that has the war of that id, if one has."""
        shown = self._shown(name)
        if shown is not None:
            yield shown.log
            return
        with self._log.reading() as log:
            yield log

    def _shown(self, name: str) -> DemonstrationGames | None:
        shown = self._demonstration()
        return shown if shown is not None and any(info.id == name for info in shown.log.wars()) else None

    def _pictures_of(self, war: str) -> PictureStore | None:
        shown = self._shown(war)
        return self._pictures if shown is None else shown.pictures

    def _found(self, log: GameLog | None, name: str) -> tuple[WarInfo, bool]:
        """The war, and whether it is the newest one."""
        infos = [] if log is None else [info for info in log.wars() if info.game == GAME and info.entries]
        for info in infos:
            if info.id == name:
                return info, info is infos[0]
        raise BadInput("no-war", "There is no such war.", "The list shows those that are kept.")

    def _to_export(self, log: GameLog | None, name: str) -> WarInfo:
        info, newest = self._found(log, name)
        assert log is not None
        if self._listed(log, info, newest=newest).open:
            raise BadInput("war-open", "This war is not over.", "It can be exported when it is.")
        return info

    def _listed(self, log: GameLog, info: WarInfo, *, newest: bool) -> ListedWar:
        key = (info.id, info.entries)
        with self._lock:
            found = self._summaries.get(key)
        if found is None:
            found = _summed_up(log, info)
            with self._lock:
                self._summaries = {k: v for k, v in self._summaries.items() if k[0] != info.id} | {key: found}
        if isinstance(found, str):
            return ListedWar(info, None, False, found)
        return ListedWar(info, found, found.winner is None and (newest or info.id == self._running()))


def _summed_up(log: GameLog, info: WarInfo) -> WarSummary | str:
    """The war in numbers, or what is wrong with its entries."""
    try:
        rules = Rules.from_json(info.options)
        told = replayed(log, info.id, rules)
        return summary_of(info, rules, told, moments_of(rules, info.began, told))
    except BadInput as damaged:
        return damaged.message
