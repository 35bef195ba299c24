"""Figures of reading at scale: simulated tables over decks, light, tilt, overlap and noise, with their doubts.

The deck of each table was learnt from four photographs of another camera in daylight. What lies on a table is chance:
up to fourteen cards in any places, a third of them face down. Pictures are simulated; see the figures' conditions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.names import CARDS, FACE_DOWN, THEATERS, Face, Theater
from engine.sight import PLACES, Place, Sight
from host.bench.figure import Figure, Measured

TABLES: Final = 2000
NOTHING: Final = 250
STYLES: Final = ("bright", "muted", "night", "paper")
A_CAMERA: Final = 12
"""Tables taken with one camera before another is hung up."""
OUT: Final = Path("out")
_EDGES: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


@dataclass(slots=True)
class Score:
    """What became of some tables."""

    tables: int = 0
    cards: int = 0
    cards_right: int = 0
    right_and_sure: int = 0
    wrong_and_sure: int = 0
    unread: int = 0
    doubts: list[tuple[float, bool]] = field(default_factory=list)
    """Each card that was read: how likely it was said to be, and whether it was right."""

    def add(self, other: Score) -> None:
        self.tables += other.tables
        self.cards += other.cards
        self.cards_right += other.cards_right
        self.right_and_sure += other.right_and_sure
        self.wrong_and_sure += other.wrong_and_sure
        self.unread += other.unread
        self.doubts += other.doubts


def score_table(
    truth: dict[Place, tuple[Face, ...]], order: tuple[Theater, Theater, Theater], sight: Sight | None
) -> Score:
    """One table: a card counts as right in its place of its stack; cards read too many count as wrong ones."""
    score = Score(tables=1)
    wrong = sight is None or sight.order != order
    for place in PLACES:
        lies, seen = truth.get(place, ()), () if sight is None else sight.stacks.get(place, ())
        score.cards += max(len(lies), len(seen))
        wrong = wrong or len(lies) != len(seen)
        for k, card in enumerate(seen):
            right = k < len(lies) and card.read == lies[k]
            score.cards_right += right
            wrong = wrong or not right
            score.doubts.append((card.p, right))
    if sight is None:
        score.unread = 1
    elif sight.sure:
        score.wrong_and_sure += wrong
        score.right_and_sure += not wrong
    return score


def _tables(scale: float) -> dict[str, Score]:
    """Reads the tables, by condition; the result is kept for the other figures of the same run."""
    if scale in _DONE:
        return _DONE[scale]
    import cv2
    import numpy as np

    from engine.failure import Failure
    from vision.enrol import enrol
    from vision.reader import Reader
    from vision.simulate import CONDITIONS, SimulatedCamera

    cv2.setNumThreads(1)
    rng = np.random.default_rng(20)
    each = max(1, round(TABLES * scale / len(CONDITIONS)))
    scores: dict[str, Score] = {kind: Score() for kind in CONDITIONS}
    readers: dict[str, Reader] = {}
    for number, kind in enumerate(CONDITIONS):
        for first in range(0, each, A_CAMERA):
            style = STYLES[(first // A_CAMERA + number) % len(STYLES)]
            if style not in readers:
                photos = SimulatedCamera(style, 0, condition="day").enrolment_photos()
                readers[style] = Reader(enrol(*(photos[name] for name in ("air", "land", "sea", "back"))))
            seed = int(rng.integers(1, 1 << 30))
            deck = SimulatedCamera(style, 0).deck
            camera = SimulatedCamera(style, seed, condition=kind, vary=True, deck=deck)
            for _ in range(first, min(each, first + A_CAMERA)):
                truth = random_table(rng)
                order = tuple(str(t) for t in rng.permutation(list(THEATERS)))
                camera.clear()
                picture = camera.still(truth, order)  # type: ignore[arg-type]
                try:
                    sight: Sight | None = readers[style].read(picture).sight
                except Failure:
                    sight = None
                scores[kind].add(score_table(truth, order, sight))  # type: ignore[arg-type]
    _DONE[scale] = scores
    return scores


_DONE: Final[dict[float, dict[str, Score]]] = {}


def random_table(rng: object) -> dict[Place, tuple[Face, ...]]:
    """Up to fourteen cards in any places, a third of them face down; `rng` is a numpy generator."""
    import numpy as np

    assert isinstance(rng, np.random.Generator)
    cards = [str(c) for c in rng.permutation(list(CARDS))[: int(rng.integers(0, 15))]]
    stacks: dict[Place, list[Face]] = {place: [] for place in PLACES}
    for card in cards:
        place = PLACES[int(rng.integers(len(PLACES)))]
        if len(stacks[place]) < 6:
            stacks[place].append(FACE_DOWN if rng.random() < 0.34 else card)
    return {place: tuple(stack) for place, stack in stacks.items()}


def _share(part: str) -> Figure:
    names = {
        "cards-right": ("%", "cards read right (simulated tables), all and by condition"),
        "tables-right-and-sure": ("%", "whole tables read right and sure (simulated), all and by condition"),
        "tables-wrong-and-sure": ("tables", "tables read wrong and yet sure (simulated); must be 0"),
    }
    unit, what = names[part]

    def measure(scale: float) -> Iterator[Measured]:
        scores = _tables(scale)
        whole = Score()
        for score in scores.values():
            whole.add(score)
        for name, score in (("", whole), *scores.items()):
            if part == "cards-right":
                yield Measured(100 * score.cards_right / max(1, score.cards), score.cards, name)
            elif part == "tables-right-and-sure":
                yield Measured(100 * score.right_and_sure / max(1, score.tables), score.tables, name)
            else:
                yield Measured(float(score.wrong_and_sure), score.tables, name)

    return Figure(f"reader.{part}", unit, what, measure)


def _reliability(scale: float) -> Iterator[Measured]:
    import numpy as np

    doubts = [d for score in _tables(scale).values() for d in score.doubts]
    if not doubts:
        return
    p, right = np.array([d[0] for d in doubts]), np.array([d[1] for d in doubts], float)
    error, points = 0.0, []
    for low, high in itertools.pairwise(_EDGES):
        inside = (p >= low) & ((p < high) | (high == 1.0))
        if inside.any():
            points.append((float(p[inside].mean()), float(right[inside].mean()), int(inside.sum())))
            error += abs(points[-1][0] - points[-1][1]) * points[-1][2] / len(p)
    _draw(points)
    yield Measured(100 * error, len(p))


def _draw(points: list[tuple[float, float, int]]) -> None:
    """The reliability curve as a picture: said against true, with how many cards each point stands for."""
    import cv2
    import numpy as np

    size, edge = 640, 90
    image = np.full((size + edge, size + edge, 3), 255, np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return (round(edge - 20 + x * (size - 20)), round(size - 10 - y * (size - 40)))

    for k in range(11):
        cv2.line(image, at(k / 10, 0), at(k / 10, 1), (232, 232, 232), 1)
        cv2.line(image, at(0, k / 10), at(1, k / 10), (232, 232, 232), 1)
        if k % 2 == 0:
            x, y = at(k / 10, 0)
            cv2.putText(image, f"{k / 10:.1f}", (x - 14, y + 24), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (60, 60, 60), 1, 16)
            x, y = at(0, k / 10)
            cv2.putText(image, f"{k / 10:.1f}", (x - 38, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (60, 60, 60), 1, 16)
    cv2.line(image, at(0, 0), at(1, 1), (170, 170, 170), 1, 16)
    dots = [at(x, y) for x, y, _ in points]
    cv2.polylines(image, [np.array(dots, np.int32)], False, (150, 90, 20), 2, 16)
    for (x, y), (_, _, n) in zip(dots, points, strict=True):
        cv2.circle(image, (x, y), 5, (150, 90, 20), -1, 16)
        cv2.putText(image, str(n), (x - 46, y - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (60, 60, 60), 1, 16)
    said = "likelihood that was said"
    cv2.putText(image, said, (230, size + 62), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, 16)
    cv2.putText(image, "share that was right", (edge - 20, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, 16)
    OUT.mkdir(exist_ok=True)
    (OUT / "reliability.png").write_bytes(bytes(cv2.imencode(".png", image)[1]))


def _false_cards(scale: float) -> Iterator[Measured]:
    import cv2

    from engine.failure import Failure
    from vision.enrol import enrol
    from vision.reader import Reader
    from vision.simulate import SimulatedCamera
    from vision.simulate.elsewhere import KINDS, without_game

    cv2.setNumThreads(1)
    photos = SimulatedCamera("bright", 0, condition="day").enrolment_photos()
    reader = Reader(enrol(*(photos[name] for name in ("air", "land", "sea", "back"))))
    each = max(1, round(NOTHING * scale / len(KINDS)))
    total = 0
    for kind in KINDS:
        found = 0
        for seed in range(each):
            try:
                sight = reader.read(without_game(kind, seed, mat=seed % 2 == 1)).sight
            except Failure:
                continue
            found += sum(len(stack) for stack in sight.stacks.values())
        total += found
        yield Measured(float(found), each, kind)
    yield Measured(float(total), each * len(KINDS))


FIGURES: Final = (
    _share("cards-right"),
    _share("tables-right-and-sure"),
    _share("tables-wrong-and-sure"),
    Figure(
        "reader.doubts-off-by",
        "%",
        "mean distance of said from true likelihood; draws out/reliability.png",
        _reliability,
    ),
    Figure(
        "reader.false-cards",
        "cards",
        "cards found on simulated pictures without the game, by kind; must be 0",
        _false_cards,
    ),
)
