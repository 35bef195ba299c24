"""A source of pictures through a tracker: frames, troubles, and the end."""

from __future__ import annotations

from collections.abc import Iterable
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
        case Trouble() as trouble:
            if trouble.code == "camera-gone" and not tracker.begun:
                # Never a single picture: a slip in the command rather than a cable.
                raise BadInput(trouble.code, trouble.message, NEVER_CAME)
            parts = {k: v if isinstance(v, int | float) else str(v) for k, v in trouble.parts.items()}
            tracker.trouble(trouble.code, trouble.message, trouble.remedy, parts, trouble.t)
        case TroubleOver(code=code):
            tracker.mended(code)
