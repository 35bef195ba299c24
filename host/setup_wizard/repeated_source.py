"""A source for looking at: a film or a folder of pictures begins again when it ends, and plays at its own speed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from vision.sources import Frame, Source, SourceItem, Trouble

PAUSE: Final = 0.5
"""Seconds between the end of a film and its beginning."""


class RepeatedSource:
    """Opens `opener()` again whenever it ends; times go on. A camera or a stream never ends by itself."""

    live: Final = True

    def __init__(self, opener: Callable[[], Source]) -> None:
        """Opens the source at once; raises what `opener` raises."""
        self._opener = opener
        self._closed = threading.Event()
        self._source = opener()
        self.name = self._source.name

    def __iter__(self) -> Iterator[SourceItem]:
        begun = 0.0
        while not self._closed.is_set():
            last, frames = 0.0, 0
            for item in self._source:
                if self._closed.is_set():
                    return
                if isinstance(item, Frame):
                    if not self._source.live:
                        self._closed.wait(item.t - last)
                    last, frames = item.t, frames + 1
                # A film that breaks off is one that begins again.
                if not (isinstance(item, Trouble) and item.code == "film-cut-short"):
                    yield replace(item, t=begun + item.t)
            self._source.close()
            if not frames or self._closed.wait(PAUSE):
                return
            begun += last + PAUSE
            self._source = self._opener()

    def close(self) -> None:
        self._closed.set()
        self._source.close()
