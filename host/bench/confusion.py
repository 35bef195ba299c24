"""How often the reader takes a card for another, a face for a back, or misses one.

The referee's simulated games are misread just so (`host.simulation.observation_noise`).

Counted on simulated tables (`host.bench.tables`), which are harder than most rooms, and on photographs with known
answers; kept in `confusion.json` beside this file, with what it was counted on. `allfronts bench referee.confusion
--tables N` counts anew, into `out/bench/confusion.json`; with `--pictures DIR` on photographs: one folder a deck, in it
`enroll-air.jpg` and its sisters, and pictures with a `.json` of the same name that says what lies there (`stacks`).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

from engine.names import FACE_DOWN, Face, strength_of
from engine.places import place_text
from host.bench.figure import Figure, Measured, Wish
from host.simulation.observation_noise import (
    CALLED_SURE,
    MISREADS,
    CardSide,
    Layer,
    Misread,
    ObservationNoise,
    Readings,
)

FORMAT: Final = 1
KEPT: Final = Path(__file__).with_name("confusion.json")
SAID_MOST: Final = 40
"""Pairs of likelihoods kept of one kind of misreading."""


class _Count:
    """Counts over tables."""

    def __init__(self) -> None:
        self.tables = self.stacks = self.shapes = self.foreign = self.phantoms = 0
        self.cards: Counter[tuple[Layer, CardSide]] = Counter()
        self.misread: Counter[tuple[Layer, CardSide, Misread]] = Counter()
        self.said: defaultdict[Misread, list[tuple[float, float]]] = defaultdict(list)
        self.other = self.alike = 0
        self.strange: Counter[Misread] = Counter()
        self.unshaped: Counter[Misread] = Counter()

    def stack(
        self, lies: Sequence[Face], seen: Sequence[tuple[Face, float, Mapping[Face, float]]], codes: set[str]
    ) -> None:
        """One stack as it lay and as it was read: each card's face, likelihood, and the likelihoods of others.

        `codes`: of the notes about the stack as a whole.
        """
        self.stacks += 1
        before = {misread: self._total(misread) for misread in MISREADS}
        self._cards(lies, seen)
        for misread in MISREADS:
            new = self._total(misread) - before[misread]
            self.strange[misread] += new if "foreign" in codes else 0
            self.unshaped[misread] += new if "doubtful" in codes else 0

    def _total(self, misread: Misread) -> int:
        return sum(n for key, n in self.misread.items() if key[2] == misread)

    def _cards(self, lies: Sequence[Face], seen: Sequence[tuple[Face, float, Mapping[Face, float]]]) -> None:
        for nth, face in enumerate(lies):
            self.cards[_layer(nth, lies), _kind(face)] += 1
        pairs, missed, extra = _matched(lies, [read for read, _, _ in seen])
        self.phantoms += extra
        for nth in missed:
            self.misread[_layer(nth, lies), _kind(lies[nth]), "missed"] += 1
        for nth, at in pairs:
            face, (read, p, others) = lies[nth], seen[at]
            if read == face:
                if p < CALLED_SURE:
                    second = max((q for card, q in others.items() if card != read), default=0.0)
                    self._say(nth, lies, "doubtful", (p, second))
                continue
            turned = FACE_DOWN in (read, face)
            self._say(nth, lies, "turned" if turned else "other", (p, others.get(face, 0.0)))
            if not turned:
                self.other += 1
                self.alike += strength_of_face(read) == strength_of_face(face)

    def _say(self, nth: int, lies: Sequence[Face], misread: Misread, pair: tuple[float, float]) -> None:
        self.misread[_layer(nth, lies), _kind(lies[nth]), misread] += 1
        if len(self.said[misread]) < SAID_MOST:
            self.said[misread].append((round(pair[0], 4), round(pair[1], 4)))

    def _share(self, counts: Counter[Misread]) -> dict[Misread, float]:
        totals = {misread: self._total(misread) for misread in MISREADS}
        return {misread: round(counts[misread] / n, 3) for misread, n in totals.items() if n}

    def confusion(self) -> ObservationNoise:
        return ObservationNoise(
            dict(self.cards),
            dict(self.misread),
            {key: tuple(pairs) for key, pairs in self.said.items()},
            self._share(self.strange),
            self._share(self.unshaped),
            round(self.alike / self.other, 3) if self.other else 0.6,
            self.stacks,
            self.shapes,
            self.foreign,
            self.phantoms,
        )


def strength_of_face(face: Face) -> int:
    return 2 if face == FACE_DOWN else strength_of(face)  # type: ignore[arg-type]


def _layer(nth: int, lies: Sequence[Face]) -> Layer:
    return "top" if nth == len(lies) - 1 else "covered"


def _kind(face: Face) -> CardSide:
    return "back" if face == FACE_DOWN else "face"


def _matched(lies: Sequence[Face], seen: Sequence[Face]) -> tuple[list[tuple[int, int]], list[int], int]:
    """Which card was read as which, the cards that were missed, and how many were read that were none."""
    if len(lies) == len(seen):
        return [(n, n) for n in range(len(lies))], [], 0
    pairs: list[tuple[int, int]] = []
    missed: list[int] = []
    extra = 0
    for _, i, j, k, m in SequenceMatcher(None, list(lies), list(seen), autojunk=False).get_opcodes():
        shared = min(j - i, m - k)
        pairs += [(i + n, k + n) for n in range(shared)]
        missed += range(i + shared, j)
        extra += (m - k) - shared
    return pairs, missed, extra


def counted(rows: Sequence[Mapping[str, Any]]) -> Readings:
    """The confusion in these tables (rows of `host.bench.tables`); those in which a board or all was not found are left
    out."""
    counts = {True: _Count(), False: _Count()}
    for row in rows:
        codes = [note.split(" ") for note in row["notes"]]
        if row["seen"] is None or any(code.startswith("board-") for code, _ in codes):
            # Of a table without three boards the referee takes nothing.
            continue
        count = counts[not codes]
        count.tables += 1
        others = _others(row)
        for at, lies in row["truth"].items():
            seen = [(read, p, others.get(f"{at}/{nth}", {})) for nth, (read, p) in enumerate(row["seen"][at])]
            count.stack(lies, seen, {code for code, where in codes if where == at})
        count.shapes += sum(code == "doubtful" and at.count("/") == 1 for code, at in codes)
        count.foreign += sum(code == "foreign" for code, _ in codes)
    tables = counts[True].tables + counts[False].tables
    share = counts[False].tables / tables if tables else 0.0
    return Readings(counts[True].confusion(), counts[False].confusion(), round(share, 4))


def _others(row: Mapping[str, Any]) -> dict[str, dict[Face, float]]:
    """The likelihoods of every card's faces, by place."""
    from vision.cards.calibration import Weighed, believed

    # Doubts are written down column by column, in the order in which the columns were read.
    places = [f"{at}/{nth}" for at in row.get("columns", {}) for nth in range(len(row["seen"][at]))]
    found: dict[str, dict[Face, float]] = {}
    for at, (_, _, match, nats, _) in zip(places, row["doubts"], strict=False):
        card = believed(Weighed(nats, match, False))
        found[at] = dict(card.others)
    return found


def photograph_rows(folder: Path) -> Iterator[dict[str, Any]]:
    """Reads every photograph under `folder` whose answer is known: rows like those of `host.bench.tables`."""
    import cv2
    import numpy as np

    from engine.failure import Failure
    from host.bench.photographed import answered, photographed
    from vision.cards.calibration import weigh
    from vision.enrolment.enrol import enrol
    from vision.tracking.reader import Reader

    for deck in photographed(folder):
        reader = Reader(enrol(*deck.photographs().values()))
        for known in answered(deck):
            image = cv2.imread(str(known.picture))
            if image is None:
                continue
            truth = {place_text(place): list(pile) for place, pile in known.truth.items()}
            row: dict[str, Any] = {"truth": truth, "seen": None, "notes": [], "columns": {}, "doubts": []}
            try:
                reading = reader.read(np.asarray(image, np.uint8))
            except Failure:
                yield row
                continue
            row["seen"] = {place_text(p): [[c.read, c.p] for c in cards] for p, cards in reading.sight.stacks.items()}
            row["notes"] = [f"{note.code} {note.at}" for note in reading.sight.notes]
            row["columns"] = {place_text(place): [] for place in reading.columns}
            for stack in weigh(reading.columns)[0].values():
                row["doubts"] += [[None, True, card.match, dict(card.faces), {}] for card in stack]
            yield row


def measured(source: str = "photographs") -> Readings:
    """What was measured last on `photographs` or on simulated `tables`, and came with the program."""
    return Readings.from_json(json.loads(KEPT.read_text(encoding="utf-8"))[source]["readings"])


def written(readings: Readings, about: Mapping[str, Any]) -> dict[str, Any]:
    """One source's part of the file."""
    return {"about": dict(about), "readings": readings.to_json()}


def _measure(wish: Wish) -> Iterator[Measured]:
    from host.bench.tables import OUT, reader_digest, run

    photographs = wish.pictures is not None and any(wish.pictures.glob("*/enroll-air.jpg"))
    rows = list(photograph_rows(wish.pictures)) if photographs and wish.pictures is not None else run(wish)
    readings = counted(rows)
    unread = sum(row["seen"] is None for row in rows)
    about = {"pictures": len(rows), "unread": unread, "reader": reader_digest()}
    path = OUT / "bench" / "confusion.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = json.loads((path if path.exists() else KEPT).read_text(encoding="utf-8"))
    kept["photographs" if photographs else "tables"] = written(
        readings,
        about,
    )
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    yield from figures_of(readings)


def figures_of(readings: Readings) -> Iterator[Measured]:
    """Misreadings in 1,000 cards, by where the card lay and what became of it, on sure tables and on others."""
    for name, confusion in (("sure", readings.sure), ("unsure", readings.unsure)):
        yield Measured(confusion.stacks / 6, confusion.stacks // 6, f"{name}/tables")
        for (layer, kind), n in sorted(confusion.cards.items()):
            for misread in MISREADS:
                seen = confusion.misread.get((layer, kind, misread), 0)
                yield Measured(1000 * seen / max(n, 1), n, f"{name}/{layer}/{kind}/{misread}")
        for part, seen in (
            ("shape", confusion.shapes),
            ("strange", confusion.foreign),
            ("phantom", confusion.phantoms),
        ):
            yield Measured(1000 * seen / max(confusion.stacks, 1), confusion.stacks, f"{name}/stack/{part}")


FIGURES = (
    Figure(
        "referee.confusion",
        "in 1000",
        "how often the reader errs, by kind; --tables N simulated ones, or --pictures DIR of photographs",
        at_length=_measure,
    ),
)
