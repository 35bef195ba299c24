"""The companions' accounts, as the organiser's pages need them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Companions:
    """The companions' accounts, as the organiser's pages need them. Without a broker of our own there are no codes."""

    codes: Callable[[], Mapping[str, str]] = dict
    """Account to join code."""
    more: Callable[[], None] | None = None
    """Makes one more account."""
    renew: Callable[[str], None] | None = None
    """Gives an account a new password."""
