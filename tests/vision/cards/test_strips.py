"""Where much of a covered card shows, it is one card only if its own print goes on through all of it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN, Face
from tests.vision.cards.drawn_column import as_column, photographed
from tests.vision.cards.drawn_deck import read_golden, reader_of_design
from vision.cards.candidates import Candidate
from vision.cards.column import LENGTH, WIDTH, Column
from vision.cards.discontent import CLEAR_MARGIN
from vision.cards.judgement import judge_card
from vision.cards.read_column import read_column
from vision.cards.strips import begins_again, breaks_off, covered_unseen, goes_on, may_be_two
from vision.cards.templates import CARD_H, CARD_W, FINE, Bank
from vision.geometry.align import Placed
from vision.geometry.light import root_table
from vision.profile import FACES, DeckProfile
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera
from vision.simulate.deck_design import design_deck
from vision.simulate.scene import Sloppiness
from vision.types import Picture

LEFT, TOP = 60, 44
"""Where the card's upper left corner lies in its column's picture, px."""
SHOWN = round(33 * FINE)
"""Rows of it that show, px."""


def laid(patch: Picture, face: Picture, down: float) -> None:
    """Draw a card over what lies there, `down` mm below the first."""
    y = TOP + round(down * FINE)
    patch[y : y + CARD_H, LEFT : LEFT + CARD_W] = cv2.resize(face, (CARD_W, CARD_H), interpolation=cv2.INTER_AREA)


def told(profile: DeckProfile, covered: Face, patch: Picture) -> bool:
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))
    shows = np.zeros((CARD_H, CARD_W), np.float32)
    shows[:SHOWN] = 1.0
    return goes_on(Bank(profile), column, Placed(float(LEFT), float(TOP), 0.0), FACES.index(covered), shows)


def stack(profile: DeckProfile, *cards: tuple[Face, float]) -> Picture:
    patch = np.full((round(LENGTH * FINE), round(WIDTH * FINE), 3), 120, np.uint8)
    for face, down in cards:
        laid(patch, profile.faces[face], down)
    return patch


@pytest.mark.parametrize("covered", ["A2", "S2", FACE_DOWN])
def test_a_card_of_which_much_shows_is_one_card_where_its_print_goes_on(profile: DeckProfile, covered: Face) -> None:
    assert told(profile, covered, stack(profile, (covered, 0.0), ("L1", 33.0)))


@pytest.mark.parametrize("hidden", ["L5", FACE_DOWN])
@pytest.mark.parametrize("down", [12.0, 16.0, 20.0])
def test_a_card_that_lies_between_is_not_passed_over(profile: DeckProfile, hidden: Face, down: float) -> None:
    for covered in ("A4", FACE_DOWN):
        assert not told(profile, covered, stack(profile, (covered, 0.0), (hidden, down), ("L1", 33.0)))


def test_a_strip_that_is_blown_out_does_not_tell_what_lies_there(profile: DeckProfile) -> None:
    patch = stack(profile, ("A4", 0.0), ("L1", 33.0))
    cv2.rectangle(patch, (LEFT - 4, TOP + 32), (LEFT + CARD_W + 4, TOP + 50), (255, 255, 255), -1)
    assert not told(profile, "A4", patch)


def test_a_back_that_repeats_does_not_tell_that_no_other_lies_on_it(profile: DeckProfile) -> None:
    # Given backs that repeat every 6 mm, so that one on another goes on with its pattern
    tile = np.random.default_rng(3).integers(40, 220, (6, 7, 3), dtype=np.uint8)
    dots = cv2.resize(tile, (21, 18), interpolation=cv2.INTER_CUBIC)
    back = np.tile(dots, (15, 10, 1))[: profile.faces[FACE_DOWN].shape[0], : profile.faces[FACE_DOWN].shape[1]]
    repeating = replace(profile, faces={**profile.faces, FACE_DOWN: np.ascontiguousarray(back)})
    # When one lies under a card, then it may still be two
    assert not told(repeating, FACE_DOWN, stack(repeating, (FACE_DOWN, 0.0), ("L1", 33.0)))


def test_a_picture_that_resembles_a_header_is_not_taken_for_a_card_that_lies_there(profile: DeckProfile) -> None:
    """Of an L6 32 mm showed, at 0.94 and more all the way, and in one part of it another's header went at 0.86."""
    # Given an A2 whose picture has, 16 mm down, something much like the upper end of an L5, but for a line
    face, header = profile.faces["A2"].copy(), profile.faces["L5"]
    mm = face.shape[0] / CARD_H * FINE
    rows = slice(round(16 * mm), round(26 * mm))
    face[rows] = header[: rows.stop - rows.start]
    cv2.line(face, (0, rows.start), (face.shape[1] - 1, rows.stop), (90, 90, 90), round(0.3 * mm))
    alike = replace(profile, faces={**profile.faces, "A2": face})
    # When it lies there, then it is one card,
    assert told(alike, "A2", stack(alike, ("A2", 0.0), ("L1", 33.0)))
    # and when an L5 lies there, it may be two.
    assert not told(alike, "A2", stack(alike, ("A2", 0.0), ("L5", 16.0), ("L1", 33.0)))


def test_where_the_print_of_a_covered_card_breaks_off_another_card_may_lie(profile: DeckProfile) -> None:
    """Of two backs in a stack of eight worn cards one was not seen, and nothing was in doubt: on the lower half of the
    25 mm that were taken to show of an L6 nothing is like an L6."""
    sight = read_golden("hidden-back", profile, design=11007)
    stack = [card.read for card in sight.stacks["L", "far"]]
    assert not sight.sure or stack == ["A1", "S5", "A4", "L6", "-", "-", "S2", "S6"]


@pytest.mark.parametrize(("backs", "doubted"), [((0.0,), False), ((0.0, 19.0), True)])
def test_two_backs_whose_figures_show_are_not_one_for_certain(
    profile: DeckProfile, backs: tuple[float, ...], doubted: bool
) -> None:
    """In a stack of nine two plain backs with a figure 2 were one for certain, of which 30 mm showed, at 0.83."""
    # Given plain backs with a figure in one corner, and a card on them,
    plain = np.full_like(profile.faces[FACE_DOWN], (70, 120, 120))
    mm = plain.shape[0] / CARD_H * FINE
    at = round(6 * mm), round(17 * mm)
    cv2.putText(plain, "2", at, cv2.FONT_HERSHEY_DUPLEX, 0.45 * mm, (70, 55, 70), round(1.2 * mm), cv2.LINE_AA)
    drawn = replace(profile, faces={**profile.faces, FACE_DOWN: plain})
    patch = stack(drawn, *((FACE_DOWN, down) for down in backs), ("S3", 30.0))
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))
    shows = np.zeros((CARD_H, CARD_W), np.float32)
    shows[: round(30 * FINE)] = 1.0
    # then another back is seen to begin where there is one.
    assert begins_again(Bank(drawn), column, Placed(float(LEFT), float(TOP), 0.0), shows) == doubted


@pytest.mark.parametrize("backs", [(0.0,), (0.0, 13.0)])
def test_two_repeating_backs_with_narrow_strips_are_not_one_for_certain_however_well_what_glare_spares_goes(
    profile: DeckProfile, backs: tuple[float, ...]
) -> None:
    """Of 162 stacks with backs on backs 12 to 16 mm apart nine were told with one too few, for certain: what is like a
    repeating back's upper end is seen on it further down, too, and without what contradicted one went at 0.94."""
    # Given backs that repeat but for their figure, and a card on them,
    height, width = profile.faces[FACE_DOWN].shape[:2]
    mm = height / CARD_H * FINE
    down, across = np.mgrid[0:height, 0:width] / mm
    waves = 100 + 40 * np.sin((down + np.abs(across % 12 - 6)) * 2 * np.pi / 9)
    back = np.repeat(waves[..., None], 3, 2).astype(np.uint8)
    at = round(5 * mm), round(13 * mm)
    cv2.putText(back, "2", at, cv2.FONT_HERSHEY_DUPLEX, 0.4 * mm, (240, 240, 240), round(1.4 * mm), cv2.LINE_AA)
    drawn = replace(profile, faces={**profile.faces, FACE_DOWN: back})
    patch = stack(drawn, *((FACE_DOWN, step) for step in backs), ("S3", 27.0))
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))
    lower = Placed(float(LEFT), float(TOP), 0.0)
    upper = Candidate(FACES.index("S3"), Placed(LEFT, TOP + 27 * FINE, 0.0), 0.9, 0.9, np.zeros(88, np.float32), None)
    card = SimpleNamespace(face=FACES.index(FACE_DOWN), place=lower, visible=27.0, match=0.94)
    # then the lower one is one card for certain only where no other lies between.
    assert may_be_two(Bank(drawn), column, card, (upper,)) == (len(backs) > 1)


def askew(profile: DeckProfile, between: Face | None, turn: float) -> tuple[Picture, Placed]:
    """An S1 that lies `turn` degrees askew on an A4, or on a card that lies between the two, and where the S1 lies."""
    drawn = stack(profile, ("A4", 0.0), *([(between, 19.0)] if between else []))
    lower = 27.0 if turn > 0 else 34.0
    there = Placed(float(LEFT), TOP + lower * FINE, float(np.radians(turn)))
    face = cv2.resize(profile.faces["S1"], (CARD_W, CARD_H), interpolation=cv2.INTER_AREA)
    size = drawn.shape[1], drawn.shape[0]
    covers = cv2.warpAffine(np.full(face.shape[:2], 255, np.uint8), there.matrix(), size) > 127
    drawn[covers] = cv2.warpAffine(face, there.matrix(), size)[covers]
    return photographed(drawn), there


@pytest.mark.parametrize("turn", [-6.0, 6.0])
@pytest.mark.parametrize("between", [None, "L5", FACE_DOWN])
def test_a_card_of_which_little_shows_beside_a_cover_that_lies_askew_is_not_passed_over(
    profile: DeckProfile, between: Face | None, turn: float
) -> None:
    """Under a back that lay askew 5 to 9 mm of an A6 showed, on an S5; the S5 was one card of 31 mm for certain, for
    nothing was compared beside the cover. Of fourteen such cards in drawn stacks, very untidy, twelve are no more."""
    seen, there = askew(profile, between, turn)
    upper = Candidate(FACES.index("S1"), there, 0.9, 0.9, np.zeros(88, np.float32), None)
    lower = Placed(float(LEFT), float(TOP), 0.0)
    card = SimpleNamespace(face=FACES.index("A4"), place=lower, visible=28.0, match=0.96)
    # The A4 is one card for certain only where no other lies between.
    assert may_be_two(Bank(profile), as_column(seen), card, (upper,)) == (between is not None)


@pytest.mark.parametrize("seed", [0, 11, 14, 19])
def test_what_lies_between_two_cards_of_a_very_untidy_stack_is_found_or_the_table_is_in_doubt(
    profile: DeckProfile, seed: int
) -> None:
    """Of 24 such tables 13 had been read for certain, and two wrongly so; 22 are, none wrongly."""
    # Given stacks turned by five degrees, with strips of 9 to 17 mm,
    sloppy = Sloppiness(offset=3.0, turn=5.0, strip=13.0, strip_spread=2.0)
    camera = SimulatedCamera(
        "bright", seed, condition=replace(CONDITIONS["day"], sloppiness=sloppy), deck=design_deck(4002002)
    )
    table = {**EMPTY, ("L", "near"): ("L1", "S4", "L6"), ("S", "far"): ("L4", "A6", "-", "S5")}
    # when they are read, then a card that hardly shows is told, or there is doubt.
    sight = reader_of_design(profile, 4002002).read(camera.still(table, ("A", "L", "S"))).sight
    assert (dict(sight.board), sight.sure) == (table, True) or (seed == 19 and not sight.sure)


@pytest.mark.parametrize(("strip", "doubted"), [(6.0, True), (14.0, False)])
def test_a_strip_too_thin_to_be_a_cards_is_in_doubt(profile: DeckProfile, strip: float, doubted: bool) -> None:
    """Of a repeating back that another covers 7 mm were told, 5 of them seen, where one back lay: for certain."""
    # Given an L1 that is taken to lie on an A4, of which so much shows,
    patch = stack(profile, ("A4", 0.0), ("L1", strip))
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))
    chain = tuple(
        Candidate(
            FACES.index(face), Placed(float(LEFT), TOP + down * FINE, 0.0), 0.9, 0.9, np.zeros(88, np.float32), None
        )
        for face, down in (("A4", 0.0), ("L1", strip))
    )
    # then it may be none where less shows than of any card that people lay.
    bank = Bank(profile)
    assert judge_card(bank, column, chain, 0, bank.count, []).may_be_two == doubted


@pytest.mark.parametrize("on_it", [None, "L5", FACE_DOWN])
def test_a_card_that_nothing_seems_to_cover_is_in_doubt_where_another_lies_on_it_unseen(
    profile: DeckProfile, on_it: Face | None
) -> None:
    """A back of the mat's own colour lay on an A3 by lamplight; the A3 was told as uncovered, and all for certain."""
    # Given an A4 that is taken to lie uncovered,
    patch = stack(profile, ("A4", 0.0), *([(on_it, 20.0)] if on_it else []))
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))
    place = Placed(float(LEFT), float(TOP), 0.0)
    chain = (Candidate(FACES.index("A4"), place, 0.9, 0.9, np.zeros(88, np.float32), None),)
    # then it is in doubt only where the print of another card is seen on it.
    bank = Bank(profile)
    judged = judge_card(bank, column, chain, 0, bank.count, [])
    assert FACES[judged.faces[0][0]] == "A4"
    assert judged.may_be_two == (on_it is not None)


def test_the_shine_of_a_sleeves_lower_rim_is_not_taken_for_a_card(profile: DeckProfile) -> None:
    """It lay on the only strong print of an A1's lower half, by lamplight."""
    # Given a face whose lower half is faint but for its lower rim, in a sleeve whose rim shines
    face = profile.faces["A4"].copy()
    mm = face.shape[0] / CARD_H * FINE
    clouds = np.random.default_rng(5).normal(0, 1, face.shape[:2]).astype(np.float32)
    clouds = cv2.GaussianBlur(clouds, (0, 0), 1.5 * mm)
    face[round(34 * mm) :] = (120 + 8 * clouds / clouds.std())[round(34 * mm) :, :, None].clip(0, 255)
    face[round(80 * mm) :] = 40
    faint = replace(profile, faces={**profile.faces, "A4": face})
    patch = stack(faint, ("A4", 0.0))
    ends = TOP + CARD_H
    cv2.rectangle(patch, (LEFT, ends - round(8 * FINE)), (LEFT + CARD_W, ends), (170, 170, 170), -1)
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))
    # Then the card is not taken to be covered by another,
    bank, place = Bank(faint), Placed(float(LEFT), float(TOP), 0.0)
    assert not covered_unseen(bank, column, place, FACES.index("A4"))
    # as it is where one lies on it.
    laid(patch, faint.faces["L5"], 20.0)
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))
    assert covered_unseen(bank, column, place, FACES.index("A4"))


def test_print_that_breaks_off_tells_of_another_card_but_not_a_rim_in_another_light(profile: DeckProfile) -> None:
    bank, place = Bank(profile), Placed(float(LEFT), float(TOP), 0.0)
    shows = np.zeros((CARD_H, CARD_W), np.float32)
    shows[: round(23 * FINE)] = 1.0

    def breaks(patch: Picture) -> bool:
        column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))
        return breaks_off(bank, column, place, FACES.index("A4"), shows)

    clear = stack(profile, ("A4", 0.0), ("L1", 24.0))
    assert not breaks(clear)
    # Light lies on the bent rim, in stripes of its own.
    rim = clear.copy()
    for x in range(LEFT, LEFT + CARD_W):
        rim[TOP : TOP + round(9 * FINE), x] = 20 if x // 5 % 2 else 240
    assert not breaks(rim)
    assert breaks(stack(profile, ("A4", 0.0), (FACE_DOWN, 13.0), ("L1", 24.0)))


@pytest.mark.parametrize("covered", ["A4", FACE_DOWN])
@pytest.mark.parametrize("down", [44.0, 60.0, 74.0])
def test_a_card_laid_far_out_on_another_is_read_with_it_and_none_between(
    profile: DeckProfile, covered: Face, down: float
) -> None:
    reading = read_column(Bank(profile), as_column(photographed(stack(profile, (covered, 0.0), ("L1", down)))))
    assert [FACES[card.faces[0][0]] for card in reading.cards] == [covered, "L1"]
    assert reading.margin > CLEAR_MARGIN


def test_a_card_between_two_that_lie_far_apart_is_looked_for(profile: DeckProfile) -> None:
    seen = stack(profile, (FACE_DOWN, 0.0), ("L6", 20.0), (FACE_DOWN, 40.0))
    reading = read_column(Bank(profile), as_column(photographed(seen)))
    assert [FACES[card.faces[0][0]] for card in reading.cards] == [FACE_DOWN, "L6", FACE_DOWN]
