"""A light that a camera clips: what is blown out tells no factor, and faces look as such a camera shows them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import Face
from tests.vision.cards.drawn_deck import golden_bank, golden_column, seen_alone
from vision.cards.calibration import seen_cards
from vision.cards.classify import Judged
from vision.cards.column_reading import ColumnReading, contradicted, either_way
from vision.cards.equal_print import CELL, SIGN_CELL, UNKNOWN_TINT, by_colour, colours_of, parts_of
from vision.cards.read_column import read_column
from vision.cards.templates import FINE, MIDDLE, Bank, card_px
from vision.enrolment.enrol import enrol
from vision.geometry.align import Placed
from vision.geometry.light import brightest, contrast, gains_from_pairs, root_table, shrunk, to_linear, to_tone
from vision.profile import FACES, DeckProfile
from vision.simulate import CONDITIONS, EMPTY, Deck, SimulatedCamera, print_deck
from vision.tracking import reader as reader_module
from vision.tracking.obstacles import obstacles
from vision.tracking.reader import MOST_WASHED_OUT, SURE, Reader
from vision.types import Picture, Tones

DARKER = 0.5
"""Light that is left when the camera is set darker afterwards."""


def blown_out(picture: Picture, more: float) -> Picture:
    """A picture with that much more light, clipped, and then set darker."""
    light = np.minimum(to_linear(picture / 255.0) * more, 1.0) * DARKER
    return np.asarray(np.rint(to_tone(light) * 255), dtype=np.uint8)


def table_with_a_lamp() -> Picture:
    """A pale table under a lamp that is reflected on it in one place."""
    x, y = np.meshgrid(np.linspace(-1, 1, 960), np.linspace(-0.6, 0.6, 540))
    light = 0.6 * np.exp(-(x * x + y * y) / 2) + 0.3 * np.exp(-((x - 0.2) ** 2 + y * y) / 0.002)
    tone = to_tone(np.repeat(light[..., None], 3, 2)) * 255
    return np.asarray(np.rint(tone + np.random.default_rng(1).normal(0, 1.5, tone.shape)).clip(0, 255), dtype=np.uint8)


def test_a_picture_that_was_blown_out_tells_at_which_code() -> None:
    full = round(float(to_tone(np.array([DARKER]))[0]) * 255)
    assert np.abs(brightest(shrunk(blown_out(table_with_a_lamp(), 2.5))).astype(int) - full).max() <= 1


def test_a_channel_that_is_noisy_in_the_dark_is_clipped_with_the_others() -> None:
    # Given a picture that was blown out and then set so dark that one code is two hundredths of its light
    full = 97
    dark = np.full((540, 960, 3), full, np.uint8)
    dark[300:] = 60
    # And whose blue is a little lighter in a few places, as noise and compression make it
    dark[208:224, 304:336, 0] = full + 1
    # Then blue is told to be clipped with the others: else white cards would be pink
    assert np.abs(brightest(shrunk(dark)).astype(int) - full).max() <= 1
    # But red that is lighter by more is not
    dark[208:224, 304:336, 2] = full + 6
    assert brightest(shrunk(dark))[2] == 255


def test_a_lamp_reflected_on_a_pale_table_clips_nothing() -> None:
    assert brightest(shrunk(table_with_a_lamp())).tolist() == [255, 255, 255]


def test_what_is_blown_out_tells_no_factor() -> None:
    # Given print in a light half as bright as the profile's, of which the camera clips the lighter half
    known = np.random.default_rng(2).uniform(0.05, 0.9, (4000, 1)) * np.array([1.0, 0.9, 0.8])
    most = np.full(3, round(float(to_tone(np.array([0.2]))[0]) * 255), np.uint8)
    seen = np.minimum(known * 0.5, to_linear(most / 255.0))
    # When the factors are learnt, with and without the code at which it is full
    pairs = to_tone(seen).astype(np.float32), to_tone(known).astype(np.float32)
    told, _ = gains_from_pairs(*pairs, most)
    fooled, _ = gains_from_pairs(*pairs)
    # Then only the first are true
    assert told == pytest.approx([2.0, 2.0, 2.0], rel=0.02)
    assert fooled[0] > 2.2


def test_what_a_camera_clips_of_print_is_no_veil_over_it() -> None:
    # Given pale print in so much light that the camera clips nine tenths of it, and the same under a veil
    known = np.random.default_rng(4).uniform(0.5, 0.9, (4000, 3))
    known[:400] *= 0.1
    most = np.full(3, 200, np.uint8)
    full = to_linear(most / 255.0)
    print_, clipped = to_tone(known).astype(np.float32), to_tone(np.minimum(known * 4.0, full)).astype(np.float32)
    veiled = to_tone(np.minimum(known * 0.1 + 0.45, full)).astype(np.float32)
    gains = np.full(3, 0.25)
    # When their contrast is measured as the camera shows it, and as it would be if nothing were clipped
    # Then only the veil takes it away
    assert contrast(clipped, print_, gains, 1.0, most) == pytest.approx(1.0, abs=0.02)
    assert contrast(clipped, print_, gains) < 0.5
    assert contrast(veiled, print_, gains, 1.0, most) < 0.3


@pytest.fixture(scope="module")
def pale() -> DeckProfile:
    """A deck of white cards."""
    photos = SimulatedCamera("paper", 3, condition="day", deck=print_deck("paper", 3)).enrolment_photos()
    return enrol(photos["air"], photos["land"], photos["sea"], photos["back"])


def test_templates_are_clipped_only_where_the_light_clips_them(pale: DeckProfile) -> None:
    bank = Bank(pale)
    assert bank.limit(np.full(3, 1.2, np.float32)) is None
    limit = bank.limit(np.full(3, 0.6, np.float32))
    assert limit is not None and limit == pytest.approx([0.6, 0.6, 0.6], rel=0.05)
    clipped = bank.clipped(limit)
    assert clipped.is_clipped
    assert max(float(pattern.roots.max()) for pattern in clipped.patterns[FINE]) < 0.64
    assert bank.clipped(limit) is clipped
    assert clipped.equal == bank.equal


def column_of(*cards: tuple[int, float]) -> ColumnReading:
    """A column of cards whose faces lead by 12 nats; `cards`: number and match of each one's face."""
    judged = (Judged(((face, 0.0), (face + 1, 12.0)), Placed(0.0, 0.0, 0.0), 20.0, match, 0.7) for face, match in cards)
    return ColumnReading(tuple(judged), -10.0, 9.0, False, False)


def test_what_the_light_clips_does_not_contradict_print_that_is_seen_more_plainly() -> None:
    # Given an A3 in haze that faces as they are go with at 0.89, and with an L5 at 0.74 as a camera would clip it
    plain, clipped = column_of((2, 0.89), (18, 0.84)), column_of((10, 0.74), (18, 0.85))
    # Then the L5 does not count, but a back does that goes with what is seen at least as well,
    assert contradicted(clipped, plain)
    assert not contradicted(column_of((18, 0.89)), column_of((17, 0.89)))
    # nor does a column tell anything of one with more cards, or of the same face seen less plainly.
    assert not contradicted(column_of((18, 0.75), (5, 0.86)), column_of((17, 0.9)))
    assert not contradicted(column_of((2, 0.6)), plain)
    assert not contradicted(column_of((2, 0.6), (18, 0.5)), plain)


def test_white_cards_that_are_blown_out_are_read(pale: DeckProfile) -> None:
    # Given white cards on the mat in so much light that the camera clips their paper
    table = {**EMPTY, ("A", "near"): ("A4", "-"), ("L", "far"): ("S2",), ("S", "near"): ("L6", "A1")}
    camera = SimulatedCamera("paper", 9, condition="day", deck=print_deck("paper", 3))
    picture = blown_out(camera.still(table, ("A", "L", "S")), 2.2)
    # When the table is read
    sight = Reader(pale).read(picture).sight
    # Then every card is
    assert {place: tuple(card.read for card in cards) for place, cards in sight.stacks.items()} == table


def test_a_table_of_which_nearly_all_is_blown_out_is_read_and_not_believed(
    pale: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given white cards in such a light, and a reader to which what it leaves of the boards is nearly nothing
    monkeypatch.setattr(reader_module, "LEAST_CONTRAST", 0.7)
    monkeypatch.setattr("vision.boards.table_light.LEAST_CONTRAST", 0.7)
    table = {**EMPTY, ("A", "near"): ("A4", "-"), ("L", "far"): ("S2",), ("S", "near"): ("L6", "A1")}
    camera = SimulatedCamera("paper", 9, condition="day", deck=print_deck("paper", 3))
    picture = blown_out(camera.still(table, ("A", "L", "S")), 2.2)
    # When the table is read
    reading = Reader(pale).read(picture)
    sight = reading.sight
    # Then the cards that are seen are told, none of them for certain, nor the places where a white one may lie unseen,
    assert {place: tuple(card.read for card in cards) for place, cards in sight.stacks.items()} == table
    assert not sight.sure and all(card.p <= MOST_WASHED_OUT for cards in sight.stacks.values() for card in cards)
    # and where nothing is seen, the lamp is what is in the way.
    shone_on = {obstacle.at for obstacle in obstacles(picture, reading) if obstacle.code == "shine"}
    assert "S/far" in shone_on


def header(dot: tuple[float, float, float], tint: tuple[float, float, float]) -> Tones:
    """A card with a tinted header and a dot of 4 mm in it, root of light at 1 px/mm."""
    w, h = card_px(MIDDLE)
    card = np.full((h, w, 3), 0.5, np.float32)
    card[:23] = np.sqrt(np.array(tint))
    cv2.circle(card, (14, 16), 2, np.sqrt(dot).tolist(), -1)
    card[4:16, 5:11] = 0.2
    return card


def test_a_dot_in_the_theater_s_colour_tells_faces_whose_headers_are_blown_out() -> None:
    # Given two faces that differ in a dot and in a faint tint, and one of them with its paper blown out
    faces = [header((0.7, 0.4, 0.2), (0.90, 0.88, 0.86)), header((0.3, 0.6, 0.2), (0.86, 0.90, 0.86))]
    most = np.full(3, np.sqrt(0.7), np.float32)
    noise = np.random.default_rng(3).normal(0, 0.02, faces[0].shape).astype(np.float32)
    seen = np.minimum(faces[1] + noise, most)
    shows = np.ones(seen.shape[:2], np.float32)
    # When they are told apart by colour
    colours = colours_of(seen, (2, 8), parts_of([np.minimum(face, most) for face in faces]), shows, 1.0, most)
    assert colours is not None
    (first, _), (_, trails) = by_colour([(2, 0.0), (8, 0.0)], colours, UNKNOWN_TINT)
    # Then the dot decides, in parts as small as it is
    assert colours.cell == SIGN_CELL
    assert (first, trails > 6.0) == (8, True)


def test_faces_that_differ_in_the_tint_of_a_ground_are_compared_in_larger_parts() -> None:
    w, h = card_px(MIDDLE)
    faces = [np.full((h, w, 3), 0.5, np.float32) * np.array(tint, np.float32) for tint in ((1, 1, 1), (1, 1.1, 1))]
    colours = colours_of(faces[0], (2, 8), parts_of(faces), np.ones((h, w), np.float32), 1.0, np.ones(3, np.float32))
    assert colours is not None and colours.cell == CELL


def test_a_face_that_only_one_way_of_seeing_the_light_tells_is_no_certain_one() -> None:
    # Given a column that goes with an L5 as a camera clips it, and as well with an A3 as faces are
    clipped, plain = column_of((10, 0.89), (18, 0.85)), column_of((2, 0.88), (18, 0.84))
    # Then either may lie there, and the back is told as before;
    first, back = either_way(clipped, plain).cards
    assert [face for face, _ in first.faces[:2]] == [10, 2] and first.faces[1][1] < 0.1
    assert back == clipped.cards[1]
    # a face that goes less well counts for nothing, nor does a column of more cards.
    assert either_way(clipped, column_of((2, 0.7), (18, 0.84))) == clipped
    assert either_way(clipped, column_of((2, 0.9))) == clipped


def test_a_dark_card_on_a_table_that_is_blown_out_is_told_as_it_is(profile: DeckProfile) -> None:
    """Of a yellow card in a sleeve the camera clipped nothing, but of the white table all: by what it would clip of
    such a card it was told with 0.71, and left in doubt."""
    # Given the column of a path-traced photograph, in the light that its boards told
    full, gains = np.array([122, 122, 114], np.uint8), root_table(np.array([2.052, 1.994, 2.711]))
    bank = golden_bank("dark-on-blown-out", profile, "L2")
    column = golden_column("dark-on-blown-out", gains, 0.604, full, bank.limit(gains[full, range(3)]))
    assert column.clipped
    # Then the card is told for certain
    seen, _ = seen_cards({("S", "far"): read_column(bank, column)})
    [card] = seen["S", "far"]
    assert card.read == "L2" and card.p > 0.97


def test_what_glare_spares_of_a_white_header_does_not_tell_a_maneuvers_hue_against_all_of_it(
    profile: DeckProfile,
) -> None:
    """An L3 lay alone on a table in a light that clips its nearly white header. All of that was taken for glare but for
    its darkest parts, by which it was an S3, whose header is sand, for certain."""
    # Given that column of a drawn table, and the three Maneuvers of its deck
    names: tuple[Face, ...] = ("A3", "L3", "S3")
    bank = golden_bank("white-header", profile, *names)
    full, gains = np.full(3, 255, np.uint8), root_table(np.array([0.7747, 0.67694, 0.82368]))
    column = golden_column("white-header", gains, 0.952, full, np.array([0.657, 0.6188, 0.6977], np.float32))
    # Then no other Maneuver than the L3 is told for certain
    [card] = seen_alone(bank, column)
    assert card.read in names
    assert card.read == "L3" or card.p < SURE


@pytest.mark.parametrize(("share", "sure"), [(1.0, True), (0.4, False)], ids=["the mat", "filled in by a decoder"])
def test_an_empty_place_of_a_mat_that_is_blown_out_evenly_is_certain_where_cards_are_elsewhere_on_it(
    deck: Deck, profile: DeckProfile, share: float, sure: bool
) -> None:
    """White mats came out with one code or two where they were lightest, and empty places there were in doubt."""
    # Given cards on a white mat in so much light that the camera clips it,
    condition = replace(CONDITIONS["day"], pattern="wood", surface="white", clutter=0.0)
    table = {**EMPTY, ("A", "near"): ("A1", "L2"), ("S", "near"): ("-",), ("L", "far"): ("S4",)}
    camera = SimulatedCamera("bright", 4, condition=condition, deck=deck)
    picture = blown_out(camera.still(table, ("A", "L", "S")), 1.9)
    reader = Reader(profile)
    before = reader.read(picture)
    assert before.sight.sure
    # and a place without cards, all of which has one code,
    full = brightest(shrunk(picture))
    corners = before.registration.project(before.frames["L", "near"].corners)
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), (full * share).tolist())
    # then none lies there for certain where that is as light as the camera shows.
    sight = reader.read(picture).sight
    assert (dict(sight.board), sight.sure) == (table, sure)


@pytest.mark.parametrize("truth", [0, 1, 2])
def test_of_paper_that_a_warm_lamp_clips_the_dark_text_on_it_tells_no_hue(truth: int) -> None:
    """Of pale headers the paper's red was clipped and that of the text on it was not, and what both showed together was
    less red than any face is: an S3 had been an A3 at 0.999."""
    # Given three Maneuvers whose pale headers, with text, differ in hue,
    faces: list[Tones] = []
    for paper in ((222, 226, 188), (235, 222, 221), (194, 220, 217)):
        header = np.full((88, 64, 3), 0.45, np.float32)
        header[:22] = np.sqrt(to_linear(np.array(paper) / 255.0))
        text = np.random.default_rng(3).random((9, 38)) < 0.8
        for line, words in zip(range(3, 20, 2), text, strict=True):
            header[line, 20:58][words] = 0.15
        header[30:60, 10:50] = (0.3, 0.5, 0.2)
        faces.append(header)
    # when one is seen in a light whose red the camera clips at less than paper has,
    most = np.array([1.42, 1.02, 0.70], np.float32)
    seen = np.minimum(faces[truth] * np.array([1.02, 1.0, 0.99], np.float32), most)
    numbers = tuple(FACES.index(face) for face in ("A3", "L3", "S3"))
    colours = colours_of(seen, numbers, parts_of(faces), np.ones((88, 64), np.float32), 1.0, most)
    assert colours is not None
    # then it is told by what else is seen of it.
    told = by_colour([(number, 0.0) for number in numbers], colours, UNKNOWN_TINT)
    assert told[0][0] == numbers[truth] and told[1][1] > 8.0
