"""A card whose edges are seen all around has no other one lying on it askew, however little of its print is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

import vision.tracking.reader
from tests.vision.cards.drawn_column import as_column, photographed
from vision.cards.column import LENGTH, WIDTH
from vision.cards.outline import lies_bare
from vision.cards.templates import CARD_H, CARD_W, FINE
from vision.geometry.align import Placed
from vision.profile import DeckProfile
from vision.simulate import CONDITIONS, EMPTY, Deck, SimulatedCamera
from vision.tracking.reader import Reader
from vision.types import Picture

PLACE = Placed(60.0, 44.0, 0.02)


def table(profile: DeckProfile) -> Picture:
    """An A4 that a shine covers nearly all over, on a mat."""
    patch = np.full((round(LENGTH * FINE), round(WIDTH * FINE), 3), 110, np.uint8)
    face = np.asarray(cv2.resize(profile.faces["A4"], (CARD_W, CARD_H), interpolation=cv2.INTER_AREA), np.uint8)
    cv2.rectangle(face, (8, round(20 * FINE)), (CARD_W - 8, CARD_H - 8), (250, 250, 250), -1)
    return lay(patch, face, PLACE)


def lay(patch: Picture, card: Picture, place: Placed) -> Picture:
    size = patch.shape[1], patch.shape[0]
    covers = cv2.warpAffine(np.full(card.shape[:2], 255, np.uint8), place.matrix(), size) > 127
    drawn = patch.copy()
    drawn[covers] = cv2.warpAffine(card, place.matrix(), size)[covers]
    return drawn


def test_a_card_that_shines_all_over_lies_bare_where_its_edges_are_seen(profile: DeckProfile) -> None:
    assert lies_bare(as_column(photographed(table(profile))).tones, PLACE)


@pytest.mark.parametrize("light", [60, 160, 250])
@pytest.mark.parametrize(("turn", "aside", "down"), [(4, 0, 0), (-4, 6, 8), (12, 0, 10), (-30, 5, 0), (0, 7, 14)])
def test_under_a_card_that_lies_askew_some_edge_is_hidden(
    profile: DeckProfile, turn: int, aside: int, down: int, light: int
) -> None:
    card = np.full((CARD_H, CARD_W, 3), light, np.uint8)
    there = Placed(PLACE.x + aside * FINE, PLACE.y + down * FINE, PLACE.turn + float(np.radians(turn)))
    assert not lies_bare(as_column(photographed(lay(table(profile), card, there))).tones, PLACE)


@pytest.mark.parametrize("seen", [True, False])
def test_a_card_of_whose_print_hardly_anything_is_seen_is_certain_by_its_edges_alone(
    deck: Deck, profile: DeckProfile, monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    """Four of 168 photographs of seven decks were in doubt only because of a shine on a card, all rightly read."""
    # Given a card of which too little print is seen, for no print is enough here,
    monkeypatch.setattr(vision.tracking.reader, "UNSEEN_PRINT", (2.0, 0.1, 0.5))
    laid = {**EMPTY, ("L", "near"): ("L2",)}
    picture = SimulatedCamera("bright", 4, condition=CONDITIONS["day"], deck=deck).still(laid, ("A", "L", "S"))
    if not seen:
        monkeypatch.setattr(vision.tracking.reader, "lies_bare", lambda *_: False)
    # then it is certain where its edges are seen.
    sight = Reader(profile).read(picture).sight
    assert sight.board["L", "near"] == ("L2",)
    assert sight.sure == seen
