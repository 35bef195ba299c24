"""A sink that keeps the still picture beside each decision of the log. A thread of its own encodes and writes them."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Final

from engine.events import Reading
from host.app.still_picture import encoded
from host.session.picture_store import PictureStore
from host.session.sinks import Change
from host.session.standing import Standing
from vision.types import Picture

WAITING_MOST: Final = 16
"""Pictures that wait to be written; beyond that the disk is too slow, and some moves stay without one."""


class PictureKeeper:
    """See `Sink`. A picture that several decisions were made from is kept with the first of them."""

    def __init__(self, store: PictureStore, image: Callable[[], Picture | None]) -> None:
        """`image` gives the last still picture."""
        self._store, self._image = store, image
        self._kept: Picture | None = None
        self._war = ""
        self._waiting: queue.Queue[tuple[str, int, Picture] | None] = queue.Queue(WAITING_MOST)
        self._thread = threading.Thread(target=self._write, name="pictures", daemon=True)
        self._thread.start()

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        """What was played before has its pictures already."""

    def changed(self, change: Change) -> None:
        image = self._image()
        told = change.entry is not None and any(not isinstance(event, Reading) for event in change.events)
        if image is None or change.entry is None or not told or (image is self._kept and change.war == self._war):
            return
        try:
            self._waiting.put_nowait((change.war, change.entry.sequence, image))
        except queue.Full:
            return
        self._kept, self._war = image, change.war

    def close(self) -> None:
        """Writes what waits."""
        self._waiting.put(None)
        self._thread.join()

    def _write(self) -> None:
        broken = False
        while (item := self._waiting.get()) is not None:
            if broken:
                continue
            war, entry, image = item
            try:
                self._store.keep(war, entry, encoded(image))
            except OSError as error:
                broken = True
                sys.stderr.write(f"allfronts: no more pictures are kept: {error.strerror}. Make room on the disk.\n")
