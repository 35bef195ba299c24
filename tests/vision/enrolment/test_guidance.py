"""Every advice has a picture made for it, and one much like it that must not call it forth.

The aiming aid's findings, the advice on enrolment photographs and the troubles of a live camera; and how soon each is
said, in the source's own time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN, THEATERS
from host.camera_setup.watch import AimWatch
from vision.enrolment.enrol import REMEDIES, examine
from vision.enrolment.live import Guide
from vision.enrolment.picture_quality import FINDINGS, judge_picture
from vision.geometry.registration import (
    register,
)
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera, print_deck
from vision.simulate.conditions import TableCondition
from vision.simulate.mats import MATS
from vision.simulate.optics import Glare, Light
from vision.simulate.scene import Hands
from vision.sources import ADVICE, Frame, Health, SourceItem, Trouble, TroubleOver
from vision.types import Picture

DAY = replace(CONDITIONS["day"], resolution=(1280, 720), light=Light(level=0.9), clutter=0.0, jpeg=None)
SIX = {
    **EMPTY,
    **{(t, "near"): (f"L{k + 1}",) for k, t in enumerate(THEATERS)},
    **{(t, "far"): (f"L{k + 4}",) for k, t in enumerate(THEATERS)},
}


def table(condition: TableCondition = DAY, **changes: object) -> Picture:
    camera = SimulatedCamera("bright", 4, condition=replace(condition, **changes))  # type: ignore[arg-type]
    return camera.still(SIX)


def light(**changes: object) -> Picture:
    return table(light=replace(DAY.light, **changes))  # type: ignore[arg-type]


def view(**changes: object) -> Picture:
    return table(view=replace(DAY.view, **changes))  # type: ignore[arg-type]


def blurred(sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(table(), (0, 0), sigma), dtype=np.uint8)


def covered(tags: int) -> Picture:
    """The table with mugs on so many of its corner tags."""
    camera = SimulatedCamera("bright", 4, condition=DAY)
    picture = camera.still(SIX)
    for x, y in ((185.0, -272.0), (-185.0, 272.0))[:tags]:
        at = camera.optics.project(np.array([(x, y, 0.0)]))[0]
        cv2.circle(picture, (round(at[0]), round(at[1])), 45, (60, 80, 90), -1)
    return picture


Make = Callable[[], Picture]
AIMING: dict[str, tuple[Make, Make]] = {
    "no-mat": (lambda: np.full((720, 1280, 3), 120, np.uint8), lambda: covered(2)),
    "mirrored": (lambda: np.ascontiguousarray(table()[:, ::-1]), table),
    "tag-unseen": (lambda: covered(1), table),
    "mat-cut-off": (lambda: np.ascontiguousarray(table()[:, 260:]), lambda: np.ascontiguousarray(table()[:, 150:])),
    "picture-coarse": (lambda: view(fill=0.62), lambda: view(fill=0.98)),
    "tilted": (lambda: view(tilt=24.0, lean=200.0), lambda: view(tilt=14.0, lean=200.0)),
    "too-dark": (lambda: light(level=0.16), lambda: light(level=0.5)),
    "too-bright": (lambda: light(level=1.7), lambda: light(level=0.9)),
    "uneven-light": (lambda: light(lamp=(-200.0, 280.0), lamp_reach=300), lambda: light(lamp=(0, 80), lamp_reach=900)),
    "colour-cast": (lambda: light(cast=(0.22, 0.7, 1.1)), lambda: light(cast=(0.62, 0.9, 1.12))),
    "blurred": (lambda: blurred(2.6), lambda: blurred(0.9)),
    "glare": (
        lambda: light(gloss=1.0, glares=(Glare((130.0, -100.0), 30, 400),)),
        lambda: light(gloss=0.2, glares=(Glare((130.0, -100.0), 30, 60),)),
    ),
}  # fmt: skip


def aimed(picture: Picture) -> set[str]:
    return {f.code for f in judge_picture(picture, register(picture)).findings}


def test_every_finding_has_its_pictures() -> None:
    assert set(AIMING) == set(FINDINGS)


@pytest.mark.parametrize("code", AIMING)
def test_the_aiming_aid_says_what_is_wrong_and_only_then(code: str) -> None:
    wrong, right = AIMING[code]
    assert code in aimed(wrong())
    assert code not in aimed(right())


def without(what: str) -> Picture:
    camera = SimulatedCamera("bright", 4, condition=DAY)
    return camera.picture([x for x in camera.lay(SIX, THEATERS) if x.what != what])


def shining(strength: int) -> Picture:
    return light(gloss=1.0, glares=(Glare((130.0, -75.0), 26, strength),))


def handled(near: float) -> Picture:
    """The table with a finger that comes from the near side and ends `near` mm within the lower edge of L2."""
    camera = SimulatedCamera("bright", 4, condition=DAY)
    picture = camera.still(SIX)
    below = -next(x.y for x in camera.lay(SIX, THEATERS) if x.what == "L2") + 44.0
    finger = [(-8.0, near - below), (8.0, near - below), (9.0, -210.0), (-9.0, -210.0)]
    points = camera.optics.project(np.array([(x, y, 0.0) for x, y in finger]))
    return np.asarray(cv2.fillPoly(picture, [np.round(points).astype(np.int32)], (110, 140, 200)), dtype=np.uint8)


def unclear(printed: float) -> Picture:
    """The table with L3 in the very colour of the mat but for a picture in its middle, `printed` of its size."""
    bare = SimulatedCamera("bright", 4, condition=DAY)
    x, y = bare.optics.project(np.array([(65.0, 150.0, 0.0)]))[0].astype(int)
    seen = np.median(bare.plate(())[y - 9 : y + 9, x - 9 : x + 9].reshape(-1, 3), axis=0)[::-1] / DAY.light.level
    colour = min(MATS, key=lambda mat: float(np.abs(np.array(mat) - seen).sum()))
    deck = print_deck("bright", 4)
    face = deck.faces["L3"].copy()
    h, w = face.shape[:2]
    middle = (
        slice(round(h * (1 - printed) / 2), round(h * (1 + printed) / 2)),
        slice(round(w * (1 - printed) / 2), round(w * (1 + printed) / 2)),
    )
    plain = np.full_like(face, 0) + np.array(colour[::-1], np.uint8)
    plain[middle] = face[middle]
    condition = replace(DAY, light=replace(DAY.light, shadow=0.0))
    camera = SimulatedCamera("bright", 4, condition=condition, deck=replace(deck, faces={**deck.faces, "L3": plain}))
    return camera.still(SIX)


ENROLLING: dict[str, tuple[Make, Make]] = {
    "no-mat": AIMING["no-mat"],
    "mirrored": AIMING["mirrored"],
    "mat-cut-off": (lambda: covered(2), table),
    "too-dark": (lambda: light(level=0.04, noise=0.5), lambda: light(level=0.4)),
    "too-bright": (lambda: light(level=1.9), lambda: light(level=0.9)),
    "blurred": (lambda: blurred(2.6), lambda: blurred(0.7)),
    "too-far": (lambda: view(fill=0.62), lambda: view(fill=0.98)),
    "card-missing": (lambda: without("L3"), table),
    "board-missing": (lambda: without("S"), table),
    "outline-unclear": (lambda: unclear(0.9), lambda: unclear(1.0)),
    "glare": (lambda: shining(400), lambda: shining(40)),
    "covered": (lambda: handled(30.0), lambda: handled(-12.0)),
}


def test_every_advice_has_its_pictures() -> None:
    assert set(ENROLLING) == set(REMEDIES)


@pytest.mark.parametrize("code", ENROLLING)
def test_enrolment_says_what_is_wrong_and_only_then(code: str) -> None:
    wrong, right = ENROLLING[code]
    assert code in {a.code for a in examine(wrong()).advice}
    assert code not in {a.code for a in examine(right()).advice}


class Camera:
    """A source that shows one picture for so many seconds, and then another."""

    name = "camera 0"
    live = True

    def __init__(self, *shown: tuple[float, Picture], fps: float = 10.0) -> None:
        self._shown, self._fps = shown, fps

    def __iter__(self) -> Iterator[SourceItem]:
        count = 0
        for seconds, picture in self._shown:
            for _ in range(round(seconds * self._fps)):
                yield Frame(count / self._fps, picture)
                count += 1

    def close(self) -> None:
        return


@pytest.mark.parametrize("fps", [30.0, 5.0])
@pytest.mark.parametrize("code", ["blurred", "glare", "no-mat"])
def test_a_finding_is_said_within_three_seconds_and_goes_when_it_is_mended(code: str, fps: float) -> None:
    watch, good, wrong = AimWatch(), table(), AIMING[code][0]()
    told: list[tuple[float, set[str]]] = []
    for shown in watch.follow(Camera((1, good), (3, wrong), (3, good), fps=fps), pictures=False):
        if shown.judgement is not None:
            told.append((shown.t, {f.code for f in shown.judgement.findings}))
    assert next(t for t, codes in told if code in codes) <= 1 + 3
    assert next(t for t, codes in told if t > 4 and code not in codes) <= 4 + 3
    assert not any(code in codes for t, codes in told if t < 1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: without("L3"), "top edge"),
        (lambda: without("S"), "boards"),
        (lambda: shining(400), "shines"),
        (lambda: blurred(2.6), "focus"),
        (lambda: np.full((720, 1280, 3), 90, np.uint8), "corner tags"),
    ],
)
def test_live_enrolment_says_within_three_seconds_what_keeps_it_from_the_photograph(make: Make, said: str) -> None:
    guide, picture = Guide(), make()
    shown = [guide.see(picture, k / 5) for k in range(15)]
    assert all(g.just_taken is None for g in shown)
    assert any(said in text for text in (shown[-1].says, *(a.remedy for a in shown[-1].advice)))


def noisy(k: int, level: int = 120, shape: tuple[int, int] = (720, 1280)) -> Picture:
    rng = np.random.default_rng(k)
    small = rng.integers(max(0, level - 12), min(255, level + 12), (shape[0] // 8, shape[1] // 8, 3))
    return np.asarray(cv2.resize(small.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def white(k: int, share: float) -> Picture:
    picture = noisy(k)
    picture[: round(720 * share)] = 255
    return picture


Film = Callable[[int], Picture]
LIVE: dict[str, tuple[tuple[Film, float], tuple[Film, float]]] = {
    "picture-frozen": ((lambda _: noisy(1), 15), (lambda k: noisy(k), 15)),
    "too-dark": ((lambda k: noisy(k, 12), 15), (lambda k: noisy(k, 42), 15)),
    "overexposed": ((lambda k: white(k, 0.5), 15), (lambda k: white(k, 0.25), 15)),
    "picture-small": ((lambda k: noisy(k, shape=(480, 640)), 15), (lambda k: noisy(k, shape=(1280, 720)), 15)),
    "camera-slow": ((lambda k: noisy(k), 5), (lambda k: noisy(k), 10)),
}


def troubles(film: Film, fps: float) -> dict[str, float]:
    health = Health("camera 0", 0.0)
    out: dict[str, float] = {}
    for k in range(round(4 * fps)):
        for item in health.picture(film(k), k / fps):
            assert isinstance(item, Trouble | TroubleOver)
            out.setdefault(item.code, item.t)
    return out


@pytest.mark.parametrize("code", LIVE)
def test_a_bad_camera_is_told_of_within_three_seconds_and_a_good_one_is_not(code: str) -> None:
    (wrong, fps), (right, good_fps) = LIVE[code]
    assert troubles(wrong, fps).get(code, 99.0) <= 3
    assert troubles(right, good_fps) == {}


def test_every_trouble_has_its_film() -> None:
    """The rest are of silence, files and defects: `test_sources`, `test_defects`."""
    elsewhere = {"camera-gone", "camera-stuck", "film-cut-short", "picture-unreadable"}
    elsewhere |= {"picture-torn", "picture-resized", "picture-blurred", "picture-noise"}
    assert set(LIVE) | elsewhere == set(ADVICE)


def test_cards_face_down_are_no_glare_and_no_missing_cards() -> None:
    backs = dict.fromkeys(SIX, (FACE_DOWN,))
    camera = SimulatedCamera("bright", 31, condition=DAY)
    hands = Hands(DAY.sloppiness, np.random.default_rng(1))
    picture = camera.picture((*hands.boards(THEATERS), *hands.lay(backs, THEATERS)))
    assert examine(picture).usable
