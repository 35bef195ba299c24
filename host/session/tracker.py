"""The tracker: the one way from a source to a session. `play`, `watch`, the demonstration and simulations all use it.

It decides when a still table is read again, when time is told to pass, and what of the source is worth telling. It
knows no clock but the source's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from engine.events import Closed, Event
from engine.sight import Sight
from host.session.session import Session
from host.session.source_events import SourceMended, SourceNotice, SourceTrouble

P = TypeVar("P")
P_contra = TypeVar("P_contra", contravariant=True)

STRANGE: Final = 2
"""Stacks with something that is no card of the deck, and none with a card, which makes it another deck."""


class CameraNotice(Protocol):
    """Something that a watcher noticed about the camera or the mat."""

    @property
    def code(self) -> str: ...


class Watcher(Protocol[P_contra]):
    """What turns a source's pictures into readings (`vision.tracking.table_watcher.TableWatcher`)."""

    @property
    def still(self) -> bool:
        """Whether the last picture showed a still table with no hand over it."""

    def see(self, picture: P_contra, t: float) -> Sight | None:
        """One picture at `t` seconds; a reading where there is something new to say."""

    def notices(self) -> Sequence[CameraNotice]:
        """What was noticed since the last call."""

    def forget(self) -> None:
        """The table that lies there is read afresh and told again."""


class StillTableWatcher(Generic[P]):
    """A watcher of tables that lie still: `read` is asked once for each, and again when the table is read afresh."""

    def __init__(self, read: Callable[[P], Sight | None]) -> None:
        self._read = read
        self._told: P | None = None

    @property
    def still(self) -> bool:
        return True

    def see(self, picture: P, t: float) -> Sight | None:
        """The table's reading where it was not told yet, or is to be told again."""
        if self._told is picture:
            return None
        self._told = picture
        return self._read(picture)

    def notices(self) -> Sequence[CameraNotice]:
        return ()

    def forget(self) -> None:
        self._told = None


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a still table is attended to, in seconds of the source's clock."""

    tick: float = 0.2
    """Between two looks at whether the referee's patience has run out."""
    look_again: float = 0.4
    """Between fresh readings of one still table that the referee asks for."""
    looks_most: int = 6
    """Fresh readings of one still table at most: beyond that nothing new is learnt from the same picture."""


class Tracker(Generic[P]):
    """Feeds a session from one source. Not safe for several threads: it belongs to the one that reads the source."""

    def __init__(
        self,
        watcher: Watcher[P],
        session: Session,
        *,
        pace: Pace | None = None,
        on_read: Callable[[P], None] = lambda picture: None,
        on_seen: Callable[[P], None] = lambda picture: None,
    ) -> None:
        """`on_seen` is given each picture once the watcher has seen it; `on_read` each whose reading goes to the
        session, before it does."""
        self._watcher = watcher
        self._session = session
        self._pace = pace or Pace()
        self._on_read = on_read
        self._on_seen = on_seen
        self._ticked = -1.0
        self._looks = 0
        self._next_look = 0.0
        self._deck_known = False
        self._strange_at_first: frozenset[str] | None = None
        self.t = 0.0
        """The source's clock at the last picture, in seconds."""

    @property
    def begun(self) -> bool:
        """Whether any picture has come."""
        return self._ticked >= 0

    def frame(self, picture: P, t: float) -> tuple[Event, ...]:
        """One picture at `t` seconds; the events that came of it."""
        self.t = t
        sight = self._watcher.see(picture, t)
        self._on_seen(picture)
        for notice in self._watcher.notices():
            self._session.source(SourceNotice(notice.code), t)
        events: tuple[Event, ...] = ()
        if sight is not None:
            self._check_deck(sight, t)
            self._on_read(picture)
            self._ticked = t
            events = self._session.see(sight, t)
        elif t - self._ticked >= self._pace.tick:
            self._ticked = t
            events = self._session.tick(t)
        self._look_again(t)
        return events

    def trouble(self, code: str, message: str, remedy: str, parts: dict[str, str | int | float], t: float) -> None:
        """Something is wrong with the source. The game goes on with what is known."""
        self.t = max(self.t, t)
        self._session.source(SourceTrouble(code, message, remedy, parts), self.t)

    def mended(self, code: str) -> None:
        """A trouble of the source is over."""
        self._session.source(SourceMended(code), self.t)

    def ended(self) -> tuple[Event, ...]:
        """The source has ended: what is open and optional is closed as declined."""
        events = self._session.apply(Closed(), {"by": "source"}) or ()
        self._session.source(SourceNotice("source-ended"), self.t)
        return events

    def _look_again(self, t: float) -> None:
        if not self._watcher.still or not self._session.waiting:
            self._looks = 0
        elif self._session.look_again and t >= self._next_look and self._looks < self._pace.looks_most:
            self._looks, self._next_look = self._looks + 1, t + self._pace.look_again
            self._watcher.forget()

    def _check_deck(self, sight: Sight, t: float) -> None:
        """Says once that the cards are of another deck, if nothing on the table was ever a card of this one. What was
        seen from the beginning may be a printed mat."""
        if self._deck_known:
            return
        strange = frozenset(note.at for note in sight.notes if note.code == "foreign")
        if self._strange_at_first is None:
            self._strange_at_first = strange
        self._deck_known = any(sight.board.values())
        if not self._deck_known and len(strange - self._strange_at_first) >= STRANGE:
            self._deck_known = True
            self._session.source(SourceNotice("wrong-deck"), t)
