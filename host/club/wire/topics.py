"""The topics of one club. What a table may write lies below its own account, so that one rule guards it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from engine.failure import BadInput

FromTable: TypeAlias = Literal["entries", "state", "status"]
FROM_TABLE: Final[tuple[FromTable, ...]] = get_args(FromTable)
"""entries: what is not acknowledged. state: what everybody at the table sees, retained. status: here, or gone by last
will, retained."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_PREFIX: Final = "allfronts"


def parse_name(text: str, what: str) -> str:
    """A club's or account's name; raises `BadInput` (`bad-name`)."""
    if _NAME.fullmatch(text):
        return text
    raise BadInput("bad-name", f"{text!r} cannot name {what}.", "Use up to 32 of a-z, 0-9 and -, such as north-1.")


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of the club of that name."""

    club: str

    @property
    def root(self) -> str:
        return f"{_PREFIX}/{self.club}"

    def table(self, account: str, kind: FromTable) -> str:
        """Written by the table."""
        return f"{self.root}/t/{account}/{kind}"

    def acknowledged(self, account: str) -> str:
        """Written by the desk, retained: how far the account's log is stored."""
        return f"{self.root}/ack/{account}"

    def assignment(self, account: str) -> str:
        """Written by the desk, retained: whom the table serves in this round."""
        return f"{self.root}/match/{account}"

    @property
    def notice(self) -> str:
        """Written by the desk for everybody, retained: round clock and announcement."""
        return f"{self.root}/notice"

    @property
    def from_tables(self) -> str:
        """What the desk listens to."""
        return f"{self.root}/t/+/+"

    def for_table(self, account: str) -> tuple[str, ...]:
        """What a table listens to."""
        return (self.acknowledged(account), self.assignment(account), self.notice)

    def sender(self, topic: str) -> tuple[str, FromTable] | None:
        """The account and kind of a table's topic; None for any other."""
        parts = topic.split("/")
        if len(parts) != 5 or parts[:3] != [_PREFIX, self.club, "t"] or not _NAME.fullmatch(parts[3]):
            return None
        kind = next((k for k in FROM_TABLE if k == parts[4]), None)
        return None if kind is None else (parts[3], kind)
