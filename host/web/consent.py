"""Consent: what changes the game for both players waits until those whom it concerns have agreed on their own phones.

A request belongs to the entry that its page showed. It ends when it is answered, taken back, when the table moves on,
or when nobody answers in time; in all of these but an agreement nothing is changed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from engine.names import SEATS
from host.messages.message import Message
from host.web.roles import Role

ANSWER_SECONDS: Final = 60.0
Said: TypeAlias = Literal["yes", "no", "stop"]
ConsentOutcome: TypeAlias = Literal["open", "agreed", "declined", "stopped", "lapsed", "moved-on"]


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A request and what came of it. `what` says what would change."""

    number: int
    by: Role
    action: str
    what: tuple[Message, ...]
    war: str
    entry: int
    needed: frozenset[Role]
    """Whose answer is still missing."""
    outcome: ConsentOutcome = "open"
    answered_by: Role | None = None
    """Who declined."""


def deciders(by: Role, present: frozenset[Role]) -> frozenset[Role]:
    """Who else has to agree to what `by` asks for: the seats that have a phone of their own.

    The table's owner speaks for each seat that has none. Where nobody else is there, it is empty.
    """
    needed: set[Role] = set()
    for seat in SEATS:
        if seat == by:
            continue
        if seat in present:
            needed.add(seat)
        elif by != "owner" and "owner" in present:
            needed.add("owner")
    return frozenset(needed)


def _call_later(seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer.cancel


class Consent:
    """The one request that may be open. Safe to use from several threads."""

    def __init__(
        self,
        present: Callable[[], frozenset[Role]],
        changed: Callable[[], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        later: Callable[[float, Callable[[], None]], Callable[[], None]] = _call_later,
    ) -> None:
        """`present` are the roles whose pages are open now; `changed` is called after every change, without a lock.

        `later` calls something after so many seconds, and gives what calls that off.
        """
        self._present, self._changed = present, changed
        self._clock, self._later = clock, later
        self._lock = threading.Lock()
        self._asked: AskedFor | None = None
        self._do: Callable[[], None] = lambda: None
        self._ends = 0.0
        self._call_off: Callable[[], None] = lambda: None

    @property
    def asked(self) -> AskedFor | None:
        """The newest request, also after it has ended."""
        with self._lock:
            return self._asked

    def deciders(self, by: Role) -> frozenset[Role]:
        """See `deciders`."""
        return deciders(by, self._present())

    def ask(self, asked: AskedFor, do: Callable[[], None]) -> bool:
        """Asks those in `asked.needed`; `do` is called once all have agreed. False where another request is open."""
        with self._lock:
            if self._asked is not None and self._asked.outcome == "open":
                return False
            self._asked = replace(asked, number=self._asked.number + 1 if self._asked else 1)
            self._do, self._ends = do, self._clock() + ANSWER_SECONDS
            number = self._asked.number
            self._call_off = self._later(ANSWER_SECONDS, lambda: self.lapse(number))
        self._changed()
        return True

    def answer(self, role: Role, number: int, said: Said) -> bool:
        """Returns False where that role has nothing to say to that request any more.

        Raises whatever doing it raises, once all have agreed.
        """
        with self._lock:
            asked = self._asked
            if asked is None or asked.number != number or asked.outcome != "open":
                return False
            if said == "stop" and role == asked.by:
                asked = replace(asked, outcome="stopped")
            elif role not in asked.needed or said == "stop":
                return False
            elif self._clock() >= self._ends:
                asked = replace(asked, outcome="lapsed")
            elif said == "no":
                asked = replace(asked, outcome="declined", answered_by=role)
            else:
                left = asked.needed - {role}
                asked = replace(asked, needed=left, outcome="open" if left else "agreed")
            self._become(asked)
            do = self._do if asked.outcome == "agreed" else None
            lapsed = asked.outcome == "lapsed"
        try:
            if do is not None:
                do()
        finally:
            self._changed()
        return not lapsed

    def lapse(self, number: int) -> None:
        """Nobody has answered in time."""
        self._end(number, "lapsed")

    def moved(self, war: str, entry: int) -> None:
        """The table stands at that entry now: a request about another one is settled. Called with the session held."""
        with self._lock:
            asked = self._asked
            if asked is not None and asked.outcome == "open" and (asked.war, asked.entry) != (war, entry):
                self._become(replace(asked, outcome="moved-on"))

    def _become(self, asked: AskedFor) -> None:
        """With the lock held. A request that has ended is waited for no more."""
        self._asked = asked
        if asked.outcome != "open":
            self._call_off()

    def _end(self, number: int, outcome: ConsentOutcome) -> None:
        with self._lock:
            if self._asked is None or self._asked.number != number or self._asked.outcome != "open":
                return
            self._become(replace(self._asked, outcome=outcome))
        self._changed()
