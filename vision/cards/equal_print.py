"""Tells faces of equal print apart by colour: three Maneuvers may share picture and words and differ in a hue alone.

The light over a card is not known well enough to name a hue, so colours are compared within one light: what the faces
have in common (their picture, their ink) tells gain, tint and veil there, the boards tell how much colour the camera
leaves, and only then is the header held against each face's. The likelihood is that of normal errors whose sizes are
learnt from the card itself (Student's t), over as few independent parts as a header has in bad light. Errors of
lightness and of hue have a size each: glare and shadow change over a card, and make its parts lighter or darker by much
more than they change their hue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.colour_errors import NONE, ColourErrors, KnownParts
from vision.cards.cut_offset import cut_offset
from vision.cards.signs import SignColours, SignCore, SignPrint, print_of, sign_seen, touched
from vision.types import Floats, Grey, Tones

EQUAL: Final = (0.979, 0.95)
"""Correlation of detail from which two faces' print counts as equal: of their headers, and of the whole faces. Three
Maneuvers of one picture reach 0.98 and 0.94 to 0.99; other pairs of drawn decks 0.976 and 0.94."""
SAME_WORDS: Final = 0.75
"""The same for the three Maneuvers, whose words are the same in every edition: where their print is faint or was cut
out a little off, noise parts them."""
CELL: Final = 6.0
"""Side of the parts whose mean colours are compared, mm: print laid a millimetre off hardly changes them."""
SIGN_CELL: Final = 3.0
"""The same where faces differ most in a small sign, such as a dot in the theater's colour, mm."""
SIGN: Final = 4.3
"""How many times as much faces must differ in some square of that size as in the mean of their headers for it to be a
sign. On 94 decks, drawn and path-traced, small signs make it 4.8 to 21, headers of one tint 1.4 to 2.5; seven lie
between. While only the squares of one grid were looked at, a dot that lay across two of them was none: Maneuvers that
it told plainly were left in doubt."""
AROUND: Final = 3.0
"""Spread of what lies around a part, mm: a camera's processing smears colours so far, and sharpens over half of it."""
SIGNS_MM: Final = 24
"""How much of a card counts as its header then, mm."""
PARTS: Final = 27.0
"""Independent parts of a header. On 913 Maneuvers of ten drawn decks whose headers hardly differ, 40 would make what
was told as likely as it was right; at 27, of 46 that were told at 0.8 to 0.99 45 were right where 43 were expected."""
HEADER_AREA: Final = 1300.0
"""Area in which faces differ, mm², that has so many: the header of a Maneuver. A small sign has fewer."""
FEWER_PARTS: Final = 0.25
"""The power of that area by which they become fewer; they do in proportion to the picture's pixels on each mm: a camera
has half as much colour as brightness both ways, and its processing spreads that further. On 870 Maneuvers of 25
decks, 695 of them put through cheap cameras, 11 were wrong for certain with as many parts everywhere; so, and with
the next one, none was, and of 698 that had been right for certain 567 are left."""
LIGHTNESS_SPOILS: Final = 0.02
"""Share of the squared error of lightness by which hue may err as well: what does not explain how light a card's parts
are explains their hue no better."""
FLOOR: Final = 2e-4
"""Squared error, root of light, that no camera stays below in lightness, nor in hue where no known card tells it."""
LEAST_FLOOR: Final = 2e-5
"""Squared error of hue, root of light, that no camera stays below."""
FLOOR_COUNTS: Final = 2.0
"""Known cards that the first of them counts as."""
SCALE: Final = 2.36
"""Pixels on each mm of a card at 1920 x 1080 from 0.7 m: taken where it is not known."""
PRINT_FREE: Final = 10.0
"""Nats by which a face of equal print may trail in print for no more than noise and how it was cut: of 451 Maneuvers of
twelve decks of three seeds, nearly all on tables that had been left in doubt, the right one trailed by 8.0 at most."""
TINT: Final = 0.08
"""Standard deviation of the light's local tint, logarithm of a channel's gain."""
VEIL: Final = 0.15
"""Standard deviation of a veil over a card, linear light."""
VEILS: Final = (-0.03, 0.7)
"""Least and most of it."""
VEIL_TINT: Final = 0.04
"""Standard deviation of a veil's tint beside the light's, as a share of it: what shines in a sleeve or through a sheet
need not be of the colour of the light on the card. On 6,741 cards 0.03 to 0.05 make no difference; with 0.1 four more
are in doubt, with none an L3 under a grey sheet by warm light is an S3 for certain."""
LEAST_VEIL: Final = 0.02
"""Linear light below which a veil's tint is not smaller."""
ERROR: Final = 0.03
"""Error of a part, root of light, against which tint and veil are weighed."""
COMMON: Final = 0.1
"""Share of the most by which faces of equal print differ in a part, squared, below which it is the same on all."""
FAR: Final = 0.06
"""Error from which a part counts less and less: a stain, a finger, the edge of glare."""
MOST: Final = 0.2
"""Error beyond which a part tells no more."""
SEEN: Final = 0.7
"""Share of a part that must be seen."""
FEWEST: Final = 6
"""Parts that must be seen, else all faces are as likely."""
ENOUGH: Final = 24
"""Parts that count in full: fewer are that much less independent."""
FULL: Final = 0.93
"""Share of the light that a camera gives at most from which a channel is full."""
FULL_SHARE: Final = 0.1
"""Share of a part within a millimetre of which a channel is full from which that channel is full there, unless all are.
Of pale headers in a warm lamp's light the paper's red was clipped and that of the text on it was not: their mean was
less red than any face's should be, and two Maneuvers were another one at 0.98 and 0.999. Where all three are, what is
left to tell them by is little: with those, too, an S3 through a cheap camera is an A3 at 0.98, by its dot alone."""
FULL_COUNTS: Final = 0.7
"""What is taken of the nats for what tells the faces apart where two channels are full or all. Half of a white deck's
header was so, and an A3 was an L3 at 0.964. On 1,111 Maneuvers of sixteen path-traced decks, half of them on spoilt
pictures, the logarithmic loss is 144.1 (0: 145.7), two instead of seven are wrong at 0.94 or more, and 907 instead of
912 certain; 0.5 to 0.9 make little difference."""
ROUNDS: Final = 5
"""Rounds in which gain, tint and veil are fitted."""

_PLANE: Final = np.eye(3) - 1 / 3
_FIRM: Final = 1e-9 * np.eye(6)


def equal_print(details: Sequence[Grey], least: float, same_words: Sequence[int]) -> NDArray[np.bool_]:
    """Which faces have equal print, (n, n). `details`: detail of each face's brightness, (h, w) float32 at 1 px/mm;
    `same_words`: the faces that bear the same words in every edition."""
    equal = np.eye(len(details), dtype=np.bool_)
    for i, j in combinations(range(len(details)), 2):
        enough = SAME_WORDS if i in same_words and j in same_words else least
        # Faces are cut out to a millimetre: the best of the places around counts.
        equal[i, j] = equal[j, i] = cut_offset(details[i], details[j]).alike >= enough
    return equal


@dataclass(frozen=True, slots=True)
class Tint:
    """What is known beforehand of the light's tint at a card: mean and standard deviation of the logarithm of each
    channel's gain, less their mean over the channels."""

    mean: Floats
    """(3,)."""
    spread: float


UNKNOWN_TINT: Final = Tint(np.zeros(3), TINT)


@dataclass(frozen=True, slots=True, eq=False)
class Colours:
    """Mean colours of the parts of one card that are seen, and of the same parts of each face that it may be."""

    faces: tuple[int, ...]
    """Faces of one print, as numbers in the bank."""
    light: Floats
    """Linear light (n, 3) of each part."""
    known: tuple[Floats, ...]
    """The same for each of `faces`."""
    weight: Floats
    """Share of each part that is seen, (n,)."""
    most: Floats
    """Linear light of what is brightest in the picture, (3,)."""
    cell: float = CELL
    """Side of the parts, mm."""
    printed: tuple[float, ...] = ()
    """Nats that print speaks against each of `faces`: beyond `PRINT_FREE`, or what is their own; none if not given."""
    scale: float = SCALE
    """Pixels of the picture on each mm of the card."""
    counts: float = 1.0
    """What its independent parts count: less where glare hides much of the card."""
    lighter_around: tuple[Floats, ...] = ()
    """Root of light (n, 3) by which what lies around each part is lighter, for each of `faces`; none if not given."""
    sign: SignColours | None = None
    """What is seen in the place of the small sign that this deck prints; None if it has none or it is hidden."""
    sign_hidden: bool = False
    """The deck prints one, and too little of it is seen."""
    coarse: Colours | None = None
    """The same in parts of `CELL` without those that the sign touches, where the parts are smaller."""
    clipped: NDArray[np.bool_] | None = None
    """Of which channels of each part the camera shows less than there is, (n, 3); None if `light` tells all of it."""
    down: Floats | None = None
    """How far down the card each part lies, mm, (n,); None if not given."""

    @property
    def full(self) -> NDArray[np.bool_]:
        """In which channels of each part at least as much light is as is seen, (n, 3)."""
        full = self.light >= FULL * self.most
        return full if self.clipped is None else full | self.clipped

    def around(self, face: int) -> Floats:
        """The same of one of `faces`, 0 where it was not given."""
        return self.lighter_around[self.faces.index(face)] if self.lighter_around else np.zeros_like(self.light)


@dataclass(frozen=True, slots=True, eq=False)
class FaceParts:
    """Some faces of equal print in the parts in which they are told apart best."""

    cell: float
    """Side of the parts, mm."""
    size: tuple[int, int]
    """Parts across and down."""
    light: tuple[NDArray[np.float32], ...]
    """Mean linear light of each part, (n, 3), of each face."""
    around: tuple[NDArray[np.float32], ...]
    """Root of light by which what lies around each part is lighter, (n, 3), of each face."""
    sign: SignPrint | None = None
    """What they have in the place of the deck's small sign."""
    coarse: FaceParts | None = None
    """The same in parts of `CELL`, where these are smaller."""


def parts_of(roots: Sequence[Tones], core: SignCore | None = None) -> FaceParts:
    """Faces, given as root of light (h, w, 3) at 1 px/mm, in parts. `core`: that of the deck's small sign, if any."""
    sign = None if core is None else print_of(roots, core)
    cell = _part(roots)
    coarse = None if sign is None or cell == CELL else _parted(roots, CELL, sign)
    return replace(_parted(roots, cell, sign), coarse=coarse)


def _parted(roots: Sequence[Tones], cell: float, sign: SignPrint | None) -> FaceParts:
    h, w = roots[0].shape[:2]
    size = (round(w / cell), round(h / cell))
    around = (np.asarray(cv2.GaussianBlur(face, (0, 0), AROUND), dtype=np.float32) - face for face in roots)
    return FaceParts(
        cell,
        size,
        tuple(_cells(face * face, size).reshape(-1, 3) for face in roots),
        tuple(_cells(more, size).reshape(-1, 3) for more in around),
        sign,
    )


def has_sign(roots: Sequence[Tones]) -> bool:
    """Whether faces of equal print, given as root of light at 1 px/mm, differ most in a small sign."""
    return _part(roots) < CELL


def colours_of(
    seen: Tones, faces: Sequence[int], parts: FaceParts, shows: Grey, saturation: float, most: NDArray[np.float32]
) -> Colours | None:
    """The colours of a card and of some faces of equal print; None where too little is seen.

    `seen`: root of light over the whole card, (h, w, 3) at 1 px/mm; `parts`: those of `faces`; `shows`: (h, w), 1 where
    the card is seen and not hidden by glare; `saturation`: share of colour that the camera leaves; `most`: root of
    light of what is brightest in the picture, (3,): nothing tells more than that a channel is full.
    """
    out = _colours_in(parts, seen, faces, shows, saturation, most)
    if out is None or parts.coarse is None:
        return out
    return replace(out, coarse=_colours_in(parts.coarse, seen, faces, shows, saturation, most))


def _colours_in(
    parts: FaceParts, seen: Tones, faces: Sequence[int], shows: Grey, saturation: float, most: NDArray[np.float32]
) -> Colours | None:
    cell, size = parts.cell, parts.size
    weight = _cells(shows, size).ravel()
    use = weight > SEEN
    if cell == CELL and len(faces) > 1 and parts.sign is not None:
        use &= ~touched(parts.sign.core, (shows.shape[0], shows.shape[1]), size)
    if int(use.sum()) < FEWEST * (CELL / cell) ** 2:
        return None
    light = _cells(seen * seen, size).reshape(-1, 3)[use].astype(np.float64)
    known = tuple(_faded(face[use], saturation) for face in parts.light)
    around = tuple(more[use].astype(np.float64) for more in parts.around)
    brightest = most.astype(np.float64) ** 2
    near_full = cv2.dilate((seen >= np.sqrt(FULL) * most).astype(np.float32), np.ones((3, 3), np.uint8))
    clipped = _cells(np.asarray(near_full, dtype=np.float32), size).reshape(-1, 3)[use] > FULL_SHARE
    # White paper is as grey together with what is dark on it.
    clipped &= ~clipped.all(1, keepdims=True)
    sign = None if parts.sign is None else sign_seen(seen, shows, parts.sign, saturation, FULL * brightest)
    return Colours(
        tuple(faces),
        light,
        known,
        weight[use].astype(np.float64),
        brightest,
        cell,
        lighter_around=around,
        sign=sign,
        sign_hidden=parts.sign is not None and sign is None,
        clipped=clipped,
        down=np.asarray((np.flatnonzero(use) // size[0] + 0.5) * cell, dtype=np.float64),
    )


def _part(roots: Sequence[Tones]) -> float:
    """Side of the parts, mm, in which faces are told apart best, by the `roots` of light of their headers."""
    if len(roots) < 2:
        return CELL
    differ = np.stack([face[2:SIGNS_MM, 2:-2] for face in roots]).var(0).sum(2)
    squares = cv2.blur(differ, (round(SIGN_CELL),) * 2)
    return SIGN_CELL if float(squares.max()) > SIGN * float(differ.mean()) else CELL


def floor_of(errors: Sequence[float]) -> float:
    """The squared error of hue, root of light, below which nothing is told on this table, by those of its known
    cards."""
    return max((FLOOR_COUNTS * FLOOR + sum(errors)) / (FLOOR_COUNTS + len(errors)), LEAST_FLOOR)


def colour_costs(
    colours: Colours, tint: Tint = UNKNOWN_TINT, floor: float = FLOOR, errors: ColourErrors = NONE
) -> Floats:
    """Nats against each of the faces, least 0, in a light of which `tint` is known beforehand. `floor`: `floor_of`;
    `errors`: of colours on this table."""
    # Where the faces do not differ tells the light; where they do tells which it is.
    telling = colours.weight * np.stack([np.sqrt(known) for known in colours.known]).var(0).sum(1)
    known = np.stack(colours.known)
    fit = _fit(colours.light[None], known, colours.weight[None], colours.full[None], colours.most, tint)
    around = np.stack([colours.around(face) for face in colours.faces])
    apart = _apart(fit.shown, fit.off - np.swapaxes(errors.of(known, around), 1, 2))
    light2, hue2 = (_mean(off2, telling[None]) for off2 in apart)
    lightness = np.log(light2 + FLOOR)
    hue = np.log(hue2 + floor + LIGHTNESS_SPOILS * float(light2.min()))
    parts = PARTS * min(1.0, len(colours.weight) * (colours.cell / CELL) ** 2 / ENOUGH)
    area = colours.cell**2 * float(telling.sum()) ** 2 / max(float(telling @ telling), 1e-12)
    parts *= min(1.0, (area / HEADER_AREA) ** FEWER_PARTS * colours.scale / SCALE) * colours.counts
    # One channel that is left tells no hue.
    untold = float(telling @ (colours.full.sum(1) > 1)) / max(float(telling.sum()), 1e-12)
    parts *= 1 - FULL_COUNTS * untold
    nats = parts / 2 * (lightness + 2 * hue) / 3
    return np.asarray(nats - nats.min(), dtype=np.float64)


def _apart(shown: Floats, off: Floats) -> tuple[Floats, Floats]:
    """Squared errors, (K, N), of lightness and of hue, of what is `off`, (K, 3, N), from what would be `shown`."""
    # A grey veil moves the roots of the three channels along one line; what is off across it, both ways, is hue.
    line = 1 / np.sqrt(shown)
    line /= np.sqrt((line * line).sum(1, keepdims=True))
    along = (off * line).sum(1) ** 2
    across = np.maximum((off * off).sum(1) - along, 0.0) / 2
    return np.minimum(along, MOST**2), np.minimum(across, MOST**2)


def by_colour(
    faces: Sequence[tuple[int, float]],
    colours: Colours,
    tint: Tint,
    floor: float = FLOOR,
    errors: ColourErrors = NONE,
) -> tuple[tuple[int, float], ...]:
    """Faces with the nats by which they trail, those of equal print told apart anew; likeliest first."""
    told = [(face, nats) for face, nats in faces if face not in colours.faces]
    costs = colour_costs(colours, tint, floor, errors) + (colours.printed or 0.0)
    told += list(zip(colours.faces, (costs - costs.min()).tolist(), strict=True))
    return tuple(sorted(told, key=lambda t: t[1]))


def with_print(colours: Colours, led: Sequence[tuple[int, float]]) -> Colours:
    """The same with what print speaks against each face: `led` are faces with the nats by which they trail. Print that
    is nearly equal may still tell more than a hue does."""
    trails = dict(led)
    return replace(colours, printed=tuple(max(trails.get(face, 0.0) - PRINT_FREE, 0.0) for face in colours.faces))


def with_own_print(colours: Colours, nats: Sequence[float]) -> Colours:
    """The same with what print of their own speaks against each face, `nats`, where that is more."""
    before = colours.printed or (0.0,) * len(nats)
    return replace(colours, printed=tuple(map(max, before, nats)))


@dataclass(frozen=True, slots=True, eq=False)
class CardLight:
    """The light over a card whose face is known."""

    tint: Floats
    """(3,), as in `Tint`."""
    veil: float
    """Linear light."""
    error: float
    """Root of light, that remains."""
    parts: KnownParts
    shown: Floats
    """Linear light (N, 3) that the parts would show."""
    gain: float
    """Geometric mean of the channels' gains."""


def light_as(colours: Colours, tint: Tint) -> list[CardLight]:
    """The light over a card as it would be with each of its `faces`, where `tint` is known beforehand."""
    return lights_over([(colours, face) for face in colours.faces], tint)


def lights_over(cards: Sequence[tuple[Colours, int]], tint: Tint | None = None) -> list[CardLight]:
    """The light over cards that are known to be one of their `faces`, given with each. All are of one picture. `tint`:
    what is known of it beforehand, nearly nothing if not given."""
    if not cards:
        return []
    most = max(len(colours.weight) for colours, _ in cards)
    light, known, around = (np.zeros((len(cards), most, 3)) for _ in range(3))
    weight, full = np.zeros((len(cards), most)), np.zeros((len(cards), most, 3), np.bool_)
    for k, (colours, face) in enumerate(cards):
        parts = len(colours.weight)
        light[k, :parts], known[k, :parts] = colours.light, colours.known[colours.faces.index(face)]
        weight[k, :parts], around[k, :parts] = colours.weight, colours.around(face)
        full[k, :parts] = colours.full
    fit = _fit(light, known, weight, full, cards[0][0].most, tint or _FREE)
    error = _mean(np.minimum((fit.off * fit.off).mean(1), MOST**2), weight)
    tints = np.log(fit.gains)
    gains = np.exp(tints.mean(1))
    tints -= tints.mean(1, keepdims=True)
    parts_of = [KnownParts(*of) for of in zip(known, np.swapaxes(fit.off, 1, 2), weight, around, strict=True)]
    shown = np.swapaxes(fit.shown, 1, 2)
    return [*map(CardLight, tints, fit.veil.tolist(), np.sqrt(error).tolist(), parts_of, shown, gains.tolist())]


def hue_errors(lights: Sequence[CardLight], errors: ColourErrors) -> list[float]:
    """Squared error of hue, root of light, that remains of each known card beside the errors of its colours."""
    if not lights:
        return []
    off = np.stack([light.parts.off - errors.of(light.parts.known, light.parts.around) for light in lights])
    shown = np.stack([light.shown for light in lights])
    across = _apart(np.swapaxes(shown, 1, 2), np.swapaxes(off, 1, 2))[1]
    return [float(error) for error in _mean(across, np.stack([light.parts.weight for light in lights]))]


def common_parts(colours: Colours, face: int, tint: Tint) -> KnownParts:
    """The parts of a card that are the same on all faces of its print, `face` the likeliest of them."""
    known = colours.known[colours.faces.index(face)]
    differ = np.stack([np.sqrt(face) for face in colours.known]).var(0).sum(1)
    fit = _fit(colours.light[None], known[None], colours.weight[None], colours.full[None], colours.most, tint)
    weight = colours.weight * (colours.cell / CELL) ** 2
    return KnownParts(known, fit.off[0].T, weight * (differ < COMMON * differ.max()), colours.around(face))


def _cells(picture: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _faded(light: NDArray[np.float32], saturation: float) -> Floats:
    """Linear light (N, 3) as a camera shows it that leaves that share of colour."""
    roots = np.sqrt(light.astype(np.float64))
    mean = roots.mean(1, keepdims=True)
    out: Floats = np.maximum(mean + saturation * (roots - mean), 0.0) ** 2
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """`gain * known + veil`, fitted to what is seen of K cards with N parts each."""

    shown: Floats
    """Linear light (K, 3, N) that it gives."""
    off: Floats
    """Root of light, (K, 3, N), by which what is seen is lighter."""
    gains: Floats
    """(K, 3)."""
    veil: Floats
    """Linear light, the mean of its channels, (K,)."""


def _mean(off2: Floats, weight: Floats) -> Floats:
    """Weighted mean of each row, (K,)."""
    out: Floats = (weight * off2).sum(1) / np.maximum(weight.sum(1), 1e-9)
    return out


def _fit(seen: Floats, known: Floats, weight: Floats, clipped: NDArray[np.bool_], most: Floats, tint: Tint) -> _Fitted:
    """`gain * known + veil` fitted to `seen`, both (K, N, 3) or one for all K, linear light; `weight`: (K, N);
    `clipped`: where there is at least as much light as is seen, as `seen`."""
    # One row a channel, (K, 3, N): sums along a row are quick, and one product of matrices gives all that are needed.
    seen, known = np.swapaxes(seen, 1, 2), np.ascontiguousarray(np.swapaxes(known, 1, 2))
    powers = np.empty((*known.shape, 5))
    for k, power in enumerate((known * known, known, known * seen, seen, 1.0)):
        powers[..., k] = power
    bright = (weight[:, None, None, :] @ powers)[:, :, 0].sum(1)
    gains = (bright[:, 3] / np.maximum(bright[:, 1], 1e-6))[:, None] * np.exp(tint.mean)
    veil = np.zeros((len(known), 3))
    prior = (ERROR**2 * 3 * weight.sum(1) / PARTS)[:, None, None]
    # What draws the gains to the tint, the veil to grey, and to none.
    pull, grey_pull = _PLANE * (prior / tint.spread**2), _PLANE * (prior / VEIL_TINT**2)
    pull_to, none_pull = pull @ tint.mean, np.full((3, 3), 1 / 9) * (prior / VEIL**2)
    roots = np.sqrt(np.maximum(seen, 0))
    full = np.broadcast_to(np.swapaxes(clipped, 1, 2), known.shape)
    any_full = bool(full.any())
    channel = np.arange(3)
    for _ in range(ROUNDS):
        shown = np.maximum(known * gains[:, :, None] + veil[:, :, None], 1e-3)
        off = roots - np.sqrt(shown)
        w = (weight / (1 + (off * off).sum(1) / (3 * FAR**2)))[:, None] / (4 * shown)
        if any_full:
            # Of a channel that is full only the least is known.
            w[full & (shown >= seen)] = 0.0
        sums = (w[:, :, None] @ powers)[:, :, 0]
        # Three gains, then three veils.
        normal, right = np.zeros((len(known), 6, 6)), np.empty((len(known), 6))
        normal[:, channel, channel] = sums[..., 0]
        normal[:, channel, channel + 3] = normal[:, channel + 3, channel] = sums[..., 1]
        normal[:, channel + 3, channel + 3] = sums[..., 4]
        right[:, :3], right[:, 3:] = sums[..., 2], sums[..., 3]
        level = np.maximum(gains.mean(1), 0.05)
        normal[:, :3, :3] += pull / (level * level)[:, None, None]
        right[:, :3] += pull_to / level[:, None]
        veils = np.maximum(veil.mean(1), LEAST_VEIL)
        normal[:, 3:, 3:] += grey_pull / (veils * veils)[:, None, None] + none_pull
        step = np.linalg.solve(normal + _FIRM, right[:, :, None])[:, :, 0]
        gains, veil = np.maximum(step[:, :3], 0.02), np.minimum(np.maximum(step[:, 3:], VEILS[0]), VEILS[1])
    shown = np.minimum(np.maximum(known * gains[:, :, None] + veil[:, :, None], 1e-3), most[:, None])
    if any_full:
        shown = np.where(full, np.minimum(shown, np.maximum(seen, 1e-3)), shown)
    return _Fitted(shown, roots - np.sqrt(shown), gains, veil.mean(1))


_FREE: Final = Tint(np.zeros(3), 0.3)
