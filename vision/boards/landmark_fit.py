"""Fits the camera to three boards that each may have slid: all their pixels are laid over the picture at once.

Where a board lies is plain from the whole of it; how the camera leans shows only in how its corners are drawn apart.
So camera and slides are fitted together, to the pictures themselves (Gauss-Newton on tones, gain and offset free:
Baker & Matthews, "Lucas-Kanade 20 years on", IJCV 2004), with a prior on the lens and on every slide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import THEATERS, Theater
from vision.boards.boards import DARK, RIM, Bare, FoundBoard, bare, relief, sized
from vision.geometry import table as geometry
from vision.geometry.pose import CALIBRATED, Pose, slopes
from vision.geometry.rectify import cut, frame_around
from vision.geometry.registration import grey_of
from vision.profile import DeckProfile
from vision.types import Floats, Grey, Picture

LAID: Final = 0.75
"""px/mm at which the boards are laid over the picture: on 28 path-traced tables of 25 decks the camera was then 0.8 mm
off over the table, in the mean, where it was 1.1 at 1.5, in a quarter of the time."""
SLIDE: Final = (4.0, 0.04)
"""How far boards lie from their places: mm, radians (standard deviations)."""
FOCAL_SPREAD: Final = 0.1
"""Standard deviation of the focal length's logarithm around that of the camera the deck was learnt with."""
RADIAL_SPREAD: Final = 0.04
"""Of the first radial term: boards in the picture's middle tell little of it, and of the second one nothing."""
KIN: Final = 500.0
"""So many pixels at `LAID` tell as much as one: neighbours err alike, and an enrolled board is itself a little out of
shape."""
TAG_ERROR: Final = 0.5
"""How far a tag's corner may be off where boards are laid by it, too, px."""
ROUNDS: Final = 10
"""Rounds of the fit at most."""
SETTLED: Final = 0.1
"""A round that moves nothing by more than this is the last, mm."""
ROBUST: Final = 2.5
"""Errors, in their usual size, from which a point counts less and less."""
GAINS: Final = (0.2, 5.0)
"""Contrast of a board's picture over the enrolled one's, least and most."""
SHINE: Final = 0.15
"""By how much more a lit line stands out from its surroundings than in the other picture, logarithm of light."""
MORE_CONTRAST: Final = 1.5
"""How many times the contrast of the other picture print may show and be no shine."""
SHINE_SCALE: Final = 0.5
"""px/mm at which shine is looked for."""
SHINE_WITHIN: Final = 26
"""Side of the surroundings that tell shine, mm: a lamp's line along an edge is 3 to 5 wide."""
SHINE_RIM: Final = 2
"""How much more than the shine is left out on each side of it, mm; print that is laid so far off is no shine."""
MOST_SHINE: Final = 0.5
"""Share of a board that may be left out: where more shines, it is laid as it is seen."""

_STEPS: Final = 50.0
"""Codes for each e-fold of light, where a median needs them."""

_HALF: Final = np.array(geometry.BOARD) / 2


@dataclass(frozen=True, slots=True)
class LensPrior:
    """What is known of the lens beforehand; of the second radial term the guess is kept."""

    radial: float = 0.0
    focal_spread: float = FOCAL_SPREAD
    radial_spread: float = RADIAL_SPREAD


UNKNOWN_LENS: Final = LensPrior()
"""Of the camera that the deck was learnt with, or another."""


def calibrated(radial: float) -> LensPrior:
    """Of a lens that was measured, with its first radial term."""
    return LensPrior(radial, *CALIBRATED[:2])


def _powers(at: Floats) -> Floats:
    """Polynomials up to the square at points (N, 2) mm of a board: (N, 6)."""
    x, y = (at / _HALF).T
    out: Floats = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], 1)
    return out


_GRID: Final = np.stack(np.meshgrid(np.linspace(-0.9, 0.9, 5), np.linspace(-0.9, 0.9, 5)), -1).reshape(-1, 2) * _HALF
_TO_POWERS: Final = np.linalg.pinv(_powers(_GRID))


@dataclass(frozen=True, slots=True)
class Template:
    """A board's relief, its rim left out, and how each pixel changes when the board is drawn otherwise."""

    scale: float
    """px/mm"""

    board: Picture
    """The board, (h, w, 3)."""
    tones: Grey
    """(N,)"""
    moves: Grey
    """(12, N): its slopes along x and y (per mm, y upwards), each times the six polynomials."""
    bare: Bare | None = None
    """What counts of it: nothing does where a lamp shines on the board. None where none does."""


def templates(profile: DeckProfile, scale: float = LAID) -> dict[Theater, Template]:
    """The boards of a deck, ready to be laid at `scale` px/mm."""
    out: dict[Theater, Template] = {}
    for theater in THEATERS:
        board = sized(profile.boards[theater], scale)
        tones = relief(board, scale)
        gx = cv2.Sobel(tones, cv2.CV_32F, 1, 0, ksize=3, scale=scale / 8)
        gy = cv2.Sobel(tones, cv2.CV_32F, 0, 1, ksize=3, scale=-scale / 8)
        rim = round(RIM * scale)
        h, w = tones.shape
        ys, xs = np.mgrid[rim : h - rim, rim : w - rim].astype(np.float64)
        at = np.stack([(xs.ravel() + 0.5) / scale - _HALF[0], _HALF[1] - (ys.ravel() + 0.5) / scale], 1)
        powers = _powers(at).T
        slopes_xy = [np.asarray(g, np.float64)[rim:-rim, rim:-rim].ravel() for g in (gx, gy)]
        moves = np.concatenate([powers * slope for slope in slopes_xy]).astype(np.float32)
        out[theater] = Template(scale, board, _inner(tones, scale), moves)
    return out


def _without_shine(template: Template, image: Picture, pose: Pose, slide: Floats, rough: bool) -> Template:
    """The template without what a lamp's shine hides in this picture or the enrolled one: along bevels and bent edges
    it draws lines that are plainer than a dark board's print, and lie elsewhere than when the deck was learnt.

    `rough`: the board may lie a little otherwise; light print is then no shine for being laid a little off.
    """
    seen, _ = _cut(image, pose, slide, template.scale)
    size = round(geometry.BOARD[0] * SHINE_SCALE), round(geometry.BOARD[1] * SHINE_SCALE)
    light, known = (_lightness(cv2.resize(p, size, interpolation=cv2.INTER_AREA)) for p in (seen, template.board))
    near = np.ones((round(2 * SHINE_RIM * SHINE_SCALE) | 1,) * 2, np.uint8)
    pairs = ((light, known), (known, light))
    if rough:
        pairs = (light, _dilated(known, near)), (known, _dilated(light, near))
    shines = np.zeros(light.shape, np.uint8)
    for one, other in pairs:
        shines |= (one > SHINE + MORE_CONTRAST * np.maximum(other, 0)).astype(np.uint8)
    if not shines.any():
        return replace(template, bare=None)
    shines = np.asarray(cv2.dilate(shines, near), dtype=np.uint8)
    if float(shines.mean()) > MOST_SHINE:
        return replace(template, bare=None)
    h, w = template.board.shape[:2]
    dull = bare(
        np.asarray(1 - cv2.resize(shines, (w, h), interpolation=cv2.INTER_NEAREST), dtype=np.uint8), template.scale
    )
    return replace(
        template,
        tones=_inner(relief(template.board, template.scale, dull), template.scale),
        bare=dull,
    )


def _lightness(board: NDArray[Any]) -> Grey:
    """By how much each part of a board (h, w, 3) at `SHINE_SCALE` is lighter than its surroundings, logarithm."""
    light = np.log(grey_of(np.asarray(board, dtype=np.uint8)).astype(np.float32) + DARK)
    codes = np.clip(light * _STEPS - _STEPS * 2, 0, 255).astype(np.uint8)
    around = cv2.medianBlur(codes, round(SHINE_WITHIN * SHINE_SCALE) | 1)
    return np.asarray(light - (around / np.float32(_STEPS) + 2), dtype=np.float32)


def _dilated(part: Grey, near: Picture) -> Grey:
    return np.asarray(cv2.dilate(part, near), dtype=np.float32)


def _inner(part: Grey, scale: float) -> Grey:
    """Without the rim, in one row."""
    rim = round(RIM * scale)
    return np.ascontiguousarray(part[rim:-rim, rim:-rim]).ravel()


def _cut(image: Picture, pose: Pose, slide: Floats, scale: float) -> tuple[Picture, NDArray[np.bool_]]:
    """The board that lies at `slide`, at `scale` px/mm, and what of it lies in the picture."""
    frame = frame_around((float(slide[0]), float(slide[1])), float(slide[2]), *geometry.BOARD)
    return cut(image, pose, frame, scale)


@dataclass(frozen=True, slots=True)
class Marks:
    """Points of one board: `local` (N, 2) mm from its middle, y upwards; `pixels` (N, 2) where they are seen."""

    slot: int
    local: Floats
    pixels: Floats


def fit_points(guess: Pose, marks: Sequence[Marks], error: float, lens: LensPrior = UNKNOWN_LENS) -> Pose:
    """The camera from points of boards that each may have slid. `error`: how far a point is expected to be off, mm."""
    sigma = error * guess.scale
    pose, slides = guess, np.array([(geometry.BOARD_X[m.slot], 0.0, 0.0) for m in marks])
    places = slides.copy()
    count = 8 + 3 * len(marks)
    for _ in range(8):
        normal, grad = _priors(guess, pose, places, slides, lens)
        for k, mark in enumerate(marks):
            table, _, swing = _on_table(mark.local, slides[k])
            at, by_camera, by_point = slopes(pose, table)
            err = (at - mark.pixels) / sigma
            weight = np.minimum(1.0, ROBUST / np.maximum(np.hypot(err[:, 0], err[:, 1]), 1e-9))
            jac = np.zeros((len(at), 2, count))
            jac[:, :, :8] = by_camera[:, :, :8]
            jac[:, :, 8 + 3 * k : 10 + 3 * k] = by_point
            jac[:, :, 10 + 3 * k] = (by_point @ swing[:, :, None])[..., 0]
            flat = jac.reshape(-1, count) / sigma
            weighted = flat * np.repeat(weight, 2)[:, None]
            normal += weighted.T @ flat
            grad += weighted.T @ err.ravel()
        step = _solved(normal, grad)
        pose, slides = _moved(pose, step), slides + step[8:].reshape(-1, 3)
        if float(np.abs(step).max()) < 1e-3:
            break
    return pose


@dataclass(frozen=True, slots=True)
class LaidBoards:
    """Boards laid over a picture, and the camera that they tell."""

    pose: Pose
    boards: tuple[FoundBoard, ...]
    """Where they lie; `match`: how well, -1..1."""
    shines: bool
    """A lamp shines on one, which was left out by where the guess had it."""

    @property
    def fit(self) -> float:
        """How well the second best of them lies."""
        return sorted(board.match for board in self.boards)[-2]


def lay_boards(
    image: Picture,
    guess: Pose,
    boards: Sequence[FoundBoard],
    known: Mapping[Theater, Template],
    lens: LensPrior = UNKNOWN_LENS,
    rough: bool = True,
    tags: Mapping[int, Floats] = MappingProxyType({}),
) -> LaidBoards:
    """The camera from boards that were found with the guess, and from corner `tags`, (4, 2) px each, where some are
    seen. `rough`: the guess may be a little off."""
    places = np.array([(geometry.BOARD_X[b.slot], 0.0, 0.0) for b in boards])
    slides = np.array([(*b.centre, b.frame.turn) for b in boards])
    plates = [_without_shine(known[b.theater], image, guess, s, rough) for b, s in zip(boards, slides, strict=True)]
    sigmas: list[float] = []
    for slide, plate in zip(slides, plates, strict=True):
        sigmas.append(_compared(image, guess, slide, plate, None).sigma)

    def laid(pose: Pose, slides: Floats) -> tuple[list[_Compared], float]:
        seen = [_compared(image, pose, s, t, sigma) for s, t, sigma in zip(slides, plates, sigmas, strict=True)]
        held = _by_tags(pose, tags)[2]
        return seen, sum(c.cost for c in seen) + _strain(guess, pose, places, slides, lens) + held

    pose, damp = guess, 1e-3
    seen, cost = laid(pose, slides)
    for _ in range(ROUNDS):
        normal, grad = _priors(guess, pose, places, slides, lens)
        by_tags = _by_tags(pose, tags)
        normal[:8, :8] += by_tags[0]
        grad[:8] += by_tags[1]
        for k, (plate, compared, by_step) in enumerate(zip(plates, seen, _drawn(pose, slides), strict=True)):
            moves = plate.moves * compared.weight
            columns = [*range(8), *range(8 + 3 * k, 11 + 3 * k)]
            normal[np.ix_(columns, columns)] += by_step.T @ (moves @ plate.moves.T).astype(np.float64) @ by_step
            grad[columns] += by_step.T @ (moves @ compared.left).astype(np.float64)
        for _ in range(3):
            step = _solved(normal + damp * np.diag(np.diag(normal)), grad)
            trial, slid = _moved(pose, step), slides + step[8:].reshape(-1, 3)
            after, after_cost = laid(trial, slid)
            if after_cost < cost:
                break
            damp *= 10
        else:
            break
        drift = np.hypot(*(trial.project(_CORNERS) - pose.project(_CORNERS)).T).max() / pose.scale
        pose, slides, seen, cost, damp = trial, slid, after, after_cost, damp * 0.3
        if drift < SETTLED:
            break
    there = (frame_around((float(x), float(y)), float(turn), *geometry.BOARD) for x, y, turn in slides)
    found = (replace(b, frame=f, match=c.fit) for b, f, c in zip(boards, there, seen, strict=True))
    return LaidBoards(pose, tuple(found), any(plate.bare is not None for plate in plates))


def _by_tags(pose: Pose, tags: Mapping[int, Floats]) -> tuple[Floats, Floats, float]:
    """What the tags' corners tell of the camera: normal matrix (8, 8), gradient (8,) and cost."""
    if not tags:
        return np.zeros((8, 8)), np.zeros(8), 0.0
    table = np.concatenate([np.array(geometry.tag_corners(tag)) for tag in tags])
    at, by_camera, _ = slopes(pose, table)
    err = ((at - np.concatenate(list(tags.values()))) / TAG_ERROR).ravel()
    jac = by_camera[:, :, :8].reshape(-1, 8) / TAG_ERROR
    return jac.T @ jac, jac.T @ err, float(err @ err)


_CORNERS: Final = np.array([[x, y] for x in (-180.0, 180.0) for y in (-250.0, 250.0)])


@dataclass(frozen=True, slots=True)
class _Compared:
    """A board as seen against its template."""

    weight: Grey
    """What each pixel has to say, (N,)."""
    left: Grey
    """How far each pixel's tone is off, (N,)."""
    cost: float
    fit: float
    """Correlation."""
    sigma: float
    """How far pixels are off that nothing covers."""


def _compared(image: Picture, pose: Pose, slide: Floats, template: Template, sigma: float | None) -> _Compared:
    scale = template.scale
    kin = KIN * (scale / LAID) ** 2
    patch, inside = _cut(image, pose, slide, scale)
    seen = _inner(relief(patch, scale, template.bare), scale)
    there = _inner(inside.astype(np.float32), scale)
    if template.bare is not None:
        there *= _inner(template.bare.counts.astype(np.float32), scale)
    tones: Grey = template.tones
    weight: Grey = there
    seen2, both = seen * seen, seen * tones
    for _ in range(2):
        # Gain and offset by least squares; then what a hand or the lamp's shine covers loses its say.
        total = float(weight.sum()) + 1e-6
        seen_sum, tones_sum = float(weight @ seen), float(weight @ tones)
        seen_mean, tones_mean = seen_sum / total, tones_sum / total
        power = float(weight @ seen2) - seen_mean * seen_sum + 1e-9
        product = float(weight @ both) - seen_mean * tones_sum
        gain = min(max(product / power, GAINS[0]), GAINS[1])
        left = np.asarray(
            cv2.addWeighted(seen, gain, tones, -1.0, tones_mean - gain * seen_mean), dtype=np.float32
        ).ravel()
        spread = sigma if sigma is not None else 1.48 * float(np.median(np.abs(left))) + 1e-3
        far = left * left
        far *= np.float32(1 / (ROBUST * spread) ** 2)
        far += np.float32(1)
        weight = there / far
    tones_off = tones - np.float32(tones_mean)
    fit = product / np.sqrt(power * (float(weight @ (tones_off * tones_off)) + 1e-9))
    cost = ROBUST**2 * float(there @ np.asarray(cv2.log(far), dtype=np.float32).ravel()) / kin
    return _Compared(weight * np.float32(1 / (kin * spread**2)), left, cost, float(fit), spread)


def _drawn(pose: Pose, slides: Floats) -> list[Floats]:
    """How each board's drawing shifts with each step of camera and slide: (12, 11) by polynomial, x before y."""
    # All boards' points at once: they are few, and each step over them costs as much for one board as for three.
    places = [_on_table(_GRID, slide) for slide in slides]
    _, by_camera, by_point = slopes(pose, np.concatenate([table for table, _, _ in places]))
    moved = np.linalg.solve(by_point, by_camera[:, :, :8])
    out: list[Floats] = []
    for k, (_, turn, swing) in enumerate(places):
        shift = np.empty((len(_GRID), 2, 11))
        shift[:, :, :8] = moved[k * len(_GRID) : (k + 1) * len(_GRID)]
        shift[:, :, 8:10] = np.eye(2)
        shift[:, :, 10] = swing
        shift = turn @ shift
        out.append(np.concatenate([_TO_POWERS @ shift[:, 0], _TO_POWERS @ shift[:, 1]]))
    return out


def _on_table(local: Floats, slide: Floats) -> tuple[Floats, Floats, Floats]:
    """A board's points (N, 2) on the table; the turn's matrix; and how the points move with the turn, (N, 2)."""
    c, s = np.cos(slide[2]), np.sin(slide[2])
    turn = np.array([[c, s], [-s, c]])
    turned = local @ turn
    return turned + slide[:2], turn, turned[:, ::-1] * np.array([-1.0, 1.0])


def _strain(guess: Pose, pose: Pose, places: Floats, slides: Floats, lens: LensPrior) -> float:
    """The cost that belongs to `_priors`."""
    spread = np.array([SLIDE[0], SLIDE[0], SLIDE[1]])
    focal = np.log(pose.focal / guess.focal) / lens.focal_spread
    radial = (pose.radial - lens.radial) / lens.radial_spread
    return float((((slides - places) / spread) ** 2).sum() + focal**2 + radial**2)


def _priors(guess: Pose, pose: Pose, places: Floats, slides: Floats, lens: LensPrior) -> tuple[Floats, Floats]:
    """Normal matrix and gradient of what is known beforehand: the lens, boards near their places."""
    spread = np.tile([SLIDE[0], SLIDE[0], SLIDE[1]], len(slides))
    normal = np.zeros((8 + len(spread), 8 + len(spread)))
    grad = np.zeros(8 + len(spread))
    normal[6, 6], normal[7, 7] = lens.focal_spread**-2, lens.radial_spread**-2
    grad[6] = np.log(pose.focal / guess.focal) / lens.focal_spread**2
    grad[7] = (pose.radial - lens.radial) / lens.radial_spread**2
    normal[range(8, len(grad)), range(8, len(grad))] = spread**-2
    grad[8:] = (slides - places).ravel() / spread**2
    return normal, grad


def _solved(normal: Floats, grad: Floats) -> Floats:
    return np.asarray(np.linalg.solve(normal + 1e-6 * np.diag(np.diag(normal)), -grad), dtype=np.float64)


def _moved(pose: Pose, step: Floats) -> Pose:
    return replace(
        pose,
        rvec=pose.rvec + step[:3],
        tvec=pose.tvec + step[3:6] * 100,
        focal=float(pose.focal * np.exp(min(max(step[6], -0.3), 0.3))),
        radial=float(min(max(pose.radial + step[7], -0.5), 0.3)),
    )
