"""Where cards may lie: what seems to be glare under one face may be another face."""

from __future__ import annotations

from tests.vision.cards.drawn_deck import read_golden
from vision.profile import DeckProfile


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
