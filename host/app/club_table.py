"""A table that joins a club: the code, the outbox, and the membership as one more sink of the session."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from engine.failure import BadInput
from host.club.table.code_reading import code_in, read_join_code
from host.club.table.membership import Membership
from host.club.table.outbox import FileOutbox
from host.club.table.page_conditions import club_conditions
from host.club.wire.join_code import JoinCode
from host.messages.command_text import command_text
from host.session.session import Rules, Session
from host.settings import spoken_language
from host.web.page_sink import PageSink
from vision.sources import open_source
from vision.sources.trouble import SourceItem

CAMERA: Final = "camera"
"""`--club camera`: the code is held under the table's own camera."""


def find_code(text: str, camera: str) -> JoinCode:
    """The join code that `--club` means; raises `BadInput`."""
    if text != CAMERA:
        return read_join_code(text)
    sys.stderr.write(f"allfronts play: {command_text(spoken_language(), 'terminal', 'club-hold-code', {})}\n")
    with closing(open_source(camera, as_live=True)) as source:
        found = code_in(_pictures(source))
    if found is None:
        raise BadInput("bad-code", "No code was seen.", "Hold it flat under the camera, or give its text to --club.")
    return found


def _pictures(items: Any) -> Iterator[Any]:
    item: SourceItem
    for item in items:
        image = getattr(item, "image", None)
        if image is not None:
            yield image


def join_club(
    session: Session, page: PageSink, code: JoinCode, owner: Rules, folder: Path, tell: Callable[[str], None]
) -> Membership:
    """Joins: what happens from now on in the club's matches is the desk's to know, what was before is not.

    The outbox lies in `folder`, so that a table that was switched off goes on where it was. Raises `BadInput`.
    """
    wars = session.log.wars()
    last = max((e.sequence for e in session.log.entries(wars[0].id)), default=0) if wars else 0
    outbox = FileOutbox(folder / f"{code.club}-{code.account}.db", last)
    membership = Membership(
        session,
        outbox,
        code,
        owner,
        on_shown=lambda shown: page.set_club(club_conditions(shown)),
        tell=tell,
    )
    page.set_club(club_conditions(membership.shown))
    membership.start()
    return membership
