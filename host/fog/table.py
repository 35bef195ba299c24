"""A running game of Fog of War: one history, one log. Every action is written to the log before anyone is told, and a
program that starts again goes on where the log ends."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

from engine.failure import BadInput, Failure
from engine.fog.actions import FogAction, SetBoard
from engine.fog.board import FogBoard
from engine.fog.board_file import built_in, read_board, write_board
from engine.fog.codec import action_from_json, action_to_json, board_from_json, to_json
from engine.fog.play import History
from engine.fog.state import start
from host.kept_file import write_bytes
from host.session.game_log import Entry, GameLog, NewEntry, WarInfo

GAME: Final = "fog-of-war"
SMALL_MAP: Final = "demo"
"""The name of the fictional board, whose changes are not kept for the next game."""


@dataclass(frozen=True, slots=True)
class FogChange:
    """How things stand after something was done. `times` are the steps' seconds since 1970."""

    history: History
    entry: int
    """The log's last entry of this game, 0 before the first."""
    times: tuple[float, ...]


class FogListener(Protocol):
    def __call__(self, change: FogChange) -> None: ...


class FogTable:
    """The one place that owns the game. Safe to use from several threads."""

    def __init__(
        self,
        log: GameLog,
        clock: Callable[[], float],
        *,
        board: FogBoard | None = None,
        save: Callable[[FogBoard], None] = lambda board: None,
        begin_on: FogBoard | None = None,
    ) -> None:
        """Goes on with the newest game of the log, or begins one on `board` (the memo's by default).

        `save` is given the players' own board whenever it changes; where it raises `Failure`, the game goes on, that is
        told (`unsaved`), and it is asked again with every action. Raises `BadInput` for a log that cannot be read.
        With `begin_on` a new game begins on that board, and the log's games are left alone.
        """
        self.lock = threading.RLock()
        self._log, self._clock, self._save = log, clock, save
        self._listeners: list[FogListener] = []
        self._board = board or built_in("memo")
        self._unsaved: Failure | None = None
        self.resumed = False
        found = None if begin_on is not None else _newest(log)
        if found is None:
            self.begin(begin_on or self._board)
        else:
            self.war, self.resumed = found.id, True
            self._written = found.last
            self._change = _replayed(found.options, log.entries(found.id))

    @property
    def change(self) -> FogChange:
        with self.lock:
            return self._change

    @property
    def unsaved(self) -> Failure | None:
        """Why the players' own board is kept in the game's log alone, where its file could not be written."""
        with self.lock:
            return self._unsaved

    def listen(self, listener: FogListener) -> None:
        """`listener` is called after every change, by one thread at a time."""
        self._listeners.append(listener)

    def begin(self, board: FogBoard) -> None:
        """A new game on this board; the old one stays in the log.

        Raises `Failure` (`log-lost`) where the log cannot be written; the old one goes on then.
        """
        with self.lock:
            war, entry = secrets.token_hex(8), 0
            beside = any(known.game == GAME for known in self._log.wars())
            self._log.begin(war, GAME, {"board": to_json(board)}, self._clock())
            if beside:
                # From now on it is this one that is gone on with, whatever the clock is set to.
                entry = self._log.append(NewEntry(war, self._clock(), 0.0, {"by": "start"}, ())).sequence
            self.war = war
            self._change = FogChange(History(start(board)), entry, ())
            self._tell()

    def own_board(self) -> FogBoard:
        """The players' board as it was changed last."""
        with self.lock:
            return self._board

    def follow_file(self, changed: float) -> None:
        """After a restart: goes on on the board of the players' file if that was `changed` (seconds since 1970) after
        the last entry of the game. Raises `ForbiddenAction` where the game cannot go on on it."""
        with self.lock:
            known = self._change.history.game.board
            if self.resumed and known.name != SMALL_MAP and known != self._board and changed > self._written:
                self.apply(SetBoard(self._board), {"by": "file"})

    def apply(self, action: FogAction, cause: Mapping[str, Any], at: int | None = None) -> bool:
        """Plays an action; False where the page that asked (`at`) had not seen the last entry.

        Raises `ForbiddenAction`, `FromYourBox` as the rules do, and `Failure` (`log-lost`) where the log cannot be
        written.
        """
        event = {"event": "action", "action": action_to_json(action)}
        return self._step(event, lambda history: history.played(action), cause, at)

    def undo(self, cause: Mapping[str, Any], at: int | None = None) -> bool:
        """Takes the last action back; as `apply`."""
        return self._step({"event": "undone"}, History.back, cause, at)

    def redo(self, cause: Mapping[str, Any], at: int | None = None) -> bool:
        """Plays again what was taken back last; as `apply`."""
        return self._step({"event": "redone"}, History.again, cause, at)

    def _step(
        self,
        event: Mapping[str, Any],
        step: Callable[[History], History],
        cause: Mapping[str, Any],
        at: int | None,
    ) -> bool:
        with self.lock:
            if at is not None and at != self._change.entry:
                return False
            history, now = step(self._change.history), self._clock()
            entry = self._log.append(NewEntry(self.war, now, 0.0, cause, [event]))
            self._change = _followed(self._change, history, entry)
            self._tell()
            self._keep(history.game.board)
            return True

    def _keep(self, board: FogBoard) -> None:
        """Keeps the players' own board for their next games, once everybody was told of what is played."""
        changed = board.name != SMALL_MAP and board != self._board
        if changed:
            self._board = board
        if not changed and self._unsaved is None:
            return
        before = self._unsaved
        try:
            self._save(self._board)
            self._unsaved = None
        except Failure as failure:
            self._unsaved = failure
        if str(self._unsaved) != str(before):
            self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener(self._change)

    def close(self) -> None:
        self._log.close()


def _newest(log: GameLog) -> WarInfo | None:
    """The game to go on with: the one with the newest entry, which one that was begun beside another has from its
    beginning on. Of an earlier version it has none, and its time decides."""
    games = [war for war in log.wars() if war.game == GAME]
    played = next((war for war in games if war.entries), None)
    untouched = max((war for war in games if not war.entries), key=lambda war: war.began, default=None)
    if played is None or (untouched is not None and untouched.began >= played.last):
        return untouched
    return played


def _followed(before: FogChange, history: History, entry: Entry) -> FogChange:
    times = (*before.times, entry.at)[: len(history.steps)]
    return FogChange(history, entry.sequence, times)


def _replayed(options: Mapping[str, Any], entries: Iterable[Entry]) -> FogChange:
    change = FogChange(History(start(board_from_json(options.get("board")))), 0, ())
    for entry in entries:
        try:
            if not entry.events:
                # With which a game begins beside another one.
                change = replace(change, entry=entry.sequence)
            for event in entry.events:
                change = _followed(change, _played_again(change.history, event), entry)
        except Failure as failure:
            raise BadInput(
                "fog-log",
                f"The game in the log cannot be followed past its entry {entry.sequence}: {failure.message}",
                "Begin another game with --new; this one stays in the log.",
            ) from failure
    return change


def _played_again(history: History, event: Mapping[str, Any]) -> History:
    match event.get("event"):
        case "action":
            return history.played(action_from_json(event.get("action")))
        case "undone":
            return history.back()
        case "redone":
            return history.again()
        case _:
            # A newer program's event; what it does not change is skipped.
            return history


def load_board(path: Path) -> FogBoard | None:
    """The players' board from their file, or None where there is none yet. Raises `BadInput` with line and remedy."""
    try:
        if not path.exists():
            return None
        return read_board(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(
            "board-file", f"{path} cannot be read: {error}.", "Mend it, or name another with --board."
        ) from error


def save_board(path: Path, board: FogBoard) -> None:
    """Writes the players' board; a file that is there is replaced whole. Raises `Failure` (`board-file`)."""
    try:
        write_bytes(path, write_board(board).encode())
    except OSError as error:
        raise Failure("board-file", f"{path} cannot be written: {error.strerror}.", "Make room on the disk.") from error
