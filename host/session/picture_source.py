"""A source of pictures through a tracker: frames, troubles, and the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from engine.failure import BadInput
from host.session.tracker import Tracker
from vision.sources.trouble import Frame, SourceItem, Trouble, TroubleOver
from vision.types import Picture

NEVER_CAME: Final = "See that it is plugged in or switched on and that no other program uses it, then start again."


def follow_pictures(tracker: Tracker[Picture], items: Iterable[SourceItem]) -> None:
    """Follows the source to its end. Raises `BadInput` (`camera-gone`) where a camera never sent a picture."""
    for item in items:
        follow_item(tracker, item)
    tracker.ended()


def follow_item(tracker: Tracker[Picture], item: SourceItem) -> None:
    """One item of a source; raises as `follow_pictures` does."""
    match item:
        case Frame(t=t, image=image):
            tracker.frame(image, t)
        case Trouble() as told:
            trouble = replace(told, parts=shown_parts(told.parts))
            if trouble.code == "camera-gone" and not tracker.begun:
                # Never a single picture: a slip in the command rather than a cable.
                raise BadInput(trouble.code, trouble.message, NEVER_CAME)
            tracker.trouble(trouble.code, trouble.message, trouble.remedy, dict(trouble.parts), trouble.t)
        case TroubleOver(code=code):
            tracker.mended(code)


def shown_parts(parts: Mapping[str, str | int | float]) -> dict[str, str | int | float]:
    """The parts of a trouble as they may be written down and told to everybody: of a camera's address nothing behind a
    `?`, where some cameras take a password."""
    shown = {name: value if isinstance(value, int | float) else str(value) for name, value in parts.items()}
    return shown | ({"source": str(shown["source"]).partition("?")[0]} if "source" in shown else {})
