"""Cards whose header is plainly seen, whatever glare hides of the rest: it tells which they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.column import Column
from vision.cards.comparison import ODD_HUE
from vision.cards.headers import header_costs
from vision.cards.lead import HIDDEN_COUNTS, SIXES, HeldFace, less_apart, unless_text_is_hidden
from vision.cards.templates import FINE, LAY_MM, TITLE_MM, Bank
from vision.geometry.align import Placed, grey
from vision.geometry.table import CARD

PLAIN_HEADER: Final = (0.75, 0.85)
"""Correlations of detail from which a header is seen, and seen plainly."""
NO_OTHERS: Final = (0.1, 0.05)
"""How much less than that any other print must go with what is seen there. On 328 photographs of twenty decks, 2,764
cards, of all of which headers were compared, none that went so was another card's, of 1,822 and 1,680."""
HEADER_LEADS: Final = 8.0
"""Nats by which one that is not plainly seen must lead besides, print and hue together: an A2 and an S3 under a shine
went as 6s, which bear no text, with 0.76 and 0.77, and these led by less than 7."""
HEADER_TELLS: Final = 10.0
"""Nats by which other print trails then at least."""
TITLE: Final = ((0.85, 0.08), (0.7, 0.15))
"""Correlations of a title from which it is read where glare hides what is below it, and how much less any other print
must go with what is seen there. Of 786 cards under glare on 360 photographs of ten decks 449 went at 0.7 or more, and
on none of them another one's title went better."""
PLAIN_TITLE: Final = 0.8
"""Correlation of a title from which it speaks against a face that bears no text and has another one: in paper that
shines such a face led by 8 to 18 nats on an L5 and an L3 whose texts were washed out. Of 223 cards that were read as
what they are, a 6, under a veil, none had another title that went so."""
TITLE_PRINT: Final = 0.002
"""Mean square of detail that a face must have there to be read by it."""
SPARED_ROWS: Final = (1.0, 14.0)
"""The rows of a header, mm, that are compared where glare spares them,"""
SPARED_RIM: Final = 1.5
"""without so much at either side, mm: what shines shines there, too."""
SHINES: Final = 0.93
"""Share of the most that the camera shows from which a channel is blown out, root of light."""
AROUND: Final = 7.5
"""What is seen is compared with its surroundings, so wide, mm, as far as nothing shines on them."""
MOVED: Final = (-2, -1, 0, 1, 2)
"""How far faces are tried beside where the best one lies, px at `FINE`: none is cut quite alike."""
SPARED: Final = ((0.7, 0.06), (0.55, 0.1))
"""Correlations from which what glare spares of a header tells the face that leads, and by how much less any other print
must go with it. Of 718 cards under glare on some 880 path-traced photographs none that went so was another one, nor of
some 120 on such and on spoilt pictures by the second."""
SPARED_PRINT: Final = 0.4
"""Square of detail times area, mm², that the face must have there: three cards of nine on which another one than the
one that led went so were not that one, with 0.15 and less."""
ALIKE_THERE: Final = (0.8, 0.04)
"""Correlation with the next face of what is spared from which the two are much alike there, and square of what they
differ in times area, mm², from which that tells them apart all the same: of a 5 and of a 4 little but the figure was
spared, and an A5 was an L5 and an L4 an A4. Of 88 cards that were told these three had less; of 85 right ones none."""
OF_BETTER_HUE: Final = (0.05, 0.5)
"""How much less the print of another face may go with all that is seen, and how much less its error of hue is, squared
and in spreads, from which what is spared of the header tells nothing against it: an L2, the text of whose title was
blown out, was an A1 for certain. Of 41 cards told so on some 700 spoilt pictures no other one has such a rival."""
ROUNDS: Final = 2
"""Steps in which each header is laid on what is seen: none is cut quite alike."""


def plain_header(bank: Bank, column: Column, held: HeldFace, strip: float) -> float:
    """Correlation of a face's header, or of its title alone, where it was held against a card of which `strip` mm show,
    if that is plainly seen and no other face's print is; else 0."""
    if held.face >= bank.count:
        return 0.0
    return _whole_header(bank, column, held, strip) or _title(bank, column, held)


def _title(bank: Bank, column: Column, held: HeldFace) -> float:
    """The same by the title alone; 0 for a back, which bears none: its figure is a face's, too."""
    if held.face == bank.back:
        return 0.0
    above, below = (round(mm * FINE) for mm in TITLE_MM)
    if float(np.square(bank.patterns[FINE][held.face].detail[above:below]).mean()) < TITLE_PRINT:
        return 0.0
    match = _title_goes(bank, column, held.face, held)
    by = next((lead for least, lead in TITLE if match >= least), None)
    if by is None:
        return 0.0
    others = (face for face in range(bank.count) if not bank.equal_headers[held.face][face])
    return 0.0 if any(_title_goes(bank, column, face, held) > match - by for face in others) else match


def _titled_otherwise(bank: Bank, column: Column, best: HeldFace) -> bool:
    """Whether a title is plainly seen where the best face lies, and another face's goes with it no worse."""
    least = max(PLAIN_TITLE, _title_goes(bank, column, best.face, best))
    others = (face for face in range(bank.count) if face != bank.back and not bank.equal_headers[best.face][face])
    return any(_title_goes(bank, column, face, best) >= least for face in others)


def _whole_header(bank: Bank, column: Column, held: HeldFace, strip: float) -> float:
    """The same by all of the header."""
    match = header_goes(bank, column, held.face, held, strip)
    if match < PLAIN_HEADER[0]:
        return 0.0
    plain = match >= PLAIN_HEADER[1]
    others = [face for face in range(bank.count) if not bank.equal_headers[held.face][face]]
    if any(header_goes(bank, column, face, held, strip) > match - NO_OTHERS[plain] for face in others):
        return 0.0
    if plain:
        return match
    costs = header_costs(column, bank, slice(0, bank.count), held.place, _laid_mm(strip))
    return match if min(costs[others]) - costs[held.face] >= HEADER_LEADS else 0.0


def spared_header(bank: Bank, column: Column, best: HeldFace) -> float:
    """Correlation of the best face's header with what glare spares of it where that face lies, if it tells no other
    print; else 0.

    What shines has edges of its own, which go with no print: what is blown out is left out, of the card and of every
    face alike, also where each is compared with its surroundings (normalized convolution: Knutsson and Westin, 1993).
    """
    if best.face >= bank.count or best.face == bank.back:
        return 0.0
    top, bottom = (round(mm * FINE) for mm in SPARED_ROWS)
    left = round(SPARED_RIM * FINE)
    right = round(CARD[0] * FINE) - left
    seen = cv2.warpAffine(
        column.fine, best.place.matrix(), (right, bottom), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )[top:, left:]  # fmt: skip
    blown = np.asarray((seen >= SHINES * column.brightest).any(2), dtype=np.uint8)
    free = 1 - np.asarray(cv2.dilate(blown, np.ones((3, 3), np.uint8)), dtype=np.float32)
    telling = np.sqrt(bank.telling[FINE][top:bottom, left:right]) * free
    size = (round(AROUND * FINE) | 1,) * 2
    share = np.maximum(cv2.blur(free, size), np.float32(1e-3))
    card = grey(np.asarray(seen, dtype=np.float32))
    card = np.asarray(telling * (card - cv2.blur(card * free, size) / share), dtype=np.float32)
    reach = max(MOVED)
    wider = np.s_[top - reach : bottom + reach, left - reach : right + reach]
    levels = np.stack([pattern.level[wider] for pattern in bank.patterns[FINE][: bank.count]], 2)
    fits = np.full(bank.count, -1.0)
    there: NDArray[np.float32] = np.zeros((card.size, bank.count), np.float32)
    most = 0.0
    h, w = card.shape
    norm = float(np.linalg.norm(card)) + 1e-6
    for y, x in product(MOVED, MOVED):
        part = levels[y + reach : y + reach + h, x + reach : x + reach + w]
        around = cv2.blur(part * free[..., None], size) / share[..., None]
        faces = (part - around).reshape(-1, bank.count)
        most = max(most, float(np.square(faces[:, best.face]) @ free.ravel()))
        faces *= telling.reshape(-1, 1)
        goes = card.ravel() @ faces / (norm * (np.linalg.norm(faces, axis=0) + 1e-6))
        if goes[best.face] > fits[best.face]:
            there = np.asarray(faces, dtype=np.float32)
        fits = np.maximum(fits, goes)
    match = float(fits[best.face])
    next_one = int(np.argmax(np.where(bank.equal_headers[best.face], -1.0, fits)))
    leads = match - float(fits[next_one])
    told = any(match >= least and leads >= by for least, by in SPARED) and most >= SPARED_PRINT * FINE**2
    return match if told and not _much_alike(there[:, best.face], there[:, next_one]) else 0.0


def _much_alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether what two faces show of themselves, weighed by what it tells, px at `FINE`, hardly differs."""
    alike = float(one @ other) > ALIKE_THERE[0] * float(np.linalg.norm(one) * np.linalg.norm(other))
    return alike and float(np.square(one - other).sum()) < ALIKE_THERE[1] * FINE**2


def by_plain_header(
    bank: Bank, column: Column, led: Sequence[tuple[int, float]], tried: Sequence[HeldFace], strip: float
) -> tuple[list[tuple[int, float]], HeldFace, float]:
    """Faces with the nats by which they trail, likeliest first; the best of those `tried`, which were held against a
    card of which `strip` mm show; and `plain_header` of that one.

    Where another one's header is plainly seen, and that of the first is not, the card is that: what was taken for glare
    had hidden an L6's title, and an A6 led by 14 nats, though anybody could read it.
    """
    best = tried[0]
    header = plain_header(bank, column, best, strip)
    if header or best.face >= bank.count:
        return list(led), best, header
    for held in tried[1:]:
        if held.face >= bank.count or bank.equal_headers[best.face][held.face]:
            continue
        header = plain_header(bank, column, held, strip)
        if header >= PLAIN_HEADER[1]:
            first = dict(led).get(held.face, 0.0)
            return sorted(((face, max(nats - first, 0.0)) for face, nats in led), key=_trails), held, header
    if led[0][0] != best.face:
        return list(led), best, 0.0
    if strip >= SPARED_ROWS[1] and _lead_in_print(bank, led) < HEADER_TELLS:
        header = spared_header(bank, column, best)
        if header and not _hue_of_another(bank, tried):
            # What is seen through the rim of what shines is paler than it is.
            return list(led), replace(best, hue_error=min(best.hue_error, ODD_HUE)), header
    if best.face in SIXES and _titled_otherwise(bank, column, best):
        return less_apart(led, range(bank.count), HIDDEN_COUNTS), best, 0.0
    return list(led), best, 0.0


def _hue_of_another(bank: Bank, tried: Sequence[HeldFace]) -> bool:
    """Whether the print of another of the faces `tried` goes about as well as that of the first, and its hue better."""
    best, (print_less, hue_less) = tried[0], OF_BETTER_HUE
    alike = bank.equal_headers[best.face % bank.count]
    others = (held for held in tried[1:] if not alike[held.face % bank.count])
    return any(one.rho > best.rho - print_less and one.hue_error < best.hue_error - hue_less for one in others)


def _title_goes(bank: Bank, column: Column, face: int, held: HeldFace) -> float:
    """Correlation of a face's title with what is seen where a face was held."""
    there = Placed(*held.place.point(0.0, round(TITLE_MM[0] * FINE)), held.place.turn)
    return bank.title_aligner(face).lay(column.fine_detail, there, ROUNDS)[1]


def _lead_in_print(bank: Bank, led: Sequence[tuple[int, float]]) -> float:
    """Nats by which the first face leads all others whose headers are of another print."""
    alike = bank.equal_headers[led[0][0] % bank.count]
    return min((nats for face, nats in led[1:] if not alike[face % bank.count]), default=math.inf)


def _trails(one: tuple[int, float]) -> float:
    return one[1]


def header_goes(bank: Bank, column: Column, face: int, held: HeldFace, strip: float) -> float:
    """Correlation of a face's header, laid by itself, with what is seen near where a face was held against a card of
    which `strip` mm show."""
    return bank.aligner(face, _laid_mm(strip)).lay(column.fine_detail, held.place, ROUNDS)[1]


def _laid_mm(strip: float) -> float:
    """How much of a header is laid on a card of which `strip` mm show, mm."""
    return LAY_MM[strip >= LAY_MM[1] - 1]


def told_by_header(
    bank: Bank, led: Sequence[tuple[int, float]], best: HeldFace, header: float, shone_on: bool
) -> list[tuple[int, float]]:
    """Faces with the nats by which they trail the best one, likeliest first, of a card whose header is plainly seen if
    `header`, its correlation, is above 0; otherwise a face that bears no text is in doubt. `shone_on`: as in
    `lead.unless_text_is_hidden`."""
    if header <= 0:
        return unless_text_is_hidden(led, best.face % bank.count, best.rho if shone_on else best.match, shone_on)
    alike = bank.equal_headers[best.face % bank.count]
    told = [(face, nats if alike[face % bank.count] else max(nats, HEADER_TELLS)) for face, nats in led]
    return sorted(told, key=_trails)


__all__ = ["by_plain_header", "header_goes", "spared_header", "told_by_header"]
