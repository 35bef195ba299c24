"""From the referee's events to the war that they tell: what a game log is replayed with.

A `Timeline` is a value. `after(event)` gives the next one; its `war` is the war as it was shown after that event.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.battle import play
from engine.events import BattleOver, Corrected, Event, MoveMade, Notice, Revised, Undone
from engine.failure import BadInput, Failure
from engine.moves import Move
from engine.names import EditionName, Seat, Theater
from engine.records.events_json import REMEDY, event_from_json, event_to_json
from engine.records.json_codec import Json, move_from_json, state_from_json, state_to_json
from engine.refusal import IllegalMove
from engine.state import SEAT_INDEX, Result, State, start
from engine.war import War


class TimelineStep(NamedTuple):
    """One entry of the current battle: a move, or a state that was set (no move)."""

    move: Move | None
    state: State


@dataclass(frozen=True, slots=True)
class Timeline:
    """What was told of a war so far."""

    before: War
    """The war at the opening of the current battle."""
    steps: tuple[TimelineStep, ...] = ()
    over: bool = False
    """The end of the current battle was told."""
    assumed: State | None = None
    """The state as it was shown, where silent moves were taken for granted that nobody has told yet."""
    previous: Timeline | None = None
    """The battle before this one: cards that are laid back as they lay make it go on."""

    @staticmethod
    def begin(
        edition: EditionName,
        first: Seat | None = None,
        order: tuple[Theater, Theater, Theater] | None = None,
        *,
        target: int | None = None,
        beginner: bool = False,
    ) -> Timeline:
        """The war before its first event; raises `BadInput`."""
        return Timeline(War.begin(edition, order or "ALS", first or "near", target=target, beginner=beginner))

    @property
    def state(self) -> State:
        """The state as it was told last."""
        return self.steps[-1].state if self.steps else self.before.opening

    @property
    def shown(self) -> State:
        """The state as it was shown last."""
        return self.state if self.assumed is None else self.assumed

    @property
    def war(self) -> War:
        """The war with what was told of the current battle."""
        entries = [step.state if step.move is None else step.move for step in self.steps]
        return self.before.with_line(self.before.opening, entries, self.state)

    def expected(self, move: Move | None = None, undone: int | None = None) -> State | None:
        """The state that follows from what was told before and from `move`, or from taking `undone` moves back.

        None where nothing follows: the move is not legal here, or neither is given.
        """
        if move is not None:
            return self._after_move(move)
        return None if undone is None else self._without(undone).state

    def after(self, event: Event) -> Timeline:
        """The timeline with one more event. Events that change no state give the same timeline."""
        match event:
            case MoveMade(move=move, state=state):
                return self._opened(state)._with(TimelineStep(move, state))
            case Undone(moves=moves, state=state):
                return self._without(moves)._set_to(state)
            case Revised(moves=moves):
                return self._without(moves)
            case Corrected(state=state, score=score):
                made = self._opened(state)._set_to(state)
                return made if score is None else made._scored(score["near"], score["far"])
            case BattleOver(winner=winner, points=points, why=why, score=score):
                done = replace(self, over=True)
                if done.state.result is None:
                    # A battle that ended by word: the state as told has not ended by itself.
                    ended = done.state._replace(turn=None, pending=None, queue=(), result=Result(winner, points, why))
                    done = done._with(TimelineStep(None, ended))
                return done._scored(score["near"], score["far"])
            case Notice(code="new-battle", parts=parts):
                first: Seat = "far" if parts.get("first") == "far" else "near"
                return Timeline(self.war.next_battle(first=first), previous=replace(self, previous=None))
        return self

    def showing(self, state: State) -> Timeline:
        """With the state that is shown, whatever was told."""
        return replace(self, assumed=None if state == self.state else state)

    def _with(self, step: TimelineStep) -> Timeline:
        return replace(self, steps=(*self.steps, step))

    def _set_to(self, state: State) -> Timeline:
        return self if self.state == state else self._with(TimelineStep(None, state))

    def _opened(self, state: State) -> Timeline:
        """Before the first entry the table may show other boards or another first player than were expected."""
        opening = self.before.opening
        if self.steps or (opening.order == state.order and opening.first == state.first):
            return self
        again = start(self.before.edition, state.order, state.first)
        return replace(self, before=self.before.with_line(again, (), again))

    def _after_move(self, move: Move) -> State | None:
        try:
            return play(self.state, move)
        except IllegalMove:
            return None

    def _without(self, moves: int) -> Timeline:
        """Without the last `moves` moves and what was set after each of them."""
        if moves and not self.steps and self.previous is not None:
            return self.previous._without(moves)
        steps = list(self.steps)
        while moves and steps:
            moves -= steps.pop().move is not None
        return replace(self, steps=tuple(steps), over=False)

    def _scored(self, near: int, far: int) -> Timeline:
        war = self.war
        if war.score == {"near": near, "far": far}:
            return self
        before = [near, far]
        if war.state.result is not None:
            before[SEAT_INDEX[war.state.result.winner]] -= war.points
        return replace(self, before=self.before._replace(before=(before[0], before[1])))


ASSUMED: Final = "assumed"
"""Beside the referee's events: the state that is shown where it is not the one that was told."""


def write_events(timeline: Timeline, events: tuple[Event, ...], shown: State) -> tuple[list[Json], Timeline]:
    """The events as JSON, written so that `read_events` from the same timeline gives them back.

    `shown` is the state that is shown after them.
    """
    written: list[Json] = []
    for event in events:
        move = event.move if isinstance(event, MoveMade) else None
        undone = event.moves if isinstance(event, Undone) else None
        written.append(event_to_json(event, timeline.expected(move, undone)))
        timeline = timeline.after(event)
    if shown != timeline.state:
        written.append({"event": ASSUMED, "state": state_to_json(shown)})
    return written, timeline.showing(shown)


def read_events(timeline: Timeline, written: list[Json]) -> tuple[tuple[Event, ...], Timeline]:
    """The events that `write_events` wrote; raises `BadInput` (`bad-event`)."""
    events: list[Event] = []
    shown: State | None = None
    for data in written:
        if isinstance(data, dict) and data.get("event") == ASSUMED:
            shown = state_from_json(data.get("state"))
            continue
        event = event_from_json(data, _expected(timeline, data))
        events.append(event)
        try:
            timeline = timeline.after(event)
        except Failure as failure:
            raise BadInput("bad-event", f"This event cannot follow: {failure.message}", REMEDY) from failure
    return tuple(events), timeline.showing(timeline.state if shown is None else shown)


def _expected(timeline: Timeline, data: Json) -> State | None:
    """What `data`, an event that is not read yet, leads to by `Timeline.expected`."""
    if not isinstance(data, dict) or "state" in data:
        return None
    try:
        if data.get("event") == "move":
            return timeline.expected(move_from_json(data["move"]))
        if data.get("event") == "undo" and type(data["moves"]) is int:
            return timeline.expected(undone=data["moves"])
    except (KeyError, Failure):
        return None
    return None
