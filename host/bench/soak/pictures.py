"""Damaged and hostile pictures and streams amid a followed game, through the real source, reader and session.

A fault of some seconds begins while the table lies or a hand lays a card. The game must be what it was, the fault must
be named on the page (or do no harm: the next card is told all the same), and the next card must be told soon after its
end, without anything else being told.
"""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import cv2

from engine.events import Done, Withdraw
from engine.failure import Failure
from engine.state import board
from host.app.table import assemble
from host.bench.figure import Figure, Measured
from host.bench.soak.film import FilmedScene, decoded, filmed_scenes
from host.bench.soak.hostile_camera import CAMERA_FAULTS, FPS, CameraFault, HostileCamera
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.session.sinks import Change
from host.session.standing import Standing
from host.web.access import Access
from host.web.page_sink import sentences
from vision.profile import DeckProfile
from vision.sources import open_source
from vision.tracking.table_watcher import TableWatcher

TRIES: Final = 500
LANES: Final = 3
"""Tables at once; most of a trial is waiting."""
FAULT_S: Final = (3.2, 5.0)
NAMED_S: Final = 3.0
RECOVERED_S: Final = 5.0
"""Beyond what the scene before, without a fault, took to be told: that is the machine's own time."""
FOLLOWED_S: Final = 25.0
"""Seconds, beyond those without a processor, after which a scene that is not told counts as lost, and the game is begun
anew."""
MEMORY_MB: Final = 700.0
"""More than before, at most, while a fault lasts."""


KINDS_OF_FAILURE: Final = (
    "touched", "not-named", "not-named-by-itself", "not-recovered", "not-recovered-by-itself", "memory",
)  # fmt: skip
"""By itself: without the time for which other programs had the processor, which the kernel counts."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one fault. Seconds; None for what did not happen."""

    fault: str
    amid_hand: bool
    touched: str
    """What changed or was told that should not; empty where nothing did."""
    named: float | None
    code: str
    harmless: bool
    """The table was read all the same."""
    usual: float
    """The same for the scene before, which had no fault."""
    recovered: float | None
    """From the fault's end, without the time of the hand, until the next card was told and the page was well."""
    memory_mb: float
    waited: tuple[float, float]
    """Of `named` and of `recovered`: for how long the table's thread had work and other work had the processor."""

    @property
    def failures(self) -> tuple[str, ...]:
        named, recovered = (
            None if seconds is None else seconds - waited
            for seconds, waited in zip((self.named, self.recovered), self.waited, strict=True)
        )
        wrong = {
            "touched": bool(self.touched),
            "not-named": not self.harmless and (self.named is None or self.named > NAMED_S),
            "not-recovered": self.recovered is None or self.recovered - self.usual > RECOVERED_S,
            "not-named-by-itself": not self.harmless and (named is None or named > NAMED_S),
            "not-recovered-by-itself": recovered is None or recovered > RECOVERED_S,
            "memory": self.memory_mb > MEMORY_MB,
        }
        return tuple(name for name, failed in wrong.items() if failed)


Told: TypeAlias = tuple[str, ...]
Expected: TypeAlias = tuple[tuple[object, ...], Told]
"""How the game stands after a scene, and what was told with it."""


class _Sentences:
    """A sink that keeps what players are told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        pass

    def changed(self, change: Change) -> None:
        self.told += [f"{one.kind}/{one.code}/{dict(one.parts)}" for one in sentences(change)]

    def close(self) -> None:
        pass

    def take(self) -> Told:
        told, self.told = tuple(self.told), []
        return told


def _standing(session: Session) -> tuple[object, ...]:
    standing = session.standing
    return board(standing.state), standing.battle, dict(standing.score)


def _press(session: Session, scene: FilmedScene) -> None:
    seat = scene.scene.button
    if seat is not None:
        with suppress(Failure):
            session.apply(Withdraw(seat) if scene.scene.held else Done(seat), {"by": "button", "seat": seat})


def undisturbed(film: Sequence[FilmedScene], profile: DeckProfile) -> list[Expected]:
    """What comes of each scene where nothing goes wrong."""
    session, said = Session(MemoryLog(), Rules(), time.time), _Sentences()
    table = assemble(session, TableWatcher(profile), Access(), "soak", sinks=(said,))
    found, t = [], 0.0
    for scene in film:
        _press(session, scene)
        for data in (*scene.hand, *scene.lies * 4):
            table.tracker.frame(decoded(data), t)
            t += 1 / FPS
        found.append((_standing(session), said.take()))
    return found


class FollowedTable:
    """A table that follows the scenes of a film over a network camera."""

    def __init__(self, film: Sequence[FilmedScene], profile: DeckProfile, camera: HostileCamera) -> None:
        self.session, self.said, self.camera = Session(MemoryLog(), Rules(), time.time), _Sentences(), camera
        self._film = film
        self._watcher = TableWatcher(profile)
        self._table = assemble(self.session, self._watcher, Access(), "soak", sinks=(self.said,))
        self._runner = self._table.run(open_source(camera.address), None)
        self._runner.start()

    @property
    def trouble(self) -> str:
        """What the page says to be wrong with the camera; empty where it is well, or slow as on any busy machine."""
        newest = self._table.page.broadcaster.newest
        assert newest is not None
        camera = newest.view.camera
        return "" if (camera.ok and camera.code != "camera-waiting") or camera.code == "camera-slow" else camera.code

    @property
    def still(self) -> bool:
        """Whether the table is seen to lie still."""
        return self._watcher.still

    def close(self) -> None:
        self._runner.close()
        self.session.close()

    def fault(self) -> str:
        """What the source's thread died of; empty where it lives."""
        try:
            self._runner.wait(0.0)
        except Failure as failure:
            return str(failure)
        return ""


def _without_processor() -> float:
    """Seconds for which the thread that follows the table could have run, and other work had the processor."""
    # The last one: the thread of a table before it may still be about to end.
    table = next((one.native_id for one in reversed(threading.enumerate()) if one.name == "source"), None)
    try:
        return int(Path(f"/proc/self/task/{table}/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def _until(holds: Callable[[], bool], seconds: float) -> float | None:
    """Seconds until it holds; None where it does not within so many, beyond those without a processor."""
    began, waited = time.monotonic(), _without_processor()
    while not holds():
        if time.monotonic() - began - (_without_processor() - waited) > seconds:
            return None
        time.sleep(0.02)
    return time.monotonic() - began


class Lane:
    """One camera and its tables, one after the other: goes on with the film from trial to trial."""

    def __init__(self, film: Sequence[FilmedScene], profile: DeckProfile, expected: Sequence[Expected]) -> None:
        """`expected` as `undisturbed` finds it."""
        self._film, self._profile, self._expected = film, profile, expected
        self._camera = HostileCamera(film[0].lies)
        self._table: FollowedTable | None = None
        self._at = -1
        """The scene that was followed last."""

    def close(self) -> None:
        if self._table is not None:
            self._table.close()
        self._camera.close()

    def _begin(self) -> FollowedTable:
        """A new table at the first scene."""
        if self._table is not None:
            self._table.close()
        self._camera.show((), self._film[0].lies)
        table = self._table = FollowedTable(self._film, self._profile, self._camera)
        self._at = 0
        assert _until(lambda: not table.trouble, 60.0) is not None, "the table is not read"
        table.said.take()
        return table

    def trial(self, fault: CameraFault, chance: random.Random) -> Trial:
        """The fault at the scene that lies there, or amid the hand that lays the next one."""
        table = self._table
        if table is None or self._at >= len(self._film) - 2:
            table = self._begin()
        # A scene without a fault in between: each begins from a table that is well.
        usual, _ = self._follow(table, self._film[self._at + 1].hand)
        if usual is None:
            table, usual = self._begin(), 0.0
        before, coming = self._expected[self._at][0], self._film[self._at + 1]
        table.said.take()
        left, lies = coming.hand, self._film[self._at].lies
        amid = len(coming.hand) > 8 and chance.random() < 0.3
        if amid:
            # The hand is on its way, and has laid nothing yet.
            met = chance.randrange(3, len(coming.hand) // 3 + 1)
            left, lies = coming.hand[met:], coming.hand[met - 2 : met]
        seed = chance.getrandbits(32)
        begin, again = (self._camera.prepare(fault, frames, seed) for frames in (lies, coming.lies))
        well = _until(lambda: not table.trouble, FOLLOWED_S)
        assert well is not None, f"already wrong: {table.trouble}"
        if amid:
            # Shown last: a hand that rests for long over the table is taken for a part of it.
            self._camera.show(coming.hand[: len(coming.hand) - len(left) - 2], lies)
            _until(lambda: self._camera.arrived, FOLLOWED_S)
        held = _memory_mb("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")
        began, waited = time.monotonic(), _without_processor()
        begin()
        named = _until(lambda: bool(table.trouble), NAMED_S)
        waited_named = _without_processor() - waited
        code = table.trouble
        stands = [before]
        harmless = False
        if named is None:
            again()
            stands.append(self._expected[self._at + 1][0])
            _until(lambda: bool(table.trouble) or _standing(table.session) == stands[1], RECOVERED_S)
            harmless, code = _standing(table.session) == stands[1], table.trouble
        else:
            time.sleep(max(0.0, began + chance.uniform(*FAULT_S) - time.monotonic()))
        stand = _standing(table.session)
        touched = "" if stand in stands else f"{before} became {stand}"
        told = table.said.take()
        self._camera.end()
        recovered, waited = self._follow(table, left)
        memory = _memory_mb("VmHWM") - held
        after = table.said.take()
        if not touched:
            touched = self._unlike(told, after)
        until_well = _without_processor()
        well = None if recovered is None else _until(lambda: not table.trouble, RECOVERED_S)
        waited += _without_processor() - until_well
        if recovered is not None:
            recovered = None if well is None else recovered + well
        waits = (round(waited_named, 2), round(waited, 2))
        touched = touched or table.fault()
        if recovered is None:
            seen = f"{_standing(table.session)}, still {table.still}, {table.trouble or 'no trouble'}"
            sys.stderr.write(f"  {fault.name}: told {told}, then {after}; it stands {seen}\n")
        if touched or recovered is None:
            # The next trial begins with a table of its own.
            table.close()
            self._table = None
        return Trial(
            fault.name, amid, touched, named, code, harmless, round(usual, 2), recovered, round(memory, 1), waits
        )

    def _follow(self, table: FollowedTable, hand: Sequence[bytes]) -> tuple[float | None, float]:
        """Shows the next scene. Seconds from when the hand has gone until it is told, None where it is not; and how
        long the table had no processor until then."""
        self._at += 1
        scene = self._film[self._at]
        _press(table.session, scene)
        self._camera.show(hand, scene.lies)
        time.sleep(len(hand) / FPS)
        waited = _without_processor()
        taken = _until(lambda: _standing(table.session) == self._expected[self._at][0], FOLLOWED_S)
        waited = _without_processor() - waited
        _until(lambda: self._camera.arrived, FOLLOWED_S)
        return taken, waited

    def _unlike(self, amid: Told, after: Told) -> str:
        """What was told beyond what an undisturbed game tells."""
        beyond = [line for line in (*amid, *after) if line not in self._expected[self._at][1]]
        return "; ".join(beyond)


def _memory_mb(what: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(what):
            return int(line.split()[1]) / 1024
    raise AssertionError(what)


def _lane(lane: Lane, faults: Sequence[tuple[CameraFault, int]], out: int) -> None:
    for fault, seed in faults:
        trial = lane.trial(fault, random.Random(seed))
        os.write(out, (json.dumps(asdict(trial)) + "\n").encode())
    lane.close()


@contextmanager
def _lanes(make: Callable[[], Lane], faults: Sequence[tuple[CameraFault, int]]) -> Iterator[int]:
    """Processes that share the faults; gives where they write their trials to, which ends with the last of them."""
    inward, outward = os.pipe()
    children = []
    for number in range(LANES):
        child = os.fork()
        if child == 0:
            status = 70
            try:
                os.close(inward)
                _lane(make(), faults[number::LANES], outward)
                status = 0
            except BaseException:
                traceback.print_exc()
                raise
            finally:
                os._exit(status)
        children.append(child)
    os.close(outward)
    try:
        yield inward
    finally:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, 9)
            os.waitpid(child, 0)


def trials(faults: Sequence[tuple[CameraFault, int]]) -> Iterator[Trial]:
    """Tries all faults, each with its seed, at `LANES` tables at once. The calling process must have one thread."""
    cv2.setNumThreads(1)
    film, profile = filmed_scenes(FPS)
    expected = undisturbed(film, profile)
    with _lanes(lambda: Lane(film, profile, expected), faults) as inward, os.fdopen(inward) as lines:
        for line in lines:
            data: dict[str, Any] = json.loads(line)
            yield Trial(**data | {"waited": tuple(data["waited"])})


def _measured(scale: float) -> Iterator[Measured]:
    count = max(LANES, round(TRIES * scale))
    chosen = [(CAMERA_FAULTS[number % len(CAMERA_FAULTS)], number) for number in range(count)]
    found: list[Trial] = []
    for trial in trials(chosen):
        found.append(trial)
        if len(found) % 10 == 0:
            load = os.getloadavg()[0]
            sys.stderr.write(f"  {len(found)} of {count} tried, load {load:.0f}\n")
        if trial.failures:
            sys.stderr.write(f"  {' '.join(trial.failures)}: {trial}\n")
    for fault in CAMERA_FAULTS:
        mine = [trial for trial in found if trial.fault == fault.name]
        if mine:
            yield Measured(sum(bool(trial.failures) for trial in mine), len(mine), fault.name)
    for failure in KINDS_OF_FAILURE:
        yield Measured(sum(failure in trial.failures for trial in found), len(found), failure)
    # A lane that ended early has trials that nobody tried.
    yield Measured(count - len(found), count, "not-tried")


FIGURE = Figure("soak.pictures", "failed", "damaged and hostile pictures and streams amid a followed game", _measured)
