"""Rehearses a deck that was just learnt: tables of its own faces in many kinds of light are drawn and read.

What is read wrong or with doubt there says beforehand what this deck will ask about, and in which light. From the same
cards the deck's likelihoods are fitted: how many nats of the measure make one of belief, for print, and for colour
where faces share their print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from engine.names import CARDS, FACE_DOWN, THEATERS, Face, Theater
from engine.places import PLACES, Place
from vision.cards.calibration import FITTED, EqualPrint, KnownCards, Weighed, believed, doubt_of, weigh
from vision.cards.templates import Bank
from vision.profile import SCALE, DeckProfile, Likelihoods
from vision.simulate.camera import SimulatedCamera
from vision.simulate.conditions import CONDITIONS, TableCondition, varied
from vision.simulate.deck import Deck
from vision.tracking.reader import SURE, Reader
from vision.types import Picture

LIGHTS: Final[Mapping[str, str]] = {
    "day": "daylight",
    "lamp": "warm light",
    "dim": "dim light",
    "sleeve": "glare",
    "messy": "untidy stacks",
}
"""The kinds of table that are rehearsed, by their names in `CONDITIONS`, and what they are called."""
TABLES: Final = 16
"""Tables that are rehearsed: with them learning a deck takes 9 to 10 s of processor time, and 20 s are promised."""
PER_CAMERA: Final = 2
"""Tables that each simulated camera sees: setting one up costs as much as reading a table."""
NEAR_SCALE: Final = 1.9
"""px/mm of the enrolment's camera from which rehearsals have 1920 x 1080."""
FACES_UP: Final = 8
"""Cards that lie face up on a rehearsed table."""
MOST_ALIKE: Final = 4
"""So many of them at most because their print is alike: whether they are told apart is what a rehearsal is for."""
DARK_SHARE: Final = 0.3
"""Share of cards that lie face down."""
CONTRAST: Final = 1.08
"""Typical factor of the exponent by which a webcam bends all channels' tones alike."""
TINT: Final = 1.02
"""Typical factor of the exponent by which it bends each channel's tones on its own: light is tinted otherwise where it
is dark than where it is bright."""
SATURATION: Final = (0.7, 1.1)
"""Share of colour that it leaves, least and most."""
PRIOR: Final = 0.35
"""Standard deviation, in natural logarithms, of a deck's temperatures around the usual ones."""
STEPS: Final = np.exp(np.linspace(-1.0, 2.0, 25))
"""Temperatures that are tried, as multiples of the usual ones."""
LEAST_STEP: Final = 0.99
"""Multiples below this are not tried for colour."""
ASKED: Final = 0.1
"""Share of a face's cards in one light that must be in doubt before it is said that it will be."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Faces of this deck that rehearsals could not always tell apart."""

    faces: tuple[Face, ...]
    lights: tuple[str, ...]
    """Kinds of light, of `LIGHTS`, in which they are asked about."""
    asked: int
    """Cards that were left in doubt between them."""
    mistaken: int
    """Cards that were taken for another of them, for certain."""
    laid: int
    """Cards with these faces that were laid."""
    colour_alone: bool
    """They share their print: only colour tells them apart."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How a deck was read in rehearsal, with its own likelihoods."""

    tables: int
    right: int
    """Tables that were read right and said to be sure."""
    wrong: int
    """Tables that were said to be sure and were not right."""
    cards: int
    cards_right: int
    confusions: tuple[Confusion, ...]
    likelihoods: Likelihoods


@dataclass(frozen=True, slots=True)
class _Card:
    """One rehearsed card whose stack was read with the right number of cards."""

    table: int
    light: str
    truth: Face
    weighed: Weighed


@dataclass(frozen=True, slots=True)
class _Table:
    light: str
    shape_right: bool
    """Boards and the number of cards of every stack were read right."""
    clear: bool
    """Nothing but the faces was in doubt."""


def deck_as_learnt(profile: DeckProfile) -> Deck:
    """The deck as its faces and boards were cut out of the photographs, to draw tables of it."""
    return Deck("learnt", SCALE, dict(profile.faces), dict(profile.boards))


def rehearse(
    profile: DeckProfile, progress: Callable[[int, int], None] | None = None, tables: int = TABLES, seed: int = 0
) -> Rehearsal:
    """Draw and read `tables` tables of a deck; `progress` is told how many of how many are done."""
    reader = Reader(replace(profile, likelihoods=None))
    equal = Bank(profile).equal
    deck = deck_as_learnt(profile)
    rng = np.random.default_rng([seed, 9])
    cards: list[_Card] = []
    read: list[_Table] = []
    names = list(LIGHTS)
    camera: SimulatedCamera | None = None
    for number in range(tables):
        light = names[number // PER_CAMERA % len(names)]
        if camera is None or number % PER_CAMERA == 0:
            camera = SimulatedCamera(condition=_condition(light, profile, rng), seed=seed + number, deck=deck)
        board, order = _board(rng, equal), _order(rng)
        camera.clear()
        reading = reader.read(processed(camera.still(board, order), rng))
        sight = reading.sight
        weighed, twice = weigh(reading.columns, equal)
        shape = sight.order == order and all(len(weighed.get(p, ())) == len(board[p]) for p in PLACES)
        doubtful = {n.at for n in sight.notes if n.code == "doubtful" and n.at.count("/") == 2}
        others = [n for n in sight.notes if n.at not in doubtful]
        read.append(_Table(light, shape, not others and not twice))
        for place in PLACES:
            if len(weighed.get(place, ())) == len(board[place]):
                pairs = zip(board[place], weighed[place], strict=True)
                cards += [_Card(number, light, truth, card) for truth, card in pairs]
        if progress is not None:
            progress(number + 1, tables)
    likelihoods = fit([(c.truth, c.weighed) for c in cards])
    return _told(read, cards, likelihoods, equal)


def fit(cards: Sequence[tuple[Face, Weighed]]) -> Likelihoods:
    """The temperatures that make what is told of rehearsed cards likeliest, drawn towards the usual ones (`FITTED`):
    logistic regression with one weight for print and one for colour between faces of equal print, maximum a
    posteriori."""
    best, found = -np.inf, (FITTED.temperature, FITTED.colour)
    known = KnownCards(cards)
    for warm in (STEPS * FITTED.temperature).tolist():
        # Three Maneuvers of one table are right or wrong together, so they may add doubt but take none away.
        for colour in (STEPS[STEPS > LEAST_STEP] * FITTED.colour).tolist():
            prior = -0.5 * (np.log(warm / FITTED.temperature) ** 2 + np.log(colour / FITTED.colour) ** 2) / PRIOR**2
            total = prior + known.log_likelihood(warm, colour)
            if total > best:
                best, found = total, (warm, colour)
    return Likelihoods(round(found[0], 3), round(found[1], 3), len(cards))


def processed(image: Picture, rng: np.random.Generator) -> Picture:
    """The picture as a webcam's own processing leaves it: a tone curve for each channel, and more or less colour."""
    codes = np.arange(256) / 255
    bends = CONTRAST ** rng.normal() * TINT ** rng.normal(size=3)
    curves = np.stack([255 * codes**bend for bend in bends], axis=-1)
    bent = cv2.LUT(image, np.round(curves).astype(np.uint8).reshape(1, 256, 3))
    share = float(rng.uniform(*SATURATION))
    mixed = cv2.transform(bent, share * np.eye(3) + (1 - share) / 3)
    return np.asarray(mixed, dtype=np.uint8)


def _condition(light: str, profile: DeckProfile, rng: np.random.Generator) -> TableCondition:
    condition = varied(CONDITIONS[light], rng)
    size = (1920, 1080) if profile.camera_scale >= NEAR_SCALE else (1280, 720)
    # The mat's long side along the picture's, as people aim; and nothing that nobody could read.
    view = replace(condition.view, roll=float(rng.choice((90, 270)) + rng.normal(0, 4)))
    return replace(
        condition, view=view, resolution=size, clutter=0.0, pile=False, light=replace(condition.light, blown=0.0)
    )


def _order(rng: np.random.Generator) -> tuple[Theater, Theater, Theater]:
    a, b, c = (THEATERS[k] for k in rng.permutation(3))
    return a, b, c


def _board(rng: np.random.Generator, equal: EqualPrint) -> dict[Place, tuple[Face, ...]]:
    """Ten to twelve cards in six stacks; faces of equal print lie on every table, for they are the hard ones."""
    alike: list[Face] = [face for face in CARDS if face in equal]
    rng.shuffle(alike)
    # The smallest groups are the three Maneuvers; a band and a border can make half a deck nearly alike.
    alike.sort(key=lambda face: len(equal[face]))
    # A whole group at a time, as long as it fits.
    faces: list[Face] = []
    for face in alike:
        group = [f for f in (face, *sorted(equal[face])) if f not in faces]
        if len(faces) + len(group) <= MOST_ALIKE:
            faces += group
    others: list[Face] = [face for face in CARDS if face not in faces]
    rng.shuffle(others)
    faces += others[: FACES_UP - len(faces)]
    faces += [FACE_DOWN] * max(2, round(len(faces) * DARK_SHARE))
    rng.shuffle(faces)
    stacks: dict[Place, list[Face]] = {place: [] for place in PLACES}
    for k, face in enumerate(faces):
        stacks[PLACES[k % len(PLACES)]].append(face)
    return {place: tuple(stack) for place, stack in stacks.items()}


def _told(read: Sequence[_Table], cards: Sequence[_Card], likelihoods: Likelihoods, equal: EqualPrint) -> Rehearsal:
    doubt = doubt_of(likelihoods)
    right, wrong, cards_right = 0, 0, 0
    unsure: dict[frozenset[Face], list[_Card]] = {}
    mistaken: dict[frozenset[Face], int] = {}
    by_table: dict[int, list[tuple[bool, bool]]] = {n: [] for n in range(len(read))}
    for card in cards:
        seen = believed(card.weighed, doubt)
        same, sure = seen.read == card.truth, seen.p >= SURE
        cards_right += same
        by_table[card.table].append((same, sure))
        rival = seen.others[0][0] if same and seen.others else seen.read
        pair = frozenset((card.truth, rival))
        if not sure and len(pair) == 2:
            unsure.setdefault(pair, []).append(card)
        if not same and sure:
            mistaken[pair] = mistaken.get(pair, 0) + 1
    for number, table in enumerate(read):
        sure = table.clear and all(s for _, s in by_table[number])
        same = table.shape_right and all(s for s, _ in by_table[number])
        right += sure and same
        wrong += sure and not same
    confusions = [_confusion(group, cards, unsure, mistaken, equal) for group in _groups([*unsure, *mistaken])]
    confusions.sort(key=lambda c: (-c.mistaken, -c.asked, c.faces))
    return Rehearsal(len(read), right, wrong, len(cards), cards_right, tuple(confusions), likelihoods)


def _groups(pairs: Sequence[frozenset[Face]]) -> Iterator[frozenset[Face]]:
    """Pairs that share a face belong together; the back, which all may be taken for, ties nothing."""
    groups: list[set[Face]] = []
    for pair in pairs:
        touching = [g for g in groups if (g & pair) - {FACE_DOWN}]
        groups = [g for g in groups if g not in touching]
        groups.append(set(pair).union(*touching))
    return (frozenset(g) for g in groups)


def _confusion(
    group: frozenset[Face],
    cards: Sequence[_Card],
    unsure: Mapping[frozenset[Face], Sequence[_Card]],
    mistaken: Mapping[frozenset[Face], int],
    equal: EqualPrint,
) -> Confusion:
    asked = [card for pair, some in unsure.items() if pair <= group for card in some]
    laid = [card for card in cards if card.truth in group]
    lights = []
    for light in LIGHTS:
        of = sum(card.light == light for card in laid)
        if of and sum(card.light == light for card in asked) >= max(1, ASKED * of):
            lights.append(light)
    faces = tuple(sorted(group, key=[*CARDS, FACE_DOWN].index))
    alike = all(other in equal.get(face, frozenset()) for face in faces for other in faces if other != face)
    wrong = sum(count for pair, count in mistaken.items() if pair <= group)
    return Confusion(faces, tuple(lights), len(asked), wrong, len(laid), alike)


__all__ = ["LIGHTS", "TABLES", "Confusion", "Rehearsal", "deck_as_learnt", "fit", "rehearse"]
