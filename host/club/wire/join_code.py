"""The code that a table joins with, as a QR code and as text: where the broker is, which account, and whom to trust."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from engine.failure import BadInput
from host.club.wire.topics import parse_name

TLS_PORT: Final = 8883
PLAIN_PORT: Final = 1883
_FINGERPRINT: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_HOST: Final = re.compile(r"[A-Za-z0-9.:_-]{1,253}")


@dataclass(frozen=True, slots=True)
class JoinCode:
    """`mqtts://account:password@host:port/club#fingerprint`; `mqtt://` without TLS, for a broker on the same machine.

    Without a fingerprint the certificate must be one that the system trusts.
    """

    host: str
    port: int
    club: str
    account: str
    password: str = field(repr=False)
    tls: bool = True
    fingerprint: str | None = None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        text = f"{'mqtts' if self.tls else 'mqtt'}://{self.account}:{quote(self.password, safe='')}@{host}:{self.port}"
        return f"{text}/{self.club}" + (f"#{self.fingerprint}" if self.fingerprint else "")


def parse_join_code(text: str) -> JoinCode:
    """The code in `text`; raises `BadInput` (`bad-code`)."""
    try:
        parts = urlsplit(text.strip())
        tls = {"mqtts": True, "mqtt": False}[parts.scheme]
        host, account = parts.hostname or "", unquote(parts.username or "")
        password = unquote(parts.password or "")
        # The other parts cannot hold a line break; a password with one would write further lines into the settings of
        # the broker that it is for.
        if not _HOST.fullmatch(host) or not password or not password.isprintable():
            raise ValueError
        if parts.fragment and not _FINGERPRINT.fullmatch(parts.fragment):
            raise ValueError
        return JoinCode(
            host,
            parts.port or (TLS_PORT if tls else PLAIN_PORT),
            parse_name(parts.path.strip("/"), "a club"),
            parse_name(account, "an account"),
            password,
            tls,
            parts.fragment or None,
        )
    except (ValueError, KeyError, BadInput) as error:
        raise BadInput(
            "bad-code",
            "This is no code to join a club with.",
            "Copy the whole text under the QR code of the table: it begins with mqtts://",
        ) from error
