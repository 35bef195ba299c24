"""One column by itself: what is believed to be a card, and where none is looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.names import FACE_DOWN, Face
from vision.cards import read_column as read_columns
from vision.cards.candidates import Candidate, CandidatePlace
from vision.cards.column import LENGTH, NEAR, WIDTH, Column, column_at
from vision.cards.discontent import best_explanation
from vision.cards.headers import HeaderSearch
from vision.cards.judgement import Judgement, judge_card
from vision.cards.outline import on_edges, snapped
from vision.cards.read_column import read_column
from vision.cards.strips import shown
from vision.cards.table_beside import ABOVE
from vision.cards.templates import CARD_H, CARD_W, FINE, Bank
from vision.geometry.align import Placed
from vision.geometry.light import root_table
from vision.geometry.pose import Pose
from vision.geometry.rectify import TableArea
from vision.profile import FACES, DeckProfile
from vision.types import Picture

BACK = FACES.index(FACE_DOWN)


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    return Bank(profile)


@pytest.fixture(scope="module")
def one_card(single: tuple[Picture, Placed]) -> Picture:
    return single[0]


def column(patch: Picture) -> Column:
    return Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))


def test_no_card_is_looked_for_where_its_lower_end_would_be_seen(single: tuple[Picture, Placed]) -> None:
    patch, place = single
    top = place.point(CARD_W / 2, 0.0)[1] / FINE
    assert top < column(patch).tops < top + 40


@pytest.mark.parametrize(
    ("code", "noise", "certain"), [(120, 0, False), (120, 1, True), (254, 1, False), (255, 0, False)]
)
def test_an_area_of_one_colour_is_no_empty_column_unless_it_is_a_plain_mats(
    bank: Bank, code: int, noise: int, certain: bool
) -> None:
    """A decoder fills in what did not arrive with one colour, and what is blown out has none other; strong compression
    leaves a plain mat's noise one code, and its empty place was in doubt for that."""
    patch = np.full((560, 248, 3), code, np.uint8)
    patch[::7, ::5] += np.uint8(noise)
    reading = read_column(bank, column(patch))
    assert not reading.cards and (reading.margin > 1) is certain


@pytest.mark.parametrize("rows", [2, 31, 59])
def test_a_column_that_lies_outside_the_picture_is_no_empty_one(bank: Bank, one_card: Picture, rows: int) -> None:
    """A camera hung so low that a column's first rows alone were seen, and to look for headers in them failed."""
    patch, inside = one_card.copy(), np.ones(one_card.shape[:2], np.bool_)
    patch[rows:], inside[rows:] = 0, False
    reading = read_column(bank, Column(patch, inside, root_table(np.ones(3))))
    assert not reading.cards and reading.margin == 0


@pytest.mark.parametrize(("rows", "blown_out"), [(560, True), (150, False)], ids=["in the picture", "beyond its rim"])
def test_a_white_mat_that_is_repeated_beyond_the_pictures_rim_is_none_that_is_blown_out(
    bank: Bank, rows: int, blown_out: bool
) -> None:
    """What lies outside the picture looks like its last row; a card may lie there."""
    patch, inside = np.full((560, 248, 3), 255, np.uint8), np.ones((560, 248), np.bool_)
    inside[rows:] = False
    full = np.full(3, 255, np.uint8)
    reading = read_column(bank, Column(patch, inside, root_table(np.ones(3)), brightest=full))
    assert (reading.margin, reading.blown_out) == (0, blown_out)


def test_a_tag_of_the_mat_behind_bare_table_is_no_part_of_a_stack(one_card: Picture) -> None:
    tagged = one_card.copy()
    cv2.rectangle(tagged, (60, 500), (180, 558), (255, 255, 255), -1)
    assert column(tagged).tops == column(one_card).tops


def test_a_stack_that_runs_out_of_the_picture_may_have_a_card_anywhere(one_card: Picture) -> None:
    full = one_card.copy()
    cv2.rectangle(full, (60, 60), (186, 559), (30, 60, 200), -1)
    assert column(full).tops == column(full).rows


@pytest.mark.parametrize(("x", "y", "degrees"), [(60.0, 40.0, 0.0), (61.3, 43.7, 2.0), (57.6, 41.2, -3.0)])
def test_an_outline_is_laid_on_the_edges_of_a_card_to_a_quarter_of_a_millimetre(
    x: float, y: float, degrees: float
) -> None:
    place = Placed(x, y, np.radians(degrees))
    zoom = 8
    large = np.full((560 * zoom, 248 * zoom, 3), 60, np.uint8)
    # Pixel middles are whole numbers: a card reaches from half a pixel before its first to half a pixel after its last.
    ends = np.array([[-0.5, -0.5], [CARD_W - 0.5, -0.5], [CARD_W - 0.5, CARD_H - 0.5], [-0.5, CARD_H - 0.5]])
    corners = (place.points(ends) + 0.5) * zoom - 0.5
    cv2.fillConvexPoly(large, np.round(corners * 16).astype(np.int32), (190, 200, 210), shift=4)
    patch = np.asarray(cv2.resize(large, (248, 560), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    clear, there = snapped(column(patch).tones, Placed(x + 1.2, y - 1.4, place.turn))
    assert clear > 0.9
    for corner in ((0.0, 0.0), (float(CARD_W), 0.0)):
        assert np.abs(np.subtract(there.point(*corner), place.point(*corner))).max() / FINE < 0.25


def test_a_card_that_its_print_left_askew_covers_what_lies_under_its_edges(single: tuple[Picture, Placed]) -> None:
    """A back with a number in its corner was laid 5 degrees askew, and what it covered of an A4 was taken for print: an
    S4 went better with that, and was sure."""
    # Given a card, and one under it of which 20 mm show,
    patch, lies = single
    under = Placed(lies.x, lies.y - 20 * FINE, lies.turn)
    # When print alone lays the upper one 4 degrees askew,
    turned = Placed(lies.x, lies.y + 1.5 * FINE, lies.turn - np.radians(4))
    askew = Candidate(BACK, turned, 0.6, 0.0, np.zeros(88, np.float32), None)
    found = on_edges(column(patch).tones, askew.place)
    # Then its edges, or those of its border of 2 mm, tell how it lies,
    assert found is not None
    assert abs(found.turn - lies.turn) < np.radians(1)
    assert np.abs(np.subtract(found.point(0.0, 0.0), lies.point(0.0, 0.0))).max() / FINE < 2.2
    # and nothing below them is taken for the lower card's; on the bare table there are none to go by.
    assert not shown(column(patch), under, (askew,))[round(21 * FINE) :, 6:-6].any()
    assert on_edges(column(patch).tones, Placed(lies.x, 420.0, 0.0)) is None


@pytest.mark.parametrize(("spoilt", "tried"), [(0.0, False), (40.0, True)])
def test_every_place_is_tried_where_much_shows_of_a_covered_card_and_faintly(
    profile: DeckProfile, bank: Bank, monkeypatch: pytest.MonkeyPatch, spoilt: float, tried: bool
) -> None:
    """In dim light two backs, of which 20 and 12 mm showed, were read as one, and sure: it went with both at 0.57."""
    # Given a card of which another leaves 26 mm, in a light that spoils print or does not,
    patch = np.full((round(LENGTH * FINE), round(WIDTH * FINE), 3), 60, np.uint8)
    for face, y in (("L5", 44), ("S2", 44 + round(26 * FINE))):
        drawn = cv2.resize(profile.faces[face], (CARD_W, CARD_H), interpolation=cv2.INTER_AREA)
        patch[y : y + CARD_H, 60 : 60 + CARD_W] = drawn
    spots = cv2.GaussianBlur(np.random.default_rng(5).normal(0, 6 * spoilt, (round(26 * FINE), CARD_W, 3)), (0, 0), 2.0)
    patch[44 : 44 + round(26 * FINE), 60 : 60 + CARD_W] = np.clip(
        patch[44 : 44 + round(26 * FINE), 60 : 60 + CARD_W] + spots, 0, 255
    )
    looks: list[Column] = []
    everywhere = read_columns.by_print

    def by_print(of: Bank, seen: Column, search: HeaderSearch, **but: Sequence[Candidate]) -> list[CandidatePlace]:
        looks.append(seen)
        return everywhere(of, seen, search, **but)

    monkeypatch.setattr(read_columns, "by_print", by_print)
    # When the column is read, then a plain look is enough only where the print is plain.
    reading = read_column(bank, column(patch))
    assert [FACES[card.faces[0][0]] for card in reading.cards] == ["L5", "S2"]
    assert bool(looks) == tried


def test_faint_print_counts_less_where_no_card_has_an_outline(bank: Bank, single: tuple[Picture, Placed]) -> None:
    one_card, place = single
    faint = cv2.GaussianBlur(one_card, (0, 0), 5.0)
    bare = np.broadcast_to(np.median(one_card[300:], (0, 1)), one_card.shape)
    # The same print on the table, fading out towards where the card's edges were.
    there_is = np.zeros(one_card.shape[:2], np.float32)
    x, y = (round(v) for v in place.point(0.0, 0.0))
    cv2.rectangle(there_is, (x + 14, y + 14), (x + CARD_W - 14, y + CARD_H - 14), 1.0, -1)
    soft = np.asarray(cv2.GaussianBlur(there_is, (0, 0), 6.0))[..., None]
    faded = (soft * faint + (1 - soft) * bare).astype(np.uint8)
    matches = []
    for patch in (np.asarray(faint, dtype=np.uint8), faded):
        there = column(patch)
        card = Candidate(FACES.index("A4"), place, 0.5, 0.0, np.full(88, -0.3, np.float32), None)
        judged = judge_card(bank, there, (card,), 0, bank.count, [])
        matches.append(judged.match)
    with_outline, without = matches
    assert 0.25 < with_outline < 0.62
    assert without < 0


@pytest.mark.parametrize("millimetres", [2 / 3, 1.0, 4 / 3])
def test_a_face_that_is_cut_a_little_otherwise_is_not_ruled_out_under_a_veil_by_one_that_matches_worse(
    profile: DeckProfile, single: tuple[Picture, Placed], millimetres: float
) -> None:
    patch, place = single
    # Given an A4 under another card, and an S4 that has half of its print and was cut higher or lower on the card,
    s4 = np.roll(profile.faces["A4"], round(3 * millimetres), axis=0)
    s4[8:66, 8:60] = s4[8:66, 8:60][:, ::-1]
    bank = Bank(replace(profile, faces={**profile.faces, "S4": s4}))
    # when it is found by the header of the S4, and a veil lies on a side of it,
    veiled = np.ones((88, 64), np.float32)
    veiled[:, :8] = 0.0
    rows = np.full(88, -0.3, np.float32)
    there = replace(place, y=place.y - millimetres * FINE)
    found = Candidate(FACES.index("S4"), there, 0.8, 0.9, rows, veiled)
    above = Candidate(FACES.index("S6"), replace(place, y=place.y + 24 * FINE), 0.9, 0.9, rows, None)
    covered = judge_card(bank, column(patch), (found, above), 0, bank.count, [])
    # then it is still the A4, plainly.
    assert FACES[covered.faces[0][0]] == "A4"
    assert covered.match > 0.9


@pytest.mark.parametrize(("blue", "print_of_it"), [(1.0, 120), (0.3, 120), (1.0, 20)])
def test_a_header_does_not_rule_out_other_faces_where_its_own_goes_badly_with_the_card(
    profile: DeckProfile, single: tuple[Picture, Placed], blue: float, print_of_it: int
) -> None:
    """In haze the headers of an A3 and of an L3 led those of the cards that lay there, which were cut half a millimetre
    otherwise, by 17 nats; one was of another hue, the other went with the card at 0.75, and both were sure. The first
    face here shares most of its print with the second."""
    patch, place = single
    # Given an A4, and an S4 that has more or less of its print, a millimetre higher, and its colours or others,
    s4 = np.roll(profile.faces["A4"], 3, axis=0)
    s4[8:66, print_of_it:180] = s4[8:66, print_of_it:180][:, ::-1]
    s4[..., 0] = np.clip(s4[..., 0] * blue, 0, 255)
    bank = Bank(replace(profile, faces={**profile.faces, "S4": s4}))
    # when it is found where the header of the S4 leads far, and nothing shines,
    header = np.full(bank.count, 40.0)
    header[FACES.index("S4")], header[FACES.index("A4")] = 0.0, 20.0
    found = Candidate(FACES.index("S4"), place, 0.8, 0.9, np.full(88, -0.3, np.float32), None, header=header)
    judged = judge_card(bank, column(patch), (found,), 0, bank.count, [])
    # then the A4 is held against it in full, too, and is it.
    assert FACES[judged.faces[0][0]] == "A4"


@pytest.mark.parametrize(("moved", "again"), [(0.1, False), (2.0, True)])
def test_a_card_is_judged_again_only_if_it_lies_elsewhere(
    bank: Bank, single: tuple[Picture, Placed], moved: float, again: bool
) -> None:
    patch, place = single
    there = column(patch)
    card = Candidate(FACES.index("A4"), place, 0.9, 0.9, np.full(88, -0.3, np.float32), None)
    other = replace(card, place=replace(place, x=place.x + moved))
    before: list[Judgement] = []
    first = judge_card(bank, there, (card,), 0, bank.count, before)
    second = judge_card(bank, there, (other,), 0, bank.count, before)
    assert (second is not first) == again
    assert FACES[first.faces[0][0]] == FACES[second.faces[0][0]] == "A4"


@dataclass
class FakeExplanation:
    """What its shape begs for, and each of its cards; counts the cards that were judged."""

    least: float
    cards: list[float]
    judged: int = 0
    whole: float = field(init=False)

    def __post_init__(self) -> None:
        self.whole = self.least + sum(self.cards)

    def begs(self, most: float) -> float:
        total = self.least
        for card in self.cards:
            if total > most:
                break
            self.judged += 1
            total += card
        return total


doubts = st.integers(0, 8).map(lambda n: n / 4)


@given(st.lists(st.builds(FakeExplanation, doubts, st.lists(doubts, max_size=4)), min_size=1, max_size=5))
def test_the_best_explanation_is_found_without_judging_those_that_cannot_be_it(tries: list[FakeExplanation]) -> None:
    for one in tries:
        one.judged = 0
    best = best_explanation(tries)
    assert best is min(tries, key=lambda one: one.whole)
    assert not any(one.judged for one in tries if one.least > best.whole)


def test_the_boards_edge_is_not_taken_for_the_top_of_a_card_that_lies_near_it() -> None:
    patch = np.full((400, 248, 3), 70, np.uint8)
    patch[: int(ABOVE * FINE)] = (30, 120, 40)
    top = ABOVE + 3.4
    cv2.rectangle(
        patch, (60, round(top * FINE)), (60 + CARD_W - 1, round(top * FINE) + CARD_H - 1), (190, 200, 210), -1
    )
    tops = [(clear, place.point(CARD_W / 2, 0.0)[1] / FINE) for clear, place in column(patch).outlines]
    clear, there = max(tops)
    assert abs(there - top) < 0.5
    assert clear > 0.9
    assert all(clear < 0.6 for clear, there in tops if abs(there - ABOVE) < 0.5)


def test_a_thing_far_from_the_board_is_no_card_that_was_not_read(bank: Bank) -> None:
    # Given a column without cards, a little stained, at whose far end a thing as wide as a card begins
    patch = np.full((560, 248, 3), 70, np.uint8)
    cv2.rectangle(patch, (60, 500), (60 + CARD_W, 559), (20, 60, 110), -1)
    cv2.circle(patch, (124, 120), 14, (120, 160, 80), -1)
    seen = column(patch)
    assert max(clear for clear, _ in seen.outlines) > 0.75
    # Then it is empty for certain
    reading = read_column(bank, seen)
    assert (reading.cards, reading.hidden) == ((), False)
    assert reading.margin > 1.0


def stack(profile: DeckProfile, *cards: tuple[Face, float]) -> Picture:
    """A column of a grey mat with cards in it, each so many mm below the first."""
    patch = np.full((round((ABOVE + LENGTH) * FINE), round(WIDTH * FINE), 3), 120, np.uint8)
    for face, down in cards:
        top, left = round((ABOVE + 6 + down) * FINE), patch.shape[1] // 2 - CARD_W // 2
        drawn = cv2.resize(profile.faces[face], (CARD_W, CARD_H), interpolation=cv2.INTER_AREA)
        patch[top : top + CARD_H, left : left + CARD_W] = drawn
    return patch


@pytest.mark.parametrize("strips", [(20.0, 12.0, 20.0), (12.0, 12.0, 12.0), (19.0, 13.0, 12.0)])
def test_backs_of_which_little_shows_are_each_read(
    profile: DeckProfile, bank: Bank, strips: tuple[float, float, float]
) -> None:
    faces: list[Face] = ["A4", FACE_DOWN, FACE_DOWN, "L1"]
    down = [0.0, strips[0], sum(strips[:2]), sum(strips)]
    reading = read_column(bank, column(stack(profile, *zip(faces, down, strict=True))))
    assert [FACES[card.faces[0][0]] for card in reading.cards] == faces


@pytest.mark.parametrize(("gap", "wide", "hidden"), [(14.0, 40, False), (0.0, 60, True)])
def test_a_hand_beyond_a_stack_is_no_card_of_it(
    profile: DeckProfile, bank: Bank, gap: float, wide: int, hidden: bool
) -> None:
    # Given a card, and beyond its end something as long as a card
    patch = stack(profile, ("A4", 0.0))
    end, middle = round((ABOVE + 6 + gap) * FINE) + CARD_H, patch.shape[1] // 2
    patch[end : end + 100, middle - wide : middle + wide] = (110, 140, 200)
    # Then it may only be a card where it goes on over the card's width
    reading = read_column(bank, column(patch))
    assert [FACES[card.faces[0][0]] for card in reading.cards] == ["A4"]
    assert reading.hidden == hidden


def dotted_mat() -> Picture:
    """A column of a grey mat with dark blue dots, in a corner where the lamp hardly shines; its board is purple."""
    patch = np.full((round((ABOVE + LENGTH) * FINE), round(WIDTH * FINE), 3), (92, 98, 102), np.uint8)
    for y in range(40, patch.shape[0], 56):
        for x in range(14, patch.shape[1], 62):
            cv2.circle(patch, (x, y), 12, (104, 74, 62), -1)
    patch[: round(ABOVE * FINE)] = (112, 96, 110)
    noise = np.random.default_rng(2).normal(0, 2, patch.shape)
    return np.clip(patch + noise, 0, 255).astype(np.uint8)


def test_a_card_of_the_boards_colour_is_no_part_of_a_patterned_mat() -> None:
    # Given a patterned mat with a card on it whose plain lower part has the colour of its board
    bare, patch = dotted_mat(), dotted_mat()
    top, left = round((ABOVE + 8) * FINE), patch.shape[1] // 2 - CARD_W // 2
    patch[top : top + CARD_H, left : left + CARD_W] = (112, 96, 110)
    # Then it belongs to something to its lower end, and the bare mat to nothing
    lies = column(patch)
    assert lies.patterned
    assert lies.last == pytest.approx((top + CARD_H) / FINE, abs=8)
    assert column(bare).last < ABOVE + 8


def test_noise_alone_makes_no_pattern() -> None:
    # Given a plain mat of which so little contrast was left that the camera's noise is as large as what is printed
    plain = np.full((round((ABOVE + LENGTH) * FINE), round(WIDTH * FINE), 3), 120, np.uint8)
    noisy = np.clip(plain + np.random.default_rng(2).normal(0, 25, (*plain.shape[:2], 1)), 0, 255).astype(np.uint8)
    assert not column(noisy).patterned


def test_a_back_tells_whether_it_fits_again_further_on(profile: DeckProfile) -> None:
    def backs_like(pattern: Picture) -> float:
        return Bank(replace(profile, faces={**profile.faces, FACE_DOWN: pattern})).back_repeats

    plain = np.full_like(profile.faces[FACE_DOWN], 120)
    numbered, dotted = plain.copy(), plain.copy()
    cv2.putText(numbered, "2", (20, 60), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (220, 220, 220), 8)
    for y in range(12, plain.shape[0], 24):
        for x in range(12, plain.shape[1], 24):
            cv2.circle(dotted, (x, y), 7, (60, 60, 60), -1)
    assert backs_like(numbered) < 0.6
    assert backs_like(dotted) > 0.9
    assert backs_like(plain) == 1.0


@pytest.mark.parametrize(("cards", "whole"), [(0, False), (1, False), (3, False), (5, True), (7, True)])
def test_a_column_is_looked_at_as_far_as_its_stack_reaches(cards: int, whole: bool) -> None:
    # Straight from above, two pixels a millimetre.
    pose = Pose(np.array([np.pi, 0.0, 0.0]), np.array([0.0, 0.0, 1000.0]), 2000.0, 0.0, (1920, 1200))
    table = np.full((1200, 1920, 3), 90, np.uint8)
    frame = TableArea((-WIDTH / 2, 130.0), 0.0, WIDTH, ABOVE + LENGTH)
    if cards:
        length = 88 + 24 * (cards - 1)
        first = 130 - ABOVE - 6
        cv2.rectangle(
            table, (960 - 63, 600 - 2 * round(first)), (960 + 63, 600 - 2 * round(first - length)), (40,) * 3, -1
        )
    seen = column_at(table, pose, frame, root_table(np.ones(3)))
    assert seen.rows == (ABOVE + LENGTH if whole else NEAR)
    if cards:
        assert abs(seen.last - (ABOVE + 6 + length)) < 3


def test_a_pale_card_on_a_pale_mat_ends_where_its_print_does() -> None:
    """Of three pale backs in haze the last was not looked for: all but its figure was as light as the mat, and no
    card's upper edge was taken to lie so near to what seemed to be the end of the stack."""
    # Given pale backs one on the other, of which little but the figures differs from the mat,
    pose = Pose(np.array([np.pi, 0.0, 0.0]), np.array([0.0, 0.0, 1000.0]), 2000.0, 0.0, (1920, 1200))
    table = np.full((1200, 1920, 3), 200, np.uint8)
    first = 600 - 2 * round(130 - ABOVE - 6)
    for down in (0, 24, 48):
        top = first + 2 * down
        for y in range(top + 6, top + 170, 12):
            cv2.line(table, (960 - 58, y), (960 + 58, y + 5), (186,) * 3, 3)
        cv2.rectangle(table, (960 - 54, top + 4), (960 - 34, top + 30), (60,) * 3, -1)
    # when the column is looked at,
    seen = column_at(table, pose, TableArea((-WIDTH / 2, 130.0), 0.0, WIDTH, ABOVE + LENGTH), root_table(np.ones(3)))
    # then the last of them may lie where it does, and its end is not seen to be nearer.
    assert abs(seen.last - (ABOVE + 6 + 48 + 88)) < 10 and seen.tops > ABOVE + 6 + 48


def test_of_pale_cards_that_nothing_but_their_figures_tells_from_the_mat_the_last_may_lie_where_its_figure_is() -> None:
    """Of three white backs on a white mat in haze the uppermost was not looked for, and two lay there for certain."""
    pose = Pose(np.array([np.pi, 0.0, 0.0]), np.array([0.0, 0.0, 1000.0]), 2000.0, 0.0, (1920, 1200))
    table = np.full((1200, 1920, 3), 200, np.uint8)
    first = 600 - 2 * round(130 - ABOVE - 6)
    for down in (0, 24, 48):
        top = first + 2 * down
        cv2.putText(table, "2", (960 - 54, top + 30), cv2.FONT_HERSHEY_DUPLEX, 1.0, (40, 40, 160), 4)
    seen = column_at(table, pose, TableArea((-WIDTH / 2, 130.0), 0.0, WIDTH, ABOVE + LENGTH), root_table(np.ones(3)))
    assert seen.tops > ABOVE + 6 + 48
