"""The simulated camera: still pictures and films of any table, with our own deck."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from engine.failure import BadInput
from engine.names import FACE_DOWN, SEATS, THEATERS, Face, Seat, Theater
from engine.places import PLACES, Place
from vision.geometry.bars import LIGHTS
from vision.geometry.table import CARD, TAG_CENTRES, outward
from vision.simulate.arm import Carrier, Sprite, card_sprite, draw_arm
from vision.simulate.bars import DARK, LightBars
from vision.simulate.conditions import CONDITIONS, ROOMS, TableCondition, varied, varied_room
from vision.simulate.deck import Deck, printed_deck
from vision.simulate.exposure import DIM, print_left
from vision.simulate.ink import InkColour, SheetImage
from vision.simulate.mats import SURFACES
from vision.simulate.optics import Optics, Sensor, light_maps
from vision.simulate.processing import processed
from vision.simulate.scene import Area, Hands, Lying, Tabletop, card_mask
from vision.simulate.things import draw_things, things_at_rim

BoardOrder = Sequence[Theater]
ENROLMENT: Final[tuple[str, ...]] = ("air", "land", "sea", "back")


@dataclass(frozen=True, slots=True)
class FilmStep:
    """One scene of a film: the table becomes `board`, laid by a hand from `by`'s side, and then lies still."""

    board: Mapping[Place, tuple[Face, ...]]
    order: tuple[Theater, Theater, Theater]
    by: Seat | None = None
    """Whose hand does it; None changes the table at once, with no hand (a new battle set up off camera)."""
    hold: float = 2.0
    """Seconds that the table then lies still."""


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One frame: seconds since the film's beginning, the picture, and the step that lies still, if one does."""

    t: float
    image: SheetImage
    still: int | None


class SimulatedCamera:
    """A camera over a table with our own deck on it.

    The same seed gives the same pictures. `still` and `film` remember where each card was put down, so a card lies in
    one place until it is moved. Raises `BadInput` for an unknown deck style or condition.
    """

    def __init__(
        self,
        style: str = "bright",
        seed: int = 0,
        *,
        condition: str | TableCondition = "hd720",
        resolution: tuple[int, int] | None = None,
        vary: bool = False,
        deck: Deck | None = None,
    ) -> None:
        if isinstance(condition, str):
            condition = _named(condition, seed if vary else None)
        elif vary:
            condition = varied(condition, np.random.default_rng([seed, 2]))
        self._rng = np.random.default_rng([seed, 1])
        if resolution is not None:
            condition = replace(condition, resolution=resolution)
        self.condition, self.seed = condition, seed
        self.deck = deck if deck is not None else printed_deck(style, seed)
        self.optics = Optics(condition.view, condition.resolution)
        self._places = self.optics.table_map()
        self._gain, self._glare = light_maps(condition.light, self._places)
        self._area = self._seen_area()
        a = self._area
        self._map = np.empty_like(self._places)
        self._map[..., 0] = (self._places[..., 0] - a.left) * a.scale
        self._map[..., 1] = (a.top - self._places[..., 1]) * a.scale
        self._map_fixed = cv2.convertMaps(self._map, np.empty(0, np.float32), cv2.CV_16SC2)
        kind = condition.surface or str(self._rng.choice(list(SURFACES)))
        self._table = Tabletop(
            a, self.deck, kind, condition.mat, condition.light, condition.clutter, condition.pile, self._rng,
            condition.pattern, condition.wear,
        )  # fmt: skip
        self._hands = Hands(condition.sloppiness, self._rng)
        self._sensor = Sensor(condition.resolution, condition.light.noise, self._rng)
        self._arms: dict[Seat, Sprite] = {}
        self.carrier = Carrier(self.optics, condition.light)
        self._carried: dict[Face, Sprite] = {}
        self._seen: tuple[tuple[Lying, ...], SheetImage] | None = None
        self.brightness = 1.0
        """A gain on top, as when a lamp is switched on or automatic exposure moves; may be set between frames."""
        self.light_bars: Sequence[InkColour] | None = None
        """The 27 lights of the bars, left bar first, each from near to far; None where no console stands beside the
        mat. May be set between frames. A camera sees the console where `View.fill` is 0.75 or less."""
        self._light_bars = LightBars(self.optics)
        # Of their own, so that a room's things change nothing of how its cards are laid.
        own = np.random.default_rng([seed, 3])
        self._things = things_at_rim(condition.things, condition.tags_hidden, own)
        self._resting = [
            (seat, draw_arm(own), float(own.uniform(-190, 190)), float(own.normal(0, 16)))
            for seat in own.permutation(SEATS)[: condition.arms].tolist()
        ]
        if condition.lights:
            self.light_bars = _shown(own)
        self._frame = 0

    def _seen_area(self) -> Area:
        ends = [cv2.minMaxLoc(channel)[:2] for channel in cv2.split(self._places)]
        low, high = (np.clip([end[k] for end in ends], *span) for k, span in enumerate(((-620, 0), (0, 620))))
        scale = min(self.optics.scale() * 1.3, self.deck.scale)
        return Area(float(low[0]), float(high[1]), float(high[0] - low[0]), float(high[1] - low[1]), scale)

    def clear(self) -> None:
        """Takes everything off the table, so that the next cards (and boards) are laid anew."""
        self._hands = Hands(self.condition.sloppiness, self._rng)

    # Stills

    def plate(self, lying: Sequence[Lying]) -> SheetImage:
        """The picture of things lying on the table, lit and through the lens, without noise. A copy."""
        wanted = tuple(lying)
        if self._seen is None or self._seen[0] != wanted:
            self._seen = (wanted, self._looked_at(wanted, self._table))
        return self._seen[1].copy()

    def _looked_at(self, lying: tuple[Lying, ...], top: Tabletop) -> SheetImage:
        table, gloss = top.paint(lying)
        one, two = self._map_fixed
        picture = cv2.remap(table, one, two, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        lit = cv2.multiply(picture, self._gain, dtype=cv2.CV_8U)
        if self.condition.light.glares:
            shine = cv2.remap(gloss, one, two, cv2.INTER_LINEAR)
            spot = cv2.multiply(shine, self._glare, scale=1 / 255, dtype=cv2.CV_8U)
            lit = cv2.add(lit, cv2.merge((spot, spot, spot)))
        image: SheetImage = np.asarray(lit, np.uint8)
        draw_things(image, self._things, self.optics, self.condition.light)
        for seat, arm, x, lean in self._resting:
            tip = (x, outward(seat) * self._free_from(lying, seat, x))
            self.carrier.arm(image, arm, tip, lean + (180.0 if seat == "far" else 0.0), 15)
        haze = self.condition.light.haze
        if haze > 0:
            image = np.asarray(cv2.convertScaleAbs(image, alpha=1 - haze, beta=255 * 0.8 * haze), np.uint8)
        blur = self.condition.light.blur * self.condition.resolution[1] / 720
        if blur > 0.2:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
        return image

    def _free_from(self, lying: Sequence[Lying], seat: Seat, x: float) -> float:
        """How far out on a seat's side a forearm may rest at `x` without lying on cards, mm from the boards' line."""
        side = outward(seat)
        ends = [side * card.y + CARD[1] / 2 for card in lying if abs(card.x - x) < 95 and card.what not in THEATERS]
        return max([TAG_CENTRES[0][1] - 45.0, *(end + 12 for end in ends)])

    def finished(self, plate: SheetImage) -> SheetImage:
        """What the camera sends of a plate: with brightness, noise and JPEG."""
        if self.condition.jpeg is None:
            return self._exposed(plate)
        return np.asarray(cv2.imdecode(np.frombuffer(self.packed(plate), np.uint8), cv2.IMREAD_COLOR), np.uint8)

    def packed(self, plate: SheetImage) -> bytes:
        """The same as the file that the camera sends: JPEG, or PNG where it sends plain pictures."""
        image = self._exposed(plate)
        if self.condition.jpeg is None:
            return bytes(cv2.imencode(".png", image)[1])
        return bytes(cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, self.condition.jpeg))[1])

    def _exposed(self, plate: SheetImage) -> SheetImage:
        if self.brightness != 1.0:
            plate = np.asarray(cv2.convertScaleAbs(plate, alpha=self.brightness), np.uint8)
        if self.light_bars is not None:
            plate = plate.copy()
            self._light_bars.draw(plate, self.light_bars)
        self._frame += 1
        return processed(self._sensor.expose(plate), self.condition.processing, self._frame - 1)

    def print_left(self, lying: Sequence[Lying]) -> list[float]:
        """How much of each thing's print a picture of them shows (`simulate.exposure`): 0 is blown out, 1 all of it."""
        things = tuple(lying)
        plate = self.plate(things)
        dimmer = self._looked_at(things, self._table.with_print(DIM))
        plain, _ = self._table.with_print(1.0, veiled=False).paint(things)
        one, two = self._map_fixed
        due = cv2.remap(plain, one, two, cv2.INTER_LINEAR) * self._gain * (1 - DIM)
        return print_left(things, plate, dimmer, np.asarray(due.sum(axis=2), np.float32), self.optics)

    def lay(self, board: Mapping[Place, tuple[Face, ...]], order: BoardOrder = THEATERS) -> tuple[Lying, ...]:
        """Puts the table in order: boards first, then each card where it lies."""
        return (*self._hands.boards(order), *self._hands.lay(board, order))

    def still(self, board: Mapping[Place, tuple[Face, ...]], order: BoardOrder = THEATERS) -> SheetImage:
        """A picture of `board` lying still."""
        return self.picture(self.lay(board, order))

    def picture(self, lying: Sequence[Lying]) -> SheetImage:
        """A picture of just these things, wherever they lie."""
        return self.finished(self.plate(lying))

    def enrolment_photos(self) -> dict[str, SheetImage]:
        """The four photographs that teach this deck (contracts.md 3.2), by `air`, `land`, `sea` and `back`."""
        photos: dict[str, SheetImage] = {}
        for name, theater in zip(ENROLMENT, (*THEATERS, None), strict=True):
            board: dict[Place, tuple[Face, ...]] = {}
            for k, place_theater in enumerate(THEATERS):
                for seat, number in zip(SEATS, (k + 1, k + 4), strict=True):
                    board[(place_theater, seat)] = (FACE_DOWN if theater is None else f"{theater}{number}",)
            fresh = Hands(self.condition.sloppiness, self._rng)
            photos[name] = self.picture((*fresh.boards(THEATERS), *fresh.lay(board, THEATERS)))
        return photos

    # Films

    def film(self, steps: Iterable[FilmStep], fps: float = 15.0) -> Iterator[FilmFrame]:
        """A film of a game. Steps are taken one at a time, so that they may be made while the film runs."""
        count = 0
        lying: tuple[Lying, ...] = ()
        board: dict[Place, tuple[Face, ...]] = {}
        order: BoardOrder | None = None
        for number, step in enumerate(steps):
            wanted = self.lay(step.board, step.order)
            if order is not None and step.by is not None and tuple(step.order) == tuple(order):
                for plate in self._by_hand(lying, wanted, step.by, fps):
                    yield FilmFrame(count / fps, self.finished(plate), None)
                    count += 1
            lying, board, order = wanted, dict(step.board), step.order
            for _ in range(max(1, round(step.hold * fps))):
                yield FilmFrame(count / fps, self.finished(self.plate(lying)), number)
                count += 1
        del board

    def _by_hand(
        self, before: tuple[Lying, ...], after: tuple[Lying, ...], seat: Seat, fps: float
    ) -> Iterator[SheetImage]:
        """Plates of a hand that turns `before` into `after`: takes what goes, brings what comes, turns what turns."""
        gone = [c for c in before if c not in after]
        come = [c for c in after if c not in before]
        swept = len(gone) > 1 and not come
        if swept:
            yield from self._sweep(before, after, gone, seat, fps)
            return
        table = list(before)
        pairs: list[tuple[Lying | None, Lying | None]] = []
        for card in come:
            twin = next((g for g in gone if math.hypot(g.x - card.x, g.y - card.y) < 14), None)
            twin = twin or next((g for g in gone if g.what == card.what), None)
            if twin is not None:
                gone.remove(twin)
            pairs.append((twin, card))
        pairs += [(g, None) for g in gone]
        for taken, laid in pairs:
            yield from self._one(table, taken, laid, seat, fps, after)

    def _one(
        self,
        table: list[Lying],
        taken: Lying | None,
        laid: Lying | None,
        seat: Seat,
        fps: float,
        after: tuple[Lying, ...],
    ) -> Iterator[SheetImage]:
        home = self._home(taken or laid, seat)
        spot = taken or laid
        if spot is None:
            return
        turned = taken is not None and laid is not None and math.hypot(taken.x - laid.x, taken.y - laid.y) < 14
        bring = laid.what if taken is None and laid is not None else None
        for plate, _ in self._travel(table, home, (spot.x, spot.y), seat, fps, 0.7, bring, spot.turn):
            yield plate
        if taken is not None and not turned:
            for _ in range(round(0.2 * fps)):
                yield self._with_arm(table, (taken.x, taken.y), seat, 12, None, 0)
            table.remove(taken)
            goal = (laid.x, laid.y) if laid is not None else home
            for plate, _ in self._travel(
                table, (taken.x, taken.y), goal, seat, fps, 0.8, taken.what, laid.turn if laid else taken.turn
            ):
                yield plate
            if laid is None:
                return
        if laid is not None:
            if turned and taken is not None:
                for _ in range(round(0.35 * fps)):
                    yield self._with_arm(table, (taken.x, taken.y), seat, 18, None, 0)
                table[table.index(taken)] = laid
            else:
                table.append(laid)
                table.sort(key=lambda c: after.index(c) if c in after else len(after))
            for _ in range(round(0.4 * fps)):
                yield self._with_arm(table, (laid.x, laid.y), seat, 8, None, 0)
            for plate, _ in self._travel(table, (laid.x, laid.y), home, seat, fps, 0.6, None, 0):
                yield plate

    def _sweep(
        self, before: tuple[Lying, ...], after: tuple[Lying, ...], gone: list[Lying], seat: Seat, fps: float
    ) -> Iterator[SheetImage]:
        """Clears cards away: the hand goes over them one after the other."""
        table = list(before)
        home = self._home(gone[0], seat)
        at = home
        for card in sorted(gone, key=lambda c: (c.x, -outward(seat) * c.y)):
            for plate, _ in self._travel(table, at, (card.x, card.y), seat, fps, 0.3, None, 0):
                yield plate
            table.remove(card)
            at = (card.x, card.y)
        for card in after:
            if card not in table:
                table.append(card)
        for plate, _ in self._travel(table, at, home, seat, fps, 0.5, None, 0):
            yield plate

    def _home(self, spot: Lying | None, seat: Seat) -> tuple[float, float]:
        """Where a hand comes from and goes to: beyond the edge of the picture on its player's side."""
        x = spot.x * 0.6 + 30 if spot is not None else 0.0
        return (x, outward(seat) * (self._reach() + 130))

    def _reach(self) -> float:
        return max(self._area.top, self._area.height - self._area.top)

    def _travel(
        self,
        table: Sequence[Lying],
        start: tuple[float, float],
        goal: tuple[float, float],
        seat: Seat,
        fps: float,
        seconds: float,
        carried: Face | str | None,
        turn: float,
    ) -> Iterator[tuple[SheetImage, float]]:
        frames = max(2, round(seconds * fps))
        for k in range(frames):
            share = (k + 1) / frames
            ease = share * share * (3 - 2 * share)
            at = (start[0] + (goal[0] - start[0]) * ease, start[1] + (goal[1] - start[1]) * ease)
            lift = 12 + 55 * math.sin(math.pi * min(1.0, share))
            yield self._with_arm(table, at, seat, lift, carried, turn), share

    def _with_arm(
        self, table: Sequence[Lying], at: tuple[float, float], seat: Seat, lift: float, carried: str | None, turn: float
    ) -> SheetImage:
        plate = self.plate(table)
        if carried is not None:
            if carried not in self._carried:
                art = self.deck.faces[carried]
                self._carried[carried] = card_sprite(art, card_mask(art, self.deck.corner * self.deck.scale))
            self.carrier.card(plate, self._carried[carried], at, turn, CARD, lift * 0.7)
        if seat not in self._arms:
            self._arms[seat] = draw_arm(self._rng)
        lean = (180.0 if seat == "far" else 0.0) + 0.05 * at[0] * (1 if seat == "near" else -1)
        # The fingers hold the card by its owner's half: the header stays in sight.
        grip = (at[0] + 4, at[1] + outward(seat) * 14)
        self.carrier.arm(plate, self._arms[seat], grip, lean, lift)
        return plate


def _named(name: str, seed: int | None) -> TableCondition:
    """The kind of table or room of that name, varied under a seed."""
    if name not in CONDITIONS and name not in ROOMS:
        known = ", ".join([*CONDITIONS, *ROOMS])
        raise BadInput("unknown-condition", f"{name!r} is not a kind of table.", f"Kinds are {known}.")
    if seed is None:
        return CONDITIONS.get(name) or ROOMS[name]
    rng = np.random.default_rng([seed, 2])
    return varied(CONDITIONS[name], rng) if name in CONDITIONS else varied_room(name, rng)[0]


def _shown(rng: np.random.Generator) -> tuple[InkColour, ...]:
    """27 lights as a game shows them: from each bar's middle towards the seat that leads, in that seat's colour."""
    lights = list(DARK)
    for bar in range(3):
        lead, end = int(rng.integers(0, 5)), int(rng.choice((-1, 1)))
        colour: InkColour = (255, 40, 30) if end < 0 else (40, 90, 255)
        for step in range(lead + 1):
            lights[bar * LIGHTS + LIGHTS // 2 + end * step] = colour if lead else (230, 210, 170)
    return tuple(lights)


EMPTY: Final[Mapping[Place, tuple[Face, ...]]] = dict.fromkeys(PLACES, ())
"""A board with nothing on it."""
