"""What a table takes for an acknowledgement: nothing that does not name an entry of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.failure import BadInput
from host.club.table.outbox import FileOutbox
from host.club.table.sending import Sending


@pytest.fixture
def outbox(tmp_path: Path) -> FileOutbox:
    made = FileOutbox(tmp_path / "outbox.db", 0)
    made.add(1, {"near": 1})
    made.add(2, {"near": 2})
    return made


@pytest.mark.parametrize(
    "told", [{"n": 9}, {"n": 9, "d": None}, {"n": 10**30, "d": "0"}, {"n": -1}, {"n": True}, {"d": "0"}]
)
def test_what_names_no_entry_acknowledges_none(outbox: FileOutbox, told: dict[str, Any]) -> None:
    sending = Sending(outbox)
    sending.due(0.0)
    sending.acknowledge({"log": outbox.log, **told})
    assert (sending.acknowledged, sending.waiting) == (0, 2)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kept match", "{"),
        ("kept match", "5"),
        ("kept match", '{"match": 5}'),
        ("kept match", "[" * 100_000),
        ("begins_after", "x"),
    ],
)
def test_an_outbox_whose_text_is_not_as_it_was_written_is_refused_by_name(
    tmp_path: Path, outbox: FileOutbox, key: str, value: str
) -> None:
    outbox.remember("match", '{"match": "1-1-2", "war": "w"}')
    with outbox._used() as db:
        db.execute("UPDATE about SET value = ? WHERE key = ?", (value, key))
    outbox.close()
    with pytest.raises(BadInput, match=r"outbox\.db cannot be used") as refused:
        FileOutbox(tmp_path / "outbox.db", 0)
    assert refused.value.remedy


def test_what_the_desk_has_is_not_sent_again(outbox: FileOutbox) -> None:
    sending = Sending(outbox)
    sending.due(0.0)
    sending.acknowledge({"log": outbox.log, "n": 1, "d": outbox.digest_at(1)})
    assert sending.waiting == 1
    (message,) = sending.due(100.0)
    assert [entry["n"] for entry in message["entries"]] == [2]
