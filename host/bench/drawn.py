"""Simulated tables for the reader: what lies on table number n under a seed, the picture of it, what is hard in it.

Table n of a seed is always the same, so that a table which was read wrong can be drawn again. Every table has a camera,
a light and a mat of its own; kinds of light and looks of deck take turns, everything else is chance.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.names import CARDS, FACE_DOWN, THEATERS, Face, Theater
from engine.places import PLACES, Place

if TYPE_CHECKING:
    import numpy as np

    from vision.profile import DeckProfile

LOOKS: Final = ("bright", "muted", "night", "paper")
"""`muted` measures as a shop deck does: figures, header, muted colours and one picture for the three 3s."""
DECKS: Final = 3
"""Decks of each look: each has its own hues and details and is learnt from its own four photographs."""
TALL: Final = 0.12
"""Share of tables with a stack of six to nine cards."""
BLOWN_OUT: Final = 0.3
"""A card with less of its visible print left than this is blown out: nobody can read it."""

Truth = dict[Place, tuple[Face, ...]]
DrawnOrder = tuple[Theater, Theater, Theater]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is hard about a table."""

    kind: str
    """One of `simulate.CONDITIONS`, or of `simulate.ROOMS`."""
    look: str
    deck: int
    tilt: float
    """How far the camera leans, degrees."""
    scale: float
    """px/mm in the middle of the table."""
    noise: float
    """Standard deviation of the sensor's noise, grey levels."""
    strip: float
    """The shortest strip that shows of a covered card, mm; 99 without covered cards."""
    turn: float
    """How far the most turned card is turned from its column, degrees."""
    cards: int
    highest: int
    """Cards in the highest stack."""
    left: float
    """How much of its visible print the most blown-out card keeps, 0..1 (`simulate.exposure`)."""
    light: str = ""
    """Of a room: whose light of `simulate.CONDITIONS` it has."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table and its picture as the file that the camera sent."""

    truth: Truth
    order: DrawnOrder
    facts: Facts
    file: bytes


def random_table(rng: np.random.Generator, tall: bool = False) -> Truth:
    """Up to fourteen cards in any places, at most six in one, a third of them face down; `tall`: six to nine in one
    place and at most five elsewhere."""
    cards = [str(c) for c in rng.permutation(list(CARDS))]
    stacks: dict[Place, list[Face]] = {place: [] for place in PLACES}
    if tall:
        place = PLACES[int(rng.integers(len(PLACES)))]
        count = int(rng.integers(6, 10))
        stacks[place] = [FACE_DOWN if rng.random() < 0.34 else card for card in cards[:count]]
        cards = cards[count:]
    for card in cards[: int(rng.integers(0, 6 if tall else 15))]:
        place = PLACES[int(rng.integers(len(PLACES)))]
        if len(stacks[place]) < 6:
            stacks[place].append(FACE_DOWN if rng.random() < 0.34 else card)
    return {place: tuple(stack) for place, stack in stacks.items()}


def learnt(look: str, number: int, folder: Path | None = None) -> DeckProfile:
    """The profile of a simulated deck from four photographs by daylight, taken with a camera that takes no other.

    Kept in `folder` for the next time.
    """
    import numpy as np

    from vision.enrolment.enrol import enrol
    from vision.profile import DeckProfile
    from vision.simulate import CONDITIONS, SimulatedCamera, printed_deck, varied

    kept = None if folder is None else folder / f"{look}-{number}"
    if kept is not None and (kept / "profile.json").exists():
        return DeckProfile.load(kept)
    condition = varied(CONDITIONS["day"], np.random.default_rng([number, 5]))
    # Whoever photographs a deck is asked to mend reflections.
    condition = replace(condition, light=replace(condition.light, veil=0.0))
    photos = SimulatedCamera(
        look, 9000 + number, condition=condition, deck=printed_deck(look, number)
    ).enrolment_photos()
    profile = enrol(*(photos[name] for name in ("air", "land", "sea", "back")))
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        profile.save(kept)
    return profile


def which(index: int) -> tuple[str, str, int]:
    """Kind of light, look and deck of table `index`: any first few hundred tables hold all of them alike."""
    from vision.simulate import CONDITIONS

    kinds = list(CONDITIONS)
    turn, kind = divmod(index, len(kinds))
    return kinds[kind], LOOKS[(turn + kind) % len(LOOKS)], turn // len(LOOKS) % DECKS


def draw(seed: int, index: int, folder: Path | None = None) -> Drawn:
    """Table `index` of `seed`; kept in `folder` for the next time."""
    import numpy as np

    before = None if folder is None else kept(folder, index)
    if before is not None:
        return before
    from vision.simulate import SimulatedCamera, printed_deck
    from vision.simulate.scene import Lying

    kind, look, number = which(index)
    rng = np.random.default_rng([seed, index])
    truth = random_table(rng, bool(rng.random() < TALL))
    order: DrawnOrder = tuple(str(t) for t in rng.permutation(list(THEATERS)))  # type: ignore[assignment]
    camera = SimulatedCamera(
        look, int(rng.integers(1, 1 << 30)), condition=kind, vary=True, deck=printed_deck(look, number)
    )
    lying: tuple[Lying, ...] = camera.lay(truth, order)
    condition, light = camera.condition, camera.condition.light
    facts = Facts(
        kind, look, number, condition.view.tilt, camera.optics.scale(), condition.light.noise,
        *laid(truth, lying), sum(map(len, truth.values())), max(map(len, truth.values())),
        min(camera.print_left(lying)) if light.blown > 0 or light.glares or light.lamp is not None else 1.0,
    )  # fmt: skip
    drawn = Drawn(truth, order, facts, camera.packed(camera.plate(lying)))
    if folder is not None:
        keep(folder, index, drawn)
    return drawn


def keep(folder: Path, index: int, drawn: Drawn) -> None:
    """Writes table `index` into `folder`, for `kept` to find it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{index:05}.json"
    path.with_suffix(".jpg").write_bytes(drawn.file)
    stacks = {f"{theater}/{seat}": stack for (theater, seat), stack in drawn.truth.items()}
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(json.dumps({"order": drawn.order, "stacks": stacks, "facts": asdict(drawn.facts)}))
    fresh.rename(path)


def kept(folder: Path, index: int) -> Drawn | None:
    """Table `index` as it was written into `folder`; None where it was not."""
    path = folder / f"{index:05}.json"
    if not path.exists():
        return None
    data = json.loads(path.read_text())
    truth: Truth = {(at[0], at[2:]): tuple(stack) for at, stack in data["stacks"].items()}
    return Drawn(truth, tuple(data["order"]), Facts(**data["facts"]), path.with_suffix(".jpg").read_bytes())


def laid(truth: Truth, lying: tuple[object, ...]) -> tuple[float, float]:
    """The shortest strip and the largest turn; `lying` has the boards first, then stack by stack as they were laid."""
    from vision.geometry.table import card_turn
    from vision.simulate.scene import Lying

    things = [thing for thing in lying if isinstance(thing, Lying)]
    boards, cards = things[:3], iter(things[3:])
    strip, turn = 99.0, 0.0
    for board in boards:
        for seat in ("near", "far"):
            stack = [next(cards) for _ in truth[board.what, seat]]  # type: ignore[index]
            for one, two in itertools.pairwise(stack):
                strip = min(strip, abs(two.y - one.y))
            for card in stack:
                turn = max(turn, abs((card.turn - card_turn(seat) + 180) % 360 - 180))
    return strip, turn


def art_digest() -> str:
    """Changes with whatever draws the tables."""
    import vision.simulate

    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(Path(vision.simulate.__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]
