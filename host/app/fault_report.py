"""What is kept of a fault of this program: where it happened, and nothing of what the program was working on."""

from __future__ import annotations

import contextlib
import traceback
from pathlib import Path
from typing import Final

from host.kept_file import write_bytes

_ROOT: Final = Path(__file__).resolve().parents[2]


def fault_report(error: BaseException) -> str:
    """The kinds of the errors and the lines of code that led there, the first cause first.

    The errors' own messages are left out: they can hold a card, a token or a piece of a picture.
    """
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    lines: list[str] = []
    for one in reversed(chain):
        lines.append(f"{type(one).__module__}.{type(one).__qualname__}")
        for frame in traceback.extract_tb(one.__traceback__):
            path = Path(frame.filename)
            shown = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(*path.parts[-2:])
            lines.append(f"  {shown}:{frame.lineno} {frame.name}: {frame.line}")
    return "\n".join(lines) + "\n"


def keep_fault(path: Path, error: BaseException) -> None:
    """Writes the report, readable by this person only. Where it cannot be written there is none."""
    with contextlib.suppress(OSError):
        write_bytes(path, fault_report(error).encode(errors="backslashreplace"))
