"""A lamp draws bright lines along sleeves and bent cards; what lies under them is read all the same."""

from __future__ import annotations

import cv2
import numpy as np

from engine.names import FACE_DOWN, Face, Theater
from engine.places import Place
from tests.vision.cards.drawn_column import as_column
from tests.vision.cards.drawn_deck import golden_bank, golden_column, golden_picture, reader_of_design, seen_alone
from vision.cards.chain import FACES
from vision.cards.highlights import without_highlights
from vision.cards.read_column import read_column
from vision.geometry.light import root_table
from vision.profile import DeckProfile
from vision.simulate import EMPTY, SimulatedCamera
from vision.simulate.deck_design import design_deck
from vision.tracking.reader import SURE, Outline
from vision.types import Picture

ORDER: tuple[Theater, Theater, Theater] = ("L", "S", "A")
CODES = np.repeat((np.arange(256, dtype=np.float32)[:, None] / 255) ** 1.1, 3, axis=1)


def gleaming(picture: Picture, cards: list[Outline]) -> Picture:
    """The picture with the lines that a lamp draws on sleeves: along each card's upper end and along its right side."""
    out = picture.copy()
    for card in cards:
        left, right, _, below = (np.asarray(corner, float) for corner in card.corners)
        across, down = (right - left) / 63, (below - left) / 88
        upper = left + 3 * across + 2 * down, right - 3 * across + 2 * down
        side = right - 4 * across + 3 * down, right - 4 * across + 80 * down
        for (start, end), code, wide in ((upper, 238, 4), (side, 204, 3)):
            points = [tuple(np.round(at * 16).astype(int).tolist()) for at in (start, end)]
            cv2.line(out, *points, (code, code, code), wide, cv2.LINE_AA, 4)
    return out


def test_backs_with_a_figure_alone_are_read_under_the_lines_that_a_lamp_draws_on_sleeves(profile: DeckProfile) -> None:
    deck, reader = design_deck(19), reader_of_design(profile, 19)
    stack: tuple[Face, ...] = ("L5", FACE_DOWN, FACE_DOWN)
    table: dict[Place, tuple[Face, ...]] = {**EMPTY, ("L", "far"): stack, ("S", "near"): (FACE_DOWN,)}
    picture = SimulatedCamera("bright", 2, condition="day", deck=deck).still(table, ORDER)
    plain = reader.read(picture)
    assert dict(plain.sight.board) == table
    sight = reader.read(gleaming(picture, [outline for outline in plain.outlines if "/" in outline.at])).sight
    assert dict(sight.board) == table
    assert sight.sure


def test_a_back_whose_edge_shines_is_found_within_a_stack(profile: DeckProfile) -> None:
    bank = golden_bank("shining-edge", profile, FACE_DOWN, "A2")
    reading = read_column(bank, as_column(golden_picture("shining-edge", "column")))
    assert [FACES[card.faces[0][0]] for card in reading.cards] == [FACE_DOWN, FACE_DOWN, "A2", FACE_DOWN, FACE_DOWN]
    assert not reading.foreign


def test_a_line_that_shines_is_no_title(profile: DeckProfile) -> None:
    """A back that bears a 2 was an L2 at 0.9993 by the line that a lamp drew above its figure, though its print went
    with the L2's by no more than 0.62."""
    bank = golden_bank("line-on-a-back", profile, FACE_DOWN, "L2", "L6", "L3", "A6", "S6", "L1")
    gains, full = root_table(np.array([1.5621, 1.9324, 1.1119])), np.array([255, 255, 255], np.uint8)
    column = golden_column("line-on-a-back", gains, 0.8866, full)
    covered, upper = seen_alone(bank, column)
    assert upper.read == "L6"
    assert covered.read == FACE_DOWN or covered.p < SURE


def test_a_card_through_whose_title_a_line_shines_is_read(profile: DeckProfile) -> None:
    """An S3 that anybody could read was one at 0.15: without the line no header goes plainly with what is left at
    first sight, but where all headers were looked for it is read."""
    bank = golden_bank("line-through-title", profile, FACE_DOWN, "S2", "S3", "S5", "S6", "L3")
    gains, full = root_table(np.array([1.7748, 1.22, 1.0821])), np.array([234, 234, 221], np.uint8)
    column = golden_column("line-through-title", gains, 0.979, full)
    covered, upper = seen_alone(bank, column)
    assert (covered.read, upper.read) == ("S3", FACE_DOWN)
    assert min(covered.p, upper.p) >= SURE


def test_a_short_stroke_and_a_wide_strip_are_print() -> None:
    patch = np.full((300, 300, 3), 90, np.uint8)
    cv2.line(patch, (60, 60), (60 + 16, 60), (240, 240, 240), 1)
    cv2.rectangle(patch, (60, 120), (240, 134), (240, 240, 240), -1)
    assert without_highlights(patch, CODES) is None


def test_a_coloured_line_is_print() -> None:
    patch = np.full((300, 300, 3), 90, np.uint8)
    cv2.line(patch, (60, 60), (240, 62), (90, 90, 240), 1)
    assert without_highlights(patch, CODES) is None


def test_a_long_thin_bright_line_is_filled_in() -> None:
    patch = np.full((300, 300, 3), 90, np.uint8)
    cv2.line(patch, (60, 60), (240, 66), (240, 240, 240), 2)
    filled = without_highlights(patch, CODES)
    assert filled is not None
    assert int(filled.max()) < 100
