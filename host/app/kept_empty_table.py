"""How the table looked where nothing lay, kept beside the game log: a war that is gone on with on a printed mat is read
as before, though cards lie on it already."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.failure import BadInput
from host.camera_setup.lenses import known_lens
from host.kept_file import read_bytes, set_aside, write_bytes
from vision.cards.empty_table import EmptyTable
from vision.cards.empty_table_picture import as_picture_file, of_picture_file
from vision.profile import DeckProfile
from vision.tracking.table_watcher import TableWatcher

FILE: Final = "empty-table.png"
MOST: Final = 16 << 20
"""Bytes; a mat with fine print takes 3 MB."""
INSTEAD: Final = "Say on the page where no card lies, and the table is known again."


class KeptEmptyTable:
    """The table of the war that is being played, in a file of its own beside the log of that war."""

    def __init__(self, log: Path) -> None:
        self._path: Final = log.parent / FILE
        self._told = False

    def read(self, resumed: bool) -> EmptyTable | None:
        """The table of the war that is gone on with. None where it is not known, and where another war begins
        (`resumed`), perhaps on another mat: then what is kept is forgotten. A damaged file is set aside and said."""
        if not resumed:
            # What cannot be removed cannot be replaced either, which `keep` tells.
            with suppress(OSError):
                self._path.unlink()
            return None
        try:
            return of_picture_file(read_bytes(self._path, MOST))
        except FileNotFoundError:
            return None
        except BadInput:
            set_aside(self._path, INSTEAD)
            return None

    def keep(self, table: EmptyTable) -> None:
        """Keeps it in place of what was kept. Where that cannot be, the game goes on, and a line says so once."""
        try:
            write_bytes(self._path, as_picture_file(table))
        except OSError as error:
            if not self._told:
                self._told = True
                sys.stderr.write(
                    f"allfronts: how the table looks is not kept ({self._path}: {error.strerror or error}).\n"
                )


def watcher_of(profile: DeckProfile, camera: str, log: Path, resumed: bool) -> TableWatcher:
    """Who follows a war's table, with what is known of its camera's lens and of its mat; `resumed` as in `read`."""
    kept = KeptEmptyTable(log)
    return TableWatcher(profile, lens=known_lens(camera), empty=kept.read(resumed), on_empty=kept.keep)


__all__ = ["FILE", "KeptEmptyTable", "watcher_of"]
