"""The simulated table seen from straight above: surface, mat with tags, boards, cards as people lay them, clutter."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import FACE_DOWN, SEATS, Face, Seat, Theater
from engine.places import Place
from vision.geometry.table import (
    BOARD,
    BOARD_X,
    CARD,
    CARD_CORNER,
    FIRST_GAP,
    MAT,
    STRIP,
    TAG_CENTRES,
    card_turn,
    outward,
)
from vision.simulate.deck import Deck
from vision.simulate.ink import InkColour, Sheet, SheetImage
from vision.simulate.mats import MatPattern, mat_sheet, surface
from vision.simulate.optics import Light
from vision.simulate.wear import NEW, SLEEVE, SLEEVE_HAZE, SLEEVE_RADIUS, Wear, worn

SceneMask: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Sloppiness:
    """How carelessly cards are laid: standard deviations in mm and degrees, and the mean strip left visible, mm."""

    offset: float = 2.0
    turn: float = 1.4
    strip: float = STRIP
    strip_spread: float = 1.5
    board_slide: float = 2.0
    board_turn: float = 0.8


ROOM: Final = 245.0
"""From the board's edge to the mat's, mm, less a finger's width: of eight or nine cards people show less each."""


@dataclass(frozen=True, slots=True)
class Lying:
    """One thing that lies on the table: its centre (mm) and turn (degrees, anticlockwise seen from above; a near
    card lies at about 0)."""

    what: Face | str
    x: float
    y: float
    turn: float


class Hands:
    """Places cards the way people do and remembers where each lies, so that it lies there until somebody moves it."""

    def __init__(self, sloppiness: Sloppiness, rng: np.random.Generator) -> None:
        self._sloppy, self._rng = sloppiness, rng
        self._stacks: dict[Place, list[Lying]] = {}
        self._boards: dict[str, tuple[Lying, ...]] = {}

    def boards(self, order: Sequence[Theater]) -> tuple[Lying, ...]:
        """The three boards from left to right."""
        key = "".join(order)
        if key not in self._boards:
            s, r = self._sloppy, self._rng
            self._boards[key] = tuple(
                Lying(t, x + float(r.normal(0, s.board_slide * 0.5)), float(r.normal(0, s.board_slide)),
                      float(r.normal(0, s.board_turn)))
                for t, x in zip(order, BOARD_X, strict=True)
            )  # fmt: skip
        return self._boards[key]

    def lay(self, board: Mapping[Place, tuple[Face, ...]], order: Sequence[Theater]) -> tuple[Lying, ...]:
        """Every card of `board` where it lies, bottom to top of each stack; what did not change stays put."""
        lying: list[Lying] = []
        for base in self.boards(order):
            for seat in SEATS:
                place: Place = (base.what, seat)  # type: ignore[assignment]
                lying += self._stack(place, tuple(board.get(place, ())), base)
        return tuple(lying)

    def _stack(self, place: Place, faces: tuple[Face, ...], base: Lying) -> list[Lying]:
        before = self._stacks.get(place, [])
        names = [c.what for c in before]
        head = 0
        while head < min(len(names), len(faces)) and names[head] == faces[head]:
            head += 1
        tail = 0
        while tail < min(len(names), len(faces)) - head and names[-1 - tail] == faces[-1 - tail]:
            tail += 1
        stack = before[:head]
        for k in range(head, len(faces) - tail):
            turned_over = before[k] if k < len(names) - tail and len(names) == len(faces) else None
            stack.append(self._lay(place[1], faces[k], k, len(faces), stack, base, turned_over))
        above = before[len(before) - tail :] if tail else []
        if above and len(faces) < len(names):
            # What lay above a card that was taken out closes up, as people slide it.
            slide = before[head].y - above[0].y
            above = [replace(card, y=card.y + slide) for card in above]
        stack += above
        self._stacks[place] = stack
        return stack

    def _lay(
        self, seat: Seat, face: Face, k: int, count: int, stack: Sequence[Lying], base: Lying, turned_over: Lying | None
    ) -> Lying:
        s, r, out = self._sloppy, self._rng, outward(seat)
        if turned_over is not None:
            return Lying(
                face, turned_over.x + float(r.normal(0, 1)), turned_over.y + float(r.normal(0, 1)),
                turned_over.turn + float(r.normal(0, 0.5)),
            )  # fmt: skip
        turn = float(np.clip(r.normal(0, s.turn), -8, 8))
        angle = math.radians(base.turn)
        along = BOARD[1] / 2 + CARD[1] / 2 + FIRST_GAP + STRIP * k
        side = float(np.clip(r.normal(0, s.offset), -9, 9))
        if stack:
            strip = min(s.strip, (ROOM - FIRST_GAP - CARD[1]) / max(1, count - 1))
            step = float(np.clip(r.normal(strip, s.strip_spread), 10, 31))
            last = stack[-1]
            y = last.y + out * step
            x = 0.4 * last.x + 0.6 * (base.x - math.sin(angle) * out * along) + side
        else:
            gap = float(np.clip(r.normal(0, s.offset), -6, 7))
            x = base.x - math.sin(angle) * out * (along + gap) + side
            y = base.y + math.cos(angle) * out * (along + gap)
        return Lying(face, x, y, card_turn(seat) + turn + base.turn * 0.5)


@dataclass(frozen=True, slots=True)
class Area:
    """The part of the table that is drawn: mm at the left and top edges, and px/mm."""

    left: float
    top: float
    width: float
    height: float
    scale: float

    def px(self, x: float, y: float) -> tuple[float, float]:
        return ((x - self.left) * self.scale, (self.top - y) * self.scale)


def card_mask(art: SheetImage, radius: float) -> SceneMask:
    """White where a card of the size of `art` with rounded corners is."""
    height, width = art.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    r = max(1, round(radius))
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


class Tabletop:
    """Paints the table from above into a picture that the camera then looks at. Rows run from +y to -y."""

    def __init__(
        self,
        area: Area,
        deck: Deck,
        kind: str,
        mat: bool,
        light: Light,
        clutter: float,
        pile: bool,
        rng: np.random.Generator,
        pattern: MatPattern = "plain",
        wear: Wear = NEW,
    ) -> None:
        self.area, self._light, self._pattern, self._wear = area, light, pattern, wear
        self._cut = {n: self._scaled(i, deck.scale) for n, i in deck.faces.items()}
        self._cut_boards = {t: self._scaled(i, deck.scale) for t, i in deck.boards.items()}
        self._card_mask = card_mask(self._cut[FACE_DOWN], deck.corner * area.scale)
        self._board_mask = card_mask(self._cut_boards["A"], CARD_CORNER * area.scale)
        self._sleeve = np.full((round(SLEEVE[1] * area.scale), round(SLEEVE[0] * area.scale), 3), 250, np.uint8)
        whole = card_mask(self._sleeve, SLEEVE_RADIUS * area.scale)
        self._sleeve_mask = np.asarray(cv2.convertScaleAbs(whole, alpha=SLEEVE_HAZE), np.uint8)
        self._bare = surface(round(area.height * area.scale), round(area.width * area.scale), area.scale, kind, rng)
        self._bare_gloss = np.full(self._bare.shape[:2], 26, np.uint8)
        if mat:
            self._draw_mat(rng)
        self._clutter(clutter, pile, rng)
        self._laid: tuple[tuple[Lying, ...], SheetImage, SceneMask] | None = None

    def _scaled(self, image: SheetImage, scale: float) -> SheetImage:
        factor = self.area.scale / scale
        size = (round(image.shape[1] * factor), round(image.shape[0] * factor))
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)

    def _draw_mat(self, rng: np.random.Generator) -> None:
        image, mask = mat_sheet(self.area.scale, self._pattern, rng)
        lift = 0.0 if self._pattern == "wood" else 0.8
        self._put(self._bare, self._bare_gloss, image, mask, Lying("mat", 0, 0, 0), 20, lift)

    def _clutter(self, amount: float, pile: bool, rng: np.random.Generator) -> None:
        """Tokens, coins, dice, a pencil and the draw pile, beside the mat and a few on its rim."""
        if amount <= 0:
            return
        pile_x = float(rng.choice((-1, 1))) * (MAT[0] / 2 + 46)
        for k in range(3 if pile else 0):
            self._put(
                self._bare, self._bare_gloss, self._cut[FACE_DOWN], self._card_mask,
                Lying(FACE_DOWN, pile_x + 0.5 * k, 20 + 0.4 * k, float(rng.normal(0, 2))), 70, 1.5,
            )  # fmt: skip
        for _ in range(round(6 * amount)):
            edge = float(rng.uniform(-250, 250))
            away = float(rng.uniform(8, 40)) if rng.random() < 0.7 else -float(rng.uniform(12, 18))
            if rng.random() < 0.5:
                at = (float(rng.choice((-1, 1))) * (MAT[0] / 2 + away), edge)
            else:
                at = (edge * 0.5, float(rng.choice((-1, 1))) * (MAT[1] / 2 + away))
            if min(math.hypot(at[0] - x, at[1] - y) for x, y in TAG_CENTRES) < 48:
                continue
            self._token(at, rng)

    def _token(self, at: tuple[float, float], rng: np.random.Generator) -> None:
        hue = tuple(int(v) for v in rng.integers(40, 225, 3))
        size = float(rng.uniform(9, 14))
        sheet = Sheet(2 * size, 2 * size, self.area.scale, (0, 0, 0))
        mask = Sheet(2 * size, 2 * size, self.area.scale, (0, 0, 0))
        colour: InkColour = (hue[0], hue[1], hue[2])
        if rng.random() < 0.7:
            sheet.disc((size, size), size, colour)
            sheet.disc((size, size), size * 0.7, (min(255, hue[0] + 24), min(255, hue[1] + 24), min(255, hue[2] + 24)))
            mask.disc((size, size), size - 0.3, (255, 255, 255))
        else:
            sheet.box(0, 0, 2 * size, 2 * size, colour)
            mask.box(0.4 * size, 0.4 * size, 1.6 * size, 1.6 * size, (255, 255, 255))
            sheet.disc((size, size), 1.4, (245, 245, 245))
        lying = Lying("token", at[0], at[1], float(rng.uniform(0, 90)))
        self._put(self._bare, self._bare_gloss, sheet.image, mask.image[..., 0], lying, 60, 2.0)

    def _put(
        self,
        image: SheetImage,
        gloss: SceneMask,
        art: SheetImage,
        mask: SceneMask,
        lying: Lying,
        shine: int,
        lift: float,
    ) -> None:
        """Lays `art` down with a soft shadow; `lift` is how far its shadow reaches, mm."""
        scale = self.area.scale
        h, w = art.shape[:2]
        cx, cy = self.area.px(lying.x, lying.y)
        soft = self._light.shadow_soft * scale
        reach = math.hypot(w, h) / 2 + soft * 3 + lift * 2 * scale
        x0, y0 = max(0, math.floor(cx - reach)), max(0, math.floor(cy - reach))
        x1, y1 = min(image.shape[1], math.ceil(cx + reach)), min(image.shape[0], math.ceil(cy + reach))
        if x0 >= x1 or y0 >= y1:
            return
        turn = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), lying.turn, 1.0)
        turn[:, 2] += np.array((cx - x0 - (w - 1) / 2, cy - y0 - (h - 1) / 2))
        size = (x1 - x0, y1 - y0)
        part, part_gloss = image[y0:y1, x0:x1], gloss[y0:y1, x0:x1]
        flat = cv2.warpAffine(mask, turn, size, flags=cv2.INTER_LINEAR)
        if self._light.shadow > 0 and lift > 0:
            angle = math.radians(self._light.shadow_turn)
            away = turn.copy()
            away[:, 2] += np.array((lift * scale * math.cos(angle), lift * scale * math.sin(angle)))
            cast = cv2.GaussianBlur(cv2.warpAffine(mask, away, size), (0, 0), max(0.6, soft * 0.4))
            dim = cv2.bitwise_not(cv2.convertScaleAbs(cast, alpha=self._light.shadow))
            cv2.multiply(part, cv2.merge((dim, dim, dim)), part, 1 / 255)
        painted = cv2.warpAffine(art, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.merge((flat, flat, flat))
        part[:] = cv2.add(
            cv2.multiply(painted, cover, scale=1 / 255), cv2.multiply(part, cv2.bitwise_not(cover), scale=1 / 255)
        )
        part_gloss[flat > 127] = shine

    def _put_card(self, image: SheetImage, gloss: SceneMask, card: Lying) -> None:
        shine = min(255, round(self._light.gloss * 255))
        if card.what in self._cut_boards:
            art, mask = self._veiled(self._cut_boards[card.what], card), self._board_mask
            self._put(image, gloss, art, mask, card, shine // 2, 1.6)
            return
        art = self._cut[card.what]
        if self._wear != NEW:
            # By its place, for each back has scratches of its own; the same for as long as it lies there.
            own = np.random.default_rng([abs(round(card.x * 100)), abs(round(card.y * 100)), 7])
            art = worn(art, self._wear, self.area.scale, own)
            art = np.asarray(cv2.resize(art, self._card_mask.shape[::-1]), np.uint8)
        if self._wear.sleeved:
            self._put(image, gloss, self._sleeve, self._sleeve_mask, card, shine, 1.2)
        self._put(image, gloss, self._veiled(art, card), self._card_mask, card, shine, 0.9)

    def _veiled(self, art: SheetImage, card: Lying) -> SheetImage:
        """The card with the reflection of something square over part of it; the same for as long as it lies there."""
        if self._light.veil <= 0:
            return art
        rng = np.random.default_rng([abs(round(card.x * 100)), abs(round(card.y * 100))])
        h, w = art.shape[:2]
        print_ = art.astype(np.float32)
        white = np.zeros((h, w), np.float32)
        if self._light.blown > 0 and rng.random() < self._light.blown:
            rim = round(3.5 * self.area.scale)
            white[rim : h - rim, rim : w - rim] = 0.97
            soft = cv2.GaussianBlur(white, (0, 0), 0.6 * self.area.scale)
            return np.asarray(print_ + (255 - print_) * soft[..., None], np.float32).astype(np.uint8)
        if rng.random() < 0.4:
            return art
        top, left = (round(float(v) * w) for v in rng.uniform(0.05, 0.25, 2))
        white[top : h - round(float(rng.uniform(0, 0.4)) * h), left : w - round(float(rng.uniform(0, 0.25)) * w)] = 1
        white = cv2.GaussianBlur(white, (0, 0), 0.6 * self.area.scale) * float(rng.uniform(0.3, 1)) * self._light.veil
        return np.asarray(print_ + (250 - print_) * white[..., None], np.float32).astype(np.uint8)

    def paint(self, lying: Sequence[Lying]) -> tuple[SheetImage, SceneMask]:
        """The table with everything on it, and how glossy each point is (0..255)."""
        wanted = tuple(lying)
        done = 0
        if self._laid is not None and wanted[: len(self._laid[0])] == self._laid[0]:
            before, image, gloss = self._laid
            done = len(before)
        else:
            image, gloss = self._bare.copy(), self._bare_gloss.copy()
        for card in wanted[done:]:
            self._put_card(image, gloss, card)
        self._laid = (wanted, image, gloss)
        return image, gloss

    def with_print(self, share: float, veiled: bool = True) -> Tabletop:
        """The same table whose cards and boards are printed `share` times as bright; without reflections on them
        unless `veiled`."""
        other = copy.copy(self)
        other._cut = {n: _times(i, share) for n, i in self._cut.items()}
        other._cut_boards = {t: _times(i, share) for t, i in self._cut_boards.items()}
        other._light = self._light if veiled else replace(self._light, veil=0.0)
        other._laid = None
        return other


def _times(image: SheetImage, share: float) -> SheetImage:
    return np.asarray(cv2.convertScaleAbs(image, alpha=share), np.uint8)
