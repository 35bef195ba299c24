"""Given a table that is killed at any instant, when it starts again over what is on the disk, then it goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from host.demo.game import Scene
from host.session.game_log import Journal
from host.session.session import Rules, Table

Make = Callable[..., Any]
Battle = Callable[..., list[Scene]]

INSTANTS = 48


def said(table: Table) -> list[Any]:
    return [line.said for line in table.history]


def copied(path: Path, folder: Path, wal: int | None = None) -> Path:
    """The journal as a killed program leaves it: of its log the first `wal` bytes have reached the disk."""
    folder.mkdir()
    to = folder / "journal.db"
    shutil.copyfile(path, to)
    log = path.with_name(path.name + "-wal").read_bytes()
    to.with_name("journal.db-wal").write_bytes(log if wal is None else log[:wal])
    return to


@pytest.mark.parametrize("seed", [3, 11])
def test_killed_with_any_part_of_the_log_written_it_goes_on_to_the_same_end(
    played: Make, battle: Battle, tmp_path: Path, seed: int
) -> None:
    scenes = battle(seed)
    whole = played()
    whole.journal._db.execute("PRAGMA wal_autocheckpoint=0")
    kept: dict[int, tuple[int, Any, list[Any]]] = {}
    for nth, scene in enumerate(scenes):
        heard = len(whole.events)
        whole.show(scene)
        if len(whole.events) > heard:
            kept[whole.journal.last()[0].number] = (nth, whole.table.view, said(whole.table))
    size = whole.path.with_name(whole.path.name + "-wal").stat().st_size
    rng = Random(seed)
    entries = 0
    for instant in sorted(rng.randrange(size + 1) for _ in range(INSTANTS)):
        path = copied(whole.path, tmp_path / f"{seed}-{instant}", instant)
        journal = Journal(path)
        last = journal.last()
        number = 0 if last is None else last[0].number
        table = Table(journal, Rules(), lambda: 0.0)
        assert table.resumed == (last is not None)
        if number in kept:
            entries += 1
            _, view, words = kept[number]
            assert (table.view, said(table)) == (view, words)
        journal.close()
        # From the scene that lay there then, the game goes on to the same end.
        again = played()
        again.journal.close()
        again.path = path
        again.open()
        first = max((nth for at, (nth, _, _) in kept.items() if at <= number), default=0)
        for scene in scenes[first:]:
            again.show(scene)
        assert again.table.view == whole.table.view
        assert said(again.table) == said(whole.table)
    assert entries > INSTANTS // 3


def test_what_was_told_was_written_before(played: Make, battle: Battle, tmp_path: Path) -> None:
    """Killed while it tells: whoever heard of it finds it in the journal."""
    game = played()
    told: list[int] = []

    def heard(view: Any, events: Any) -> None:
        if events:
            path = copied(game.path, tmp_path / str(len(told)))
            journal = Journal(path)
            table = Table(journal, Rules(), lambda: 0.0)
            assert table.view == view
            told.append(len(events))
            journal.close()

    game.table.listen(heard)
    for scene in battle(7)[:25]:
        game.show(scene)
    assert len(told) > 8
