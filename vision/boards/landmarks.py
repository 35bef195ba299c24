"""Registration without the mat: the three boards are landmarks.

Key points of the boards' art vote for where a board's middle lies, how large and how turned (Lowe, "Distinctive image
features from scale-invariant keypoints", IJCV 2004, section 7.3). A vote does not ask whose board it is: art that two
boards share does no harm, and nothing is drawn at random, so that a picture always gives the same answer. Which board
it is comes out when the boards are laid over the picture, and so does the exact place of the camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import THEATERS
from vision.boards.boards import BoardFinder, Boards, FoundBoard
from vision.boards.landmark_fit import (
    UNKNOWN_LENS,
    LensPrior,
    Marks,
    calibrated,
    fit_points,
    lay_boards,
    templates,
)
from vision.geometry import table as geometry
from vision.geometry.pose import Lens, Pose, first_guess, pose_of_homography
from vision.geometry.registration import MAX_TILT, Registration, grey_of
from vision.profile import SCALE, DeckProfile
from vision.types import Floats, Picture

WIDTHS: Final = (480, 640, 1280)
"""Widths to which the picture is brought for key points, px; the next where one shows too few."""
BOARD_SCALE: Final = 1.6
"""px/mm of the boards' key points."""
BOARD_POINTS: Final = 250
"""Key points kept of each board."""
ALIKE: Final = 0.88
"""A match counts if no other spot of the boards is nearly as like: ratio of the distances."""
LEAST_VOTES: Final = 6
"""Key points in different spots that have to agree on a board."""
ALONE: Final = 10
"""Key points that make a single board worth following to its neighbours."""
SPOT: Final = 6.0
"""Key points nearer than this show one and the same spot, mm."""
PLAIN: Final = 0.45
"""Correlation from which on a board is believed to lie where the key points say."""
LAID_MOST: Final = 4
"""Times that the boards are laid, at most."""
SETTLES: Final = 10.0
"""How far the table's corners may move at the last of the times that the boards are laid, mm."""
SETTLES_BESIDE_SHINE: Final = 2.0
"""The same where a lamp's shine was left out by where they lay before."""
SAME: Final = 1.0
"""How far the boards' corners may wander between two pictures before the camera is fitted afresh, px at 1920."""

STEADY: Final = 1.0
"""Boards are laid by tags, too, until the camera moves no corner of the table by more than this, mm."""
LOOSE_LENS: Final = (0.3, 0.2)
"""How far focal length (logarithm) and first radial term may be off what two tags alone make of a lens that nobody
measured: of one 95° across they made 64°."""
PICTURE_POINTS: Final = 3000
"""Key points kept of the picture: of 800 a table's grain left none to boards with little print."""
SIFT_LIMITS: Final = (0.015, 15)
"""Least contrast of a key point, and how much more its light may change one way than the other."""
AGREE: Final = (18.0, 0.35, 0.26)
"""Votes agree that put a board's middle no further apart than this, mm, with sizes (natural logarithm) and turns
(radians) no further apart than these."""
SETTLING: Final = (8.0, 5.0, 3.5, 3.5)
"""How far from where the board is put a key point may lie, mm, each time it is put there again."""
MOST_SIZE: Final = 0.6
"""How far its size may be off, natural logarithm."""
SCALE_RANGE: Final = (0.3, 12.0)
"""px/mm between which a picture may be of a table."""
ONE_ROW: Final = (0.85, 1.35, 45.0)
"""Boards of one row: how much of their directions' sum is left, the largest over the smallest, and how far one may lie
off the line, mm."""
NEIGHBOURS: Final = (100.0, 170.0)
"""How far apart the middles of neighbours may lie, mm: 130.5 is asked for."""
NEXT_BUT_ONE: Final = (210.0, 320.0)
"""The same of the outer two."""

_ROW: Final = np.array([(x, y) for x in (-195.0, -65.0, 65.0, 195.0) for y in (-44.0, 44.0)])


@dataclass(frozen=True, slots=True)
class _Votes:
    """One row a match: key point in the picture (px) and on a board (mm, y downwards), and what it votes for."""

    seen: Floats
    local: Floats
    middle: Floats
    scale: Floats
    """px/mm"""
    turn: Floats
    """Radians, clockwise in the picture."""

    def only(self, keep: NDArray[np.bool_]) -> _Votes:
        return _Votes(self.seen[keep], self.local[keep], self.middle[keep], self.scale[keep], self.turn[keep])


@dataclass(frozen=True, slots=True)
class _Patch:
    """A place in the picture where a board seems to lie: complex `a`, `b` with picture = a * board + b."""

    a: complex
    b: complex
    local: Floats
    seen: Floats
    votes: int

    @property
    def scale(self) -> float:
        return abs(self.a)

    @property
    def middle(self) -> Floats:
        return np.array([self.b.real, self.b.imag])


class Landmarks:
    """The boards' key points of one deck."""

    def __init__(self, profile: DeckProfile, finder: BoardFinder | None = None) -> None:
        """`finder`: of the same deck's boards, where there is one already."""
        self.one_seen = False
        """Whether one board alone was plainly seen when `register` last found no camera."""
        self._focal = profile.focal
        self._finder = finder or BoardFinder(profile)
        self._known = templates(profile)
        points: list[Floats] = []
        features: list[NDArray[np.float32]] = []
        for theater in THEATERS:
            board = cv2.resize(
                profile.boards[theater],
                None,
                fx=BOARD_SCALE / SCALE,
                fy=BOARD_SCALE / SCALE,
                interpolation=cv2.INTER_AREA,
            )
            found = _key_points(grey_of(np.asarray(board, dtype=np.uint8)), BOARD_POINTS)
            found[0][:, :2] = (found[0][:, :2] + 0.5) / BOARD_SCALE - np.array(geometry.BOARD) / 2
            points.append(found[0])
            features.append(found[1])
        self._points = np.concatenate(points)
        self._features = np.concatenate(features)
        at = self._points[:, :2].astype(np.float32)
        # The same spot is found at several sizes, and on several boards if they share their art: that is no rival.
        self._one_spot = np.logical_and.reduce([np.abs(x[:, None] - x[None]) <= SPOT for x in at.T])

    def register(
        self, image: Picture, previous: Registration | None = None, lens: Lens | None = None
    ) -> Registration | None:
        """The camera from at least two boards, else None. `near` is the seat they stand upright for.

        `previous` is a registration of the same camera: where the boards still lie so, nothing is searched. `lens` is
        the camera's where it was calibrated; one of pictures of another shape is passed over.
        """
        size = (int(image.shape[1]), int(image.shape[0]))
        lens = lens if lens is not None and lens.fits(size) else None
        colour = image if image.ndim == 3 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
        if previous is not None and previous.pose.size == size:
            again = self._exact(colour, [previous.pose], lens)
            if again is not None:
                # Asked where the boards lie: what follows from them elsewhere trembles with the noise.
                near = np.hypot(*(again.project(_ROW) - previous.project(_ROW)).T).max() < SAME * max(
                    size[0] / 1920, 0.6
                )
                return replace(previous, source="boards", tags={}) if near else again
        grey, self.one_seen = grey_of(image), False
        for width in WIDTHS:
            guesses = self._guesses(grey, min(width, size[0]), size, lens)
            found = self._exact(colour, guesses, lens) if guesses else None
            if found is not None or width >= size[0]:
                return found
        return None

    def steadied(self, image: Picture, seen: Registration, boards: Boards) -> Registration | None:
        """The camera from few tags and the boards together, (h, w, 3) uint8 BGR: two tags at one end of the table tell
        little of a lens that nobody measured. None where fewer than two boards are plain."""
        plain = _plain(boards)
        if len(plain) < 2:
            return None
        told = seen
        for _ in range(LAID_MOST):
            lens = LensPrior(told.pose.radial, *LOOSE_LENS)
            laid = lay_boards(image, told.pose, plain, self._known, lens, tags=seen.tags)
            if laid.pose.tilt > MAX_TILT:
                return None
            before, told, plain = told, replace(seen, pose=laid.pose), list(laid.boards)
            if told.moved(before) / told.pose.scale < STEADY:
                break
        return told

    def _guesses(self, grey: Picture, width: int, size: tuple[int, int], lens: Lens | None) -> list[Pose]:
        """Poses that agree with where boards seem to lie; several where it is not known which places they are."""
        factor = size[0] / width
        small = cv2.resize(grey, (width, round(size[1] / factor)), interpolation=cv2.INTER_AREA)
        seen, features = _key_points(np.asarray(small, dtype=np.uint8), PICTURE_POINTS)
        out: list[Pose] = []
        for places in _rows(_patches(self._votes(seen, features))):
            marks = [Marks(slot, p.local * np.array([1, -1]), (p.seen + 0.5) * factor - 0.5) for slot, p in places]
            table = np.concatenate([m.local + np.array([geometry.BOARD_X[m.slot], 0.0]) for m in marks])
            pixels = np.concatenate([m.pixels for m in marks])
            focal = (self._focal if lens is None else lens.focal) * size[0]
            # Two boards tell too little of a lean: the camera looks straight down until they are laid.
            guess_of = first_guess if len(marks) == 3 else _from_above
            guess = guess_of(table, pixels, size, focal)
            if guess is None:
                continue
            if lens is not None:
                guess = lens.at(guess)
            out.append(fit_points(guess, marks, 1.0, _prior(lens)) if len(marks) == 3 else guess)
        return out

    def _votes(self, seen: Floats, features: NDArray[np.float32]) -> _Votes:
        """Each key point of the picture with the spot of the boards that it is most like, if it is like one alone."""
        if len(seen) < LEAST_VOTES or len(self._points) < LEAST_VOTES:
            none = np.zeros((0, 2))
            return _Votes(none, none, none, np.zeros(0), np.zeros(0))
        like = features @ self._features.T
        best = like.argmax(1)
        rows = np.arange(len(seen))
        top = like[rows, best]
        np.copyto(like, -1, where=self._one_spot[best])
        rival = like.max(1)
        clear = np.sqrt(np.maximum(2 - 2 * top, 0)) < ALIKE * np.sqrt(np.maximum(2 - 2 * rival, 1e-9))
        mine, theirs = self._points[best[clear]], seen[clear]
        scale = theirs[:, 2] / mine[:, 2] * BOARD_SCALE
        turn = theirs[:, 3] - mine[:, 3]
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        x, y = mine[:, 0], mine[:, 1]
        middle = theirs[:, :2] - np.column_stack([c * x - s * y, s * x + c * y])
        return _Votes(theirs[:, :2], mine[:, :2], middle, scale, turn)

    def _exact(self, image: Picture, guesses: Sequence[Pose], lens: Lens | None) -> Registration | None:
        """The best of the guesses after the boards were laid over the picture; None where they do not lie there."""
        seen: list[tuple[Pose, Boards]] = []
        most = 0
        for guess in guesses:
            if guess.tilt <= MAX_TILT and SCALE_RANGE[0] < guess.scale < SCALE_RANGE[1]:
                there = self._finder.find(image, Registration(guess, source="boards"), by_edges=False)
                plain = len(_plain(there))
                most = max(most, plain)
                if plain >= 2:
                    seen.append((guess, there))
        self.one_seen = most == 1
        if len(seen) > 1 and not any(all(there) for _, there in seen):
            # A third board that shines shows by its edges alone: that tells which places the other two are.
            seen = [(guess, self._finder.find(image, Registration(guess, source="boards"))) for guess, _ in seen]
        best = max(seen, key=lambda one: sum(b.match for b in one[1] if b is not None), default=None)
        if best is None:
            return None
        pose, boards = best[0], _plain(best[1])
        found: Registration | None = None
        for k in range(LAID_MOST):
            before = pose
            laid = lay_boards(image, before, boards, self._known, _prior(lens), k == 0)
            pose = laid.pose
            if laid.fit < PLAIN or pose.tilt > MAX_TILT:
                return None
            # A board lies to half a millimetre where it is laid plainly; less plainly, less well.
            told = Registration(pose, {}, 0.5 * pose.scale / laid.fit, "boards")
            moved = told.moved(Registration(before)) / pose.scale
            found = told if moved < SETTLES else None
            if moved < (SETTLES_BESIDE_SHINE if laid.shines else SETTLES):
                break
            boards = list(laid.boards)
            if len(boards) < len(THEATERS) or min(board.match for board in boards) < PLAIN:
                # With the camera nearer to the truth, one that was not found may be.
                boards = _plain(self._finder.find(image, told, by_edges=False))
            if len(boards) < 2:
                break
        return found


def _plain(there: Boards) -> list[FoundBoard]:
    """Those of the boards that are plainly seen."""
    return [board for board in there if board is not None and board.match >= PLAIN]


def _prior(lens: Lens | None) -> LensPrior:
    return UNKNOWN_LENS if lens is None else calibrated(lens.radial)


def _key_points(grey: Picture, most: int) -> tuple[Floats, NDArray[np.float32]]:
    """Key points (N, 4): x, y, size in px, direction in radians; and their descriptors (N, 128), of length 1."""
    # Light is evened out first, so that dim corners give key points too.
    even = cv2.createCLAHE(3.0, (8, 8)).apply(grey)
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=SIFT_LIMITS[0], edgeThreshold=SIFT_LIMITS[1])
    keys, features = sift.detectAndCompute(even, None)
    if not len(keys):
        return np.zeros((0, 4)), np.zeros((0, 128), np.float32)
    points = np.array([(*k.pt, k.size, k.angle) for k in keys], dtype=np.float64)
    points[:, 3] = np.radians(points[:, 3])
    # Roots of the entries: Arandjelović & Zisserman, "Three things everyone should know", CVPR 2012.
    f = np.asarray(features, dtype=np.float32)
    return points, np.sqrt(f / np.maximum(f.sum(1, keepdims=True), 1e-6))


def _patches(votes: _Votes) -> list[_Patch]:
    """Places in the picture that enough votes agree on, the plainest first."""
    out: list[_Patch] = []
    off = votes.middle[:, None] - votes.middle[None]
    near = np.hypot(off[..., 0], off[..., 1]) < AGREE[0] * votes.scale[:, None]
    alike = np.abs(np.log(votes.scale[:, None] / votes.scale[None])) < AGREE[1]
    turned = np.abs((votes.turn[:, None] - votes.turn[None] + np.pi) % (2 * np.pi) - np.pi) < AGREE[2]
    together = near & alike & turned
    left = np.ones(len(votes.scale), np.bool_)
    while np.count_nonzero(left) >= LEAST_VOTES and len(out) < 6:
        seed = int(np.where(left, np.count_nonzero(together & left, axis=1), -1).argmax())
        keep = together[seed] & left
        if keep.sum() < 4:
            break
        patch = _settled(votes.only(left), keep[left])
        if patch is None:
            left &= ~keep
            continue
        out.append(patch)
        inverse = (votes.seen @ np.array([1, 1j]) - patch.b) / patch.a
        within = (np.abs(inverse.real) < geometry.BOARD[0] / 2 + 4) & (np.abs(inverse.imag) < geometry.BOARD[1] / 2 + 4)
        left &= ~(within | keep)
    return sorted(out, key=lambda p: -p.votes)


def _settled(votes: _Votes, keep: NDArray[np.bool_]) -> _Patch | None:
    """The similarity that the votes in `keep` agree on, by least squares; None where too few spots do."""
    local, seen = votes.local @ np.array([1, 1j]), votes.seen @ np.array([1, 1j])
    a, b = 0j, 0j
    for limit in SETTLING:
        if keep.sum() < 4:
            return None
        x, y = local[keep], seen[keep]
        spread = x - x.mean()
        power = float((np.abs(spread) ** 2).sum())
        if power < 4 * SPOT**2:
            return None
        a = complex((np.conj(spread) * (y - y.mean())).sum() / power)
        b = complex(y.mean() - a * x.mean())
        keep = (np.abs(a * local + b - seen) < limit * abs(a)) & (
            np.abs(np.log(votes.scale / max(abs(a), 1e-6))) < MOST_SIZE
        )
    spots = {(round(x / SPOT), round(y / SPOT)) for x, y in votes.local[keep].tolist()}
    if len(spots) < LEAST_VOTES:
        return None
    return _Patch(a, b, votes.local[keep], votes.seen[keep], len(spots))


def _from_above(table: Floats, pixels: Floats, size: tuple[int, int], focal: float) -> Pose | None:
    """The pose of a camera that looks straight down, from points (N, 2) mm and px; None if they give none."""
    x, y = table @ np.array([1, -1j]), pixels @ np.array([1, 1j])
    spread = x - x.mean()
    a = complex((np.conj(spread) * (y - y.mean())).sum() / (np.abs(spread) ** 2).sum())
    b = complex(y.mean() - a * x.mean())
    h = np.array([[a.real, a.imag, b.real], [a.imag, -a.real, b.imag], [0, 0, 1.0]])
    return pose_of_homography(h, size, focal)


def _rows(found: Sequence[_Patch]) -> list[list[tuple[int, _Patch]]]:
    """Which places the boards may lie in, the likeliest first: all three, two, and every place of the plainest one.

    Two neighbours do not tell which places they are, and one board even less: all ways are given. Where the others
    lie is seen when the boards are laid over the picture.
    """
    whole: list[tuple[int, list[tuple[int, _Patch]]]] = []
    pairs: list[tuple[int, list[tuple[int, _Patch]]]] = []
    for count in (3, 2):
        for group in combinations(found, count):
            heading = complex(np.sum([p.a / abs(p.a) for p in group]))
            scales = np.array([p.scale for p in group])
            if abs(heading) < ONE_ROW[0] * count or scales.max() / scales.min() > ONE_ROW[1]:
                continue
            axis = heading / abs(heading) * float(np.mean(scales))
            ranked = sorted(group, key=lambda p: (p.b / axis).real)
            steps = [(q.b - p.b) / axis for p, q in pairwise(ranked)]
            votes = sum(p.votes for p in group)
            if any(abs(s.imag) > ONE_ROW[2] for s in steps):
                continue
            side_by_side = all(NEIGHBOURS[0] < s.real < NEIGHBOURS[1] for s in steps)
            if count == 3 and side_by_side:
                whole.append((votes, list(enumerate(ranked))))
            elif count == 2 and side_by_side:
                pairs += [(votes, list(enumerate(ranked))), (votes, list(enumerate(ranked, 1)))]
            elif count == 2 and NEXT_BUT_ONE[0] < steps[0].real < NEXT_BUT_ONE[1]:
                pairs.append((votes, [(0, ranked[0]), (2, ranked[1])]))
    whole.sort(key=lambda w: -w[0])
    pairs.sort(key=lambda w: -w[0])
    if whole:
        return [whole[0][1]]
    single = [[(slot, patch)] for patch in found[:2] for slot in (1, 0, 2) if patch.votes >= ALONE]
    return [places for _, places in pairs[:2]] + (single if len(pairs) == 0 else [])
