"""From picture to table: finds the corner tags and fits the camera (contracts, section 2).

Tag detection: OpenCV's ArUco module with the AprilTag family 36h11 (Olson, "AprilTag: A robust and flexible visual
fiducial system", ICRA 2011).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import geometry
from vision.pose import Floats, Pose, first_guess, refine

Picture = NDArray[np.uint8]

MAX_TILT: Final = 40.0
"""Degrees off the vertical beyond which a fit is not believed; 15 is promised."""
GOOD_ERROR: Final = 2.5
"""Root mean square error of the tag corners, px at 1920, above which a registration is not believed."""


@dataclass(frozen=True, slots=True)
class Registration:
    """How the table lies in one picture."""

    pose: Pose
    tags: Mapping[int, Floats] = field(default_factory=dict)
    """Tags that were seen: id to its four corners in the picture, (4, 2) px."""
    error: float = 0.0
    """Root mean square distance of the points used from where they should be, px."""
    source: Literal["tags", "boards", "kept"] = "tags"
    """`tags`; `boards` where no tag was seen; `kept` where the last registration still held."""

    @property
    def homography(self) -> Floats:
        """Table (mm) to picture (px), 3 x 3, without the lens' bend; `project` has it exactly."""
        return self.pose.homography

    @property
    def quality(self) -> float:
        """0 (worthless) to 1 (all four tags, no error)."""
        seen = {0: 0.5, 1: 0.3, 2: 0.7, 3: 0.9}.get(len(self.tags), 1.0)
        return seen / (1.0 + (self.error / (GOOD_ERROR * self.pose.size[0] / 1920)) ** 2)

    def project(self, points: Floats) -> Floats:
        """Table points (N, 2) mm to picture points (N, 2) px."""
        return self.pose.project(np.asarray(points, dtype=np.float64))

    def to_table(self, pixels: Floats) -> Floats:
        """Picture points (N, 2) px to table points (N, 2) mm."""
        return self.pose.to_table(pixels)

    def moved(self, other: Registration) -> float:
        """How far the table's corners lie apart in two registrations, largest of four, px."""
        corners = np.array([[x, y] for x in (-200.0, 200.0) for y in (-280.0, 280.0)])
        return float(np.hypot(*(self.project(corners) - other.project(corners)).T).max())


@lru_cache(maxsize=2)
def _detector(thorough: bool) -> cv2.aruco.ArucoDetector:
    options = cv2.aruco.DetectorParameters()
    if not thorough:
        # One threshold window instead of three: half the time, and as many tags found.
        options.adaptiveThreshWinSizeMin = options.adaptiveThreshWinSizeMax = 23
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    options.minMarkerPerimeterRate = 0.025
    options.maxMarkerPerimeterRate = 0.6
    options.errorCorrectionRate = 0.5
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), options)


def _tags_in(grey: Picture, thorough: bool) -> dict[int, Floats]:
    corners, ids, _ = _detector(thorough).detectMarkers(grey)
    seen: object = ids
    if not isinstance(seen, np.ndarray):
        return {}
    found: dict[int, Floats] = {}
    for quad, number in zip(corners, seen.ravel().tolist(), strict=True):
        tag = int(number)
        if tag < len(geometry.TAG_CENTRES) and tag not in found:
            found[tag] = np.asarray(quad, dtype=np.float64).reshape(4, 2)
    return found


def find_tags(grey: Picture) -> dict[int, Floats]:
    """Corner tags in a grey picture: id to corners (4, 2) px, top left first as the near seat sees it.

    Looks at half size first, which is four times as fast and mostly enough; at full size if a tag is missing.
    """
    half = grey.shape[1] >= 1600
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if half else grey
    found = _tags_in(np.asarray(small, dtype=np.uint8), False)
    if half:
        found = {tag: quad * 2 + 0.5 for tag, quad in found.items()}
    if len(found) < len(geometry.TAG_CENTRES):
        found = {**_tags_in(grey, True), **found}
    for tag, quad in found.items():
        side = float(np.hypot(*(quad - np.roll(quad, 1, 0)).T).min())
        window = int(np.clip(side * 0.07, 2, 6))
        corners = quad.astype(np.float32).reshape(-1, 1, 2)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
        fine = cv2.cornerSubPix(grey, corners, (window, window), (-1, -1), stop)
        found[tag] = np.asarray(fine, dtype=np.float64).reshape(4, 2)
    return found


def grey_of(image: Picture) -> Picture:
    """The picture in grey; passes a grey one through."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8) if image.ndim == 3 else image


def _fit(tags: Mapping[int, Floats], size: tuple[int, int], lens: Pose | None) -> Registration | None:
    table = np.concatenate([np.array(geometry.tag_corners(t)) for t in tags])
    pixels = np.concatenate(list(tags.values()))
    guess = first_guess(table, pixels, size, lens.focal if lens else None)
    guesses = [guess] if guess is not None else []
    if lens is not None:
        # With a lens known from a better look, two tags are enough to stand firm on.
        guesses = [lens, *(replace(g, radial=lens.radial) for g in guesses)]
    fits = [refine(g, table, pixels, rounds=12, focal_spread=0.03 if lens else 0.25) for g in guesses]
    if not fits:
        return None
    pose, errors = min(fits, key=lambda f: float((f[1] ** 2).mean()))
    error = float(np.sqrt((errors**2).mean()))
    if pose.tilt > MAX_TILT or error > GOOD_ERROR * max(size[0] / 1920, 0.6):
        return None
    return Registration(pose, dict(tags), error)


def register(image: Picture, previous: Registration | None = None) -> Registration | None:
    """Fit the camera to the corner tags of a picture (BGR or grey, uint8); None where fewer than two can be used.

    `previous` is a registration of the same camera: its lens steadies the fit when tags are hidden.
    """
    grey = grey_of(image)
    size = (int(grey.shape[1]), int(grey.shape[0]))
    tags = find_tags(grey)
    if len(tags) < 2:
        return None
    lens = previous.pose if previous is not None and previous.pose.size == size else None
    whole = _fit(tags, size, lens)
    if whole is not None or len(tags) < 3:
        return whole
    # One tag of three or four may have been moved, or be a picture of a tag: leave out the one whose absence fits best.
    tries = [_fit({t: q for t, q in tags.items() if t != out}, size, lens) for out in tags]
    good = [r for r in tries if r is not None]
    return min(good, key=lambda r: r.error) if good else None
