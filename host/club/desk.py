"""The desk: the tournament as it stands, the tables as they report, and what each table and screen is told.

Every decision is written to the store before anybody is told. Whatever a table sends goes through `host.club.intake`.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from host.club.screen import Feed
from host.club.screen_parts import club_part
from host.club.store.base import Record, Store
from host.club.tournament.events import (
    MOST_POINTS,
    CheckedIn,
    Entered,
    EventUndone,
    How,
    Opened,
    Paired,
    Reported,
    TablePlaced,
    TournamentEvent,
    Withdrawn,
    event_from_json,
    event_to_json,
)
from host.club.tournament.pairing import pair_next
from host.club.tournament.rules import DESK, RecordedEvent, after_undo, apply, state_after, undone_in
from host.club.tournament.state import Round, Tournament, TournamentRefused
from host.club.view import ClubTableView

NOTICES_KEPT: Final = 50
ACCOUNTS_AT_MOST: Final = 5000
ORGANISER: Final = "organiser"
_ABOUT_PLAYERS: Final = (Entered, CheckedIn)
"""Events that change nothing for a table."""


class Wire(Protocol):
    """How the desk reaches the tables; what cannot be sent now is sent when the wire is up again."""

    def assign(self, account: str, assignment: Mapping[str, Any]) -> None: ...

    def announce(self, notice: Mapping[str, Any]) -> None: ...


class NoWire:
    """No broker: for a tournament whose results are all entered by hand."""

    def assign(self, account: str, assignment: Mapping[str, Any]) -> None: ...

    def announce(self, notice: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True, slots=True)
class Companion:
    """A table's companion as the desk knows it."""

    account: str
    here: bool = False
    view: ClubTableView = field(default_factory=ClubTableView)


@dataclass(frozen=True, slots=True)
class ClubNotice:
    """Something that the organiser should know; a code of the catalogue's group `club-notice` with its parts."""

    at: float
    code: str
    parts: Mapping[str, Any]


def match_id(round_: int, near: int, far: int) -> str:
    """The name of a match for its table: round and players, so that a mended pairing is another match."""
    return f"{round_}-{near}-{far}"


class Desk:
    """A club's desk over `store`. Safe to use from several threads; `clock` gives seconds since 1970."""

    def __init__(self, store: Store, feed: Feed, clock: Callable[[], float], wire: Wire | None = None) -> None:
        self.store = store
        self.feed = feed
        self.changed = Feed(clock)
        """Tells the organiser's pages that something is new."""
        self._clock = clock
        self._wire: Wire = wire or NoWire()
        self._lock = threading.RLock()
        self._companions: dict[str, Companion] = {}
        self._accounts: dict[str, None] = {}
        self._scores: dict[str, dict[str, tuple[int, int]]] = {}
        self._notices: deque[ClubNotice] = deque(maxlen=NOTICES_KEPT)
        self._records = [RecordedEvent(r.sequence, r.at, r.by, event_from_json(r.event)) for r in store.records()]
        self._state = state_after(self._records)
        self._changes = 0
        self._together = False
        self._show_all()

    # What is known

    @property
    def state(self) -> Tournament | None:
        return self._state

    @property
    def records(self) -> tuple[RecordedEvent, ...]:
        with self._lock:
            return tuple(self._records)

    @property
    def changes(self) -> int:
        """Counts what is new for the organiser's pages."""
        return self._changes

    @property
    def undone(self) -> frozenset[int]:
        return undone_in(self.records)

    @property
    def companions(self) -> Mapping[str, Companion]:
        with self._lock:
            return dict(self._companions)

    @property
    def accounts(self) -> tuple[str, ...]:
        return tuple(self._accounts)

    @property
    def troubles(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Tables that still play and need somebody, with codes of the catalogue's group `club-trouble`."""
        with self._lock:
            current = self._state.current if self._state else None
            if current is None:
                return ()
            found: list[tuple[int, tuple[str, ...]]] = []
            for pair in current.pairs:
                companion = self._companions.get(self.account_at(pair.table) or "")
                if companion is not None and pair.table not in current.results:
                    # What was seen last of one that is gone is no trouble of now.
                    found.append((pair.table, companion.view.trouble if companion.here else ("gone",)))
            return tuple((table, codes) for table, codes in found if codes)

    @property
    def notices(self) -> tuple[ClubNotice, ...]:
        with self._lock:
            return tuple(reversed(self._notices))

    def account_at(self, table: int) -> str | None:
        """The account of the companion at a table: the one placed there, else `t` and the table's number."""
        places = self._state.places if self._state else {}
        if table in places:
            return places[table]
        usual = f"t{table}"
        return usual if usual in self._accounts and usual not in places.values() else None

    def table_of(self, account: str) -> int | None:
        """The table that a companion serves."""
        places = self._state.places if self._state else {}
        for table, placed in places.items():
            if placed == account:
                return table
        number = account[1:]
        if account[:1] == "t" and number.isdigit() and self.account_at(int(number)) == account:
            return int(number)
        return None

    # What happens

    def connect(self, wire: Wire, accounts: tuple[str, ...]) -> None:
        """From now on the tables with these accounts are told through `wire`."""
        with self._lock:
            self._wire, self._accounts = wire, dict.fromkeys(accounts) | self._accounts
            self._tell_tables()
            self._show_all()

    def act(self, event: TournamentEvent, by: str = ORGANISER) -> int:
        """Does what `event` says; its sequence number.

        Raises `TournamentRefused`, or `Failure` where it cannot be stored.
        """
        with self._lock:
            happened = RecordedEvent(len(self._records) + 1, self._clock(), by, event)
            state = (
                after_undo(self._records, happened) if isinstance(event, EventUndone) else apply(self._state, happened)
            )
            self.store.record(Record(happened.sequence, happened.at, by, event_to_json(event)))
            self._records.append(happened)
            self._state = state
            if isinstance(event, Paired):
                self._walkovers(event)
            if not self._together:
                self._tell(event)
            return happened.sequence

    @contextmanager
    def together(self) -> Iterator[None]:
        """Many steps of which pages and tables are told once, at the end."""
        with self._lock:
            self._together = True
            try:
                yield
            finally:
                self._together = False
                self._tell_tables()
                self._show_all()

    def _tell(self, event: TournamentEvent) -> None:
        """Tells tables and screens what an event changes for them, and nothing else: a club may have a thousand."""
        state = self._state
        current = state.current if state else None
        if isinstance(event, _ABOUT_PLAYERS) and state is not None:
            self._tell_pages()
            self.feed.publish("club", club_part(state), state.settings.delay)
        elif isinstance(event, Reported | Withdrawn) and state is not None:
            self._tell_pages()
            self.feed.publish("club", club_part(state), state.settings.delay)
            if current is not None and current.number == event.round:
                self._show_table(event.table)
        else:
            self._tell_tables()
            self._show_all()

    def enter(self, name: str, *, checked_in: bool = False, by: str = ORGANISER) -> int:
        """Enters a player; the number."""
        return self.enter_all([name], checked_in=checked_in, by=by)[0]

    def enter_all(self, names: Sequence[str], *, checked_in: bool = False, by: str = ORGANISER) -> list[int]:
        """Enters players, and checks them in; their numbers. Where something of it is refused, nobody is entered."""
        with self._lock:
            first = max(self._state.players, default=0) + 1 if self._state else 1
            numbers = list(range(first, first + len(names)))
            events: list[TournamentEvent] = []
            for number, name in zip(numbers, names, strict=True):
                events += [Entered(number, name, secrets.token_urlsafe(12)), *([CheckedIn(number)] * checked_in)]
            state = self._state
            for event in events:
                # Tried before the first of them is written down.
                state = apply(state, RecordedEvent(0, 0.0, by, event))
            for event in events:
                self.act(event, by)
            return numbers

    def pair(self) -> int:
        """Pairs the next round. The computation of a large field takes seconds; the tables go on meanwhile."""
        state = self._state
        if state is None:
            raise TournamentRefused("not-opened")
        if state.current is not None and not state.current.complete:
            raise TournamentRefused(
                "round-on", n=sum(p.table not in state.current.results for p in state.current.pairs)
            )
        paired = pair_next(state)
        with self._lock:
            now = self._state
            if now is None or (now.settings, now.players, now.rounds) != (state.settings, state.players, state.rounds):
                # A result that was corrected pairs others.
                raise TournamentRefused("changed-meanwhile")
            return self.act(paired)

    def undo(self) -> int:
        """Takes back the organiser's last step that counts."""
        with self._lock:
            gone = undone_in(self._records)
            for happened in reversed(self._records):
                event = happened.event
                if happened.sequence in gone or isinstance(event, (EventUndone, Opened)):
                    continue
                if happened.by == ORGANISER:
                    return self.act(EventUndone(happened.sequence))
            raise TournamentRefused("undo-unknown")

    def _walkovers(self, event: Paired) -> None:
        """In a round robin whoever meets a player who has left wins without playing."""
        assert self._state is not None
        players, target = self._state.players, self._state.settings.target
        for pair in event.pairs:
            near, far = players[pair.near].plays, players[pair.far].plays
            if not (near and far):
                points = (target if near else 0, target if far else 0)
                how: How = "walkover" if near or far else "double-walkover"
                self.act(Reported(event.round, pair.table, *points, how=how, reason="dropped"), DESK)

    # What the tables say

    def table_shows(self, account: str, view: ClubTableView) -> None:
        with self._lock:
            self._met(account)
            before = self._companions.get(account, Companion(account))
            self._companions[account] = replace(before, view=view, here=True)
            self._show_table_of(account)
            if view.trouble != before.view.trouble:
                self._tell_pages()

    def _met(self, account: str) -> None:
        """A companion whose account another room's broker made is known from its first word on."""
        if account not in self._accounts and len(self._accounts) < ACCOUNTS_AT_MOST:
            self._accounts[account] = None
            self._wire.assign(account, self.assignment(account))

    def table_here(self, account: str, here: bool) -> None:
        with self._lock:
            self._met(account)
            before = self._companions.get(account, Companion(account))
            if before.here == here and account in self._companions:
                return
            self._companions[account] = replace(before, here=here)
            self._show_table_of(account)
            self._tell_pages()

    def table_played(self, account: str, log: str, sequence: int, told: Mapping[str, Any]) -> None:
        """Takes an entry that was stored: the score, and the result of a match that is over or is not any more."""
        match, near, far, winner = told.get("match"), told.get("near"), told.get("far"), told.get("winner")
        if not isinstance(match, str) or type(near) is not int or type(far) is not int:
            return
        with self._lock:
            found = self._match(match)
            if found is None:
                if winner is not None:
                    self.note("other-match", account=account, near=near, far=far)
                return
            round_, table = found
            if self._serves(account, table) and 0 <= near <= MOST_POINTS and 0 <= far <= MOST_POINTS:
                self._scores.setdefault(match, {})[account] = (near, far)
            before = round_.results.get(table)
            if winner is None and (before is None or before.by_hand):
                return
            if winner is not None and before is not None and (before.near, before.far) == (near, far):
                return
            if before is not None and before.by_hand:
                self.note("decided-by-hand", round=round_.number, table=table, near=near, far=far)
                return
            if self.account_at(table) != account:
                self.note("replaced-table", table=table, account=account, near=near, far=far)
                return
            event: TournamentEvent = (
                Withdrawn(round_.number, table, "the table took it back")
                if winner is None
                else Reported(round_.number, table, near, far, log=log, sequence=sequence)
            )
            try:
                self.act(event, account)
            except TournamentRefused as refused:
                self.note(refused.code, table=table, near=near, far=far)

    def _serves(self, account: str, table: int) -> bool:
        """Whether a companion serves a table or has served it: of a broken one the last may still come."""
        return account in (f"t{table}", self.account_at(table)) or any(
            isinstance(r.event, TablePlaced) and (r.event.table, r.event.account) == (table, account)
            for r in self._records
        )

    def _match(self, match: str) -> tuple[Round, int] | None:
        for round_ in reversed(self._state.rounds if self._state else ()):
            for pair in round_.pairs:
                if match_id(round_.number, pair.near, pair.far) == match:
                    return round_, pair.table
        return None

    def note(self, code: str, **parts: Any) -> None:
        """Tells the organiser; the same twice in a row is said once."""
        with self._lock:
            if self._notices and (self._notices[-1].code, self._notices[-1].parts) == (code, parts):
                return
            self._notices.append(ClubNotice(self._clock(), code, parts))
            self._tell_pages()

    # What the tables and screens are told

    def assignment(self, account: str) -> dict[str, Any]:
        """What a companion is to know: its match with names and target, or that it is its owner's again."""
        state = self._state
        table = self.table_of(account)
        free: dict[str, Any] = {"match": None, "club": state.settings.name if state else "", "table": table}
        if state is None or table is None or state.current is None or state.finished:
            return free | {"free": state is None or state.finished}
        pair = state.current.pair_at(table)
        if pair is None:
            return free | {"free": False}
        match = match_id(state.current.number, pair.near, pair.far)
        return {
            "match": match,
            "club": state.settings.name,
            "table": table,
            "round": state.current.number,
            "rounds": state.rounds_planned,
            "near": state.players[pair.near].name,
            "far": state.players[pair.far].name,
            "target": state.settings.target,
            "score": list(self._reached(match, table, account)),
            "free": False,
        }

    def _reached(self, match: str, table: int, account: str) -> tuple[int, int]:
        """From which score a companion goes on that takes a broken one's place: the furthest that any other of this
        table told or showed. What is shown may be here before the entry of it, which may still lie in the broken one's
        outbox."""
        told = [score for other, score in self._scores.get(match, {}).items() if other != account]
        shown = [
            (companion.view.near, companion.view.far)
            for other, companion in self._companions.items()
            if other != account and companion.view.match == match and self._serves(other, table)
        ]
        return max([*told, *shown], key=sum, default=(0, 0))

    def notice(self) -> dict[str, Any]:
        """What all tables are told."""
        state = self._state
        return {"until": state.clock if state else None, "text": state.announcement if state else ""}

    def _tell_tables(self) -> None:
        for account in self._accounts:
            self._wire.assign(account, self.assignment(account))
        self._wire.announce(self.notice())

    def _tell_pages(self) -> None:
        self._changes += 1
        self.changed.publish("changes", {"n": self._changes})

    def _show_all(self) -> None:
        self._tell_pages()
        state = self._state
        delay = state.settings.delay if state else 0
        self.feed.publish("club", club_part(state), delay)
        wanted = {f"table {p.table}": p.table for p in state.current.pairs} if state and state.current else {}
        for name in set(self._tables_shown) - set(wanted):
            self.feed.publish(name, None, delay)
        for table in wanted.values():
            self._show_table(table)
        self._tables_shown = tuple(wanted)

    _tables_shown: tuple[str, ...] = ()

    def _show_table_of(self, account: str) -> None:
        table = self.table_of(account)
        if table is not None and self._state and self._state.current and self._state.current.pair_at(table):
            self._show_table(table)

    def _show_table(self, table: int) -> None:
        state = self._state
        assert state is not None and state.current is not None
        pair = state.current.pair_at(table)
        assert pair is not None
        account = self.account_at(table)
        companion = self._companions.get(account) if account else None
        view = companion.view if companion else ClubTableView()
        result = state.current.results.get(table)
        if view.match != match_id(state.current.number, pair.near, pair.far):
            # What it shows is another match's: only its troubles are this table's.
            view = ClubTableView(trouble=view.trouble, at=view.at)
        score = (result.near, result.far) if result else (view.near, view.far)
        self.feed.publish(
            f"table {table}",
            {
                "table": table,
                "names": [state.players[pair.near].name, state.players[pair.far].name],
                "score": list(score),
                "target": state.settings.target,
                "theaters": [[t.theater, t.near, t.far, t.holder] for t in view.theaters] if result is None else [],
                "turn": view.turn if result is None else None,
                "phase": "over" if result else view.phase,
                "battle": view.battle,
                "trouble": [] if companion is not None and not companion.here else list(view.trouble),
                "companion": "none" if companion is None else "here" if companion.here else "gone",
                "result": None if result is None else {"halves": list(result.halves), "how": result.how},
                "at": view.at,
            },
            state.settings.delay,
        )

    def place(self, table: int, account: str) -> int:
        """Puts a companion at a table, in mid-round too."""
        if account not in self._accounts:
            raise TournamentRefused("no-account")
        return self.act(TablePlaced(table, account))
