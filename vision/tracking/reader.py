"""From a picture of the table to a sight: registration, boards, light, columns, doubts."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from engine.failure import Failure
from engine.names import FACE_DOWN, SEATS, THEATERS, Face, Theater
from engine.places import PLACES, Place
from engine.sight import Note, SeenCard, Sight
from vision.boards.boards import BoardFinder, Boards, FoundBoard, doubled, order_of
from vision.boards.landmarks import Landmarks
from vision.boards.table_light import LEAST_CONTRAST, TableLight, table_light
from vision.cards.bare_table import (
    TableLook,
    as_light_as,
    colours_elsewhere,
    look_of,
    patterned_all_over,
    printed_all_over,
)
from vision.cards.calibration import doubt_of, seen_cards
from vision.cards.chain import NO_OTHER
from vision.cards.column import Column, column_at, column_frame
from vision.cards.column_reading import ColumnReading
from vision.cards.covered_place import beside_stack, covered, place_of
from vision.cards.empty_place import as_when_empty
from vision.cards.empty_table import EmptyTable, seen_empty
from vision.cards.lies_aside import another_lies_aside, cards_lie_aside
from vision.cards.local_light import told_apart
from vision.cards.outline import lies_bare, outline_of
from vision.cards.picture_edge import cut_off
from vision.cards.printed_places import printed_alike
from vision.cards.printed_table import another_is_whole, of_the_table, uppermost_fit
from vision.cards.read_column import read_column
from vision.cards.templates import Bank
from vision.geometry.light import NO_VEIL, brightest, root_table, shrunk
from vision.geometry.pose import Lens
from vision.geometry.rectify import TableArea
from vision.geometry.registration import Registration, is_mirrored, register
from vision.picture_file import as_picture
from vision.profile import FACES, DeckProfile
from vision.types import Floats, Picture, Tones

STRANGE: Final = 0.5
"""A card less likely than this to be what it was read as may not be one."""
LEAST_MARGIN: Final = 0.6
"""How much better than a stack of another shape the one read must explain its column, mm."""
GOOD_CONTRAST: Final = 0.45
"""Share of it below which no table is read with certainty."""
MOST_WASHED_OUT: Final = 0.9
"""Most that a card is believed where the camera clips nearly all of the boards: on four such photographs all 27 cards
that would have been sure were right, on ten that were made so, most of them brighter, one was an L6 read as an S6."""
MOST_COLOURLESS: Final = 0.9
"""Most that a card is believed to be one of several faces of equal print where the picture has no colour: on 522 grey
or nearly grey pictures of twelve decks 20 such tables were told otherwise for certain, by how light a header was."""
UNSEEN_PRINT: Final = (0.65, 0.1, 0.5)
"""An uppermost card is in doubt, for another one may lie on it askew, if face up all of it and its lower part go by no
more than the first of these in sum with what is seen; face down, if all of it goes by no more than the second, and what
shows of it and glare spares by no more than the third. Of 3,466 columns with cards on tables that were told rightly
three and none are so: as faint are many backs. Of 18 tables with an unread card askew on such a one that had been told
for certain 17 are in doubt."""
SURE: Final = 0.94
"""Every card at least this likely makes a table that may be acted upon: odds of sixteen to one. Of 46 cards told at 0.9
to 0.97 two were wrong, at 0.91 and 0.92: 11 on 584 path-traced photographs, 24 on 1,456 drawn tables in rooms, 11 on
560 photographs put through cheap cameras; of 20 on 1,460 others one, at 0.933."""
LENS_TAGS: Final = 3
"""So many tags tell a lens that nobody measured: with fewer the boards are asked, too."""
A_CARD: Final = 0.5
"""A card whose print goes no better than this with what is seen, and that is not told for certain, may be no card where
somebody says that only the mat is seen: on printed mats two fields that were taken for cards came to 0.01 and 0.13."""
KNOWN: Final = 0.97
"""Every card at least this likely tells something of others: the light over them, or that no veil lies there."""


@dataclass(frozen=True, slots=True)
class Outline:
    """One card or board over the picture: `corners` (4, 2) px, from its own top left, clockwise."""

    at: str
    """`A/near/0` for a card, `A` for a board."""
    name: Face
    p: float
    corners: Floats


@dataclass(frozen=True, slots=True)
class TableReading:
    """What was read in one picture, and how."""

    sight: Sight
    registration: Registration
    boards: Boards
    outlines: tuple[Outline, ...]
    roots: Tones
    """Root of light of each 8-bit code (`root_table`) in the profile's light, less the veil that was seen, (256, 3)."""
    columns: Mapping[Place, ColumnReading] = field(default_factory=dict)
    """What was measured in each column: handed on when only some columns are read again."""
    frames: Mapping[Place, TableArea] = field(default_factory=dict)
    """Where each column lay."""
    under_things: frozenset[Place] = frozenset()
    """Places over which a thing lies, as large as a sheet, without cards or with one that it hides in part
    (`covered`)."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds of each stage."""


class Reader:
    """Reads tables laid with one deck. Holds no state between pictures but how the table looks where nothing lies, if
    that was learnt; safe to call again and again."""

    def __init__(
        self,
        profile: DeckProfile,
        lens: Lens | None = None,
        empty: EmptyTable | None = None,
    ) -> None:
        """`lens`: the camera's, where it was calibrated; `empty`: how the table looks where nothing lies, if that is
        known already.
        """
        self.lens = lens
        self.profile = profile
        self.empty = empty
        """How the table looks where nothing lies, as far as that is known."""
        self._bank = Bank(profile)
        self._doubt = doubt_of(profile.likelihoods)
        self._boards = BoardFinder(profile)
        # Only tables without the mat need them; made at once, they do not make the first of those wait.
        self._landmarks = Landmarks(profile, self._boards)

    def register(self, image: Picture, previous: Registration | None = None) -> Registration | None:
        """The camera over the table: from the tags, else from the boards; None where neither is seen."""
        return register(image, previous, self.lens) or self._landmarks.register(image, previous, self.lens)

    def read(
        self, image: Picture, previous: TableReading | None = None, changed: Collection[Place] | None = None
    ) -> TableReading:
        """Read a picture, (h, w, 3) uint8 BGR.

        With `previous` and `changed`, only the changed places are read and the rest is taken over: the caller vouches
        that nothing else moved. Raises `Failure` (`no-table`, `mirrored`, `low-contrast`) without a table that can be
        read, `BadInput` for what is no picture.
        """
        clock = _Clock()
        picture = as_picture(image)
        same = previous if previous is not None and changed is not None else None
        if same is not None and same.registration.pose.size != (picture.shape[1], picture.shape[0]):
            same = None
        reg, boards = self._where(picture, previous, same, clock)
        clock.lap("boards")
        order = order_of(boards)
        small = shrunk(picture)
        full = brightest(small)
        pairs = {b.theater: self._boards.pairs(picture, reg, b) for b in boards if b is not None}
        light = table_light(picture, reg, pairs, small, full)
        if not light.legible:
            raise Failure(
                "low-contrast",
                "Print is hardly seen: the picture is veiled, blown out or too dark.",
                "Wipe the lens, turn the lamp away from it, or give more light.",
            )
        roots = root_table(light.gains, light.veil)
        clock.lap("light")
        twice_laid = doubled(boards)
        frames = {
            (board.theater, seat): column_frame(board.frame, seat)
            for board in boards
            if board is not None and board.theater not in twice_laid
            for seat in SEATS
        }
        kept: dict[Place, ColumnReading] = {}
        if same is not None and changed is not None:
            kept = {at: same.columns[at] for at in frames if at not in changed and at in same.columns}
            frames |= {at: same.frames[at] for at in kept}

        def column_shown(at: Place, patterned: bool) -> Column:
            limit = None
            if light.clipped:
                limit = self._bank.limit(roots[full, range(3)] / np.sqrt(light.brightness.get(at, 1.0)))
            return column_at(picture, reg.pose, frames[at], roots, light.saturation, full, limit, self.empty, patterned)

        columns, looks = self._columns(frames, kept, column_shown, light.washed_out)
        clock.lap("columns")
        # What is left of a colour under a veil was seen as if from further away.
        scale = reg.pose.scale * (1.0 if light.veil is NO_VEIL else min(light.visible, 1.0))
        columns = told_apart(columns, frames, self._certain(columns), scale)
        under_things = frozenset(
            at
            for at, column in columns.items()
            if not (column.as_learnt or column.printed_alike) and _under_something(at, column, looks, frames)
        )
        sight = self._sight(order, boards, columns, light, under_things)
        outlines = [_board_outline(reg, board) for board in boards if board is not None]
        for place, column in columns.items():
            for k, (card, seen) in enumerate(zip(column.cards, sight.stacks[place], strict=False)):
                corners = reg.project(frames[place].to_table(outline_of(card.place)))
                outlines.append(Outline(f"{place[0]}/{place[1]}/{k}", seen.read, seen.p, corners))
        clock.lap("doubts")
        return TableReading(
            sight, reg, boards, tuple(outlines), roots, columns, frames, under_things, MappingProxyType(clock.laps)
        )

    def _where(
        self, picture: Picture, previous: TableReading | None, same: TableReading | None, clock: _Clock
    ) -> tuple[Registration, Boards]:
        """Where the table lies under the camera, and the boards on it; as in `same`, if that is given."""
        if same is not None:
            return same.registration, same.boards
        reg = self.register(picture, previous.registration if previous is not None else None)
        clock.lap("registration")
        if reg is None and is_mirrored(picture):
            raise Failure(
                "mirrored",
                "The picture is mirrored.",
                "Turn mirroring off in the settings of the camera, of the phone or of the program that shows it.",
            )
        if reg is None and self._landmarks.one_seen:
            raise Failure(
                "no-table",
                "Only one of the three boards is plainly seen.",
                "Move the lamp that shines on the others, or what covers them; or play on the mat with corner tags.",
            )
        if reg is None:
            raise Failure(
                "no-table", "No table is seen in the picture.", "Show the mat's corner tags, or the three boards."
            )
        known = previous.boards if previous is not None and reg.source == "kept" else ()
        boards = self._boards.find(picture, reg, known)
        if previous is None and reg.source == "tags" and len(reg.tags) < LENS_TAGS and not self._lens_known(reg):
            steadied = self._landmarks.steadied(picture, reg, boards)
            if steadied is not None:
                return steadied, self._boards.find(picture, steadied)
        return reg, boards

    def _columns(
        self,
        frames: Mapping[Place, TableArea],
        kept: Mapping[Place, ColumnReading],
        column_shown: Callable[[Place, bool], Column],
        washed_out: bool,
    ) -> tuple[dict[Place, ColumnReading], dict[Place, TableLook]]:
        """What is read in each column, and how the bare table looks beside it. `kept`: those that were read before;
        `column_shown`: the picture of a column, on a mat that is patterned for certain if told so."""
        shown = {at: column_shown(at, False) for at in frames if at not in kept}
        known = {at: column.table for at, column in kept.items() if column.table is not None}
        looks = {at: look_of(piece) for at, piece in shown.items()} | known
        if patterned_all_over(looks.values()):
            shown |= {at: column_shown(at, True) for at, piece in shown.items() if not piece.patterned}
            looks = {at: look_of(piece) for at, piece in shown.items()} | known
        columns = dict(kept)

        def read(at: Place, printed: bool) -> ColumnReading:
            piece = shown[at]
            column = read_column(self._bank, piece, printed)
            fit = uppermost_fit(self._bank, piece, column)
            edges_tell = fit is not None and _hardly_seen(fit) and not piece.patterned
            bare_card = edges_tell and lies_bare(piece.tones, column.cards[-1].place)
            column = replace(column, table=looks[at], uppermost_fit=fit, uppermost_bare=bare_card)
            learnt = piece.patterned and as_when_empty(piece)
            bare = beside_stack(piece, column) if column.cards else (place_of(piece),)
            return replace(column, as_learnt=learnt, bare=bare)

        def doubted(at: Place) -> ColumnReading:
            piece, column = shown[at], columns[at]
            # Of white cards on a white mat nothing may be seen: what lies there is told by nothing.
            untold = (washed_out and piece.clipped) or another_is_whole(self._bank, piece, column)
            untold = untold or another_lies_aside(self._bank, piece, column) or cut_off(piece, column)
            untold = untold or (not patterned and cards_lie_aside(piece, column))
            return replace(column, margin=0.0) if untold else column

        def certain(at: Place) -> bool:
            column = columns[at]
            if column.foreign or column.hidden or column.margin < LEAST_MARGIN:
                return False
            return column.as_learnt or not _under_something(at, column, looks, frames)

        printed, patterned = printed_all_over(looks.values()), patterned_all_over(looks.values())
        for at, piece in shown.items():
            piece.elsewhere = colours_elsewhere(at, looks)
            columns[at] = read(at, printed)
        free = {at: piece for at, piece in shown.items() if not columns[at].cards}
        columns |= {at: doubted(at) for at in shown}
        # Most are in no doubt, and laying each over all others takes a sixth of a look at a bare table.
        asked = [at for at in free if not certain(at)]
        alike = printed_alike(self._bank, free, {at: frames[at].turn for at in free}, asked)
        columns |= {
            at: replace(columns[at], printed_alike=True, foreign=False, hidden=False, margin=NO_OTHER) for at in alike
        }
        told = of_the_table(self._bank, shown, {at: columns[at] for at in frames}, self._certain)
        again = [at for at in shown if printed and told[at].hidden and told[at].things_alone]
        if not again:
            return told, looks
        # What may be a card after all is looked for by its edges, and without highlights.
        columns |= {at: read(at, False) for at in again}
        columns |= {at: doubted(at) for at in again}
        return of_the_table(self._bank, shown, {at: columns[at] for at in frames}, self._certain), looks

    def _lens_known(self, seen: Registration) -> bool:
        return self.lens is not None and self.lens.fits(seen.pose.size)

    def learn_empty(self, image: Picture, reading: TableReading, places: Collection[Place]) -> EmptyTable:
        """Learns how the table looks from a picture, (h, w, 3) uint8 BGR, that was read, of which somebody says that
        nothing lies in some `places` but the cards that were read: what else is seen there is no card in later
        pictures. Returns all that is known of the empty table then."""
        columns = [reading.frames[place] for place in places if place in reading.frames]
        lying = [board.frame.corners for board in reading.boards if board is not None]
        for place, column in reading.columns.items():
            for card, seen in zip(column.cards, reading.sight.stacks.get(place, ()), strict=False):
                # Whatever it is told to be for want of a better face, print that goes with none is the mat's.
                if seen.p >= SURE or card.match >= A_CARD:
                    lying.append(reading.frames[place].to_table(outline_of(card.place)))
        picture = as_picture(image)
        full = brightest(shrunk(picture))
        now = seen_empty(picture, reading.registration.pose, reading.roots, full, columns, lying)
        self.empty = now if self.empty is None else self.empty.and_then(now)
        return self.empty

    def _certain(self, columns: Mapping[Place, ColumnReading]) -> list[tuple[Place, int]]:
        """Cards that are known, whatever those of equal print are: they tell the light."""
        seen, twice = seen_cards(columns, self._doubt, self._bank.equal)
        return [] if twice else [(at, k) for at, cards in seen.items() for k, c in enumerate(cards) if c.p >= KNOWN]

    def _sight(
        self,
        order: tuple[Theater, Theater, Theater] | None,
        boards: tuple[FoundBoard | None, ...],
        columns: Mapping[Place, ColumnReading],
        light: TableLight,
        under_things: Collection[Place],
    ) -> Sight:
        visible = light.unveiled
        seen, twice = seen_cards(columns, self._doubt, self._bank.equal)
        if light.colourless:
            seen = _believed(seen, MOST_COLOURLESS, self._bank.equal)
        if light.washed_out:
            seen = _believed(seen, MOST_WASHED_OUT, FACES)
        stacks: dict[Place, tuple[SeenCard, ...]] = {place: seen.get(place, ()) for place in PLACES}
        notes: list[Note] = []
        for theater in THEATERS:
            if theater in doubled(boards):
                notes.append(Note("board-twice", theater))
            elif not any(b is not None and b.theater == theater for b in boards):
                notes.append(Note("board-missing", theater))
        notes += [Note("seen-twice", at) for at in twice]
        if visible and float(np.median(list(visible.values()))) < GOOD_CONTRAST:
            notes.append(Note("doubtful"))
        sure = order is not None and not notes
        for (theater, seat), cards in stacks.items():
            for k, card in enumerate(cards):
                at = f"{theater}/{seat}/{k}"
                if card.wrong_way:
                    notes.append(Note("wrong-way-round", at))
                    sure = False
                # Written so that what is no number is not sure.
                if not card.p >= SURE:
                    notes.append(Note("doubtful", at))
                    sure = False
        tables = {at: c.table for at, c in columns.items() if c.table is not None}
        # Where cards are read for certain, no veil lies over the table beside them either.
        clear = {at for at, n in visible.items() if n >= GOOD_CONTRAST}
        clear |= {at for at, cards in stacks.items() if cards and all(card.p >= KNOWN for card in cards)}
        for (theater, seat), column in columns.items():
            # A card that goes with no face well may be two, or half of one: then the stack is in doubt, too.
            strange = any(card.p < STRANGE for card in stacks[theater, seat])
            # Where print is hardly seen, a card looks like the bare table; but what shines on a board alone does not
            # lie over the table beside it.
            veiled = visible.get((theater, seat), 1.0) < LEAST_CONTRAST
            as_elsewhere = not column.cards and _seen_as_elsewhere((theater, seat), tables, clear)
            unseen = not column.cards and veiled and not as_elsewhere
            unseen = unseen or (theater, seat) in under_things
            # Where cards are certain on a table that is as light, one would be seen here, too.
            free = column.blown_out and as_elsewhere and not light.washed_out
            close = column.margin < LEAST_MARGIN and not free
            if close or strange or unseen or _print_unseen(column, stacks[theater, seat]):
                notes.append(Note("doubtful", f"{theater}/{seat}"))
                sure = False
            untold = bool(column.cards) and not stacks[theater, seat]
            if column.foreign or untold:
                notes.append(Note("foreign", f"{theater}/{seat}"))
                sure = sure and not (column.hidden or untold)
        return Sight(order, MappingProxyType(stacks), sure, tuple(notes))


class _Clock:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._at = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = self.laps.get(name, 0.0) + (now - self._at) * 1e3
        self._at = now


def _seen_as_elsewhere(at: Place, tables: Mapping[Place, TableLook], clear: Collection[Place]) -> bool:
    """Whether the table of an empty column is as light as where no veil lies. `tables`: how that of each column looks;
    `clear`: those over which no veil lies."""
    if at not in tables:
        return False
    return as_light_as(tables[at].light, [tables[place].light for place in tables if place in clear])


def _believed(
    seen: Mapping[Place, tuple[SeenCard, ...]], most: float, faces: Collection[Face]
) -> dict[Place, tuple[SeenCard, ...]]:
    """The same cards, those that were read as one of some faces believed at most so much."""
    return {
        at: tuple(replace(card, p=min(card.p, most)) if card.read in faces else card for card in cards)
        for at, cards in seen.items()
    }


def _print_unseen(column: ColumnReading, cards: Sequence[SeenCard]) -> bool:
    """Whether so little is seen of the uppermost card's own print that something else may lie on it."""
    if column.uppermost_fit is None or not cards:
        return False
    if cards[-1].read != FACE_DOWN:
        return _hardly_seen(column.uppermost_fit) and not column.uppermost_bare
    _, face_down, shown = UNSEEN_PRINT
    return column.uppermost_fit[0] < face_down and column.cards[-1].match < shown


def _hardly_seen(fit: tuple[float, float]) -> bool:
    """Whether so little is seen of the print of an uppermost card that lies face up (`uppermost_fit`)."""
    return sum(fit) < UNSEEN_PRINT[0]


def _under_something(
    at: Place, column: ColumnReading, looks: Mapping[Place, TableLook], frames: Mapping[Place, TableArea]
) -> bool:
    """Whether something lies over what shows of a column's place."""
    return any(covered(at, parts, looks, frames) for parts in column.bare)


def _board_outline(reg: Registration, board: FoundBoard) -> Outline:
    return Outline(board.theater, board.theater, board.match, reg.project(board.frame.corners))
