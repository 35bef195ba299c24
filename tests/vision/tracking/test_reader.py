"""Reading tables: the golden ones, simulated ones, and those with something wrong on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.failure import Failure
from engine.names import CARDS, FACE_DOWN, Face, Seat, Theater
from engine.places import PLACES, Place
from engine.sight import Sight
from tests.vision.lying_card import laid
from vision.cards.outline import outline_of
from vision.enrolment.enrol import enrol
from vision.geometry.table import BOARD
from vision.profile import DeckProfile
from vision.simulate import EMPTY, Deck, SimulatedCamera, print_deck
from vision.simulate.elsewhere import KINDS, without_game
from vision.simulate.scene import Lying
from vision.tracking.overlay import draw
from vision.tracking.reader import Reader, TableReading
from vision.types import Picture

Board = dict[Place, tuple[Face, ...]]
ORDER: tuple[Theater, Theater, Theater] = ("S", "A", "L")
TABLE: Board = {
    **EMPTY,
    ("A", "near"): ("A1", "L2"),
    ("L", "far"): ("S3",),
    ("S", "near"): ("-", "S5", "L6"),
    ("S", "far"): ("-", "-"),
}


def camera(deck: Deck, condition: str = "hd720", seed: int = 5) -> SimulatedCamera:
    return SimulatedCamera("bright", seed, condition=condition, deck=deck)


def turned(lying: Sequence[Lying], what: str) -> list[Lying]:
    return [replace(x, turn=x.turn + 180) if x.what == what else x for x in lying]


def notes(sight: Sight) -> list[tuple[str, str]]:
    return [(n.code, n.at) for n in sight.notes]


@pytest.mark.parametrize("name", ["day-1", "lamp-1", "tilt-0", "nomat-1", "messy-1"])
def test_golden_tables_are_read_as_they_lay(dunes: Path, dunes_profile: DeckProfile, name: str) -> None:
    truth = json.loads((dunes / f"{name}.json").read_text())
    sight = Reader(dunes_profile).read(cv2.imread(str(dunes / f"{name}.jpg"))).sight
    assert "".join(sight.order or ()) == truth["order"]
    for theater, seat in PLACES:
        assert list(sight.board[theater, seat]) == truth["stacks"][theater][seat], (theater, seat)


def test_veiled_cards_are_no_empty_column(dunes: Path, dunes_profile: DeckProfile) -> None:
    """Dim light and a faint veil over both cards of A/near: they were once an empty column, for sure."""
    truth = json.loads((dunes / "dim-1.json").read_text())
    sight = Reader(dunes_profile).read(cv2.imread(str(dunes / "dim-1.jpg"))).sight
    right = all(list(sight.board[t, seat]) == truth["stacks"][t][seat] for t, seat in PLACES)
    assert right or not sight.sure
    assert sight.board["A", "near"] or not sight.sure


def test_headers_drawn_alike_are_told_apart_by_colour() -> None:
    """In the deck `night` A3 and S3 differ by their headers' colour, and fit on each other two millimetres off."""
    deck = print_deck("night", 1)
    photos = SimulatedCamera("night", 9001, condition="day", deck=deck).enrolment_photos()
    reader = Reader(enrol(*(photos[name] for name in ("air", "land", "sea", "back"))))
    table: Board = {**EMPTY, ("L", "far"): (FACE_DOWN, "A3"), ("S", "near"): ("S3", FACE_DOWN), ("A", "near"): ("L3",)}
    for seed in (1, 2, 3):
        sight = reader.read(SimulatedCamera("night", seed, condition="day", deck=deck).still(table, ORDER)).sight
        assert dict(sight.board) == table


def test_a_card_blown_out_within_a_stack_is_not_overlooked(deck: Deck, reader: Reader) -> None:
    eye = camera(deck, "day")
    table: Board = {**EMPTY, ("L", "far"): (FACE_DOWN, "S2", FACE_DOWN)}
    picture = eye.still(table, ORDER)
    lies = {line.at: line for line in reader.read(picture).outlines}
    covered, above = lies["L/far/1"].corners, lies["L/far/2"].corners
    strip = np.array([covered[0], covered[1], above[1], above[0]])
    inner = strip.mean(0) + (strip - strip.mean(0)) * 0.88
    cv2.fillConvexPoly(picture, np.round(inner).astype(np.int32), (250, 250, 250))
    sight = reader.read(picture).sight
    assert not sight.sure or sight.board["L", "far"] == table["L", "far"]


@pytest.mark.parametrize("condition", ["day", "lamp", "tilt", "messy", "hd720", "nomat"])
def test_a_simulated_table_is_read_and_sure(deck: Deck, reader: Reader, condition: str) -> None:
    sight = reader.read(camera(deck, condition).still(TABLE, ORDER)).sight
    assert sight.order == ORDER
    assert dict(sight.board) == TABLE
    assert sight.sure
    assert all(
        0 <= card.p <= 1 and card.p + sum(p for _, p in card.others) <= 1.001
        for s in sight.stacks.values()
        for card in s
    )


def test_an_empty_table_is_read_as_empty(deck: Deck, reader: Reader) -> None:
    sight = reader.read(camera(deck).still(EMPTY, ORDER)).sight
    assert sight.sure and not any(sight.board.values())


def test_six_backs_in_a_row_are_counted(deck: Deck, reader: Reader) -> None:
    table: Board = {**EMPTY, ("A", "far"): (FACE_DOWN,) * 5, ("L", "near"): (FACE_DOWN,) * 4}
    sight = reader.read(camera(deck, "day").still(table, ORDER)).sight
    assert dict(sight.board) == table


@pytest.mark.parametrize(("card", "at"), [("L2", "A/near/1"), ("S5", "S/near/1")])
def test_a_card_lying_the_wrong_way_round_is_reported_and_not_acted_upon(
    deck: Deck, reader: Reader, card: str, at: str
) -> None:
    eye = camera(deck, "day")
    sight = reader.read(eye.picture(turned(eye.lay(TABLE, ORDER), card))).sight
    assert ("wrong-way-round", at) in notes(sight)
    assert dict(sight.board) == TABLE
    assert not sight.sure


def test_a_missing_board_leaves_the_order_open(deck: Deck, reader: Reader) -> None:
    eye = camera(deck, "day")
    sight = reader.read(eye.picture([x for x in eye.lay(EMPTY, ORDER) if x.what != "A"])).sight
    assert sight.order is None and ("board-missing", "A") in notes(sight) and not sight.sure


def test_a_board_that_lies_there_twice_is_reported(deck: Deck, reader: Reader) -> None:
    eye = camera(deck, "day")
    lying = [replace(x, what="S") if x.what == "L" else x for x in eye.lay(EMPTY, ORDER)]
    sight = reader.read(eye.picture(lying)).sight
    assert ("board-twice", "S") in notes(sight) and sight.order is None and not sight.sure


def test_a_board_that_lies_there_twice_half_under_a_sheet_is_not_taken_for_the_missing_one(
    deck: Deck, reader: Reader
) -> None:
    """What shows of it is plain, and goes with no board as well as with the one that lies elsewhere, too."""
    eye = camera(deck, "day")
    image = eye.picture([replace(x, what="S") if x.what == "L" else x for x in eye.lay(EMPTY, ORDER)])
    whole = reader.read(image)
    second = next(board for board in whole.boards if board is not None and board.slot == 2)
    sheet = np.array([[4, 4], [60, 4], [60, BOARD[1] - 4], [4, BOARD[1] - 4]])
    corners = whole.registration.project(second.frame.to_table(sheet))
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (225, 230, 235))
    sight = reader.read(image).sight
    assert ("board-twice", "S") in notes(sight) and sight.order is None and not sight.sure


def test_a_card_seen_twice_is_a_doubt_and_not_a_table(deck: Deck, reader: Reader) -> None:
    table: Board = {**EMPTY, ("A", "near"): ("A1",), ("S", "far"): ("A1",)}
    sight = reader.read(camera(deck, "day").still(table, ORDER)).sight
    assert not sight.sure
    assert {at for code, at in notes(sight) if code in ("seen-twice", "doubtful")} & {"A/near/0", "S/far/0"}


def test_boards_that_slid_take_their_columns_with_them(deck: Deck, reader: Reader) -> None:
    eye = camera(deck, "day")
    moved = []
    for x in eye.lay(TABLE, ORDER):
        column = {"S": x.x < -65, "A": abs(x.x) < 65, "L": x.x > 65}
        dx, dy = (-6.0, 9.0) if column["S"] else (0.0, -8.0) if column["A"] else (7.0, 5.0)
        moved.append(replace(x, x=x.x + dx, y=x.y + dy))
    assert dict(reader.read(eye.picture(moved)).sight.board) == TABLE


def test_only_the_changed_column_is_read_again(deck: Deck, reader: Reader) -> None:
    eye = camera(deck, "day")
    before = reader.read(eye.still(TABLE, ORDER))
    after: Board = {**TABLE, ("L", "far"): ("S3", "A6")}
    reading = reader.read(eye.still(after, ORDER), before, [("L", "far")])
    assert dict(reading.sight.board) == after
    assert reading.columns["S", "near"] is before.columns["S", "near"]
    assert reading.columns["L", "far"] is not before.columns["L", "far"]


@pytest.mark.parametrize(("lead", "sure"), [(12.0, True), (2.9, True), (2.6, False)])
def test_a_table_may_be_acted_upon_where_each_card_has_odds_of_sixteen_to_one(
    deck: Deck, reader: Reader, lead: float, sure: bool
) -> None:
    # Given a table that is read rightly, but for a card whose face leads the next one by so many nats,
    image = camera(deck, "day").still(TABLE, ORDER)
    before = reader.read(image)
    column = before.columns["A", "near"]
    first, *above = column.cards
    close = replace(first, faces=((first.faces[0][0], 0.0), (CARDS.index("S6"), lead)))
    columns = {**before.columns, ("A", "near"): replace(column, cards=(close, *above))}
    # when nothing has changed since, then it is certain where the odds are sixteen to one.
    sight = reader.read(image, replace(before, columns=columns), []).sight
    assert (sight.sure, notes(sight)) == (sure, [] if sure else [("doubtful", "A/near/0")])


def test_outlines_lie_where_the_cards_lie(deck: Deck, reader: Reader) -> None:
    eye = camera(deck, "day")
    lying = {x.what: x for x in eye.lay(TABLE, ORDER)}
    reading = reader.read(eye.still(TABLE, ORDER))
    for line in reading.outlines:
        if line.name in lying and line.name != FACE_DOWN:
            middle = reading.registration.to_table(line.corners).mean(0)
            assert np.hypot(*(middle - (lying[line.name].x, lying[line.name].y))) < 3, line.at


def test_the_overlay_is_a_picture_of_the_same_size(deck: Deck, reader: Reader) -> None:
    image = camera(deck).still(TABLE, ORDER)
    shown = draw(image, reader.read(image))
    assert shown.shape == image.shape and not np.array_equal(shown, image)


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("mat", [False, True])
def test_a_table_without_the_game_has_no_cards(reader: Reader, kind: str, mat: bool) -> None:
    try:
        sight = reader.read(without_game(kind, 3, mat)).sight
    except Failure as failure:
        assert failure.code == "no-table"
        return
    assert not (sight.sure and any(sight.board.values()))


@pytest.mark.parametrize(
    "image",
    [np.zeros((720, 1280, 3), np.uint8), np.full((720, 1280, 3), 255, np.uint8), np.zeros((480, 640), np.uint8)],
)
def test_a_picture_of_nothing_is_no_table(reader: Reader, image: np.ndarray) -> None:
    with pytest.raises(Failure) as caught:
        reader.read(image)
    assert caught.value.code == "no-table"


def test_a_mirrored_picture_is_told_as_one(deck: Deck, reader: Reader) -> None:
    """Some phones show what their camera sees as in a mirror: there was "no table", whatever one did."""
    picture = camera(deck, "day").still(TABLE, ORDER)
    for mirrored in (picture[:, ::-1], picture[::-1]):
        with pytest.raises(Failure) as caught:
            reader.read(np.ascontiguousarray(mirrored))
        assert caught.value.code == "mirrored"
    # A picture that is turned round is none.
    assert dict(reader.read(np.ascontiguousarray(picture[::-1, ::-1])).sight.board) == TABLE


@pytest.mark.parametrize("left", [0.5, 0.35, 0.2, 0.1])
@pytest.mark.parametrize("veil", [255, 200, 128])
def test_a_veiled_picture_is_no_empty_table(deck: Deck, reader: Reader, left: float, veil: int) -> None:
    picture = camera(deck, "day").still(TABLE, ORDER).astype(np.float32) * left + (1 - left) * veil
    try:
        sight = reader.read(picture.astype(np.uint8)).sight
    except Failure as failure:
        assert failure.code in ("low-contrast", "no-table")
    else:
        assert dict(sight.board) == TABLE or not sight.sure


def veiled(
    picture: Picture,
    areas: Sequence[np.ndarray],
    strength: float = 0.8,
    level: float | np.ndarray = 240,
    soft: float = 3.0,
) -> Picture:
    """A picture with a veil of one grey `level`, or of one colour, over some areas of it, each (n, 2) px, of a
    `strength`, 0..1, and with edges that are `soft`, px."""
    share = np.zeros(picture.shape[:2], np.float32)
    for area in areas:
        cv2.fillPoly(share, [np.int32(area.round())], strength)
    share = cv2.GaussianBlur(share, (0, 0), soft)[..., None]
    return np.clip(picture * (1 - share) + level * share, 0, 255).astype(np.uint8)


def board_half(plain: TableReading, theater: Theater, seat: Seat) -> np.ndarray:
    """Where the half of a board towards a seat is seen, (4, 2) px."""
    board = next(b for b in plain.boards if b is not None and b.theater == theater).frame
    top, bottom = (0.0, board.height / 2) if seat == "far" else (board.height / 2, board.height)
    half = np.array([[0.0, top], [board.width, top], [board.width, bottom], [0.0, bottom]])
    return plain.registration.project(board.to_table(half))


@pytest.mark.parametrize(("seat", "over"), [("far", False), ("far", True), ("near", True)])
def test_what_shines_on_a_board_alone_does_not_hide_cards_beside_it(
    deck: Deck, reader: Reader, seat: Seat, over: bool
) -> None:
    """The far side of the air board is empty, on its near side lie two cards. A veil `over` that side, too, leaves the
    empty one in doubt, and makes the cards no empty table."""
    picture = camera(deck, "day").still(TABLE, ORDER)
    plain = reader.read(picture)
    areas = [board_half(plain, "A", seat)]
    if over:
        areas.append(plain.registration.project(plain.frames["A", seat].corners))
    sight = reader.read(veiled(picture, areas)).sight
    if seat == "far":
        assert sight.sure == (not over)
    assert sight.board == plain.sight.board or not sight.sure


@pytest.mark.parametrize(("light", "face", "strength"), [("day", "S3", 0.8), ("lamp", "A5", 0.7)])
def test_plain_print_under_a_grey_veil_tells_a_card_whatever_its_light(
    deck: Deck, reader: Reader, light: str, face: Face, strength: float
) -> None:
    """Under a sheet that let little through, an A1 was a back for certain: its print went with it at 0.91, but it was
    not as dark as an A1 should be in the light that was taken to lie there."""
    table: Board = {**EMPTY, ("S", "far"): (FACE_DOWN, face), ("A", "near"): ("L2", "S4"), ("L", "far"): (FACE_DOWN,)}
    picture = camera(deck, light).still(table, ORDER)
    plain = reader.read(picture)
    areas = [board_half(plain, "S", "far"), plain.registration.project(plain.frames["S", "far"].corners)]
    sight = reader.read(veiled(picture, areas, strength, 200)).sight
    assert sight.sure
    assert dict(sight.board) == table


def test_an_empty_place_is_told_for_certain_by_the_table_beside_cards_that_are_read(deck: Deck, reader: Reader) -> None:
    """A lamp at the near end makes the table there twice as light, and shines on the far halves of all boards."""
    # Given such a lamp, and cards on the far side of two boards
    camera_above = camera(deck, "day")
    plain = reader.read(camera_above.still(TABLE, ORDER))
    picture = camera_above.still(TABLE, ORDER).astype(np.float32)
    for theater in ORDER:
        for seat, share in (("near", 1.0), ("far", 0.55)):
            area = plain.registration.project(plain.frames[theater, seat].corners)
            inside = np.zeros(picture.shape[:2], np.uint8)
            cv2.fillPoly(inside, [np.int32(area.round())], 1)
            picture[inside > 0] *= share
    shining = [board_half(plain, theater, "far") for theater in ORDER]
    sight = reader.read(veiled(picture.astype(np.uint8), shining, 0.8, 240)).sight
    # Then the place beside the third is empty for certain
    assert dict(sight.board) == TABLE
    assert ("doubtful", "A/far") not in notes(sight)


@pytest.mark.parametrize(
    ("light", "place", "level", "strength", "soft"),
    [
        ("day", ("A", "near"), 240, 0.9, 3.0),
        ("day", ("L", "far"), 240, 0.95, 15.0),
        ("day", ("S", "far"), 20, 0.95, 3.0),
        ("lamp", ("L", "far"), 20, 0.95, 15.0),
    ],
    ids=["paper", "soft paper", "cloth", "soft cloth by lamplight"],
)
def test_what_covers_the_cards_of_one_place_is_no_bare_table(
    deck: Deck, reader: Reader, light: str, place: Place, level: int, strength: float, soft: float
) -> None:
    """A sheet that lies exactly over a place has one colour there and beside it, and the place had been empty for
    certain: the table beside the others is neither so light nor so dark."""
    picture = camera(deck, light).still(TABLE, ORDER)
    plain = reader.read(picture)
    assert plain.registration is not None
    area = plain.registration.project(plain.frames[place].corners)
    sight = reader.read(veiled(picture, [area], strength, level, soft)).sight
    assert not sight.sure
    assert any(note.at.startswith(f"{place[0]}/{place[1]}") for note in sight.notes)
    # Without the sheet the table is read as it lies, and the other empty places with it.
    assert plain.sight.sure
    assert dict(plain.sight.board) == TABLE


@pytest.mark.parametrize(("place", "level"), [(("S", "far"), 20), (("A", "near"), 250)], ids=["cloth", "paper"])
def test_what_reaches_to_the_next_column_covers_the_cards_of_a_place(
    deck: Deck, reader: Reader, place: Place, level: int
) -> None:
    """No lighter and no darker than all that is seen beside the others, the place had been empty for certain."""
    picture = camera(deck, "day").still(TABLE, ORDER)
    plain = reader.read(picture)
    frame = plain.frames[place]
    wide = np.array([[-25.0, 18.0], [frame.width + 25.0, 18.0], [frame.width + 25.0, 220.0], [-25.0, 220.0]])
    reading = reader.read(veiled(picture, [plain.registration.project(frame.to_table(wide))], 1.0, level))
    assert not reading.sight.sure
    assert notes(reading.sight) == [("doubtful", f"{place[0]}/{place[1]}")]
    assert reading.under_things == {place}


def test_a_card_that_lies_half_beside_its_column_is_no_bare_table(deck: Deck, reader: Reader) -> None:
    """What lies on one of a column's sides passes for the table there, and a card 30 mm aside was an empty place."""
    picture = camera(deck, "day").still(TABLE, ORDER)
    plain = reader.read(picture)
    laid(picture, plain, ("A", "far"), deck.faces["A3"], 60.0, 26.0)
    sight = reader.read(picture).sight
    assert not sight.sure and notes(sight) == [("doubtful", "A/far"), ("foreign", "A/far")]


@pytest.mark.parametrize("wide", [135.0, 90.0])
def test_what_lies_before_a_card_that_lies_far_out_may_cover_another(deck: Deck, reader: Reader, wide: float) -> None:
    """A phone over a back left the L4 on it, for certain the only one."""
    place: Place = ("A", "far")
    picture = camera(deck, "day").still(TABLE, ORDER)
    plain = reader.read(picture)
    phone = [[-20.0, 12.0], [wide - 20.0, 12.0], [wide - 20.0, 42.0], [-20.0, 42.0]]
    picture = veiled(picture, [plain.registration.project(plain.frames[place].to_table(np.array(phone)))], 1.0, 30, 1.0)
    laid(picture, plain, place, deck.faces["L4"], 30.0, 40.0)
    sight = reader.read(picture).sight
    assert sight.board[place] == ("L4",)
    assert not sight.sure


@pytest.mark.parametrize("hidden", [1, 2])
def test_what_lies_over_the_rest_of_a_stack_covers_its_cards(deck: Deck, reader: Reader, hidden: int) -> None:
    """Only the header of the last card that was seen lay before a red cloth, and it was the uppermost for certain."""
    place: Place = ("S", "near")
    table: Board = {**TABLE, place: ("S5", FACE_DOWN, "L6")}
    picture = camera(deck, "day").still(table, ORDER)
    plain = reader.read(picture)
    frame = plain.frames[place]
    first = float(outline_of(plain.columns[place].cards[-hidden].place)[:, 1].min()) + 1
    cloth = [[-25.0, first], [frame.width + 25.0, first], [frame.width + 25.0, 230.0], [-25.0, 230.0]]
    area = plain.registration.project(frame.to_table(np.array(cloth)))
    reading = reader.read(veiled(picture, [area], 1.0, np.array([60.0, 70.0, 150.0]), 1.0))
    assert ("doubtful", "S/near") in notes(reading.sight)
    assert reading.under_things == {place}


@pytest.mark.parametrize("place", [("A", "near"), ("S", "far")])
def test_a_sheet_as_light_as_the_table_but_of_another_hue_is_no_bare_table(
    deck: Deck, reader: Reader, place: Place
) -> None:
    """Over a green mat a grey sheet: cards that anyone saw through it were an empty place for certain."""
    picture = camera(deck, "day").still(TABLE, ORDER)
    plain = reader.read(picture)
    assert plain.registration is not None
    area = plain.registration.project(plain.frames[place].corners)
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.int32(area.round())], 1)
    table = np.median(picture[inside > 0], axis=0)
    sight = reader.read(veiled(picture, [area], 0.95, table * np.array([1.1, 1.0, 0.9]))).sight
    assert not sight.sure
    assert any(note.at.startswith(f"{place[0]}/{place[1]}") for note in sight.notes)


def test_what_lies_on_half_of_a_board_changes_no_light_beside_the_others(deck: Deck, reader: Reader) -> None:
    """A sheet over the half of one board made the picture a sixth less blue and took a quarter of its colour: a
    Maneuver on the other side of the table was another one for certain."""
    picture = camera(deck, "day").still(TABLE, ORDER)
    plain = reader.read(picture)
    assert plain.registration is not None
    covered = reader.read(veiled(picture, [board_half(plain, "A", "far")], 0.9, 200))
    assert covered.registration is not None
    grey = np.full((1, 3), 128, np.uint8)
    there, here = (one.roots[grey, range(3)] for one in (covered, plain))
    assert there / there.mean() == pytest.approx(here / here.mean(), rel=0.01)
    assert dict(covered.sight.board) == TABLE


@pytest.mark.parametrize("left", [0.5, 0.25])
def test_a_table_through_haze_is_read(deck: Deck, reader: Reader, left: float) -> None:
    """The veil over the boards' print tells what the lens adds; what is left is the table, for certain."""
    picture = camera(deck, "day").still(TABLE, ORDER).astype(np.float32) * left + (1 - left) * 200
    sight = reader.read(picture.astype(np.uint8)).sight
    assert dict(sight.board) == TABLE
    assert sight.sure


@pytest.mark.parametrize("gain", [0.03, 0.08, 3.0, 5.0])
def test_a_dark_or_saturated_picture_is_no_empty_table(deck: Deck, reader: Reader, gain: float) -> None:
    picture = np.clip(camera(deck, "day").still(TABLE, ORDER).astype(np.float32) * gain, 0, 255)
    try:
        sight = reader.read(picture.astype(np.uint8)).sight
    except Failure as failure:
        assert failure.code in ("low-contrast", "no-table")
    else:
        assert dict(sight.board) == TABLE or not sight.sure


def thinned(picture: Picture, share: float) -> Picture:
    """The picture as a cheap webcam sends it that leaves a share of its colour."""
    grey = picture.astype(np.float32).mean(2, keepdims=True)
    return np.clip(grey + share * (picture - grey), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def muted() -> tuple[Deck, Reader]:
    """A deck whose Maneuvers share their print, learnt."""
    deck = print_deck("muted", 0)
    photos = SimulatedCamera("muted", 9000, condition="day", deck=deck).enrolment_photos()
    return deck, Reader(enrol(*(photos[name] for name in ("air", "land", "sea", "back"))))


@pytest.mark.parametrize("share", [1.0, 0.6])
@pytest.mark.parametrize("light", ["day", "lamp"])
def test_three_maneuvers_of_equal_print_are_told_apart_by_colour(
    muted: tuple[Deck, Reader], share: float, light: str
) -> None:
    deck, reader = muted
    table: Board = {**EMPTY, ("L", "far"): (FACE_DOWN, "A3"), ("S", "near"): ("S3", FACE_DOWN), ("A", "near"): ("L3",)}
    for seed in (1, 2):
        seen = thinned(SimulatedCamera("muted", seed, condition=light, deck=deck).still(table, ORDER), share)
        sight = reader.read(seen).sight
        assert dict(sight.board) == table
