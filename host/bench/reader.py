"""Figures of the reader: tables at scale over decks and kinds of light, speed by stage, memory, and false cards."""

from __future__ import annotations

import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.names import CARDS, FACE_DOWN, THEATERS, Face, Theater
from engine.sight import PLACES, Place
from host.bench.figure import Figure, Measured, seconds

if TYPE_CHECKING:
    import numpy as np

    from vision.profile import DeckProfile

TABLES: Final = 2000
RELIABILITY: Final = Path("reliability.png")
"""Where the curve of the doubts is drawn, in the working directory."""


def random_table(
    rng: np.random.Generator,
) -> tuple[dict[Place, tuple[Face, ...]], tuple[Theater, Theater, Theater]]:
    """A table such as play leaves it: up to twelve cards, a third of them face down, in stacks of up to five."""
    deal = [CARDS[k] for k in rng.permutation(len(CARDS))]
    board: dict[Place, list[Face]] = {place: [] for place in PLACES}
    for _ in range(int(rng.integers(0, 13))):
        place = PLACES[int(rng.integers(len(PLACES)))]
        if len(board[place]) < 5:
            card = deal.pop()
            board[place].append(FACE_DOWN if rng.random() < 0.33 else card)
    order = [THEATERS[k] for k in rng.permutation(3)]
    return {place: tuple(stack) for place, stack in board.items()}, (order[0], order[1], order[2])


def learnt(style: str, seed: int) -> DeckProfile:
    """The profile of a simulated deck, from simulated photographs."""
    from vision.enrol import enrol
    from vision.simulate import SimulatedCamera

    photos = SimulatedCamera(style, seed, condition="day").enrolment_photos()
    return enrol(photos["air"], photos["land"], photos["sea"], photos["back"])


def _tables(scale: float) -> Iterator[Measured]:
    import cv2
    import numpy as np

    from engine.failure import Failure
    from vision.reader import Reader
    from vision.simulate import CONDITIONS, LOOKS, SimulatedCamera, print_deck

    cv2.setNumThreads(1)
    counts: dict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    beliefs: list[tuple[float, bool]] = []
    each = max(1, round(TABLES * scale / len(LOOKS) / len(CONDITIONS)))
    for style in LOOKS:
        reader = Reader(learnt(style, 1))
        deck = print_deck(style, 1)
        for kind in CONDITIONS:
            for k in range(each):
                board, order = random_table(np.random.default_rng([k, len(style), len(kind)]))
                camera = SimulatedCamera(style, 7000 + k, condition=kind, vary=True, deck=deck)
                image = camera.still(board, order)
                row, all_ = counts[kind], counts[""]
                try:
                    sight = reader.read(image).sight
                except Failure:
                    sight = None
                cards = sum(map(len, board.values()))
                right = sight is not None and sight.order == order and all(sight.board[p] == board[p] for p in PLACES)
                for c in (row, all_):
                    c["tables"] += 1
                    c["cards"] += cards
                    if sight is None:
                        continue
                    c["read"] += right
                    c["right"] += right and sight.sure
                    c["wrong"] += sight.sure and not right
                    for place in PLACES:
                        seen = sight.stacks[place]
                        if len(seen) == len(board[place]):
                            c["cards_right"] += sum(s.read == f for s, f in zip(seen, board[place], strict=True))
                if sight is not None:
                    for place in PLACES:
                        if len(sight.stacks[place]) == len(board[place]):
                            beliefs += [
                                (s.p, s.read == f) for s, f in zip(sight.stacks[place], board[place], strict=True)
                            ]
    for kind, c in counts.items():
        part = f"-{kind}" if kind else ""
        yield Measured(100 * c["cards_right"] / max(1, c["cards"]), c["cards"], f"cards-right{part}")
        yield Measured(100 * c["right"] / c["tables"], c["tables"], f"tables-right-and-sure{part}")
        yield Measured(100 * c["read"] / c["tables"], c["tables"], f"tables-read-right{part}")
        yield Measured(100 * c["wrong"] / c["tables"], c["tables"], f"tables-wrong-and-sure{part}")
    yield Measured(100 * draw_reliability(beliefs, RELIABILITY), len(beliefs), "calibration-error")


def draw_reliability(beliefs: list[tuple[float, bool]], path: Path) -> float:
    """Draw how often doubts of each size came true, into `path`; returns the mean distance from the diagonal, 0..1."""
    import cv2
    import numpy as np

    p = np.array([b for b, _ in beliefs] or [1.0])
    right = np.array([r for _, r in beliefs] or [True], dtype=float)
    edges = np.array([0, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99, 0.999, 1.0001])
    picture = np.full((460, 460, 3), 255, np.uint8)
    cv2.rectangle(picture, (40, 20), (440, 420), (0, 0, 0), 1)
    cv2.line(picture, (40, 420), (440, 20), (180, 180, 180), 1, cv2.LINE_AA)
    error, before = 0.0, None
    for low, high in pairwise(edges):
        use = (p >= low) & (p < high)
        if not use.any():
            continue
        said, true = float(p[use].mean()), float(right[use].mean())
        error += abs(said - true) * float(use.mean())
        at = (round(40 + 400 * said), round(420 - 400 * true))
        cv2.circle(picture, at, 3 + round(3 * float(np.log10(use.sum() + 1))), (180, 90, 30), -1, cv2.LINE_AA)
        cv2.putText(picture, str(int(use.sum())), (at[0] - 30, at[1] + 18), 0, 0.4, (90, 90, 90), 1, cv2.LINE_AA)
        if before is not None:
            cv2.line(picture, before, at, (180, 90, 30), 1, cv2.LINE_AA)
        before = at
    cv2.putText(picture, "likelihood said", (170, 445), 0, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    cv2.putText(picture, "came true", (45, 15), 0, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    ok, data = cv2.imencode(".png", picture)
    if ok:
        path.write_bytes(bytes(data))
    return error


def _look(scale: float) -> Iterator[Measured]:
    """A full look at 1920 x 1080 by stage, and a look at one changed column; one core, after decoding."""
    import cv2
    import numpy as np

    from vision.reader import Reader
    from vision.simulate import SimulatedCamera, print_deck

    cv2.setNumThreads(1)
    reader = Reader(learnt("bright", 1))
    board, order = random_table(np.random.default_rng(3))
    image = SimulatedCamera("bright", 3, condition="day", deck=print_deck("bright", 1)).still(board, order)
    first = reader.read(image)
    n = max(3, round(40 * scale))
    yield Measured(1000 * seconds(lambda: reader.read(image), n), n, "full")
    fullest = max(PLACES, key=lambda place: len(board[place]))
    yield Measured(1000 * seconds(lambda: reader.read(image, first, [fullest]), n), n, "one-column")
    stages: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(n):
        for name, ms in reader.read(image).timings.items():
            stages[name].append(ms)
    for name, taken in stages.items():
        yield Measured(sorted(taken)[len(taken) // 2], n, f"full-{name}")


def _enrol(scale: float) -> Iterator[Measured]:
    import cv2

    from vision.enrol import enrol
    from vision.simulate import SimulatedCamera

    cv2.setNumThreads(1)
    photos = SimulatedCamera("bright", 1, condition="day").enrolment_photos()
    started = time.perf_counter()
    enrol(photos["air"], photos["land"], photos["sea"], photos["back"])
    yield Measured(time.perf_counter() - started, 1)


def _memory(scale: float) -> Iterator[Measured]:
    """The most that this process has held so far: run it alone for the reader's own need."""
    import numpy as np

    from vision.reader import Reader
    from vision.simulate import SimulatedCamera, print_deck

    reader = Reader(learnt("bright", 1))
    board, order = random_table(np.random.default_rng(3))
    reader.read(SimulatedCamera("bright", 3, condition="day", deck=print_deck("bright", 1)).still(board, order))
    yield Measured(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1, "with-simulated-camera")


def _false(scale: float) -> Iterator[Measured]:
    """Cards reported where there are none: desks, wood, cloth, other cards, hands, with and without the mat."""
    import cv2

    from engine.failure import Failure
    from vision.reader import Reader
    from vision.simulate.elsewhere import KINDS, without_game

    cv2.setNumThreads(1)
    reader = Reader(learnt("bright", 1))
    each = max(1, round(10 * scale))
    total = sure = pictures = 0
    for kind in KINDS:
        for seed in range(each):
            for mat in (False, True):
                pictures += 1
                try:
                    sight = reader.read(without_game(kind, seed, mat)).sight
                except Failure:
                    continue
                cards = sum(map(len, sight.stacks.values()))
                total += cards
                sure += cards if sight.sure else 0
    yield Measured(total, pictures, "reported")
    yield Measured(sure, pictures, "reported-and-sure")


FIGURES = (
    Figure("reader-tables", "%", "simulated tables over decks and kinds of light; draws reliability.png", _tables),
    Figure("reader-look", "ms", "one look at 1920 x 1080 on one core, by stage", _look),
    Figure("reader-enrol", "s", "learning a deck from four photographs", _enrol),
    Figure("reader-memory", "MB", "resident memory after a look", _memory),
    Figure("reader-false-cards", "cards", "cards reported on pictures without the game", _false),
)
