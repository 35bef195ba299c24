"""Where boards and cards lie in an enrolment photograph, held against where the simulated camera laid them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.failure import Failure
from engine.names import FACE_DOWN, SEATS, THEATERS
from vision.enrolment import placement
from vision.enrolment.enrol import PHOTOS, assemble, enrol, examine
from vision.enrolment.examine import LEAD
from vision.enrolment.placement import LAYOUT, place_all
from vision.geometry.rectify import frame_around
from vision.geometry.registration import register
from vision.geometry.table import BOARD, CARD
from vision.picture_file import open_picture
from vision.profile import BOARD_PX
from vision.simulate import EMPTY, Deck, SimulatedCamera, mats, print_deck
from vision.simulate.mats import MATS
from vision.simulate.scene import Lying
from vision.types import Picture

LAND = {
    **EMPTY,
    **{(t, seat): (f"L{k + n}",) for k, t in enumerate(THEATERS) for seat, n in zip(SEATS, (1, 4), strict=True)},
}
CORNERS = np.array([[0.0, 0.0], [1, 0], [1, 1], [0, 1]])


def worst(camera: SimulatedCamera, boards: bool = True) -> float:
    """The largest distance of a corner of any card, and any board, from where it was laid, mm."""
    lying = list(camera.lay(LAND, THEATERS))
    image = camera.picture(lying)
    found = register(image)
    assert found is not None
    layout = place_all(image, found.pose)
    pairs = [(layout.boards[k], of(lying, t), BOARD) for k, t in enumerate(THEATERS)] if boards else []
    pairs += [(card, of(lying, f"L{n + 1}"), CARD) for n, card in enumerate(layout.cards)]
    off = 0.0
    for placed, lies, size in pairs:
        true = frame_around((lies.x, lies.y), np.radians(lies.turn), *size)
        away = placed.frame.to_table(CORNERS * size) - true.to_table(CORNERS * size)
        off = max(off, float(np.hypot(*away.T).max()))
    return off


def of(lying: list[Lying], what: str) -> Lying:
    return next(x for x in lying if x.what == what)


def sombre(deck: Deck, colour: tuple[int, int, int]) -> Deck:
    """The deck without its border, each card's header and lower end hardly darker than the mat, a little mottled."""
    rng = np.random.default_rng(5)
    faces = {}
    for name, face in deck.faces.items():
        h, w = face.shape[:2]
        rim = round(2 * deck.scale)
        art = cv2.resize(face[rim:-rim, rim:-rim], (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
        mottle = cv2.resize(rng.normal(0, 5, (12, 9, 1)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
        tone = np.array(colour[::-1], np.float32) * 0.85 + mottle[..., None]
        figures = np.abs(art - np.median(art[: h // 4].reshape(-1, 3), axis=0)).max(axis=2)[: h // 4] > 60
        top = np.where(figures[..., None], art[: h // 4], tone[: h // 4])
        art[: h // 4] = top
        art[-h // 12 :] = tone[-h // 12 :]
        faces[name] = np.clip(art, 0, 255).astype(np.uint8)
    return replace(deck, faces=faces)


@pytest.mark.parametrize(("style", "seed"), [("bright", 1), ("muted", 2), ("night", 3), ("paper", 4)])
def test_every_card_and_board_is_found_where_it_was_laid(style: str, seed: int) -> None:
    assert worst(SimulatedCamera(style, seed, condition="day")) < 0.9


def test_cards_whose_header_and_lower_end_have_the_mats_colour_are_found_too() -> None:
    for seed in (1, 2, 3):
        camera = SimulatedCamera("muted", seed, condition="day")
        plate = camera.plate(())
        x, y = camera.optics.project(np.array([(0.0, 150.0, 0.0)]))[0].astype(int)
        blue, green, red = (int(v) for v in plate[y, x])
        near = min(MATS, key=lambda mat: abs(mat[0] - red) + abs(mat[1] - green) + abs(mat[2] - blue))
        deck = sombre(print_deck("muted", seed), near)
        assert worst(SimulatedCamera("muted", seed, condition="day", deck=deck)) < 2.0, seed


def test_a_line_in_the_picture_is_not_taken_for_the_lower_edge() -> None:
    """Every card has a dark foot with a bright line above it, as far from the edge as a card lies from its board."""
    plain = print_deck("bright", 1)
    foot = round(6 * plain.scale)
    faces = {}
    for name, face in plain.faces.items():
        art = face.copy()
        art[-foot:] = art[-foot:] // 3
        art[-foot - 8 : -foot] = 250
        faces[name] = art
    deck = replace(plain, faces=faces)
    assert worst(SimulatedCamera("bright", 2, condition="day", deck=deck)) < 0.9


def test_a_place_that_the_coarse_search_leaves_open_is_settled_in_the_fine_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card with a thin frame, of the mat's colour within, lay askew between two coarse turns and was refused."""
    camera = SimulatedCamera("bright", 2, condition="day")
    image = camera.picture(camera.lay(LAND, THEATERS))
    found = register(image)
    assert found is not None
    monkeypatch.setattr(placement, "CLOSE", np.inf)
    leads = [card.lead for card in place_all(image, found.pose).cards]
    assert min(leads) > 3 * LEAD


def framed(deck: Deck, border: float, colour: int, header: int) -> Deck:
    """The deck in a border of `border` mm of one grey, its headers of another."""
    rim, old = round(border * deck.scale), round(2 * deck.scale)
    faces = {}
    for name, face in deck.faces.items():
        h, w = face.shape[:2]
        art = cv2.resize(face[old:-old, old:-old], (w - 2 * rim, h - 2 * rim), interpolation=cv2.INTER_AREA)
        if name != FACE_DOWN:
            top = art[: h // 4].astype(np.float32)
            figures = np.abs(top - np.median(top.reshape(-1, 3), axis=0)).max(axis=2) > 60
            art[: h // 4] = np.where(figures[..., None], top, header)
        faces[name] = cv2.copyMakeBorder(art, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(colour,) * 3)
    return replace(deck, faces=faces)


@pytest.mark.parametrize("border", [1.8, 2.4])
def test_cards_whose_white_border_hardly_shows_on_a_white_mat_are_found_where_they_lie(
    border: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inside it a dark picture begins: its edge is plain on three sides, and that of the card is but a shadow."""
    monkeypatch.setattr(mats, "MATS", ((236, 236, 234),))
    deck = framed(print_deck("bright", 3), border, 244, 238)
    assert worst(SimulatedCamera("bright", 4, condition="day", deck=deck), boards=False) < 0.9


@pytest.mark.parametrize("likely", [True, False])
def test_a_thin_white_border_on_a_light_mat_is_the_grounds_colour_where_its_outer_edge_is_hardly_seen(
    likely: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path-traced photograph of cards with a border of 1.2 mm: all were cut by an edge of the picture within it, up
    to 2.1 mm off, for the border led by 54 to 100 nats and not by `BORDER_COST`."""
    if not likely:
        monkeypatch.setattr(placement, "BORDER_LIKELY", (np.inf, 8.0))
    golden = Path(__file__).parents[1] / "golden" / "pale-border"
    photograph = open_picture(golden / "photograph.jpg")
    found = register(photograph)
    assert found is not None
    lies = json.loads((golden / "cards.json").read_text())
    cards = place_all(photograph, found.pose).cards
    away = [np.subtract(card.centre, lies[f"{k}/{seat}"]) for (k, seat), card in zip(LAYOUT, cards, strict=True)]
    # The camera's own pose is half a millimetre off.
    assert (float(np.abs(away).max()) < 0.7) == likely


@pytest.fixture(scope="module")
def photos() -> dict[str, Picture]:
    return SimulatedCamera("bright", 1, condition="day").enrolment_photos()


def test_a_card_face_up_among_the_backs_is_named(photos: dict[str, Picture]) -> None:
    camera = SimulatedCamera("bright", 1, condition="day")
    board = {**EMPTY, **{(t, seat): (FACE_DOWN,) for t in THEATERS for seat in SEATS}}
    board["S", "far"] = ("A6",)
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], photos["land"], photos["sea"], camera.still(board))
    assert caught.value.code == "backs-differ"
    assert "the card on the far side of the right board" in str(caught.value)


def test_boards_that_were_exchanged_between_two_photographs_are_named(photos: dict[str, Picture]) -> None:
    camera = SimulatedCamera("bright", 1, condition="day")
    exchanged = camera.still(LAND, ("L", "A", "S"))
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], exchanged, photos["sea"], photos["back"])
    assert caught.value.code == "boards-differ"
    assert "land photograph" in str(caught.value)


def test_one_back_cut_a_little_off_is_put_right_by_the_other_five(photos: dict[str, Picture]) -> None:
    seen = {name: examine(photos[name]) for name in PHOTOS}
    right = assemble(seen).faces[FACE_DOWN]
    layout = seen["back"].layout
    assert layout is not None and len(layout.cards) == len(LAYOUT)
    off = []
    for card in layout.cards[:2]:
        middle = (card.centre[0] + 1.5, card.centre[1])
        off.append(replace(card, frame=frame_around(middle, card.frame.turn, *CARD)))
    moved = replace(layout, cards=(*off, *layout.cards[2:]))
    crops = tuple(seen["back"].crop(c.frame, (190, 264)) for c in moved.cards)
    again = assemble({**seen, "back": replace(seen["back"], layout=moved, cards=crops)}).faces[FACE_DOWN]
    assert float(np.abs(right.astype(float) - again).mean()) < 6


def test_a_board_that_was_placed_a_little_aside_is_none_of_another_deck(photos: dict[str, Picture]) -> None:
    """Where boards touch, the edge of one may be taken for its neighbour's: a good deck was refused for it."""
    seen = {name: examine(photos[name]) for name in PHOTOS}
    layout = seen["back"].layout
    assert layout is not None
    x, y = layout.boards[0].centre
    aside = replace(layout.boards[0], frame=frame_around((x + 5.5, y), layout.boards[0].frame.turn, *BOARD))
    moved = replace(layout, boards=(aside, *layout.boards[1:]))
    boards = tuple(seen["back"].crop(b.frame, BOARD_PX) for b in moved.boards)
    again = assemble({**seen, "back": replace(seen["back"], layout=moved, boards=boards)}).boards["A"]
    right = assemble(seen).boards["A"]
    assert float(np.abs(right.astype(float) - again).mean()) < 6


def test_a_token_of_a_boards_colour_beside_the_cards_does_not_hide_the_board() -> None:
    """Seed 5 has a blue token on the mat's rim, as blue as the board of the air."""
    assert worst(SimulatedCamera("bright", 5, condition="day")) < 0.9
