"""Follows the table in the frames of one camera, and tells what lies on it: motion gate, registration and reader.

A sight leaves when the table lies still and has been read with certainty. What is not certain gets a second look at
several pictures laid over one another, then a third at the whole table; only then an unsure sight leaves. How a
patterned table looks is learnt while no card lies on it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import Final, Literal, Protocol, TypeAlias

import cv2
import numpy as np

from engine.failure import Failure
from engine.names import SEATS, THEATERS, Face
from engine.places import PLACES, Place, place_text
from engine.sight import MISPLACED, Sight
from vision.cards.empty_table import EmptyTable
from vision.geometry.pose import Lens
from vision.geometry.registration import (
    Registration,
    register,
)
from vision.geometry.table import BOARD, BOARD_X, CARD, MAT, outward
from vision.profile import DeckProfile
from vision.sources.defects import DefectCheck
from vision.tracking.misplaced import MisplacedCardFinder, with_misplaced
from vision.tracking.motion_gate import MotionGate, MotionMask, Stillness, filled
from vision.tracking.obstacles import Obstacle, hand_over, obstacles
from vision.tracking.reader import Reader, TableReading
from vision.tracking.watched_area import card_outlines, table_outline
from vision.types import Picture

WatcherNoticeCode: TypeAlias = Literal["camera-moved", "no-table", "low-contrast", "mirrored", "table-found"]
_LOST: Final[Mapping[str, WatcherNoticeCode]] = {"low-contrast": "low-contrast", "mirrored": "mirrored"}

LOOKS: Final = (0.0, 0.12, 0.4)
"""Seconds after the table came to rest at which an unsure table is looked at again."""
AGAIN: Final = 0.8
"""Seconds until the next look at a table that stays unsure, or at a picture without a table."""
SELDOM: Final = 6.4
"""The pauses between such looks double up to this."""
MOVED: Final = 8.0
"""How far the table's corners may wander between two readings, px at 1920, before the camera counts as moved."""
FIRM_TAGS: Final = 3
"""Tags with which an unsure reading, too, tells that the camera moved."""
AFTER_DEFECT: Final = 1.0
"""Seconds after a defective picture before the table is read again: cameras recover in steps."""
FIND_AFTER: Final = 1.0
"""Seconds without rest before the first reading after which the table is looked for, to leave out what lies beside."""
MISSED_AFTER: Final = 0.7
"""Seconds of pictures unlike the one that was read after which the table is looked for in them, and again until it
counts as lost."""
SURE_CARD: Final = 0.95
"""Likelihood below which a card's column is looked at again whatever changed."""
DOUBT_AFTER: Final = 0.8
"""Seconds after which a hand that does not stir is doubted."""

HAND_STAYS: Final = 2.0
"""Seconds after which a hand that rests over the table is told as being in the way."""

_TOUCHED: Final = 6
"""Pixels of the gate's small picture that make a column changed."""


@dataclass(frozen=True, slots=True)
class WatcherNotice:
    """Worth telling, needs nobody: the camera moved, no table is seen, its print is too pale to be read, the table is
    seen again."""

    code: WatcherNoticeCode
    t: float
    parts: Mapping[str, float] = field(default_factory=dict)


class Reads(Protocol):
    """What the watcher asks of a reader."""

    def read(
        self, image: Picture, previous: TableReading | None = None, changed: Collection[Place] | None = None
    ) -> TableReading: ...

    def learn_empty(self, image: Picture, reading: TableReading, places: Collection[Place]) -> EmptyTable: ...


class TableWatcher:
    """Follows one table. Give `see` every frame in order; it answers with a sight when there is something new to say.

    Holds the last reading (for drawing) and the notices since they were last taken. Not safe for several threads, but
    for `say_empty`.
    """

    def __init__(
        self,
        profile: DeckProfile | None = None,
        *,
        reader: Reads | None = None,
        gate: MotionGate | None = None,
        lens: Lens | None = None,
        empty: EmptyTable | None = None,
        on_empty: Callable[[EmptyTable], None] = lambda table: None,
    ):
        """`lens`: the camera's, where it was calibrated; `empty`: how the table looks where nothing lies, if that is
        known already; `on_empty`: is called with it when it is learnt."""
        if reader is None:
            if profile is None:
                raise ValueError("a watcher needs a deck profile or a reader")
            reader = Reader(profile, lens=lens, empty=empty)
        self._lens = lens
        self._reader = reader
        self._on_empty = on_empty
        self._misplaced = MisplacedCardFinder(profile) if profile is not None else None
        self._gate = gate if gate is not None else MotionGate()
        self._defects = DefectCheck()
        self._next_find = -1.0
        self._unfit_until = -1.0
        self._unfit_since: float | None = None
        self._frames: deque[Picture] = deque(maxlen=4)
        self._notices: list[WatcherNotice] = []
        self._told: Sight | None = None
        self._read: TableReading | None = None
        self._placed: Registration | None = None
        self._unread = False
        self._touched: set[Place] | None = set()
        self._looks = 0
        self._rest_since = -1.0
        self._next_look = 0.0
        self._lost: WatcherNoticeCode | None = None
        self._doubted = -1.0
        self._seen_at = self._missed_at = -1.0
        self._sure_once = False
        self._hands: tuple[Obstacle, ...] = ()
        self._in_the_way: tuple[Obstacle, ...] = ()
        self._said_empty: SimpleQueue[frozenset[Place]] = SimpleQueue()
        self.state: Stillness = Stillness(False, False)
        """What the gate made of the last frame."""
        self.reads = 0
        """How often the reader has looked."""

    @property
    def reading(self) -> TableReading | None:
        """The last reading, sure or not: what `vision.tracking.overlay.draw` shows."""
        return self._read

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """What keeps the table from being read for certain now; empty where nothing does, or nothing is seen."""
        return self._hands or self._in_the_way

    @property
    def registration(self) -> Registration | None:
        """How the table lies in the picture, once it has been seen."""
        return None if self._read is None else self._read.registration

    @property
    def still(self) -> bool:
        """Whether the last frame showed a still table with no hand over it."""
        return self.state.still

    def notices(self) -> list[WatcherNotice]:
        """Notices since the last call."""
        told, self._notices = self._notices, []
        return told

    def say_empty(self, places: Collection[Place]) -> None:
        """Somebody at the table says that nothing lies in some places but the cards that are read there: how the table
        looks beside them is learnt from the next picture in which it lies still. From any thread."""
        self._said_empty.put(frozenset(places))

    def forget(self) -> None:
        """Reads the table afresh at the next still moment and tells it, even if nothing changed."""
        self._gate.forget()
        self._told, self._unread, self._touched = None, True, None
        self._next_look = 0.0

    def see(self, image: Picture, t: float) -> Sight | None:
        """One frame at `t` seconds, (h, w, 3) uint8 BGR. Returns a sight when the still table differs from the one
        last told, or can now be read with certainty; None otherwise."""
        if self._unfit(image, t):
            return None
        state = self.state = self._gate.see(image, t)
        if state.since != self._rest_since:
            self._frames.clear()
            self._rest_since = state.since
            self._looks = 0
        self._frames.append(image)
        self._hands = self._resting_hand(state, t, (image.shape[1], image.shape[0]))
        self._miss_the_table(image, t)
        if state.hand and not state.still:
            self._doubt_the_hand(image, t)
        if not state.still:
            self._find_table(image, t)
            return None
        if state.fresh:
            self._unread, self._looks, self._next_look = True, 0, t
            self._note_touched(state.changed, image)
        self._learn_empty(t)
        if not self._unread or t < self._next_look:
            return None
        return self._look(t)

    def _learn_empty(self, t: float) -> None:
        """Learns how the table looks where it is said to be empty, and reads those places again."""
        reading = self._read
        if reading is None or self._looks == 0 or self._lost is not None or self._said_empty.empty():
            return  # What lies there now has not been read yet.
        said: frozenset[Place] = frozenset()
        while not self._said_empty.empty():
            said |= self._said_empty.get()
        places = said & reading.frames.keys()
        if places:
            self._on_empty(self._reader.learn_empty(_fused(self._frames), reading, places))
            self._touched = None if self._touched is None else self._touched | places
            self._unread, self._looks, self._next_look = True, 0, t

    def _unfit(self, image: Picture, t: float) -> bool:
        """Whether a picture is to be left out: it tells nothing about the table, or one that did not has just gone."""
        defect = self._defects.see(image, t)
        if defect is not None:
            self._unfit_until = t + AFTER_DEFECT
        if t >= self._unfit_until:
            self._unfit_since = None
            return False
        self._unfit_since = t if self._unfit_since is None else self._unfit_since
        if t - self._unfit_since > AFTER_DEFECT and self._lost is None:
            self._lose("low-contrast" if defect == "picture-pale" else "no-table", t)
            self.forget_picture()
        self._gate.interrupt()
        self._frames.clear()
        self.state = Stillness(False, False, since=t)
        return True

    def _resting_hand(self, state: Stillness, t: float, size: tuple[int, int]) -> tuple[Obstacle, ...]:
        """A hand that rests over the table for long, by the places that it lies over."""
        reading = self._read
        if not state.hand or state.changed is None or reading is None or t - state.since < HAND_STAYS:
            return ()
        touched = places_touched(state.changed, reading, size)
        if touched is None:
            return (hand_over(None, reading),)
        return tuple(hand_over(place, reading) for place in PLACES if place in touched - doubtful(reading))

    def _miss_the_table(self, image: Picture, t: float) -> None:
        """A picture that stays unlike the one that was read: whether the table is in it at all."""
        # A table that was found by its boards alone cannot be missed by its tags.
        known = self._read is not None and bool(self._read.registration.tags)
        if not known or self._lost is not None or (self.state.still and not self._unread):
            self._seen_at = t
            return
        if t - max(self._seen_at, self._missed_at) < MISSED_AFTER:
            return
        if register(image, self.registration) is not None:
            self._seen_at = t
        elif self._missed_at > self._seen_at:
            self._lose("no-table", t)
            self.forget_picture()
        self._missed_at = t

    def _lose(self, why: WatcherNoticeCode, t: float) -> None:
        """The table is not seen any more, and what was in the way on it neither."""
        self._lost = why
        self._notices.append(WatcherNotice(why, t))
        self._hands = self._in_the_way = ()

    def _doubt_the_hand(self, image: Picture, t: float) -> None:
        """What does not stir for a while may be no hand: once a rest it is asked whether something else explains it.

        Either the picture shifted, which the tags tell; or a hand was there from the beginning and has now gone, which
        differs from the first picture just as a hand does.
        """
        if self._doubted == self._rest_since or t - self._rest_since < DOUBT_AFTER:
            return
        self._doubted = self._rest_since
        if not self._sure_once or self._lost is not None:
            # A picture that was never read, or in which no table was seen, tells nothing about hands.
            self.forget_picture()
            return
        before = self.registration
        if before is None:
            return
        now = register(image, before, self._lens) or register(image, lens=self._lens)
        if now is not None and now.pose.size == before.pose.size and now.moved(before) > self._moved_limit(now):
            self.forget_picture()

    @staticmethod
    def _moved_limit(registration: Registration) -> float:
        return MOVED * registration.pose.size[0] / 1920

    def forget_picture(self) -> None:
        """The next still picture is read as a whole; what has been told stays told."""
        self._gate.forget()
        self._touched = None

    def _look(self, t: float) -> Sight | None:
        """Reads the table at rest; None while it is worth waiting for a better look."""
        self._looks += 1
        # In turn a single picture and the mean of several: what one leaves open the other may settle.
        picture = self._frames[-1] if self._looks % 2 else _fused(self._frames)
        # Looks trust the gate about what changed, and go to that and to what was in doubt; one look is at everything.
        wanted = self._touched if self._looks != len(LOOKS) and self._read is not None else None
        self.reads += 1
        try:
            reading = self._reader.read(picture, self._read, wanted)
        except Failure as failure:
            self._next_look = t + (LOOKS[self._looks] if self._looks < len(LOOKS) else AGAIN)
            # A table that is seen too palely, or mirrored, wants another mend than one that is not seen.
            lost = _LOST.get(failure.code, "no-table")
            if self._looks >= len(LOOKS) and self._lost != lost:
                self._lose(lost, t)
            return None
        self._follow(reading, t)
        if not reading.sight.sure:
            if self._looks < len(LOOKS) and not self._known_doubts(reading):
                self._next_look = self._rest_since + max(LOOKS[self._looks], t - self._rest_since + 0.05)
                return None
            self._looks = max(self._looks, len(LOOKS))
            self._next_look = t + min(AGAIN * 2 ** (self._looks - len(LOOKS)), SELDOM)
        else:
            self._unread, self._sure_once = False, True
            if not any(reading.sight.stacks.values()) and _patterned(reading):
                self._on_empty(self._reader.learn_empty(picture, reading, PLACES))
        reading = self._with_misplaced(picture, reading)
        self._in_the_way = obstacles(picture, reading)
        return self._tell(reading.sight)

    def _with_misplaced(self, picture: Picture, reading: TableReading) -> TableReading:
        """The reading with the cards that lie where no column is among its notes."""
        if self._misplaced is None:
            return reading
        found = self._misplaced.see(picture, reading)
        return replace(reading, sight=with_misplaced(reading.sight, found, self._told)) if found else reading

    def _known_doubts(self, reading: TableReading) -> bool:
        """Whether only what was in doubt before is so still: a header in the lamp's shine stays unreadable, and what
        is laid elsewhere must not wait for it."""
        told, sight = self._told, reading.sight
        if told is None or told.sure or sight.order is None or sight.order != told.order:
            return False
        known = set(told.notes)
        return all(
            note in known and _stack_at(note.at, sight) == _stack_at(note.at, told) for note in sight.notes
        ) and bool(sight.notes)

    def _tell(self, sight: Sight) -> Sight | None:
        told = self._told
        if told is not None and _news(told) == _news(sight):
            return None
        self._told = sight
        return sight

    def _follow(self, reading: TableReading, t: float) -> None:
        """Keeps the gate looking at the table, and notices that the camera or the mat moved."""
        registration = reading.registration
        size = registration.pose.size
        # Two tags or the boards alone place a table that is hardly seen some way beside where it lies.
        placed = reading.sight.sure or len(registration.tags) >= FIRM_TAGS
        if self._lost is not None:
            self._lost = None
            self._notices.append(WatcherNotice("table-found", t))
            placed = True
        elif placed and self._placed is not None and self._placed.pose.size == size:
            moved = registration.moved(self._placed)
            if moved > self._moved_limit(registration):
                self._notices.append(WatcherNotice("camera-moved", t, {"px": round(moved, 1)}))
        if placed or self._placed is None:
            self._placed = registration
        self._read = reading
        self._touched = doubtful(reading) if reading.sight.order is not None else None
        self._watch_only(registration)

    def _watch_only(self, registration: Registration) -> None:
        """Narrows the gate to where cards and hands are: the bars of lights beside the mat blink."""
        cards = card_outlines(registration, None if self._read is None else self._read.sight)
        self._gate.watch_only(table_outline(registration), registration.pose.size, cards)

    def _find_table(self, image: Picture, t: float) -> None:
        """A picture that never comes to rest before the first reading: something beside the table may be moving."""
        if self._read is not None or t < self._next_find:
            return
        if self._next_find >= 0:
            registration = register(image, lens=self._lens)
            if registration is not None:
                self._watch_only(registration)
        self._next_find = t + FIND_AFTER

    def _note_touched(self, changed: MotionMask | None, image: Picture) -> None:
        """Adds the columns that `changed` touches to those that want reading; None means all."""
        if changed is None or self._read is None or self._touched is None:
            self._touched = None
            return
        touched = places_touched(changed, self._read, (image.shape[1], image.shape[0]))
        self._touched = None if touched is None else self._touched | touched


def places_touched(changed: MotionMask, reading: TableReading, size: tuple[int, int]) -> set[Place] | None:
    """The columns that a change touches; None if a board itself did, and all has to be read. `size`: width, height."""
    order = reading.sight.order
    if order is None:
        return None
    registration = reading.registration

    def hit(corners: Sequence[tuple[float, float]]) -> int:
        within = filled([registration.project(np.array(corners))], size)
        return cv2.countNonZero(cv2.bitwise_and(within, changed))

    touched: set[Place] = set()
    half = BOARD[0] / 2 - 8
    for theater, x in zip(order, BOARD_X, strict=True):
        inner = BOARD[1] / 2 - 12
        if hit(((x - half, inner), (x + half, inner), (x + half, -inner), (x - half, -inner))) > 3 * _TOUCHED:
            return None
        for seat in SEATS:
            out, wide = outward(seat), CARD[0] / 2 + 26
            near, far = out * (BOARD[1] / 2 - 10), out * (MAT[1] / 2)
            if hit(((x - wide, near), (x + wide, near), (x + wide, far), (x - wide, far))) >= _TOUCHED:
                touched.add((theater, seat))
    return (touched | doubtful(reading)) if set(order) == set(THEATERS) else None


def doubtful(reading: TableReading) -> set[Place]:
    """The columns with a card that was not read for certain, or that a note names."""
    named = [note.at for note in reading.sight.notes]
    return {
        place
        for place in PLACES
        if any(at.startswith(place_text(place)) for at in named)
        or any(card.p < SURE_CARD or card.wrong_way for card in reading.sight.stacks.get(place, ()))
    }


def _patterned(reading: TableReading) -> bool:
    """Whether the table shows several colours, or places that are printed on it: then how it looks without cards tells
    more than they do."""
    return any(
        column.printed_alike or (column.table is not None and column.table.colours)
        for column in reading.columns.values()
    )


def _news(sight: Sight) -> tuple[object, ...]:
    """What makes a sight worth telling: another table, more certainty, another strange thing in a stack, or a card that
    lies where no column is."""
    strange = frozenset(note for note in sight.notes if note.code in ("foreign", *MISPLACED))
    return sight.order, dict(sight.board), sight.sure, strange


def _stack_at(at: str, sight: Sight) -> tuple[Face, ...] | None:
    """The cards at a note's place (`A/near/1`), as read; None for a note about a board."""
    return next((sight.board[place] for place in PLACES if at.startswith(place_text(place))), None)


def _fused(frames: Collection[Picture]) -> Picture:
    """The mean of pictures of one still table: noise halves with every four."""
    pictures = list(frames)
    if len(pictures) == 1:
        return pictures[0]
    mean = pictures[0]
    for k, picture in enumerate(pictures[1:], start=2):
        mean = np.asarray(cv2.addWeighted(mean, 1 - 1 / k, picture, 1 / k, 0), np.uint8)
    return mean
