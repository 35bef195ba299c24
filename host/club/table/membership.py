"""A table's membership in a club: a sink of its session, and a thread that speaks with the desk.

The session's thread only hands over; writing the outbox, sending and answering the desk happen here, so that a game
never waits for the club. What was handed over and could not be written, because the program was killed or the disk was
full, is found in the log.
"""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.events import Correct
from engine.failure import BadInput, Failure
from host.club.table.outbox import FileOutbox
from host.club.table.sending import Sending
from host.club.table.taking_over import entries_of_match
from host.club.table.told import Troubles, entry_body
from host.club.view import ClubTableView, view_of, view_to_json
from host.club.wire.connection import BrokerConnection, EntryListener, LastWill, WireMessage, read_json
from host.club.wire.join_code import JoinCode
from host.club.wire.topics import Topics
from host.player_name import NAME_LONGEST
from host.session.session import MATCH_LONGEST, Rules, Session
from host.session.sinks import Change
from host.session.standing import Standing

STEP_SECONDS: Final = 0.05
RETRY_SECONDS: Final = 5.0
LONGEST_TEXT: Final = 300
MOST_TARGET: Final = 1000


@dataclass(frozen=True, slots=True)
class ClubShown:
    """What the page shows of the club. `match` is the assignment, or None between rounds."""

    connected: bool = False
    refused: bool = False
    """The code is not good any more."""
    forked: bool = False
    """The desk holds another history than this table."""
    club: str = ""
    free: bool = False
    match: Assignment | None = None
    text: str = ""
    until: float | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """A match that the desk gave this table. `score` is where it stands if another companion began it."""

    match: str
    table: int
    round: int
    rounds: int
    near: str
    far: str
    target: int
    score: tuple[int, int] = (0, 0)


def assignment_from_json(read: Mapping[str, Any]) -> Assignment | None:
    """The assignment of a message; None where it gives no match. Raises `Failure` (`bad-message`)."""
    if read.get("match") is None:
        return None
    try:
        texts = [read[key] for key in ("match", "near", "far")]
        numbers = [read[key] for key in ("table", "round", "rounds", "target")]
        numbers += read.get("score", [0, 0])
        longest = (MATCH_LONGEST, NAME_LONGEST, NAME_LONGEST)
        if not all(isinstance(text, str) and len(text) <= most for text, most in zip(texts, longest, strict=True)):
            raise ValueError
        if len(numbers) != 6:
            raise ValueError
        if not all(type(n) is int and 0 <= n <= 10_000 for n in numbers) or not 1 <= numbers[3] <= MOST_TARGET:
            raise ValueError
        match, near, far = texts
        table, round_, rounds, target, a, b = numbers
        return Assignment(match, table, round_, rounds, near, far, target, (a, b))
    except (KeyError, ValueError, TypeError) as error:
        raise Failure("bad-message", "The desk's assignment cannot be read.", "Update this program.") from error


class Membership:
    """See `Sink`. `owner` are the rules of games outside the club's matches; `on_shown` is called in
    the membership's own thread whenever what the page shows of the club has changed."""

    def __init__(
        self,
        session: Session,
        outbox: FileOutbox,
        code: JoinCode,
        owner: Rules,
        *,
        wall: Callable[[], float] = time.time,
        on_shown: Callable[[ClubShown], None] = lambda shown: None,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._session = session
        self._owners_rules = owner
        self._outbox = outbox
        self._sending = Sending(outbox)
        self._code = code
        self._topics = Topics(code.club)
        self._wall = wall
        self._on_shown = on_shown
        self._tell = tell
        self._shown = ClubShown()
        self._lock = threading.Lock()
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._view: ClubTableView | None = None
        self._view_sent = True
        self._troubles = Troubles()
        self._stop = threading.Event()
        self._prepared_at = 0.0
        self._match, self._match_war = outbox.kept_match, outbox.kept_war
        self._beginning = ""
        """The match whose war is being begun just now."""
        self._decided = False
        """The running match has a winner."""
        self._war = session.war
        self._behind: dict[str, str] = {}
        """War to match, the oldest first: the log holds entries that the outbox has not taken over yet."""
        self._to_remember: str | None = None
        """The match that runs, where the outbox does not remember it yet."""
        self._catch_up_at = 0.0
        self._failing = ""
        """What the outbox failed with, told once."""
        self._connection = self._new_connection()
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    # As a sink: called by the session's threads

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        """Takes over what the log holds of the match and the outbox does not: the program was killed in between."""
        if self._match_war:
            self._behind[self._match_war] = self._match
            self._catch_up(time.monotonic())
            if self._match_war != war:
                self._decided = self._is_won(self._match_war)
        self._show(standing)

    def _is_won(self, war: str) -> bool:
        try:
            found = entries_of_match(self._session.log, war, self._match)
        except Failure as failure:
            self._tell(str(failure))
            return False
        return bool(found) and found[-1][1]["winner"] is not None

    def changed(self, change: Change) -> None:
        for event in change.source:
            self._troubles.source(event)
        if change.war != self._war:
            self._new_war(change)
        if change.entry is not None:
            self._troubles.seen(change.entry.cause, change.events)
            if change.war == self._match_war:
                match, war, sequence = self._match, change.war, change.entry.sequence
                body = entry_body(change.events, match, change.standing.score, change.standing.war_winner)
                self._work.put(lambda: self._keep(war, match, sequence, body))
        self._show(change.standing)

    def _new_war(self, change: Change) -> None:
        """The desk's match begins, or the players began theirs anew; any other war is the owner's own."""
        self._war = change.war
        running = self._match and not self._decided
        if self._beginning or running:
            self._match = self._beginning or self._match
            self._match_war = change.war
            self._decided = False
            war, match = self._match_war, self._match
            self._work.put(lambda: self._begun(war, match))

    def _show(self, standing: Standing) -> None:
        mine = self._war == self._match_war
        if mine:
            self._decided = standing.war_winner is not None
        view = view_of(
            standing.state,
            standing.score,
            battle=standing.battle,
            war_winner=standing.war_winner,
            match=self._match if mine else "",
            trouble=self._troubles.codes(standing),
            at=self._wall(),
        )
        with self._lock:
            # Between rounds the owner's games are nobody's business: only the troubles are told.
            self._view = view if mine else ClubTableView(trouble=view.trouble, at=view.at)
            self._view_sent = False

    def leave(self) -> None:
        """Ends the membership before its session ends."""
        self._session.unsubscribe(self)
        self.close()

    def close(self) -> None:
        """Sends what can still be sent, says goodbye and ends the thread."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)
        self._outbox.close()

    # Its own thread

    def start(self) -> None:
        self._session.subscribe(self)
        self._thread.start()

    @property
    def shown(self) -> ClubShown:
        return self._shown

    @property
    def waiting(self) -> int:
        """Entries that the desk does not have yet."""
        return self._sending.waiting

    def _new_connection(self) -> BrokerConnection:
        status = self._topics.table(self._code.account, "status")
        return BrokerConnection(
            self._code,
            self._topics.for_table(self._code.account),
            EntryListener(
                lambda message: self._work.put(lambda: self._received(message)),
                lambda: self._work.put(self._connected),
                lambda why: self._work.put(self._lost),
            ),
            LastWill(status, b'{"here":false}'),
        )

    def _run(self) -> None:
        while not self._stop.is_set():
            self._connect_if_need_be()
            self._step(STEP_SECONDS)
        self._step(0.0)
        if self._prepared_at < 0:
            status = self._topics.table(self._code.account, "status")
            self._connection.publish(status, {"here": False}, retain=True)
            self._connection.close()

    def _step(self, patience: float) -> None:
        with contextlib.suppress(queue.Empty):
            work = self._work.get(timeout=patience) if patience else self._work.get_nowait()
            while True:
                try:
                    work()
                except Failure as failure:
                    self._tell(str(failure))
                work = self._work.get_nowait()
        now = time.monotonic()
        self._catch_up(now)
        if not self._connection.up:
            return
        self._send(now)
        if self._sending.forked and not self._shown.forked:
            self._tell("The club's desk holds another history than this table. Ask the organiser for a new code.")
            self._say(forked=True)
        with self._lock:
            view, self._view_sent = (None if self._view_sent else self._view), True
        if view is not None:
            topic = self._topics.table(self._code.account, "state")
            self._connection.publish(topic, view_to_json(view), retain=True, qos=0)

    def _connect_if_need_be(self) -> None:
        """Sets up TLS and starts connecting; where nobody answers, tries again later."""
        now = time.monotonic()
        if self._prepared_at < 0 or now < self._prepared_at:
            return
        try:
            self._connection.prepare()
        except Failure as failure:
            self._prepared_at = now + RETRY_SECONDS
            if failure.code != "no-broker":
                self._tell(str(failure))
            return
        self._prepared_at = -1.0
        self._connection.start()

    def _connected(self) -> None:
        self._sending.connected()
        status = self._topics.table(self._code.account, "status")
        self._connection.publish(status, {"here": True}, retain=True)
        with self._lock:
            self._view_sent = False
        self._say(connected=True, refused=False)

    def _lost(self) -> None:
        self._say(connected=False, refused=self._connection.refused.is_set())

    def _send(self, now: float) -> None:
        try:
            messages = self._sending.due(now)
        except Failure as failure:
            self._fails(failure)
            return
        for message in messages:
            self._connection.publish(self._topics.table(self._code.account, "entries"), message)

    def _begun(self, war: str, match: str) -> None:
        self._to_remember = json.dumps({"match": match, "war": war})
        # The entry with which a war begins comes with no change.
        self._behind[war] = match

    def _keep(self, war: str, match: str, sequence: int, body: Mapping[str, Any]) -> None:
        if self._behind:
            # What came before it is taken over from the log first, and this one with it.
            self._behind.setdefault(war, match)
            return
        try:
            self._outbox.add(sequence, body)
        except Failure as failure:
            self._behind[war] = match
            self._fails(failure)

    def _catch_up(self, now: float) -> None:
        """Writes what the outbox does not have yet; where that fails, again after a while."""
        if not (self._behind or self._to_remember) or now < self._catch_up_at:
            return
        try:
            if self._to_remember is not None:
                self._outbox.remember("match", self._to_remember)
                self._to_remember = None
            for war, match in tuple(self._behind.items()):
                self._take_over(war, match)
                del self._behind[war]
            self._failing = ""
        except Failure as failure:
            self._catch_up_at = now + RETRY_SECONDS
            self._fails(failure)

    def _take_over(self, war: str, match: str) -> None:
        try:
            missing = entries_of_match(self._session.log, war, match, self._outbox.log_sequence)
        except BadInput as failure:
            # A log that is damaged does not mend itself: what comes from now on is told all the same.
            self._tell(str(failure))
            return
        for sequence, body in missing:
            self._outbox.add(sequence, body)

    def _fails(self, failure: Failure) -> None:
        if str(failure) != self._failing:
            self._failing = str(failure)
            self._tell(self._failing)

    def _received(self, message: WireMessage) -> None:
        content = read_json(message.payload)
        if message.topic == self._topics.acknowledged(self._code.account):
            self._sending.acknowledge(content)
        elif message.topic == self._topics.assignment(self._code.account):
            self._assigned(
                assignment_from_json(content), str(content.get("club", ""))[:80], content.get("free") is True
            )
        elif message.topic == self._topics.notice:
            text, until = content.get("text", ""), content.get("until")
            timed = isinstance(until, int | float) and not isinstance(until, bool) and 0 < until < 1e11
            self._say(
                text=text[:LONGEST_TEXT] if isinstance(text, str) else "",
                until=float(until) if timed and until is not None else None,
            )

    def _assigned(self, assignment: Assignment | None, club: str, free: bool) -> None:
        self._say(match=assignment, club=club, free=free)
        if assignment is None:
            if free and self._match:
                self._give_back()
            return
        with self._session.lock:
            # A program that was started again may have gone on with no war, or with its owner's.
            played = self._decided or self._session.war == self._match_war
        if assignment.match == self._match and played:
            return
        names = (assignment.near, assignment.far)
        self._begin(
            assignment.match,
            Rules(self._owners_rules.edition, None, assignment.target, False, names, assignment.match),
            assignment.score,
        )

    def _begin(self, match: str, rules: Rules, score: tuple[int, int]) -> None:
        with self._session.lock:
            self._beginning = match
            try:
                # By whom: what the desk began is gone on with after a restart before a card lies.
                self._session.begin_war(rules, {"by": "club"})
            finally:
                self._beginning = ""
            if score != (0, 0):
                self._session.apply(Correct(score={"near": score[0], "far": score[1]}), {"by": "club"})

    def _give_back(self) -> None:
        """The evening is over: the table is its owner's again, by the owner's rules."""
        with self._session.lock:
            self._match, self._decided = "", True
            if self._session.war == self._match_war:
                self._match_war = ""
                self._session.begin_war(self._owners_rules)
            self._match_war = ""
        self._to_remember = "{}"

    def _say(self, **changes: Any) -> None:
        shown = replace(self._shown, **changes)
        if shown != self._shown:
            self._shown = shown
            self._on_shown(shown)
