"""Figures of the reader's needs: time by stage, learning a deck, memory. `host.bench.tables` has how right it is.

Times are of one core: each look is taken several times and the quickest counts, so that whatever else the machine does
disturbs little. Decoding the picture is not in them.
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import host
from engine.names import CARDS
from engine.places import PLACES
from host.bench.drawn import DECKS, LOOKS, draw, learnt, which
from host.bench.figure import Figure, Measured

if TYPE_CHECKING:
    from vision.tracking.reader import Reader

LOOK, DECK = LOOKS[0], 1
TABLES: Final = 14
"""Of each look of deck."""
RUNS: Final = 4
SINGLE: Final = ("day", "lamp", "dim", "tilt", "sleeve")
"""Kinds of light in which single uncovered cards are looked at."""
_ALONE: Final = """
import sys, cv2
from vision.profile import DeckProfile
from vision.tracking.reader import Reader
cv2.setNumThreads(1)
reader = Reader(DeckProfile.load(sys.argv[1]))
for name in sys.argv[2:]:
    reader.read(cv2.imread(name))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def _tables(count: int, look: str = LOOK) -> list[int]:
    """The first `count` tables of one deck whose pictures are 1920 × 1080."""
    wanted = range(8 * len(LOOKS) * DECKS * (count + 1))
    return [k for k in wanted if which(k)[1:] == (look, DECK) and which(k)[0] != "hd720"][:count]


def _look(scale: float) -> Iterator[Measured]:
    """A full look by stage, and a look at one changed column, over tables of four looks in seven kinds of light."""
    import cv2
    import numpy as np

    from vision.tracking.reader import Reader

    cv2.setNumThreads(1)
    readers = {look: Reader(learnt(look, DECK)) for look in LOOKS}
    full: list[tuple[float, dict[str, float]]] = []
    columns: dict[str, list[float]] = {"one-column": [], "fullest-column": []}
    each = max(7, round(TABLES * scale))
    tables = [table for look in LOOKS for table in _tables(each, look)]
    for table in tables:
        drawn, reader = draw(1, table), readers[which(table)[1]]
        image = np.asarray(cv2.imdecode(np.frombuffer(drawn.file, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        first = reader.read(image)
        looks = [reader.read(image).timings for _ in range(RUNS)]
        full.append(min((sum(laps.values()), dict(laps)) for laps in looks))
        laid = sorted((place for place in PLACES if drawn.truth[place]), key=lambda place: len(drawn.truth[place]))
        for name, place in zip(columns, (laid[len(laid) // 2], laid[-1]) if laid else (), strict=False):
            columns[name].append(min(sum(reader.read(image, first, [place]).timings.values()) for _ in range(RUNS)))
    for name, bare in (("full", False), ("without-the-mat", True)):
        times = sorted(ms for (ms, _), table in zip(full, tables, strict=True) if (which(table)[0] == "nomat") == bare)
        yield from _spread(name, times)
    for look in LOOKS:
        of_deck = sorted(ms for (ms, _), table in zip(full, tables, strict=True) if which(table)[1] == look)
        yield from _spread(f"full/{look}", of_deck)
    whole = sum(ms for ms, _ in full)
    for stage in full[0][1]:
        spent = [laps.get(stage, 0.0) for _, laps in full]
        yield Measured(sorted(spent)[len(spent) // 2], len(spent), f"full/{stage}-median-ms")
        yield Measured(100 * sum(spent) / whole, len(spent), f"full/{stage}-share-%")
    for name, column in columns.items():
        yield from _spread(name, sorted(column))
    # What others publish: a picture with nothing but uncovered cards, once on its own and once by an unmoved camera.
    for name, cards in (("one-card", 1), ("three-cards", 3)):
        alone, next_to = zip(*(_uncovered(readers[LOOK], kind, cards) for kind in SINGLE), strict=True)
        yield Measured(sorted(alone)[len(alone) // 2], len(alone), f"{name}/full-median-ms")
        yield Measured(sorted(next_to)[len(next_to) // 2], len(next_to), f"{name}/unmoved-camera-median-ms")


def _spread(name: str, times: list[float]) -> Iterator[Measured]:
    """The median, the value that 95 of 100 stay below, and the worst of sorted times."""
    yield Measured(times[len(times) // 2], len(times), f"{name}/median-ms")
    yield Measured(times[min(len(times) - 1, math.floor(0.95 * len(times)))], len(times), f"{name}/95-%-ms")
    yield Measured(times[-1], len(times), f"{name}/worst-ms")


def _uncovered(reader: Reader, kind: str, cards: int) -> tuple[float, float]:
    """Milliseconds for a table of single uncovered cards: all of it, and when its last card has just been laid."""
    from vision.simulate import EMPTY, SimulatedCamera, printed_deck

    places = [place for place in PLACES if place[1] == "near"][:cards]
    table = {**EMPTY, **{place: (str(card),) for place, card in zip(places, CARDS, strict=False)}}
    camera = SimulatedCamera(LOOK, 17, condition=kind, deck=printed_deck(LOOK, DECK))
    before = reader.read(camera.still({**table, places[-1]: ()}, ("A", "L", "S")))
    image = camera.still(table, ("A", "L", "S"))
    looks = [sum(reader.read(image).timings.values()) for _ in range(RUNS)]
    changed = [sum(reader.read(image, before, [places[-1]]).timings.values()) for _ in range(RUNS)]
    return min(looks), min(changed)


def _enrol(scale: float) -> Iterator[Measured]:
    import cv2

    from vision.enrolment.enrol import enrol
    from vision.simulate import SimulatedCamera

    cv2.setNumThreads(1)
    photos = SimulatedCamera(LOOK, 1, condition="day").enrolment_photos()
    taken: list[float] = []
    for _ in range(2):
        started = time.process_time()
        enrol(photos["air"], photos["land"], photos["sea"], photos["back"])
        taken.append(time.process_time() - started)
    yield Measured(min(taken), len(taken))


def _memory(scale: float) -> Iterator[Measured]:
    """The most that a process of its own holds which loads a profile and reads four tables."""
    tables = _tables(4)
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        profile = there / "deck"
        profile.mkdir()
        learnt(LOOK, DECK).save(profile)
        pictures = []
        for table in tables:
            pictures.append(there / f"{table}.jpg")
            pictures[-1].write_bytes(draw(1, table).file)
        root = Path(host.__file__).resolve().parent.parent
        words = [sys.executable, "-c", _ALONE, str(profile), *map(str, pictures)]
        told = subprocess.run(words, capture_output=True, text=True, cwd=root, check=True).stdout
    yield Measured(int(told.split()[-1]) / 1024, len(tables))


FIGURES: Final = (
    Figure("reader.look", "", "one look at 1920 x 1080 on one core, with each stage's share; at one column", _look),
    Figure("reader.enrol", "s", "learning a deck from four photographs, processor time", _enrol),
    Figure("reader.memory", "MB", "the most memory that a process holds which reads tables", _memory),
)
