"""What surrounds a table goes wrong: disk, clock, sleep, a second program, network, camera and lights."""

from __future__ import annotations

import os
import random
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from engine.failure import BadInput, Failure
from engine.state import board
from host.bench.chaos import Chaos
from host.bench.figure import Figure, Measured
from host.bench.soak.evenings import page_visited
from host.bench.soak.film import scenes
from host.bench.soak.table import PlayedTable, table_over
from host.link.virtual.controller import VirtualController
from host.session.sqlite_log import SqliteLog
from host.simulation.sensible_game import TableScene
from host.web.access import Access, hosts
from host.web.app import make_app
from host.web.backend import TableBackend
from host.web.server import PageServer

NOBODY: Final = 65_534
DAY: Final = 86_400.0
TRIES: Final = 20
PLUGS: Final = 240
GONE: Final = ("camera-gone", "No picture comes from the camera.", "Plug it in again.")

Check = Callable[[Path, random.Random], bool]
"""Goes wrong once in a folder of its own; whether nothing was lost and nothing changed."""


def _in_a_process(run: Callable[[], bool]) -> bool:
    """Whether it holds in a copy of this process, whose limits and rights are its own."""
    child = os.fork()
    if child == 0:
        _end(run)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def _end(run: Callable[[], bool]) -> NoReturn:
    held = False
    try:
        held = run()
    finally:
        os._exit(0 if held else 1)


def _played(seed: int) -> list[TableScene]:
    return scenes(seed, "revised", 1)


def _disk_full(folder: Path, chance: random.Random) -> bool:
    """The disk fills up in the middle of a game: it is named, and everything told until then is there afterwards."""
    told = folder / "told"
    told.write_text("0")

    def run() -> bool:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = chance.randrange(40_000, 400_000)
        with table_over(folder / "games.db") as table:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            try:
                for scene in (*_played(3), *_played(4), *_played(5)):
                    table.show(scene)
                    # What a page has seen by now.
                    told.write_text(str(table.session.said))
            except Failure as failure:
                return failure.code == "log-lost" and bool(failure.remedy)
        return False

    if not _in_a_process(run):
        return False
    with table_over(folder / "games.db") as again:
        return again.session.said >= int(told.read_text())


def _read_only(folder: Path, chance: random.Random) -> bool:
    """The file or its folder may not be written: the start is refused with a remedy."""
    path = folder / "games.db"
    with table_over(path) as table:
        table.show(_played(3)[0])
    what = chance.choice((path, folder))
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o755 if what is path else 0o555)

    def run() -> bool:
        if os.geteuid() == 0:
            os.setuid(NOBODY)
        try:
            with table_over(path):
                return False
        except BadInput as refused:
            return bool(refused.remedy)

    try:
        # The way to the folder has to be open to nobody, so that the file itself refuses.
        folder.parent.chmod(0o755)
        return _in_a_process(run)
    finally:
        folder.chmod(0o755)


@dataclass(slots=True)
class _Clock:
    """The machine's clock, as people and the network set it."""

    shift: float = 0.0

    def now(self) -> float:
        return time.time() + self.shift


def _clock(folder: Path, chance: random.Random) -> bool:
    """The machine's clock is set back and forward while a war is played and between two starts."""
    clock, ended = _Clock(), tuple[object, ...]()
    played = _played(chance.randrange(99))
    with table_over(folder / "plain.db") as plain:
        for scene in played:
            plain.show(scene)
    for half in (played[: len(played) // 2], played[len(played) // 2 :]):
        with table_over(folder / "games.db", clock.now) as table:
            for scene in half:
                clock.shift += chance.choice((0.0, 0.0, -400 * DAY, 400 * DAY, -3600.0))
                table.show(scene)
            view, ended = table.view(), table_and_score(table)
        with table_over(folder / "games.db") as again:
            if again.view() != view:
                return False
    return ended == table_and_score(plain)


def _sleep(folder: Path, chance: random.Random) -> bool:
    """The machine sleeps for hours over a table that lies still: nothing is decided by that."""
    played = _played(chance.randrange(99))
    at = chance.randrange(1, len(played))
    with table_over(folder / "games.db") as table:
        for scene in played[:at]:
            table.show(scene)
        before = table_and_score(table)
        table.t += chance.choice((60.0, 3600.0, 8 * 3600.0))
        table.show(played[at - 1])
        # An optional effect that waited may be taken as declined meanwhile, as after any long wait.
        return table_and_score(table) == before


def table_and_score(table: PlayedTable) -> tuple[object, ...]:
    """What lies, the battle and the points of both."""
    standing = table.session.standing
    return board(standing.state), standing.battle, dict(standing.score)


def _two_programs(folder: Path, chance: random.Random) -> bool:
    """A second program on one log is refused, and the first goes on."""
    with table_over(folder / "games.db") as first:
        played = _played(3)
        at = chance.randrange(1, len(played))
        for scene in played[:at]:
            first.show(scene)
        said = first.session.said
        try:
            SqliteLog(folder / "games.db").close()
            return False
        except BadInput as refused:
            if refused.code != "log-busy":
                return False
        for scene in played[at:]:
            first.show(scene)
        return first.session.said > said or at == len(played)


def _network(folder: Path, chance: random.Random) -> bool:
    """Pages are cut off in the middle of a game and come back: they are shown the game as it is by then."""
    with table_over(folder / "games.db") as table:
        access = Access()
        backend = TableBackend(table.session, table.page, access, "soak")
        for scene in _played(3)[: chance.randrange(2, 12)]:
            if not _page_comes(backend, access):
                return False
            table.show(scene)
    return True


def _page_comes(backend: TableBackend, access: Access) -> bool:
    """The page is opened, visited, and everybody is cut off."""
    server = PageServer(make_app(backend, access, lambda: hosts(server.port, None)), ("127.0.0.1",), 0)
    server.start()
    try:
        return page_visited(server.port)
    finally:
        server.close()


def _camera(folder: Path, chance: random.Random) -> bool:
    """The camera is unplugged and plugged in again after a scene, for seconds or minutes."""
    played = _played(chance.randrange(99))
    at = chance.randrange(1, len(played))
    with table_over(folder / "plain.db") as plain, table_over(folder / "games.db") as table:
        for number, scene in enumerate(played):
            plain.show(scene)
            table.show(scene, chance.choice((0.2, 1.0, 2.4)) if number == at else 2.4)
            if number == at:
                table.tracker.trouble(*GONE, {}, table.t)
                table.t += chance.choice((1.0, 20.0, 600.0))
                table.tracker.mended("camera-gone")
                table.show(scene)
        return table_and_score(plain) == table_and_score(table)


CHECKS: Final[dict[str, Check]] = {
    "disk-full": _disk_full,
    "read-only": _read_only,
    "clock-set": _clock,
    "sleep": _sleep,
    "two-programs": _two_programs,
    "network": _network,
    "camera-unplugged": _camera,
}


def tried(check: Check, count: int, seed: int = 1) -> int:
    """How many of `count` tries failed."""
    chance, failed = random.Random(seed), 0
    for _ in range(count):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "table"
            folder.mkdir()
            failed += not check(folder, chance)
    return failed


def _measured(scale: float) -> Iterator[Measured]:
    count = max(2, round(TRIES * scale))
    for name, check in CHECKS.items():
        yield Measured(tried(check, count), count, name)
    plugs = max(4, round(PLUGS * scale))
    mishaps = list(Chaos(VirtualController, seed=6).run(plugs, ("unplug",)))
    yield Measured(sum(not one.good for one in mishaps), plugs, "lights-unplugged")


FIGURE = Figure("soak.surroundings", "failed", "disk, clock, sleep, second program, network, camera, lights", _measured)
