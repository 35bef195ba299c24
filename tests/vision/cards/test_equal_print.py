"""Faces of equal print are told apart by colour, unless their print differs by more than chance."""

from __future__ import annotations

from tests.vision.cards.drawn_deck import read_golden
from vision.profile import DeckProfile


def test_print_that_is_nearly_equal_counts_beyond_what_chance_does(profile: DeckProfile) -> None:
    """Of three Maneuvers with pictures of their own, a worn L3 was read as an S3 for certain by its hue, though it goes
    with the card at 0.98 and the S3 at 0.95."""
    sight = read_golden("near-equal-print", profile, design=11006)
    assert [card.read for card in sight.stacks["L", "near"]] == ["A5", "L2", "-", "A3", "L3", "-"]
