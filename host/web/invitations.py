"""Invitations: a token for each role, until when it holds, who came in with it last, and a new one for the asking."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Generic, TypeVar

from host.web.roles import ROLES, Role

R = TypeVar("R", bound=str)

HELD_SECONDS: Final = 24 * 3600.0
"""An invitation is for one evening: whoever had one last week has none today."""
RENEWED_AT_START_SECONDS: Final = 12 * 3600.0
"""A program that starts makes older ones anew, so that none ends while people play."""


def running_clock() -> float:
    """Seconds that go on while the machine sleeps and do not jump when its clock is set."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def _token() -> str:
    return secrets.token_urlsafe(18)


class ExpiringTokens(Mapping[R, str], Generic[R]):
    """The token of each role; one that has ended is replaced when it is next looked at. Safe for several threads."""

    def __init__(
        self,
        roles: Sequence[R],
        tokens: Mapping[R, str] | None = None,
        taken: Mapping[R, float] | None = None,
        changed: Callable[[], None] = lambda: None,
        *,
        made: Mapping[R, float] | None = None,
        clock: Callable[[], float] = running_clock,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`taken` tells when each was last used and `made` when it was made (now, where that is unknown), seconds since
        1970; `changed` is called so that they can be kept, by one thread at a time. One that is too old, or from the
        future, is made anew."""
        self._roles = tuple(roles)
        self._lock = threading.Lock()
        self._keeping = threading.RLock()
        """Held while they are kept, so that what is written last holds. Looking at one can make it anew then."""
        self._clock, self._wall = clock, wall
        self._changed = changed
        self._tokens: dict[R, str] = {}
        self._made: dict[R, float] = {}
        self._taken = dict(taken or {})
        self._end: dict[R, float] = {}
        for role in self._roles:
            age = wall() - (made or {}).get(role, wall())
            if tokens is None or not 0 <= age < RENEWED_AT_START_SECONDS:
                self._make(role)
            else:
                self._tokens[role], self._made[role] = tokens[role], wall() - age
                self._end[role] = clock() + HELD_SECONDS - age

    def _make(self, role: R) -> None:
        self._tokens[role], self._made[role] = _token(), self._wall()
        self._end[role] = self._clock() + HELD_SECONDS
        self._taken.pop(role, None)

    def _keep(self) -> None:
        with self._keeping:
            self._changed()

    def __getitem__(self, role: R) -> str:
        with self._lock:
            ended = self._clock() >= self._end[role]
            if ended:
                self._make(role)
            token = self._tokens[role]
        if ended:
            self._keep()
        return token

    def __iter__(self) -> Iterator[R]:
        return iter(self._roles)

    def __len__(self) -> int:
        return len(self._roles)

    def __repr__(self) -> str:
        # Tokens are in no log.
        return f"{type(self).__name__}(…)"

    def taken(self, role: R) -> float | None:
        """When somebody last came in with it, seconds since 1970; None for an invitation that nobody has used."""
        with self._lock:
            return self._taken.get(role)

    def made(self, role: R) -> float:
        """When it was made, seconds since 1970."""
        with self._lock:
            return self._made[role]

    def ends(self, role: R) -> float:
        """Until when it holds, seconds since 1970 by the machine's clock as it was set when it was made."""
        return self.made(role) + HELD_SECONDS

    def joined(self, role: R, at: float) -> None:
        """Somebody came in with the invitation for `role`."""
        with self._lock:
            self._taken[role] = at
        self._keep()

    def renew(self, role: R) -> None:
        """Another token for `role`: whoever came in with the one before is out."""
        with self._lock:
            self._make(role)
        self._keep()


class Invitations(ExpiringTokens[Role]):
    """The invitations of a table."""

    def __init__(
        self,
        tokens: Mapping[Role, str] | None = None,
        taken: Mapping[Role, float] | None = None,
        changed: Callable[[Invitations], None] = lambda invitations: None,
        *,
        made: Mapping[Role, float] | None = None,
        clock: Callable[[], float] = running_clock,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """As `ExpiringTokens`; `changed` is given what to keep."""
        super().__init__(ROLES, tokens, taken, lambda: changed(self), made=made, clock=clock, wall=wall)
