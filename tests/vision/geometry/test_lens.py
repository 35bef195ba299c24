"""A camera's lens, measured from pictures of the mat in many places, against the simulated camera's own."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.failure import BadInput, Failure
from vision.geometry import table as geometry
from vision.geometry.lens import TagCorners, fit_lens, lens_of_row, lens_row
from vision.geometry.registration import fit_tags
from vision.simulate.optics import Optics, View

SIZE = (1920, 1080)
WIDE = View(field_of_view=86.0, k1=-0.22, k2=0.06, k3=-0.005)
SPOTS = np.stack(np.meshgrid(np.linspace(-170, 170, 7), np.linspace(-240, 240, 9)), -1).reshape(-1, 2)


def seen_by(optics: Optics, points: np.ndarray) -> np.ndarray:
    return optics.project(np.column_stack([points, np.zeros(len(points))]))


def tags_of(view: View, rng: np.random.Generator, noise: float = 0.15) -> TagCorners:
    """The corner tags that lie wholly in the picture, their corners known to `noise` px."""
    found = {}
    for tag in range(4):
        quad = seen_by(Optics(view, SIZE), np.array(geometry.tag_corners(tag)))
        if quad.min() > 4 and quad[:, 0].max() < SIZE[0] - 5 and quad[:, 1].max() < SIZE[1] - 5:
            found[tag] = quad + rng.normal(0, noise, (4, 2))
    return found


def pictures(view: View, count: int = 12, noise: float = 0.15) -> list[TagCorners]:
    """The mat in many places: three tags or four in each picture."""
    rng = np.random.default_rng(4)
    found: list[TagCorners] = []
    while len(found) < count:
        placed = replace(
            view, roll=float(rng.uniform(0, 360)), tilt=float(rng.uniform(0, 20)), lean=float(rng.uniform(0, 360)),
            fill=float(rng.uniform(0.7, 1.2)), offset=(float(rng.uniform(-120, 120)), float(rng.uniform(-120, 120))),
        )  # fmt: skip
        tags = tags_of(placed, rng, noise)
        if len(tags) >= 3:
            found.append(tags)
    return found


def test_a_strong_lens_is_measured_from_a_dozen_pictures() -> None:
    fitted = fit_lens(pictures(WIDE), SIZE)
    assert fitted.lens.focal == pytest.approx(0.5 / math.tan(math.radians(43)), rel=0.01)
    assert fitted.error < 0.6 * fitted.error_before
    assert fitted.pictures == 12


@pytest.mark.parametrize("hidden", [(0, 1), (1, 3), (2,)])
def test_with_the_measured_lens_hidden_tags_do_no_harm(hidden: tuple[int, ...]) -> None:
    lens = fit_lens(pictures(WIDE), SIZE).lens
    hung = replace(WIDE, tilt=16.0, lean=50.0, roll=94.0)
    tags = tags_of(hung, np.random.default_rng(9))
    left = {tag: quad for tag, quad in tags.items() if tag not in hidden}
    found = fit_tags(left, SIZE, lens=lens)
    assert found is not None
    off = found.to_table(seen_by(Optics(hung, SIZE), SPOTS)) - SPOTS
    assert np.hypot(*off.T).max() < 2.0


def test_too_few_pictures_are_refused() -> None:
    with pytest.raises(Failure) as refused:
        fit_lens(pictures(WIDE)[:5], SIZE)
    assert refused.value.code == "lens-few" and "more places" in refused.value.remedy


def test_tags_that_never_come_to_the_middle_are_refused() -> None:
    rng = np.random.default_rng(2)
    same = [tags_of(replace(WIDE, roll=90 + k, fill=0.95), rng) for k in range(8)]
    with pytest.raises(Failure) as refused:
        fit_lens(same, SIZE)
    assert refused.value.code == "lens-narrow" and "the middle" in refused.value.message


def test_a_lens_that_would_make_it_worse_is_refused() -> None:
    """Given a mat that was bent anew in each picture, as crumpled paper is, then no lens explains the pictures."""
    rng = np.random.default_rng(6)
    crumpled = [
        {tag: quad + rng.normal(0, 9, 2) for tag, quad in tags.items()}
        for tags in pictures(View(field_of_view=60.0, k1=0.0, k2=0.0))
    ]
    try:
        fitted = fit_lens(crumpled, SIZE)
    except Failure as refused:
        assert refused.code == "lens-no-better" and "mm" in refused.message
    else:
        assert fitted.error < 0.97 * fitted.error_before, "only a lens that does better is ever given"


def test_a_lens_comes_back_from_what_is_kept_and_nonsense_does_not() -> None:
    lens = fit_lens(pictures(WIDE, 8), SIZE).lens
    assert lens_of_row(lens_row(lens), "lenses.json") == lens
    assert lens.fits((1280, 720)) and not lens.fits((640, 480))
    for spoilt in (
        {},
        [],
        {**lens_row(lens), "focal": 99},
        {**lens_row(lens), "radial": "x"},
        {**lens_row(lens), "second": True},
    ):
        with pytest.raises(BadInput, match=r"lenses\.json"):
            lens_of_row(spoilt, "lenses.json")
