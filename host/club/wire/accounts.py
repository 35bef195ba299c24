"""The accounts of a club: one for the desk, one for each table and for each other room's broker, kept with their
passwords for this person only.

A table's password, and a room's, is its invitation: like the others it holds for a day.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from engine.failure import BadInput
from host.club.wire.topics import parse_name
from host.kept_file import read_whole, write_kept
from host.web.invitations import HELD_SECONDS, running_clock

DESK: Final = "desk"
BRIDGE: Final = "bridge-"
"""How the account of another room's broker begins."""
MADE: Final = "made at"
"""The entry of the file that tells when each password was made; no account's name has a space."""
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that are taken for each other, for those who type a password."""
_LENGTH: Final = 20
"""Letters of a password: 99 bits."""


class Accounts:
    """The accounts in the file at `path`, which is made where it is missing. Raises `BadInput` (`bad-accounts`)."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = running_clock,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """The clocks are those of `ExpiringTokens`."""
        self._path, self._clock, self._wall = path, clock, wall
        self._passwords: dict[str, str] = {}
        self._made: dict[str, float] = {}
        self._ends: dict[str, float] = {}
        if path.exists():
            try:
                read = read_whole(path)
                # A file of an earlier version holds the passwords alone: their age is unknown.
                made = read.pop(MADE, {})
                self._passwords = {parse_name(a, "an account"): str(p) for a, p in read.items()}
                self._made = {name: float(made.get(name, 0.0)) for name in self._passwords}
                for name, at in self._made.items():
                    age = wall() - at
                    self._ends[name] = clock() + (HELD_SECONDS - age if age >= 0 else 0.0)
            except (OSError, BadInput, ValueError, TypeError, AttributeError) as error:
                raise BadInput(
                    "bad-accounts", f"{path} cannot be read: {error}.", "Remove it; tables then need new codes."
                ) from error
        self.make([DESK])

    @property
    def passwords(self) -> Mapping[str, str]:
        return dict(self._passwords)

    def tables(self) -> tuple[str, ...]:
        """The tables' accounts, in the order in which they were made."""
        return tuple(a for a in self._passwords if a != DESK and not a.startswith(BRIDGE))

    def bridges(self) -> tuple[str, ...]:
        """The accounts of other rooms' brokers."""
        return tuple(a for a in self._passwords if a.startswith(BRIDGE))

    def keep_bridges(self, names: Collection[str]) -> None:
        """Of the accounts of other rooms' brokers these alone are left, and made where they are missing."""
        gone = [name for name in self.bridges() if name not in names]
        for name in gone:
            del self._passwords[name], self._made[name], self._ends[name]
        if not self.make(names) and gone:
            self._write()

    def make(self, names: Iterable[str]) -> bool:
        """Makes the accounts that are not there yet; whether there were any."""
        new = [parse_name(name, "an account") for name in names if name not in self._passwords]
        for name in new:
            self._made[name], self._ends[name] = self._wall(), self._clock() + HELD_SECONDS
            self._passwords[name] = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        if new:
            self._write()
        return bool(new)

    def renew(self, name: str) -> None:
        """A new password for an account whose code was lost: the old one is refused from now on."""
        self._passwords.pop(name, None)
        self.make([name])

    def renew_ending(self, within: float = 0.0) -> tuple[str, ...]:
        """New passwords for all accounts but the desk's whose passwords end within so many seconds; which accounts."""
        ended = tuple(a for a in self._passwords if a != DESK and self._clock() + within >= self._ends[a])
        for name in ended:
            self._passwords.pop(name)
        self.make(ended)
        return ended

    def _write(self) -> None:
        write_kept(self._path, {**self._passwords, MADE: self._made})
