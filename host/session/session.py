"""The session: one table, one belief, one log, one thing after another.

Whatever happens goes through `_settle`: the referee's verdict is written to the log, on the disk, and only then anybody
is told. What was told is therefore never lost, and what was never written was never told. Time is passed in.
"""

from __future__ import annotations

import json
import math
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from engine.events import Event, Input, Reading, Tick
from engine.failure import BadInput
from engine.names import EditionName, Seat, parse_edition, parse_seat
from engine.records.inputs_json import input_to_json
from engine.records.sight_json import sight_to_json
from engine.records.timeline import Timeline, read_events, write_events
from engine.referee import (
    Belief,
    Verdict,
    belief_from_json,
    belief_to_json,
    best_state,
    cards_before,
    new_belief,
    observe,
    tell,
    with_cards_before,
)
from engine.referee.hypothesis import Faces
from engine.referee.policy import Policy
from engine.referee.resume import belief_of
from engine.sight import Sight
from engine.state import board
from host.player_name import NAME_LONGEST
from host.session.game_log import Entry, GameLog, JsonMapping, NewEntry, Observation, ObservationKind
from host.session.sinks import Change, Sink
from host.session.source_events import KINDS, SourceEvent, source_event_from_json, source_event_to_json
from host.session.standing import Standing, standing_of

GAME: Final = "air-land-sea"
"""The game of this session, as the log names it."""
MATCH_LONGEST: Final = 80
"""Characters of a match as a club names it."""
AWAY_AFTER: Final = 60.0
"""A war whose last entry is older than this, seconds, was left: what became of its cards meanwhile nobody watched."""
LEFT_AFTER: Final = 6 * 3600.0
"""Seconds without an entry after which players who start the program again may have left the war for good."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a war is played. `target` None: as the rules have it, 12, or 3 for beginners."""

    edition: EditionName = "revised"
    first: Seat | None = None
    target: int | None = None
    beginner: bool = False
    names: tuple[str, str] = ("", "")
    """Who plays at near and at far; empty where nobody said."""
    match: str = ""
    """The match of a club that this war decides, as the club names it; empty for the players' own wars."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Rules:
        """Raises `BadInput`."""
        target = data.get("target")
        return Rules(
            parse_edition(data.get("edition", "revised")),
            None if data.get("first") is None else parse_seat(data["first"]),
            target if type(target) is int else None,
            data.get("beginner") is True,
            _names(data.get("names")),
            str(data.get("match") or "")[:MATCH_LONGEST],
        )

    def timeline(self) -> Timeline:
        """A war by these rules before its first event; raises `BadInput`."""
        return Timeline.begin(self.edition, self.first, target=self.target, beginner=self.beginner)

    def belief(self, policy: Policy | None = None, lying: Faces | None = None) -> Belief:
        """What the referee believes before anything was seen; raises `BadInput`. `lying`: cards of another war."""
        war = new_belief(self.edition, self.first, target=self.target, beginner=self.beginner, policy=policy)
        return war if lying is None else with_cards_before(war, lying)


def _names(data: object) -> tuple[str, str]:
    if isinstance(data, list) and len(data) == 2:
        return str(data[0])[:NAME_LONGEST], str(data[1])[:NAME_LONGEST]
    return "", ""


class Session:
    """Owns the game. Every method may be called from any thread; sinks are called one at a time, in order."""

    def __init__(
        self,
        log: GameLog,
        rules: Rules,
        wall: Callable[[], float],
        *,
        resume: bool = True,
        chosen: bool = False,
        policy: Policy | None = None,
    ) -> None:
        """Goes on with the log's newest war if it is unfinished, else begins one. `chosen`: somebody has asked to go on
        with it, however long ago it was left; `wall`: seconds since 1970.

        Raises `BadInput` where that war's entries are damaged.
        """
        self.lock = threading.RLock()
        """Held while anything about the session changes or is told."""
        self.log = log
        self._rules = rules
        self._wall = wall
        self._policy = policy
        self._sinks: list[Sink] = []
        self.look_again = False
        """The referee wants the table that lies there to be read afresh."""
        self._sight: Sight | None = None
        """The last reading."""
        newest = _newest_war(log) if resume else None
        found = None if newest is None or newest.won else newest
        self._lying = cards_before(newest.belief) if newest is not None and newest.won else None
        """The cards of a war that is won, if they lay there when the program ended and no table was read since."""
        self._asked = rules
        away = wall() - found.last.at if found is not None and found.last is not None else 0.0
        if away < 0.0:
            # The clock was set back since: nobody knows how long that was.
            away = math.inf
        self._left = away > LEFT_AFTER and not chosen
        """The war that is gone on with was left long ago, and no table was read since."""
        self.resumed = found is not None
        """Whether a war was gone on with."""
        self._history: list[Change] = []
        self._entry: Entry | None = None
        self._said = 0
        self._war = ""
        if found is None:
            self._clock, self._now = 0.0, 0.0
            # Asked for beside another one: from now on it is this one that is gone on with.
            self._new_war(rules, {"by": "start"} if not resume and log.wars() else None)
        else:
            self._war, self._rules = found.war, found.rules
            self._timeline, self._belief = found.timeline, found.belief
            if away > AWAY_AFTER:
                self._belief = replace(found.belief, returned=found.belief.phase == "battle")
            self._history = list(found.history)
            self._entry, self._said = found.last, found.said
            # A war that is gone on with keeps its own clock: patience must not see time run backwards.
            self._clock = self._now = found.belief.time
        self._standing = standing_of(self._belief)

    # What it holds

    @property
    def belief(self) -> Belief:
        with self.lock:
            return self._belief

    @property
    def standing(self) -> Standing:
        with self.lock:
            return self._standing

    @property
    def war(self) -> str:
        """The id of the running war."""
        with self.lock:
            return self._war

    @property
    def rules(self) -> Rules:
        """How the running war is played."""
        with self.lock:
            return self._rules

    @property
    def said(self) -> int:
        """The number of the last entry that said something; a page sends it back with what it asks for."""
        with self.lock:
            return self._said

    @property
    def waiting(self) -> bool:
        """Whether a table lies there that is not explained yet."""
        with self.lock:
            return bool(self._belief.present.looks)

    # Who is told

    def subscribe(self, sink: Sink, *, first: bool = False) -> None:
        """Tells `sink` what the running war's log holds, and every change from now on; `first`: before the others."""
        with self.lock:
            sink.opened(self._war, tuple(self._history), self._standing)
            self._sinks.insert(0 if first else len(self._sinks), sink)

    def unsubscribe(self, sink: Sink) -> None:
        """`sink` is told nothing any more; it is not closed."""
        with self.lock:
            self._sinks.remove(sink)

    def close(self) -> None:
        """Closes all sinks, the last one first. The log stays its owner's."""
        with self.lock:
            sinks, self._sinks = self._sinks, []
        for sink in reversed(sinks):
            sink.close()

    # What happens

    def see(self, sight: Sight, t: float) -> tuple[Event, ...]:
        """A still table, read at `t` seconds of the source's clock."""
        with self.lock:
            self._now, self._sight = self._clock + t, sight
            self._begin_where_another_was_left(sight)
            self._cards_of_the_war_before(sight)
            before = self._entry
            events = self._settle({"by": "camera"}, observe(self._belief, sight, self._now))
            self._observe("reading", sight_to_json(sight), before)
            return events

    def tick(self, t: float) -> tuple[Event, ...]:
        """Time has passed and the table lies still."""
        with self.lock:
            self._now = self._clock + t
            return self._settle({"by": "time"}, tell(self._belief, Tick(), self._now))

    def apply(self, given: Input, cause: JsonMapping, said: int | None = None) -> tuple[Event, ...] | None:
        """What a person, a button or the end of the source says.

        `said` is the entry that the person was looking at, or None where that cannot matter. Returns None if the table
        has moved on since, and nothing is done. Raises `Failure` for what cannot be done now.
        """
        with self.lock:
            if said is not None and said != self._said:
                return None
            written = input_to_json(given)
            before = self._entry
            events = self._settle({**cause, "input": written}, tell(self._belief, given, self._now))
            self._observe("input", written, before)
            return events

    def source(self, event: SourceEvent, t: float) -> None:
        """Something that the source tells of itself."""
        with self.lock:
            self._now = max(self._now, self._clock + t)
            new = NewEntry(self._war, self._wall(), self._now, {"by": "source"}, [source_event_to_json(event)])
            entry = self._entry = self.log.append(new)
            state = best_state(self._belief)
            self._publish(Change(self._war, self._standing, state, source=(event,), entry=entry))

    def begin_war(self, rules: Rules | None = None, cause: JsonMapping | None = None) -> None:
        """A new war, by other rules where they are given; the one before stays in the log as it is.

        `cause` says who asked for it: such a war is gone on with after a restart before anything happened in it.
        Where the log cannot be written, raises `Failure` (`log-lost`) and goes on with the war before.
        """
        with self.lock:
            self._new_war(rules or replace(self._rules, first=None), cause, cards_before(self._belief))
            self._standing = standing_of(self._belief)
            self._publish(Change(self._war, self._standing, best_state(self._belief)))
            if self._sight is not None and any(self._sight.board.values()):
                # Its first card may lie there already, and a table that stays as it is, is not read once more.
                self._settle({"by": "camera"}, observe(self._belief, self._sight, self._now))

    def _begin_where_another_was_left(self, sight: Sight) -> None:
        """Cards that lay there hours ago and are gone were put away by nobody who watched: that is another day's war,
        and no withdrawal."""
        if not (self._left and sight.sure):
            return
        if any(board(best_state(self._belief)).values()) and not any(sight.board.values()):
            self.begin_war(self._asked, {"by": "start"})
        self._left = False

    def _cards_of_the_war_before(self, sight: Sight) -> None:
        """Cards that lie as they lay when the program ended after a war are gathered in, and no new war's."""
        lying, self._lying = self._lying, None
        if lying is not None and self._belief.phase == "setup":
            self._belief = with_cards_before(self._belief, lying, sight)

    def _new_war(self, rules: Rules, cause: JsonMapping | None, lying: Faces | None = None) -> None:
        """Written down before it is taken over: a war that the log does not know is never played."""
        war, timeline, belief = secrets.token_hex(6), rules.timeline(), rules.belief(self._policy, lying)
        self.log.begin(war, GAME, rules.to_json(), self._wall())
        # What somebody chose is gone on with after a restart, also where no card lies yet.
        entry = None if cause is None else self.log.append(NewEntry(war, self._wall(), 0.0, cause, ()))
        self._war, self._rules, self._timeline, self._belief = war, rules, timeline, belief
        self._history, self._entry, self._said = [], entry, 0
        self.look_again = False
        # The source's clock goes on; the new war's begins here.
        self._clock -= self._now
        self._now = 0.0

    def _settle(self, cause: JsonMapping, verdict: Verdict) -> tuple[Event, ...]:
        before, shown = self._belief, self._standing
        standing = shown if verdict.belief is before else standing_of(verdict.belief)
        entry = None
        # What is shown is kept also where nothing was told of it, such as how a table lies that was taken back.
        if verdict.events or standing != shown or best_state(verdict.belief) != self._timeline.shown:
            # Written down before anything is believed: what cannot be written has not happened.
            written, timeline = write_events(self._timeline, verdict.events, best_state(verdict.belief))
            kept = self.log.keeps_snapshots
            snapshot = json.dumps(belief_to_json(verdict.belief), separators=(",", ":")) if kept else None
            new = NewEntry(self._war, self._wall(), self._now, cause, written, snapshot)
            entry = self._entry = self.log.append(new)
            self._timeline = timeline
            if any(not isinstance(event, Reading) for event in verdict.events):
                self._said = entry.sequence
        self._belief, self.look_again = verdict.belief, verdict.look_again
        self._standing = standing
        if entry is not None:
            self._publish(Change(self._war, self._standing, best_state(before), verdict.events, entry=entry))
        return verdict.events

    def _publish(self, change: Change) -> None:
        if change.events or change.source:
            self._history.append(change)
        for sink in tuple(self._sinks):
            sink.changed(change)

    def _observe(self, kind: ObservationKind, data: JsonMapping, before: Entry | None) -> None:
        """Keeps what the referee was given, once what came of it was told: nobody waits for that."""
        after = 0 if before is None else before.sequence
        self.log.observe(Observation(self._war, after, self._now, kind, data))


@dataclass(frozen=True, slots=True)
class _Found:
    """The newest war of a log."""

    war: str
    rules: Rules
    timeline: Timeline
    belief: Belief
    history: tuple[Change, ...]
    last: Entry | None
    said: int
    won: bool
    """It is over: nobody goes on with it."""


def _newest_war(log: GameLog) -> _Found | None:
    """The newest war of this game that was begun."""
    # A war without an entry holds nothing to go on with.
    newest = next((war for war in log.wars() if war.game == GAME and war.entries), None)
    if newest is None:
        return None
    rules = Rules.from_json(newest.options)
    entries, played = [], []
    timeline = rules.timeline()
    for entry, events, after in replayed(log, newest.id, rules):
        played.append((entry, events, timeline.state, after))
        entries.append(entry)
        timeline = after
    if not played:
        return None
    won = timeline.over and timeline.war.winner is not None
    belief = _resumed(log, newest.id, entries[-1], timeline)
    standing = standing_of(belief)
    # What stood in between is not worked out again: a history's sentences need the events and the state before.
    history = tuple(
        Change(newest.id, standing, state, events, source_events(e), e)
        for e, events, state, _ in played
        if events or source_events(e)
    )
    said = max((e.sequence for e, events, *_ in played if any(not isinstance(x, Reading) for x in events)), default=0)
    return _Found(newest.id, rules, timeline, belief, history, entries[-1], said, won)


@dataclass(frozen=True, slots=True)
class UnfinishedWar:
    """The newest war of a log, if it can be gone on with. `last` is seconds since 1970."""

    id: str
    last: float
    rules: Rules
    standing: Standing


def unfinished_war(log: GameLog) -> UnfinishedWar | None:
    """What a session over that log would go on with; raises `BadInput` where its entries are damaged."""
    found = _newest_war(log)
    if found is None or found.won or found.last is None:
        return None
    return UnfinishedWar(found.war, found.last.at, found.rules, standing_of(found.belief))


def replayed(log: GameLog, war: str, rules: Rules) -> list[tuple[Entry, tuple[Event, ...], Timeline]]:
    """Every entry of a war with its events and the timeline after them; raises `BadInput` where one is damaged."""
    timeline, found = rules.timeline(), []
    for entry in log.entries(war):
        own = [dict(event) for event in entry.events if event.get("event") not in KINDS]
        events, timeline = read_events(timeline, own)
        found.append((entry, events, timeline))
    return found


def source_events(entry: Entry) -> tuple[SourceEvent, ...]:
    """What the source told of itself in an entry; raises `BadInput`."""
    return tuple(source_event_from_json(event) for event in entry.events if event.get("event") in KINDS)


def _resumed(log: GameLog, war: str, last: Entry, timeline: Timeline) -> Belief:
    """The referee's belief: its snapshot if that is whole and shows what the log tells, else what the log tells."""
    kept = log.snapshot(war)
    if kept is not None:
        try:
            belief = belief_from_json(json.loads(kept[1]))
            if best_state(belief) == timeline.shown and standing_of(belief):
                return belief
        except (BadInput, ValueError, TypeError, AttributeError, LookupError, RecursionError):
            # A cache: what is wrong with it costs nothing but the other lines that were possible. One that somebody
            # made up may be wrong in any way.
            pass
    return belief_of(timeline, last.t)
