"""What a webcam does to its pictures by itself: sharpening, smear, thin colour, tone curves, bands of mains light, and
exposure and white balance that drift."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.simulate.ink import SheetImage

SHARPEN_PX: Final = 1.3
"""Standard deviation of the blur that a webcam's sharpening works against, px at 1080 lines."""


@dataclass(frozen=True, slots=True)
class Processing:
    """How strong each step is; the defaults do nothing."""

    sharpening: float = 0.0
    """Share of the detail that is added once more: light and dark seams along edges."""
    smear: float = 0.0
    """How much the noise reduction wipes away fine print, 0..1; colour is smeared further than brightness."""
    saturation: float = 1.0
    """Share of colour that is left."""
    curves: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Exponent of the tone curve of blue, green and red."""
    bands: float = 0.0
    """Half the contrast between the bright and the dark bands of a lamp on 50 Hz mains, as a share."""
    band_count: float = 2.0
    """Bands in a picture's height: rows times reading time over 10 ms."""
    band_phase: float = 0.0
    """Where the first band begins in the first picture, in bands."""
    gain: float = 1.0
    """Exposure, where it has drifted to."""
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """White balance of blue, green and red, where it has drifted to."""
    drift: float = 0.0
    """How far exposure and white balance swing while the camera runs, natural logarithm."""


DRIFT_FRAMES: Final = 90.0
"""Pictures in which drifting settings swing once to and fro."""
BAND_STEP: Final = 0.27
"""Bands by which they wander from picture to picture."""
SHORT_WAVE: Final = (1.0, 0.9, 0.8)
"""A lamp's flicker is strongest in blue: its phosphors glow on in red."""


def processed(picture: SheetImage, how: Processing, frame: int = 0) -> SheetImage:
    """The picture as the webcam sends it; `frame` numbers the pictures, for bands and drift wander."""
    out = picture
    height = picture.shape[0]
    factors = np.ones((height, 3), np.float32)
    if how.bands > 0:
        at = 2 * math.pi * (np.arange(height) / height * how.band_count + how.band_phase + BAND_STEP * frame)
        factors *= 1 + how.bands * np.sin(at)[:, None] * np.array(SHORT_WAVE)
    swing = how.drift * math.sin(2 * math.pi * frame / DRIFT_FRAMES)
    factors *= how.gain * math.exp(swing) * np.array(how.balance) ** (1 + swing)
    if not np.allclose(factors, 1):
        out = np.asarray(
            cv2.multiply(out, np.ascontiguousarray(np.broadcast_to(factors[:, None], out.shape)), dtype=cv2.CV_8U),
            np.uint8,
        )
    if how.curves != (1.0, 1.0, 1.0):
        codes = np.arange(256) / 255
        table = np.stack([255 * codes**bend for bend in how.curves], axis=-1)
        out = np.asarray(cv2.LUT(out, np.rint(table).astype(np.uint8).reshape(1, 256, 3)), np.uint8)
    if how.saturation != 1.0:
        mixed = how.saturation * np.eye(3) + (1 - how.saturation) / 3
        out = np.asarray(cv2.transform(out, mixed.astype(np.float32)), np.uint8)
    factor = height / 1080
    if how.smear > 0:
        out = _smeared(out, how.smear, factor)
    if how.sharpening > 0:
        soft = cv2.GaussianBlur(out, (0, 0), SHARPEN_PX * factor)
        out = np.asarray(cv2.addWeighted(out, 1 + how.sharpening, soft, -how.sharpening, 0), np.uint8)
    return out


def _smeared(picture: SheetImage, share: float, factor: float) -> SheetImage:
    """Faint detail wiped away and strong edges kept; colour at a quarter of the pixels, then smoothed."""
    luma, red, blue = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))
    wiped = cv2.bilateralFilter(luma, 5, 14 + 30 * share, 2.0)
    luma = cv2.addWeighted(luma, 1 - share, wiped, share, 0)
    small = (picture.shape[1] // 2, picture.shape[0] // 2)
    coarse = []
    for channel in (red, blue):
        half = cv2.GaussianBlur(
            cv2.resize(channel, small, interpolation=cv2.INTER_AREA), (0, 0), 0.4 + 2.0 * share * factor
        )
        coarse.append(cv2.resize(half, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR))
    return np.asarray(cv2.cvtColor(cv2.merge((luma, *coarse)), cv2.COLOR_YCrCb2BGR), np.uint8)
