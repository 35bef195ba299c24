"""The accounts of a club: one for the desk, one for each table, kept with their passwords for this person only."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from engine.failure import BadInput
from host.club.wire.topics import parse_name
from host.kept_file import read_whole, write_kept

DESK: Final = "desk"
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that are taken for each other, for those who type a password."""
_LENGTH: Final = 20
"""Letters of a password: 99 bits."""


class Accounts:
    """The accounts in the file at `path`, which is made where it is missing. Raises `BadInput` (`bad-accounts`)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._passwords: dict[str, str] = {}
        if path.exists():
            try:
                self._passwords = {parse_name(a, "an account"): str(p) for a, p in read_whole(path).items()}
            except (OSError, BadInput) as error:
                raise BadInput(
                    "bad-accounts", f"{path} cannot be read: {error}.", "Remove it; tables then need new codes."
                ) from error
        self.make([DESK])

    @property
    def passwords(self) -> Mapping[str, str]:
        return dict(self._passwords)

    def tables(self) -> tuple[str, ...]:
        """The tables' accounts, in the order in which they were made."""
        return tuple(a for a in self._passwords if a != DESK and not a.startswith("bridge-"))

    def make(self, names: Iterable[str]) -> bool:
        """Makes the accounts that are not there yet; whether there were any."""
        new = [parse_name(name, "an account") for name in names if name not in self._passwords]
        for name in new:
            self._passwords[name] = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        if new:
            self._write()
        return bool(new)

    def renew(self, name: str) -> None:
        """A new password for an account whose code was lost: the old one is refused from now on."""
        self._passwords.pop(name, None)
        self.make([name])

    def _write(self) -> None:
        write_kept(self._path, self._passwords)
