"""The invitations of a table: a token for each role, who came in with it last, and a new one for the asking."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator, Mapping

from host.web.roles import ROLES, Role


def _token() -> str:
    return secrets.token_urlsafe(18)


class Invitations(Mapping[Role, str]):
    """The token of each role. Safe to use from several threads."""

    def __init__(
        self,
        tokens: Mapping[Role, str] | None = None,
        taken: Mapping[Role, float] | None = None,
        changed: Callable[[Invitations], None] = lambda invitations: None,
    ) -> None:
        """`taken` tells when each was last used, seconds since 1970; `changed` is called so that they can be kept."""
        self._lock = threading.Lock()
        self._tokens = {role: _token() for role in ROLES} if tokens is None else {r: tokens[r] for r in ROLES}
        self._taken = dict(taken or {})
        self._changed = changed

    def __getitem__(self, role: Role) -> str:
        with self._lock:
            return self._tokens[role]

    def __iter__(self) -> Iterator[Role]:
        return iter(ROLES)

    def __len__(self) -> int:
        return len(ROLES)

    def __repr__(self) -> str:
        # Tokens are in no log.
        return "Invitations(…)"

    def taken(self, role: Role) -> float | None:
        """When somebody last came in with it, seconds since 1970; None for an invitation that nobody has used."""
        with self._lock:
            return self._taken.get(role)

    def joined(self, role: Role, at: float) -> None:
        """Somebody came in with the invitation for `role`."""
        with self._lock:
            self._taken[role] = at
        self._changed(self)

    def renew(self, role: Role) -> None:
        """Another token for `role`: whoever came in with the one before is out."""
        with self._lock:
            self._tokens[role] = _token()
            self._taken.pop(role, None)
        self._changed(self)
