"""A deck's faces at the scales at which columns are searched and explained."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import FACE_DOWN, Face
from vision.cards.clipping import AS_LIGHT, BLOWN_OUT, clipped, lit
from vision.cards.cut_offset import CutOffset, cut_elsewhere, cut_offset, moved
from vision.cards.equal_print import EQUAL, FaceParts, equal_print, has_sign, parts_of
from vision.cards.own_print import ALIKE_HEADERS
from vision.cards.pattern import Pattern
from vision.cards.signs import SignCore, core_of
from vision.cards.similarity import Print, PrintMask, sharpened, smoothed
from vision.geometry import table as geometry
from vision.geometry.align import Aligner
from vision.geometry.light import apply, root_table
from vision.profile import FACES, SCALE, DeckProfile
from vision.types import Grey, Picture, Tones

COARSE: Final = 0.5
"""px/mm of the search for headers."""
MIDDLE: Final = 1.0
"""px/mm at which chains are weighed."""
FINE: Final = 2.0
"""px/mm at which cards are laid over the picture and told apart."""
STRIP: Final = 22.0
"""How much of a card counts as its header where equal print is looked for, mm."""
MANEUVERS: Final = tuple(FACES.index(face) for face in ("A3", "L3", "S3"))
"""The faces that bear the same words."""
HEAD_MM: Final = 14.0
"""How much of a header decides which face lies at a place."""
SEARCH_MM: Final = 16.0
"""How much of a header the search uses: even a short strip shows most of it."""
LAY_MM: Final = (12.0, 20.0)
"""How much of a header alignment uses: on a short strip, and else."""

CLIPPED_SHARE: Final = 0.1
"""Share of a header that must be lighter than a camera shows for its clipping to matter."""
TITLE_MM: Final = (2.0, 9.0)
"""Where most decks' titles lie, mm below the upper edge."""
END_MM: Final = 14.0
"""How much of a card's lower end is its end, mm."""
BLANK_SHARE: Final = 0.8
"""Share of a card's end that must be as light for it to be unseen."""

LEAST_PRINT: Final = 0.004
"""Deviation of a back's detail, root of light, below which it is plain."""
PLAIN_BACK: Final = 0.012
"""Deviation of a back's detail, its rim left out, root of light, below which no print tells it: of fourteen path-traced
decks one has 0.005, the others 0.019 to 0.115."""
TELLING_BACK: Final = 0.5
"""Correlation of a back's header with what is like it most further down on it below which its print tells that a back
lies there: of 85 decks fifteen, whose backs do not repeat, have 0.18 to 0.43, and most others more than this."""
BACK_PRINTS: Final = (0.6, 0.25, 0.15)
"""Correlation of such a back's header that may be chance: the first of these, or the second more than it has with what
is like it further down; and the third more makes it plain. Of nine decks' photographs 900 such backs were found where
one lay, at 0.4 to 0.97, and of what lay elsewhere nothing had more than 0.57; 2s had less than 0.55."""
RIM_OF_BACK: Final = 6.0
"""How wide that rim is, mm: it is shaded where a card is bent or thick."""
ONWARD: Final = 5.0
"""How much further down a repeating back fits again at least, mm."""

OF_THE_DECK: Final = ("equal_headers", "equal_faces", "equal", "cut_elsewhere", "sign")
"""What a bank knows of its deck, in whatever light."""
LIMIT_STEP: Final = 0.06
"""Lights whose limits differ by less than this, logarithm of root of light, share their templates."""
MOST_LIMITS: Final = 12
"""Templates of so many limits are kept."""


def card_px(scale: float) -> tuple[int, int]:
    """Width and height of a card at `scale` px/mm."""
    return round(geometry.CARD[0] * scale), round(geometry.CARD[1] * scale)


CARD_W, CARD_H = card_px(FINE)


@dataclass(frozen=True, slots=True)
class Headers:
    """The first rows of all faces of one way round at `MIDDLE`, seen through one mask."""

    mask: PrintMask
    details: NDArray[np.float32]
    """(19, h * w * 3), at unit power."""
    hues: NDArray[np.float32]
    """(19, h', w', 3)."""


class Uncovered(NamedTuple):
    """What shows of a card that nothing covers: the same for all cards of a deck."""

    mask: PrintMask
    shows: Grey
    """(rows, 127), 1 everywhere."""
    telling: Grey
    """(rows, 127), how much the deck's faces differ there."""
    prints: dict[int, Print]
    """What each face shows of itself, as far as it was asked for."""


class Bank:
    """Templates of the nineteen faces. A face's number is its place in `FACES`, plus 19 for the wrong way round."""

    def __init__(self, profile: DeckProfile) -> None:
        self.count: Final = len(FACES)
        self.back: Final = FACES.index(FACE_DOWN)
        self._prepare([_scaled(profile.faces[f], FINE, 0.45) for f in FACES])
        # What nearly every look needs is made at once, that the first one takes no longer than the next.
        self.heads(False), self.search(False), self.headers(round(HEAD_MM * MIDDLE), False)
        for face in range(self.count):
            self.aligner(face, LAY_MM[1])
        self.is_clipped = False
        """Whether these are the faces as a camera shows them that clips their light."""
        self.blown_out_back: Pattern | None = None
        """The back at `FINE` as the camera shows it where nothing of its light print comes out; None if not clipped."""
        self.blown_out_face = 2 * self.count
        """Its number, after those of all faces both ways round."""
        self._learnt: Bank | None = None
        """The faces as they were learnt, of a clipped bank: how they were cut out is told by those."""
        self._clipped: dict[tuple[float, ...], Bank] = {}
        self._matters: dict[tuple[float, ...], bool] = {}
        """For each limit that was asked for whether it clips more than a little of a face."""
        self.blank_end: tuple[bool, ...] = (False,) * (2 * self.count)
        """Whether the light clips a face's lower end, so that nothing of it is seen on a table that it clips, too."""
        for name in OF_THE_DECK:
            getattr(self, name)

    def limit(self, most: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """Where a camera that shows nothing lighter than `most`, root of light, (3,), clips the faces, in whole steps;
        None where it hardly does."""
        limit = np.exp(np.rint(np.log(most) / LIMIT_STEP) * LIMIT_STEP).astype(np.float32)
        key = tuple(limit.tolist())
        if key not in self._matters:
            # Channel by channel, in a tenth of the time that numpy takes across three.
            blue, green, red = (strips > most for strips, most in zip(self._strips, limit, strict=True))
            self._matters[key] = float((blue | green | red).mean(1).max()) > CLIPPED_SHARE
        return limit if self._matters[key] else None

    @cached_property
    def _strips(self) -> NDArray[np.float32]:
        """Root of light of what of each face shows in a stack, (3, 19, n)."""
        rows = round(STRIP * MIDDLE)
        faces = np.stack([pattern.roots[:rows].reshape(-1, 3) for pattern in self.patterns[MIDDLE][: self.count]])
        return np.ascontiguousarray(np.moveaxis(faces, 2, 0))

    def clipped(self, limit: NDArray[np.float32]) -> Bank:
        """The same faces as a camera shows them that clips them at a `limit`: made when it is first asked for, and kept
        for the next picture."""
        key = tuple(limit.tolist())
        if key not in self._clipped:
            if len(self._clipped) >= MOST_LIMITS:
                self._clipped.pop(next(iter(self._clipped)))
            self._clipped[key] = self._clipped_at(limit)
        return self._clipped[key]

    def _clipped_at(self, limit: NDArray[np.float32]) -> Bank:
        out = copy(self)
        out._prepare([clipped(pattern.roots, limit) for pattern in self.patterns[FINE][: self.count]])
        out.blown_out_back = _pattern(clipped(self.patterns[FINE][self.back].roots, limit, BLOWN_OUT), FINE)
        out.is_clipped, out._learnt = True, self
        # Which faces have equal print is the deck's, not the light's.
        for name in OF_THE_DECK:
            vars(out)[name] = getattr(self, name)
        ends = (lit(pattern.roots[-round(END_MM * MIDDLE) :], limit) for pattern in self.patterns[MIDDLE])
        out.blank_end = tuple(bool((end >= AS_LIGHT * limit).all(2).mean() > BLANK_SHARE) for end in ends)
        return out

    def _prepare(self, fine: list[Tones]) -> None:
        """Make the templates of all faces, given as root of light at `FINE` the right way up. The wrong way round they
        are made when they are asked for, which is seldom."""
        self.patterns: dict[float, list[Pattern]] = {}
        for scale in (MIDDLE, FINE):
            upright = [_pattern(t if scale == FINE else shrunk(t, card_px(scale)), scale) for t in fine]
            self.patterns[scale] = upright + [pattern.turned() for pattern in upright]
        self.telling: dict[float, Grey] = {s: _telling(p[: self.count], s) for s, p in self.patterns.items()}
        """Where this deck's faces differ, 0..1, the right way up: borders that all share tell nothing."""
        self._aligners: dict[tuple[int, float], Aligner] = {}
        self._title_aligners: dict[int, Aligner] = {}
        self._headers: dict[tuple[int, bool], Headers] = {}
        self._uncovered: dict[int, Uncovered] = {}
        self._smooth: dict[int, Tones] = {}
        self._beside: dict[tuple[int, int], Tones] = {}
        self._print_beside: dict[tuple[int, int, bool], tuple[Tones, Tones]] = {}
        self._offsets: dict[tuple[int, int], CutOffset] = {}
        self._parts: dict[tuple[int, tuple[int, ...]], FaceParts] = {}
        self._heads: dict[bool, NDArray[np.float32]] = {}
        self._search: dict[bool, NDArray[np.float32]] = {}
        self.head_px = (card_px(MIDDLE)[0], round(HEAD_MM * MIDDLE))
        self.strip_px = (round(geometry.CARD[0] * COARSE), round(SEARCH_MM * COARSE))

    def _of_way(self, turned: bool) -> list[Pattern]:
        """All faces at `MIDDLE`, upright or the wrong way round."""
        return self.patterns[MIDDLE][self.count :] if turned else self.patterns[MIDDLE][: self.count]

    def heads(self, turned: bool) -> NDArray[np.float32]:
        """Detail of the headers at `MIDDLE`, no mean, unit norm: (20, 14 * 64), of which the last row is of ones and
        sums what it is multiplied with."""
        if turned not in self._heads:
            heads = np.stack([_unit(p.detail[: self.head_px[1]]) for p in self._of_way(turned)])
            self._heads[turned] = np.concatenate([heads, np.ones((1, heads.shape[1]), np.float32)])
        return self._heads[turned]

    def search(self, turned: bool) -> NDArray[np.float32]:
        """The same at `COARSE`, (19, 8 * 32), without the last row."""
        if turned not in self._search:
            rows = round(SEARCH_MM * MIDDLE)
            small = [_unit(shrunk(p.detail[:rows], self.strip_px)) for p in self._of_way(turned)]
            self._search[turned] = np.stack(small)
        return self._search[turned]

    @cached_property
    def whole_cards(self) -> NDArray[np.float32]:
        """Detail of all of each face at `COARSE`, upright ones first, no mean, unit norm: (38, 44 * 32)."""
        return np.stack([_unit(shrunk(pattern.detail, card_px(COARSE))) for pattern in self.patterns[MIDDLE]])

    def aligner(self, face: int, length: float) -> Aligner:
        """Lays the first `length` mm of a face, one of `LAY_MM`, over a picture at `FINE`."""
        if (face, length) not in self._aligners:
            self._aligners[face, length] = Aligner(self.patterns[FINE][face].detail[: round(length * FINE)])
        return self._aligners[face, length]

    def title_aligner(self, face: int) -> Aligner:
        """Lays what of a face lies where titles do (`TITLE_MM`), as far as it tells, over a picture at `FINE`."""
        if face not in self._title_aligners:
            rows = slice(*(round(mm * FINE) for mm in TITLE_MM))
            self._title_aligners[face] = Aligner(self.patterns[FINE][face].detail[rows], self.telling[FINE][rows])
        return self._title_aligners[face]

    def aligner_of_all(self, face: int) -> Aligner:
        """Lays all of a face over a picture at `MIDDLE`."""
        if (face, geometry.CARD[1]) not in self._aligners:
            self._aligners[face, geometry.CARD[1]] = Aligner(self.patterns[MIDDLE][face].detail)
        return self._aligners[face, geometry.CARD[1]]

    @cached_property
    def middle_of_print(self) -> tuple[float, float]:
        """Middle of what is printed on the back's header, px at `FINE`."""
        power = np.square(self._header(self.back))
        total = float(power.sum()) + 1e-9
        ys, xs = np.indices(power.shape)
        zoom = FINE / MIDDLE
        return (float((power * xs).sum()) / total + 0.5) * zoom, (float((power * ys).sum()) / total + 0.5) * zoom

    @cached_property
    def equal_headers(self) -> NDArray[np.bool_]:
        """Which faces' headers have equal print, so that colour alone tells them apart, (19, 19)."""
        return equal_print([self._header(face) for face in range(self.count)], EQUAL[0], MANEUVERS)

    def same_header(self, face: int, other: int) -> bool:
        """Whether two faces, the same way round, have headers of equal print."""
        turned, turned_other = face // self.count, other // self.count
        return turned == turned_other and bool(self.equal_headers[face % self.count, other % self.count])

    @cached_property
    def equal_faces(self) -> NDArray[np.bool_]:
        """Which faces have equal print all over, (19, 19)."""
        return equal_print([p.soft for p in self.patterns[MIDDLE][: self.count]], EQUAL[1], MANEUVERS)

    @cached_property
    def equal(self) -> dict[Face, frozenset[Face]]:
        """For each face whose header shares its print with others, those others."""
        groups = {
            FACES[k]: frozenset(FACES[j] for j in np.flatnonzero(row).tolist() if j != k)
            for k, row in enumerate(self.equal_headers)
        }
        return {face: others for face, others in groups.items() if others}

    @cached_property
    def cut_elsewhere(self) -> tuple[tuple[int, ...], ...]:
        """For each face those whose header is much the same, but lies elsewhere in its cut: where the one lies best,
        the other goes badly with a card that it is."""
        return cut_elsewhere([self._header(face) for face in range(self.count)])

    def beside(self, face: int, other: int) -> Tones:
        """Root of light of another face of equal print at `MIDDLE`, its print where it lies in the cut of `face`."""
        if (face, other) not in self._beside:
            self._beside[face, other] = moved(self.patterns[MIDDLE][other].roots, self._cut_offset(face, other))
        return self._beside[face, other]

    def print_beside(self, face: int, other: int, noisy: bool) -> tuple[Tones, Tones]:
        """Another face of equal print at `FINE`, its print where it lies in the cut of `face`: without noise, and
        without what a noisy camera loses if `noisy`; and as it is."""
        key = face, other, noisy
        if key not in self._print_beside:
            roots = moved(self.patterns[FINE][other].roots, self._cut_offset(face, other), FINE, 0.0)
            sharp = sharpened(roots, FINE)
            self._print_beside[key] = smoothed(sharp, FINE) if noisy else sharp, roots
        return self._print_beside[key]

    def of_one_print(self, face: int, covered: bool) -> tuple[int, ...]:
        """The faces whose print is that of one, itself among them, by the header alone where the rest is `covered`;
        none of a face the wrong way round, or where the deck has no faces of equal print."""
        if face >= self.count or not self.equal:
            return ()
        return tuple(np.flatnonzero((self.equal_headers if covered else self.equal_faces)[face]).tolist())

    def own_print(self, faces: Sequence[int]) -> bool:
        """Whether any of some faces of equal print has print of its own as well."""
        return any(self._cut_offset(*sorted(pair)).alike < ALIKE_HEADERS for pair in combinations(faces, 2))

    def _cut_offset(self, face: int, other: int) -> CutOffset:
        if self._learnt is not None:
            return self._learnt._cut_offset(face, other)
        if (face, other) not in self._offsets:
            self._offsets[face, other] = cut_offset(self._header(face), self._header(other))
        return self._offsets[face, other]

    def parts(self, face: int, alike: tuple[int, ...]) -> FaceParts:
        """Faces of equal print, as they lie `beside` one of them, in the parts in which they are told apart."""
        if (face, alike) not in self._parts:
            self._parts[face, alike] = parts_of([self.beside(face, other) for other in alike], self.sign)
        return self._parts[face, alike]

    @cached_property
    def sign(self) -> SignCore | None:
        """Where the small sign is that tells this deck's faces of equal print apart; None if it has none."""
        for face, row in enumerate(self.equal_headers):
            roots = [self.beside(face, other) for other in np.flatnonzero(row).tolist()]
            if has_sign(roots):
                return core_of(roots)
        return None

    def _header(self, face: int) -> Grey:
        """Soft detail of a face's header at `MIDDLE`."""
        return self.patterns[MIDDLE][face].soft[: round(STRIP * MIDDLE)]

    @cached_property
    def back_repeats(self) -> float:
        """Correlation of the back's header with what is like it most further down on the back, 0..1."""
        detail = self.patterns[MIDDLE][self.back].soft
        rim, onward = round(2 * MIDDLE), round(ONWARD * MIDDLE)
        header = detail[rim : rim + round(HEAD_MM * MIDDLE), 2 * rim : -2 * rim]
        # Where there is no print, everything is like everything.
        if float(header.std()) < LEAST_PRINT:
            return 1.0
        return float(cv2.matchTemplate(detail[rim + onward :, rim:-rim], header, cv2.TM_CCOEFF_NORMED).max())

    @property
    def back_prints(self) -> tuple[float, float] | None:
        """Correlations of the back's header from which it tells of a back, and surely; None where it is so much like
        something further down that it does not tell of one there."""
        if self.back_repeats >= TELLING_BACK:
            return None
        least = max(BACK_PRINTS[0], self.back_repeats + BACK_PRINTS[1])
        return least, least + BACK_PRINTS[2]

    @cached_property
    def plain_back(self) -> bool:
        """The back has next to no print: it is told by its outline and how dark it is."""
        rim = round(RIM_OF_BACK * MIDDLE)
        inner = self.patterns[MIDDLE][self.back].soft[rim:-rim, rim:-rim]
        return float(np.square(inner).mean()) < PLAIN_BACK**2

    def sharp(self, face: int, noisy: bool) -> Tones:
        """A face at `FINE` without noise, and without what a noisy camera loses."""
        pattern = self.patterns[FINE][face]
        if not noisy:
            return pattern.sharp
        if face not in self._smooth:
            self._smooth[face] = smoothed(pattern.sharp, FINE)
        return self._smooth[face]

    def uncovered(self, rows: int) -> Uncovered:
        """The first rows at `FINE` of a card that nothing covers and on which nothing shines."""
        if rows not in self._uncovered:
            telling = self.telling[FINE][:rows]
            shows = np.ones_like(telling)
            self._uncovered[rows] = Uncovered(PrintMask(telling, FINE), shows, telling, {})
        return self._uncovered[rows]

    def headers(self, rows: int, turned: bool) -> Headers:
        """The first rows at `MIDDLE` of all faces, upright or the wrong way round, ready to be compared at once."""
        if (rows, turned) not in self._headers:
            mask = PrintMask(self.telling[MIDDLE][:rows], MIDDLE)
            prints = [mask.print_of(p.sharp[:rows], p.roots[:rows]) for p in self._of_way(turned)]
            details = np.stack([p.detail / np.float32(np.sqrt(p.power)) for p in prints])
            self._headers[rows, turned] = Headers(mask, details, np.stack([p.hue for p in prints]))
        return self._headers[rows, turned]


def _pattern(roots: Tones, scale: float) -> Pattern:
    return Pattern(lambda: roots, scale)


def _telling(patterns: list[Pattern], scale: float) -> Grey:
    total, squares = (np.zeros(patterns[0].roots.shape, np.float64) for _ in range(2))
    for pattern in patterns:
        cv2.accumulate(pattern.roots, total)
        cv2.accumulateSquare(pattern.roots, squares)
    count = len(patterns)
    spread = np.sqrt(np.maximum(squares / count - (total / count) ** 2, 0)).mean(2).astype(np.float32)
    smooth = cv2.GaussianBlur(spread, (0, 0), 0.8 * scale)
    rim = round(2 * scale)
    # Within two millimetres of the edge faces differ by how exactly they were cut out.
    smooth[:rim] = smooth[-rim:] = 0
    smooth[:, :rim] = smooth[:, -rim:] = 0
    return np.asarray(np.clip(smooth / max(float(np.quantile(smooth, 0.7)), 1e-4), 0.03, 1), dtype=np.float32)


def shrunk(picture: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """A picture brought to a smaller size, (w, h)."""
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _unit(picture: Grey) -> NDArray[np.float32]:
    flat = picture.ravel() - picture.mean()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), dtype=np.float32)


def _scaled(face: Picture, scale: float, blur: float) -> Tones:
    smooth = cv2.GaussianBlur(face, (0, 0), max(0.3, blur * SCALE / scale))
    roots = apply(np.asarray(smooth, dtype=np.uint8), root_table(np.ones(3)))
    return np.asarray(cv2.resize(roots, card_px(scale), interpolation=cv2.INTER_AREA), dtype=np.float32)
