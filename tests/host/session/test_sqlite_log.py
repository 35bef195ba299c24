"""The game log: what was told is on the disk, whatever happens to the program."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from engine.failure import BadInput, Failure
from host.session.game_log import Entry, GameLog, NewEntry, Observation, digest_of
from host.session.memory_log import MemoryLog
from host.session.sqlite_log import SqliteLog
from host.session.sqlite_rescue import rescue


def begun(log: GameLog, war: str = "war") -> GameLog:
    log.begin(war, "air-land-sea", {"edition": "revised"}, 1.0)
    return log


def entry(n: int, war: str = "war") -> NewEntry:
    return NewEntry(war, 100.0 + n, float(n), {"by": "camera"}, [{"event": "reading", "n": n}], f"snapshot {n}")


@pytest.fixture(params=["sqlite", "memory"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> GameLog:
    return SqliteLog(tmp_path / "games.db") if request.param == "sqlite" else MemoryLog()


def test_a_new_log_holds_nothing(log: GameLog) -> None:
    assert (list(log.entries()), list(log.wars()), log.snapshot("war")) == ([], [], None)
    assert log.table


def test_entries_come_back_in_order_with_the_newest_snapshot(log: GameLog) -> None:
    begun(log)
    told = [log.append(entry(n)) for n in range(7)]
    assert [e.sequence for e in told] == list(range(1, 8))
    assert list(log.entries("war")) == told
    assert list(log.entries(after=5)) == told[5:]
    assert list(log.entries("another")) == []
    assert log.snapshot("war") == (7, "snapshot 6")
    assert {e.table for e in told} == {log.table}


def test_every_war_is_listed_the_newest_first(log: GameLog) -> None:
    for number, war in enumerate(("first", "second")):
        log.begin(war, "air-land-sea", {"edition": "critters"}, float(number))
        log.append(entry(number, war))
    wars = log.wars()
    assert [(war.id, war.entries, war.options["edition"]) for war in wars] == [
        ("second", 1, "critters"),
        ("first", 1, "critters"),
    ]


def test_the_newest_war_is_the_newest_although_the_clock_was_set_back(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "games.db")
    for at, war in ((9e8, "before"), (1e3, "after")):
        log.begin(war, "air-land-sea", {"edition": "revised"}, at)
        log.append(NewEntry(war, at, 0.0, {"by": "camera"}, []))
    assert [war.id for war in log.wars()] == ["after", "before"]
    log.begin("empty", "air-land-sea", {"edition": "revised"}, 1.0)
    assert next(iter(log.wars())).id == "empty"
    log.close()


def test_a_deleted_war_is_gone_and_its_numbers_are_not_used_again(log: GameLog) -> None:
    begun(log)
    log.append(entry(1))
    log.observe(Observation("war", 1, 0.0, "reading", {"x": 1}))
    log.delete("war")
    assert (list(log.wars()), list(log.entries()), list(log.observations("war"))) == ([], [], [])
    begun(log, "next")
    assert log.append(entry(2, "next")).sequence == 2


def test_a_deleted_war_is_gone_from_the_disk_while_the_log_stays_open(tmp_path: Path) -> None:
    log = begun(SqliteLog(tmp_path / "games.db"))
    log.observe(Observation("war", 1, 0.0, "reading", {"x": "Zdzislawa"}))
    log.delete("war")
    assert not any(b"Zdzislawa" in file.read_bytes() for file in tmp_path.iterdir())
    log.close()


def test_what_the_referee_was_given_is_kept_within_bounds(tmp_path: Path) -> None:
    log = begun(SqliteLog(tmp_path / "games.db", observations_kept=10))
    for n in range(35):
        log.observe(Observation("war", 0, float(n), "reading", {"n": n}))
    kept = [observation.data["n"] for observation in log.observations("war")]
    assert kept == list(range(35 - len(kept), 35))
    assert 10 <= len(kept) < 20
    log.close()


def test_a_log_is_for_the_person_who_plays_only(tmp_path: Path) -> None:
    log = begun(SqliteLog(tmp_path / "deep" / "games.db"))
    log.append(entry(1))
    assert {file.name for file in (tmp_path / "deep").iterdir() if file.stat().st_mode & 0o077} == set()
    log.close()


def test_a_log_that_cannot_be_written_any_more_says_so_and_stays_whole(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "games.db")
    begun(log).append(entry(1))
    log._db.execute("PRAGMA query_only = ON")
    with pytest.raises(Failure) as lost:
        log.append(entry(2))
    assert lost.value.code == "log-lost"
    log._db.execute("PRAGMA query_only = OFF")
    assert log.append(entry(3)).sequence == 2
    log.close()


def test_one_table_at_a_time_writes_a_log(tmp_path: Path) -> None:
    first = begun(SqliteLog(tmp_path / "games.db"))
    with pytest.raises(BadInput, match="in use by another table"):
        SqliteLog(tmp_path / "games.db")
    first.close()


def test_a_log_that_became_empty_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    SqliteLog(path).close()
    assert capsys.readouterr().err == ""
    path.write_bytes(b"")
    SqliteLog(path).close()
    assert f"{path} was empty: it is damaged" in capsys.readouterr().err


def test_a_damage_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    SqliteLog(path).close()
    path.write_bytes(path.read_bytes().replace(b"AUTOINCREMENT", b"AUTOINC\xeeEMENT"))
    with pytest.raises(BadInput, match="damaged"):
        SqliteLog(path)


def test_a_file_that_is_no_log_is_named(tmp_path: Path) -> None:
    path = tmp_path / "holiday.jpg"
    path.write_bytes(b"\xff\xd8\xff" * 4000)
    with pytest.raises(BadInput, match="not a game log"):
        SqliteLog(path)


@pytest.mark.parametrize(("found", "says"), [("1", "earlier version"), ("99", "format 99")])
def test_a_log_of_another_time_is_refused_and_left_as_it_is(tmp_path: Path, found: str, says: str) -> None:
    path = tmp_path / "games.db"
    SqliteLog(path).close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE about SET value = ? WHERE key = 'format'", (found,))
        db.commit()
    before = path.read_bytes()
    with pytest.raises(BadInput, match=says):
        SqliteLog(path)
    assert path.read_bytes() == before


def made_up(path: Path, events: str, cause: str) -> None:
    """A log whose second entry says that, with digests that are right."""
    log = SqliteLog(path)
    first = begun(log).append(entry(1))
    digest = digest_of(first.digest, (log.table, "war", 2, 101.0, 1.0), cause, events)
    log._db.execute("INSERT INTO entry VALUES (2, 'war', 101.0, 1.0, 1, ?, ?, ?)", (cause, events, digest))
    log._db.execute("UPDATE war SET last = 101.0, entries = 2, digest = ?", (digest,))
    log.close()


@pytest.mark.parametrize(
    ("events", "cause"),
    [("5", "{}"), ('"move"', "{}"), ("[5]", "{}"), ("{", "{}"), ("[" * 100_000, "{}"), ("[]", "5"), ("[]", "[]")],
)
def test_an_entry_that_somebody_made_up_is_refused_and_not_rescued(tmp_path: Path, events: str, cause: str) -> None:
    """A log from a stranger may hold anything under digests that are right."""
    path = tmp_path / "games.db"
    made_up(path, events, cause)
    log = SqliteLog(path)
    read = log.entries("war")
    assert next(read).sequence == 1
    with pytest.raises(BadInput, match="Entry 2"):
        next(read)
    log.close()
    found = rescue(path)
    assert (found.entries, found.lost) == (1, 1)


def test_an_entry_that_was_changed_is_found(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "games.db")
    begun(log)
    written: list[Entry] = [log.append(entry(n)) for n in range(4)]
    log._db.execute("UPDATE entry SET at = at + 1 WHERE sequence = 3")
    read = log.entries("war")
    assert [next(read), next(read)] == written[:2]
    with pytest.raises(BadInput, match="Entry 3"):
        next(read)
    log.close()


@pytest.mark.parametrize(
    ("altered", "named", "whole"),
    [
        ('UPDATE war SET options = \'{"edition": "critters"}\'', "beginning of war war", 4),
        ("UPDATE war SET game = 'fog'", "beginning of war war", 4),
        ("DELETE FROM war", "list of wars", 4),
        ("UPDATE beginning SET options = '{}'", "beginning of war war", 4),
        ("UPDATE beginning SET digest = 'x'", "beginning of war war", 4),
        ("UPDATE war SET entries = 3", "end of war war", 4),
        ("UPDATE war SET digest = 'x'", "end of war war", 4),
        ("DELETE FROM entry WHERE sequence = 4", "end of war war", 3),
        ("DELETE FROM entry", "end of war war", 0),
        ('UPDATE entry SET events = \'[{"event":"reading","n":9}]\' WHERE sequence = 2', "Entry 2", 1),
    ],
)
def test_what_was_altered_is_named_and_the_whole_part_rescued(
    tmp_path: Path, altered: str, named: str, whole: int
) -> None:
    log = SqliteLog(tmp_path / "games.db")
    begun(log)
    written = [log.append(entry(n)) for n in range(4)]
    log._db.execute(altered)
    with pytest.raises(BadInput, match=named):
        log.wars()
        list(log.entries())
    log.close()

    found = rescue(tmp_path / "games.db")

    rescued = SqliteLog(found.kept)
    assert [war.options for war in rescued.wars()] == [{"edition": "revised"}]
    assert [e.events for e in rescued.entries()] == [e.events for e in written][:whole]
    rescued.close()


def test_a_log_on_which_a_table_plays_is_not_said_to_be_lost(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "games.db")
    begun(log).append(entry(1))
    with pytest.raises(BadInput) as refused:
        rescue(tmp_path / "games.db")
    log.close()
    assert refused.value.code == "log-busy"
    assert not (tmp_path / "games.db.rescued").exists()


@pytest.mark.parametrize("name", ["games#1.db", "games?.db", "50%41.db"])
def test_a_log_is_rescued_whatever_its_name_is(tmp_path: Path, name: str) -> None:
    log = SqliteLog(tmp_path / name)
    begun(log).append(entry(1))
    log.close()
    assert rescue(tmp_path / name).entries == 1


def test_an_altered_snapshot_is_not_believed(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "games.db")
    begun(log).append(entry(1))
    log._db.execute("UPDATE snapshot SET data = replace(data, 'snapshot 1', 'snapshot 2')")
    assert log.snapshot("war") is None
    log.close()


WRITER = """
import sys
from pathlib import Path
from host.session.game_log import NewEntry
from host.session.sqlite_log import SqliteLog
log = SqliteLog(Path(sys.argv[1]))
log.begin("war", "air-land-sea", {}, 0.0)
number = 0
while True:
    number += 1
    log.append(NewEntry("war", 0.0, 0.0, {}, [{"n": number}], "{}"))
    sys.stdout.write(f"{number}\\n")
    sys.stdout.flush()
"""


def test_killed_at_any_instant_nothing_told_is_lost(tmp_path: Path) -> None:
    for told_before_death in (1, 7, 23):
        path = tmp_path / f"games-{told_before_death}.db"
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        told = 0
        while told < told_before_death:
            told = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        told = max([told, *(int(line) for line in process.stdout if line.endswith("\n"))])
        log = SqliteLog(path)
        kept = [e.events[0]["n"] for e in log.entries()]
        log.close()
        assert kept == list(range(1, len(kept) + 1))
        assert len(kept) >= told
