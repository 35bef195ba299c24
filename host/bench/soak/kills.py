"""A table that is killed (SIGKILL) at random instants, while it follows a film and its pages are used.

What was told is what had left the process: views that a page had received, and actions that were answered as done.
After each kill the log is opened as the next start would open it, and held against that.
"""

from __future__ import annotations

import ctypes
import http.client
import json
import mmap
import os
import random
import shutil
import signal
import socket
import struct
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, NoReturn

import cv2

from engine.names import EDITIONS
from engine.sight import sight_of
from host.app.table import RunningTable, assemble
from host.bench.figure import Figure, Measured
from host.bench.soak.film import SoakFilm, filmed, scenes
from host.session.readings_source import StillTable, readings_watcher
from host.session.session import Rules, Session
from host.session.sinks import Change
from host.session.sqlite_log import SqliteLog
from host.session.standing import Standing
from host.session.tracker import Tracker
from host.web.access import CSRF_HEADER, Access, hosts
from host.web.app import make_app
from host.web.page_sink import PageSink
from host.web.server import PageServer
from host.web.stream import Broadcaster
from host.web.view_serializer import localised
from vision.tracking.table_watcher import TableWatcher

KillSource = Literal["film", "readings"]

KILLS: Final = 500
"""For each source."""
KILLS_OF_ONE_LOG: Final = 25
LIVED_S: Final = (0.0, 1.5)
START_LIMIT_S: Final = 60.0
SHOWN: Final = ("theaters", "seats", "turn", "battle", "score", "history", "question", "violation", "war", "entry")
"""Of a view, what tells the game; the rest tells how camera, lights and page are."""


@dataclass(slots=True)
class ToldBeforeKill:
    """What one life of the table told before it was killed."""

    view: Mapping[str, Any] | None = None
    number: int = -1
    """Of the view, as the stream counts them."""
    done: int = 0
    """Actions that were answered as done."""


@dataclass(slots=True)
class KillsOutcome:
    """What came of all kills."""

    kills: int = 0
    compared: int = 0
    """Kills after which the newest view that was received was of the last entry of the log."""
    actions: int = 0
    lost: list[str] = field(default_factory=list)
    differs: list[str] = field(default_factory=list)


class _Published:
    """A sink behind the page's: keeps, outside the process, how far the page has told."""

    def __init__(self, page: PageSink, shared: _Shared) -> None:
        self._page, self._shared = page, shared

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        self._keep()

    def changed(self, change: Change) -> None:
        if change.entry is not None:
            self._shared.sequence = change.entry.sequence
        self._keep()

    def close(self) -> None:
        pass

    def _keep(self) -> None:
        newest = self._page.broadcaster.newest
        self._shared.number = -1 if newest is None else newest.number


class _Shared(ctypes.Structure):
    """What outlives the process that is killed."""

    _fields_: ClassVar = [("at", ctypes.c_int), ("number", ctypes.c_int), ("sequence", ctypes.c_int)]
    at: int
    """The frame or scene that is followed."""
    number: int
    """Of the newest view that was published."""
    sequence: int
    """The last entry that was published."""


def _serve(
    path: Path, film: SoakFilm, source: KillSource, seed: int, at: _Shared, out: int, access: Access
) -> NoReturn:
    """The table itself, in a process of its own: the program's session, tracker, reader and page."""
    try:
        session = Session(SqliteLog(path), Rules(), time.time)
        table = assemble(session, TableWatcher(film.profile), access, "soak")
        session.subscribe(_Published(table.page, at))
        app = make_app(table.backend, access, lambda: hosts(server.port, None))
        server = PageServer(app, ("127.0.0.1",), 0)
        server.start()
        os.write(out, struct.pack("<H", server.port))
        follow: dict[KillSource, Callable[[RunningTable, SoakFilm, int, _Shared], None]] = {
            "film": _follow_film, "readings": _follow_readings,
        }  # fmt: skip
        while True:
            follow[source](table, film, seed, at)
            at.at = 0
    finally:
        # Only a fault leads here, and a copy of a process does not run on as the first.
        traceback.print_exc()
        os._exit(70)


def _follow_film(table: RunningTable, film: SoakFilm, seed: int, at: _Shared) -> None:
    began = time.monotonic()
    for number, picture in film.pictures(at.at):
        table.tracker.frame(picture, time.monotonic() - began)
        at.at = number


def _follow_readings(table: RunningTable, film: SoakFilm, seed: int, at: _Shared) -> None:
    tracker: Tracker[StillTable] = Tracker(readings_watcher(), table.session)
    played = scenes(seed, "revised", 3)
    t = 0.0
    for number in range(at.at, len(played)):
        scene = played[number]
        lying = StillTable(t, t + 2.4, sight_of(dict(scene.board), scene.order))
        while t < lying.until:
            tracker.frame(lying, t)
            t += 0.2
            # As long as a page's action may take: they are to meet readings at every stage.
            time.sleep(0.002)
        at.at = number


class _Page:
    """A page that is used: reads the stream, and asks for something now and then."""

    def __init__(self, port: int, access: Access, chance: random.Random) -> None:
        self._port, self._chance = port, chance
        self._headers = {CSRF_HEADER: access.csrf("owner"), "Content-Type": "application/json"}
        self.told = ToldBeforeKill()
        self._stream = socket.create_connection(("127.0.0.1", port), timeout=START_LIMIT_S)
        self._stream.sendall(f"GET /stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        self._stream.setblocking(False)
        self._kept = b""

    def read(self) -> None:
        """What has come by now."""
        with suppress(BlockingIOError, ConnectionError):
            while piece := self._stream.recv(1 << 16):
                self._kept += piece
        *whole, self._kept = self._kept.split(b"\n")
        number = self.told.number
        for line in whole:
            if line.startswith(b"id: "):
                number = int(line[4:])
            elif line.startswith(b"data: {"):
                self.told.view, self.told.number = json.loads(line[6:]), number

    def act(self) -> None:
        name, body = _action(self._chance, self.told.view or {})
        talk = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5.0)
        with closing(talk), suppress(OSError, http.client.HTTPException):
            talk.request("POST", f"/do/{name}", json.dumps(body), self._headers)
            answer = talk.getresponse()
            if answer.status == 200 and json.loads(answer.read()) == {"code": "done"}:
                self.told.done += 1

    def close(self) -> None:
        self._stream.close()


def _action(chance: random.Random, view: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Something that a page may ask for, as likely as not possible now."""
    at = {"at": view.get("entry", 0)}
    question = view.get("question")
    if question and chance.random() < 0.7:
        return "answer", {"question": question["id"], "option": chance.choice(question["options"])["id"]}
    score = {"near": chance.randrange(12), "far": chance.randrange(12)}
    made: tuple[tuple[str, dict[str, Any]], ...] = (
        ("undo", {"agreed": True}), ("redo", {"agreed": True}), ("stand", {}), ("correct", {"score": score}),
        ("done", {"seat": chance.choice(("near", "far"))}), ("withdraw", {"seat": chance.choice(("near", "far"))}),
        ("concede", {"seat": chance.choice(("near", "far"))}), ("new", {"edition": chance.choice(EDITIONS)}),
    )  # fmt: skip
    weights = (4, 4, 2, 4, 3, 1, 1, 1)
    name, body = chance.choices(made, weights)[0]
    return name, body | at


def _killed(
    path: Path, film: SoakFilm, source: KillSource, seed: int, at: _Shared, chance: random.Random
) -> tuple[ToldBeforeKill, bool]:
    """One life of the table: what it told, and whether it ended by itself (which it must not)."""
    access = Access()
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        _serve(path, film, source, seed, at, outward, access)
    os.close(outward)
    told = ToldBeforeKill()
    ended = False
    try:
        if chance.random() < 0.1:
            # While it starts.
            time.sleep(chance.uniform(0.0, 0.2))
        else:
            with open(inward, "rb", closefd=False) as told_port:
                data = told_port.read(2)
            if len(data) < 2:
                return told, True
            page = _Page(struct.unpack("<H", data)[0], access, chance)
            until = time.monotonic() + chance.uniform(*LIVED_S)
            with closing(page):
                while (left := until - time.monotonic()) > 0:
                    page.read()
                    if chance.random() < 0.3:
                        page.act()
                    time.sleep(min(left, 0.02))
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                child = 0
                page.read()
                told = page.told
    finally:
        os.close(inward)
        if child:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            ended = os.WIFEXITED(status)
    return told, ended


@dataclass(frozen=True, slots=True)
class _Found:
    """What the next start finds."""

    view: Mapping[str, Any]
    wars: Mapping[str, int]
    """The entries of each war by its id, the newest first."""
    last: int
    """The last entry."""
    caused: int
    """Entries that the page caused."""


def _found(path: Path) -> _Found:
    log = SqliteLog(path)
    try:
        wars = {war.id: war.entries for war in log.wars()}
        entries = list(log.entries())
        session = Session(log, Rules(), time.time)
        page = PageSink(Broadcaster(), rules=lambda: session.rules)
        session.subscribe(page)
        newest = page.broadcaster.newest
        assert newest is not None
        view = json.loads(json.dumps(dict(localised(newest.view, "en", "owner", "soak"))))
        caused = sum(entry.cause.get("by") == "page" for entry in entries)
        return _Found(view, wars, max((entry.sequence for entry in entries), default=0), caused)
    finally:
        log.close()


def _leaves(value: Any, at: str = "") -> list[str]:
    """Every plain value of a view with where it stands."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in _leaves(value[key], f"{at}/{key}")]
    if isinstance(value, list):
        return [leaf for number, inside in enumerate(value) for leaf in _leaves(inside, f"{at}/{number}")]
    return [f"{at}={value}"]


def _hold(outcome: KillsOutcome, told: ToldBeforeKill, found: _Found, before: int, shared: _Shared) -> None:
    """Holds what was told against what is found; `before` entries were caused by the page in earlier lives."""
    outcome.actions += told.done
    if told.done > found.caused - before:
        outcome.lost.append(f"{told.done} actions were answered as done, {found.caused - before} are in the log")
    shown = told.view
    if shown is None:
        return
    if shown["war"] not in found.wars:
        outcome.lost.append(f"the war {shown['war']} is not in the log")
    if shown["entry"] > found.last:
        outcome.lost.append(f"entry {shown['entry']} was told, the log ends at {found.last}")
    if (told.number, shared.sequence) != (shared.number, found.last):
        # Something was written that was told to nobody yet: the state found is a later one.
        return
    outcome.compared += 1
    # A war in which nothing was decided holds nothing to go on with, and one that is won is over: another one begins.
    if shown["war_over"]:
        return
    empty = not found.wars.get(shown["war"])
    keys = [key for key in SHOWN if key in shown and not (empty and key == "war")]
    unlike = [key for key in keys if shown[key] != found.view[key]]
    if unlike:
        first = [
            (a, b) for a, b in zip(_leaves(shown[unlike[0]]), _leaves(found.view[unlike[0]]), strict=False) if a != b
        ]
        outcome.differs.append(f"{unlike} of entry {shown['entry']}: {first[:2]}")


def kills(source: KillSource, count: int, film: SoakFilm, seed: int = 1) -> KillsOutcome:
    """Kills `count` times; a fresh log every `KILLS_OF_ONE_LOG`. The calling process must have one thread only."""
    assert threading.active_count() == 1, "a process with threads must not be copied"
    cv2.setNumThreads(1)
    outcome, chance = KillsOutcome(), random.Random(f"{source}/{seed}")
    folder = Path(tempfile.mkdtemp())
    try:
        at = _Shared.from_buffer(mmap.mmap(-1, ctypes.sizeof(_Shared)))
        before = 0
        for number in range(count):
            path = folder / f"{number // KILLS_OF_ONE_LOG}.db"
            if not path.exists():
                at.at = at.sequence = before = 0
            at.number = -1
            told, ended = _killed(path, film, source, number // KILLS_OF_ONE_LOG, at, chance)
            outcome.kills += 1
            if ended:
                outcome.lost.append("the table ended by itself")
            if not path.exists():
                continue
            found = _found(path)
            _hold(outcome, told, found, before, at)
            before, at.sequence = found.caused, found.last
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


def _measured(scale: float) -> Iterator[Measured]:
    import sys

    film = filmed()
    sources: tuple[KillSource, ...] = ("film", "readings")
    for source in sources:
        outcome = kills(source, max(2, round(KILLS * scale)), film)
        for line in (*outcome.lost, *outcome.differs):
            sys.stderr.write(f"  {source}: {line}\n")
        yield Measured(len(outcome.lost), outcome.kills, f"{source}-told-and-lost")
        yield Measured(len(outcome.differs), outcome.compared, f"{source}-other-state")
        yield Measured(0, outcome.actions, f"{source}-actions-done")


FIGURE = Figure("soak.kills", "failed", "kills at random instants of followed films and used pages", _measured)
