"""The journal: what was told is on the disk, whatever happens to the program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.failure import BadInput, Failure
from host.session.game_log import BELIEFS_KEPT, Journal


def test_an_empty_journal_has_no_last_entry(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "deep" / "journal.db")
    assert journal.last() is None
    assert list(journal.entries()) == []
    journal.close()


def test_a_journal_is_for_the_person_who_plays_only(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path)
    journal.append("war", 1.0, {"by": "camera"}, [], "{}")
    assert {file.name: file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {
        file.name: 0 for file in tmp_path.iterdir()
    }
    journal.close()


def test_a_journal_that_cannot_be_written_any_more_says_so_and_stays_whole(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.append("war", 1.0, {"by": "camera"}, [], "{}")
    journal._db.execute("PRAGMA query_only = ON")
    with pytest.raises(Failure) as lost:
        journal.append("war", 2.0, {"by": "camera"}, [], "{}")
    assert lost.value.code == "journal-lost"
    journal._db.execute("PRAGMA query_only = OFF")
    assert journal.append("war", 3.0, {"by": "camera"}, [], "{}").number == 2
    journal.close()


def test_entries_come_back_in_order_with_the_newest_belief(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    for i in range(BELIEFS_KEPT + 4):
        journal.append("war", 100.0 + i, {"by": "camera"}, [{"kind": "move", "n": i}], json.dumps({"belief": i}))
    journal.close()

    again = Journal(tmp_path / "journal.db")
    assert [e.events[0]["n"] for e in again.entries("war")] == list(range(BELIEFS_KEPT + 4))
    assert list(again.entries("another")) == []
    found = again.last()
    assert found is not None
    entry, belief = found
    assert entry.number == BELIEFS_KEPT + 4
    assert json.loads(belief) == {"belief": BELIEFS_KEPT + 3}
    again.close()


def test_one_table_at_a_time_writes_a_journal(tmp_path: Path) -> None:
    first = Journal(tmp_path / "journal.db")
    first.append("war", 0.0, {}, [], "{}")
    with pytest.raises(BadInput, match="in use by another table"):
        Journal(tmp_path / "journal.db")
    first.close()


def test_a_file_that_is_no_journal_is_named(tmp_path: Path) -> None:
    path = tmp_path / "holiday.jpg"
    path.write_bytes(b"\xff\xd8\xff" * 4000)
    with pytest.raises(BadInput, match="not a journal"):
        Journal(path)


def test_a_journal_of_another_time_is_not_touched(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal._db.execute("UPDATE about SET value = '99'")
    journal.close()
    with pytest.raises(BadInput, match="format 99"):
        Journal(tmp_path / "journal.db")


WRITER = """
import sys
from pathlib import Path
from host.session.game_log import Journal
journal = Journal(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    journal.append("war", 0.0, {}, [{"n": number}], "{}")
    sys.stdout.write(f"{number}\\n")
    sys.stdout.flush()
"""


def test_killed_at_any_instant_nothing_told_is_lost(tmp_path: Path) -> None:
    for told_before_death in (1, 7, 23):
        path = tmp_path / f"journal-{told_before_death}.db"
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        told = 0
        while told < told_before_death:
            told = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        told = max([told, *(int(line) for line in process.stdout if line.endswith("\n"))])
        journal = Journal(path)
        kept = [e.events[0]["n"] for e in journal.entries()]
        journal.close()
        assert kept == list(range(1, len(kept) + 1))
        assert len(kept) >= told
