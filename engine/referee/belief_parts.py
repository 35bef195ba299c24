"""The parts of the referee's belief that change together: immutable values, each with what it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.events import Violation
from engine.names import CARDS, FACE_DOWN, SEATS, THEATERS, Card, Face, Seat, Theater, parse_card
from engine.referee.hypothesis import Faces, Hypothesis
from engine.sight import MISPLACED, MisplacedCode, Note, Sight
from engine.war import War


class Settled(NamedTuple):
    """A question or a notice that need not come again."""

    code: str
    about: str = ""
    """The place that it is about, such as `A/near/1`; empty for the whole table."""
    table: Faces | None = None
    """The table that it is about."""
    lasting: bool = False
    """It also holds when the table changes."""


UNDO_AGREED: Final = Settled("undo", "yes", lasting=True)
"""The players have said that the table shows an undo."""


@dataclass(frozen=True, slots=True)
class PresentTable:
    """The table that lies there now, as long as it is not explained, and what was said about it."""

    looks: tuple[Sight, ...] = ()
    """Its readings, oldest first; empty once it is explained."""
    since: float = 0.0
    """Seconds: when it was first seen."""
    known: bool = False
    """What these looks show is told: a mistake, or moves while a card may have been overlooked in another stack."""
    passed_over: bool = False
    """A table lay there before this one that was never understood."""
    stale: Faces | None = None
    """A table that a person has taken back by word and that still lies there."""
    settled: tuple[Settled, ...] = ()
    """Questions and notices about this table that need not come again."""
    back: int = 0
    """Steps of the likeliest line that a table before had taken back, though it lay there too briefly to count."""
    heap: Faces | None = None
    """The last table before this one that was never understood and had new cards: perhaps a hand thrown in."""


NOTHING_OPEN: Final = PresentTable()


@dataclass(frozen=True, slots=True)
class ToldMistake:
    """The mistake that was told and what may become of it; all empty where none is open."""

    violation: Violation | None = None
    """None too while play goes on from the mistake."""
    illegal: Faces | None = None
    """The illegal table that was told."""
    stands: Hypothesis | None = None
    """What letting it stand would make of it."""
    rivals: tuple[Hypothesis, ...] = ()
    """Legal lines, less likely than the mistake that was told, that also explain the illegal table; or less likely than
    that it was put right."""
    in_rivals: Violation | None = None
    """The mistake that the rivals let stand, where the table looks as if it had been put right."""

    @property
    def told_table(self) -> Faces | None:
        """The illegal table, as long as play does not go on from it."""
        return self.illegal if self.violation is not None else None


NO_MISTAKE: Final = ToldMistake()


@dataclass(frozen=True, slots=True)
class BattleEnd:
    """After the last card of a battle: when its end is told, and what lies there while it is gathered in."""

    due: float | None = None
    """Seconds: when the end is told unless the table says otherwise before; None where it was told or is not near."""
    remains: Faces | None = None
    """What lies there of the battle's cards, once some were taken up."""
    begun: Faces | None = None
    """The cards of the next battle that lie among them already."""
    shown: Faces | None = None
    """How its cards lie, some of them turned over to show what they were."""


NO_END: Final = BattleEnd()


@dataclass(frozen=True, slots=True)
class PreviousBattle:
    """The battle before, while it may still be taken back."""

    war: War
    """The war at its opening."""
    lines: tuple[Hypothesis, ...]
    over: float = 0.0
    """Seconds: when the table was empty and the next one began."""


@dataclass(frozen=True, slots=True)
class LineQuestion:
    """The players are to be asked which of several lines was played, if no table tells in time."""

    due: float
    """Seconds."""
    much_unseen: bool
    """It is asked because much must have been unseen, not because lines are equally likely."""


@dataclass(frozen=True, slots=True)
class MisplacedCard:
    """A card that lies where no column is."""

    code: MisplacedCode
    theater: Theater
    """Whose column or board is nearest."""
    side: Seat | None
    """None where it lies on neither side."""
    face: Face | None
    """None where it was not told."""
    since: float
    """Seconds: when it was first seen there."""
    moves: int
    """How many moves of the battle had been told then."""
    violation: Violation | None = None
    """The mistake, once it was told."""
    settled: bool = False
    """Nothing is said of it any more: it belongs to a pile, or play went on."""

    @property
    def card(self) -> Card | None:
        """None where it lies face down or was not told."""
        return None if self.face in (None, FACE_DOWN) else parse_card(self.face)

    @property
    def seen_as(self) -> tuple[MisplacedCode, Theater, Seat | None, Face | None]:
        """What every look at it shows."""
        return self.code, self.theater, self.side, self.face


def misplaced_card(note: Note, since: float, moves: int) -> MisplacedCard | None:
    """The card that a note tells (`engine.sight.Note` says how); None for a note of anything else."""
    code = next((one for one in MISPLACED if one == note.code), None)
    theater, *rest = note.at.split("/")
    if code is None or theater not in THEATERS:
        return None
    side = next((seat for seat in SEATS if seat in rest), None)
    face = next((part for part in rest if part == FACE_DOWN or part in CARDS), None)
    return MisplacedCard(code, theater, side, face, since, moves)
