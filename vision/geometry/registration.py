"""From picture to table: finds the corner tags and fits the camera (docs/contracts.md, section 2).

Tag detection: OpenCV's ArUco module with the AprilTag family 36h11 (Olson, "AprilTag: A robust and flexible visual
fiducial system", ICRA 2011).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np

from vision.geometry import table as geometry
from vision.geometry.pose import (
    CALIBRATED,
    KNOWN,
    STRONG,
    Lens,
    Pose,
    first_guess,
    refine,
)
from vision.types import Floats, Picture

MAX_TILT: Final = 40.0
"""Degrees off the vertical beyond which a fit is not believed; 15 is promised."""
GOOD_ERROR: Final = 2.5
"""Root mean square error of the tag corners, px at 1920, above which a registration is not believed."""
SEARCH_WIDTH: Final = 960
"""Width to which a picture is brought to look for tags, px: a tag's cell is then two pixels or more."""
SMALL_TAG: Final = 70.0
"""Diagonal of a tag below which its window is looked at enlarged too, px."""
ROUNDS: Final = 25
"""Steps of a fit at most: a strong lens takes more than twelve, an ordinary one five."""
ROUGH: Final = 0.8
"""Root mean square error of a fit, px at 1920, from which it is tried again with a wide lens, and from which the tags
are looked for again where it has them, as where one was left out."""
AGAIN: Final = 2
"""How often at most."""
STRONG_RADIAL: Final = 0.05
"""A first radial term from which a second one is fitted too."""
WIDE_FOCAL: Final = 0.55
"""Focal length of a wide lens in picture widths (85° across)."""
STILL: Final = 0.8
"""How far a tag's corner may wander, px at 1920, before the camera is fitted afresh: sharp corners tremble by 0.2."""
THRESHOLD_WINDOW: Final = 23
"""Side of the window in which a tag's black is told from its white, px: one instead of OpenCV's three takes a third of
the time and finds as many."""
PERIMETERS: Final = (0.04, 0.6, 4.0)
"""A tag's perimeter over the picture's longer side: least and most in a whole picture, and in a window around where a
tag must lie the second and the third."""
OWN_SQUARE: Final = 0.03
"""Share of its perimeter by which a square must lie apart from another one to be held against the codes by itself: at
OpenCV's 0.125 the paper around a tag near the picture's rim stood for the tag. Of 1,449 tags on 379 photographs none is
lost so, five plain ones are found more, in the same time."""
LEAST_RIM: Final = 1
"""Pixels that a tag's corner lies from the picture's rim at least: at OpenCV's 3 two more plain ones were not found."""
CELLS: Final = 8
"""Cells in a tag's side."""
WRONG_BITS: Final = 0.5
"""Share of the wrong cells that the family's code can mend which are mended."""
CORNER_WINDOW: Final = (0.07, 2, 6)
"""Half the window in which a corner is sharpened: share of the tag's side, and px at least and at most."""
ROUGH_CORNER: Final = 4
"""The same at least where a fit is rough, px, as long as no other corner is within it: those of a tag's cells lie an
eighth of its side apart. A tag of 42 px that was found at half size had stayed two pixels off in noise, in a window of
two."""
LEAST_CODE: Final = 0.7
"""Correlation of a tag's cells with its code below which it is not seen: an arm or a mug lies over it."""


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


@lru_cache(maxsize=3)
def _detector(search: Literal["picture", "thorough", "window"]) -> cv2.aruco.ArucoDetector:
    options = cv2.aruco.DetectorParameters()
    if search == "picture":
        options.adaptiveThreshWinSizeMin = options.adaptiveThreshWinSizeMax = THRESHOLD_WINDOW
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    options.minMarkerPerimeterRate = PERIMETERS[1] if search == "window" else PERIMETERS[0]
    options.maxMarkerPerimeterRate = PERIMETERS[2] if search == "window" else PERIMETERS[1]
    options.minMarkerDistanceRate, options.minDistanceToBorder = OWN_SQUARE, LEAST_RIM
    options.errorCorrectionRate = WRONG_BITS
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    # Four codes instead of 587: every dark square of the table is held against each of them, four times turned.
    ours = family.bytesList[: len(geometry.TAG_CENTRES)]
    return cv2.aruco.ArucoDetector(cv2.aruco.Dictionary(ours, family.markerSize, family.maxCorrectionBits), options)


@lru_cache(maxsize=1)
def _cells() -> tuple[Floats, Floats]:
    """The cells of the tags: their middles in a tag's square of side 1, (64, 2), and their tones in each, (4, 64),
    with mean 0 and length 1."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    tones = np.array(
        [family.generateImageMarker(t, CELLS).ravel() for t in range(len(geometry.TAG_CENTRES))], np.float64
    )
    tones -= tones.mean(1, keepdims=True)
    tones /= np.linalg.norm(tones, axis=1, keepdims=True)
    steps = (np.arange(CELLS) + 0.5) / CELLS
    return np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2), tones


def _tags_in(grey: Picture, search: Literal["picture", "thorough", "window"]) -> dict[int, Floats]:
    corners, ids, _ = _detector(search).detectMarkers(grey)
    seen: object = ids
    if not isinstance(seen, np.ndarray):
        return {}
    found: dict[int, Floats] = {}
    for quad, number in zip(corners, seen.ravel().tolist(), strict=True):
        tag = int(number)
        if tag not in found:
            found[tag] = np.asarray(quad, dtype=np.float64).reshape(4, 2)
    return found


def _sharpened(grey: Picture, quad: Floats, least: int = CORNER_WINDOW[1]) -> Floats:
    """Corners of a tag, (4, 2) px, brought to where the edges meet, in a window of `least` px where the tag allows."""
    side = float(np.hypot(*(quad - np.roll(quad, 1, 0)).T).min())
    window = max(int(side * CORNER_WINDOW[0]), min(least, int(side / CELLS) - 1))
    window = int(np.clip(window, *CORNER_WINDOW[1:]))
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    fine = cv2.cornerSubPix(grey, quad.astype(np.float32).reshape(-1, 1, 2), (window, window), (-1, -1), stop)
    return np.asarray(fine, dtype=np.float64).reshape(4, 2)


def _around(quad: Floats, size: tuple[int, int]) -> tuple[slice, slice] | None:
    """Rows and columns of a window in which a tag expected at `quad` would be found; None where the picture ends."""
    if quad.min() < 0 or quad[:, 0].max() > size[0] - 1 or quad[:, 1].max() > size[1] - 1:
        return None
    room = 0.5 * float(np.hypot(*(quad - np.roll(quad, 1, 0)).T).max())
    low = np.maximum(quad.min(0) - room, 0).astype(int)
    high = np.ceil(quad.max(0) + room).astype(int)
    return slice(low[1], high[1] + 1), slice(low[0], high[0] + 1)


def _expected(grey: Picture, pose: Pose, known: Collection[int]) -> dict[int, Floats]:
    """Tags that are not `known` yet, looked for where the pose would have them."""
    found: dict[int, Floats] = {}
    for tag in range(len(geometry.TAG_CENTRES)):
        if tag in known:
            continue
        there = pose.project(np.array(geometry.tag_corners(tag)))
        window = _around(there, (grey.shape[1], grey.shape[0]))
        if window is None:
            continue
        crop = np.ascontiguousarray(grey[window])
        small = float(np.hypot(*(there[2] - there[0]))) < SMALL_TAG
        for zoom in (1, 2) if small else (1,):
            seen = cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC) if zoom > 1 else crop
            quad = _tags_in(np.asarray(seen, dtype=np.uint8), "window").get(tag)
            if quad is not None:
                found[tag] = (quad + 0.5) / zoom - 0.5 + np.array([window[1].start, window[0].start])
                break
    return found


def _small(grey: Picture) -> tuple[Picture, float]:
    """A grey picture as small as tags are looked for in it, and how much smaller that is."""
    height, width = grey.shape[:2]
    factor = max(1.0, width / SEARCH_WIDTH)
    if factor == 1:
        return grey, factor
    small = cv2.resize(grey, (SEARCH_WIDTH, round(height / factor)), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8), factor


def find_tags(grey: Picture, before: Pose | None = None, lens: Lens | None = None) -> dict[int, Floats]:
    """Corner tags in a grey picture: id to corners (4, 2) px, top left first as the near seat sees it.

    Looks through a picture made small, which is mostly enough; where two tags or three were seen, at full size where
    the others must lie; else through the whole picture at full size. `before` is an earlier pose of the same camera,
    `lens` its calibrated lens.
    """
    size = (int(grey.shape[1]), int(grey.shape[0]))
    small, factor = _small(grey)
    found = {t: (quad + 0.5) * factor - 0.5 for t, quad in _tags_in(small, "picture").items()}
    found = {tag: _sharpened(grey, quad) for tag, quad in found.items()}
    if 2 <= len(found) < len(geometry.TAG_CENTRES):
        rough = fit_tags(found, size, before, lens)
        if rough is not None:
            found |= {t: _sharpened(grey, q) for t, q in _expected(grey, rough.pose, found).items()}
    if len(found) < 3:
        found = {**{t: _sharpened(grey, q) for t, q in _tags_in(grey, "thorough").items()}, **found}
    return found


def grey_of(image: Picture) -> Picture:
    """The picture in grey; passes a grey one through."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8) if image.ndim == 3 else image


def _rms(errors: Floats) -> float:
    return float(np.sqrt((errors**2).mean()))


def fit_tags(
    tags: Mapping[int, Floats], size: tuple[int, int], before: Pose | None = None, lens: Lens | None = None
) -> Registration | None:
    """The camera from tags, id to corners (4, 2) px; None where nothing believable fits.

    `before` is an earlier pose of the same camera, `lens` its calibrated lens, which goes before. `size`: width and
    height of the picture, px.
    """
    table = np.concatenate([np.array(geometry.tag_corners(t)) for t in tags])
    pixels = np.concatenate(list(tags.values()))
    if lens is not None:
        guess = first_guess(table, pixels, size, lens.focal * size[0])
        starts = [] if guess is None else [lens.at(guess)]
        starts += [] if before is None else [lens.at(before)]
        fits = [refine(start, table, pixels, rounds=ROUNDS, lens=CALIBRATED) for start in starts]
    elif before is not None:
        # With a lens known from a better look, two tags are enough to stand firm on.
        guess = first_guess(table, pixels, size, before.focal)
        starts = [before]
        starts += [] if guess is None else [replace(guess, radial=before.radial, second=before.second)]
        fits = [refine(start, table, pixels, rounds=ROUNDS, lens=KNOWN) for start in starts]
    else:
        fits = _of_unknown_lens(table, pixels, size)
    if not fits:
        return None
    pose, errors = min(fits, key=lambda f: _rms(f[1]))
    error = _rms(errors)
    if pose.tilt > MAX_TILT or error > GOOD_ERROR * max(size[0] / 1920, 0.6):
        return None
    return Registration(pose, dict(tags), error)


def is_mirrored(image: Picture) -> bool:
    """Whether a picture, (h, w, 3) uint8 BGR, shows the mat as in a mirror, as some phones and programs show what a
    camera sees: no tag can be told in it, and no card's print."""
    small, _ = _small(grey_of(image))
    return len(_tags_in(np.ascontiguousarray(small[:, ::-1]), "picture")) >= 2


def shows_tag(grey: Picture, tag: int, quad: Floats) -> bool:
    """Whether that tag's code is seen where its corners (4, 2) px are in a grey picture."""
    middles, tones = _cells()
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    plane = cv2.getPerspectiveTransform(unit, np.asarray(quad, np.float32))
    at = cv2.perspectiveTransform(middles[:, None, :].astype(np.float32), plane)
    values = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR).ravel().astype(np.float64)
    values -= values.mean()
    return float(values @ tones[tag]) >= LEAST_CODE * (float(np.linalg.norm(values)) + 1e-6)


def _of_unknown_lens(table: Floats, pixels: Floats, size: tuple[int, int]) -> list[tuple[Pose, Floats]]:
    guess = first_guess(table, pixels, size)
    fits = [] if guess is None else [refine(guess, table, pixels, rounds=ROUNDS)]
    if not any(_rms(errors) < ROUGH * size[0] / 1920 for _, errors in fits):
        # Wide lenses lie beyond where the search ends that begins with an ordinary one.
        wide = first_guess(table, pixels, size, WIDE_FOCAL * size[0])
        fits += [] if wide is None else [refine(wide, table, pixels, rounds=ROUNDS)]
    strong = [pose for pose, _ in fits if abs(pose.radial) > STRONG_RADIAL]
    return fits + [refine(pose, table, pixels, rounds=ROUNDS, lens=STRONG) for pose in strong]


def _kept(grey: Picture, previous: Registration) -> Registration | None:
    """The last registration where its tags still lie as they did; None where it does not hold, or tells too little.

    A tag that cannot be seen now says nothing; one that comes into sight, or has moved, asks for a fresh look.
    """
    size = previous.pose.size
    limit = STILL * max(size[0] / 1920, 0.6)
    still: dict[int, Floats] = {}
    for tag, quad in previous.tags.items():
        if not shows_tag(grey, tag, quad):
            continue
        if float(np.hypot(*(_sharpened(grey, quad) - quad).T).max()) > limit:
            return None
        still[tag] = quad
    if len(still) < 2 or _expected(grey, previous.pose, previous.tags):
        return None
    return replace(previous, tags=still, source="kept")


def register(image: Picture, previous: Registration | None = None, lens: Lens | None = None) -> Registration | None:
    """Fit the camera to the corner tags of a picture (BGR or grey, uint8); None where fewer than two can be used.

    `previous` is a registration of the same camera. Where its tags still lie to the pixel as they did, it holds as it
    is (`kept`), for a fifth of the time; else its lens steadies the fit when tags are hidden. `lens` is the camera's
    where it was calibrated; one of pictures of another shape is passed over.
    """
    grey = grey_of(image)
    size = (int(grey.shape[1]), int(grey.shape[0]))
    if previous is not None and previous.pose.size != size:
        previous = None
    if previous is not None and previous.tags:
        kept = _kept(grey, previous)
        if kept is not None:
            return kept
    before = previous.pose if previous is not None else None
    lens = lens if lens is not None and lens.fits(size) else None
    tags = find_tags(grey, before, lens)
    if len(tags) < 2:
        return None
    best = fit_tags(tags, size, before, lens)
    if best is None:
        best = fit_tags({t: _sharpened(grey, q, ROUGH_CORNER) for t, q in tags.items()}, size, before, lens)
    if best is None and len(tags) >= 3:
        # One tag of three or four may have been moved, or be a picture of a tag: leave out the one whose absence fits
        # best.
        tries = [fit_tags({t: q for t, q in tags.items() if t != out}, size, before, lens) for out in tags]
        best = min((r for r in tries if r is not None), key=lambda r: r.error, default=None)
    if best is None or (best.error < ROUGH * size[0] / 1920 and len(best.tags) == len(tags)):
        return best
    for _ in range(AGAIN):
        shown = _sharpened_again(grey, best)
        again = fit_tags(shown, size, before, lens) if len(shown) >= len(best.tags) else None
        # A tag more tells more than a little error does.
        if again is None or (len(again.tags) == len(best.tags) and again.error >= best.error):
            break
        best = again
    return best


def _sharpened_again(grey: Picture, rough: Registration) -> dict[int, Floats]:
    """The tags whose codes are seen where a rough fit has them, their corners sharpened from there: in noise a corner
    may have been sharpened from too far away to come where it is, and a tag not have been found."""
    size = (int(grey.shape[1]), int(grey.shape[0]))
    there = {t: rough.project(np.array(geometry.tag_corners(t))) for t in range(len(geometry.TAG_CENTRES))}
    inside = {t: _sharpened(grey, quad, ROUGH_CORNER) for t, quad in there.items() if _around(quad, size) is not None}
    return {t: quad for t, quad in inside.items() if shows_tag(grey, t, quad)}
