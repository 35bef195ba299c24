"""A hall of phones beside a thousand hostile connections: how soon a decision is on a phone, who is kept out, and
whether the reader and the referee, which share their process with the pages, are slowed."""

from __future__ import annotations

import ctypes
import mmap
import os
import random
import resource
import selectors
import signal
import socket
import struct
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn

import cv2

from host.bench.club_load import percentile
from host.bench.figure import Figure, Measured
from host.bench.soak.film import scenes
from host.bench.soak.table import table_over
from host.demo.deck import CAMERA_SEED, STYLE
from host.web.access import COOKIE, Access, Role, hosts
from host.web.app import make_app
from host.web.backend import TableBackend
from host.web.server import PageServer
from vision.enrolment.enrol import enrol
from vision.simulate import EMPTY, SimulatedCamera, TableCondition
from vision.tracking.reader import Reader

PHONES: Final = 200
HOSTILE: Final = 1_000
ATTACKERS: Final = 5
"""Addresses that they come from."""
SECONDS: Final = 30.0
BETWEEN_S: Final = 0.3
"""Seconds between two scenes."""
VIEWS_AT_MOST: Final = 8_192
PHONES_OF_AN_ADDRESS: Final = 4
PIPE: Final = 1 << 16
"""Bytes that a pipe holds: the work of 2,000 scenes."""


@dataclass(frozen=True, slots=True)
class TimedWork:
    """One piece of work of the process that serves: seconds on the wall's clock, and of its thread's processor time."""

    wall: float
    processor: float


@dataclass(frozen=True, slots=True)
class Hall:
    """What came of an evening in a hall."""

    taken: Sequence[float]
    """Seconds from decision to phone of all views on all phones."""
    kept_out: int
    came_again: int
    """How often a phone was hung up on."""
    looks: Sequence[TimedWork]
    """A whole table read from a picture, once between two scenes."""
    decisions: Sequence[TimedWork]
    """A scene: the referee, the log and the page's sink."""


_WORK: Final = struct.Struct("<dddd")


class _Decided(ctypes.Structure):
    """When the decision was taken that each view shows, `time.monotonic()` by the view's number."""

    _fields_: ClassVar = [("at", ctypes.c_double * VIEWS_AT_MOST)]
    at: ctypes.Array[ctypes.c_double]


def _timed(work: Callable[[], object]) -> TimedWork:
    wall, processor = time.perf_counter(), time.thread_time()
    work()
    return TimedWork(time.perf_counter() - wall, time.thread_time() - processor)


def _read_table() -> Callable[[], object]:
    """What reads one and the same picture of a table, as a whole, when it is called."""
    cv2.setNumThreads(1)
    camera = SimulatedCamera(STYLE, CAMERA_SEED, condition=TableCondition(resolution=(1280, 720)))
    reader = Reader(enrol(**camera.enrolment_photos()))
    camera.clear()
    laid = {**EMPTY, ("A", "near"): ("A1", "L2"), ("L", "near"): ("-",), ("S", "far"): ("S4", "A5", "-")}
    picture = camera.still(laid, ("A", "L", "S"))
    return lambda: reader.read(picture)


def _serve(folder: Path, access: Access, decided: _Decided, look: Callable[[], object], out: int) -> NoReturn:
    try:
        with table_over(folder / "games.db") as table:
            backend = TableBackend(table.session, table.page, access, "soak")
            server = PageServer(make_app(backend, access, lambda: hosts(server.port, None)), ("127.0.0.1",), 0)
            server.start()
            os.write(out, struct.pack("<H", server.port))
            broadcaster = table.page.broadcaster
            publish = broadcaster.publish

            def published(view: Any) -> int:
                number = 1 if broadcaster.newest is None else broadcaster.newest.number + 1
                decided.at[number % VIEWS_AT_MOST] = time.monotonic()
                return publish(view)

            broadcaster.publish = published  # type: ignore[method-assign]
            seed = 0
            while True:
                seed += 1
                for scene in scenes(seed, "revised", 2):
                    due = time.monotonic() + BETWEEN_S
                    decision, seen = _timed(partial(table.show, scene, 0.2)), _timed(look)
                    os.write(out, _WORK.pack(decision.wall, decision.processor, seen.wall, seen.processor))
                    time.sleep(max(0.0, due - time.monotonic()))
                table.session.begin_war()
    finally:
        traceback.print_exc()
        os._exit(70)


def _attack(port: int, viewer: str, count: int) -> NoReturn:
    """Idle, half-asked, dripping, long-bodied and never-reading connections, opened again where they were ended."""
    chance = random.Random(1)
    held: list[socket.socket] = []
    head = f"Host: 127.0.0.1:{port}\r\n"
    kinds = (
        b"",
        f"GET / HTTP/1.1\r\n{head}X: ".encode(),
        f"POST /do/undo HTTP/1.1\r\n{head}Content-Length: 100000\r\n\r\n".encode() + b"x" * 1000,
        f"POST /do/undo HTTP/1.1\r\n{head}Content-Length: 900000000\r\n\r\n".encode(),
        f"GET /stream HTTP/1.1\r\n{head}Cookie: {COOKIE}={viewer}\r\n\r\n".encode(),
        chance.randbytes(400),
    )
    try:
        while True:
            while len(held) < count:
                to = socket.socket()
                to.settimeout(2.0)
                with suppress(OSError):
                    to.bind((f"127.9.0.{1 + len(held) % ATTACKERS}", 0))
                    to.connect(("127.0.0.1", port))
                    to.sendall(chance.choice(kinds))
                held.append(to)
            for number in chance.sample(range(count), count // 50):
                try:
                    held[number].sendall(b"x")
                except OSError:
                    held[number].close()
                    held[number] = held[-1]
                    held.pop()
                    break
            time.sleep(0.02)
    finally:
        os._exit(0)


class _Phone:
    """One phone's stream."""

    def __init__(self, port: int, number: int, access: Access) -> None:
        roles: tuple[Role, ...] = ("owner", "near", "far")
        self.role: Role = roles[number] if number < len(roles) else "viewer"
        self._port, self._address = port, f"127.0.2.{1 + number // PHONES_OF_AN_ADDRESS}"
        cookie = f"Cookie: {COOKIE}={access.tokens[self.role]}"
        self._request = f"GET /stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}\r\n\r\n".encode()
        self.views = 0
        self.losses = 0
        self.connect()

    def connect(self) -> None:
        """Comes, or comes again as a browser does where it was hung up on."""
        self.kept, self.number, self.fresh = b"", -1, True
        self.socket = socket.socket()
        self.socket.bind((self._address, 0))
        self.socket.settimeout(20.0)
        self.socket.connect(("127.0.0.1", self._port))
        self.socket.sendall(self._request)
        self.socket.setblocking(False)

    def read(self, now: float, decided: _Decided) -> list[float]:
        """Seconds from decision to this phone of each view that came; raises `EOFError` where it was hung up on."""
        with suppress(BlockingIOError):
            try:
                piece = self.socket.recv(1 << 18)
            except ConnectionError:
                piece = b""
            if not piece:
                raise EOFError
            self.kept += piece
        *lines, self.kept = self.kept.split(b"\n")
        found = []
        for line in lines:
            if line.startswith(b"id: "):
                self.number = int(line[4:])
            elif line.startswith(b"data: {"):
                self.views += 1
                # The first view of a connection is as old as it is.
                first, self.fresh = self.fresh, False
                if not first and self.number < VIEWS_AT_MOST and decided.at[self.number]:
                    found.append(now - decided.at[self.number])
        return found


def hall(phones: int, hostile: int, seconds: float, look: Callable[[], object]) -> Hall:
    """Phones that follow a game for so long; `look` is done once for each scene. The calling process must have one
    thread."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8_192)), hard))
    access = Access(opened=True)
    decided = _Decided.from_buffer(mmap.mmap(-1, ctypes.sizeof(_Decided)))
    children: list[int] = []
    taken: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        inward, outward = os.pipe()
        child = os.fork()
        if child == 0:
            _serve(Path(name), access, decided, look, outward)
        children.append(child)
        try:
            port = struct.unpack("<H", os.read(inward, 2))[0]
            if hostile:
                child = os.fork()
                if child == 0:
                    _attack(port, access.tokens["viewer"], hostile)
                children.append(child)
                time.sleep(3.0)
            # Three people run the table and play; they come last.
            watching = [_Phone(port, number, access) for number in reversed(range(phones))]
            with selectors.DefaultSelector() as ready:
                for phone in watching:
                    ready.register(phone.socket, selectors.EVENT_READ, phone)
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    for key, _ in ready.select(0.2):
                        phone = key.data
                        try:
                            taken += phone.read(time.monotonic(), decided)
                        except EOFError:
                            ready.unregister(phone.socket)
                            phone.socket.close()
                            phone.losses += 1
                            phone.connect()
                            ready.register(phone.socket, selectors.EVENT_READ, phone)
            os.set_blocking(inward, False)
            told = b""
            with suppress(BlockingIOError):
                told = os.read(inward, PIPE)
            worked = list(_WORK.iter_unpack(told[: len(told) // _WORK.size * _WORK.size]))
            return Hall(
                taken,
                sum(phone.views < 2 for phone in watching),
                sum(phone.losses for phone in watching),
                [TimedWork(*one[2:]) for one in worked],
                [TimedWork(*one[:2]) for one in worked],
            )
        finally:
            for one in children:
                os.kill(one, signal.SIGKILL)
                os.waitpid(one, 0)
            os.close(inward)
            os.close(outward)


def _measured(scale: float) -> Iterator[Measured]:
    """One phone is what the machine itself takes, with all that else runs on it: the others are held against it."""
    look = _read_table()
    phones = max(4, round(PHONES * scale))
    hostile = max(10, round(HOSTILE * scale))
    for part, count, beside in (("one-phone", 1, 0), ("alone", phones, 0), ("beside-hostile", phones, hostile)):
        found = hall(count, beside, max(5.0, SECONDS * scale), look)
        yield Measured(round(1000 * percentile(found.taken, 0.5), 1), len(found.taken), f"{part}-p50-ms")
        yield Measured(round(1000 * percentile(found.taken, 0.99), 1), len(found.taken), f"{part}-p99-ms")
        yield Measured(found.kept_out, count, f"{part}-phones-kept-out")
        yield Measured(found.came_again, count, f"{part}-came-again")
        for name, work in (("look", found.looks), ("decision", found.decisions)):
            for clock, times in (("wall", [w.wall for w in work]), ("processor", [w.processor for w in work])):
                yield Measured(round(1000 * percentile(times, 0.5), 2), len(work), f"{part}-{name}-{clock}-p50-ms")
        yield Measured(round(os.getloadavg()[0], 1), os.cpu_count() or 1, f"{part}-load-of-the-machine")


FIGURE = Figure("soak.load", "", "200 phones, alone and beside 1,000 hostile connections", _measured)
