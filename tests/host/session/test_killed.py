"""Given a table that is killed at any instant, when it starts again over what is on the disk, then it goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.events import Concede, Correct, Done, Input, LetStand, Redo, Undo, Withdraw
from engine.failure import Failure
from engine.sight import sight_of
from host.session.session import Rules, Session
from host.session.sinks import Change
from host.session.sqlite_log import SqliteLog, snapshot_digest
from host.session.standing import Standing
from host.simulation.sensible_game import TableScene
from host.web.page_sink import PageSink, sentences
from host.web.stream import Broadcaster

Make = Callable[..., Any]
Battle = Callable[..., list[TableScene]]

INSTANTS = 48


def said(played: Any) -> list[Any]:
    return [line.said for line in played.history]


def copied(path: Path, folder: Path, wal: int | None = None) -> Path:
    """The log as a killed program leaves it: of its write-ahead file the first `wal` bytes have reached the disk."""
    folder.mkdir()
    to = folder / "games.db"
    shutil.copyfile(path, to)
    written = path.with_name(path.name + "-wal").read_bytes()
    to.with_name("games.db-wal").write_bytes(written if wal is None else written[:wal])
    return to


def found(path: Path) -> tuple[int, Standing, list[Any]]:
    """What a program that starts over that log shows: the last entry, how things stand, and what is told."""
    log = SqliteLog(path)
    session = Session(log, Rules(), lambda: 0.0)
    page = PageSink(Broadcaster())
    session.subscribe(page)
    newest = page.broadcaster.newest
    assert newest is not None
    last = max((entry.sequence for entry in log.entries()), default=0)
    log.close()
    return last, session.standing, [line.said for line in newest.view.history]


@pytest.mark.parametrize("seed", [3, 11])
def test_killed_with_any_part_of_the_log_written_it_goes_on_to_the_same_end(
    played: Make, battle: Battle, tmp_path: Path, seed: int
) -> None:
    scenes = battle(seed)
    whole = played()
    whole.log._db.execute("PRAGMA wal_autocheckpoint=0")
    kept: dict[int, tuple[int, Any, list[Any]]] = {}
    for nth, scene in enumerate(scenes):
        whole.show(scene)
        last = max((entry.sequence for entry in whole.log.entries()), default=0)
        if last not in kept:
            kept[last] = (nth, whole.session.standing, said(whole))
    size = whole.path.with_name(whole.path.name + "-wal").stat().st_size
    rng = Random(seed)
    entries = 0
    for instant in sorted(rng.randrange(size + 1) for _ in range(INSTANTS)):
        path = copied(whole.path, tmp_path / f"{seed}-{instant}", instant)
        number, standing, words = found(path)
        if number in kept:
            entries += 1
            _, told_standing, told_words = kept[number]
            assert (standing.state, standing.score, words) == (told_standing.state, told_standing.score, told_words)
        # From the scene that lay there then, the game goes on to the same end.
        again = played()
        again.log.close()
        again.path = path
        again.open()
        first = max((nth for at, (nth, _, _) in kept.items() if at <= number), default=0)
        for scene in scenes[first:]:
            again.show(scene)
        assert again.view == whole.view
        assert said(again) == said(whole)
    assert entries > INSTANTS // 3


class Listener:
    """Copies the log whenever it is told of something, and starts over the copy."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder
        self.told = 0
        self.words: list[Any] = []

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        pass

    def changed(self, change: Change) -> None:
        if change.events:
            self.told += 1
            self.words += sentences(change)
            _, standing, words = found(copied(self.path, self.folder / str(self.told)))
            assert standing == change.standing
            assert words == self.words

    def close(self) -> None:
        pass


def test_what_was_told_was_written_before(played: Make, battle: Battle, tmp_path: Path) -> None:
    """Killed while it tells: whoever heard of it finds it in the log."""
    game = played()
    listener = Listener(game.path, tmp_path)
    game.session.subscribe(listener)
    for scene in battle(7)[:25]:
        game.show(scene)
    assert listener.told > 8


def test_without_the_snapshot_the_log_alone_gives_the_state_that_was_shown(
    played: Make, battle: Battle, tmp_path: Path
) -> None:
    """The belief is a cache: thrown away after every scene, the same state, score and history are shown again."""
    for seed in (3, 7, 11):
        game = played()
        for nth, scene in enumerate(battle(seed)):
            game.show(scene)
            path = copied(game.path, tmp_path / f"{seed}-{nth}")
            log = SqliteLog(path)
            log._db.execute("DELETE FROM snapshot")
            log.close()
            _, standing, words = found(path)
            assert standing.state == game.session.standing.state
            assert standing.score == game.session.standing.score
            assert words == said(game)


def test_a_snapshot_that_somebody_made_up_costs_nothing(played: Make, battle: Battle) -> None:
    """Its digest may be right and the rest wrong in any way: then the log alone is gone on with."""
    game = played()
    for scene in battle(3)[:12]:
        game.show(scene)
    standing, war = game.session.standing, game.session.war
    sequence, kept = game.log.snapshot(war)
    whole = json.loads(kept)
    for altered in ({"hyps": []}, {"hyps": [[]]}, {"differences": [{"a": 1}]}, {"undone": {"a": 1}}, {"seen": [[]]}):
        data = json.dumps(whole | altered)
        written = snapshot_digest(war, sequence, data) + data
        game.log._db.execute("UPDATE snapshot SET data = ?, sequence = ?", (written, sequence))
        game.die()
        assert (game.session.standing.state, game.session.standing.score) == (standing.state, standing.score)


WORDS: tuple[Input, ...] = (
    Undo(), Undo(2), Redo(), LetStand(), Done("near"), Done("far"), Withdraw("near"), Concede("far"),
    Correct(score={"near": 7, "far": 2}),
)  # fmt: skip


@pytest.mark.parametrize("seed", [2, 3])
def test_killed_between_words_of_the_players_it_shows_what_it_showed(
    played: Make, battle: Battle, tmp_path: Path, seed: int
) -> None:
    """Undo, redo, corrections and the buttons at every stage: no entry is missing of anything that was shown."""
    game, rng = played(), Random(seed)
    compared = 0
    for scene in battle(seed):
        game.session.see(sight_of(dict(scene.board), scene.order), game.t)
        for _ in range(6):
            game.t += 0.4
            game.session.tick(game.t)
            with suppress(Failure):
                if rng.random() < 0.15:
                    game.session.apply(rng.choice(WORDS), {"by": "page"})
            if rng.random() < 0.1 and not game.session.standing.war_winner:
                _, standing, words = found(copied(game.path, tmp_path / str(compared)))
                assert (standing, words) == (game.session.standing, said(game))
                compared += 1
    assert compared > 10
