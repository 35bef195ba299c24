"""The camera that is being set up: its picture, its judgement, and the deck that is being learnt through it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import cv2

from engine.failure import Failure
from engine.names import FACE_DOWN
from host.camera_setup.lenses import known_lens
from host.camera_setup.watch import AimWatch
from host.setup_wizard.repeated_source import RepeatedSource
from vision.enrolment.enrol import PHOTOS, Photo
from vision.enrolment.live import Guide
from vision.enrolment.proof import Learnt, ProofStage
from vision.profile import FACES, DeckProfile
from vision.sources import Source, open_source

JOIN_SECONDS: Final = 3.0
IDLE_SECONDS: Final = 45.0
"""A camera that nobody has looked at for so long is let go of, unless a deck is being learnt."""
PHOTOGRAPH_SECONDS: Final = 4.0
"""Seconds that a photograph of a folder is shown: a deck is learnt only from what lay still for a while."""


@dataclass(slots=True)
class _Opened:
    """One camera while it is looked at."""

    spec: str
    watch: AimWatch
    source: RepeatedSource
    thread: threading.Thread | None = None


class LiveView:
    """Looks at one source at a time, in a thread. Every method may be called from any thread."""

    def __init__(
        self,
        opener: Callable[[str], Source] = lambda spec: open_source(
            spec, as_live=True, picture_seconds=PHOTOGRAPH_SECONDS
        ),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opener, self._clock = opener, clock
        self._asked = clock()
        self._lock = threading.RLock()
        self._opening = threading.Lock()
        """Held while one source takes the place of another, or of none."""
        self._opened: _Opened | None = None
        self._pictured: str | None = None
        self._guide: Guide | None = None
        self.draft: Learnt | None = None
        """The deck that was learnt and not yet confirmed."""
        self.progress: tuple[ProofStage, int, int] | None = None
        """How far learning is, once all photographs are taken: the stage, and how many of how many steps are done."""
        self.failed: Failure | None = None
        """Why the four photographs do not make a deck."""

    @property
    def spec(self) -> str | None:
        """What is looked at now."""
        with self._lock:
            return self._opened.spec if self._opened else None

    def pictured(self, spec: str) -> bool:
        """Whether a picture came from this source since another one was looked at."""
        with self._lock:
            return self._pictured == spec

    @property
    def learning(self) -> bool:
        with self._lock:
            return self._guide is not None

    def open(self, spec: str) -> None:
        """Looks at another source; raises `BadInput` (`no-source`, `no-film`, `no-pictures`)."""
        with self._opening:
            with self._lock:
                if self._opened is not None and self._opened.spec == spec:
                    return
                self._asked = self._clock()
            # Not under the lock, which the thread of the one before asks for on its way to its end.
            source = RepeatedSource(lambda: self._opener(spec))
            self._let_go()
            opened = _Opened(spec, AimWatch(upright=True, lens=known_lens(spec)), source)
            opened.thread = threading.Thread(target=self._follow, args=(opened,), name="set-up camera", daemon=True)
            with self._lock:
                self._opened = opened
            opened.thread.start()

    def begin_again(self) -> None:
        """Shows a film or a folder from its beginning."""
        spec = self.spec
        if spec is not None:
            self.close()
            self.open(spec)

    def close(self) -> None:
        """Lets go of the camera; photographs that were taken are forgotten, a learnt deck is not."""
        with self._opening:
            self._let_go()

    def _let_go(self) -> None:
        with self._lock:
            opened, self._opened, self._guide = self._opened, None, None
        if opened is not None:
            opened.source.close()
            if opened.thread is not None and opened.thread is not threading.current_thread():
                opened.thread.join(JOIN_SECONDS)

    def row(self) -> dict[str, Any] | None:
        """What is known of the picture now, in codes; None where no source is open."""
        with self._lock:
            self._asked = self._clock()
            return self._opened.watch.row() if self._opened else None

    def jpeg(self) -> bytes | None:
        with self._lock:
            return self._opened.watch.jpeg() if self._opened else None

    def learn(self) -> None:
        """Begins to take the four photographs from the open source."""
        with self._lock:
            self.draft = self.failed = None
            self._guide = Guide(known_lens(self._opened.spec) if self._opened is not None else None)
            if self._opened is not None:
                self._opened.watch.learn(self._guide)

    def stop_learning(self) -> None:
        with self._lock:
            self._guide = None
            self.draft = self.failed = None
            if self._opened is not None:
                self._opened.watch.learn(None)

    def retake(self, photo: Photo, alone: bool = False) -> None:
        """Forgets that photograph, and those after it unless it is to be taken again `alone`."""
        with self._lock:
            self.draft = self.failed = None
            if self._guide is not None and self._opened is not None and photo in PHOTOS:
                self._opened.watch.retake(photo, alone)

    def face(self, face: str) -> bytes | None:
        """A face of the deck that was learnt (`A1` … `S6`, `-` for the back) as PNG."""
        with self._lock:
            draft = self.draft
        return None if draft is None or face not in FACES else picture_png(draft.profile, face)

    def _follow(self, opened: _Opened) -> None:
        for shown in opened.watch.follow(opened.source):
            with self._lock:
                if self._opened is not opened:
                    return
                if shown.judgement is not None:
                    self._pictured = opened.spec
                if self._guide is None and self._clock() - self._asked > IDLE_SECONDS:
                    self._let_go()
                    return
                guide = self._guide
                ready = guide is not None and guide.step is None and self.draft is None and self.failed is None
            if ready and guide is not None:
                self._assemble(guide)

    def _assemble(self, guide: Guide) -> None:
        def told(stage: ProofStage, done: int, of: int) -> None:
            with self._lock:
                # Another photograph was asked for, or learning was given up: the rest of the work is for nothing.
                if guide is not self._guide or guide.step is not None:
                    raise _GivenUp
                self.progress = (stage, done, of)

        made: Learnt | Failure
        try:
            made = guide.learn(told)
        except Failure as failure:
            made = failure
        except _GivenUp:
            return
        finally:
            with self._lock:
                self.progress = None
        with self._lock:
            if guide is not self._guide or guide.step is not None:
                return
            if isinstance(made, Failure):
                self.failed = made
            else:
                self.draft = made


class _GivenUp(Exception):
    """Nobody waits any longer for the deck that is being learnt."""


def picture_png(profile: DeckProfile, face: str) -> bytes:
    """One face of a profile as PNG, at the size at which a person looks at it."""
    image = profile.faces[face if face in profile.faces else FACE_DOWN]
    return bytes(cv2.imencode(".png", image)[1])
