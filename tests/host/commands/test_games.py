"""Given games that were played, `games` lists, shows, exports, replays and deletes them, and rescues a damaged log."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.failure import BadInput, Failure
from host.cli import main
from host.session.archive import battles_of, follow_again, notation_of, war_named
from host.session.session import Rules, Session, replayed
from host.session.source_events import SourceNotice
from host.session.sqlite_log import SqliteLog
from host.session.sqlite_rescue import rescue

Make = Callable[..., Any]
Battle = Callable[..., list[Any]]


@pytest.fixture
def log(played: Make, battle: Battle) -> Path:
    """A log with a finished battle, and a war that was just begun after it."""
    game = played()
    for scene in battle(7):
        game.show(scene, looks=30)
    game.session.begin_war(Rules("first", "far", names=("Anna", "Bo")))
    for scene in battle(3, "first")[:6]:
        game.show(scene)
    game.log.close()
    path: Path = game.path
    return path


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["games", *words]) == status
    return capsys.readouterr().out


def test_wars_are_listed_with_names_and_score(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newest, oldest = said(capsys, "--log", str(log)).splitlines()
    assert "Anna and Bo: 0 : 0 in 0 battles, unfinished, to 12" in newest
    assert "near and far: 6 : 0 in 1 battle, unfinished, to 12" in oldest
    rows = [json.loads(line) for line in said(capsys, "--log", str(log), "--json").splitlines()]
    assert [(row["number"], row["edition"], row["battles"]) for row in rows] == [(1, "first", 0), (2, "revised", 1)]


def test_wars_are_listed_in_the_language_of_the_settings(
    log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = said(capsys, "--log", str(log), "--json")
    (tmp_path / "allfronts").mkdir()
    (tmp_path / "allfronts" / "settings.toml").write_text('language = "ru"\n', "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    newest, oldest = said(capsys, "--log", str(log)).splitlines()
    assert "Anna и Bo: 0 : 0 · 0 битв, не закончена, до 12" in newest
    assert "ближний и дальний: 6 : 0 · 1 битва, не закончена, до 12" in oldest
    # What programs read stays as it is.
    assert said(capsys, "--log", str(log), "--json") == before


def test_an_exported_war_is_judged_to_the_same_result(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "battle.war"
    said(capsys, "export", "2", "--log", str(log), "--output", str(written))
    assert main(["judge", "--json", str(written)]) == 0
    judged = json.loads(capsys.readouterr().out.splitlines()[0])
    assert judged["score"] == {"near": 6, "far": 0}
    assert judged["result"]["winner"] == "near"


def test_every_event_of_a_war_is_shown_and_exported(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = [json.loads(line) for line in said(capsys, "show", "2", "--log", str(log), "--json").splitlines()]
    moves = [line for line in shown if line["event"] == "move"]
    assert len(moves) >= 12
    assert shown[-1]["event"] in ("battle", "notice")
    head, *entries = map(json.loads, said(capsys, "export", "2", "--as", "json", "--log", str(log)).splitlines())
    assert head["game"] == "air-land-sea"
    assert [entry["sequence"] for entry in entries] == sorted(entry["sequence"] for entry in entries)
    assert sum(event["event"] == "move" for entry in entries for event in entry["events"]) == len(moves)


def test_a_war_followed_again_by_the_same_referee_comes_to_the_same_end(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "the same state and score" in said(capsys, "replay", "2", "--log", str(log))


@pytest.mark.parametrize("seed", range(4))
def test_every_battle_is_exported_as_it_was_told(played: Make, battle: Battle, seed: int) -> None:
    game = played()
    for scene in battle(seed):
        game.show(scene)
    war = war_named(game.log, "1")
    [told] = battles_of(game.log, war)
    assert told.state == game.session.standing.state
    assert told.score == game.session.standing.score
    assert f"Result: {told.state.result.winner}" in notation_of(game.log, war)  # type: ignore[union-attr]
    assert follow_again(game.log, war).same


def test_a_trouble_of_the_camera_before_the_first_card_does_not_keep_a_war_from_being_followed_again(
    played: Make, battle: Battle
) -> None:
    game = played()
    game.session.source(SourceNotice("no-table"), 0.0)
    for scene in battle(7):
        game.show(scene)
    assert follow_again(game.log, war_named(game.log, "1")).same


def test_a_war_whose_first_readings_were_dropped_is_not_followed_again(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7):
        game.show(scene)
    game.log._db.execute("DELETE FROM observation WHERE number <= 5")
    with pytest.raises(BadInput) as refused:
        follow_again(game.log, war_named(game.log, "1"))
    assert refused.value.code == "no-readings"


def test_a_deleted_war_is_gone_and_nothing_is_deleted_by_accident(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games", "delete", "1", "--log", str(log)]) == 2
    assert "--yes" in capsys.readouterr().err
    said(capsys, "delete", "1", "--log", str(log), "--yes")
    [left] = said(capsys, "--log", str(log)).splitlines()
    assert "6 : 0" in left
    assert b"Anna" not in log.read_bytes()


def test_before_a_war_is_deleted_it_is_named_as_the_list_names_it(
    log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another game keeps its log there, too.
    other = SqliteLog(log)
    other.begin("fog", "fog-of-war", {}, 1.0)
    other.close()
    listed = said(capsys, "--log", str(log)).splitlines()
    for number in (1, 2):
        answer = io.StringIO("n\n")
        monkeypatch.setattr(answer, "isatty", lambda: True)
        monkeypatch.setattr("sys.stdin", answer)
        assert main(["games", "delete", str(number), "--log", str(log)]) == 1
        assert listed[number - 1].strip() in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "²", "0", "9" * 5000])
def test_what_is_no_wars_number_and_no_beginning_of_an_id_names_none(
    log: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """A script whose variable is empty deletes nothing, also where a single war is kept."""
    said(capsys, "delete", "1", "--log", str(log), "--yes")
    assert main(["games", "delete", name, "--yes", "--log", str(log)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert len(said(capsys, "--log", str(log)).splitlines()) == 1


def test_what_is_not_there_is_one_line(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["show", "77"], ["show"], ["export", "zz"], ["rescue", str(tmp_path / "nothing")]):
        assert main(["games", *words, "--log", str(log)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_whatever_is_damaged_is_named_and_the_rest_is_rescued(log: Path, tmp_path: Path) -> None:
    """Given a byte changed anywhere, then it is found or it does not matter; no entry comes back altered."""
    with_everything = SqliteLog(log)
    whole = list(with_everything.entries())
    with_everything.close()
    data = log.read_bytes()
    rng = Random(5)
    found = 0
    for n in range(60):
        at, folder = rng.randrange(len(data)), tmp_path / str(n)
        folder.mkdir()
        path = folder / "games.db"
        path.write_bytes(data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :])
        shutil.copyfile(path, folder / "kept.db")
        try:
            opened = SqliteLog(path)
            try:
                for entry in opened.entries():
                    assert entry in whole
                for war in opened.wars():
                    replayed(opened, war.id, Rules.from_json(war.options))
                Session(opened, Rules(), lambda: 0.0)
            finally:
                opened.close()
        except Failure as named:
            assert isinstance(named, BadInput), named
            found += 1
            try:
                kept = rescue(folder / "kept.db")
            except BadInput as nothing:
                assert nothing.code in ("nothing-whole", "not-a-log")
                continue
            rescued = SqliteLog(kept.kept)
            assert len(list(rescued.entries())) == kept.entries
            rescued.close()
    assert found > 3


def rescued(damaged: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    """What `games rescue` tells programs and people of a damaged log."""
    row = json.loads(said(capsys, "rescue", str(damaged), "--json"))
    Path(row["kept"]).unlink()
    return row, said(capsys, "rescue", str(damaged))


@pytest.mark.parametrize("page", ["the first of the entries", "that of the last entry"])
def test_a_rescue_never_says_that_nothing_is_lost_where_a_part_cannot_be_read(
    log: Path, capsys: pytest.CaptureFixture[str], page: str
) -> None:
    opened = SqliteLog(log)
    entries = list(opened.entries())
    roots = dict(opened._db.execute("SELECT name, rootpage FROM sqlite_master").fetchall())
    opened.close()
    data = bytearray(log.read_bytes())
    pages = [data[at : at + 4096] for at in range(0, len(data), 4096)]
    for number, content in enumerate(pages, 1):
        # Its digest stands beside the war, too.
        of_the_last = entries[-1].digest.encode() in content and number != roots["war"]
        if number == roots["entry"] if page.startswith("the first") else of_the_last:
            content[:] = bytes([0xA5]) * 4096
    log.write_bytes(b"".join(pages))
    row, told = rescued(log, capsys)
    assert row["entries"] + row["lost"] == len(entries) and row["lost"] > 0
    assert row["unread"] == ("cannot be read" in told)
    assert row["unread"] or page == "that of the last entry"
    assert f"Keep the damaged file {log}" in told


def test_entries_that_are_gone_without_a_trace_are_counted_as_lost(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = SqliteLog(log)
    opened._db.execute("DELETE FROM entry WHERE sequence > (SELECT max(sequence) - 4 FROM entry)")
    opened.close()
    row, told = rescued(log, capsys)
    assert (row["lost"], row["unread"]) == (4, False)
    assert "lost: 4" in told and "cannot be read" not in told


def test_the_help_says_what_to_name_for_a_rescue(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["games", "--help"])
    assert "with rescue the damaged FILE" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("words", [["list"], ["show", "1"], ["export", "1"]])
def test_while_a_table_plays_its_page_is_named_for_its_games(
    played: Make, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    game = played()
    assert main(["games", *words, "--log", str(game.path)]) == 2
    told = capsys.readouterr().err
    assert "/games/" in told and str(game.path) in told and "another file" not in told
