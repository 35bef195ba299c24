"""The simulated camera: given a table, it draws that table, the same way every time, with cards that stay put."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.failure import BadInput
from engine.names import CARDS, FACE_DOWN, THEATERS
from engine.places import PLACES
from vision.geometry.table import BOARD, CARD, MAT, tag_corners
from vision.simulate import CONDITIONS, EMPTY, LOOKS, FilmStep, SimulatedCamera, deck_sheet, print_deck, varied
from vision.simulate.deck import ONGOING
from vision.simulate.optics import Light, Optics, View
from vision.simulate.scene import Hands, Sloppiness

TABLE = {**EMPTY, ("A", "near"): ("A6", "-", "S2"), ("L", "far"): ("-", "L4"), ("S", "near"): ("A3",)}


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera("bright", 5)


@pytest.mark.parametrize("style", sorted(LOOKS))
def test_a_deck_has_eighteen_faces_a_back_and_three_boards(style: str) -> None:
    deck = print_deck(style)
    assert set(deck.faces) == {*CARDS, FACE_DOWN}
    assert set(deck.boards) == set(THEATERS)
    height, width = deck.faces["A1"].shape[:2]
    assert (width / deck.scale, height / deck.scale) == pytest.approx(CARD, abs=0.3)
    height, width = deck.boards["S"].shape[:2]
    assert (width / deck.scale, height / deck.scale) == pytest.approx(BOARD, abs=0.3)


@pytest.mark.parametrize("style", sorted(LOOKS))
def test_no_two_headers_of_a_deck_look_the_same(style: str) -> None:
    deck = print_deck(style)
    band = round(22 * deck.scale)
    for one, two in itertools.combinations(deck.faces, 2):
        apart = np.abs(deck.faces[one][:band].astype(int) - deck.faces[two][:band].astype(int)).mean()
        assert apart > 4, f"{one} and {two} of {style} are alike"


def test_the_shop_look_has_one_picture_for_all_maneuvers() -> None:
    deck = print_deck("muted")
    picture = slice(round(30 * deck.scale), None)
    apart = np.abs(deck.faces["A3"][picture].astype(int) - deck.faces["S3"][picture].astype(int)).mean()
    assert apart < 4, "their headers' colour is all that tells them apart, as in a shop deck"


def test_the_symbol_tells_what_happens_at_once_and_what_lasts() -> None:
    lasting = {card for card in CARDS if card in ONGOING}
    assert lasting == {"A1", "A4", "A5", "L4", "S2", "S5"}, "Air Drop happens at once: its card shows the bolt"


def test_seeds_make_different_decks_of_one_look() -> None:
    assert not np.array_equal(print_deck("bright", 1).faces["L4"], print_deck("bright", 2).faces["L4"])
    assert np.array_equal(print_deck("bright", 1).faces["L4"], print_deck("bright", 1).faces["L4"])


def test_a_sheet_shows_the_whole_deck() -> None:
    sheet = deck_sheet(print_deck("paper"))
    assert sheet.dtype == np.uint8
    assert sheet.shape[0] > 3 * 88 * 4


def test_an_unknown_style_or_condition_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="bright"):
        SimulatedCamera("nonesuch")
    with pytest.raises(BadInput, match="lamp"):
        SimulatedCamera(condition="fog")


def test_the_same_seed_gives_the_same_picture() -> None:
    one, two = (SimulatedCamera("night", 9).still(TABLE, "SAL") for _ in range(2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, SimulatedCamera("night", 10).still(TABLE, "SAL"))


def test_tags_lie_where_the_contract_says(camera: SimulatedCamera) -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    corners, ids, _ = detector.detectMarkers(camera.still(EMPTY))
    seen = {int(tag): quad.reshape(4, 2) for tag, quad in zip(np.ravel(ids), corners, strict=True)}
    assert set(seen) == {0, 1, 2, 3}
    for tag, quad in seen.items():
        there = camera.optics.project(np.array([(*c, 0.0) for c in tag_corners(tag)]))
        assert np.abs(quad - there).max() < 2.5


def test_what_is_laid_shows_and_only_there(camera: SimulatedCamera) -> None:
    bare = camera.still(EMPTY, "SAL").astype(int)
    laid = camera.still({**EMPTY, ("L", "near"): ("L6",)}, "SAL").astype(int)
    changed = np.abs(laid - bare).max(axis=2) > 40
    middle = camera.optics.project(np.array([(130.5, -94.0, 0.0)]))[0]
    rows, columns = np.nonzero(changed)
    assert np.hypot(columns.mean() - middle[0], rows.mean() - middle[1]) < 12
    assert changed.sum() > 0.4 * 63.5 * 88 * camera.optics.scale() ** 2


def test_a_card_lies_in_one_place_until_it_is_moved() -> None:
    hands = Hands(Sloppiness(), np.random.default_rng(3))
    first = hands.lay({**EMPTY, ("A", "near"): ("A1", "-")}, THEATERS)
    second = hands.lay({**EMPTY, ("A", "near"): ("A1", "-", "L2"), ("S", "far"): ("S1",)}, THEATERS)
    assert set(first) < set(second)
    turned = hands.lay({**EMPTY, ("A", "near"): ("A1", "A4", "L2"), ("S", "far"): ("S1",)}, THEATERS)
    before = next(c for c in second if c.what == "-")
    after = next(c for c in turned if c.what == "A4")
    assert np.hypot(after.x - before.x, after.y - before.y) < 6, "a card that is flipped stays where it was"


def test_a_stack_of_nine_stays_on_the_mat_with_every_header_in_sight() -> None:
    hands = Hands(Sloppiness(), np.random.default_rng(5))
    nine = ("A1", "-", "A2", "L2", "-", "S6", "A3", "L4", "-")
    lying = hands.lay({**EMPTY, ("A", "near"): nine}, THEATERS)
    assert min(card.y for card in lying) - CARD[1] / 2 > -MAT[1] / 2 - 12
    assert all(one.y - two.y >= 10 for one, two in itertools.pairwise(lying))


def test_a_reflection_only_adds_light() -> None:
    camera = SimulatedCamera("bright", 6, condition=replace(CONDITIONS["day"], light=Light(veil=0.5, noise=0)))
    plain = SimulatedCamera("bright", 6, condition=replace(CONDITIONS["day"], light=Light(noise=0)))
    lying = camera.lay({**TABLE, ("L", "near"): ("A1",)}, THEATERS)
    assert (camera.plate(lying).astype(int) - plain.plate(lying)).min() > -4, "nothing shines darker or in colours"


def test_a_card_that_a_lamp_blows_out_keeps_no_print() -> None:
    camera = SimulatedCamera("night", 6, condition=replace(CONDITIONS["day"], light=Light(veil=0.4, blown=0.4)))
    lying = camera.lay({**TABLE, ("L", "near"): ("A1", "A2"), ("S", "far"): ("L1",)}, THEATERS)
    left = camera.print_left(lying)
    assert min(left) < 0.05 and max(left) > 0.95
    assert all(share == 1 for share, thing in zip(left, lying, strict=True) if thing.what in THEATERS)


def test_each_owner_has_the_cards_upright() -> None:
    hands = Hands(Sloppiness(), np.random.default_rng(4))
    lying = hands.lay({**EMPTY, ("L", "near"): ("L1", "L2"), ("L", "far"): ("A1", "A2")}, THEATERS)
    for card in lying:
        near = card.what.startswith("L")
        assert (card.y < -80) == near
        assert abs(card.turn - (0 if near else 180)) < 10
    assert abs(lying[1].y) > abs(lying[0].y), "later cards lie nearer to their owner"


@pytest.mark.parametrize("kind", sorted(CONDITIONS))
def test_every_kind_of_table_can_be_drawn(kind: str) -> None:
    picture = SimulatedCamera("muted", 2, condition=kind, resolution=(1280, 720), vary=True).still(TABLE)
    assert picture.shape == (720, 1280, 3)
    assert picture.dtype == np.uint8
    assert picture.std() > 8


def test_without_the_mat_there_are_no_tags() -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    _, ids, _ = detector.detectMarkers(SimulatedCamera("bright", 1, condition="nomat").still(TABLE))
    assert ids is None


def test_enrolment_shows_six_of_one_theater_in_each_photograph() -> None:
    camera = SimulatedCamera("paper", 6)
    photos = camera.enrolment_photos()
    assert list(photos) == ["air", "land", "sea", "back"]
    assert all(p.shape == (720, 1280, 3) for p in photos.values())


def test_a_lens_bends_the_picture_and_the_map_undoes_it() -> None:
    optics = Optics(View(tilt=12, lean=70, k1=-0.12, k2=0.02), (640, 360))
    places = optics.table_map()
    for row, column in ((180, 320), (40, 60), (330, 600)):
        x, y = places[row, column]
        assert optics.project(np.array([(x, y, 0.0)]))[0] == pytest.approx((column, row), abs=0.3)


def test_a_film_shows_a_hand_between_still_tables() -> None:
    camera = SimulatedCamera("bright", 8)
    order = ("S", "A", "L")
    laid = {**EMPTY, ("A", "far"): ("-",)}
    steps = [FilmStep(EMPTY, order, hold=0.4), FilmStep(laid, order, "far", hold=0.4)]
    frames = list(camera.film(iter(steps), fps=10))
    times = [f.t for f in frames]
    assert times == pytest.approx([k / 10 for k in range(len(frames))])
    assert [f.still for f in frames[:4]] == [0, 0, 0, 0]
    assert [f.still for f in frames[-4:]] == [1, 1, 1, 1]
    hand = [f.image for f in frames if f.still is None]
    assert len(hand) > 10
    before, after = frames[0].image.astype(int), frames[-1].image.astype(int)

    def covered(image: np.ndarray) -> float:
        return min(float((np.abs(image - still).max(axis=2) > 40).mean()) for still in (before, after))

    assert max(covered(i.astype(int)) for i in hand) > 0.02, "an arm is a large thing in the picture"


def test_steps_are_taken_one_at_a_time() -> None:
    asked: list[int] = []

    def script():  # type: ignore[no-untyped-def]
        for k in range(3):
            asked.append(k)
            yield FilmStep(EMPTY, THEATERS, hold=0.2)

    film = SimulatedCamera("bright", 1).film(script(), fps=10)
    next(film)
    assert asked == [0], "a demonstration decides its next step while the film runs"


def test_chance_is_drawn_anew_for_every_seed() -> None:
    one, two = (varied(CONDITIONS["lamp"], np.random.default_rng(k)) for k in (1, 2))
    assert one.view.roll != two.view.roll
    assert one.light.lamp != two.light.lamp


def test_every_place_has_a_board_entry() -> None:
    assert set(EMPTY) == set(PLACES)
