"""The deck that a folder held before another is learnt into it: kept beside the folder, under a numbered name."""

from __future__ import annotations

import filecmp
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from engine.failure import BadInput
from engine.names import CARDS, THEATERS
from host.file_there import is_there
from host.messages.command_text import command_text
from vision.enrolment.proof import Learnt

PROFILE: Final = "profile.json"
PICTURES: Final = (*(f"{card}.png" for card in CARDS), "back.png", *(f"board-{theater}.png" for theater in THEATERS))
ALL: Final = (PROFILE, *PICTURES, "sheet.png", "about.json")
"""The files of a deck; what else lies in its folder, such as the photographs, stays there."""
MOST: Final = 1000


def save_learnt(learnt: Learnt, folder: str | Path) -> Path | None:
    """Writes the learnt deck into `folder`; what other deck lay there is returned as the folder where it is kept.

    Raises `BadInput` (`deck-not-written`) where that cannot be; the deck that lay there is then whole in its copy.
    """
    folder = Path(folder)
    # Where that cannot be told, writing says why.
    before = _copied(folder) if is_there(folder / PROFILE) else None
    learnt.profile.save(folder, learnt.sheet)
    if before is not None and _same(before, folder):
        # The same photographs again: there is nothing to go back to.
        shutil.rmtree(before, ignore_errors=True)
        return None
    return before


def lies_in_deck(photograph: Path, folder: Path) -> bool:
    """Whether a deck that is learnt into `folder` would be written over that photograph."""
    for name in ALL:
        with suppress(OSError):
            if (folder / name).samefile(photograph):
                return True
    return False


def tell_before(stream: TextIO, language: str, folder: str, before: Path | None) -> None:
    """Says where the deck is kept that `folder` held before, if any."""
    if before is not None:
        parts = {"folder": folder, "before": before}
        stream.write(command_text(language, "terminal", "enrol-before", parts) + "\n")


def _copied(folder: Path) -> Path:
    # Of `.` and `..`, too, the name is wanted.
    there = folder.resolve()
    names = (there.with_name(f"{there.name}-old-{number}") for number in range(1, MOST))
    copy = next(name for name in names if not name.exists())
    try:
        copy.mkdir()
        for name in ALL:
            if (there / name).is_file():
                # With its time: a list of decks goes by it.
                shutil.copy2(there / name, copy / name)
    except OSError as error:
        with suppress(OSError):
            shutil.rmtree(copy)
        raise BadInput(
            "deck-not-written", f"{copy} cannot be written: {error.strerror}.", "Give another --deck."
        ) from error
    return copy


def _same(before: Path, folder: Path) -> bool:
    names = [PROFILE, *PICTURES]
    return filecmp.cmpfiles(before, folder, names, shallow=False)[0] == names
