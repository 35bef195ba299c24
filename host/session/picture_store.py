"""Still pictures of the table beside the games that they belong to: one file a picture, bounded as a whole.

A picture belongs to an entry of the log: it shows the table as it lay when that was written. The oldest pictures go
first. They are readable by this person alone, as the log is.
"""

from __future__ import annotations

import re
import shutil
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from host.kept_file import write_bytes

MEGABYTE: Final = 1_000_000
SPARE: Final = 0.9
"""Where the bound is reached, pictures go until this part of it is left: not one file for each new one."""
_WAR: Final = re.compile(r"[0-9a-f]{1,32}")


class PictureStore:
    """Pictures by war and entry. Safe to use from several threads."""

    def __init__(self, folder: Path, most: int) -> None:
        """`most` is how many bytes are kept at most; the folder is made with the first picture."""
        self._folder, self._most = folder, most
        self._lock = threading.Lock()
        self._bytes = sum(size for _, size, _ in self._files())

    def keep(self, war: str, entry: int, jpeg: bytes) -> None:
        """Keeps a picture as JPEG; raises `OSError` where it cannot be written."""
        if not _WAR.fullmatch(war) or len(jpeg) > self._most:
            return
        with self._lock:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            (self._folder / war).mkdir(exist_ok=True, mode=0o700)
            path = self._folder / war / f"{entry}.jpg"
            if path.exists():
                return
            write_bytes(path, jpeg)
            self._bytes += len(jpeg)
            if self._bytes > self._most:
                self._prune()

    def entries(self, war: str) -> tuple[int, ...]:
        """The entries of a war that have a picture, in order."""
        if not _WAR.fullmatch(war):
            return ()
        found = (path.stem for path in (self._folder / war).glob("*.jpg"))
        return tuple(sorted(int(stem) for stem in found if stem.isdigit()))

    def read(self, war: str, entry: int) -> bytes | None:
        """The picture, or None where none is kept."""
        if not _WAR.fullmatch(war):
            return None
        try:
            return (self._folder / war / f"{entry}.jpg").read_bytes()
        except OSError:
            return None

    def delete(self, war: str) -> None:
        """Removes all pictures of a war."""
        if not _WAR.fullmatch(war):
            return
        with self._lock:
            shutil.rmtree(self._folder / war, ignore_errors=True)
            self._bytes = sum(size for _, size, _ in self._files())

    def _files(self) -> list[tuple[float, int, Path]]:
        """When each picture was made, its bytes and its path, the oldest first."""
        found = []
        for path in self._folder.glob("*/*.jpg"):
            with suppress(OSError):
                about = path.stat()
                found.append((about.st_mtime, about.st_size, path))
        return sorted(found)

    def _prune(self) -> None:
        files = self._files()
        self._bytes = sum(size for _, size, _ in files)
        for _, size, path in files:
            if self._bytes <= self._most * SPARE:
                break
            with suppress(OSError):
                path.unlink()
                self._bytes -= size
                if not any(path.parent.iterdir()):
                    path.parent.rmdir()


def pictures_of(log: Path, megabytes: int = 0) -> PictureStore:
    """The pictures that belong to the log in that file; they lie beside it. `megabytes` bounds what is added."""
    return PictureStore(log.parent / "pictures", megabytes * MEGABYTE)
