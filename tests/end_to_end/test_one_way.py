"""Given one film, `watch`, a running table and the simulations tell the same events: there is one way through."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.names import parse_seat
from engine.places import PLACES
from engine.sight import Note, Sight, sight_of
from host.app.table import assemble
from host.commands.watch import watch_pictures
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.sinks.event_lines import EventLines
from host.web.access import Access
from vision.sources import Frame, Trouble, open_source
from vision.sources.trouble import SourceItem
from vision.tracking.table_watcher import TableWatcher, WatcherNotice
from vision.types import Picture

LIMIT = 60.0
BLANK: Picture = np.zeros((4, 4, 3), np.uint8)


@dataclass
class Seen:
    """What a watcher made of one frame."""

    sight: Sight | None
    still: bool
    notices: Sequence[WatcherNotice]


class RepeatingWatcher:
    """Gives what another watcher gave, frame by frame, and the last table again when it is asked to."""

    def __init__(self, seen: Sequence[Seen]) -> None:
        self._seen = iter(seen)
        self._last: Sight | None = None
        self._again = False
        self._told: Sequence[WatcherNotice] = ()
        self.still = False
        self.registration = None
        self.obstacles = ()

    def see(self, picture: Picture, t: float) -> Sight | None:
        seen = next(self._seen)
        self.still, self._told = seen.still, seen.notices
        again, self._again = self._again and seen.still, False
        self._last = seen.sight or self._last
        return seen.sight or (self._last if again else None)

    def notices(self) -> Sequence[WatcherNotice]:
        return self._told

    def forget(self) -> None:
        self._again = True


class Pictures:
    """A source of items that were kept."""

    def __init__(self, items: Sequence[SourceItem]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[SourceItem]:
        return iter(self._items)

    def close(self) -> None:
        pass


def by_watch(items: Sequence[SourceItem], seen: Sequence[Seen], rules: Rules) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    watch_pictures(items, RepeatingWatcher(seen), rules, lines.append)
    return lines


def by_a_running_table(items: Sequence[SourceItem], seen: Sequence[Seen], rules: Rules) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    session = Session(MemoryLog(), rules, lambda: 0.0, resume=False)
    watcher: Any = RepeatingWatcher(seen)
    table = assemble(session, watcher, Access(), "test", with_picture=False)
    session.subscribe(EventLines(lines.append, lambda: table.tracker.t))
    runner = table.run(Pictures(items), None)
    runner.start()
    assert runner.wait(LIMIT)
    runner.close()
    session.close()
    return lines


@pytest.mark.needs_shared
def test_the_same_film_gives_the_same_events(shared: Path) -> None:
    """A film of moves and mistakes; that each film is followed rightly is tested with `watch`."""
    from vision.enrolment.enrol import enrol
    from vision.picture_file import open_picture

    film, deck = "tundra-lamp-mistakes", "tundra"

    photos = {
        name: open_picture(shared / "pictures" / deck / f"enroll-{name}.jpg") for name in ("air", "land", "sea", "back")
    }
    watcher = TableWatcher(enrol(**photos))
    items: list[SourceItem] = []
    seen: list[Seen] = []
    for item in open_source(str(shared / "recordings" / f"{film}.mp4")):
        if isinstance(item, Frame):
            sight = watcher.see(item.image, item.t)
            seen.append(Seen(sight, watcher.still, watcher.notices()))
            items.append(Frame(item.t, BLANK))
        else:
            items.append(item)
    game = json.loads((shared / "recordings" / f"{film}.jsonl").read_text("utf-8").splitlines()[0])["game"]
    rules = Rules(game["edition"], parse_seat(game["first"]))
    told = by_watch(items, seen, rules)
    assert sum(line["event"] == "move" for line in told) > 5
    assert any(line["event"] == "violation" for line in told)
    assert told[-1]["event"] in ("battle", "notice")
    assert by_a_running_table(items, seen, rules) == told


def test_a_moved_camera_another_deck_a_trouble_and_the_end_are_told_alike() -> None:
    order = ("A", "L", "S")
    empty = sight_of(dict.fromkeys(PLACES, ()), order)
    strange = Sight(order, empty.stacks, False, (Note("foreign", "A/near"), Note("foreign", "S/far")))
    items: list[SourceItem] = [Frame(n * 0.2, BLANK) for n in range(60)]
    items.insert(30, Trouble("film-cut-short", 6.0, {"seconds": 6}))
    seen = [Seen(None, True, ()) for _ in range(60)]
    seen[2] = Seen(empty, True, ())
    seen[8] = Seen(None, True, (WatcherNotice("camera-moved", 1.6),))
    seen[12] = Seen(strange, True, ())
    told = by_watch(items, seen, Rules())
    codes = [line["code"] for line in told if line["event"] == "notice"]
    assert codes == ["camera-moved", "wrong-deck", "film-cut-short"]
    assert by_a_running_table(items, seen, Rules()) == told
