"""Who may do what at the table, and how a page proves who it is.

On loopback whoever reaches the page sits at this machine and owns the table. Opened to the network, nothing is
served without an invitation: a link with a token, shown as a QR code, that a phone exchanges for a cookie.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import socket
from dataclasses import dataclass, field
from typing import Final

from host.web.invitations import Invitations
from host.web.roles import ROLES, Role

COOKIE: Final = "allfronts_seat"
CSRF_HEADER: Final = "X-Table-Token"
LOOPBACK: Final = "127.0.0.1"
THIS_MACHINE: Final = (LOOPBACK, "localhost", "[::1]")
"""How this machine names itself in a Host header."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may come in. `opened` says whether an invitation is needed; without one, everybody owns the table."""

    opened: bool = False
    tokens: Invitations = field(default_factory=Invitations, repr=False)
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def role_of(self, token: str | None) -> Role | None:
        """Whom the token invites; on loopback everybody without one is the owner; None is turned away."""
        if token:
            for role in ROLES:
                if hmac.compare_digest(self.tokens[role].encode(), token.encode()):
                    return role
        return None if self.opened else "owner"

    def csrf(self, role: Role) -> str:
        """What a page of that role must send along with everything that changes something."""
        return hmac.new(self.secret, role.encode(), hashlib.sha256).hexdigest()

    def csrf_holds(self, role: Role, sent: str | None) -> bool:
        return sent is not None and hmac.compare_digest(self.csrf(role).encode(), sent.encode())


def lan_address() -> str | None:
    """The numeric address under which phones on the same network reach this machine, or None without a network.

    Opening a datagram socket sends nothing; it makes the system choose the interface.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") else address


def hosts(port: int, address: str | None) -> frozenset[str]:
    """Host headers that are answered. Anything else is another site's name pointed at this machine."""
    names = [*THIS_MACHINE, *([address] if address else [])]
    return frozenset({f"{name}:{port}" for name in names} | ({*names} if port == 80 else set()))


__all__ = [
    "COOKIE",
    "CSRF_HEADER",
    "LOOPBACK",
    "ROLES",
    "THIS_MACHINE",
    "Access",
    "Invitations",
    "Role",
    "hosts",
    "lan_address",
]
