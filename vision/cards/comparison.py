"""One card of a chain, ready for faces to be held against it."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import appearance as explain
from vision.cards.appearance import at_fine, at_middle, laid, mismatch_under_glare, print_seen, tones_under, under_card
from vision.cards.candidates import Candidate
from vision.cards.clipping import clipped
from vision.cards.column import Column
from vision.cards.equal_print import UNKNOWN_TINT, Colours, by_colour, colours_of, parts_of
from vision.cards.lead import HeldFace, lead, unless_hue_is_hidden
from vision.cards.own_print import against
from vision.cards.similarity import Look, Print, PrintMask, alike
from vision.cards.strips import OpenPart, beside_rims, shown
from vision.cards.templates import CARD_H, CARD_W, FINE, LAY_MM, MIDDLE, Bank, card_px, shrunk
from vision.geometry.align import Aligner, Placed, Point, apart, grey
from vision.geometry.table import CARD
from vision.types import Grey, Tones

TELLING_MM: Final = 30.0
"""How much of a card tells which it is where nothing shines: the header and what it stands on."""
UNVEILED: Final = 0.97
"""Share of a card that must be free of glare for that."""
FAR_VEILED: Final = 6.0
"""The same under a veil, at half the size, where the best face trails by 2 at most in 553 of 572 cards: of faces that
trail by 6 to 8 nats there, 95 of 100 trail by 6.4 or more in full; by 8 to 10, by 8.9."""
BEYOND: Final = 16.0
"""Nats by which a face's print may trail and still be held against what glare spares: that only adds to them."""
VEILED: Final = 0.8
"""Less of a card than this free of glare: what brightness tells is used too."""
WRONG_WEIGHT: Final = 0.012
"""Nats for each mm² that is plainly not of a face's brightness."""
ODD_HUE: Final = 1.0
"""The same from which a header rules out no face, and a card begs for another explanation: in haze an A3's led by 17
nats the L3's that lay there, 3.2 off. Of 1,738 cards that were read rightly four are so far off."""
CLEAR_EDGE: Final = 0.75
"""An outline this clear is a card's."""
SPARED: Final = 400.0
"""Less of a card than this, mm², that glare spares does not tell that it is one."""
NEAR_TURN: Final = 0.06
"""Outlines turned less than this from a card, radians, may be its own."""
TURN_LEFT: Final = 0.04
"""By how much a face may turn from where the card was found to lie, radians."""
SAME: Final = 0.3
"""Places no further apart than this are one, px at `FINE`."""
NEARLY: Final = 1.0
"""Places no further apart than this show the same of a card, px at `FINE`: half of the rim that is taken off."""
WHOLE_MM: Final = 30.0
"""A covered card of which less shows, mm, is told by its header."""
RIM_MM: Final = 2.0
"""Of a card's rim left out where colours are compared: the table shows beside a card laid a little off."""
ASIDE: Final = 5.0
"""A card further aside than this, mm, leaves a side of the one below to be seen: a back of which 9 mm showed above it
went at 0.32 by that strip, and at 0.92 with its side; of 216 photographs nothing else is told otherwise."""
BADLY_LAID: Final = 0.75
"""Correlation of a back below which it is laid again, by all of its print that shows: by a number in its corner alone
it is laid some degrees askew, the more so where glare has edges."""
LAID_BETTER: Final = 0.1
"""By how much more it must then correlate to lie there."""
BELIEVED_THEN: Final = 0.5
"""The correlation that it must then have: on 241 photographs ten backs came to it, and no reading became wrong."""
RIVALS: Final = 6
"""Faces that are held against each card in full."""


VeilTaken = Literal["seen", "suspected", "none"]
"""What is taken to lie on a card: the veil that is seen, one however faint, or none."""


class CardComparison:
    """One card of a chain and what covers it, for faces to be held against. What was held is kept for when the card is
    asked about again."""

    def __init__(
        self, bank: Bank, column: Column, card: Candidate, above: tuple[Candidate, ...], veil: VeilTaken = "seen"
    ) -> None:
        """`above`: what lies on the card, the lowest first; `veil`: whether one is taken to lie on the card."""
        strip = above[0].top - card.top if above else CARD[1]
        self.bank: Final = bank
        self.column: Final = column
        self.above: Final = above
        self.strip: Final = strip
        """How much of the card shows at most before the next one covers it, mm."""
        self.card, self._start = card, card.place
        self._open_rows = round(min(max(strip, 8.0), 80.0) * MIDDLE)
        self._lay_mm = LAY_MM[1] if strip >= LAY_MM[1] - 1 else LAY_MM[0]
        self._trust = card.trust
        self._veil: Final = veil
        share = card.spared(max(strip, 8.0))
        self.veiled: Final = veil == "suspected" or (veil == "seen" and share <= UNVEILED)
        """Glare lies on the card."""
        self.glaring: Final = veil != "none" and (card.glaring or share < VEILED)
        """Glare hides much of it."""
        self.spared_alone: Final = veil == "none"
        """It is judged by what a shine spares of it, as if nothing shone."""
        whole = not above or abs(above[0].left - card.left) > ASIDE
        rows = CARD_H if whole else int(min(max((strip + 7) * FINE, 10 * FINE), CARD_H))
        self._rows = rows if self.veiled else min(rows, round(TELLING_MM * FINE))
        self._parts: list[OpenPart] = []
        self._looks: list[tuple[tuple[Point, ...], Look, OpenPart]] = []
        self._small: dict[tuple[Point, ...], NDArray[np.bool_]] = {}
        self._tones: dict[Placed, Tones] = {}
        self._ranked: dict[int, list[HeldFace]] = {}
        self._held: dict[tuple[int, bool], tuple[HeldFace, float | None]] = {}

    @cached_property
    def _seen_through(self) -> tuple[Grey | None, Grey | None]:
        """Where the card's print is to be seen, (h, w) at `FINE`, 0.05..1, and where no veil spoils its hue, 0..1;
        everywhere, if None."""
        card, column, trust, free = self.card, self.column, self._trust, None
        if self.veiled:
            seen = under_card(column, card.place).tones
            level = grey(seen)
            if trust is None or not card.glaring:
                # What covers the card must not tell how bright it is.
                rows = round(min(self.strip, 18.0) * MIDDLE)
                least = explain.FAINT_VEIL if self._veil == "suspected" else explain.VEILED
                pattern = self.bank.patterns[MIDDLE][card.face]
                _, trust = mismatch_under_glare(seen, level, pattern, column.spread, rows, least, most=column.most)
            free = _fine(trust)[: self._rows]
            trust = print_seen(trust, level, explain.lighter(seen, explain.FULL * column.brightest))
        # A card wholly under glare is judged by what little shines through.
        return None if trust is None else np.maximum(_fine(trust), np.float32(0.05)), free

    @property
    def _clear(self) -> Grey | None:
        return self._seen_through[0]

    @property
    def _free(self) -> Grey | None:
        return self._seen_through[1]

    @cached_property
    def suspected(self) -> CardComparison:
        """The same, taken that a veil lies on the card, however faint."""
        return CardComparison(self.bank, self.column, self.card, self.above, "suspected")

    @cached_property
    def unveiled(self) -> CardComparison | None:
        """The same by what glare spares alone, as where nothing shines; None where nothing does, or is only suspected
        to."""
        shone_on = self._veil == "seen" and (self.veiled or self.glaring)
        return CardComparison(self.bank, self.column, self.card, self.above, "none") if shone_on else None

    def with_edge_of(self, card: Candidate) -> CardComparison:
        """The same, its outline seen as plainly as that of another candidate for the card; what was held counts for
        both."""
        other = copy(self)
        other.card = card
        for name in ("suspected", "unveiled"):
            kept = vars(other).get(name)
            if kept is not None:
                vars(other)[name] = kept.with_edge_of(card)
        return other

    @cached_property
    def _edges(self) -> list[Placed]:
        """Places near the card that its edges tell, where glare hides much of it."""
        here = self._start.point(*_NEAR_TOP)
        near = self.column.outlines_near(self._start) if self.glaring else []
        near = [p for p in near if apart(p.point(*_NEAR_TOP), here) < 2.5 * FINE]
        return [p for p in near if abs(p.turn - self._start.turn) < NEAR_TURN][:2]

    def likeliest(self, faces: int, always: list[int]) -> tuple[list[int], list[tuple[int, float]]]:
        """The faces that come nearest to the card where it was taken to lie, and those that are always held; and those
        that trail too far to be held, with the nats by which they trail."""
        ranked = self._ranked_at_half(faces)
        most = faces if self.glaring else RIVALS + 1
        far = ranked[0].nats + FAR_VEILED
        rivals = list(dict.fromkeys([*(one.face for one in ranked[:most] if one.nats < far), *always]))
        # Under glare the first few are ranked by chance, and all others count as they would if they were held in full.
        trails = [lead(ranked[0], one, True) if self.glaring else one.nats - ranked[0].nats for one in ranked[:most]]
        return rivals, [(one.face, by) for one, by in zip(ranked, trails, strict=False) if one.face not in rivals]

    def _ranked_at_half(self, faces: int) -> list[HeldFace]:
        """The first faces, held where the card was taken to lie, the one that comes nearest first: at half the size,
        which a quarter of a millimetre more or less matters little to, for a quarter of the time."""
        if faces in self._ranked:
            return self._ranked[faces]
        rows = round(self._rows * MIDDLE / FINE)
        size = card_px(MIDDLE)[0], rows
        tones = tones_under(self.column.wide, laid(self._start, MIDDLE), size)
        held: list[HeldFace] = []
        for turned in range(-(-faces // self.bank.count)):
            open_ = self._open(self._start, turned > 0)
            free = None if self._free is None else shrunk(self._free, size)
            mask = PrintMask(shrunk(open_.telling, size), MIDDLE, self.veiled, free)
            look = Look(mask, tones, self.column.most, self.column.saturation)
            for pattern in self.bank.patterns[MIDDLE][turned * self.bank.count : (turned + 1) * self.bank.count]:
                nats, rho, hue_error = look.against(mask.print_of(pattern.sharp[:rows], pattern.roots[:rows]))
                held.append(HeldFace(len(held), nats, self._start, 0.0, rho, rho, hue_error, mask.area))
        self._ranked[faces] = sorted(held[:faces], key=lambda one: one.nats)
        return self._ranked[faces]

    def all_held(self, faces: list[int], by_edges: bool = True) -> list[HeldFace]:
        """Several faces held against the card, the one that is most like it first."""
        out: list[HeldFace] = []
        for face in faces:
            least = min((held.nats for held in out), default=math.inf)
            out.append(self.held(face, least + BEYOND, by_edges))
        return sorted(out, key=lambda held: held.nats)

    def held(self, face: int, far: float = math.inf, by_edges: bool = True) -> HeldFace:
        """How unlike a face and the card are, and where it then lies; where its print alone is unlike it by `far` or
        more, no further. `by_edges`: tried where the edges tell it lies, too."""
        kept = self._held.get((face, by_edges))
        if kept is None or (self.glaring and kept[1] is None and kept[0].nats < far):
            kept = self._held[face, by_edges] = self._hold(face, far, by_edges)
        held, spared = kept
        # Where no outline is seen, that nothing speaks against a face does not speak for it.
        return held if spared is None or self.card.edge <= CLEAR_EDGE else replace(held, match=max(held.match, spared))

    def _hold(self, face: int, far: float, by_edges: bool) -> tuple[HeldFace, float | None]:
        """The same, and how well what glare spares goes with the face; None where that was not asked for."""
        aligner = self.bank.aligner(face, self._lay_mm)
        place, match = aligner.lay(self.column.fine_detail, self._start, rounds=3)
        # Left to itself, a wrong face turns until it goes with the edges of a veil.
        away = math.dist(place.point(*_NEAR_TOP), self._start.point(*_NEAR_TOP))
        if match < 0.2 or away > 2.5 * FINE or abs(place.turn - self._start.turn) > TURN_LEFT:
            place = self._start
        # The edges of a veil draw print aside: where its outline tells better, the card lies there.
        seen = [(self._seen(at, face >= self.bank.count), at) for at in (place, *(self._edges if by_edges else ()))]
        if len(seen) > 1:
            seen.sort(key=lambda one: one[0][0].against(self._print(face, one[0][1]))[0])
        (look, part), place = seen[0]
        held, spared = self._held_at(face, place, look, part, far)
        if face == self.bank.back == self.card.face and held.rho < BADLY_LAID:
            return self._by_all_that_shows(held, spared)
        return held, spared

    def _by_all_that_shows(self, held: HeldFace, spared: float | None) -> tuple[HeldFace, float | None]:
        """A face laid by all of its print that shows; as it was, unless it then goes much better with the card."""
        part = self._open(held.place, False)
        rows = round(part.telling.shape[0] * MIDDLE / FINE)
        pattern = self.bank.patterns[MIDDLE][held.face]
        aligner = Aligner(pattern.soft[:rows], shrunk(part.telling, (card_px(MIDDLE)[0], rows)))
        place = at_fine(aligner.lay(self.column.detail, at_middle(held.place), 8)[0])
        if max(apart(place.point(*at), held.place.point(*at)) for at in CORNERS) > 3 * FINE:
            return held, spared
        look, part = self._seen(place, False)
        again = self._held_at(held.face, place, look, part, math.inf)
        return again if again[0].rho > max(held.rho + LAID_BETTER, BELIEVED_THEN) else (held, spared)

    def _held_at(
        self, face: int, place: Placed, look: Look, part: OpenPart, far: float
    ) -> tuple[HeldFace, float | None]:
        """How unlike a face that lies there and the card are, and how well it goes with what glare spares; `far` as
        `held` has it."""
        blown_out = face == self.bank.back and self.bank.blown_out_back is not None
        ways = (face, self.bank.blown_out_face) if blown_out else (face,)
        nats, rho, hue_error = min(look.against(self._print(way, part)) for way in ways)
        like, spared = look.mask.enough * rho, None
        if self.glaring and nats < far:
            more, spared = self._brightness(face, place, part)
            # Print that is plainly seen tells that the light is not what it was taken to be.
            like = max(like, 0.0)
            nats += more * (1 - like**2)
        return HeldFace(face, nats, place, part.visible, rho, like, hue_error, look.mask.area), spared

    def colours(self, best: HeldFace) -> Colours | None:
        """The card's colours, where the deck has faces of equal print, to tell those apart or to tell the light."""
        bank, group = self.bank, self.of_one_print(best)
        if not group:
            return None
        size = card_px(MIDDLE)
        shows = np.ones(size[::-1], np.float32)
        if self.above:
            shows = shrunk(shown(self.column, best.place, self.above), size)
        if self._trust is not None:
            shows = shows * self._trust
        rim = round(RIM_MM * MIDDLE)
        inner = np.zeros_like(shows)
        inner[rim:-rim, rim:-rim] = shows[rim:-rim, rim:-rim]
        seen = tones_under(self.column.wide, laid(best.place, MIDDLE), size)
        parts, limit = bank.parts(best.face, group), self.column.limit
        if limit is not None and not bank.is_clipped:
            parts = parts_of([clipped(bank.beside(best.face, face), limit) for face in group], bank.sign)
        return colours_of(seen, group, parts, inner, self.column.saturation, self.column.brightest)

    def of_one_print(self, best: HeldFace) -> tuple[int, ...]:
        """The faces that share the print that shows of the card with the best one."""
        covered = bool(self.above) and self._open_rows < WHOLE_MM * MIDDLE
        return self.bank.of_one_print(best.face, covered)

    def own_print(self, faces: tuple[int, ...], tried: list[HeldFace]) -> tuple[float, ...]:
        """Nats that print speaks against each of some faces of equal print, by what they do not share."""
        places = {held.face: held.place for held in tried}
        seen = [self._seen(places.get(face) or self.held(face).place, False) for face in faces]
        goes = [look.alike(self._print(face, part)) for face, (look, part) in zip(faces, seen, strict=True)]
        at = goes.index(max(goes))
        best, part = faces[at], seen[at][1]
        known = self._print(best, part)
        same = [1.0 if face == best else alike(known, self._print_beside(best, face, part)) for face in faces]
        return against(goes, same, part.mask.area)

    def told_by_colour(
        self, led: list[tuple[int, float]], best: HeldFace, colours: Colours | None
    ) -> tuple[list[tuple[int, float]], HeldFace]:
        """Faces with the nats by which they trail, where those of the best one's print are told apart by colour alone;
        and the best of them."""
        if colours is None:
            return unless_hue_is_hidden(led, self.of_one_print(best)), best
        if len(colours.faces) < 2:
            return led, best
        told = list(by_colour(led, colours, UNKNOWN_TINT))
        first = told[0][0]
        return told, best if first == best.face else self.held(first)

    def _print_beside(self, face: int, other: int, part: OpenPart) -> Print:
        """What another face would show of itself there, its print where it lies in the cut of `face`."""
        sharp, roots = self.bank.print_beside(face, other, part.mask.noisy)
        return part.mask.print_of(sharp[: self._rows], roots[: self._rows])

    def _print(self, face: int, part: OpenPart) -> Print:
        """What a face would show of itself there."""
        if face not in part.prints:
            blown = self.bank.blown_out_back if face == self.bank.blown_out_face else None
            sharp = self.bank.sharp(face, part.mask.noisy) if blown is None else blown.sharp
            roots = (blown or self.bank.patterns[FINE][face]).roots
            part.prints[face] = part.mask.print_of(sharp[: self._rows], roots[: self._rows])
        return part.prints[face]

    def _seen(self, place: Placed, turned: bool) -> tuple[Look, OpenPart]:
        """What is seen of the card where one face lies best; the next face often lies there too."""
        corners = tuple(place.point(*corner) for corner in CORNERS)
        for known, look, part in self._looks:
            if part.turned == turned and max(map(apart, known, corners)) < SAME:
                return look, part
        part = self._open(place, turned)
        seen = tones_under(self.column.wide_fine, laid(place, FINE), (CARD_W, self._rows))
        look = Look(part.mask, seen, self.column.most, self.column.saturation)
        self._looks.append((corners, look, part))
        return look, part

    def _open(self, place: Placed, turned: bool) -> OpenPart:
        """What of the card shows if it lies there; the same for places half a millimetre apart."""
        corners = tuple(place.point(*corner) for corner in CORNERS)
        for part in self._parts:
            # Of a card that nothing covers the same shows wherever it lies.
            same = not self.above or max(map(apart, part.corners, corners)) < NEARLY
            if part.turned == turned and same:
                return part
        if not self.above and self._clear is None and not turned:
            mask, shows, telling, prints = self.bank.uncovered(self._rows)
            self._parts.append(OpenPart(mask, shows, telling, CARD_H / FINE, corners, turned, prints))
            return self._parts[-1]
        shows = shown(self.column, place, self.above)
        visible = float(shows.sum()) / (FINE * CARD_W)
        shows = (shows if self.veiled else beside_rims(shows))[: self._rows]
        clear = shows if self._clear is None else shows * self._clear[: self._rows]
        telling = self.bank.telling[FINE][::-1, ::-1] if turned else self.bank.telling[FINE]
        telling = clear * telling[: self._rows]
        noise = self.column.noise if self.veiled else 0.0
        mask = PrintMask(telling, FINE, self.veiled, self._free, noise)
        self._parts.append(OpenPart(mask, shows, telling, visible, corners, turned))
        return self._parts[-1]

    def _small_of(self, part: OpenPart) -> NDArray[np.bool_]:
        """What of the card shows at `MIDDLE`, (88, 64)."""
        if part.corners not in self._small:
            mask = np.zeros((CARD_H, CARD_W), np.float32)
            mask[: self._rows] = part.shows
            self._small[part.corners] = cv2.resize(mask, card_px(MIDDLE), interpolation=cv2.INTER_AREA) > 0.5
        return self._small[part.corners]

    def brightness(self, held: HeldFace) -> tuple[float, float]:
        """The same as `_brightness` of a face held against the card."""
        return self._brightness(held.face, held.place, self._seen(held.place, held.face >= self.bank.count)[1])

    def _brightness(self, face: int, place: Placed, part: OpenPart) -> tuple[float, float]:
        """Nats against a face for what glare spares, and how well that matches it, 0..1: 0 where too little is spared.

        Glare adds light, so nothing may be darker than the face is.
        """
        small = self._small_of(part)
        if place not in self._tones:
            self._tones[place] = tones_under(self.column.wide, laid(place, MIDDLE), card_px(MIDDLE))
        seen = self._tones[place]
        wrong, free = mismatch_under_glare(
            seen,
            grey(seen),
            self.bank.patterns[MIDDLE][face],
            self.column.spread,
            self._open_rows,
            brightest=self.column.brightest,
        )
        # Laid a millimetre off, print would look wrong on every face.
        wrong = np.asarray(cv2.erode(wrong, np.ones((3, 3), np.uint8)), dtype=np.float32)
        spared = small & (free > 0.5)
        enough = np.count_nonzero(spared) > SPARED * MIDDLE**2
        return WRONG_WEIGHT * float(wrong[small].sum()), 1 - float(wrong[spared].mean()) if enough else 0.0


def _fine(part: Grey) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(part, (CARD_W, CARD_H), interpolation=cv2.INTER_LINEAR), dtype=np.float32)


_NEAR_TOP: Final = (CARD_W / 2, 10 * FINE)
CORNERS: Final = ((0.0, 0.0), (float(CARD_W), 0.0), (CARD_W / 2, 20 * FINE))
