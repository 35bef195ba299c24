"""What is known of a camera's lens, and how it is fitted to pictures of the mat in several places.

One picture of four tags near its corners tells little of how the lens bends the middle. Pictures in which the tags lie
everywhere tell it: all of them have one lens, each has a camera of its own (Zhang, "A flexible new technique for camera
calibration", TPAMI 2000; OpenCV's `calibrateCamera`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import cv2
import numpy as np

from engine.failure import BadInput, Failure
from vision.geometry import table as geometry
from vision.geometry.pose import FOCAL_PRIOR, Lens
from vision.geometry.registration import fit_tags
from vision.types import Floats

TagCorners = Mapping[int, Floats]
"""The corner tags of one picture: id to corners (4, 2) px, as `registration.find_tags` gives them."""
LEAST_PICTURES: Final = 6
"""Pictures of the mat from which a lens is fitted."""
LEAST_TAGS: Final = 3
"""Tags that a picture must show."""
INNER: Final = 0.5
"""See `OUTER`."""
OUTER: Final = 0.65
"""Half-widths from the picture's centre: some tag must lie further in and some tag further out than these."""
BOUNDS: Final = {"focal": (0.2, 5.0), "radial": (-0.6, 0.4), "second": (-0.1, 0.1), "shape": (0.2, 5.0)}
"""What a lens may be."""
GAIN: Final = 0.97
"""A lens is taken only if it brings the error below this share of what it is without it."""


@dataclass(frozen=True, slots=True)
class FittedLens:
    """A lens and what it is good for: how far off a tag lies that the camera's fit has not seen, root mean square."""

    lens: Lens
    error: float
    """mm, with the lens fitted to the other pictures."""
    error_before: float
    """mm, with the lens that each picture tells by itself."""
    pictures: int


def lens_row(lens: Lens) -> dict[str, float]:
    """A lens as it is kept."""
    return asdict(lens)


def lens_of_row(row: object, name: str) -> Lens:
    """A lens from what was kept; raises `BadInput` (`bad-lens`) that names the file."""
    values: dict[str, float] = {}
    for key, (low, high) in BOUNDS.items():
        value: Any = row.get(key) if isinstance(row, Mapping) else None
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            remedy = "Remove the file, and run: allfronts camera --calibrate."
            raise BadInput("bad-lens", f"{name}: {key} = {value!r} is no lens's.", remedy)
        values[key] = float(value)
    return Lens(**values)


def fit_lens(pictures: Sequence[TagCorners], size: tuple[int, int]) -> FittedLens:
    """The lens that all pictures have. `size`: their width and height, px.

    Raises `Failure`: `lens-few` for too few pictures, `lens-narrow` where the tags lie too much in one place of the
    picture, and `lens-no-better` where the registration does as well without.
    """
    usable = [tags for tags in pictures if len(tags) >= LEAST_TAGS]
    if len(usable) < LEAST_PICTURES:
        raise Failure(
            "lens-few",
            f"Three corner tags or more were seen in {len(usable)} places; {LEAST_PICTURES} are needed.",
            "Lay the mat in more places of the picture, and let it lie still in each for a second.",
        )
    half = np.array(size) / 2
    reach = np.concatenate([np.hypot(*((quad - half) / half[0]).T) for tags in usable for quad in tags.values()])
    if reach.min() > INNER or reach.max() < OUTER:
        where = "the middle" if reach.min() > INNER else "the corners"
        raise Failure(
            "lens-narrow",
            f"No corner tag came near {where} of the picture, so the lens is not known there.",
            "Begin again, and move and turn the mat so that its tags come to the middle and to the corners.",
        )
    held_out: list[float] = []
    before: list[float] = []
    for k, tags in enumerate(usable):
        others = _fitted([t for n, t in enumerate(usable) if n != k], size)
        held_out += _errors(tags, size, others)
        before += _errors(tags, size, None)
    error, error_before = (float(np.sqrt(np.mean(np.square(e)))) for e in (held_out, before))
    if not error < GAIN * error_before:
        raise Failure(
            "lens-no-better",
            f"With this lens a tag would lie {error:.2f} mm off, without it {error_before:.2f} mm: it is not kept.",
            "Nothing needs to be done; the table is found well without. A sharper picture may tell more.",
        )
    return FittedLens(_fitted(usable, size), error, error_before, len(usable))


def _fitted(pictures: Sequence[TagCorners], size: tuple[int, int]) -> Lens:
    """The lens that fits all pictures best."""
    places = [np.concatenate([_flat(t) for t in tags]).astype(np.float32) for tags in pictures]
    seen = [np.concatenate(list(tags.values())).astype(np.float32) for tags in pictures]
    half = size[0] / 2
    own = [found.pose.focal for tags in pictures if (found := fit_tags(tags, size)) is not None]
    start = float(np.median(own)) if own else FOCAL_PRIOR * size[0]
    camera = np.array([[start, 0, size[0] / 2], [0, start, size[1] / 2], [0, 0, 1.0]])
    # The radial terms in the denominator, as in `Pose`; all else is an ordinary lens's.
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_RATIONAL_MODEL | cv2.CALIB_FIX_K1 | cv2.CALIB_FIX_K2
        | cv2.CALIB_FIX_K3 | cv2.CALIB_FIX_K6
    )  # fmt: skip
    _, inner, bent, *_ = cv2.calibrateCamera(
        [np.column_stack([p, np.zeros(len(p), np.float32)]) for p in places],
        [s.reshape(-1, 1, 2) for s in seen],
        size,
        camera,
        np.zeros(8),
        flags=flags,
    )
    focal, terms = float(inner[0, 0]), np.asarray(bent).ravel()
    zoom = (half / focal) ** 2
    radial, second = -float(terms[5]) * zoom, -float(terms[6]) * zoom**2
    return Lens(focal / size[0], radial, second, size[1] / size[0])


def _flat(tag: int) -> Floats:
    """A tag's corners on the table, (4, 2) mm; the y axis turned, for OpenCV looks along z from below."""
    turned: Floats = np.array(geometry.tag_corners(tag)) * np.array([1.0, -1.0])
    return turned


def _errors(tags: TagCorners, size: tuple[int, int], lens: Lens | None) -> list[float]:
    """How far each tag in turn lies from where the others put it, mm; with a lens, or with what they tell of theirs."""
    out: list[float] = []
    for left in tags:
        rest = {tag: quad for tag, quad in tags.items() if tag != left}
        found = fit_tags(rest, size, lens=lens)
        if found is not None:
            off = found.pose.to_table(tags[left]) - np.array(geometry.tag_corners(left))
            out += np.hypot(*off.T).tolist()
    return out


__all__ = ["FittedLens", "TagCorners", "fit_lens", "lens_of_row", "lens_row"]
