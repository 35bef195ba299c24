"""Pages as a sink: keeps what every page shows and publishes it, whole and numbered, after each change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from engine.events import Corrected, MoveMade, Notice, Reading, Undone
from engine.state import board
from host.messages.message import Message, message_of, winner_by_concession
from host.session.session import Rules
from host.session.sinks import Change
from host.session.source_events import TABLE_UNSEEN, SourceNotice, SourceTrouble
from host.session.source_state import SourceState
from host.session.standing import Standing
from host.web.consent import Consent
from host.web.page_state import Condition, DemoState, HistoryEntry, ObstacleShown, TableView
from host.web.stream import Broadcaster
from host.web.view import GameView, game_view

HISTORY_KEPT: Final = 400
BLINDING: Final = TABLE_UNSEEN | {
    "camera-gone",
    "camera-stuck",
    "picture-frozen",
    "too-dark",
    "overexposed",
    "picture-torn",
    "picture-resized",
    "picture-blurred",
    "picture-noise",
    "wrong-deck",
}
"""Troubles in which nothing of the table is recorded."""
MOVED: Final = "camera-moved"
"""Told as a line of the history: the table is read again at once, so it is no state of the camera."""


class DemoShown(Protocol):
    """What a page shows of a demonstration."""

    @property
    def state(self) -> DemoState: ...


class PageSink:
    """See `Sink`. Safe to use from several threads; views leave in the order in which they came to be."""

    def __init__(
        self,
        broadcaster: Broadcaster,
        demo: DemoShown | None = None,
        rules: Callable[[], Rules] = Rules,
    ) -> None:
        """`rules` gives how the running war is played; it is called only while the session tells of a change."""
        self.broadcaster = broadcaster
        self._demo = demo
        self._ask_rules = rules
        self._rules = Rules()
        self._club: tuple[Condition, ...] = ()
        self._resumed: tuple[str, Condition] | None = None
        self._obstacles: tuple[ObstacleShown, ...] = ()
        self._lock = threading.RLock()
        self._war = ""
        self._entry = 0
        self._game: GameView | None = None
        self._history: list[HistoryEntry] = []
        self._source = SourceState()
        self._blind: float | None = None
        self.consent = Consent(broadcaster.present, self.publish)
        """Who is asked before something changes for both players."""
        broadcaster.present_changed = self.publish
        self._lights = Condition(True, "lights-none")
        self._picture = 0

    # As a sink

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        with self._lock:
            self._war = war
            for change in history:
                self._add(change)
            self._game = game_view(standing)
            self._rules = self._ask_rules()
            self.publish()

    def changed(self, change: Change) -> None:
        with self._lock:
            if change.war != self._war:
                self._war, self._history, self._entry = change.war, [], 0
            if self._resumed is not None and change.war != self._resumed[0]:
                self._resumed = None
            self._add(change)
            for event in change.source:
                self._source.told(event)
            if change.entry is not None:
                self._source.decided(change.entry.cause, change.events)
            self._look_for_blindness(change)
            self.consent.moved(self._war, self._entry)
            self._game = game_view(change.standing)
            self._rules = self._ask_rules()
            self.publish()

    def close(self) -> None:
        self.broadcaster.close()

    def _add(self, change: Change) -> None:
        self._war = change.war
        if change.entry is None:
            return
        said = sentences(change)
        self._history += [HistoryEntry(change.entry.sequence, change.entry.at, one) for one in said]
        del self._history[:-HISTORY_KEPT]
        if any(not isinstance(event, Reading) for event in change.events):
            self._entry = change.entry.sequence

    def _look_for_blindness(self, change: Change) -> None:
        """Since when the table cannot be seen: the time of the log's entry that said so."""
        unseen = not self._source.ended and any(trouble.code in BLINDING for trouble in self._source.troubles)
        if not unseen:
            self._blind = None
        elif self._blind is None and change.entry is not None:
            self._blind = change.entry.at

    # What else a page shows

    def set_lights(self, condition: Condition) -> None:
        """How the lights are."""
        with self._lock:
            if condition != self._lights:
                self._lights = condition
                self.publish()

    def set_club(self, conditions: tuple[Condition, ...]) -> None:
        """What a club tells the table; nothing where it plays in none."""
        with self._lock:
            if conditions != self._club:
                self._club = conditions
                self.publish()

    def set_resumed(self, war: str, condition: Condition) -> None:
        """That this war goes on by other rules than were asked for; said until another war begins."""
        with self._lock:
            self._resumed = war, condition
            self.publish()

    def set_obstacles(self, obstacles: tuple[ObstacleShown, ...]) -> None:
        """What keeps the table from being read for certain; nothing where nothing does."""
        with self._lock:
            if obstacles != self._obstacles:
                self._obstacles = obstacles
                self.publish()

    def set_picture(self, number: int) -> None:
        """A new still picture; pages fetch it with the next view."""
        with self._lock:
            self._picture = number

    def publish(self) -> None:
        """Tells all pages how things stand."""
        with self._lock:
            if self._game is None:
                return
            self.broadcaster.publish(
                TableView(
                    game=self._game,
                    entry=self._entry,
                    history=tuple(self._history),
                    camera=self._camera(),
                    lights=self._lights,
                    war=self._war,
                    demo=self._demo.state if self._demo else None,
                    picture=self._picture,
                    names=self._rules.names,
                    obstacles=self._obstacles,
                    resumed=self._resumed[1] if self._resumed else None,
                    blind=self._blind,
                    match=bool(self._rules.match),
                    club=self._club,
                    asked=self.consent.asked,
                    present=self.broadcaster.present(),
                )
            )

    def _camera(self) -> Condition:
        source = self._source
        if source.ended:
            return Condition(True, "camera-ended")
        waiting = Condition(True, "camera-good" if source.read else "camera-waiting")
        told = [t for t in source.troubles if t.code != MOVED]
        # What keeps the table from being seen is said first, and that pictures come slowly only where nothing else is.
        told.sort(key=lambda trouble: (trouble.code not in BLINDING, trouble.code == "camera-slow"))
        return next(map(_condition, told), waiting)


def _condition(trouble: SourceTrouble | SourceNotice) -> Condition:
    if isinstance(trouble, SourceNotice):
        return Condition(False, trouble.code)
    texts = {key: str(value) for key, value in trouble.parts.items()}
    return Condition(False, trouble.code, texts, f"{trouble.message} {trouble.remedy}")


def sentences(change: Change) -> list[Message]:
    """What is said of a change, one message an event that is said at all."""
    said = [Message("notice", "condition", told.code, {}) for told in change.source if told.code == MOVED]
    state = change.before
    told = any(isinstance(event, Notice) and event.code in ("let-stand", "moves-unseen") for event in change.events)
    for event in change.events:
        if told and isinstance(event, Corrected) and event.code == "let-stand":
            # What stands, and why, is said already.
            state = event.state
            continue
        effect = state.pending
        if isinstance(event, MoveMade | Undone | Corrected):
            state = event.state
        one = message_of(event, board(state), effect, winner_by_concession(change.events))
        if one is not None:
            said.append(one)
    return said
