"""The same print may lie up to two millimetres elsewhere in another face's cut."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.cards.drawn_deck import read_golden
from vision.cards.cut_offset import LEAST_OFFSET, cut_elsewhere, cut_offset, moved
from vision.profile import DeckProfile
from vision.types import Grey, Tones


def header(seed: int, right: float = 0.0, down: float = 0.0) -> Grey:
    """Smooth print, so many mm off: (22, 63) at 1 px/mm."""
    print_ = cv2.GaussianBlur(np.random.default_rng(seed).normal(size=(60, 100)).astype(np.float32), (0, 0), 1.5)
    there = np.array([[1, 0, right - 15], [0, 1, down - 15]], np.float32)
    out = np.asarray(cv2.warpAffine(print_, there, (63, 22)), dtype=np.float32)
    return np.asarray((out - out.mean()) / out.std(), dtype=np.float32)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000), st.floats(-2, 2), st.floats(-2, 2))
def test_where_shared_print_lies_is_told_to_a_third_of_a_millimetre(seed: int, right: float, down: float) -> None:
    offset = cut_offset(header(seed), header(seed, right, down))
    assert offset.right == pytest.approx(right, abs=0.34)
    assert offset.down == pytest.approx(down, abs=0.34)
    assert offset.alike > 0.9


def test_only_faces_that_share_print_elsewhere_are_named() -> None:
    faces = [header(1), header(1, 1.4, -1.0), header(1, 0.1, 0.0), header(2)]
    assert cut_elsewhere(faces) == ((1,), (0, 2), (1,), ())


def test_a_face_is_moved_to_where_the_other_has_their_print() -> None:
    one, other = header(3), header(3, 1.5, 1.0)
    brought: Tones = moved(np.dstack([other] * 3), cut_offset(one, other))
    inner = np.s_[4:-4, 4:-4]
    assert np.corrcoef(brought[..., 0][inner].ravel(), one[inner].ravel())[0, 1] > 0.97
    near = np.dstack([header(3, LEAST_OFFSET / 2, 0.0)] * 3)
    assert moved(near, cut_offset(one, near[..., 0])) is near


def test_a_six_whose_figures_lie_elsewhere_in_its_cut_is_no_other_six(profile: DeckProfile) -> None:
    """An L6 in glare was read as an A6 for certain: laid where the A6 goes best, 1.4 mm off for it, it trailed so far
    that it was never laid where it goes best itself, and goes with the card at 0.98 instead of the A6's 0.93."""
    sight = read_golden("cut-elsewhere", profile, design=11000, cut=("A6", "L6"))
    assert [card.read for card in sight.stacks["A", "near"]] == ["L6", "A4"]


def test_the_rim_of_what_covers_a_card_is_none_of_its_print(profile: DeckProfile) -> None:
    """An L6 was read as an A6 for certain: the L3 on it was cut out a millimetre off, so a line of it showed beside
    where it was taken to lie, and the L6 went with what shows at 0.77."""
    sight = read_golden("cut-elsewhere", profile, design=11000, cut=("A6", "L3", "L6"), picture="rim")
    assert [card.read for card in sight.stacks["A", "near"]] == ["L1", "L6", "L3"]


def test_a_maneuver_is_compared_with_another_one_where_each_lies_in_its_own_cut(profile: DeckProfile) -> None:
    """An A3 through a webcam was an L3 at 0.999: that was cut out 0.6 mm aside, and where it lies the A3's header goes
    28 nats worse, which counted as print that speaks against an A3; its hue was plainly that of an A3."""
    sight = read_golden("own-cut", profile, design=2215000, cut=("A3", "L3", "S3"))
    assert [(card.read, card.p > 0.99) for card in sight.stacks["A", "far"]] == [("A3", True)]
    assert sight.stacks["L", "far"][2].read == "S3"
