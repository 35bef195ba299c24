"""Who may open which of the desk's pages.

On loopback whoever reaches the page sits at the desk. Opened to the network, the organiser and the screens come with
a link, and a player's own code opens nothing but that player's check-in.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from host.kept_file import read_kept, write_kept

ClubRole: TypeAlias = Literal["organiser", "screen"]

ROLES: Final[tuple[ClubRole, ...]] = ("organiser", "screen")
COOKIE: Final = "allfronts_club"


@dataclass(frozen=True, slots=True)
class DeskAccess:
    """The desk's invitations. `entrance` lets people enter themselves; it opens nothing else."""

    opened: bool
    tokens: Mapping[ClubRole, str]
    entrance: str
    secret: bytes

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


def load_access(path: Path, opened: bool) -> DeskAccess:
    """The invitations kept at `path` (for this person only), so that screens find back after a restart."""

    def kept(read: Any) -> DeskAccess:
        tokens: dict[ClubRole, str] = {role: str(read[role]) for role in ROLES}
        access = DeskAccess(opened, tokens, str(read["entrance"]), bytes.fromhex(read["secret"]))
        if min(map(len, (*tokens.values(), access.entrance, access.secret))) < 20:
            raise ValueError("short key")
        return access

    found = read_kept(path, kept, "Invitations are made anew: invite the screens again.")
    if found is not None:
        return found
    made = DeskAccess(
        opened, {role: secrets.token_urlsafe(18) for role in ROLES}, secrets.token_urlsafe(18), secrets.token_bytes(32)
    )
    write_kept(path, dict(made.tokens) | {"entrance": made.entrance, "secret": made.secret.hex()})
    return made
