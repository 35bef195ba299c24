"""Cards that lie where no column reads them are found, whatever lies around; what lay there before is not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import THEATERS
from engine.sight import Note
from vision.geometry.light import to_linear, to_tone
from vision.profile import DeckProfile
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.simulate.scene import Lying
from vision.tracking.misplaced import FoundMisplacedCard, MisplacedCardFinder, where_it_lies, with_misplaced
from vision.tracking.reader import Reader, TableReading
from vision.types import Picture

BOARD = {**EMPTY, ("A", "near"): ("A1", "A5"), ("L", "far"): ("L3",), ("S", "near"): ("-",)}


class Table:
    """A simulated table that was looked at once; what a test lays on it then."""

    def __init__(self, deck: Deck, profile: DeckProfile) -> None:
        self.camera = SimulatedCamera("bright", 21, condition="day", deck=deck)
        self.lying = self.camera.lay(BOARD, THEATERS)
        self.reader, self.profile = Reader(profile), profile
        self.first = self.read(self.picture())

    def picture(self, *more: Lying) -> Picture:
        return self.camera.picture((*self.lying, *more))

    def read(self, picture: Picture) -> tuple[Picture, TableReading]:
        return picture, self.reader.read(picture)

    def with_card(self, x: float, y: float, turn: float, face: str = "S4") -> tuple[FoundMisplacedCard, ...]:
        """What is found of a card that came to lie there, mm and degrees."""
        cards = MisplacedCardFinder(self.profile)
        assert cards.see(*self.first) == ()
        return cards.see(*self.read(self.picture(Lying(face, x, y, turn))))


@pytest.fixture(scope="module")
def table(deck: Deck, profile: DeckProfile) -> Table:
    return Table(deck, profile)


@pytest.mark.parametrize(
    ("x", "y", "turn", "face", "code", "at"),
    [
        (68.0, -100.0, 3.0, "S4", "beside-columns", "S/near/S4"),
        (60.0, 105.0, 176.0, "-", "beside-columns", "L/far/-"),
        (176.0, 105.0, 178.0, "A3", "beside-columns", "S/far/A3"),
        (130.0, 115.0, 90.0, "L6", "askew", "S/far/L6"),
        (0.0, -115.0, 40.0, "-", "askew", "L/near/-"),
        (3.0, 0.0, 85.0, "S4", "on-board", "L/S4"),
        (-130.0, 8.0, 12.0, "-", "on-board", "A/-"),
    ],
)
def test_a_card_that_no_column_reads_is_found_where_it_lies(
    table: Table, x: float, y: float, turn: float, face: str, code: str, at: str
) -> None:
    (card,) = table.with_card(x, y, turn, face)
    assert card.note == Note(code, at)  # type: ignore[arg-type]
    assert abs(card.middle[0] - x) < 4 and abs(card.middle[1] - y) < 4


def test_what_lay_there_from_the_beginning_is_no_card_that_was_laid(table: Table) -> None:
    pile = Lying("-", 65.0, -105.0, 2.0)
    cards = MisplacedCardFinder(table.profile)
    for _ in range(2):
        assert cards.see(*table.read(table.picture(pile))) == ()


def test_a_card_is_found_again_as_long_as_it_lies_there_and_no_longer(table: Table) -> None:
    cards = MisplacedCardFinder(table.profile)
    cards.see(*table.first)
    with_it = table.picture(Lying("S4", 65.0, -100.0, 3.0))
    assert [len(cards.see(*table.read(picture))) for picture in (with_it, with_it, table.first[0])] == [1, 1, 0]


def test_a_card_is_found_under_a_veil_that_was_not_there_before(table: Table) -> None:
    # Given a table, and a card laid beside its columns while the sun begins to shine into the lens
    cards = MisplacedCardFinder(table.profile)
    cards.see(*table.first)
    light = to_linear(table.picture(Lying("S4", 68.0, -100.0, 3.0)) / 255.0)
    veiled = np.round(255 * to_tone(0.8 * light + np.array([0.14, 0.1, 0.08]))).astype(np.uint8)
    # When the veiled picture is looked at, then the card is found as in a clear one
    assert [card.note for card in cards.see(*table.read(veiled))] == [Note("beside-columns", "S/near/S4")]


def test_a_thing_as_large_as_a_card_that_is_none_is_not_taken_for_one(table: Table) -> None:
    cards = MisplacedCardFinder(table.profile)
    picture, reading = table.first
    cards.see(picture, reading)
    phone = picture.copy()
    corners = np.array([[34.0, -56.0], [97.0, -56.0], [97.0, -144.0], [34.0, -144.0]])
    cv2.fillPoly(phone, [np.round(reading.registration.project(corners)).astype(np.int32)], (40, 40, 40))
    assert cards.see(*table.read(phone)) == ()


def test_the_column_beside_which_a_card_lies_is_in_no_doubt_for_it(table: Table) -> None:
    cards = MisplacedCardFinder(table.profile)
    cards.see(*table.first)
    _, reading = table.read(table.picture(Lying("S4", 130.0, 115.0, 45.0)))
    before = table.first[1].sight
    doubted = replace(reading.sight, sure=False, notes=(Note("foreign", "S/far"), Note("doubtful", "S/far")))
    found = cards.see(table.picture(Lying("S4", 130.0, 115.0, 45.0)), reading)
    sight = with_misplaced(doubted, found, before)
    assert sight.sure and sight.notes == (Note("askew", "S/far/S4"),)


def test_the_doubt_stays_where_the_column_reads_otherwise_than_before(table: Table) -> None:
    card = FoundMisplacedCard("askew", "A/near", "S4", (-130.0, -115.0), np.array([[-160.0, -70.0], [-100.0, -160.0]]))
    before = table.first[1].sight
    less = {**before.stacks, ("A", "near"): before.stacks["A", "near"][:1]}
    doubted = replace(before, stacks=less, sure=False, notes=(Note("foreign", "A/near"),))
    assert not with_misplaced(doubted, [card], before).sure


def test_the_nearest_column_is_that_of_the_card_s_own_side() -> None:
    assert where_it_lies(62.0, -100.0, "SAL") == ("beside-columns", "A/near")
    assert where_it_lies(120.0, 100.0, "SAL") == ("askew", "L/far")
    assert where_it_lies(-130.0, 10.0, "SAL") == ("on-board", "S")
