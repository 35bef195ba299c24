"""Who may open which of the desk's pages.

On loopback whoever reaches the page sits at the desk. Opened to the network, the organiser and the screens come with
a link, and a player's own code opens nothing but that player's check-in.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from host.kept_file import read_kept, write_kept
from host.web.invitations import ExpiringTokens, running_clock

ClubRole: TypeAlias = Literal["organiser", "screen"]
ClubInvitation: TypeAlias = Literal["organiser", "screen", "entrance"]

ROLES: Final[tuple[ClubRole, ...]] = ("organiser", "screen")
INVITATIONS: Final[tuple[ClubInvitation, ...]] = ("organiser", "screen", "entrance")
COOKIE: Final = "allfronts_club"
SHORTEST: Final = 20
"""Letters of a token and bytes of the secret that are kept."""


@dataclass(frozen=True, slots=True)
class DeskAccess:
    """The desk's invitations, which hold for a day. `entrance` lets people enter themselves; it opens nothing else."""

    opened: bool
    tokens: ExpiringTokens[ClubInvitation]
    secret: bytes = field(repr=False)

    @property
    def entrance(self) -> str:
        return self.tokens["entrance"]

    def role_of(self, token: str | None) -> ClubRole | None:
        """Whom the token invites. On loopback everybody without a token is the organiser; else None is turned away."""
        if token:
            for role in ROLES:
                if hmac.compare_digest(self.tokens[role].encode(), token.encode()):
                    return role
        return None if self.opened else "organiser"

    def csrf(self, scope: str) -> str:
        """What a form of that scope (a role, or a player's code) sends along."""
        return hmac.new(self.secret, scope.encode(), hashlib.sha256).hexdigest()

    def csrf_holds(self, scope: str, sent: str | None) -> bool:
        return sent is not None and hmac.compare_digest(self.csrf(scope).encode(), sent.encode())

    def is_entrance(self, token: str) -> bool:
        return hmac.compare_digest(self.entrance.encode(), token.encode())


def load_access(
    path: Path,
    opened: bool,
    told: Callable[[], None] = lambda: None,
    *,
    clock: Callable[[], float] = running_clock,
    wall: Callable[[], float] = time.time,
) -> DeskAccess:
    """The invitations kept at `path` (for this person only), so that screens find back after a restart of the same
    day. `told` is called where one was made anew; the clocks are those of `ExpiringTokens`."""

    def keep() -> None:
        _write(path, access)
        told()

    def kept(read: Any) -> DeskAccess:
        tokens: dict[ClubInvitation, str] = {name: str(read[name]) for name in INVITATIONS}
        # Of a file without them the age is unknown: such invitations are made anew.
        made = {name: float(read.get("made", {}).get(name, 0.0)) for name in INVITATIONS}
        invitations = ExpiringTokens(INVITATIONS, tokens, changed=keep, made=made, clock=clock, wall=wall)
        found = DeskAccess(opened, invitations, bytes.fromhex(read["secret"]))
        if min(map(len, (*tokens.values(), found.secret))) < SHORTEST:
            raise ValueError("short key")
        return found

    access = read_kept(path, kept, "Invitations are made anew: invite the screens again.") or DeskAccess(
        opened, ExpiringTokens(INVITATIONS, changed=keep, clock=clock, wall=wall), secrets.token_bytes(32)
    )
    # Those of an earlier day were made anew as they were read.
    _write(path, access)
    return access


def _write(path: Path, access: DeskAccess) -> None:
    # Looking at a token makes one that has ended anew, so when they were made is asked after.
    tokens = {str(name): token for name, token in access.tokens.items()}
    made = {name: access.tokens.made(name) for name in INVITATIONS}
    write_kept(path, {**tokens, "secret": access.secret.hex(), "made": made})
