"""What neither the table nor the cards of a column explain: a shadow is nothing, a thing may be a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN
from tests.vision.cards.drawn_column import as_column, photographed
from tests.vision.cards.drawn_deck import golden_picture
from vision.cards.candidates import Candidate
from vision.cards.chain import Chain
from vision.cards.classify import Judged
from vision.cards.column import Column, column_frame
from vision.cards.column_reading import ColumnReading
from vision.cards.empty_place import BARE_ENOUGH, unlike_table
from vision.cards.explanation import Explanations
from vision.cards.outline import outline_of
from vision.cards.read_column import read_column
from vision.cards.table_beside import ABOVE
from vision.cards.templates import CARD_H, CARD_W, FINE, Bank
from vision.cards.unexplained import unexplained
from vision.geometry.align import Placed
from vision.geometry.light import root_table
from vision.geometry.rectify import cut
from vision.profile import FACES, DeckProfile
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.tracking.reader import Reader
from vision.types import Picture

BACK = FACES.index(FACE_DOWN)


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    return Bank(profile)


@pytest.fixture(scope="module")
def one_card(deck: Deck, reader: Reader) -> Picture:
    """A column with an A4 by daylight and nothing else on an even mat."""
    table = {**EMPTY, ("A", "near"): ("A4",)}
    image = SimulatedCamera("bright", 5, condition="day", deck=deck).still(table, ("A", "L", "S"))
    reading = reader.read(image)
    board = next(b for b in reading.boards if b is not None and b.theater == "A")
    seen = cut(image, reading.registration.pose, column_frame(board.frame, "near"), FINE)[0]
    out = mat(seen.shape[0], seen.shape[1])
    out[: round(ABOVE * FINE)] = seen[: round(ABOVE * FINE)]
    corners = np.round(outline_of(reading.columns["A", "near"].cards[0].place) * FINE).astype(np.int32)
    card = cv2.fillConvexPoly(np.zeros(seen.shape[:2], np.uint8), corners, 1) > 0
    out[card] = seen[card]
    return out[: round(190 * FINE)]


def mat(rows: int, columns: int) -> Picture:
    noise = np.random.default_rng(4).normal(0, 2, (rows, columns, 3))
    return np.asarray(np.clip(noise + np.array([150, 160, 165]), 0, 255), np.uint8)


def read(bank: Bank, patch: Picture) -> ColumnReading:
    return read_column(bank, as_column(patch))


def test_what_may_be_a_card_on_a_printed_mat_is_in_doubt_though_it_has_no_clear_outline() -> None:
    """Two dark backs in dim light, plain to anybody, were no cards for certain."""
    patch = golden_picture("dark-backs-on-printed-mat", "column")
    gains = root_table(np.array([5.8273, 4.9955, 4.2287]))
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), gains, 0.879)
    assert column.patterned

    left = unexplained(column, Chain((), 0.0, 99.0), [])

    assert left.foreign and left.hidden


def laid(code: int, table: int, soft: float, *tops: tuple[float, int]) -> Column:
    """A column of a table of one colour, `table`, with something of a card's size and of `code` on it, 6 mm below the
    board, and other such things upon that: their upper edges, mm below the board's, and codes. `soft`: edges, mm."""
    patch = np.full((round(200 * FINE), round(123 * FINE), 3), table, np.uint8)
    for top, shade in ((6.0, code), *tops):
        y = round((ABOVE + top) * FINE)
        patch[y : y + CARD_H, round(30 * FINE) : round(30 * FINE) + CARD_W] = shade
    seen = cv2.GaussianBlur(patch.astype(np.float32), (0, 0), soft * FINE)
    seen[: round(ABOVE * FINE)] = 200
    noise = np.random.default_rng(7).normal(0, 0.7, seen.shape)
    noisy = np.rint(seen + noise).clip(0, 255).astype(np.uint8)
    return as_column(noisy)


@pytest.mark.parametrize(("soft", "thing"), [(1.5, True), (12.0, False)])
def test_the_edge_of_a_thing_on_a_dark_table_is_a_share_of_its_light(soft: float, thing: bool) -> None:
    """A dark back on dark wood, an S1 under it, was a shadow for its edges, and the S1 alone for certain."""
    left = unexplained(laid(66, 42, soft), Chain((), 0.0, 99.0), [])
    assert (left.foreign, left.hidden) == (thing, thing)


@pytest.mark.parametrize("covered", [False, True])
def test_a_card_on_a_back_is_no_glare(covered: bool) -> None:
    """Two backs and faces upon them, as light as glare, were what shone on a dark back that was read alone."""
    shone_on = np.full((88, 64), 0.86, np.float32)
    back = Candidate(BACK, Placed(30.0 * FINE, (ABOVE + 6) * FINE, 0.0), 0.9, 0.9, np.zeros(88, np.float32), shone_on)
    column = laid(45, 120, 0.4, *([(30.0, 225)] if covered else []))
    assert unexplained(column, Chain((back,), -20.0, 9.0), []).hidden is covered


def test_a_first_card_far_from_its_board_on_a_patterned_table_may_lie_on_another() -> None:
    """A dark back on a mat of dark checks was not there for certain: an L5 on it lay 24 mm from its board."""
    patch = golden_picture("dark-backs-on-printed-mat", "column")
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.array([5.8273, 4.9955, 4.2287])), 0.879)
    costs = np.zeros(88, np.float32)
    near, far = (Candidate(0, Placed(30.0 * FINE, (ABOVE + at) * FINE, 0.0), 0.9, 0.9, costs, None) for at in (10, 22))
    assert [unexplained(column, Chain((one,), -20.0, 9.0), []).whole for one in (near, far)] == [True, False]


def test_a_face_of_which_neither_end_nor_lower_print_is_seen_may_have_a_card_on_it(
    bank: Bank, one_card: Picture
) -> None:
    """A back that was hardly unlike the mat lay on an A3, which was certain and clear."""
    covered = one_card.copy()
    top = round((ABOVE + 45) * FINE)
    covered[top : top + CARD_H] = mat(CARD_H, covered.shape[1])
    for line in range(4):
        at = (round(40 * FINE), top + round((14 + 12 * line) * FINE))
        cv2.putText(covered, "FRONTS", at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (140, 150, 155), 2, cv2.LINE_AA)
    # Given an A4 that lies there for certain, by what is seen of its upper part
    place = read(bank, one_card).cards[0].place
    rows = np.where(np.arange(88) < 40, -1.0, -0.1).astype(np.float32)
    card = Candidate(FACES.index("A4"), place, 0.95, 0.9, rows, None)

    def told(patch: Picture) -> Judged:
        column = as_column(patch)
        return Explanations(bank, column).by([card]).reading.cards[0]

    # then another one may lie on it only where neither its end is seen nor what it shows further down.
    assert [told(patch).may_be_two for patch in (one_card, covered)] == [False, True]


@pytest.mark.parametrize("cleared", [False, True])
def test_dark_backs_on_bare_wood_are_something_though_their_ink_is_as_dark_as_its_grain(cleared: bool) -> None:
    """Two backs of a path-traced deck, plain to anybody, were an empty place for certain."""
    # Given the column of that photograph, in the light that its boards told, with the backs or without
    patch = golden_picture("dark-backs-on-wood", "column")
    if cleared:
        wood = patch[:, -40:].copy()
        patch[round((ABOVE + 2) * FINE) :] = np.hstack([wood, wood[:, ::-1]] * 4)[
            round((ABOVE + 2) * FINE) :, : patch.shape[1]
        ]
    gains = root_table(np.array([0.4552, 0.4995, 0.5549]))
    column = Column(patch, np.ones(patch.shape[:2], np.bool_), gains, 1.038, brightest=np.full(3, 254, np.uint8))
    # then what no card explains is something where they lie.
    left = unexplained(column, Chain((), 0.0, 99.0), [])
    assert (left.foreign, left.hidden) == (not cleared, not cleared)


@pytest.mark.parametrize(("at", "soft", "thing"), [(6.0, 20.0, False), (17.0, 1.0, True)])
def test_a_soft_shadow_beside_a_card_is_no_thing(
    bank: Bank, one_card: Picture, at: float, soft: float, thing: bool
) -> None:
    """A lamp's soft shadow left a card in doubt that was plainly read."""
    # Given light that falls by half towards the card's left side, softly or at an edge, and comes back over the card,
    x = np.arange(one_card.shape[1]) / FINE
    darker = np.minimum(np.clip((x - at) / soft, 0, 1), np.clip((95 - x) / 55, 0, 1))
    shaded = np.asarray(one_card * (1 - 0.5 * darker)[None, :, None], np.uint8)
    reading = read(bank, shaded)
    # then the card is read, and only an edge tells of something else.
    assert len(reading.cards) == 1
    assert (reading.foreign, reading.hidden) == (thing, thing)


@pytest.mark.parametrize(
    ("soft", "tint", "print_within", "thing"),
    [
        (12.0, (0.0, 0.0, 0.0), False, False),
        (1.0, (0.0, 0.0, 0.0), False, True),
        (12.0, (0.0, 0.0, 0.5), False, True),
        (12.0, (0.0, 0.15, 0.32), False, False),
        (1.0, (0.0, 0.15, 0.32), False, True),
        (12.0, (0.0, 0.0, 0.0), True, True),
    ],
)
def test_the_shadow_of_a_window_bar_in_sunlight_is_no_thing(
    bank: Bank, soft: float, tint: tuple[float, float, float], print_within: bool, thing: bool
) -> None:
    """What is a metre off casts a shadow whose edge is a centimetre wide: an empty column was in doubt for one."""
    # Given an empty column along which a dark bar lies, its edges soft as the sun makes them or sharp,
    x, y = np.meshgrid(np.arange(248) / FINE, np.arange(520) / FINE)
    away = np.abs(x - 50 - 0.1 * y)
    dark = 0.5 * np.clip((15 + soft / 2 - away) / soft, 0, 1)[..., None]
    patch = np.asarray(mat(520, 248) * (1 - dark * (1 - np.array(tint))), np.uint8)
    if print_within:
        # and within it perhaps a figure,
        cv2.putText(patch, "2", (96, 160), cv2.FONT_HERSHEY_DUPLEX, 2.0, (150, 160, 165), 6)
    reading = read(bank, patch)
    # then it is a shadow only if its edges are wide, its hue is the mat's in this light or in a warm lamp's, and
    # nothing is seen within.
    assert not reading.cards
    assert reading.foreign == thing


def test_a_line_of_the_mat_that_leads_beyond_where_cards_lie_is_no_figure() -> None:
    """Circles and lines of a printed mat left empty columns in doubt, as a figure does."""
    # Given a thin line that is printed across the column,
    patch = mat(520, 248)
    cv2.line(patch, (0, 60), (247, 130), (80, 85, 160), 4)
    seen = as_column(patch)
    assert unlike_table(seen) > BARE_ENOUGH and not seen.patterned
    # then nothing lies there.
    assert not unexplained(seen, BARE, []).foreign


def test_an_empty_column_in_which_only_a_figure_is_seen_is_in_doubt(bank: Bank) -> None:
    """A white back on a white mat in dim light showed its figure alone, and its place was told empty for certain: what
    the figure has that the mat does not explain was no thing, and hid its print."""
    # Given a figure on what looks like the bare table,
    patch = mat(520, 248)
    cv2.putText(patch, "2", (96, 110), cv2.FONT_HERSHEY_DUPLEX, 1.4, (80, 85, 160), 4)
    seen = as_column(patch)
    assert BARE_ENOUGH < unlike_table(seen) < 150
    # then something lies there that may be a card.
    left = unexplained(seen, BARE, [])
    assert left.foreign and left.hidden


@pytest.mark.parametrize(("further", "figure"), [(18, ""), (18, "pale"), (18, "faint"), (6, ""), (6, "pale")])
def test_a_card_that_lies_far_from_its_board_may_lie_on_one_of_the_mats_colour(
    bank: Bank, one_card: Picture, figure: str, further: int
) -> None:
    """A back of the mat's own colour under a card showed no more than its pale 2, and the table was sure without it;
    and so it was without one of which two other backs left 11 mm, and without a white one of which 16 mm and half of
    its 2 were seen on a white mat in dim light."""
    # Given a card that lies further from its board than another one did,
    at, rows = round((ABOVE + 2) * FINE), round(further * FINE)
    patch = np.concatenate([one_card[:at], mat(rows, one_card.shape[1]), one_card[at:]])
    # and before it a figure, or half of one, on what looks like the bare table,
    if figure == "pale":
        patch[at + rows - 10 : at + rows, 70:110] = 225
    elif figure:
        half = np.zeros((rows, 60), np.uint8)
        cv2.putText(half, "2", (4, rows + 18), cv2.FONT_HERSHEY_DUPLEX, 2.2, 1, 6)
        patch[at : at + rows, 60:120] -= half[..., None] * 14
    reading = read(bank, patch)
    # then the card alone is told for certain only where nothing is seen before it.
    assert len(reading.cards) == 1
    assert reading.hidden == bool(figure)


@pytest.mark.parametrize(("tint", "further"), [(0, 18.0), (28, 18.0), (0, 6.0), (30, 6.0)])
def test_a_card_that_lies_far_from_its_board_may_lie_on_one_nearly_of_the_mats_colour(
    bank: Bank, one_card: Picture, tint: int, further: float
) -> None:
    """Of a dark back on a dark green mat 18 mm were left by an S1. They showed no clear edge, and none of their print:
    the S1 was the first card for certain. So was a back of which 11 mm of another one were left before it."""
    # Given a card that lies further from its board than another one did,
    at, rows = round((ABOVE + 2) * FINE), round(further * FINE)
    between = mat(rows, one_card.shape[1]).astype(np.float32)
    # and before it, as wide as a card and with soft edges, what is a little browner than the mat,
    spread = np.zeros(between.shape[:2], np.float32)
    spread[:, 60:-60] = 1
    between[..., 0] -= tint * cv2.GaussianBlur(spread, (0, 0), 9)
    patch = np.concatenate([one_card[:at], between.astype(np.uint8), one_card[at:]])
    reading = read(bank, patch)
    # then the card alone is told for certain only where the bare mat is seen there.
    assert len(reading.cards) == 1
    assert reading.hidden == (tint > 0)


BARE = Chain((), 0.0, 99.0)
"""No card is told."""


@pytest.mark.parametrize(("top", "cost", "told"), [(10.8, 2.0, False), (10.8, -0.5, True), (20.0, 2.0, True)])
def test_the_boards_edge_is_not_the_border_of_a_card_that_was_not_read(top: float, cost: float, told: bool) -> None:
    """A back with a white border and little print fitted on a board's edge, and eight empty tables were in doubt."""
    # Given an empty column, and a back whose print would go with what is seen,
    place = Placed(60.0, top * FINE, 0.0)
    back = Candidate(FACES.index(FACE_DOWN), place, 0.78, 0.0, np.full(88, cost / 18, np.float32), None)
    seen = Column(mat(520, 248), np.ones((520, 248), np.bool_), root_table(np.ones(3)))
    # then it may lie there, but not where its border would be the board's edge and the mat explains the rest better.
    assert unexplained(seen, BARE, [back]).hidden == told


@pytest.mark.parametrize(("below", "told"), [(-3.0, False), (20.0, True)])
def test_the_lower_border_of_the_uppermost_card_is_no_card_on_the_table(
    bank: Bank, one_card: Picture, below: float, told: bool
) -> None:
    """A header with a white border fitted on the white lower border of a card, and the table was in doubt."""
    # Given a card, and a header whose print would go with what is seen around its lower end,
    seen = as_column(one_card)
    [card] = read_column(bank, seen).cards
    chain = Chain(
        (Candidate(card.faces[0][0], card.place, 0.9, 0.9, np.full(88, -1.0, np.float32), None),), -88.0, 88.0
    )
    place = Placed(60.0, (chain.cards[0].top + 88.0 + below) * FINE, 0.0)
    other = Candidate(FACES.index("L2"), place, 0.67, 0.0, np.full(88, -0.05, np.float32), None)
    # then another card may lie there, but not where it would be the border.
    assert unexplained(seen, chain, [other]).hidden == told


@pytest.mark.parametrize(("top", "told"), [(11.0, False), (24.0, True)])
def test_an_outline_on_the_boards_edge_is_the_boards_where_it_has_no_lower_end(top: float, told: bool) -> None:
    """In dim light, noise and the board's edge made the outline of a card that nobody had laid."""
    # Given a column without cards in which a little is seen, and an outline without a lower end,
    patch = mat(520, 248)
    patch[100:126, 100:122] = 60
    seen = as_column(patch)
    assert unlike_table(seen) > BARE_ENOUGH
    seen.outlines = [(0.79, Placed(60.0, top * FINE, 0.0))]
    # then it leaves the place in doubt only where it is not the board's edge.
    assert unexplained(seen, BARE, []).outlined == told


@pytest.mark.parametrize("endless", [False, True])
@pytest.mark.parametrize(("size", "across"), [((12, 25), [45]), ((4, 4), range(22, 95, 5))])
def test_what_lies_beyond_a_card_whose_end_is_not_seen_may_be_what_covers_it(
    bank: Bank, one_card: Picture, size: tuple[int, int], across: Sequence[int], endless: bool
) -> None:
    """Two dark backs on an L5, through whose numbers the lamp drew lines, were not read, and the table was sure of the
    L5 alone: what was left of them beyond its end was of no card's shape. Of three backs with dots, in the shade as
    dark as the mat, two were read for certain."""
    # Given a card, and something small or some dots on the mat just beyond where it would end,
    [card] = read(bank, one_card).cards
    top = card.place.point(60.0, 0.0)[1] / FINE
    patch = one_card.copy()
    first, (high, wide) = round((top + 88.0 + 9.0) * FINE), size
    for x in across:
        patch[first : first + round(high * FINE), round(x * FINE) : round((x + wide) * FINE)] = 30
    seen = as_column(patch)
    there = Candidate(card.faces[0][0], card.place, 0.9, 0.9, np.full(88, -1.0, np.float32), None)
    # then the place is in doubt where no end of that card is seen.
    assert unexplained(seen, Chain((there,), -88.0, 88.0, endless), []).hidden == endless


@pytest.mark.parametrize("aside", [0.0, 2.0, 2.5])
def test_the_edge_of_a_card_that_is_laid_a_little_off_is_no_things(bank: Bank, one_card: Picture, aside: float) -> None:
    """Beside two backs that a lamp had bent lay its soft shadow; with a strip of their edge it counted as a thing."""
    # Given a card in light that falls off softly beside it, and a place of it that is a little off,
    [card] = read(bank, one_card).cards
    x = np.arange(one_card.shape[1]) / FINE
    darker = np.minimum(np.clip((x - 6) / 20, 0, 1), np.clip((95 - x) / 55, 0, 1))
    shaded = np.asarray(one_card * (1 - 0.5 * darker)[None, :, None], np.uint8)
    seen = as_column(shaded)
    place = Placed(card.place.x + aside * FINE, card.place.y, card.place.turn)
    there = Candidate(card.faces[0][0], place, 0.9, 0.9, np.full(88, -1.0, np.float32), None)
    # then nothing else lies there.
    assert not unexplained(seen, Chain((there,), -88.0, 88.0), []).foreign


@pytest.mark.parametrize(("light", "told"), [(105, True), (0, False)])
def test_where_glare_blows_out_a_grey_mat_nothing_is_told_empty(bank: Bank, light: int, told: bool) -> None:
    """A white card under a spot of light that blew out both was told an empty place for certain."""
    # Given a mat without cards, and a spot of light on it, 60 mm across, or none,
    patch = mat(round(190 * FINE), round(123.5 * FINE)).astype(np.int16)
    y, x = np.mgrid[: patch.shape[0], : patch.shape[1]] / FINE
    spot = np.clip(1.6 - np.hypot(x - 60, y - 75) / 40, 0, 1)
    reading = read(bank, np.asarray(np.clip(patch + spot[..., None] * light * 2, 0, 255), np.uint8))
    # then the place is in doubt where a white card would not be seen.
    assert (reading.cards, reading.hidden) == ((), told)


@pytest.mark.parametrize("lies_there", [False, True])
def test_a_card_whose_colours_are_near_to_a_checked_mats_is_no_empty_place(lies_there: bool) -> None:
    """Three dark backs on a checked mat, plain to anybody, were empty places for certain: each of their pixels could
    be the mat's."""
    # Given a checked mat,
    drawn, squares = np.full((520, 248, 3), (150, 158, 142), np.uint8), range(-10, 530, 44)
    for y in squares:
        for x in squares:
            drawn[max(y, 0) : max(y + 27, 0), max(x, 0) : max(x + 27, 0)] = (146, 120, 110)
            drawn[max(y + 27, 0) : max(y + 44, 0), max(x + 27, 0) : max(x + 44, 0)] = (180, 205, 190)
    # and a back without print that is a little browner,
    if lies_there:
        drawn[40 : 40 + round(CARD_H), 60 : 60 + round(CARD_W)] = (140, 132, 122)
    seen = as_column(photographed(drawn))
    # then something lies there only if the back does.
    assert seen.patterned and unlike_table(seen) < BARE_ENOUGH
    left = unexplained(seen, BARE, [])
    assert left.foreign == left.hidden == lies_there


@pytest.mark.parametrize("figure", [False, True])
def test_dots_of_a_mat_that_lie_far_apart_are_its_own_and_no_print_of_a_card(bank: Bank, figure: bool) -> None:
    """On a mat with dots 20 mm apart, too few for a pattern, empty places were in doubt: print was seen there."""
    # Given a mat with dots,
    drawn = np.full((520, 248, 3), (165, 225, 235), np.uint8)
    for n, y in enumerate(range(8, 520, 48)):
        for x in range(8 + n % 2 * 24, 248, 48):
            cv2.circle(drawn, (x, y), 4, (150, 150, 240), -1, cv2.LINE_AA)
    # and on it nothing, or a back of its colour with a figure,
    if figure:
        drawn[40 : 40 + round(CARD_H), 60 : 60 + round(CARD_W)] = (165, 225, 235)
        cv2.putText(drawn, "22", (66, 92), cv2.FONT_HERSHEY_DUPLEX, 2.0, (145, 195, 205), 5)
    seen = as_column(photographed(drawn))
    # then only the figure may be a card's.
    assert not seen.patterned and unlike_table(seen) > BARE_ENOUGH
    assert unexplained(seen, BARE, []).hidden == figure


@pytest.mark.parametrize(("explains", "told"), [(-0.75, True), (-0.3, False)])
def test_a_header_on_the_uppermost_card_that_explains_more_than_it_is_another_cards(
    bank: Bank, one_card: Picture, explains: float, told: bool
) -> None:
    """An A3 and a dark back lay on an S1. Of the back nothing was read, so that the A3 went badly with what was seen
    below its header; the S1 alone was told, and nothing was in doubt."""
    # Given a card, and on it the header of another one that explains what is seen there so well, mm for each row,
    seen = as_column(one_card)
    [card] = read_column(bank, seen).cards
    there = Candidate(card.faces[0][0], card.place, 0.9, 0.9, np.full(88, -0.2, np.float32), None)
    costs = np.full(88, 0.5, np.float32)
    costs[:18] = explains
    on_it = Candidate(FACES.index("L2"), Placed(60.0, (there.top + 23.0) * FINE, 0.0), 0.78, 0.0, costs, None)
    # then that may be another card only if it explains much more than the first one does.
    assert unexplained(seen, Chain((there,), -17.0, 17.0), [there, on_it]).hidden == told


@pytest.mark.parametrize(
    ("darker", "tint", "soft", "told"),
    [
        (0, (1.0, 0.7, 0.4), 8, False),
        (16, (1.0, 0.7, 0.4), 8, True),
        (24, (1.0, 0.7, 0.4), 30, False),
        (-45, (1.0, 0.7, 0.4), 8, False),
        (14, (0.9, 0.4, -0.7), 8, True),
        (12, (0.7, 0.75, 0.77), 8, False),
    ],
    ids=["bare", "as dark", "shade", "shine", "of another hue", "of the same hue"],
)
def test_no_bare_table_just_beyond_a_card_is_another_card_on_it_or_a_shine(
    bank: Bank, one_card: Picture, darker: int, tint: tuple[float, float, float], soft: int, told: bool
) -> None:
    """Of two dark backs, 17 mm apart on a mat as dark, the lower one was told alone for certain: the upper one differed
    too little from the mat to be something that lies there."""
    # Given a card, and beyond its end what differs a little from the mat and has such soft edges, px,
    [card] = read(bank, one_card).cards
    end = round((card.place.point(60.0, 0.0)[1] / FINE + 88.0) * FINE)
    beyond = np.zeros(one_card.shape[:2], np.float32)
    beyond[end - 20 : end + 50, 45:-45] = 1
    shade = darker * cv2.GaussianBlur(beyond, (0, 0), soft)
    shade[:end] = 0
    patch = np.clip(one_card - shade[..., None] * np.array(tint), 0, 255).astype(np.uint8)
    seen = as_column(patch)
    there = Candidate(card.faces[0][0], card.place, 0.9, 0.9, np.full(88, -1.0, np.float32), None)
    # then the place is in doubt where that is no lighter than the mat, nor a shade,
    assert unexplained(seen, Chain((there,), -88.0, 88.0), []).hidden == told
    # and nothing else tells of another card on it, be it a back: whether all of it is seen may tell that none is.
    back = replace(there, face=BACK)
    assert unexplained(seen, Chain((back,), -88.0, 88.0), []).things_alone


@pytest.mark.parametrize(("soft", "told"), [(12.0, False), (1.0, True)])
def test_a_window_bars_shadow_just_beyond_a_card_is_no_card(
    bank: Bank, one_card: Picture, soft: float, told: bool
) -> None:
    """A bar's shadow led aslant from under a stack that was plainly read, and left it in doubt."""
    # Given a card, and beyond its end a bar's shadow, its edges soft as the sun makes them or sharp,
    [card] = read(bank, one_card).cards
    end = round((card.place.point(60.0, 0.0)[1] / FINE + 88.0) * FINE)
    x, y = np.meshgrid(np.arange(one_card.shape[1]) / FINE, np.arange(one_card.shape[0]) / FINE)
    dark = 0.45 * np.clip((22 + soft / 2 - np.abs(x - 62 - 0.3 * (y - end / FINE))) / soft, 0, 1)
    dark[:end] = 0
    seen = as_column(np.asarray(one_card * (1 - dark[..., None]), np.uint8))
    there = Candidate(card.faces[0][0], card.place, 0.9, 0.9, np.full(88, -1.0, np.float32), None)
    # then another card may lie there only if it has the edges of one.
    assert unexplained(seen, Chain((there,), -88.0, 88.0), []).hidden == told


@pytest.mark.parametrize("aside", [-70.0, -30.0, 0.0, 30.0, 70.0])
@pytest.mark.parametrize("turn", [-0.25, 0.0, 0.25])
def test_a_card_that_leads_out_of_the_picture_is_looked_at_like_any_other(
    one_card: Picture, aside: float, turn: float
) -> None:
    # Given a card that may lie anywhere, and however askew,
    seen = as_column(one_card)
    place = Placed((30.0 + aside) * FINE, 20.0 * FINE, turn)
    there = Candidate(BACK, place, 0.9, 0.9, np.full(88, -1.0, np.float32), None)
    # then it is told what it leaves.
    assert isinstance(unexplained(seen, Chain((there,), -88.0, 88.0), [there]).foreign, bool)


def test_a_white_mat_as_light_as_the_camera_shows_in_sunlight_is_bare(bank: Bank) -> None:
    """Window bars threw their shadows on a white mat: what was lit between them counted as glare on a grey one."""
    # Given a white mat, the sun on it, and the soft shadow of a bar across one end,
    patch = np.asarray(np.clip(mat(round(190 * FINE), round(123.5 * FINE)).astype(np.int16) * 3, 0, 255), np.float32)
    y = np.arange(patch.shape[0]) / FINE
    shade = 1 - 0.6 * np.clip((16 + 6 - np.abs(y - 40)) / 12, 0, 1)
    reading = read(bank, np.asarray(patch * shade[:, None, None], np.uint8))
    # then nothing lies there.
    assert (reading.cards, reading.foreign) == ((), False)
