"""Files that the program keeps for itself: written whole, for this person only; read with a limit, and damage is named
and set aside. Records are JSON with a checksum."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from engine.failure import BadInput

LONGEST: Final = 1 << 20
"""Bytes; what the program keeps is far below."""

CHECKSUM: Final = "checksum"
"""The key of the SHA-256 over everything else: what is still JSON after damage is noticed too."""

T = TypeVar("T")


def read_json(path: Path) -> Any:
    """What a file says; raises `FileNotFoundError`, or `BadInput` (`damaged-file`) with file and remedy."""
    data = read_bytes(path, LONGEST)
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, "nested too deeply" if isinstance(error, RecursionError) else error) from error


def read_bytes(path: Path, most: int) -> bytes:
    """What is in a file; raises `FileNotFoundError`, or `BadInput` (`damaged-file`) where it cannot be read or is
    longer than `most`."""
    try:
        if path.exists() and not path.is_file():
            # A pipe or a device would be waited for.
            raise ValueError("it is no file")
        with path.open("rb") as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise ValueError("it is too long")
        return data
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise _unreadable(path, getattr(error, "strerror", None) or error) from error


def _unreadable(path: Path, why: object) -> BadInput:
    return BadInput("damaged-file", f"{path} cannot be read: {why}.", "Mend or remove the file.")


def write_kept(path: Path, record: Mapping[str, Any]) -> None:
    """Writes the whole record or nothing, readable by this person only; raises `OSError` where that cannot be."""
    text = json.dumps({CHECKSUM: _checksum(record), **record}, ensure_ascii=False, indent=1)
    write_bytes(path, (text + "\n").encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Writes all of it or nothing, readable by this person only; raises `OSError` where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            # On the disk before it takes the old one's place: a machine that loses power keeps one of the two whole.
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        with suppress(OSError):
            fresh.unlink()


def read_whole(path: Path) -> dict[str, Any]:
    """What `write_kept` wrote; raises `FileNotFoundError`, or `BadInput` (`damaged-file`) for anything else."""
    read = read_json(path)
    if not isinstance(read, dict) or read.pop(CHECKSUM, None) != _checksum(read):
        raise BadInput("damaged-file", f"{path} is not as it was written.", "Remove the file.")
    return read


def _checksum(record: Mapping[str, Any]) -> str:
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read_kept(path: Path, parsed: Callable[[Any], T], instead: str) -> T | None:
    """What `parsed` makes of what `write_kept` wrote; None where there is no file, or where it is not as it was
    written: then it is set aside, and a line on standard error says so and what is done `instead`. `parsed` may raise
    what broken contents lead to.
    """
    try:
        return parsed(read_whole(path))
    except FileNotFoundError:
        return None
    except (BadInput, ValueError, KeyError, TypeError, AttributeError, OverflowError):
        set_aside(path, instead)
        return None


def set_aside(path: Path, instead: str) -> None:
    """Puts a damaged file beside where it lay; a line on standard error says so and what is done `instead`."""
    aside = path.with_name(f"{path.name}.damaged-{secrets.token_hex(3)}")
    try:
        path.rename(aside)
        where = f"It lies beside as {aside.name}."
    except OSError as error:
        where = f"It cannot be set aside ({error.strerror})."
    sys.stderr.write(f"allfronts: {path} is damaged. {where} {instead}\n")
