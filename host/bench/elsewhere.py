"""False cards: simulated pictures of tables without the game, on which no card may be read."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, Final

from engine.places import place_text
from host.bench.drawn import LOOKS, learnt
from host.bench.figure import Figure, Measured, Wish
from host.bench.tables import OUT, measured

PICTURES: Final = 240


def _false_cards(wish: Wish) -> Iterator[Measured]:
    import cv2

    from engine.failure import Failure
    from vision.simulate.elsewhere import KINDS, without_game
    from vision.tracking.overlay import draw
    from vision.tracking.reader import Reader

    cv2.setNumThreads(1)
    readers = [Reader(learnt(look, 0)) for look in LOOKS]
    count = wish.tables or max(len(KINDS), round(PICTURES * wish.scale))
    each = max(1, count // len(KINDS))
    cards = dict.fromkeys(KINDS, 0)
    sure = no_table = 0
    found: list[dict[str, object]] = []
    for number in range(each):
        for kind in KINDS:
            seed, mat = 1000 * wish.seed + number, number % 2 == 1
            image = without_game(kind, seed, mat)
            try:
                reading = readers[number % len(readers)].read(image)
            except Failure:
                no_table += 1
                continue
            seen = {place_text(at): [(c.read, round(c.p, 3)) for c in s] for at, s in reading.sight.stacks.items() if s}
            cards[kind] += sum(map(len, seen.values()))
            if not seen:
                continue
            sure += reading.sight.sure
            found.append({"kind": kind, "seed": seed, "mat": mat, "sure": reading.sight.sure, "cards": seen})
            if wish.keep is not None:
                wish.keep.mkdir(parents=True, exist_ok=True)
                path = wish.keep / f"false-{kind}-{seed}-{'mat' if mat else 'bare'}.png"
                path.write_bytes(bytes(cv2.imencode(".png", draw(image, reading))[1]))
        if number % 5 == 4:
            sys.stderr.write(f"\r{(number + 1) * len(KINDS)} pictures, {sum(cards.values())} cards  ")
    sys.stderr.write("\n" + "".join(json.dumps(line) + "\n" for line in found[:40]))
    path = OUT / "bench" / "false-cards.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1))
    for kind, n in cards.items():
        yield Measured(float(n), each, kind)
    yield Measured(float(sum(cards.values())), each * len(KINDS))
    yield Measured(float(len(found)), each * len(KINDS), "pictures-with-cards")
    yield Measured(float(sure), each * len(KINDS), "pictures-with-cards-and-sure")
    yield Measured(float(no_table), each * len(KINDS), "no-table-found")


def strangers(seed: int, count: int) -> list[dict[str, Any]]:
    """What is measured of other games' cards that lie at the game's boards, as `tables.row_of` has it."""
    import cv2

    from vision.simulate.elsewhere import without_game
    from vision.tracking.reader import Reader

    cv2.setNumThreads(1)
    readers = [Reader(learnt(look, 0)) for look in LOOKS]
    rows = []
    for number in range(count):
        reading = readers[number % len(readers)].read(without_game("between-boards", 1000 * seed + number))
        # There is nothing there, so no stack has too many or too few cards: each is wrong by itself.
        doubts = [[None, True, *rest] for _, _, *rest in measured(reading, {})]
        rows.append({"table": number // len(readers), "doubts": doubts})
    return rows


FIGURES: Final = (
    Figure(
        "reader.false-cards",
        "",
        "cards read on simulated pictures without the game, by kind; must be 0",
        at_length=_false_cards,
    ),
)
