"""Maneuvers of nearly one hue are told apart by the small sign of their theater."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import pytest

from engine.places import Place
from vision.cards.classify import Judged
from vision.cards.column_reading import ColumnReading
from vision.cards.equal_print import SIGN_CELL, Colours, colours_of, has_sign, parts_of
from vision.cards.local_light import HIDDEN_SIGN, told_apart
from vision.cards.signs import SignCore, core_of, print_of, sign_seen
from vision.geometry.align import Placed
from vision.geometry.rectify import TableArea
from vision.types import Floats, Tones

HERE: Final[Place] = ("A", "near")
AT: Final = (18, 9)
"""Row and column of the sign's middle."""
DOTS: Final = {"A": (0.75, 0.60, 0.48), "L": (0.36, 0.60, 0.50), "S": (0.70, 0.50, 0.34)}
"""Root of light of the theaters' signs, blue, green, red: those of Air and Sea differ least."""
MANEUVERS: Final = (2, 8, 14)


def face(theater: str, picture: int) -> Tones:
    """A card with a white header, as root of light at 1 px/mm; `picture`: which one it has below."""
    numbers = np.random.default_rng(picture)
    out = np.full((88, 64, 3), 0.9, np.float32)
    out[24:] = np.kron(numbers.uniform(0.25, 0.7, (8, 8, 3)), np.ones((8, 8, 1)))
    out[4:10, 20:56] = 0.3
    cv2.circle(out, AT[::-1], 3, DOTS[theater], -1, cv2.LINE_AA)
    return out


def core() -> SignCore:
    return core_of([face(theater, 3) for theater in DOTS])


def through_webcam(card: Tones) -> Tones:
    """It smears colours over two millimetres, leaves three quarters of them and tints all of them."""
    level = card.mean(2, keepdims=True)
    colour = np.asarray(cv2.GaussianBlur(card - level, (0, 0), 2.0), dtype=np.float32)
    return np.asarray((level + 0.75 * colour) * np.array([1.02, 1.0, 0.97]), dtype=np.float32)


def colours(card: Tones, faces: dict[int, Tones]) -> Colours:
    shows, most = np.ones((88, 64), np.float32), np.ones(3, np.float32)
    found = colours_of(through_webcam(card), tuple(faces), parts_of(list(faces.values()), core()), shows, 1.0, most)
    assert found is not None
    return found


def column(of: Colours) -> ColumnReading:
    named = tuple((number, 2.0 * k) for k, number in enumerate(of.faces))
    card = Judged(named, Placed(0.0, 0.0, 0.0), 88.0, 0.95, 0.1, of)
    return ColumnReading((card,), -10.0, 9.0, False, False)


def known_cards() -> dict[Place, ColumnReading]:
    """An A4, an L5 and an S6."""
    places: tuple[Place, ...] = (("A", "far"), ("L", "near"), ("S", "near"))
    cards = {3: face("A", 4), 10: face("L", 5), 17: face("S", 6)}
    return {at: column(colours(card, {n: card})) for at, (n, card) in zip(places, cards.items(), strict=True)}


def frames() -> dict[Place, TableArea]:
    across = {"A": -130.0, "L": 0.0, "S": 130.0}
    return {
        (theater, seat): TableArea((across[theater], -50.0), 0.0, 123.5, 280.0)
        for theater in ("A", "L", "S")
        for seat in ("near", "far")
    }


def maneuvers() -> dict[int, Tones]:
    return {number: face(theater, 3) for number, theater in zip(MANEUVERS, DOTS, strict=True)}


def lead(reading: ColumnReading, number: int) -> float:
    nats = dict(reading.cards[0].faces)
    return min(n for f, n in nats.items() if f != number) - nats[number]


def test_only_the_sign_belongs_to_its_core() -> None:
    # Given Maneuvers that differ in a dot, when its core is looked for
    assert has_sign([*maneuvers().values()])
    found = core()
    # Then all of it lies within the dot
    rows, columns = np.nonzero(found.weight)
    assert found.weight.sum() == pytest.approx(1.0, abs=1e-5)
    assert np.hypot(rows + found.rows.start - AT[0], columns + found.columns.start - AT[1]).max() <= 3.0


@pytest.mark.parametrize("theater", sorted(DOTS))
def test_signs_on_known_cards_tell_how_a_maneuvers_would_look(theater: str) -> None:
    """On path-traced decks with such a dot, each Maneuver that was in doubt had been told by itself alone."""
    # Given a Maneuver that a webcam shows in other colours, beside known cards of all three theaters
    number = dict(zip(DOTS, MANEUVERS, strict=True))[theater]
    seen = colours(face(theater, 3), maneuvers())
    beside = known_cards()
    certain = {(place, 0) for place in beside}
    assert seen.cell == SIGN_CELL
    # When it is told apart, and as it was without its sign
    told = told_apart({HERE: column(seen), **beside}, frames(), certain)[HERE]
    alone = told_apart({HERE: column(replace(seen, coarse=None)), **beside}, frames(), certain)[HERE]
    # Then it is plain which it is, and plainer than it was
    assert lead(told, number) > 5.0
    assert lead(told, number) >= lead(alone, number)


@pytest.mark.parametrize("down", [0, 1, 2])
@pytest.mark.parametrize("aside", [0, 1, 2])
def test_a_sign_is_found_wherever_on_the_header_it_lies(down: int, aside: int) -> None:
    """On a deck whose dot lay across two of the squares that were looked at it was none, and three Maneuvers of it were
    left in doubt that it told plainly."""
    # Given pale Maneuvers that differ in the tint of their headers and in a dot
    tints = {"A": (0.966, 0.922, 0.922), "L": (0.812, 0.944, 0.856), "S": (0.966, 0.90, 0.812)}
    faces = []
    for theater, tint in tints.items():
        header = np.broadcast_to(np.float32(tint), (88, 64, 3)).copy()
        cv2.circle(header, (AT[1] + aside, AT[0] + down), 2, DOTS[theater], -1, cv2.LINE_AA)
        faces.append(header)
    # Then the dot is their sign
    assert has_sign(faces)
    # and without it they have none.
    assert not has_sign([np.broadcast_to(np.float32(tint), (88, 64, 3)).copy() for tint in tints.values()])


@pytest.mark.parametrize(("shine", "plainly"), [(0.05, 3.0), (0.1, 0.0)])
def test_ink_beside_a_sign_tells_what_shines_on_it(shine: float, plainly: float) -> None:
    """A window shone on the upper end of an S3 on a path-traced deck and made its dot as pale as an A3's, which it was
    for certain."""

    # Given an S3 whose number is printed beside the dot, and that shines around there
    def numbered(theater: str) -> Tones:
        card = face(theater, 3)
        card[5:17, 11:16] = card[12:17, 3:7] = 0.2
        return card

    down, across = np.mgrid[:88, :64]
    added = shine * np.exp(-((down - AT[0]) ** 2 + (across - AT[1]) ** 2) / (2 * 25**2))
    faces = dict(zip(MANEUVERS, map(numbered, DOTS), strict=True))
    seen = colours(np.minimum(np.sqrt(faces[14] ** 2 + added[..., None]), 1.0).astype(np.float32), faces)
    beside = known_cards()
    # When it is told apart
    told = told_apart({HERE: column(seen), **beside}, frames(), {(place, 0) for place in beside})[HERE]
    # Then it is an S3: as if one veil lay all over it, it would be an A3 by 2 and by 12 nats
    assert lead(told, 14) > plainly


def test_where_a_sign_is_hidden_hues_of_the_headers_tell_less() -> None:
    """An A3 whose dot a sheet hid was an L3 at 0.98, told by the hue of its header alone."""
    # Given Maneuvers with tinted headers, one of which something lies on where its dot is
    tints = {"A": (0.92, 0.9, 0.88), "L": (0.88, 0.92, 0.88), "S": (0.9, 0.88, 0.92)}
    faces: dict[int, Tones] = {}
    for number, theater in zip(MANEUVERS, DOTS, strict=True):
        faces[number] = np.where(face(theater, 3) == np.float32(0.9), np.float32(tints[theater]), face(theater, 3))
    shows, most = np.ones((88, 64), np.float32), np.ones(3, np.float32)
    shows[10:26, 2:18] = 0
    found = colours_of(through_webcam(faces[2]), MANEUVERS, parts_of([*faces.values()], core()), shows, 1.0, most)
    assert found is not None and found.sign is None and found.sign_hidden
    beside = known_cards()
    certain = {(place, 0) for place in beside}
    # When it is told apart, and as it would be on a deck without such dots
    told = told_apart({HERE: column(found), **beside}, frames(), certain)[HERE]
    plain = told_apart({HERE: column(replace(found, sign_hidden=False)), **beside}, frames(), certain)[HERE]
    # Then it is told less surely
    assert lead(plain, 2) > 2.0
    assert lead(told, 2) == pytest.approx(HIDDEN_SIGN * lead(plain, 2))


def test_a_sign_that_is_covered_tells_nothing() -> None:
    card = face("A", 3)
    sign = print_of([card], core())
    most: Floats = np.ones(3)
    shows = np.ones((88, 64), np.float32)
    assert sign_seen(card, shows, sign, 1.0, most) is not None
    # Given that another card covers half of it
    shows[AT[0] :] = 0
    # Then nothing is seen of it
    assert sign_seen(card, shows, sign, 1.0, most) is None


def test_a_sign_tells_by_what_is_seen_of_it_while_that_is_enough() -> None:
    """A card lay on the lower rim of a Maneuver's dot, and the Maneuver was left in doubt."""
    # Given a sign that is lighter at its lower end, on a card that another covers from there on
    card = face("A", 3)
    plain = print_of([card], core())
    card[AT[0] + 1 :, : AT[1] + 4] = 0.85
    sign, most = print_of([card], core()), np.ones(3)
    shows = np.ones((88, 64), np.float32)
    shows[AT[0] + 1 :] = 0
    # Then it is compared where it is seen,
    seen = sign_seen(card, shows, sign, 1.0, most)
    whole = sign_seen(face("A", 3), np.ones_like(shows), plain, 1.0, most)
    assert seen is not None and whole is not None
    assert seen.light == pytest.approx(whole.light, abs=0.02)
    assert seen.known[0] == pytest.approx(whole.known[0], abs=0.02)
    # and where most of it is covered, not at all.
    shows[AT[0] - 1 :] = 0
    assert sign_seen(card, shows, sign, 1.0, most) is None


def test_faces_whose_headers_do_not_differ_have_no_sign_that_tells_them_apart() -> None:
    """A deck in which two of them differed below their headers alone ended each look in an error."""
    # Given two faces that differ below their headers alone,
    alike = [face("A", 3), face("A", 5)]
    core = core_of(alike)
    # then what they have in the place of a sign is the same.
    one, other = print_of(alike, core).light
    assert float(core.weight.sum()) == pytest.approx(1.0)
    assert np.array_equal(one, other)
