"""One column of the table, cut out: its picture at two scales, and how well the bare table explains it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import Seat
from vision.cards.empty_table import EmptyTable, SeenEmpty
from vision.cards.highlights import without_highlights
from vision.cards.outline import cards, most_of_three, on_edges
from vision.cards.pattern import power_around, softened
from vision.cards.similarity import sharpened
from vision.cards.table_beside import (
    ABOVE,
    LEFT_OVER,
    ROOM,
    SIDE,
    beside_cards,
    common_colours,
    like_colours,
    table_beside,
    table_errors,
)
from vision.cards.templates import CARD_W, FINE, MIDDLE
from vision.geometry import table as geometry
from vision.geometry.align import Placed, grey, local_contrast, structure
from vision.geometry.light import apply
from vision.geometry.pose import Pose
from vision.geometry.quantile import median, quantile
from vision.geometry.rectify import TableArea, cut
from vision.types import Grey, Picture, Tones

LENGTH: Final = 266.0
"""How far a column reaches from its board, mm."""
NEAR: Final = 200.0
"""How much of a column is looked at first, mm: three cards and bare table behind them."""
BEHIND: Final = 44.0
"""So much bare table behind a stack, mm, is its end: a card that looks like the table shows print or edges in less."""
WIDTH: Final = geometry.CARD[0] + 2 * SIDE

SPREAD: Final = 0.075
"""Error in root of light that counts as a fair match."""
STEP: Final = 3.0
"""Distance within which the edge of a thing changes the light, mm."""
BLANK: Final = 1
"""Codes by which all pixels of a blown-out area differ at most. Those of a filled-in one do not differ; those of a
plain mat in strongly compressed pictures by one, and an empty place on it was in doubt for that."""
EVEN: Final = 9.0
"""Side of the parts, mm, over which a patterned table is even."""
EVEN_OUT: Final = 1.2
"""How many times as unlike the table as nearly all such parts beside the column a card's are."""
LEAST_EVEN: Final = 0.06
"""How unlike the table they are at least."""
NEARLY_ALL: Final = 0.9
"""Share of what lies beside a column whose detail is the table's texture."""
PLAINER: Final = 9.0
"""How many times its mean square of detail is plainly no texture: on mats it is 0.002² to 0.005², on wood 0.012²."""
PLAIN_POWER: Final = (0.0001, 0.0016)
"""What that comes to at least, for light is never quite even, and at most."""
BEYOND: Final = 12.0
"""How much bare table belongs to what lies before it, mm."""
LOOKS_BARE: Final = 25.0
"""How much of a card's lower end may look like the table, mm. On the photographs it is 2 mm at most."""
FIRST: Final = (-9.0, 26.0)
"""Where the first card's top edge may lie, mm outside the board's edge."""
NONE_BETWEEN: Final = 60.0
"""More bare table than this, mm, ends a column: a card that looks like the table shows print or edges in less."""
AROUND_PRINT: Final = 5.0
"""How far around print there seems to be some, mm: detail is what differs from its surroundings."""
MOST_OUTLINES: Final = 14
"""Outlines that are looked at in a column: nearly all cards are among them."""
AROUND: Final = (10.0, 26.0)
"""How far above and below a card's top edge outlines are looked for near it, mm."""
TABLE_MM: Final = 110.0
"""How far along its sides the table is looked at, mm."""
CLIPPED_TABLE: Final = 0.94
"""Root of light, over the lightest that the camera shows, from which the table is clipped."""
UNSEEN: Final = 63.0
"""How much of a card may lie unseen below its print then, mm."""
INK: Final = 20.0
"""What is narrower than this, mm, may be ink on paper that looks like the table."""
INK_ALONE: Final = 12.0
"""So much of nothing but ink, mm, is no card's lower end, which is wide where it is unlike the table: of three white
backs on a white mat in haze the uppermost was not looked for, though anybody could see its figure."""

NOISY: Final = 0.024
"""Noise of a pixel at `MIDDLE`, root of light, from which a column is smoothed: on 36 cameras in clear rooms 0.021 or
less, where a veil took more than half of the contrast in dim light 0.026 or more."""
SMOOTH: Final = 0.8
"""By how much then, px at `MIDDLE`."""
NOISE_WINDOW: Final = 15
"""Side of the surroundings over which a pixel's detail is measured for its noise, px at `FINE`."""

_FIRST_CARD: Final = np.s_[
    round((ABOVE + 8) * FINE) : round((ABOVE + 75) * FINE), round(SIDE * FINE) : -round(SIDE * FINE)
]
"""Where a first card would lie in a column, rows and columns at `FINE`."""


@dataclass(frozen=True, slots=True, eq=False)
class CardPatch:
    """What lies under a card in its column, in the card's own rows and columns, at `MIDDLE`."""

    tones: Tones
    """Root of light, (88, 64, 3)."""
    light: Tones
    """Linear light."""
    level: Grey
    """Brightness, root of light."""
    detail: Grey
    """Detail of its brightness without what is finer than three pixels."""
    power: Grey
    """Mean square of that around each pixel."""
    steep: Grey
    """How much structure there is, 0..1."""
    bare: Grey
    """How badly the bare table explains each pixel."""


class Column:
    """One column's picture, its first row nearest to the board's middle, its cards upright."""

    def __init__(
        self,
        patch: Picture,
        inside: NDArray[np.bool_],
        gains: Tones,
        saturation: float = 1.0,
        spread: float = SPREAD,
        brightest: Picture | None = None,
        limit: NDArray[np.float32] | None = None,
        empty: SeenEmpty | None = None,
        patterned: bool = False,
    ) -> None:
        """`patch`: (h, w, 3) uint8 at `FINE`; `inside`: (h, w), where it lies in the picture; `gains`: `root_table`;
        `saturation`: share of colour that the camera leaves; `brightest`: `light.brightest` of the picture; `limit`:
        root of light at which the camera clips what is as bright as the cards, (3,), if it does; `empty`: what was
        seen there when nothing lay there, if that is known; `patterned`: whether the table is known to be."""
        self._patch, self._inside, self._gains, self._brightest = patch, inside, gains, brightest
        self._empty = empty
        self.under_cards: Final[dict[Placed, CardPatch]] = {}
        """What lies under cards, as far as it was asked for (`appearance.under_card`): several faces may lie there."""
        self._on_edges: dict[Placed, Placed | None] = {}
        self._outlines_in: dict[tuple[int, int], list[Placed]] = {}
        self.filled_in: NDArray[np.bool_] | None = None
        """Where highlights were filled in, (h, w) at `FINE`; None where none were."""
        self.elsewhere: Sequence[NDArray[np.float32]] = ()
        """Colours, (3,), that are common beside other columns of a patterned table, if they are known."""
        self.rows: Final = np.count_nonzero(inside[:, inside.shape[1] // 2]) / FINE
        """How much of its length lies in the picture, mm."""
        self.spread: Final = spread
        self.saturation: Final = saturation
        self.most: Final[NDArray[np.float32]] = gains[255]
        """Root of light that the camera gives at most in each channel, (3,)."""
        self.brightest: Final[NDArray[np.float32]] = self.most if brightest is None else gains[brightest, range(3)]
        """Root of light of what is brightest in the picture, (3,): a camera that was set darker afterwards gives no
        more."""
        # Halved evenly it costs a tenth.
        even = cv2.copyMakeBorder(patch, 0, patch.shape[0] % 2, 0, patch.shape[1] % 2, cv2.BORDER_REPLICATE)
        small = cv2.resize(even, None, fx=MIDDLE / FINE, fy=MIDDLE / FINE, interpolation=cv2.INTER_AREA)
        self.tones: Final = _denoised(apply(np.asarray(small, dtype=np.uint8), gains))
        """Root of light at `MIDDLE`, (h, w, 3) float32, in the profile's light."""
        self.limit: Final = limit
        self.clipped: Final = limit is not None and self._lightness() >= CLIPPED_TABLE
        """The bare table is as light as the camera shows: the light parts of a card lie there unseen."""
        bare, colours, several = table_errors(self.tones, spread, patterned)
        self.against_empty: Final = None if empty is None else empty.against(self.tones, spread, self.brightest)
        """The column at `MIDDLE`, held against what was seen when nothing lay there; None where that is unknown."""
        self.bare: Final = bare if self.against_empty is None else np.minimum(bare, self.against_empty.errors)
        """How badly the bare table explains each pixel at `MIDDLE`, 0..`BARE_MOST`."""
        self.colours: Final = colours
        """The common colours of a patterned table beside the column, root of light (3,)."""
        self.several_colours: Final = several
        """Share of the table beside the column that one colour a side does not explain."""
        self.patterned: Final = bool(colours)
        """The table shows several colours: what looks like it may still be a card."""
        self.last: Final = self._last()
        """Where the last thing lies that may belong to the stack, mm."""
        self.end: Final = min(max(self.last + BEYOND, ABOVE + geometry.CARD[1] + BEYOND), ABOVE + LENGTH)
        """Beyond this is nothing but table, mm."""
        out = self.last > self.rows - LOOKS_BARE
        self.tops: Final = self.rows if out else max(self.last - geometry.CARD[1] + LOOKS_BARE, ABOVE + FIRST[1])
        """No card's top edge lies further down than this, mm: its lower end would be seen."""

    def _lightness(self) -> float:
        """Root of light of the bare table over the lightest that the camera shows."""
        beside = beside_cards(self.tones)[: round(TABLE_MM * MIDDLE)]
        return float((np.median(beside[::2, ::2], axis=(0, 1)) / self.brightest).mean())

    def _last(self) -> float:
        edge = round((SIDE - ROOM) * MIDDLE)
        unlike = self.bare > LEFT_OVER
        if self.patterned:
            # A card of colours that are near to the mat's differs a little all over, the mat only here and there.
            smooth = np.asarray(cv2.blur(self.bare, (round(EVEN * MIDDLE),) * 2), dtype=np.float32)
            most = EVEN_OUT * quantile(table_beside(smooth), 0.99)
            unlike |= smooth > max(most, LEAST_EVEN)
        # Of a pale card on a pale mat in haze nothing but print is seen. Beside where cards lie it may be a tag's.
        middle, on = slice(round(SIDE * MIDDLE), -round(SIDE * MIDDLE)), round(AROUND_PRINT * MIDDLE)
        unlike[:-on, middle] |= self.detail_power[on:, middle] > self.plain_power
        across = unlike[:, edge:-edge].sum(1)
        used = np.flatnonzero(across >= round(4 * MIDDLE))
        last, alone = 0.0, False
        if len(used):
            # A tag of the mat, or a cup, behind so much bare table is no part of the stack.
            gaps = np.flatnonzero(np.diff(used) > NONE_BETWEEN * MIDDLE)
            gaps = gaps[used[gaps] > (ABOVE + geometry.CARD[1] / 2) * MIDDLE]
            last = float(used[gaps[0]] if len(gaps) else used[-1]) / MIDDLE
            wide = np.flatnonzero(across[: round(last * MIDDLE) + 1] >= round(INK * MIDDLE))
            alone = last - (float(wide[-1]) / MIDDLE if len(wide) else 0.0) > INK_ALONE
        return last + (UNSEEN if alone or self.clipped else 0.0)

    @cached_property
    def like_the_sides(self) -> NDArray[np.bool_]:
        """Where the colour is one of those that are common beside the column, (h, w) at `MIDDLE`."""
        return like_colours(self.tones, self.colours or common_colours(self.tones), self.spread)

    @cached_property
    def like_elsewhere(self) -> NDArray[np.bool_]:
        """Where the colour is one of those that are common beside other columns (`elsewhere`), (h, w) at `MIDDLE`."""
        if not self.elsewhere:
            return np.zeros(self.bare.shape, np.bool_)
        return like_colours(self.tones, self.elsewhere, self.spread)

    @cached_property
    def steps(self) -> Grey:
        """By how much the light changes within `STEP` mm, root of light of the channel that changes most, (h, w) at
        `MIDDLE`: at the edge of a thing by as much as the thing differs from the table, in a soft shadow by less."""
        far = round(STEP * MIDDLE) // 2
        smooth = cv2.blur(self.tones, (3, 3))
        around = cv2.copyMakeBorder(smooth, far, far, far, far, cv2.BORDER_REFLECT_101)
        across = cv2.absdiff(around[far:-far, 2 * far :], around[far:-far, : -2 * far])
        along = cv2.absdiff(around[2 * far :, far:-far], around[: -2 * far, far:-far])
        return most_of_three(np.asarray(cv2.max(across, along), dtype=np.float32))

    def without_highlights(self) -> Column | None:
        """The same column without thin highlights (`highlights`); None where it has none."""
        patch = without_highlights(self._patch, self._gains)
        if patch is None:
            return None
        other = Column(
            patch,
            self._inside,
            self._gains,
            self.saturation,
            self.spread,
            brightest=self._brightest,
            limit=self.limit,
            empty=self._empty,
        )
        other.elsewhere = self.elsewhere
        other.filled_in = (patch != self._patch).any(2)
        return other

    @cached_property
    def blank(self) -> bool:
        """Where a first card would lie is one even colour to the bit: a decoder filled it in, or it is blown out; or
        its lower half is, and darker than that: a bar that a program draws lies there."""
        lower = self._first_card[self._first_card.shape[0] // 2 :]
        dark = (self._gains[lower[0, 0], range(3)] < CLIPPED_TABLE * self.brightest).all()
        if dark and (lower[0, 0] == lower[-1, -1]).all() and (lower == lower[0, 0]).all():
            return True
        few = self._first_card[::8, ::8]
        if (few.max((0, 1)).astype(np.int16) - few.min((0, 1)) > BLANK).any():
            return False
        least, most = self._first_card.min((0, 1)), self._first_card.max((0, 1))
        if (least == most).all():
            return True
        full = self._gains[most, range(3)] >= CLIPPED_TABLE * self.brightest
        return bool((most - least <= BLANK).all() and full.any())

    @property
    def as_light_as_can_be(self) -> bool:
        """There, and of the bare table beside the column, the camera shows the most that it can; not outside the
        picture, where what lies at its rim is repeated."""
        least = self._gains[self._first_card.min((0, 1)), range(3)]
        light = bool((least >= CLIPPED_TABLE * self.brightest).all()) and self._lightness() >= CLIPPED_TABLE
        return light and bool(self._inside[_FIRST_CARD].all())

    @property
    def _first_card(self) -> Picture:
        return self._patch[_FIRST_CARD]

    @cached_property
    def detail(self) -> Grey:
        """Detail of its brightness at `MIDDLE`."""
        return local_contrast(self._luma, round(7 * MIDDLE) | 1)

    @cached_property
    def detail_power(self) -> Grey:
        """Mean square of that around each pixel, without what is finer than three pixels."""
        return power_around(softened(self.detail))

    @cached_property
    def plain_power(self) -> float:
        """Mean square of detail that is plainly no texture of the table: on an even mat faint print tells as much as
        strong print does on wood."""
        return _plainer_than_texture(table_beside(self.detail_power))

    @cached_property
    def calm_power(self) -> float:
        """The same by that of its two sides which has less texture: something may lie on the other."""
        return min(map(_plainer_than_texture, np.hsplit(table_beside(self.detail_power), 2)))

    @cached_property
    def new_print(self) -> NDArray[np.bool_]:
        """Where there is plainly more detail than when nothing lay there, (h, w) at `MIDDLE`; everywhere where that is
        not known."""
        if self.against_empty is None:
            return np.ones(self.bare.shape, np.bool_)
        power = power_around(softened(local_contrast(grey(self.against_empty.left), round(7 * MIDDLE) | 1)))
        return np.asarray(power > _plainer_than_texture(table_beside(power)))

    @cached_property
    def fine(self) -> Tones:
        """Root of light at `FINE`, down to `end`."""
        return apply(self._patch[: round(self.end * FINE)], self._gains)

    @cached_property
    def wide(self) -> NDArray[np.float32]:
        """`tones` with a fourth channel, (h, w, 4), for `tones_under`."""
        return np.asarray(cv2.cvtColor(self.tones, cv2.COLOR_BGR2BGRA), dtype=np.float32)

    @cached_property
    def wide_fine(self) -> NDArray[np.float32]:
        """The same of `fine`."""
        return np.asarray(cv2.cvtColor(self.fine, cv2.COLOR_BGR2BGRA), dtype=np.float32)

    @cached_property
    def fine_detail(self) -> Grey:
        """Detail of its brightness."""
        return local_contrast(grey(self.fine), round(7 * FINE) | 1)

    @cached_property
    def noise(self) -> float:
        """The camera's noise in a pixel's detail at `FINE`, root of light over three channels."""
        # Every fourth band of a column tells it as well as the whole.
        height = 2 * NOISE_WINDOW + 1
        tops = range(0, max(len(self.fine) - height, 0) + 1, 4 * height)
        powers = [self._noise_in(self.fine[top : top + height]) for top in tops]
        return math.sqrt(quantile(np.concatenate(powers), 0.1))

    def _noise_in(self, band: Tones) -> NDArray[np.float32]:
        """Mean square of the finest detail around some points in the middle of a band of the column at `FINE`."""
        window = (NOISE_WINDOW, NOISE_WINDOW)
        part = sharpened(band, FINE)
        fine = cv2.subtract(part, cv2.blur(part, window))
        power = cv2.blur(cv2.transform(cv2.multiply(fine, fine), np.ones((1, 3), np.float32)), window)
        return np.asarray(power[len(band) // 2, NOISE_WINDOW // 2 :: NOISE_WINDOW // 2 + 1], dtype=np.float32)

    @cached_property
    def layers(self) -> NDArray[np.float32]:
        """At `MIDDLE`, (h, w, 4): detail of its brightness; how much structure there is, 0..1, as flat paper tells
        little, print and edges much; `bare`; and brightness.
        """
        layers = [self.detail, structure(self._luma, MIDDLE), self.bare, self._luma]
        return np.asarray(cv2.merge(layers), dtype=np.float32)

    @cached_property
    def outlines(self) -> list[tuple[float, Placed]]:
        """Likely cards by their edges alone, best first."""
        return cards(self.tones, MOST_OUTLINES, ABOVE)

    def on_edges(self, place: Placed) -> Placed | None:
        """`outline.on_edges`, looked for once."""
        if place not in self._on_edges:
            self._on_edges[place] = on_edges(self.tones, place)
        return self._on_edges[place]

    def outlines_near(self, place: Placed) -> list[Placed]:
        """The same whose top edges lie near a place, in a fifth of the time."""
        top = place.point(CARD_W / 2, 0.0)[1] / FINE
        first, last = max(0, round((top - AROUND[0]) * MIDDLE)), round((top + AROUND[1]) * MIDDLE)
        if (first, last) not in self._outlines_in:
            up = first * FINE / MIDDLE
            found = cards(self.tones[first:last], MOST_OUTLINES, ABOVE - first / MIDDLE)
            self._outlines_in[first, last] = [Placed(there.x, there.y + up, there.turn) for _, there in found]
        return self._outlines_in[first, last]

    @cached_property
    def _luma(self) -> Grey:
        return grey(self.tones)


def column_at(
    image: Picture,
    pose: Pose,
    frame: TableArea,
    gains: Tones,
    saturation: float = 1.0,
    brightest: Picture | None = None,
    limit: NDArray[np.float32] | None = None,
    empty: EmptyTable | None = None,
    patterned: bool = False,
) -> Column:
    """The column that lies in a frame of the table (`column_frame`), in the light of `gains` (`root_table`). `empty`:
    how the table looked where nothing lay; `patterned`: whether it is known to be.

    First as far as most stacks reach: a third of it is bare table.
    """

    def down_to(height: float) -> Column:
        part = replace(frame, height=height)
        return Column(
            *cut(image, pose, part, FINE),
            gains,
            saturation,
            brightest=brightest,
            limit=limit,
            empty=None if empty is None else empty.in_column(part),
            patterned=patterned,
        )

    near = down_to(NEAR)
    return near if near.last < NEAR - BEHIND else down_to(frame.height)


def column_frame(board: TableArea, seat: Seat) -> TableArea:
    """The column of one seat at a board, its first row nearest to the board's middle, cards upright in it."""
    half, wide = board.width / 2, WIDTH / 2
    if seat == "near":
        corner, turn = board.to_table(np.array([[half - wide, board.height - ABOVE]]))[0], board.turn
    else:
        corner, turn = board.to_table(np.array([[half + wide, ABOVE]]))[0], board.turn + float(np.pi)
    return TableArea((float(corner[0]), float(corner[1])), turn, WIDTH, ABOVE + LENGTH)


def _denoised(tones: Tones) -> Tones:
    """A column's tones (h, w, 3) at `MIDDLE`; smoothed where noise alone would make a table patterned."""
    # The Laplacian of even noise has 20 times its power (Immerkaer 1996); the median leaves out edges.
    rough = np.abs(cv2.Laplacian(beside_cards(tones)[: round(TABLE_MM * MIDDLE)], cv2.CV_32F)[::2, ::2])
    if median(rough) < NOISY * 0.6745 * math.sqrt(20):
        return tones
    return np.asarray(cv2.GaussianBlur(tones, (0, 0), SMOOTH * MIDDLE), dtype=np.float32)


def _plainer_than_texture(power: Grey) -> float:
    """Mean square of detail that is plainly no texture of the table, by that around each pixel of it, (h, w) at
    `MIDDLE`."""
    texture = quantile(power[::2, ::2], NEARLY_ALL)
    return min(max(PLAINER * texture, PLAIN_POWER[0]), PLAIN_POWER[1])
