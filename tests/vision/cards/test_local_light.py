"""Faces of equal print are told apart in the light that the cards around them tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.places import Place
from vision.cards.calibration import FITTED
from vision.cards.classify import Judged
from vision.cards.colour_errors import KnownParts, learnt
from vision.cards.column_reading import ColumnReading
from vision.cards.equal_print import FLOOR, LEAST_FLOOR, Colours, colour_costs, floor_of
from vision.cards.local_light import told_apart
from vision.geometry.align import Placed
from vision.geometry.rectify import TableArea
from vision.types import Floats

HERE: Place = ("A", "near")
THERE: Place = ("S", "near")
PICTURE: Floats = np.random.default_rng(1).uniform(0.15, 0.6, (30, 1)) * np.array([1.0, 1.1, 0.9])
HEADERS = {2: np.array([0.44, 0.40, 0.36]), 14: np.array([0.40, 0.40, 0.40])}
"""Headers of two faces of equal print: as far apart as a lamp's tint may be."""
TINT = np.array([0.95, 1.0, 1.05])
"""A lamp draws the first towards the second by half of what they differ by."""


def face(number: int) -> Floats:
    return np.vstack([np.tile(HEADERS[number], (10, 1)), PICTURE[:14]]) if number in HEADERS else PICTURE


def column(number: int, faces: tuple[int, ...], light: Floats) -> ColumnReading:
    """One card, read as the first of `faces`, in a light."""
    seen = face(number) * light
    known = tuple(face(f) for f in faces)
    colours = Colours(faces, seen, known, np.ones(len(seen)), np.ones(3))
    card = Judged(tuple((f, 2.0 * k) for k, f in enumerate(faces)), Placed(0.0, 0.0, 0.0), 88.0, 0.95, 0.1, colours)
    return ColumnReading((card,), -10.0, 9.0, False, False)


def frames() -> dict[Place, TableArea]:
    return {HERE: TableArea((-130.0, -50.0), 0.0, 123.5, 280.0), THERE: TableArea((130.0, -50.0), 0.0, 123.5, 280.0)}


def lead(reading: ColumnReading, number: int) -> float:
    """Nats by which a face leads the other."""
    nats = dict(reading.cards[0].faces)
    return min(n for f, n in nats.items() if f != number) - nats[number]


def test_a_known_card_in_the_same_light_tells_faces_of_equal_print_apart() -> None:
    # Given a Maneuver in a light of another tint, once alone and once beside a card that is known
    alone = {HERE: column(2, (14, 2), TINT)}
    beside = {**alone, THERE: column(7, (7,), TINT)}
    # When they are told apart
    guessed = told_apart(alone, frames(), ())[HERE]
    told = told_apart(beside, frames(), {(THERE, 0)})[HERE]
    # Then the known card makes it plain which it is
    assert lead(told, 2) > lead(guessed, 2) + 1.0
    assert lead(told, 2) > 5.0


@pytest.mark.parametrize(("match", "hue_error", "plain"), [(0.6, 1.8, False), (0.6, 0.3, True), (0.95, 1.8, True)])
def test_a_card_on_which_something_lies_is_not_told_by_its_hue(match: float, hue_error: float, plain: bool) -> None:
    """A finger over half of an L3's header, on grey wood, made it an S3 for certain."""
    # Given a Maneuver in the light that a known card tells, whose print goes so well and whose hue is so far off
    table = {HERE: column(2, (14, 2), TINT), THERE: column(7, (7,), TINT)}
    lain_on = replace(table[HERE].cards[0], match=match, hue_error=hue_error)
    told = told_apart({**table, HERE: replace(table[HERE], cards=(lain_on,))}, frames(), {(THERE, 0)})
    # Then it is told for certain unless both are amiss, as where something covers a part of it
    assert (lead(told[HERE], 2) > 5.0) == plain


@pytest.mark.parametrize("number", [2, 14])
@pytest.mark.parametrize("bluer", [0.08, -0.08])
def test_what_shines_on_a_card_need_not_be_of_the_lights_hue(number: int, bluer: float) -> None:
    """A sheet lay on a Maneuver by warm lamplight: what it added was bluer, and so was the Maneuver taken to be."""
    # Given a Maneuver of which a veil of another hue leaves a third, in the light that a known card tells
    table = {HERE: column(number, (14, 2), TINT), THERE: column(7, (7,), TINT)}
    card = table[HERE].cards[0]
    assert card.colours is not None
    light = 0.35 * card.colours.light + 0.25 * np.array([1 + bluer, 1.0, 1 - bluer])
    veiled = replace(card, colours=replace(card.colours, light=light))
    # When it is told apart
    told = told_apart({**table, HERE: replace(table[HERE], cards=(veiled,))}, frames(), {(THERE, 0)})
    # Then it is the likelier one: by a veil of the light's hue it was the other by more than three nats
    assert lead(told[HERE], number) > 0.0


@pytest.mark.parametrize(("veil", "sure"), [(0.1, True), (0.25, False)])
def test_a_card_of_which_more_is_veil_than_print_is_hardly_told_by_its_hue(veil: float, sure: bool) -> None:
    """In a sleeve that shone all over, a new deck's A3 was an S3 at 0.96 for certain."""
    # Given a Maneuver of which a veil leaves a third, in the light that a known card tells
    table = {HERE: column(2, (14, 2), TINT), THERE: column(7, (7,), TINT)}
    card = table[HERE].cards[0]
    assert card.colours is not None
    veiled = replace(card, colours=replace(card.colours, light=0.35 * card.colours.light + veil))
    told = told_apart({**table, HERE: replace(table[HERE], cards=(veiled,))}, frames(), {(THERE, 0)})
    # Then it is the likelier one, and certain only where less than half of what is seen is veil
    assert (lead(told[HERE], 2) > 2.8) == sure
    assert lead(told[HERE], 2) > 0.0


def test_columns_without_faces_of_equal_print_stay_as_they_are() -> None:
    columns = {HERE: column(2, (2, 14), TINT), THERE: column(7, (7,), TINT)}
    assert told_apart(columns, frames(), {(THERE, 0)})[THERE] is columns[THERE]


def test_a_blown_out_header_tells_no_face() -> None:
    # Given a Maneuver whose header is as bright as anything in the picture
    reading = column(2, (2, 14), np.ones(3))
    card = reading.cards[0]
    assert card.colours is not None
    full = np.full(3, 0.30)
    clipped = Colours((2, 14), np.minimum(card.colours.light, full), card.colours.known, card.colours.weight, full)
    dull = ColumnReading(
        (Judged(card.faces, card.place, card.visible, card.match, card.hue_error, clipped),), -10.0, 9.0, False, False
    )
    # When it is told, then neither face leads by much
    assert abs(lead(told_apart({HERE: dull}, frames(), ())[HERE], 2)) < 2.0


def test_glare_that_changes_over_a_card_leaves_its_hue() -> None:
    # Given a Maneuver over which grey glare lies, from none of it to a third of what white paper sends back
    reading = column(2, (14, 2), np.ones(3))
    card = reading.cards[0]
    assert card.colours is not None
    glare = np.tile(np.linspace(0.0, 0.3, 6), 4)[:, None]
    veiled = Colours((14, 2), card.colours.light + glare, card.colours.known, card.colours.weight, np.full(3, 2.0))
    seen = ColumnReading(
        (Judged(card.faces, card.place, card.visible, card.match, card.hue_error, veiled),), -10.0, 9.0, False, False
    )
    known = {HERE: seen, THERE: column(7, (7,), np.ones(3))}
    # When it is told in a light that a card beside it tells, then it is plain which it is
    assert lead(told_apart(known, frames(), {(THERE, 0)})[HERE], 2) > 4.5


def test_how_exactly_known_cards_show_their_hues_says_how_much_a_hue_tells() -> None:
    colours = column(2, (2, 14), TINT).cards[0].colours
    assert colours is not None
    good, bad = floor_of([1e-5] * 8), floor_of([6e-4] * 8)
    assert LEAST_FLOOR <= good < floor_of([]) == FLOOR < bad
    assert abs(colour_costs(colours, floor=bad)).max() < abs(colour_costs(colours, floor=good)).max()


def test_what_a_camera_makes_of_a_colour_is_learnt_from_a_known_card_that_bears_it() -> None:
    # Given a camera whose tone curves bend each channel in its own way, so that a header looks half like another's
    def shown(number: int, faces: tuple[int, ...], known: tuple[Floats, ...]) -> ColumnReading:
        seen = 0.5 * (known[faces.index(number)] / 0.5) ** np.array([1.35, 1.0, 0.8])
        colours = Colours(faces, seen, known, np.ones(len(seen)), np.ones(3))
        named = tuple((face, 2.0 * k) for k, face in enumerate(faces))
        card = Judged(named, Placed(0.0, 0.0, 0.0), 88.0, 0.95, 0.1, colours)
        return ColumnReading((card,), -10.0, 9.0, False, False)

    # And a Maneuver beside a known card of the same theater: their headers have one colour
    maneuver = shown(2, (14, 2), (face(14), face(2)))
    beside = shown(1, (1,), (face(2),))
    # When it is told apart, then it is plain which it is
    told = told_apart({HERE: maneuver, THERE: beside}, frames(), {(THERE, 0)})[HERE]
    assert lead(told, 2) > 8.0


def test_a_camera_that_shows_fewer_pixels_tells_less() -> None:
    """Put through cheap cameras of 1280 x 720, 10 of 520 photographed Maneuvers had been wrong for certain."""
    columns = {HERE: column(2, (14, 2), TINT), THERE: column(7, (7,), TINT)}
    # When the same colours are seen in a picture with two thirds of the pixels on each mm
    near = told_apart(columns, frames(), {(THERE, 0)}, 2.4)[HERE]
    far = told_apart(columns, frames(), {(THERE, 0)}, 1.6)[HERE]
    # Then the face leads by less
    assert lead(far, 2) < 0.8 * lead(near, 2)


def test_how_a_camera_smears_colours_is_learnt_from_the_known_cards() -> None:
    # Given known cards, seen by a camera that takes a third of each part's colour from what lies around it, and
    # sharpens brightness by a tenth
    numbers = np.random.default_rng(4)

    def seen(parts: int) -> KnownParts:
        known, around = numbers.uniform(0.1, 0.7, (parts, 3)), numbers.normal(0, 0.05, (parts, 3))
        brightness = around.mean(1, keepdims=True)
        off = (around - brightness) / 3 - 0.1 * brightness
        return KnownParts(known, off, np.ones(parts), around)

    # When its errors are learnt from them
    errors = learnt([seen(100), seen(100)])
    # Then those of a further card are known
    card = seen(30)
    assert np.abs(card.off).max() > 0.02
    assert np.abs(errors.of(card.known, card.around) - card.off).max() < 0.005


def test_where_glare_hides_much_of_a_card_its_colours_tell_less() -> None:
    """An S3 in glare was told for an A3 for certain, after its print had counted for less and its colours in full."""
    # Given a Maneuver beside a known card, and the same with half of what its colours tell
    clear = {HERE: column(2, (14, 2), TINT), THERE: column(7, (7,), TINT)}
    card = clear[HERE].cards[0]
    assert card.colours is not None
    glaring = replace(card, colours=replace(card.colours, counts=0.5))
    # When they are told apart, then the face leads by half as much
    told = told_apart({**clear, HERE: replace(clear[HERE], cards=(glaring,))}, frames(), {(THERE, 0)})[HERE]
    plain = told_apart(clear, frames(), {(THERE, 0)})[HERE]
    assert lead(told, 2) == pytest.approx(lead(plain, 2) / 2, rel=0.02)


def test_maneuvers_in_one_light_are_told_apart_together() -> None:
    # Given two Maneuvers of which little but the header is seen, in a lamp's light that no known card tells
    def header(number: int) -> ColumnReading:
        seen = np.vstack([face(number)[:10], PICTURE[:2]]) * np.array([0.9, 1.0, 1.1])
        known = tuple(np.vstack([face(f)[:10], PICTURE[:2]]) for f in (2, 14))
        colours = Colours((2, 14), seen, known, np.ones(12), np.ones(3))
        led = ((2, 0.0), (14, 2.0))
        return ColumnReading((Judged(led, Placed(0.0, 0.0, 0.0), 20.0, 0.95, 0.1, colours),), -10.0, 9.0, False, False)

    both = {HERE: header(2), THERE: header(14)}
    # When each is told by itself, and when both are
    alone = {place: told_apart({place: column}, frames(), ())[place] for place, column in both.items()}
    together = told_apart(both, frames(), ())
    # Then what their headers differ by tells which is which
    assert all(column.cards[0].together for column in together.values())
    certain = FITTED.colour * np.log(13)
    assert lead(together[HERE], 2) > certain and lead(together[THERE], 14) > certain
    assert min(lead(alone[HERE], 2), lead(alone[THERE], 14)) < 2.5


def test_a_card_by_itself_is_the_surer_only_where_all_cards_together_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worn S3 through a webcam was an L3 at 0.96, by itself alone: all cards together gave it 0.58; and an L3 by
    lamplight an S3 at 0.995 and 0.85."""
    # Given a Maneuver that is plain by itself
    columns = {HERE: column(2, (14, 2), TINT), THERE: column(7, (7,), TINT)}

    def lead_where_together(likely: float) -> float:
        shares = [np.array([1 - likely, likely])]
        monkeypatch.setattr("vision.cards.local_light.ways_of", lambda *_: shares)
        return lead(told_apart(columns, frames(), {(THERE, 0)})[HERE], 2)

    # When all cards together are for the same face, then that it is surer by itself counts if they clearly are
    assert lead_where_together(0.93) > 5.0
    assert lead_where_together(0.85) < 3.0
    assert lead_where_together(0.6) < 1.0


def test_all_cards_together_tell_a_face_half_as_surely_where_the_card_by_itself_is_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An S3 in a sleeve, through a camera that bends its colours, was an A3 at 0.975 by all cards together; by itself
    it was an S3, though at little more than one in two."""

    # Given a Maneuver of which all cards together tell which it is at 40 to 1
    def lead_told(number: int) -> float:
        monkeypatch.setattr("vision.cards.local_light.ways_of", lambda *_: [np.array([40.0, 1.0]) / 41])
        columns = {HERE: column(number, (14, 2), TINT), THERE: column(7, (7,), TINT)}
        return lead(told_apart(columns, frames(), {(THERE, 0)})[HERE], 14)

    # When it is the other one by itself, then the lead is half of what it is where both are for the same
    assert lead_told(2) == pytest.approx(FITTED.colour * np.log(40) / 2)
    assert lead_told(14) >= 2 * lead_told(2) * 0.999


def test_what_a_theaters_known_headers_are_off_tells_how_its_maneuver_would_look() -> None:
    """White decks that were photographed overexposed were learnt with headers of nearly one hue."""
    # Given headers of two theaters that were learnt paler than they are: clipped light has next to no hue
    learnt_as = {"A": np.array([0.80, 0.81, 0.82]), "L": np.array([0.81, 0.81, 0.81])}
    shown_as = {"A": np.array([0.73, 0.80, 0.82]), "L": np.array([0.80, 0.76, 0.80])}

    def card(faces: dict[int, str], theater: str, where: bool) -> ColumnReading:
        known = tuple(np.vstack([np.tile(learnt_as[of], (10, 1)), PICTURE[:14]]) for of in faces.values())
        seen = np.vstack([np.tile(shown_as[theater], (10, 1)), PICTURE[:14]])
        down = np.repeat([10.0, 50.0], [10, 14]) if where else None
        colours = Colours(tuple(faces), seen, known, np.ones(24), np.ones(3), down=down)
        led = tuple((face, 2.0 * k) for k, face in enumerate(faces))
        return ColumnReading((Judged(led, Placed(0.0, 0.0, 0.0), 88.0, 0.95, 0.1, colours),), -10.0, 9.0, False, False)

    # And an A3 on a table on which an A2 and an L2 are known
    def lead_of_air(where: bool) -> float:
        columns = {
            HERE: card({8: "L", 2: "A"}, "A", where),
            THERE: card({1: "A"}, "A", where),
            ("L", "near"): card({7: "L"}, "L", where),
        }
        places = {**frames(), ("L", "near"): TableArea((0.0, -50.0), 0.0, 123.5, 280.0)}
        return lead(told_apart(columns, places, {(THERE, 0), (("L", "near"), 0)})[HERE], 2)

    # When it is told apart with what those headers show, it is told more surely than by colour alone
    assert lead_of_air(True) > max(lead_of_air(False), 0.0) + 0.5
