"""What `allfronts doctor` sees through a camera and knows of a deck: a picture, the mat, and this deck on it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.failure import Failure
from host.boards.examine import CheckResult, Grade

if TYPE_CHECKING:
    from vision.profile import DeckProfile
    from vision.sources import Trouble
    from vision.types import Picture

PICTURE_S: Final = 10.0
"""So long a camera is waited for. Cheap ones take some seconds to open."""
NO_MORE: Final = ("camera-gone", "camera-stuck")
"""Troubles after which no picture is waited for."""
SETTLES: Final = 5
"""Pictures until a camera has set its own exposure."""


def examine_table(camera: str | None, deck: str | None) -> Iterator[CheckResult]:
    """The deck's profile, a picture of the camera, and the deck's boards in it, as far as these were named."""
    profile = None
    if deck is not None:
        from vision.profile import DeckProfile

        try:
            profile = DeckProfile.load(deck)
        except Failure as failure:
            yield CheckResult("deck", "problem", "cause", cause=failure)
        else:
            yield CheckResult("deck", "good", "deck", {"deck": deck, "n": len(profile.faces) - 1})
    if camera is not None:
        yield from _camera(camera, profile)


def _camera(camera: str, profile: DeckProfile | None) -> Iterator[CheckResult]:
    from host.camera_setup.lenses import known_lens
    from vision.enrolment.picture_quality import judge_picture
    from vision.geometry.registration import register

    # What is told here is what people show when they ask for help.
    name = re.sub(r"^(\w+://[^/@:]*):[^/]*@", r"\1:…@", camera)
    if "://" in name:
        # Some cameras take the password there.
        name = re.sub(r"\?.*", "?…", name)
    try:
        image, trouble = _picture(camera)
    except Failure as failure:
        yield CheckResult("picture", "problem", "cause", cause=failure)
        return
    if image is None:
        if trouble is not None and trouble.code != "camera-gone":
            yield CheckResult("picture", "problem", trouble.code, trouble.parts, group="condition")
            return
        there = [path.name.removeprefix("video") for path in sorted(Path("/dev").glob("video*"))]
        code = "picture-stream" if "://" in camera else "picture-none" if not there else "picture-other"
        yield CheckResult("picture", "problem", code, {"camera": name, "there": ", ".join(there)})
        return
    height, width = image.shape[:2]
    yield CheckResult("picture", "good", "picture", {"camera": name, "width": width, "height": height})
    lens = known_lens(camera)
    registration = register(image, None, lens)
    for found in judge_picture(image, registration).findings:
        grade: Grade = "problem" if found.weight == "stop" else "note"
        yield CheckResult("aim", grade, found.code, found.parts, group="aim")
    if registration is None:
        return
    if profile is None:
        yield CheckResult("mat", "good", "mat")
        return
    yield from _boards(image, profile)


def _boards(image: Picture, profile: DeckProfile) -> Iterator[CheckResult]:
    from vision.tracking.reader import Reader

    try:
        sight = Reader(profile).read(image).sight
    except Failure as failure:
        yield CheckResult("boards", "problem", "cause", cause=failure)
        return
    if sight.order is None:
        yield CheckResult("boards", "problem", "boards-none")
    elif sight.sure:
        yield CheckResult("boards", "good", "boards")
    else:
        yield CheckResult("boards", "note", "boards-unsure")


def _picture(camera: str) -> tuple[Picture | None, Trouble | None]:
    """A picture of the camera once it has settled, and the last trouble. Raises `BadInput` (`no-source`)."""
    from vision.sources import Frame, Trouble, open_source

    image, trouble, seen = None, None, 0
    end = time.monotonic() + PICTURE_S
    with closing(open_source(camera)) as source:
        for item in source:
            if isinstance(item, Frame):
                image, seen = item.image, seen + 1
            elif isinstance(item, Trouble):
                trouble = item
                if item.code in NO_MORE:
                    break
            if seen >= SETTLES or time.monotonic() > end:
                break
    return image, trouble
