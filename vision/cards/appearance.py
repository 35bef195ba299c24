"""How well a face laid over a column explains what is seen there, pixel by pixel, against the bare table."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.clipping import AS_LIGHT
from vision.cards.column import CardPatch, Column
from vision.cards.outline import SIDES, edges_of
from vision.cards.pattern import PATCH, Pattern, power_around, roughness, softened
from vision.cards.table_beside import ABOVE, wrong_by
from vision.cards.templates import CARD_W, FINE, MIDDLE, Bank, card_px
from vision.geometry.align import Placed, clamped
from vision.types import Grey, Tones

GLARE: Final = 0.22
"""Light beyond what a face explains that counts as glare."""
VEILED: Final = 0.1
"""Light beyond what a face explains that hides it, where much does."""
FAINT_VEIL: Final = 0.045
"""The same where a faint veil is suspected."""
TINTED: Final = 0.6
"""Glare has no hue: what departs more from that, 0..1, is another thing."""
FULL: Final = 0.98
"""Unless a channel is at this share of the most that the camera gives: what was cut off would have changed the hue."""
GAINS: Final = tuple(float(g) for g in np.geomspace(0.5, 1.6, 17))
"""Brightnesses of a card over its enrolled picture that are tried."""
SHINE: Final = 5
"""Glare is at least this wide, mm. An odd number: opening with an even one moves what it finds."""
FLAT: Final = 0.45
"""Weight of a pixel without structure; print and edges weigh 1."""
VEIL: Final = 0.3
"""Veil above which what is seen through it is trusted less."""
HIDDEN: Final = 0.3
"""Cost of a pixel that glare hides: more than print that is seen, less than a table that does not shine."""
UNSEEN: Final = 0.6
"""The same where glare hides much: a place that hides more of the card must not be better than where it lies."""
BLOWN: Final = 0.015
"""Print that varies less than this in root of light is blown out."""
PALE: Final = 0.7
"""Root of light over that at which the camera clips from which print may be washed out."""
ALIKE: Final = 0.35
"""Local correlation of detail that speaks neither for a face nor against it."""
STRONG: Final = 0.0016
"""Mean square of detail that is plainly print on any table."""
FAINT: Final = 0.25
"""Share of `Column.plain_power` that belongs to the table's texture and the camera's noise."""
FLAT_FACE: Final = 4e-6
"""Mean square of detail below which a face has no print there."""
CLEAR: Final = 0.45
"""Local correlation, one way or the other, that faint print has with other print by chance."""
BEYOND_EDGE: Final = 3.0
"""How much on both sides of a card's edge tells whether it can be seen, mm."""
SAME_LIGHT: Final = (0.045, 0.12)
"""By how much, root of light, what is seen of the card may differ there from what lies beyond, and the face, which what
shines on a card makes lighter than it is: of a white back on a white card 0.02 and 0.09, beside a lamp 0.042."""

_Strip: TypeAlias = tuple[int, int, int, int]
"""Left, top, width and height of a part of a card or beside it, px at `MIDDLE` from its corner."""
_WIDE: Final = card_px(MIDDLE)[0]
_FAR: Final = round(BEYOND_EDGE * MIDDLE)
_LONG: Final = round(SIDES * MIDDLE)
_EDGE_STRIPS: Final[tuple[tuple[_Strip, _Strip], ...]] = (
    ((0, -_FAR, _WIDE // 2, _FAR - 1), (0, 1, _WIDE // 2, _FAR - 1)),
    ((_WIDE // 2, -_FAR, _WIDE // 2, _FAR - 1), (_WIDE // 2, 1, _WIDE // 2, _FAR - 1)),
    ((-_FAR, 0, _FAR - 1, _LONG), (1, 0, _FAR - 1, _LONG)),
    ((_WIDE + 1, 0, _FAR - 1, _LONG), (_WIDE - _FAR, 0, _FAR - 1, _LONG)),
)
"""Strips beyond and within each part of a card's outline: halves of its top edge, and sides."""

_GAINS: Final = np.array([[1.0, -2 * math.sqrt(g), g] for g in GAINS], np.float32)
_THIRD: Final = np.full((1, 3), 1 / 3, np.float32)
_SQUARE: Final = np.ones((3, 3), np.uint8)
_NONE: Final = np.zeros(card_px(MIDDLE)[::-1], np.uint8)
_ONES: Final = np.ones(3 * _NONE.size, np.float32)
_ROW: Final = np.full(card_px(MIDDLE)[0], 1 / card_px(MIDDLE)[0], np.float32)

Costs = NDArray[np.float32]


def laid(place: Placed, scale: float) -> NDArray[np.float64]:
    """Card pixels at `scale` to column pixels at the same scale, (2, 3)."""
    if scale == FINE:
        return place.matrix()
    # Pixel centres lie at half a pixel: the same point of the table has another coordinate at another scale.
    k = scale / FINE
    x, y = place.point(0.5 / k - 0.5, 0.5 / k - 0.5)
    c, s = math.cos(place.turn), math.sin(place.turn)
    return np.array([[c, -s, (x + 0.5) * k - 0.5], [s, c, (y + 0.5) * k - 0.5]])


def at_middle(place: Placed) -> Placed:
    """Where a card lies at `MIDDLE` that lies at a place at `FINE`."""
    matrix = laid(place, MIDDLE)
    return Placed(float(matrix[0, 2]), float(matrix[1, 2]), place.turn)


def at_fine(place: Placed) -> Placed:
    """What `at_middle` undoes."""
    zoom = FINE / MIDDLE
    m, half = place.matrix(), np.array([0.5, 0.5])
    x, y = ((m[:, 2] + half) * zoom - half - m[:, :2] @ (half * zoom - half)).tolist()
    return Placed(x, y, place.turn)


def under(image: NDArray[np.float32], matrix: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float32]:
    """What lies under a card, in the card's own rows and columns: `size` (w, h) px, `matrix` from `laid`."""
    return np.asarray(
        cv2.warpAffine(
            image,
            matrix,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    )


def tones_under(wide: NDArray[np.float32], matrix: NDArray[np.float64], size: tuple[int, int]) -> Tones:
    """The same of tones with a fourth channel (`Column.wide`), (h, w, 3): half the time that three channels take."""
    return np.asarray(cv2.cvtColor(under(wide, matrix, size), cv2.COLOR_BGRA2BGR), dtype=np.float32)


def under_card(column: Column, place: Placed) -> CardPatch:
    """What lies under a card there; kept with the column for the next face that may lie there."""
    known = column.under_cards.get(place)
    if known is None:
        matrix, size = laid(place, MIDDLE), card_px(MIDDLE)
        tones = tones_under(column.wide, matrix, size)
        layers = under(column.layers, matrix, size)
        # One by one they come out in half the time that `split` takes.
        detail, steep, bare, level = (np.asarray(cv2.extractChannel(layers, k), dtype=np.float32) for k in range(4))
        soft = softened(detail)
        known = CardPatch(tones, tones * tones, level, soft, power_around(soft), steep, bare)
        column.under_cards[place] = known
    return known


def mismatch(seen: CardPatch, pattern: Pattern, spread: float, rows: int) -> tuple[Grey, Grey | None]:
    """How badly a face explains what is seen, (h, w), 0..1, and how far that can be trusted, (h, w), 0..1.

    Without glare all can be trusted: None. Light is taken as `gain * known + veil`, with one gain and a veil that
    changes slowly over the card: glare on a sleeve or a varnish adds to all channels alike, so hue and print count.
    What lies under much veil is trusted less. `rows`: gain is learnt from the rows above it only.
    """
    known, light = pattern.light, seen.light
    learn = slice(2, rows)
    s, k = light[learn].ravel(), known[learn].ravel()
    ones = _ONES[: s.size]
    n = float(s.size)
    sm, km = float(s @ ones) / n, float(k @ ones) / n
    cov, var = float(s @ k) / n - sm * km, float(k @ k) / n - km * km
    gain = min(max((cov + 0.01 * sm / max(km, 0.02)) / (var + 0.01), 0.5), 1.7)
    rest = np.asarray(cv2.transform(cv2.scaleAdd(known, -gain, light), _THIRD), dtype=np.float32)
    # Glare on a sleeve has sharp edges: it is set apart first, so that what lies beside it is not blamed for it.
    glare = _shine(rest)
    window = (round(8 * MIDDLE) | 1,) * 2
    free: Grey | None = None
    if glare.any():
        # The edge of glare is soft: a millimetre and a half of it belongs to neither side.
        free = np.asarray(1 - cv2.dilate(glare, _SQUARE), dtype=np.float32)
        shine = np.asarray(glare, dtype=np.float32)
        cover = cv2.blur(free, window, borderType=cv2.BORDER_REFLECT)
        around = cv2.blur(rest * free, window, borderType=cv2.BORDER_REFLECT) / np.maximum(cover, 0.02)
        inner = cv2.blur(shine, window, borderType=cv2.BORDER_REFLECT)
        within = cv2.blur(rest * shine, window, borderType=cv2.BORDER_REFLECT) / np.maximum(inner, 0.02)
        veil = np.where(shine > 0.5, within, around)
    else:
        veil = cv2.blur(rest, window, borderType=cv2.BORDER_REFLECT)
    veil = clamped(veil, -0.08, 0.8)
    shown = cv2.sqrt(np.maximum(cv2.scaleAdd(known, gain, cv2.merge([veil, veil, veil])), np.float32(1e-4)))
    wrong = wrong_by(np.asarray(cv2.subtract(seen.tones, shown), dtype=np.float32), spread)
    wrong = np.minimum(wrong + np.minimum(np.abs(veil) * np.float32(0.5), np.float32(0.2)), np.float32(1))
    blown = _blown_out(seen.level, pattern, gain, rest)
    if free is None and blown is None and float(veil.max()) <= VEIL:
        return np.asarray(wrong), None
    trust = clamped(1 - (veil - np.float32(VEIL)) / np.float32(0.35), 0, 1)
    if free is not None:
        trust *= np.maximum(free, cv2.erode(glare, _SQUARE))
    if blown is not None:
        trust *= 1 - blown
    return np.asarray(wrong), np.asarray(trust, dtype=np.float32)


def _shine(rest: Grey) -> NDArray[np.uint8]:
    """Where much light lies on a card, (h, w), 0 or 1."""
    if np.count_nonzero(rest > np.float32(GLARE)) < SHINE * SHINE / 2:
        return _NONE
    bright = mostly(rest > np.float32(GLARE)).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((SHINE, SHINE), np.uint8)), dtype=np.uint8)


def mostly(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where most of the 5 x 5 pixels around belong to a mask: the median of two values in a tenth of its time."""
    most = cv2.boxFilter(mask.astype(np.uint8), -1, (5, 5), normalize=False, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(np.asarray(most) > 12)


def print_seen(trust: Grey, level: Grey, full: NDArray[np.bool_]) -> Grey:
    """Where print is to be seen, under a veil too: neither on the edge of the veil, nor where it is blown out. `full`:
    (h, w), where the camera gives the most that it can, which is blown out as far as the veil's very edge."""
    hidden = mostly(trust < 0.5).astype(np.uint8)
    around = np.ones((5, 5), np.uint8)
    edge = cv2.dilate(hidden, _SQUARE) - cv2.erode(hidden, _SQUARE)
    blown = np.asarray(hidden, dtype=bool) & ((cv2.dilate(roughness(level), around) < BLOWN**2) | full)
    return np.asarray((edge == 0) & ~blown, dtype=np.float32)


def _blown_out(level: Grey, pattern: Pattern, gain: float, rest: Grey) -> Grey | None:
    """Where print that should be there is gone under a light that should not, (h, w), 0 or 1: glare blew it out."""
    more = rest > np.float32(0.05)
    if np.count_nonzero(more) < 10:
        return None
    gone = (roughness(level) < 0.1 * gain * pattern.rough) & more
    if not gone.any():
        return None
    return np.asarray(cv2.blur(gone.astype(np.float32), PATCH) > 0.4, dtype=np.float32)


def mismatch_under_glare(
    seen: Tones,
    level: Grey,
    pattern: Pattern,
    spread: float,
    rows: int | None = None,
    least: float = VEILED,
    brightest: NDArray[np.float32] | None = None,
    most: NDArray[np.float32] | None = None,
) -> tuple[Grey, Grey]:
    """The same where glare hides most of a card: how badly a face explains what is seen, and how far that is seen.

    Glare adds light of no hue and washes print out, so pixels that are lighter than the face, or flat where it is
    not, cost `HIDDEN` and tell nothing; what glare spares must match as it is, and nothing may be darker. `least`:
    how much lighter. `brightest`: what the camera gives at most, if what is as light shall tell of no face: a light one
    would look like it without any glare, a dark one only with it. `most`: what it could give, if the hue of what comes
    to that in one channel shall not tell that it is no glare: in a lamp's light a white shine came out as blue.
    """
    known = pattern.light
    light = np.asarray(seen * seen, dtype=np.float32)
    learn = slice(2, rows if rows is not None else seen.shape[0])
    gain = _gain(seen[learn], pattern.roots[learn], spread)
    departs = cv2.scaleAdd(pattern.roots, -math.sqrt(gain), seen)
    veil = np.asarray(cv2.transform(cv2.scaleAdd(known, -gain, light), _THIRD), dtype=np.float32)
    lit = np.maximum(veil, np.float32(0))
    shown = cv2.sqrt(cv2.scaleAdd(known, gain, cv2.merge([lit, lit, lit])))
    tint = wrong_by(np.asarray(cv2.subtract(seen, shown), dtype=np.float32), spread)
    blown = _blown_out(level, pattern, gain, veil)
    hidden = veil > np.float32(least)
    if blown is not None:
        hidden |= blown > 0.5
    hueless = tint < TINTED
    if most is not None:
        below = cv2.inRange(seen, np.full(3, -np.inf), (FULL * most).astype(np.float64))
        hueless |= np.asarray(below) == 0
    hidden &= hueless
    # The soft edge of glare is half of both.
    near = cv2.dilate(np.asarray(hidden, dtype=np.uint8), _SQUARE) > 0
    hidden = np.asarray(hidden | (near & (veil > 0)))
    untold = hidden if brightest is None else hidden | lighter(seen, AS_LIGHT * brightest)
    wrong = np.where(untold, np.float32(HIDDEN), wrong_by(np.asarray(departs, dtype=np.float32), spread))
    return np.asarray(wrong, dtype=np.float32), np.asarray(~hidden, dtype=np.float32)


def _gain(seen: Tones, roots: Tones, spread: float) -> float:
    """The gain under which most of a face matches."""
    # A quarter of the pixels tells it as well, and all gains are tried at once: (a - b g)² = a² - 2 a b g + b² g².
    some, face = (np.ascontiguousarray(part[::2, ::2]).reshape(-1, 3) for part in (seen, roots))
    parts = np.stack([np.einsum("ij,ij->i", a, b) for a, b in ((some, some), (some, face), (face, face))])
    off = _GAINS @ parts
    return GAINS[int(np.exp(off * np.float32(-0.5 / (3 * spread * spread))).sum(1).argmax())]


def row_costs(column: Column, bank: Bank, face: int, place: Placed, glaring: bool = False) -> tuple[Costs, Grey | None]:
    """Cost of each row of a card at `MIDDLE` against the bare table, (88,), per mm, and how far glare lets it be seen.

    `glaring`: take it that glare hides much of the card.
    """
    pattern = bank.patterns[MIDDLE][face]
    seen = under_card(column, place)
    rows = round(18 * MIDDLE)
    trust: Grey | None
    if glaring:
        # Here a shine's hue counts though a channel is cut off: hidden, it had let a back stand that was not there.
        wrong, trust = mismatch_under_glare(seen.tones, seen.level, pattern, column.spread, rows)
    else:
        wrong, trust = mismatch(seen, pattern, column.spread, rows)
    weight = FLAT + (1 - FLAT) * np.maximum(pattern.steep, seen.steep)
    print_cost = unlike(seen, pattern, column.plain_power)
    bare = seen.bare
    if trust is None:
        against = wrong - bare
    else:
        against = trust * (wrong - bare) + (1 - trust) * np.minimum(0, (UNSEEN if glaring else HIDDEN) - bare)
        # The edge of glare is detail too, as far as detail reaches: it speaks against no face. Print that goes with the
        # face is the face's own.
        print_cost = print_cost * np.where(print_cost > 0, cv2.erode(trust, np.ones((9, 9), np.uint8)), trust)
    if column.clipped and column.limit is not None:
        # A little more light, and pale print is gone: that it is not seen says nothing against a card.
        washed = lighter(seen.tones, AS_LIGHT * column.brightest) & lighter(pattern.roots, PALE * column.limit)
        against = np.where(washed, np.minimum(against, 0), against)
        around = cv2.blur(np.asarray(washed, dtype=np.float32), PATCH)
        print_cost = np.where(around > 0.5, np.minimum(print_cost, 0), print_cost)
    costs = np.asarray(cv2.add(cv2.multiply(weight, against), print_cost) @ _ROW, dtype=np.float32)
    # What the board shows is not known here: that a face goes better with it than the table tells of no card.
    on_board = max(0, round((ABOVE - place.point(CARD_W / 2, 0.0)[1] / FINE) * MIDDLE))
    costs[:on_board] = np.maximum(costs[:on_board], 0)
    return costs, trust


def lighter(tones: Tones, least: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where all channels of a picture (h, w, 3) are at least as light, (h, w)."""
    # Numpy takes ten times as long to go by the limits of three channels.
    return np.asarray(cv2.inRange(tones, least.astype(np.float64), np.full(3, np.inf))) > 0


def unlike(seen: CardPatch, pattern: Pattern, plain: float) -> Grey:
    """How far the detail of a face departs from what is seen, (h, w): below 0 where they go together, at `MIDDLE`.

    Local correlation, so a veil's edges and stains spoil their own surroundings and no more. `plain`: mean square of
    detail that is plainly no texture of the table. Print fainter than `STRONG` that stands out of that tells of a face
    where it clearly goes with its own, or clearly against it: that faint print is not seen says little.
    """
    both = cv2.blur(cv2.multiply(seen.detail, pattern.soft), PATCH)
    strong = cv2.multiply(seen.power + np.float32(FAINT * plain), pattern.power + np.float32(FLAT_FACE))
    together = np.asarray(both / cv2.sqrt(np.maximum(strong, np.float32(0))), dtype=np.float32)
    weight = np.minimum(np.maximum(seen.power, pattern.power) * np.float32(1 / STRONG), np.float32(1))
    faint = np.maximum(np.minimum(seen.power * np.float32(1 / plain), np.float32(1)) - weight, np.float32(0))
    clear = (together - clamped(together, -CLEAR, CLEAR)) * np.float32((1 - ALIKE) / (1 - CLEAR))
    return np.asarray(weight * (ALIKE - together) - faint * clear, dtype=np.float32)


def outline_seen(bank: Bank, column: Column, face: int, place: Placed) -> float:
    """How clear a card's outline is where it can be seen, 0..1.

    A side, or half of the top edge, cannot be seen where what lies beyond is as light and of the same colour as the
    face and as what is seen of it: on another white card, or where a lamp blows both out. Half of the four must be.
    """
    edges = edges_of(column.tones, place)
    parts = zip(edges.parts, _EDGE_STRIPS, strict=True)
    seen = [part for part, strips in parts if not _unseen(bank, column, face, place, strips)]
    return max(edges.clear, sum(seen) / len(seen)) if 2 <= len(seen) < len(_EDGE_STRIPS) else edges.clear


def _unseen(bank: Bank, column: Column, face: int, place: Placed, strips: tuple[_Strip, _Strip]) -> bool:
    """Whether a part of a card's outline cannot be seen. `strips`: beyond it and within it."""
    outer, inner = (_usual(_strip_under(column, place, strip)) for strip in strips)
    x, y, w, h = strips[1]
    known = np.minimum(_usual(bank.patterns[MIDDLE][face].roots[y : y + h, x : x + w]), column.brightest)
    return bool(np.abs(inner - outer).max() < SAME_LIGHT[0] and np.abs(known - outer).max() < SAME_LIGHT[1])


def _strip_under(column: Column, place: Placed, strip: _Strip) -> Tones:
    x, y, w, h = strip
    corner = place.point(x * FINE / MIDDLE, y * FINE / MIDDLE)
    return tones_under(column.wide, laid(Placed(*corner, place.turn), MIDDLE), (w, h))


def _usual(tones: Tones) -> Tones:
    """The median of each channel."""
    return np.asarray(np.median(tones.reshape(-1, 3), 0), dtype=np.float32)
