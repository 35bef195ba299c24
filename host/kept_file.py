"""Small JSON files that the program keeps for itself: written whole with a checksum, for this person only; read with a
limit, and damage is named and set aside."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
from collections.abc import Callable, Mapping
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
    try:
        if path.exists() and not path.is_file():
            # A pipe or a device would be waited for.
            raise ValueError("it is no file")
        with path.open("rb") as file:
            data = file.read(LONGEST + 1)
        if len(data) > LONGEST:
            raise ValueError("it is too long")
        return json.loads(data)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or ("nested too deeply" if isinstance(error, RecursionError) else error)
        raise BadInput("damaged-file", f"{path} cannot be read: {why}.", "Mend or remove the file.") from error


def write_kept(path: Path, record: Mapping[str, Any]) -> None:
    """Writes the whole record or nothing, readable by this person only; raises `OSError` where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{secrets.token_hex(4)}")
    text = json.dumps({CHECKSUM: _checksum(record), **record}, ensure_ascii=False, indent=1)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text + "\n")
    fresh.replace(path)


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
        aside = path.with_name(f"{path.name}.damaged-{secrets.token_hex(3)}")
        try:
            path.rename(aside)
            where = f"It lies beside as {aside.name}."
        except OSError as error:
            where = f"It cannot be set aside ({error.strerror})."
        sys.stderr.write(f"allfronts: {path} is damaged. {where} {instead}\n")
        return None
