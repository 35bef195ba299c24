"""Reading at scale in rooms: decks whose design is drawn at random, each learnt as people learn theirs, on patterned
mats, among mugs and arms, through strong lenses and cheap webcams.

Table n of a seed is always the same, and each seed has decks of its own: seeds nobody has looked at are told apart.
Results go line by line into a file whose name changes with the reader's code; a run that was stopped goes on there.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.failure import Failure
from engine.names import THEATERS
from host.bench.drawn import TALL, Drawn, DrawnOrder, Facts, art_digest, keep, kept, laid, random_table
from host.bench.figure import Figure, Measured, Wish
from host.bench.scores import AXES, by_condition
from host.bench.tables import OUT, measured_scores, reader_digest, row_of, wanted_rows, write_report

if TYPE_CHECKING:
    import numpy as np

    from vision.profile import DeckProfile
    from vision.simulate import Deck

TABLES: Final = 208
"""Tables of a run for which no number is given; the full run has 5,000."""
DECKS: Final = 12
"""Decks of each seed."""
PER_CAMERA: Final = 8
"""Tables that one camera sees in one room: hanging it up costs more than drawing a table."""
LEAST_SEEN: Final = 560.0
"""So much of the mat's length a picture must show at the scale of its middle, mm: a lens shows its ends smaller."""
TRIES: Final = 4
"""How often a deck is photographed at most, each time on another mat, before it is given up."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A deck of random design, and how learning it went."""

    design: int
    deck: Deck
    profile: DeckProfile | None
    """None where it was refused every time."""
    refused: tuple[str, ...]
    """Codes of the refusals."""
    rehearsed: tuple[int, int, int]
    """Tables of its rehearsal, of them right and sure, wrong and sure."""


def design_of(seed: int, deck: int) -> int:
    """The design of deck number `deck` of a seed: no two seeds share one."""
    return 1000 * seed + deck


def room_and_deck(index: int) -> tuple[str, int]:
    """Room and number of the deck of table `index`; all pairs of them take turns."""
    from vision.simulate import ROOMS

    block = index // PER_CAMERA
    return list(ROOMS)[block % len(ROOMS)], block % DECKS


def enrolled(seed: int, number: int, folder: Path) -> Enrolled:
    """Deck `number` of a seed, learnt from photographs by daylight by the real enrolment; kept in `folder`."""
    from vision.profile import DeckProfile
    from vision.simulate.deck_design import design_deck

    design = design_of(seed, number)
    deck = design_deck(design)
    kept = folder / f"design-{design}"
    record = kept / "enrolment.json"
    if not record.exists():
        kept.mkdir(parents=True, exist_ok=True)
        refused, profile, rehearsed = _learnt(design, deck)
        if profile is not None:
            profile.save(kept)
        record.write_text(json.dumps({"refused": refused, "rehearsed": rehearsed}))
    told = json.loads(record.read_text())
    found = DeckProfile.load(kept) if (kept / "profile.json").exists() else None
    return Enrolled(design, deck, found, tuple(told["refused"]), tuple(told["rehearsed"]))


def _learnt(design: int, deck: Deck) -> tuple[list[str], DeckProfile | None, tuple[int, int, int]]:
    import numpy as np

    from vision.enrolment.enrol import examine
    from vision.enrolment.proof import learn
    from vision.simulate import CONDITIONS, SimulatedCamera, varied

    refused: list[str] = []
    for attempt in range(TRIES):
        condition = varied(CONDITIONS["day"], np.random.default_rng([design, attempt, 5]))
        # Whoever photographs a deck is asked to mend reflections.
        condition = replace(condition, light=replace(condition.light, veil=0.0))
        photos = SimulatedCamera(seed=9000 + design + attempt, condition=condition, deck=deck).enrolment_photos()
        try:
            learnt = learn({name: examine(photo, name) for name, photo in photos.items()})  # type: ignore[misc]
        except Failure as failure:
            refused.append(failure.code)
            continue
        r = learnt.rehearsal
        return refused, learnt.profile, (r.tables, r.right, r.wrong)
    return refused, None, (0, 0, 0)


def block_of(seed: int, block: int, deck: Deck, design: int, folder: Path | None) -> list[Drawn]:
    """The tables of a block; kept in `folder` for the next time."""
    numbers = range(block * PER_CAMERA, (block + 1) * PER_CAMERA)
    if folder is not None:
        before = [kept(folder, index) for index in numbers]
        if all(before):
            return [drawn for drawn in before if drawn is not None]
    out = list(draw_block(seed, block, deck, design))
    if folder is not None:
        for index, drawn in zip(numbers, out, strict=True):
            keep(folder, index, drawn)
    return out


def draw_block(seed: int, block: int, deck: Deck, design: int) -> Iterator[Drawn]:
    """The tables that camera number `block` of a seed sees, one after the other."""
    import numpy as np

    room, _ = room_and_deck(block * PER_CAMERA)
    yield from tables_in(room, deck, f"design-{design}", design, np.random.default_rng([seed, block, 12]), PER_CAMERA)


def tables_in(room: str, deck: Deck, look: str, number: int, rng: np.random.Generator, count: int) -> Iterator[Drawn]:
    """So many tables of a deck in a room, seen by one camera. `look` and `number`: the deck's name and number."""
    from vision.simulate import SimulatedCamera, varied_room

    while True:
        condition, lit = varied_room(room, rng)
        camera = SimulatedCamera(seed=int(rng.integers(1, 1 << 30)), condition=condition, deck=deck)
        # One camera of several hundred hangs so low that its strong lens shows a part of the mat.
        if camera.optics.scale() * LEAST_SEEN <= camera.optics.resolution[0]:
            break
    for _ in range(count):
        truth = random_table(rng, bool(rng.random() < TALL))
        order: DrawnOrder = tuple(str(t) for t in rng.permutation(list(THEATERS)))  # type: ignore[assignment]
        camera.clear()
        lying = camera.lay(truth, order)
        facts = Facts(
            room, look, number, condition.view.tilt, camera.optics.scale(), condition.light.noise,
            *laid(truth, lying), sum(map(len, truth.values())), max(map(len, truth.values())),
            min(camera.print_left(lying)) if lit == "lamp" else 1.0, lit,
        )  # fmt: skip
        yield Drawn(truth, order, facts, camera.packed(camera.plate(lying)))


def _design_axes() -> dict[str, Callable[[Facts], str]]:
    from vision.simulate.deck_design import Design, draw_design

    def tone(design: Design) -> str:
        light = sum(sum(colour) / 3 for colour in design.header.values()) / 3
        return next(
            name for most, name in ((50, "black"), (110, "dark"), (170, "middling"), (256, "pale")) if light < most
        )

    def colour(design: Design) -> str:
        strong = max(max(ink) - min(ink) for ink in design.header.values())
        return "grey" if strong < 36 else "bright" if strong > 80 else "muted"

    names: dict[str, Callable[[Design], str]] = {
        "header": tone,
        "header's colour": colour,
        "border": lambda d: "some" if d.border else "none",
        "corners": lambda d: "square" if d.corner < 1 else "round",
        "strength at": lambda d: d.side,
        "back": lambda d: d.back,
        "Maneuvers": lambda d: "equal but for hue" if d.equal_maneuvers else "different",
    }
    return {name: lambda f, of=of: of(draw_design(f.deck)) for name, of in names.items()}  # type: ignore[misc]


def axes() -> dict[str, Callable[[Facts], str]]:
    """The conditions that results are told by."""
    kept = ("tilt", "scale", "shortest strip", "cards", "beyond what is asked")
    return {
        "room": lambda f: f.kind,
        "light": lambda f: f.light,
        "deck": lambda f: f.look,
        **_design_axes(),
        **{name: AXES[name] for name in kept},
    }


def each_told(decks: Sequence[int]) -> Iterator[int]:
    """The decks' numbers; a line on standard error says how many of them are being learnt."""
    for count, number in enumerate(decks):
        sys.stderr.write(f"\rlearning deck {count + 1} of {len(decks)} ")
        sys.stderr.flush()
        yield number
    sys.stderr.write(f"\r{' ' * 40}\r")


def run(wish: Wish) -> tuple[list[dict[str, Any]], list[Enrolled]]:
    """The wanted tables' rows and their decks; what an earlier run of the same code has read is not read again."""
    import cv2

    from vision.tracking.reader import Reader

    cv2.setNumThreads(1)
    wanted = sorted(wish.only) or list(range(wish.tables or max(PER_CAMERA, round(TABLES * wish.scale))))
    pictures = None if wish.pictures is None else wish.pictures / f"rooms-{wish.seed}-{art_digest()}"
    stamp = f"{wish.seed}-{art_digest()}-{reader_digest()}"
    path = OUT / "bench" / f"rooms-{stamp}.jsonl"
    needed = sorted({room_and_deck(index)[1] for index in wanted})
    decks: dict[int, Enrolled] = {}
    for number in each_told(needed):
        decks[number] = enrolled(wish.seed, number, OUT / "bench" / f"decks-rooms-{stamp}")
    for deck in decks.values():
        if deck.refused:
            given_up = "" if deck.profile else ", given up"
            sys.stderr.write(f"design {deck.design} was refused at first: {', '.join(deck.refused)}{given_up}\n")
    # A deck that nobody can learn is not played with: it is told, and its tables are left out.
    wanted = [index for index in wanted if decks[room_and_deck(index)[1]].profile is not None]
    readers = {k: Reader(deck.profile) for k, deck in decks.items() if deck.profile is not None}

    def read(todo: Collection[int]) -> Iterator[dict[str, Any]]:
        for block in sorted({index // PER_CAMERA for index in todo}):
            number = room_and_deck(block * PER_CAMERA)[1]
            drawn = block_of(wish.seed, block, decks[number].deck, decks[number].design, pictures)
            for index, table in enumerate(drawn, block * PER_CAMERA):
                if index in todo:
                    yield row_of(index, table, readers[number], wish.keep, bool(wish.only))

    return wanted_rows(wish, path, wanted, read), list(decks.values())


def _rooms(wish: Wish) -> Iterator[Measured]:
    rows, decks = run(wish)
    scores = by_condition(rows, axes())
    yield from measured_scores(scores)
    taken = sorted(row["cpu_ms"] for row in rows)
    if taken:
        yield Measured(taken[len(taken) // 2], len(taken), "time/median-ms")
        yield Measured(taken[int(0.95 * len(taken))], len(taken), "time/95-%-ms")
    yield Measured(float(sum(deck.profile is not None for deck in decks)), len(decks), "decks/learnt")
    yield Measured(float(sum(bool(deck.refused) for deck in decks)), len(decks), "decks/refused-at-first")
    learning = [
        {"design": d.design, "learnt": d.profile is not None, "refused": d.refused, "rehearsed": d.rehearsed}
        for d in decks
    ]
    write_report(OUT / "bench" / f"rooms-{wish.seed}.json", wish.seed, rows, scores, {"decks": learning})


FIGURES: Final = (
    Figure(
        "reader.rooms",
        "",
        "random decks in rooms: cards right, tables right and sure, wrong and sure; --tables 5000 --seed N for all",
        at_length=_rooms,
    ),
)

__all__ = [
    "FIGURES",
    "Enrolled",
    "axes",
    "design_of",
    "draw_block",
    "each_told",
    "enrolled",
    "room_and_deck",
    "run",
    "tables_in",
]
