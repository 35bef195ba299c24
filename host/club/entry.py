"""An entry of a table's log as the desk stores it, and the hash chain that ties each entry to the one before.

The chain is a linked time-stamp (Haber and Stornetta, 1991): the digest of an entry covers the log's name, the
sequence number, the digest before it and the body, so an entry cannot be left out, put in or changed unnoticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.failure import BadInput

LONGEST_BODY: Final = 16_384
"""Characters of one entry's body; a move is a tenth of it."""
LONGEST_NAME: Final = 64
GENESIS: Final = "0" * 64
"""What the first entry of a log names as the digest before it."""
LAST_SEQUENCE: Final = 2**53


@dataclass(frozen=True, slots=True)
class ClubEntry:
    """One entry. `body` is canonical JSON text; `previous` and `digest` are 64 hexadecimal digits."""

    log: str
    sequence: int
    previous: str
    digest: str
    body: str

    @property
    def content(self) -> Mapping[str, Any]:
        """The body as it was before it was written."""
        read: Mapping[str, Any] = json.loads(self.body)
        return read


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a log that is stored; sequence 0 where there is none yet."""

    sequence: int = 0
    digest: str = GENESIS


def canonical(body: Mapping[str, Any]) -> str:
    """`body` as JSON with one spelling only, so that equal contents have equal digests."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest_of(log: str, sequence: int, previous: str, body: str) -> str:
    """SHA-256 over the log's name, the sequence number, the digest before and the body, as hexadecimal digits."""
    return hashlib.sha256(json.dumps([log, sequence, previous, body]).encode()).hexdigest()


def following(log: str, head: Head, body: Mapping[str, Any]) -> ClubEntry:
    """The entry that continues a log after `head`."""
    text = canonical(body)
    sequence = head.sequence + 1
    return ClubEntry(log, sequence, head.digest, digest_of(log, sequence, head.digest, text), text)


def entry_to_json(entry: ClubEntry) -> dict[str, Any]:
    """An entry as it travels; the log's name stands once in the message around it."""
    return {"n": entry.sequence, "p": entry.previous, "d": entry.digest, "b": entry.body}


def entry_from_json(log: str, read: object) -> ClubEntry:
    """An entry from a message. Raises `BadInput` (`bad-entry`) where its shape is wrong; the chain is not checked."""
    if isinstance(read, dict):
        sequence, previous, digest, body = (read.get(key) for key in "npdb")
        if (
            type(sequence) is int
            and 1 <= sequence < LAST_SEQUENCE
            and all(isinstance(text, str) and len(text) == len(GENESIS) for text in (previous, digest))
            and isinstance(body, str)
            and len(body) <= LONGEST_BODY
            and "\0" not in body
        ):
            try:
                # Half a surrogate pair is a character to JSON and none to UTF-8, in which everything is stored.
                body.encode()
                if isinstance(json.loads(body), dict):
                    return ClubEntry(log, sequence, str(previous), str(digest), body)
            except (ValueError, RecursionError):
                pass
    raise BadInput("bad-entry", f"A message of {log} holds an entry that is none.", "Update that table's program.")


def log_name(read: object) -> str:
    """A log's name from a message; raises `BadInput` (`bad-log`)."""
    if isinstance(read, str) and 1 <= len(read) <= LONGEST_NAME and read.isascii() and read.isprintable():
        return read
    raise BadInput("bad-log", "A message names no log.", "Update that table's program.")
