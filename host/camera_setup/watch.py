"""Watches a source and keeps what the aiming page and the command line show: picture, judgement, guidance, troubles."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np

from engine.failure import Failure
from host.camera_setup.labels import Label, labels, measured_tag_side, quarter_turns
from host.camera_setup.learning import rehearsal_row
from vision.enrolment.enrol import Photo
from vision.enrolment.live import Guidance, Guide
from vision.enrolment.picture_quality import PictureJudgement, draw_judgement, judge_picture
from vision.enrolment.proof import Learnt, ProofStage
from vision.geometry.pose import Lens
from vision.geometry.registration import (
    Registration,
    register,
)
from vision.sources import Frame, Source, Trouble, TroubleOver
from vision.types import Picture

EVERY: Final = 0.2
"""Seconds between two judgements: five a second follow a hand that moves a camera."""
SHOWN_WIDTH: Final = 960


@dataclass(slots=True)
class CameraSetupState:
    """What is known now. `t` is seconds into the source."""

    t: float = 0.0
    judgement: PictureJudgement | None = None
    labels: tuple[Label, ...] = ()
    """Where seats, boards and card places lie in the picture."""
    tag_side: float | None = None
    """How long the sides of the corner tags are by the camera's measure, mm; None where fewer than three are seen."""
    guidance: Guidance | None = None
    troubles: dict[str, Trouble] = field(default_factory=dict)
    profile_saved: str | None = None
    failed: Failure | None = None
    """Why the deck could not be learnt, if so."""
    learning: tuple[ProofStage, int, int] | None = None
    """What learning is at, once all photographs are taken: the stage, and how many of how many steps are done."""
    learnt: Learnt | None = None
    """The deck that was learnt, and what rehearsing it has shown."""
    ended: bool = False

    def as_row(self) -> dict[str, Any]:
        """As the page and `--json` get it."""
        row: dict[str, Any] = {"t": round(self.t, 2), "verdict": "no-picture"}
        j = self.judgement
        if j is not None:
            row |= {
                "verdict": j.verdict,
                "size": list(j.size),
                "scale": _rounded(j.scale, 2),
                "tilt": _rounded(j.tilt, 1),
                "paper": _rounded(j.paper, 2),
                "edge": _rounded(j.edge, 2),
                "shine": _rounded(j.shine, 3),
                "tag_side": _rounded(self.tag_side, 1),
                "labels": [{"at": a.at, "x": round(a.x, 4), "y": round(a.y, 4)} for a in self.labels],
                "findings": [
                    {
                        "code": f.code,
                        "weight": f.weight,
                        "message": f.message,
                        "remedy": f.remedy,
                        "parts": dict(f.parts),
                    }
                    for f in j.findings
                ],
            }
        row["troubles"] = [
            {"code": t.code, "message": t.message, "remedy": t.remedy, "parts": dict(t.parts)}
            for t in self.troubles.values()
        ]
        if self.guidance is not None:
            g = self.guidance
            row["enrol"] = {
                "step": g.step,
                "taken": list(g.taken),
                "says": g.says,
                "said": {"code": g.said.code, "places": list(g.said.places), "mend": g.said.mend},
                "same": list(g.same),
                "advice": [{"code": a.code, "at": a.at, "hard": a.hard, "remedy": a.remedy} for a in g.advice],
                "saved": self.profile_saved,
                "failed": None if self.failed is None else str(self.failed),
                "learning": None if self.learning is None else list(self.learning),
                "rehearsal": None if self.learnt is None else rehearsal_row(self.learnt.rehearsal),
                "theaters": None if self.learnt is None else self.learnt.theaters,
            }
        return row


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


class AimWatch:
    """Runs through a source's frames. One thread runs it; any thread may ask for the row or the picture."""

    def __init__(
        self,
        guide: Guide | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        upright: bool = False,
        lens: Lens | None = None,
    ) -> None:
        """`upright` turns the picture by quarter turns so that the near seat is at its bottom; `lens` is the camera's
        where it was calibrated."""
        self._lens = lens
        self._guide, self._clock, self._upright = guide, clock, upright
        self._turns = 0
        self._lock = threading.Lock()
        self._guide_lock = threading.Lock()
        self._shown = CameraSetupState(guidance=None if guide is None else Guidance("air", (), ""))
        self._jpeg: bytes | None = None
        self._registration: Registration | None = None
        self._next = 0.0
        self._told, self._asked = threading.Event(), False

    def row(self) -> dict[str, Any]:
        """What is known now, ready for JSON."""
        with self._lock:
            if self._shown.profile_saved is not None or self._shown.failed is not None:
                # Who asks again has the answer before.
                if self._asked:
                    self._told.set()
                self._asked = True
            return self._shown.as_row()

    def failure(self) -> Failure | None:
        """Why the deck could not be learnt, if so."""
        with self._lock:
            return self._shown.failed

    def learnt(self) -> Learnt | None:
        """The deck that was learnt, and what rehearsing it has shown."""
        with self._lock:
            return self._shown.learnt

    def wait_until_told(self, seconds: float) -> None:
        """Waits until somebody has got the row that says how learning ended; so long at most."""
        self._told.wait(seconds)

    def jpeg(self) -> bytes | None:
        """The newest picture with the mat's outline, as JPEG."""
        with self._lock:
            return self._jpeg

    def learn(self, guide: Guide | None) -> None:
        """Gives the frames to come to a guide as well; None ends that."""
        with self._guide_lock:
            self._guide = guide
            with self._lock:
                self._shown.guidance = None if guide is None else Guidance("air", (), "")

    def retake(self, photo: Photo, alone: bool = False) -> None:
        """Has the guide forget a photograph, and those after it unless it is to be taken again `alone`."""
        with self._guide_lock:
            if self._guide is not None:
                self._guide.retake(photo, alone)

    def follow(self, source: Source, pictures: bool = True) -> Iterator[CameraSetupState]:
        """Takes every frame of the source; yields after each judgement and each trouble. `pictures`: also draw them."""
        for item in source:
            if isinstance(item, Trouble):
                with self._lock:
                    self._shown.troubles[item.code] = item
                yield self._shown
            elif isinstance(item, TroubleOver):
                with self._lock:
                    self._shown.troubles.pop(item.code, None)
                yield self._shown
            elif self._frame(item, pictures):
                yield self._shown
        with self._lock:
            self._shown.ended = True

    def _frame(self, frame: Frame, pictures: bool) -> bool:
        image = frame.image
        if self._upright and self._turns:
            image = np.ascontiguousarray(np.rot90(image, self._turns))
        guidance = None
        with self._guide_lock:
            if self._guide is not None:
                guidance = self._guide.see(image, frame.t)
        taken = guidance is not None and guidance.just_taken is not None
        if frame.t < self._next and not taken:
            return False
        self._next = frame.t + EVERY
        registration = register(image, self._registration, self._lens)
        self._registration = registration or self._registration
        judgement = judge_picture(image, registration)
        wrong = guidance.wrong if guidance is not None else frozenset()
        jpeg = self._drawn(image, judgement, registration, wrong) if pictures else None
        with self._lock:
            self._shown.t, self._shown.judgement = frame.t, judgement
            self._shown.labels = () if registration is None else labels(registration, image)
            self._shown.tag_side = None if registration is None else measured_tag_side(registration)
            if guidance is not None:
                self._shown.guidance = guidance
            if jpeg is not None:
                self._jpeg = jpeg
        if self._upright and registration is not None:
            more = quarter_turns(registration)
            if more:
                self._turns, self._registration = (self._turns + more) % 4, None
        return True

    @staticmethod
    def _drawn(
        image: Picture, judgement: PictureJudgement, registration: Registration | None, wrong: frozenset[str]
    ) -> bytes:
        drawn = draw_judgement(image, judgement, registration, wrong)
        if drawn.shape[1] > SHOWN_WIDTH:
            height = round(drawn.shape[0] * SHOWN_WIDTH / drawn.shape[1])
            drawn_small = cv2.resize(drawn, (SHOWN_WIDTH, height), interpolation=cv2.INTER_AREA)
        else:
            drawn_small = drawn
        return bytes(cv2.imencode(".jpg", drawn_small, (cv2.IMWRITE_JPEG_QUALITY, 80))[1])

    def learning(self, stage: ProofStage, done: int, of: int) -> None:
        """Notes how far learning the deck is."""
        with self._lock:
            self._shown.learning = (stage, done, of)

    def saved(self, folder: str | None, failed: Failure | None, learnt: Learnt | None = None) -> None:
        """Notes the deck that was learnt into `folder`, or why it was not."""
        with self._lock:
            self._shown.profile_saved, self._shown.failed, self._shown.learnt = folder, failed, learnt
            self._shown.learning = None
