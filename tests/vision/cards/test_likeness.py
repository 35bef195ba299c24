"""What makes a card and a face alike: print by its detail, colour by hue, and when colour says nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.similarity import PATCH_MM, Look, PrintMask, sharpened
from vision.types import Tones

EVERYWHERE = np.ones((40, 64), np.float32)
WHITE = np.ones(3, np.float32)
"""What the camera gives at most in each channel, root of light."""


def face(blue: float, green: float, red: float) -> Tones:
    """A face of one colour with print on it, root of light."""
    print_on_it = np.random.default_rng(3).uniform(0.85, 1.0, (10, 16, 1)).repeat(4, 0).repeat(4, 1)
    return np.asarray(print_on_it * np.array([blue, green, red]), dtype=np.float32)


def hue_error(seen: Tones, known: Tones, most: Tones, saturation: float = 1.0) -> float:
    mask = PrintMask(EVERYWHERE, 1.0)
    return Look(mask, seen, most, saturation).against(mask.print_of(sharpened(known, 1.0), known))[2]


def test_another_colour_is_another_hue() -> None:
    assert hue_error(face(0.3, 0.5, 0.7), face(0.3, 0.5, 0.7), WHITE) < 0.1
    assert hue_error(face(0.3, 0.5, 0.7), face(0.7, 0.5, 0.3), WHITE) > 4


def test_a_camera_that_thins_colours_shows_the_same_hue_paler() -> None:
    # Given a strongly coloured card through a webcam that leaves half of the colour
    known = face(0.1, 0.6, 0.6)
    grey = known.mean(2, keepdims=True)
    thin = np.asarray(grey + 0.5 * (known - grey), dtype=np.float32)
    # Then it is that card's hue, once it is known how much colour is left
    assert hue_error(thin, known, WHITE) > 4
    assert hue_error(thin, known, WHITE, 0.5) < 0.1
    # And another card's hue stays another one
    assert hue_error(thin, face(0.6, 0.6, 0.1), WHITE, 0.5) > 4


def test_a_colour_of_which_one_channel_is_full_tells_no_hue() -> None:
    known = face(0.45, 0.6, 0.8)
    too_bright = np.minimum(known * np.float32(1.7), np.float32(1.0))
    assert hue_error(too_bright, known, WHITE) == 0
    # The same colours from a camera that could have given more are another card's.
    assert hue_error(too_bright, known, 1.5 * WHITE) > 1


@pytest.mark.parametrize(("light", "least", "most"), [(1.0, 2.0, 9.0), (0.1, 0.2, 1.8)])
def test_colour_counts_less_in_the_dark(light: float, least: float, most: float) -> None:
    known = face(0.3, 0.5, 0.7)
    tinted = face(0.42, 0.5, 0.62)
    # Gain brings a dark table to the light of the deck: what the camera gives at most is then far above white.
    assert least < hue_error(tinted, known, WHITE / np.float32(light)) < most


def test_what_a_lamp_leaves_of_the_print_tells_the_card() -> None:
    """The words of an L6 were plain by lamplight, the picture below them was blown out; it led an A2 by 0.1 nats."""
    # Given a card of which a lamp blows out all but the upper third
    numbers = np.random.default_rng(7)
    own, other = (numbers.uniform(0.2, 0.6, (88, 64, 1)).repeat(3, 2).astype(np.float32) for _ in range(2))
    seen = own.copy()
    seen[28:] = 1.0
    mask = PrintMask(np.ones((88, 64), np.float32), 1.0, even=True)
    look = Look(mask, seen, WHITE)
    nats, rho, _ = look.against(mask.print_of(sharpened(own, 1.0), own))
    others = look.against(mask.print_of(sharpened(other, 1.0), other))[0]
    # Then all of it hardly goes with its own face, yet that leads by what is left of it:
    assert rho < 0.75
    # nearly a third of what all of it would, where all of it taken together led by a twelfth.
    whole = Look(mask, own, WHITE)
    leads = whole.against(mask.print_of(sharpened(other, 1.0), other))[0]
    leads -= whole.against(mask.print_of(sharpened(own, 1.0), own))[0]
    assert leads / 4 < others - nats < leads / 3


def test_the_step_of_light_at_the_edge_of_a_shine_is_no_print() -> None:
    """A lamp shone on the middle of a back in its sleeve, as sleeves do, and not on its rim: that step was the plainest
    print of all, and went with an L4's picture and an A5's text as well as with the back."""
    # Given a card whose faint print a shine lies on, but for its rim, and where that is
    numbers = np.random.default_rng(11)
    own, other = (numbers.uniform(0.30, 0.34, (88, 64, 1)).repeat(3, 2).astype(np.float32) for _ in range(2))
    free = np.ones((88, 64), np.float32)
    free[6:-6, 6:-6] = 0.0
    seen = np.where(free[..., None] > 0, own, own + np.float32(0.4))
    # when its own face and another one are held against it,
    mask = PrintMask(np.ones((88, 64), np.float32), 1.0, even=True, free=free)
    look = Look(mask, seen, WHITE)
    own_print, other_print = (look.against(mask.print_of(face, face)) for face in (own, other))
    # then its print goes with its own face as if nothing shone there, and not with the other's.
    assert own_print[1] > 0.95
    assert abs(other_print[1]) < 0.2
    # Where the step counts as print it goes with neither.
    blind = PrintMask(np.ones((88, 64), np.float32), 1.0, even=True)
    assert Look(blind, seen, WHITE).against(blind.print_of(own, own))[1] < 0.8


@given(rows=st.integers(3, 60), columns=st.integers(3, 60), scale=st.sampled_from((1.0, 2.0)))
def test_each_patch_of_print_counts_what_lies_in_it_and_what_its_rim_cuts_by_its_share(
    rows: int, columns: int, scale: float
) -> None:
    # Given detail that differs from pixel to pixel and from channel to channel,
    detail = np.random.default_rng(rows * 61 + columns).uniform(-1, 1, (rows, columns, 3)).astype(np.float32)
    patches = PrintMask(np.ones((rows, columns), np.float32), scale).in_patches(detail.ravel())
    # when each pixel is drawn out into as many as there are patches,
    down, across = (max(1, round(pixels / scale / PATCH_MM)) for pixels in (rows, columns))
    fine = detail.sum(2).repeat(down, 0).repeat(across, 1)
    # then a patch is the mean of those that lie in it.
    means = fine.reshape(down, rows, across, columns).mean((1, 3))
    assert patches.shape == (down, across)
    assert np.allclose(patches, means, atol=1e-4)


def test_what_rounding_leaves_of_a_flat_patch_is_no_print(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside strong print a flat phone had a power of -3e-18: its root was no number, nor was the likelihood of the
    card, and what is no number was not below what is sure."""
    # Given a card half of which shows one colour, and sums that round to a little less than nothing there
    tones = np.full((40, 127, 3), 0.5, np.float32)
    tones[:, :60] = np.random.default_rng(2).uniform(0, 1, (40, 60, 3))
    real = cv2.blur
    monkeypatch.setattr(
        "vision.cards.similarity.cv2.blur", lambda of, size, **more: real(of, size, **more) - np.float32(3e-18)
    )
    # When its print is taken where a veil may lie, then all of it is numbers
    printed = PrintMask(np.ones((40, 127), np.float32), 2.0, even=True).print_of(tones, tones)
    assert np.isfinite(printed.detail).all()
    assert np.isfinite(printed.power)
