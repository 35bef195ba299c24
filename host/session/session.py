"""The table itself: one belief, one journal, one thing after another.

Whatever happens goes through `_settle`: the referee's verdict is written down, on the disk, and only then anybody is
told. What was told is therefore never lost, and what was never written was never told. Time is passed in.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.names import EditionName, Seat
from engine.referee import (
    Belief,
    assumptions,
    belief_from_json,
    belief_to_json,
    best_state,
    new_belief,
    observe,
    preview_redo,
    preview_undo,
    score,
    tell,
    war_winner,
)
from engine.referee import Preview as Foreseen
from engine.referee.events import Corrected, Event, Input, MoveMade, Reading, Tick, Undone
from engine.referee.update import Verdict
from engine.sight import Sight
from engine.state import State, board
from host.messages.message import Message, assumption_message, message_of, move_message
from host.session.game_log import Journal
from host.session.page_state import HistoryEntry
from host.session.view import GameView, Preview, Standing, game_view

HISTORY_KEPT: Final = 400


@dataclass(frozen=True, slots=True)
class Rules:
    """How a war is played: what a new one starts from."""

    edition: EditionName = "revised"
    first: Seat | None = None
    target: int | None = None
    beginner: bool = False


class Table:
    """Owns the game. Every method may be called from any thread; listeners are called one at a time, in order."""

    def __init__(self, journal: Journal, rules: Rules, wall: Callable[[], float]) -> None:
        """Goes on with the journal's war if one is unfinished, else begins one. `wall` gives seconds since 1970."""
        self.lock = threading.RLock()
        """Held while anything about the table changes or is told."""
        self._journal = journal
        self._rules = rules
        self._wall = wall
        self._listeners: list[Callable[[GameView, tuple[Event, ...]], None]] = []
        self.resumed = False
        """Whether a war was gone on with."""
        self.look_again = False
        """The referee wants the table that lies there to be read afresh."""
        last = journal.last()
        belief = belief_from_json(json.loads(last[1])) if last else None
        if last is not None and belief is not None and war_winner(belief) is None:
            self._game, self._belief = last[0].game, belief
            self._history = [
                HistoryEntry(entry.number, entry.at, Message.from_json(said))
                for entry in journal.entries(self._game)
                for said in entry.events
            ][-HISTORY_KEPT:]
            self.resumed = True
        else:
            self._game, self._belief, self._history = secrets.token_hex(6), _begun(rules), []
        # A war that is gone on with keeps its own clock: patience must not see time run backwards.
        self._before = self._belief.time
        self._entry = self._history[-1].number if self._history else 0
        self._now = self._before
        self._view = self._seen()

    @property
    def belief(self) -> Belief:
        with self.lock:
            return self._belief

    @property
    def view(self) -> GameView:
        """What is shown now."""
        with self.lock:
            return self._view

    @property
    def entry(self) -> int:
        """The number of the last entry that said something; a page sends it back with what it asks for."""
        with self.lock:
            return self._entry

    @property
    def history(self) -> tuple[HistoryEntry, ...]:
        with self.lock:
            return tuple(self._history)

    def listen(self, listener: Callable[[GameView, tuple[Event, ...]], None]) -> None:
        """Calls `listener` with the new view and the events behind it, after they were written down."""
        with self.lock:
            self._listeners.append(listener)

    def see(self, sight: Sight, t: float) -> tuple[Event, ...]:
        """A still table, seen at `t` seconds of the camera's clock."""
        with self.lock:
            self._now = self._before + t
            return self._settle({"by": "camera"}, observe(self._belief, sight, self._now))

    def tick(self, t: float) -> tuple[Event, ...]:
        """Time has passed and the table lies still."""
        with self.lock:
            self._now = self._before + t
            return self._settle({"by": "time"}, tell(self._belief, Tick(), self._now))

    def tell(self, told: Input, cause: Mapping[str, Any], at: int | None = None) -> tuple[Event, ...] | None:
        """What a person or a button says. `at` is the entry that the person was looking at; None where that cannot
        matter. Returns None if the table has moved on since, and nothing is done."""
        with self.lock:
            if at is not None and at != self._entry:
                return None
            return self._settle(dict(cause), tell(self._belief, told, self._now))

    def begin_anew(self, first: Seat | None = None) -> None:
        """A new war by the rules that the table was opened with; `first`, where it is known who is."""
        with self.lock:
            self._game, self._history = secrets.token_hex(6), []
            self._belief = _begun(replace(self._rules, first=first))
            # The camera's clock goes on; the new war's begins here.
            self._before -= self._now
            self._now = 0.0
            self._view = self._seen()
            self._tell_all(())

    def _settle(self, cause: Mapping[str, Any], verdict: Verdict) -> tuple[Event, ...]:
        before = self._belief
        if verdict.events:
            # Written down before anything is believed: what cannot be written has not happened.
            said = _sayings(best_state(before), verdict.events)
            entry = self._journal.append(
                self._game,
                self._wall(),
                cause,
                [s.to_json() for s in said],
                json.dumps(belief_to_json(verdict.belief), separators=(",", ":")),
            )
            self._history += [HistoryEntry(entry.number, entry.at, s) for s in said]
            del self._history[:-HISTORY_KEPT]
            if said:
                self._entry = entry.number
        self._belief, self.look_again = verdict.belief, verdict.look_again
        if self._belief is before:
            return verdict.events
        view = self._seen()
        if verdict.events or view != self._view:
            self._view = view
            self._tell_all(verdict.events)
        return verdict.events

    def _tell_all(self, events: tuple[Event, ...]) -> None:
        for listener in self._listeners:
            listener(self._view, events)

    def _seen(self) -> GameView:
        return game_view(standing(self._belief))


def standing(belief: Belief) -> Standing:
    """What the referee holds for true, as the view needs it."""
    undo, redo = preview_undo(belief), preview_redo(belief)
    return Standing(
        state=best_state(belief),
        score=score(belief),
        target=belief.war.target,
        battle=belief.number,
        begun=belief.phase != "setup",
        war_winner=war_winner(belief),
        violation=belief.violation,
        question=belief.questions[0] if belief.questions else None,
        assumptions=tuple(assumption_message(a) for a in assumptions(belief)),
        # Each move is told as the table lay after it: what an undo takes back still lies there, a redo's does not yet.
        undo=_preview(undo, best_state(belief)),
        redo=_preview(redo, redo.state if redo else None),
    )


def _preview(found: Foreseen | None, after: State | None) -> Preview | None:
    if found is None or after is None:
        return None
    said = tuple(move_message(move, board(after), found.state.pending) for move in found.moves)
    return Preview(said, found.state.turn, found.reveals, found.state.pending)


def _begun(rules: Rules) -> Belief:
    return new_belief(rules.edition, rules.first, target=rules.target, beginner=rules.beginner)


def _sayings(state: State, events: tuple[Event, ...]) -> list[Message]:
    said: list[Message] = []
    for event in events:
        effect = state.pending
        if isinstance(event, MoveMade | Undone | Corrected):
            state = event.state
        one = None if isinstance(event, Reading) else message_of(event, board(state), effect)
        if one is not None:
            said.append(one)
    return said
