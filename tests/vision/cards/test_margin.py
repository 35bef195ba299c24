"""How surely a column has so many cards where the lower end of the uppermost one is not seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.names import FACE_DOWN
from vision.cards.candidates import Candidate, likely
from vision.cards.chain import Chain
from vision.cards.classify import Judged
from vision.cards.column import LENGTH, WIDTH, Column
from vision.cards.headers import HeaderSearch
from vision.cards.margin import margin_by_end, margin_of
from vision.cards.templates import CARD_H, CARD_W, FINE, MIDDLE, Bank
from vision.geometry.align import Placed
from vision.geometry.light import root_table
from vision.profile import FACES, DeckProfile
from vision.types import Picture

BACK = FACES.index(FACE_DOWN)
HERE = Placed(60.0, 40.0, 0.0)
TOP = 22.0
"""Where the bent back lies, mm below the column's upper end."""


@pytest.mark.parametrize(
    ("header", "whole", "repeats", "certain"),
    [
        (0.82, 0.6, 0.3, True),
        (0.78, 0.65, 0.39, True),
        (0.7, 0.6, 0.3, False),
        (0.82, 0.4, 0.3, False),
        (0.82, 0.6, 0.6, False),
        (0.82, 0.9, 0.6, True),
        (0.95, 0.9, 0.83, False),
    ],
    ids=[
        "header seen",
        "rings too fine, white on white",
        "header faint",
        "another print below",
        "repeating",
        "all of it seen",
        "repeating, all seen",
    ],
)
def test_a_lamp_may_hide_the_end_of_a_back_whose_header_tells_where_it_lies(
    profile: DeckProfile, header: float, whole: float, repeats: float, certain: bool
) -> None:
    # Given an uppermost back whose end is not seen, of a deck whose back is so like itself further down,
    bank = Bank(profile)
    bank.__dict__["back_repeats"] = repeats
    back = Candidate(BACK, HERE, header, 0.0, np.full(88, -0.2, np.float32), None)
    chain = Chain((back,), -18.0, 18.0, endless=True)
    # when its header and all of it are so plainly seen, then it is certain or not that nothing lies further on.
    card = Judged(((BACK, 0.0), (0, 12.0)), HERE, 88.0, whole, 0.1)
    assert margin_by_end(chain, card, bank) == (18.0 if certain else 0.0)
    # A face is no back, nor is what goes with a face better than with the back that was found there.
    face = replace(card, faces=((0, 0.0), (BACK, 12.0)), match=0.75)
    assert margin_by_end(chain, face, bank) == 0.0


@pytest.mark.parametrize(("spared", "certain"), [(0.0, True), (0.3, False)])
def test_a_face_that_is_told_by_how_bright_it_is_may_have_another_card_on_it(
    profile: DeckProfile, spared: float, certain: bool
) -> None:
    """A white back in a shining sleeve lay on an L5 on a white mat: what it left of the L5 went with that face at 0.84,
    its print at 0.57, and nothing was in doubt."""
    # Given an uppermost face whose end is not seen, and that goes well with what is seen,
    face = Candidate(10, HERE, 0.9, 0.0, np.full(88, -0.2, np.float32), None)
    chain = Chain((face,), -18.0, 18.0, endless=True)
    card = Judged(((10, 0.0), (7, 12.0)), HERE, 88.0, 0.84, 0.1, spared=spared)
    # then it is certain that nothing lies on it only if its print does.
    assert margin_by_end(chain, card, Bank(profile)) == (18.0 if certain else 0.0)


@pytest.mark.parametrize(("cost", "match", "certain"), [(-1.5, 0.65, False), (-1.5, 0.75, True), (-8.0, 0.65, True)])
def test_a_card_that_is_hardly_there_may_be_another_number_of_cards(
    profile: DeckProfile, cost: float, match: float, certain: bool
) -> None:
    """Of two backs nearly of the mat's colour, under a glare, the lower edge of the glare was the end of a single one
    that lay between them, and that one was certain."""
    # Given a back that explains its column better than the bare mat by so much, and goes so well with it,
    back = Candidate(BACK, HERE, match, 0.0, np.full(88, cost / 88, np.float32), None)
    card = Judged(((BACK, 0.0), (0, 12.0)), HERE, 88.0, match, 0.1)
    # then it is certain that it is the only card, or not.
    assert margin_of(Chain((back,), cost, -cost, others=lambda _: -cost), [card], Bank(profile)) == (
        -cost if certain else 0.0
    )


def test_a_bent_back_is_laid_by_all_of_its_print(dunes_profile: DeckProfile) -> None:
    """Of five cards on a photograph the uppermost was a bent back, whose header lay half a degree straighter than all
    of it. Its chevrons were out of step from its middle on, and a sixth card one repeat further on explained more."""
    # Given a back that is bent by 3 mm, on a plain mat,
    bank = Bank(dunes_profile)
    column = Column(_bent(dunes_profile.faces[FACE_DOWN]), _everywhere(), root_table(np.ones(3)))
    # when the plain headers of the column are laid,
    found = likely(bank, column, HeaderSearch(bank, column, slice(0, bank.count)))
    [back] = [card for card in found if card.face == BACK and abs(card.top - TOP) < 2.0]
    # then the back explains each of its parts better than the table does, down to its end.
    assert all(float(part.sum()) < -1.0 * MIDDLE for part in np.array_split(back.costs, 11))


def _everywhere() -> NDArray[np.bool_]:
    return np.ones((round(LENGTH * FINE), round(WIDTH * FINE)), np.bool_)


def _bent(face: Picture) -> Picture:
    """A column's picture with a card whose lower end is bent 3 mm aside."""
    rows, width = _everywhere().shape
    picture = np.full((rows, width, 3), (150, 165, 170), np.float32)
    w, h, left, top = round(CARD_W), round(CARD_H), round(30 * FINE), round(TOP * FINE)
    picture[top : top + h, left : left + w] = cv2.resize(face[..., :3], (w, h), interpolation=cv2.INTER_AREA)
    y, x = np.mgrid[:rows, :width].astype(np.float32)
    aside = 3.0 * FINE * np.square(np.clip((y - top) / h, 0.0, 1.2))
    seen = cv2.GaussianBlur(cv2.remap(picture, x - aside, y, cv2.INTER_LINEAR), (0, 0), 0.35 * FINE)
    noise = np.random.default_rng(1).normal(0.0, 3.0, seen.shape)
    return np.asarray(np.clip(seen + noise, 0, 255), dtype=np.uint8)
