"""Small JSON files that the program keeps for itself: read with a limit, and damage is named and set aside."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from engine.failure import BadInput

LONGEST: Final = 1 << 20
"""Bytes; what the program keeps is far below."""

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


def read_kept(path: Path, parsed: Callable[[Any], T], instead: str) -> T | None:
    """What `parsed` makes of the file; None where there is none, or where it is damaged: then the file is set aside,
    and a line on standard error says so and what is done `instead`. `parsed` may raise what broken contents lead to.
    """
    try:
        return parsed(read_json(path))
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
