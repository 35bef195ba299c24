"""Where cards may lie: what seems to be glare under one face may be another face."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.picture_file import open_picture
from vision.profile import DeckProfile
from vision.simulate.deck_design import design_deck
from vision.tracking.reader import Reader
from vision.types import Picture

GOLDEN = Path(__file__).parents[1] / "golden" / "drawn-higher"


def sized(picture: Picture, like: Picture) -> Picture:
    size = (like.shape[1], like.shape[0])
    return np.asarray(cv2.resize(picture[..., :3], size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def test_a_pale_picture_under_a_header_is_no_glare_on_another_face_that_is_drawn_higher(profile: DeckProfile) -> None:
    """An A2 was read as an L2 for certain: their numbers lie 1.7 mm apart, so the L2's header fits by them, and laid
    so, the A2's peach picture looked like glare on the L2's violet one."""
    deck = design_deck(8009)
    faces = {name: sized(deck.faces[name], old) for name, old in profile.faces.items()}
    faces |= {name: np.asarray(cv2.imread(str(GOLDEN / f"{name}.png")), dtype=np.uint8) for name in ("A2", "L2")}
    boards = {name: sized(deck.boards[name], old) for name, old in profile.boards.items()}
    reader = Reader(replace(profile, faces=faces, boards=boards), patient=False)
    sight = reader.read(open_picture(GOLDEN / "table.jpg")).sight
    assert [card.read for card in sight.stacks["L", "near"]] == ["A2", "L4"]
