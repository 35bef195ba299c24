"""Where cards may lie in one column, and how well each face explains what is seen there.

Single cards cannot be cut out where they overlap, and repeating back patterns fool key points. So: every enrolled
header is laid over the column, each likely place is refined and weighed row by row against the bare table. Where glare
or short strips leave no print, the edges of cards give the places. `vision.chain` then picks the cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import Seat
from vision import geometry
from vision.align import Grey, Placed, crispness, grey, structure
from vision.bank import CARD_W, COARSE, FINE, MIDDLE, SEARCH_MM, Bank, card_px
from vision.light import Tones
from vision.likeness import Look, inner, product
from vision.outline import outlines
from vision.pose import Floats
from vision.rectify import Frame

SIDE: Final = 30.0
"""How much is seen on both sides of a column's cards, mm. The outer part is bare table: columns lie 67 mm apart."""
ROOM: Final = 15.0
"""How far cards may stick out sideways from their column, mm."""
ABOVE: Final = 14.0
"""How much of the board belongs to the column's picture, mm: a card may lie over the board's edge."""
LENGTH: Final = 266.0
WIDTH: Final = geometry.CARD[0] + 2 * SIDE

TURNS: Final = (-8.0, -4.0, 0.0, 4.0, 8.0)
FIRST: Final = (-9.0, 26.0)
"""Where the first card's top edge may lie, mm outside the board's edge."""
REACH_X: Final = 12.0
"""How far sideways headers are searched, mm."""
SEARCH_TO: Final = 215.0
"""How far from the board's edge headers are searched, mm: there the corner tags begin."""
LEAST_FIT: Final = 0.33
"""Correlation below which no header lies there."""
GOOD_FIT: Final = 0.5
"""Correlation below which print is a worse guide to a card's place than its outline."""
FACES_HERE: Final = 4
STRIPS: Final = (7.0, 38.0)
"""How much of a covered card may show, mm."""
SPREAD: Final = 0.075
"""Error in root of light that counts as a fair match."""
GLARE: Final = 0.22
"""Light beyond what a face explains that counts as glare."""
FLAT: Final = 0.45
"""Weight of a pixel without structure; print and edges weigh 1."""
HIDDEN: Final = 0.3
"""Cost of a pixel that glare hides: more than print that is seen, less than a table that does not shine."""
BARE_MOST: Final = 0.6
"""Worst cost of a pixel as bare table: an unknown thing must not be taken for whichever card fits it least badly."""
PER_CARD: Final = 4.0
"""What a card must explain, mm of rows, before it is believed."""

ALIKE: Final = 0.35
"""Local correlation of detail that speaks neither for a face nor against it."""

Costs = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Layer:
    """A column's picture at one scale."""

    tones: Tones
    """Root of light, (h, w, 3) float32, in the profile's light."""
    crisp: Grey
    """Detail of its brightness."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column's picture, its first row nearest to the board's middle, its cards upright."""

    middle: Layer
    fine: Layer
    steep: Grey
    """How much structure there is at each pixel at `MIDDLE`, 0..1: flat paper tells little, print and edges much."""
    bare: Grey
    """How badly the bare table explains each pixel at `MIDDLE`, 0..`BARE_MOST`."""
    rows: float
    """How much of its length lies in the picture, mm."""
    spread: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A face laid somewhere in the column. `face`: number in the bank, from 19 on the wrong way round."""

    face: int
    place: Placed
    """In the column's picture at `FINE`."""
    match: float
    edge: float
    """How much of a card's outline is seen there, 0..1."""
    costs: Costs
    """Cost of each of the card's rows at `MIDDLE` against the bare table: below 0 where the card explains it better."""

    @property
    def top(self) -> float:
        """Middle of the card's top edge, mm below the column's upper end."""
        return float(self.place.points(np.array([[CARD_W / 2, 0.0]]))[0, 1]) / FINE

    @property
    def left(self) -> float:
        """Middle of the card's top edge, mm from the column's left."""
        return float(self.place.points(np.array([[CARD_W / 2, 0.0]]))[0, 0]) / FINE


def column_frame(board: Frame, seat: Seat, zoom: float = 1.0) -> Frame:
    """The column of one seat at a board, its first row nearest to the board's middle, cards upright in it.

    `zoom`: how much larger than they are things appear there, where the registration is not exact.
    """
    half, wide, above = board.width / 2, WIDTH * zoom / 2, ABOVE * zoom
    if seat == "near":
        corner, turn = board.to_table(np.array([[half - wide, board.height - above]]))[0], board.turn
    else:
        corner, turn = board.to_table(np.array([[half + wide, above]]))[0], board.turn + float(np.pi)
    return Frame((float(corner[0]), float(corner[1])), turn, 2 * wide, (ABOVE + LENGTH) * zoom)


def prepare(tones: Tones, inside: NDArray[np.bool_], spread: float = SPREAD) -> Column:
    """Get a column's picture ready. `tones`: root of light at `FINE`; `inside`: where it lies in the picture."""
    shrink = MIDDLE / FINE
    small = np.asarray(cv2.resize(tones, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), dtype=np.float32)
    table, wide = _table(small, spread)
    bare = np.minimum(_wrong(small - table, wide), np.float32(BARE_MOST))
    luma = grey(small)
    rows = float(inside[:, inside.shape[1] // 2].sum()) / FINE
    return Column(
        Layer(small, crispness(luma, round(7 * MIDDLE) | 1)),
        Layer(tones, crispness(grey(tones), round(7 * FINE) | 1)),
        structure(luma, MIDDLE),
        bare,
        rows,
        spread,
    )


def _table(tones: Tones, spread: float) -> tuple[Tones, float]:
    """What the bare table would look like in a column, from its two sides, and how rough it is."""
    h, w = tones.shape[:2]
    margin = round((SIDE - ROOM - 1) * MIDDLE)
    step = 8
    sides, rough = [], []
    for part in (tones[:, :margin], tones[:, -margin:]):
        blocks = part[: h // step * step].reshape(h // step, -1, 3)
        middle = np.median(blocks, 1)
        rough.append(float(np.median(np.abs(blocks - middle[:, None]))))
        # Along the column by a running median: a token or the neighbour's card beside it is shorter than the window.
        padded = np.pad(middle, ((4, 4), (0, 0)), mode="edge")
        runs = np.median(np.lib.stride_tricks.sliding_window_view(padded, 9, axis=0), -1)
        sides.append(cv2.resize(runs.astype(np.float32).reshape(-1, 1, 3), (1, h)).reshape(h, 1, 3))
    ramp = np.linspace(0, 1, w, dtype=np.float32)[None, :, None]
    return sides[0] + (sides[1] - sides[0]) * ramp, max(spread, 3 * min(rough))


def _wrong(d: Tones, spread: float) -> Grey:
    """How bad an error is, 0..1, (h, w)."""
    d2 = cv2.transform(d * d, np.full((1, 3), -0.5 / (3 * spread * spread), np.float32))
    return np.asarray(1 - cv2.exp(d2), dtype=np.float32)


def _search(bank: Bank, column: Column, faces: int, places: int) -> list[tuple[float, Placed]]:
    """Where headers may lie: (correlation, place of a card there), best first, at most `places`."""
    crisp = column.middle.crisp
    side = round((SIDE - REACH_X) * MIDDLE)
    crisp = np.ascontiguousarray(crisp[: round(min(column.rows, ABOVE + SEARCH_TO) * MIDDLE), side:-side])
    h, w = crisp.shape[0] // 2, crisp.shape[1] // 2
    sw, sh = bank.strip_px
    n = sw * sh
    if h <= sh:
        return []
    smooth = cv2.blur(crisp, (2, 2))
    best = np.full(h - sh + 1, -1.0, np.float32)
    where = np.zeros((h - sh + 1, 2), np.float32)
    for turn in TURNS:
        slope = np.tan(np.radians(turn))
        shear = np.array([[2, 0, 1], [2 * slope, 2, 1 - 2 * slope * (w - 1) / 2]])
        image = cv2.warpAffine(
            smooth, shear, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        view = np.lib.stride_tricks.sliding_window_view(image, (sh, sw))
        ny, nx = view.shape[:2]
        windows = view.reshape(ny * nx, n)
        total = windows.sum(1)
        power = np.einsum("ij,ij->i", windows, windows) - total * total / n
        fit = product(windows, bank.search[:faces]).max(1) / np.sqrt(np.maximum(power, 0) + n * 0.008**2)
        fit = fit.reshape(ny, nx)
        x = fit.argmax(1)
        value = fit[np.arange(ny), x]
        better = value > best
        best[better] = value[better]
        where[better, 0], where[better, 1] = x[better], turn
    found: list[tuple[float, Placed]] = []
    step = FINE / COARSE
    left = best.copy()
    while len(found) < places:
        row = int(left.argmax())
        value = float(left[row])
        if value < 0.3:
            break
        left[max(0, row - 2) : row + 3] = -1
        x0, turn = where[row].tolist()
        theta = float(np.radians(turn))
        # The shear keeps the middle column of the picture where it is; the strip's own middle moves with the slope.
        mid_x = (x0 + sw / 2) * step
        mid_y = (row + sh / 2) * step + np.tan(theta) * (mid_x - w * step / 2)
        c, s = np.cos(theta), np.sin(theta)
        hx, hy = CARD_W / 2, SEARCH_MM * FINE / 2
        place = Placed(mid_x - c * hx + s * hy + side * FINE / MIDDLE, mid_y - s * hx - c * hy, theta)
        found.append((value, place))
    return found


def under(image: NDArray[np.float32], place: Placed, scale: float, height: int | None = None) -> NDArray[np.float32]:
    """What lies under a card, in the card's own rows and columns at `scale`; `height`: only its first rows."""
    w, h = card_px(scale)
    m = place.matrix()
    if scale != FINE:
        # Pixel centres lie at half a pixel: the same point of the table has another coordinate at another scale.
        k = scale / FINE
        half = np.array([0.5, 0.5])
        at_fine = m[:, :2] @ (half / k - half) + m[:, 2]
        m = np.column_stack([m[:, :2], (at_fine + half) * k - half])
    return np.asarray(
        cv2.warpAffine(
            image,
            m,
            (w, h if height is None else height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    )


def wrongness(
    seen: Tones, known: Tones, scale: float, spread: float, rows: int | None = None, glaring: bool = False
) -> tuple[Grey, Grey]:
    """How badly a face explains what is seen, (h, w), 0..1, and how far that can be trusted, (h, w), 0..1.

    `seen`: root of light; `known`: linear light. Light is taken as `gain * known + veil`, with one gain and a veil that
    changes slowly over the card: glare on a sleeve or a varnish adds to all channels alike, so hue and print count.
    What lies under much veil is trusted less. `rows`: gain is learnt from the rows above it only; `glaring`: and only
    from what much glare spares.
    """
    light = seen * seen
    learn = slice(2, rows if rows is not None else seen.shape[0])
    s, k = light[learn].ravel(), known[learn].ravel()
    n = float(s.size)
    sm, km = float(s.mean()), float(k.mean())
    cov = inner(s, k) / n - sm * km
    var = inner(k, k) / n - km * km
    gain = float(np.clip((cov + 0.01 * sm / max(km, 0.02)) / (var + 0.01), 0.5, 1.7))
    rest = cv2.transform(light - known * np.float32(gain), np.full((1, 3), 1 / 3, np.float32))
    # Glare on a sleeve has sharp edges: it is set apart first, so that what lies beside it is not blamed for it.
    patch = round(6 * scale)
    bright = (cv2.medianBlur(rest, 5) > GLARE).astype(np.float32)
    glare = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((patch, patch), np.uint8))
    rim = cv2.dilate(glare, np.ones((3, 3), np.uint8)) - cv2.erode(glare, np.ones((3, 3), np.uint8))
    free = 1 - glare
    calm = cv2.erode(free, np.ones((3, 3), np.uint8)) > 0.5
    if glaring and 0.1 < float(calm.mean()) < 0.8:
        # What the glare spares tells how bright the card is; learnt from all of it, gain and glare would be mixed up.
        gain = float(np.clip(np.median(light[calm].sum(1) / np.maximum(known[calm].sum(1), 0.02)), 0.25, 1.7))
        rest = cv2.transform(light - known * np.float32(gain), np.full((1, 3), 1 / 3, np.float32))
    window = (round(8 * scale) | 1,) * 2
    cover = cv2.blur(free, window, borderType=cv2.BORDER_REFLECT)
    around = cv2.blur(rest * free, window, borderType=cv2.BORDER_REFLECT) / np.maximum(cover, 0.02)
    within = cv2.blur(rest * glare, window, borderType=cv2.BORDER_REFLECT) / np.maximum(1 - cover, 0.02)
    veil = np.clip(np.where(glare > 0.5, within, around), -0.08, 0.8)
    shown = cv2.sqrt(np.maximum(known * np.float32(gain) + veil[..., None], 1e-4))
    wrong = np.minimum(_wrong(seen - shown, spread) + np.minimum(np.abs(veil) * 0.5, 0.2), 1.0)
    trust = (
        (1 - rim)
        * np.clip(1 - (veil - 0.3) / 0.35, 0, 1)
        * (1 - _washed(light, known, gain, np.asarray(rest, dtype=np.float32), scale))
    )
    return np.asarray(wrong, dtype=np.float32), np.asarray(trust, dtype=np.float32)


def _washed(light: Tones, known: Tones, gain: float, rest: Grey, scale: float) -> Grey:
    """Where print that should be there is gone under a light that should not, (h, w), 0 or 1: glare blew it out."""
    window = (round(5 * scale) | 1,) * 2

    def spread(image: Tones) -> Grey:
        level = grey(np.sqrt(image))
        mean = cv2.blur(level, window)
        return np.asarray(cv2.blur(level * level, window) - mean * mean, dtype=np.float32)

    gone = (spread(light) < 0.1 * spread(known * np.float32(gain))) & (rest > 0.05)
    return np.asarray(cv2.blur(gone.astype(np.float32), window) > 0.4, dtype=np.float32)


def row_costs(column: Column, bank: Bank, face: int, place: Placed, glaring: bool = False) -> Costs:
    """Cost of each row of a card at `MIDDLE` against the bare table, (88,), per mm."""
    pattern = bank.patterns[MIDDLE][face]
    seen = under(column.middle.tones, place, MIDDLE)
    wrong, trust = wrongness(seen, pattern.light, MIDDLE, column.spread, round(18 * MIDDLE), glaring)
    weight = FLAT + (1 - FLAT) * np.maximum(pattern.steep, under(column.steep, place, MIDDLE))
    bare = under(column.bare, place, MIDDLE)
    against = trust * (wrong - bare) + (1 - trust) * np.minimum(0, HIDDEN - bare)
    # The edge of glare is detail too, as far as detail reaches.
    calm = cv2.erode(trust, np.ones((9, 9), np.uint8))
    print_cost = calm * unlike(under(column.middle.crisp, place, MIDDLE), pattern.crisp)
    return np.asarray((weight * against + print_cost).mean(1), dtype=np.float32)


def unlike(seen: Grey, known: Grey) -> Grey:
    """How far the detail of a face departs from what is seen, (h, w): below 0 where they go together, at `MIDDLE`.

    Local correlation, so a veil's edges and stains spoil their own surroundings and no more.
    """
    # Meshes and hatchings finer than three millimetres never lie exactly alike; they neither speak for nor against.
    seen = np.asarray(cv2.blur(seen, (3, 3)), dtype=np.float32)
    known = np.asarray(cv2.blur(known, (3, 3)), dtype=np.float32)
    window = (5, 5)
    both = cv2.blur(seen * known, window)
    s2, k2 = cv2.blur(seen * seen, window), cv2.blur(known * known, window)
    together = both / (cv2.sqrt(np.maximum(s2 * k2, 0)) + np.float32(0.0004))
    weight = np.clip(np.maximum(s2, k2) / 0.0016, 0, 1)
    return np.asarray(weight * (np.float32(ALIKE) - together), dtype=np.float32)


def header_costs(column: Column, bank: Bank, faces: int, place: Placed, mm: float) -> NDArray[np.float64]:
    """How unlike the first `mm` of each face and what lies at a place are, in nats, (faces,)."""
    rows = round(mm * MIDDLE)
    look = Look(under(column.middle.tones, place, MIDDLE, rows), bank.telling[MIDDLE][:rows], MIDDLE)
    return look.against_all(*bank.headers(rows))[:faces]


def fits_around(
    bank: Bank, column: Column, start: Placed, faces: int, room: int, turns: tuple[float, ...]
) -> tuple[NDArray[np.float32], list[Placed]]:
    """Correlation of every header within `room` mm of a place: best of each face, (faces,), and where, at `MIDDLE`.

    Repeating back patterns need every millimetre tried.
    """
    w, h = bank.head_px
    n = w * h
    step = FINE / MIDDLE
    pivot = np.array([[CARD_W / 2, h * step / 2]])
    cx, cy = start.points(pivot)[0].tolist()
    crisp = column.middle.crisp
    best = np.full(faces, -1.0, np.float32)
    places = [start] * faces
    for extra in turns:
        theta = start.turn + float(np.radians(extra))
        c, s = np.cos(theta), np.sin(theta)
        # Top left of the header in column pixels at MIDDLE, `room` further out on both sides.
        ox, oy = (
            cx / step - c * (w / 2 + room) + s * (h / 2 + room),
            cy / step - s * (w / 2 + room) - c * (h / 2 + room),
        )
        m = np.array([[c, -s, ox], [s, c, oy]])
        size = (w + 2 * room, h + 2 * room)
        patch = cv2.warpAffine(
            crisp, m, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        view = np.lib.stride_tricks.sliding_window_view(patch, (h, w))
        ny, nx = view.shape[:2]
        windows = view.reshape(ny * nx, n)
        total = windows.sum(1)
        power = np.einsum("ij,ij->i", windows, windows) - total * total / n
        fit = product(windows, bank.heads[:faces]) / np.sqrt(np.maximum(power, 0) + n * 0.008**2)[:, None]
        at = fit.argmax(0)
        value = fit[at, np.arange(faces)]
        for face in np.flatnonzero(value > best).tolist():
            y, x = divmod(int(at[face]), nx)
            best[face] = value[face]
            places[face] = Placed(step * (ox + c * x - s * y), step * (oy + s * x + c * y), theta)
    return best, places


def candidates(
    bank: Bank, column: Column, faces: int, by_outline: bool = False, glaring: bool = False, places: int = 12
) -> list[Candidate]:
    """Faces laid over the column where they may lie: at most `FACES_HERE` for each of at most `places` places.

    `by_outline`: look for the edges of cards too, where their print alone did not explain the column; `glaring`: take
    it that glare hides much of them.
    """
    out: list[Candidate] = []
    taken: dict[int, list[Floats]] = {}
    crisp = column.fine.crisp
    # From the board outwards: a card can only lie where a first card may, or on one that is there.
    reach = ABOVE + FIRST[1]
    for start, outlined in sorted(
        _starts(bank, column, faces, by_outline, places), key=lambda s: s[0].points(_HEADER)[0, 1]
    ):
        if start.points(_HEADER)[0, 1] / FINE - 8 > reach + 6:
            continue
        close = (2, (-1.5, 0.0, 1.5)) if outlined else (5, (-3.0, 0.0, 3.0))
        fits, where = fits_around(bank, column, start, faces, *close)
        ranked = np.argsort(-fits)[:FACES_HERE].tolist()
        if fits[ranked[0]] >= LEAST_FIT:
            ranked = [f for k, f in enumerate(ranked) if fits[f] > fits[ranked[0]] - (0.2 if k < 2 else 0.12)]
            if bank.back not in ranked and fits[bank.back] > max(0.6 * LEAST_FIT, fits[ranked[0]] - 0.35):
                ranked.append(bank.back)
        elif outlined:
            # Print blotted out by glare: what there is of colour and detail picks a few faces, and the edges hold them.
            ranked = np.argsort(header_costs(column, bank, faces, start, 14.0))[:2].tolist()
            ranked = list(dict.fromkeys([*ranked, bank.back]))
        else:
            continue
        for face in ranked:
            place, match = bank.lay[face][1].lay(crisp, where[face], rounds=4)
            drift = np.hypot(*(place.points(_HEADER) - where[face].points(_HEADER))[0])
            if drift > 2.5 * FINE or abs(place.turn) > np.radians(14):
                place, match = where[face], float(fits[face])
            away = float(np.hypot(*(place.points(_HEADER) - start.points(_HEADER))[0]))
            if outlined and (match < GOOD_FIT or away > 1.5 * FINE):
                place, away = start, 0.0
            edge = outlined if away < 3 * FINE else 0.0
            at = place.points(_HEADER)[0]
            if any(np.abs(at - other).max() < FINE for other in taken.get(face, ())):
                continue
            taken.setdefault(face, []).append(at)
            card = Candidate(face, place, match, edge, row_costs(column, bank, face, place, glaring))
            out.append(card)
            if float(card.costs[:8].sum()) < 0.5:
                reach = max(reach, card.top + STRIPS[1])
    return out


_HEADER: Final = np.array([[CARD_W / 2, 8 * FINE]])
"""A point in the middle of a header, for comparing places."""


def _starts(bank: Bank, column: Column, faces: int, by_outline: bool, places: int) -> list[tuple[Placed, float]]:
    """Where cards may lie, with how much of an outline is seen there: 0 where only the print tells."""
    found = [(place, edge) for edge, place in outlines(column.middle.tones, places)] if by_outline else []
    known = np.array([place.points(_HEADER)[0] for place, _ in found]).reshape(-1, 2)
    for _, place in _search(bank, column, faces, places):
        if not (np.abs(known - place.points(_HEADER)[0]).max(1) < 4 * FINE).any():
            found.append((place, 0.0))
    return found
