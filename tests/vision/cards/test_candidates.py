"""Where cards may lie: what seems to be glare under one face may be another face."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.names import FACE_DOWN, Face
from tests.vision.cards.drawn_deck import read_golden
from vision.cards import explanation as explanations
from vision.cards import read_column as read_columns
from vision.cards.calibration import Weighed, believed
from vision.cards.candidates import Candidate, by_print, weighed
from vision.cards.classify import Judged
from vision.cards.column import Column, column_at
from vision.cards.explanation import Explanations
from vision.cards.headers import HeaderSearch
from vision.cards.templates import FINE, Bank
from vision.profile import FACES, DeckProfile
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.tracking.reader import SURE, Reader


def weighed_in(
    stack: tuple[Face, ...], profile: DeckProfile, deck: Deck, reader: Reader
) -> tuple[Bank, Column, list[Candidate]]:
    """A stack by daylight: the deck's bank, the column that it lies in, and all cards that its headers' print tells."""
    image = SimulatedCamera("bright", 5, condition="day", deck=deck).still(
        {**EMPTY, ("A", "near"): stack}, ("A", "L", "S")
    )
    reading, bank = reader.read(image), Bank(profile)
    column = column_at(image, reading.registration.pose, reading.frames["A", "near"], reading.roots)
    found = by_print(bank, column, HeaderSearch(bank, column, slice(0, bank.count)))
    return bank, column, list(weighed(bank, column, found, {}).values())


def test_a_pale_picture_under_a_header_is_no_glare_on_another_face_that_is_drawn_higher(profile: DeckProfile) -> None:
    """An A2 was read as an L2 for certain: their numbers lie 1.7 mm apart, so the L2's header fits by them, and laid
    so, the A2's peach picture looked like glare on the L2's violet one."""
    sight = read_golden("drawn-higher", profile, design=8009, cut=("A2", "L2"))
    assert [card.read for card in sight.stacks["L", "near"]] == ["A2", "L4"]


def test_what_covers_a_card_is_no_glare_on_it(profile: DeckProfile) -> None:
    """An A6 was read as an S6 for certain: the card that covers it is lighter than the S6 would be there, which counted
    as glare, and the A6 was held only against what that spares."""
    sight = read_golden("covered-shine", profile, design=11004)
    assert [card.read for card in sight.stacks["L", "near"]] == ["A6", "L3"]


def test_where_a_header_is_found_is_told_in_plain_numbers(profile: DeckProfile, deck: Deck, reader: Reader) -> None:
    """Where nothing was laid better than it was found, a card's place was of numpy's numbers, whose comparisons look
    nothing up in a tuple: with such a card far from its board the reading ended in an error."""
    # Given a card on a table,
    bank, column, _ = weighed_in(("A4",), profile, deck, reader)
    # when headers are looked for,
    found = HeaderSearch(bank, column, slice(0, bank.count)).places(16)
    # then they are found, and their places are numbers that compare to plain truths.
    assert found
    assert {type(number) for _, at in found for number in (at.x, at.y, at.turn)} == {float}


def test_a_card_that_its_best_face_left_askew_is_laid_as_another_face_was_found(
    profile: DeckProfile, deck: Deck, reader: Reader
) -> None:
    """A back lay under an A2 and both have a figure 2, 2.5 mm further aside on one of them: laid by it, the back was
    held against no other face as it lies, and was an A2 for certain."""
    # Given a back under an A2, the back found as it lies, and an A2 that goes with its figure alone and lies askew,
    bank, column, cards = weighed_in((FACE_DOWN, "A2"), profile, deck, reader)
    back, a2 = (max((c for c in cards if c.face == FACES.index(f)), key=lambda c: c.match) for f in (FACE_DOWN, "A2"))
    askew = replace(back.place, x=back.place.x + 2.5 * FINE, turn=back.place.turn + 0.06)
    wrong = replace(back, face=a2.face, place=askew, match=0.5, costs=back.costs - np.float32(0.2), header=None)
    # when the A2 explains the column better,
    told = Explanations(bank, column).by([wrong, back, a2])
    assert [card.face for card in told.chain.cards] == [a2.face, a2.face]
    # then the card is a back all the same, and goes with it as it lies.
    assert [FACES[card.faces[0][0]] for card in told.reading.cards] == [FACE_DOWN, "A2"]
    assert told.reading.cards[0].match > 0.8


@pytest.mark.parametrize("behind", [0.2, -0.02])
@pytest.mark.parametrize(("goes_with_it", "sure"), [(0.46, False), (0.85, True)])
def test_a_card_that_goes_badly_with_a_face_wherever_it_is_laid_is_in_doubt(
    profile: DeckProfile,
    deck: Deck,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    goes_with_it: float,
    sure: bool,
    behind: float,
) -> None:
    """Rehearsed with a deck of which both have the figure 2, an A2 whose words glare blew out was a back for certain:
    laid as a back was found by that figure, 6 degrees askew, it went with it at 0.46, and the A2 was not held there."""
    # Given an A2 found askew, which goes with it hardly better than a back does, or hardly less well,
    bank, column, cards = weighed_in(("A2",), profile, deck, reader)
    a2 = max((c for c in cards if c.face == FACES.index("A2")), key=lambda c: c.match)
    two, down, one = FACES.index("A2"), FACES.index(FACE_DOWN), FACES.index("A1")
    found = replace(a2, match=0.3)
    back = replace(found, face=down, place=replace(found.place, turn=found.place.turn - 0.1), match=0.6)

    def judged(bank: Bank, column: Column, chain: tuple[Candidate, ...], k: int, *_: object) -> Judged:
        if chain[k] is back:
            return Judged(((down, 0.0), (one, 10.0)), back.place, 88.0, goes_with_it, 0.2)
        first = min(0.0, behind)
        faces = sorted([(two, -first), (down, behind - first)], key=lambda face: face[1])
        return Judged(tuple(faces), found.place, 88.0, 0.24, 0.2)

    monkeypatch.setattr(explanations, "judge_card", judged)
    # when it goes with the back badly, too, or plainly, as the back was found,
    card = Explanations(bank, column)._card((found,), 0, bank.count, [found, back])
    # then it is a back for certain only in the second case.
    faces = {FACES[face]: nats for face, nats in card.faces}
    seen = believed(Weighed(faces, card.match, card.hue_error))
    assert (seen.read == FACE_DOWN and seen.p >= SURE) == sure
    assert sure or seen.p + dict(seen.others).get("A2", 0.0) > 0.9


@pytest.mark.parametrize(("face", "match", "confirmed"), [("L6", 0.75, True), ("A6", 0.78, True), ("A6", 0.91, False)])
def test_what_a_full_search_tells_plainly_otherwise_is_read_otherwise(
    profile: DeckProfile,
    deck: Deck,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    face: Face,
    match: float,
    confirmed: bool,
) -> None:
    """An A6 was an L6 for certain: the L6 was laid by the 6 that both share, two degrees askew, where the A6 went less
    well than it. A search that tried every place found the A6 as it lies, in the same place, and was not believed."""
    # Given a first look that finds an L6,
    bank, column, cards = weighed_in(("L6",), profile, deck, reader)
    l6 = replace(max(cards, key=lambda c: c.match), face=FACES.index("L6"), match=0.75)

    def judged(bank: Bank, column: Column, chain: tuple[Candidate, ...], k: int, *_: object) -> Judged:
        return Judged(((chain[k].face, 0.0), (FACES.index("S1"), 20.0)), chain[k].place, 88.0, 0.84, 0.1)

    monkeypatch.setattr(read_columns, "likely", lambda *_: [l6])
    monkeypatch.setattr(explanations, "judge_card", judged)
    first = read_columns._FirstLook(bank, column)
    # when every place is tried, and the best card there has that face, or another that goes with it hardly better or
    # much better,
    full = Explanations(bank, column).by([replace(l6, face=FACES.index(face), match=match)])
    # then the first look counts but for the last.
    assert (first.confirmed_by(full) is not None) == confirmed


@pytest.mark.parametrize(("lead", "searched"), [(9.0, False), (2.0, True)])
def test_a_card_that_leads_clearly_is_not_looked_for_by_its_edges_for_its_print_goes_weakly(
    profile: DeckProfile, deck: Deck, reader: Reader, monkeypatch: pytest.MonkeyPatch, lead: float, searched: bool
) -> None:
    """Of 1,060 photographs and tables in rooms none was told otherwise by what that finds, and of 1,132 spoilt ones
    four, three of them worse."""
    # Given a card whose print goes weakly with its face, as through a veil,
    bank, column, _ = weighed_in(("L6",), profile, deck, reader)

    def judged(bank: Bank, column: Column, chain: tuple[Candidate, ...], k: int, *_: object) -> Judged:
        return Judged(((chain[k].face, 0.0), (FACES.index("S1"), lead)), chain[k].place, 88.0, 0.4, 0.1)

    monkeypatch.setattr(explanations, "judge_card", judged)
    asked: list[str] = []
    monkeypatch.setattr(read_columns, "by_edges", lambda *_: asked.append("edges") or [])
    # when the column is read, then it is looked for by edges only where another face goes nearly as well.
    assert [FACES[card.faces[0][0]] for card in read_columns.read_column(bank, column).cards] == ["L6"]
    assert bool(asked) == searched


@pytest.mark.parametrize(
    ("match", "hue_off", "lead", "again"),
    [(0.9, 0.5, 5.0, True), (0.9, 0.1, 5.0, False), (0.9, 0.5, 9.0, False), (0.6, 0.1, 9.0, True)],
)
def test_a_card_of_another_hue_than_its_face_is_read_again_without_highlights(
    profile: DeckProfile,
    deck: Deck,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    match: float,
    hue_off: float,
    lead: float,
    again: bool,
) -> None:
    """A line that a lamp drew over the short title of a grey S6 made it the A6 of wine red, whose title is long, at
    0.993, on one of 1,204 spoilt pictures."""
    bank, column, _ = weighed_in(("L6",), profile, deck, reader)

    def judged(bank: Bank, column: Column, chain: tuple[Candidate, ...], k: int, *_: object) -> Judged:
        return Judged(((chain[k].face, 0.0), (FACES.index("S1"), lead)), chain[k].place, 88.0, match, hue_off)

    monkeypatch.setattr(explanations, "judge_card", judged)
    asked: list[bool] = []
    monkeypatch.setattr(Column, "without_highlights", lambda _: asked.append(True))
    read_columns.read_column(bank, column)
    assert bool(asked) == again


@pytest.mark.parametrize(("match", "plain"), [(0.64, False), (0.86, True)])
def test_what_glare_spares_is_asked_for_unless_the_print_of_every_card_is_plain(
    profile: DeckProfile,
    deck: Deck,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    match: float,
    plain: bool,
) -> None:
    """Through an overexposed cheap camera a back that anybody could read was an L2 for certain, at 0.64 where an A6 had
    been found, 2 mm off; weighed as if glare hid much of it, it is found where it lies and goes with a back at 0.97."""
    bank, column, cards = weighed_in(("L6",), profile, deck, reader)
    l6 = max(cards, key=lambda c: c.match)

    def judged(bank: Bank, column: Column, chain: tuple[Candidate, ...], k: int, *_: object) -> Judged:
        return Judged(((chain[k].face, 0.0), (FACES.index("S1"), 3.0)), chain[k].place, 88.0, match, 0.1)

    monkeypatch.setattr(explanations, "judge_card", judged)
    told = Explanations(bank, column).by([l6])
    assert not told.settled, "which face it is is in doubt"
    assert told.faces_plain == plain
