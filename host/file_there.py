"""Whether something lies at a path. `pathlib` raises where the system does not say: a folder of somebody else, a name
that is too long. Here that counts as nothing there; whoever opens it then is told why it cannot be."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def is_there(path: str | Path) -> bool:
    """Whether anything lies there that may be looked at."""
    with suppress(OSError):
        return Path(path).exists()
    return False


def is_file_there(path: str | Path) -> bool:
    """Whether a file lies there that may be looked at."""
    with suppress(OSError):
        return Path(path).is_file()
    return False
