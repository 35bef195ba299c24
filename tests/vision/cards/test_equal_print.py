"""Faces of equal print are told apart by colour, unless their print differs by more than chance."""

from __future__ import annotations

import numpy as np

from tests.vision.cards.drawn_deck import golden_bank, golden_column, read_golden, seen_alone
from vision.geometry.light import root_table
from vision.profile import DeckProfile


def test_print_that_is_nearly_equal_counts_beyond_what_chance_does(profile: DeckProfile) -> None:
    """Of three Maneuvers with pictures of their own, a worn L3 was read as an S3 for certain by its hue, though it goes
    with the card at 0.98 and the S3 at 0.95."""
    sight = read_golden("near-equal-print", profile, design=11006)
    assert [card.read for card in sight.stacks["L", "near"]] == ["A5", "L2", "-", "A3", "L3", "-"]


def test_what_is_taken_for_glare_hides_no_hue_that_is_plainly_seen(profile: DeckProfile) -> None:
    """Of an S3 in a sleeve, in dim light, half the header was taken for glare, and by the hue of the rest it was any of
    three Maneuvers: all of it is wine red, where the others are green and blue."""
    bank = golden_bank("hue-under-glare", profile, "L2", "A3", "L3", "S3")
    gains, full = root_table(np.array([2.4854, 2.4267, 2.8941])), np.array([255, 255, 255], np.uint8)
    column = golden_column("hue-under-glare", gains, 0.8102, full)
    seen = seen_alone(bank, column)
    assert [card.read for card in seen] == ["L2", "S3"]
    assert seen[1].p > 0.9
