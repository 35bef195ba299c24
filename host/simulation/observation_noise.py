"""An eye that errs, for rehearsals: as often as it is told to, or as the reader was measured to err.

What was measured is counted by `host.bench.confusion`; here is what is drawn from it. A card that is misread in one
look at a still table is mostly misread in the next look too, for the light is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal, TypeAlias

from engine.names import CARDS, FACE_DOWN, Face, Seat, Theater, strength_of
from engine.places import PLACES, place_text
from engine.referee.hypothesis import Faces
from engine.sight import Note, NoteCode, SeenCard, Sight
from engine.state import Order

CALLED_SURE: Final = 0.93
"""A card that the reader is less sure of makes its sight unsure (`vision.tracking.reader`)."""
SAME_AGAIN: Final = 0.7
"""The share of cards that a second look at the same table reads as the first one did, whatever it made of them."""
Layer: TypeAlias = Literal["top", "covered"]
CardSide: TypeAlias = Literal["face", "back"]
Misread: TypeAlias = Literal["other", "turned", "missed", "doubtful"]
MISREADS: Final[tuple[Misread, ...]] = ("other", "turned", "missed", "doubtful")
"""other: read as another card. turned: a face as the back, or the back as a face. missed: not seen at all. doubtful:
read right, and not surely."""


@dataclass(frozen=True, slots=True)
class ObservationNoise:
    """How the reader errs, as counted on tables whose truth was known."""

    cards: Mapping[tuple[Layer, CardSide], int]
    misread: Mapping[tuple[Layer, CardSide, Misread], int]
    said: Mapping[Misread, tuple[tuple[float, float], ...]]
    """Of each kind of misreading, some pairs of what the reader said: the likelihood of what it read, and of the card
    that lay there (doubtful: of the next one)."""
    strange: Mapping[Misread, float]
    """The share of each kind of misreading beside which the reader saw something in that stack that is no card."""
    unshaped: Mapping[Misread, float]
    """The share beside which it said that it does not know how many cards that stack has."""
    alike: float
    """The share of `other` cards that have the true one's strength."""
    stacks: int
    shapes: int
    """Stacks of which the reader said that it does not know how many cards they have."""
    foreign: int
    """Stacks in which it saw something that is no card."""
    phantoms: int
    """Cards read where none lay."""

    def rate(self, layer: Layer, kind: CardSide, misread: Misread) -> float:
        """How often a card of that kind is misread so."""
        return self.misread.get((layer, kind, misread), 0) / max(self.cards.get((layer, kind), 0), 1)

    def to_json(self) -> dict[str, Any]:
        return {
            "cards": {"-".join(key): n for key, n in sorted(self.cards.items())},
            "misread": {"-".join(key): n for key, n in sorted(self.misread.items())},
            "said": {key: [list(pair) for pair in pairs] for key, pairs in sorted(self.said.items())},
            "strange": dict(self.strange),
            "unshaped": dict(self.unshaped),
            "alike": self.alike,
            "stacks": self.stacks,
            "shapes": self.shapes,
            "foreign": self.foreign,
            "phantoms": self.phantoms,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ObservationNoise:
        """What `to_json` wrote."""
        return cls(
            {_pair(key): int(n) for key, n in data["cards"].items()},
            {_triple(key): int(n) for key, n in data["misread"].items()},
            {key: tuple((float(p), float(q)) for p, q in pairs) for key, pairs in data["said"].items()},
            {key: float(share) for key, share in data["strange"].items()},
            {key: float(share) for key, share in data["unshaped"].items()},
            float(data["alike"]),
            int(data["stacks"]),
            int(data["shapes"]),
            int(data["foreign"]),
            int(data["phantoms"]),
        )


@dataclass(frozen=True, slots=True)
class Readings:
    """How the reader errs on tables that it calls sure, and on those that it does not: there it errs together."""

    sure: ObservationNoise
    unsure: ObservationNoise
    share: float
    """Of the tables that it does not call sure."""

    def to_json(self) -> dict[str, Any]:
        return {"share": self.share, "sure": self.sure.to_json(), "unsure": self.unsure.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Readings:
        """What `to_json` wrote."""
        return cls(
            ObservationNoise.from_json(data["sure"]), ObservationNoise.from_json(data["unsure"]), float(data["share"])
        )


def _pair(key: str) -> tuple[Layer, CardSide]:
    layer, kind = key.split("-")
    return layer, kind  # type: ignore[return-value]


def _triple(key: str) -> tuple[Layer, CardSide, Misread]:
    layer, kind, misread = key.split("-")
    return layer, kind, misread  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Eyesight:
    """How the simulated reader errs."""

    error: float = 0.0
    """Wrong readings a card, where no confusion is given."""
    certain: float = 0.02
    """The share of those that the reader calls sure."""
    readings: Readings | None = None
    times: float = 1.0
    """How many times as often as measured the reader errs and is unsure."""


def glance(rng: Random, table: Faces, order: Order, turned: tuple[str, ...], eyesight: Eyesight) -> Sight:
    """One reading of a still table by a reader that errs. `turned`: places of cards that lie the wrong way round."""
    # What this table looks like in this light is the same at every look.
    light = Random(f"{table}{order}")
    measured = eyesight.readings
    unsure = measured is not None and _same(light, rng).random() < eyesight.times * measured.share
    stacks: dict[tuple[Theater, Seat], tuple[SeenCard, ...]] = {}
    notes: list[Note] = []
    for place, column in zip(PLACES, table, strict=True):
        at = place_text(place)
        cards: list[SeenCard] = []
        for nth, face in enumerate(column):
            way = f"{at}/{nth}" in turned
            if measured is None:
                seen: SeenCard | None = _read(rng, face, eyesight, way)
            else:
                layer: Layer = "top" if nth == len(column) - 1 else "covered"
                confusion, times = (measured.unsure, 1.0) if unsure else (measured.sure, eyesight.times)
                seen, codes = _confused(_same(light, rng), face, layer, way, confusion, times)
                notes += [Note(code, at) for code in codes if unsure]
            if seen is not None:
                cards.append(seen)
        if measured is not None and unsure:
            notes += _about_the_stack(rng, at, cards, measured.unsure)
        stacks[place] = tuple(cards)
        for nth, card in enumerate(cards):
            if card.wrong_way:
                notes.append(Note("wrong-way-round", f"{at}/{nth}"))
            if card.p < CALLED_SURE:
                notes.append(Note("doubtful", f"{at}/{nth}"))
    if unsure and not notes:
        notes.append(Note("doubtful", place_text(rng.choice(PLACES))))
    return Sight(order, stacks, not notes, tuple(notes))


def _same(light: Random, rng: Random) -> Random:
    """What to draw from: mostly what this table always shows."""
    fixed = Random(light.random())
    return fixed if rng.random() < SAME_AGAIN else rng


def _read(rng: Random, face: Face, eyesight: Eyesight, turned: bool) -> SeenCard:
    if rng.random() >= eyesight.error:
        return SeenCard(face, 1.0 - 10 ** -rng.uniform(2.0, 5.0), (), turned)
    wrong = _another(rng, face, 0.6)
    p = rng.uniform(0.97, 0.99) if rng.random() < eyesight.certain else rng.uniform(0.4, 0.85)
    others = ((face, (1.0 - p) * 0.8),) if rng.random() < 0.9 else ()
    return SeenCard(wrong, p, others, turned)


def _another(rng: Random, face: Face, alike: float) -> Face:
    """Another face: with likelihood `alike` a card of the same strength."""
    if face != FACE_DOWN and rng.random() < alike:
        return rng.choice([card for card in CARDS if card != face and strength_of(card) == int(face[1])])
    return rng.choice([f for f in (*CARDS, FACE_DOWN) if f != face])


def _confused(
    rng: Random, face: Face, layer: Layer, turned: bool, confusion: ObservationNoise, times: float
) -> tuple[SeenCard | None, tuple[NoteCode, ...]]:
    """One card as the measured reader sees it, None where it misses it, and what it says of the stack for that."""
    kind: CardSide = "back" if face == FACE_DOWN else "face"
    chance = rng.random()
    for misread in MISREADS:
        chance -= times * confusion.rate(layer, kind, misread)
        if chance < 0:
            break
    else:
        return SeenCard(face, 1.0 - 10 ** -rng.uniform(2.0, 5.0), (), turned), ()
    codes: tuple[NoteCode, ...] = ()
    if rng.random() < confusion.strange.get(misread, 0.0):
        codes += ("foreign",)
    if rng.random() < confusion.unshaped.get(misread, 0.0):
        codes += ("doubtful",)
    if misread == "missed":
        return None, codes
    p, q = rng.choice(confusion.said.get(misread) or _SAID)
    if misread == "doubtful":
        return SeenCard(face, p, ((_another(rng, face, confusion.alike), q),) if q else (), turned), codes
    read: Face = rng.choice(CARDS) if face == FACE_DOWN else FACE_DOWN
    if misread == "other" and face != FACE_DOWN:
        cards = [card for card in CARDS if card != face]
        if rng.random() < confusion.alike:
            cards = [card for card in cards if strength_of(card) == int(face[1])]
        read = rng.choice(cards)
    return SeenCard(read, p, ((face, q),) if q else (), turned), codes


_SAID: Final = ((0.6, 0.3), (0.5, 0.45), (0.7, 0.2))
"""For a kind of misreading of which nothing was written down."""


def _about_the_stack(rng: Random, at: str, cards: list[SeenCard], confusion: ObservationNoise) -> list[Note]:
    """What the reader says of the whole stack; a card that is none may be added to `cards`."""
    notes: list[Note] = []
    stacks = max(confusion.stacks, 1)
    if cards and rng.random() < confusion.shapes / stacks:
        notes.append(Note("doubtful", at))
    if rng.random() < confusion.foreign / stacks:
        notes.append(Note("foreign", at))
    if rng.random() < confusion.phantoms / stacks:
        p, q = rng.choice(confusion.said.get("other") or _SAID)
        cards.append(SeenCard(rng.choice((*CARDS, FACE_DOWN)), min(p, 1.0 - q)))
        notes.append(Note("doubtful", at))
    return notes
