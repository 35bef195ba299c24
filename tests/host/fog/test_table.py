"""A running game: written down before it is told, taken back, and gone on with from its log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest

from engine.failure import BadInput, Failure
from engine.fog.actions import Begin, Defend, EndTurn, SetBox
from engine.fog.board import Box, FogBoard
from engine.fog.board_file import built_in
from engine.fog.codec import to_json
from engine.fog.refusal import ForbiddenAction
from engine.fog.simulation import simulate
from host.fog.demo import FogDemo
from host.fog.table import GAME, FogChange, FogTable, load_board, save_board
from host.session.game_log import Entry, GameLog, JsonMapping, NewEntry
from host.session.memory_log import MemoryLog
from host.session.sqlite_log import SqliteLog

PAGE = {"by": "page", "role": "owner"}


def clock() -> Callable[[], float]:
    ticks = count(1_000)
    return lambda: float(next(ticks))


def test_what_is_told_was_written_down_before() -> None:
    log = MemoryLog()
    table = FogTable(log, clock(), board=built_in("demo"))
    written: list[int] = []
    table.listen(lambda change: written.append(len(list(log.entries(table.war)))))
    table.apply(Begin(), PAGE)
    table.apply(Defend("karst", 1), PAGE)
    assert written == [1, 2]


class FullDisk(MemoryLog):
    """A log that cannot be written any more."""

    def append(self, new: NewEntry) -> Entry:
        raise Failure("log-lost", "The disk is full.", "Make room.")


def test_what_cannot_be_written_did_not_happen() -> None:
    table = FogTable(FullDisk(), clock(), board=built_in("demo"))
    with pytest.raises(Failure, match="disk is full"):
        table.apply(Begin(), PAGE)
    assert table.change.history.steps == ()


class NoOtherGame(MemoryLog):
    """A log in which no further game can be begun."""

    def begin(self, war: str, game: str, options: JsonMapping, at: float) -> None:
        if self.wars():
            raise Failure("log-lost", "The disk is full.", "Make room.")
        super().begin(war, game, options, at)


def test_a_game_that_cannot_be_begun_leaves_the_one_before() -> None:
    table = FogTable(NoOtherGame(), clock(), board=built_in("demo"))
    table.apply(Begin(), PAGE)
    with pytest.raises(Failure, match="disk is full"):
        table.begin(built_in("demo"))
    table.apply(Defend("karst", 1), PAGE)
    assert len(table.change.history.steps) == 2


def test_a_page_that_has_not_seen_the_last_entry_changes_nothing() -> None:
    table = FogTable(MemoryLog(), clock(), board=built_in("demo"))
    assert table.apply(Begin(), PAGE, at=0)
    assert not table.apply(Defend("karst", 1), PAGE, at=0)
    assert table.apply(Defend("karst", 1), PAGE, at=table.change.entry)


@pytest.mark.parametrize("seed", [3, 854])
def test_a_game_that_was_stopped_goes_on_where_it_was(tmp_path: Path, seed: int) -> None:
    """Undo and redo are entries too; the log of a stopped program gives the same history, redo included."""
    path, rng = tmp_path / "fog.db", Random(seed)

    def opened() -> GameLog:
        return SqliteLog(path)

    table = FogTable(opened(), clock(), board=built_in("demo"))
    for action in simulate(table.change.history.game, Random(seed), most=80):
        table.apply(action, PAGE)
        if rng.random() < 0.3:
            table.undo(PAGE)
            table.redo(PAGE)
    table.undo(PAGE)
    before = table.change
    table.close()
    again = FogTable(opened(), clock())
    assert again.resumed
    assert again.change == before
    again.redo(PAGE)
    again.close()


def test_the_game_that_was_played_last_is_gone_on_with_and_a_new_one_before_its_first_action(tmp_path: Path) -> None:
    # given a game that nobody touched, and a later one that was played
    log, tick = SqliteLog(tmp_path / "fog.db"), clock()
    FogTable(log, tick)
    played = FogTable(log, tick, begin_on=built_in("demo"))
    played.apply(Begin(), PAGE)
    assert FogTable(log, tick).war == played.war
    # when another is begun, it is the one
    new = FogTable(log, tick, begin_on=built_in("demo"))
    assert FogTable(log, tick).war == new.war
    log.close()


def test_a_refused_action_leaves_no_entry() -> None:
    log = MemoryLog()
    table = FogTable(log, clock(), board=built_in("demo"))
    table.apply(Begin(), PAGE)
    with pytest.raises(ForbiddenAction):
        table.apply(EndTurn(), PAGE)
    assert len(list(log.entries(table.war))) == 1


def test_the_own_board_is_kept_and_the_small_map_is_not(tmp_path: Path) -> None:
    path = tmp_path / "data" / "board.toml"
    saved: list[FogBoard] = []

    def save(board: FogBoard) -> None:
        saved.append(board)
        save_board(path, board)

    table = FogTable(MemoryLog(), clock(), save=save)
    table.apply(SetBox(Box(axis_deck=20)), PAGE)
    assert load_board(path) == table.own_board() == saved[-1]
    table.begin(built_in("demo"))
    table.apply(SetBox(Box(axis_deck=9)), PAGE)
    assert len(saved) == 1
    assert table.own_board().box.axis_deck == 20


def test_a_board_whose_file_cannot_be_written_is_played_on_and_kept_as_soon_as_it_can(tmp_path: Path) -> None:
    """Given a disk without room, when something of the box is typed in, then everybody sees it, that it is kept in no
    file is told, and with room again the next action keeps it."""
    saved: list[FogBoard] = []
    room = False

    def save(board: FogBoard) -> None:
        if not room:
            raise Failure("board-file", "board.toml cannot be written: No space left on device.", "Make room.")
        saved.append(board)

    table = FogTable(MemoryLog(), clock(), save=save)
    told: list[tuple[int | None, bool]] = []
    table.listen(lambda change: told.append((change.history.game.board.box.axis_deck, table.unsaved is not None)))
    assert table.apply(SetBox(Box(axis_deck=20)), PAGE)
    assert told == [(20, False), (20, True)]
    assert table.apply(SetBox(Box(axis_deck=21)), PAGE)
    assert told[2:] == [(21, True)]
    room = True
    table.undo(PAGE)
    assert told[3:] == [(20, True), (20, False)]
    assert table.unsaved is None
    assert [board.box.axis_deck for board in saved] == [20]


def test_a_board_file_that_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text('name = "x"\nneutral_areas = "many"\n', "utf-8")
    with pytest.raises(BadInput, match=r"board\.toml, line 2"):
        load_board(path)
    assert load_board(tmp_path / "missing.toml") is None


def test_a_board_file_that_was_changed_between_two_starts_counts(tmp_path: Path) -> None:
    # given a game that was stopped at the second 1001, and its board's file
    log, mine = SqliteLog(tmp_path / "fog.db"), replace(built_in("demo"), name="mine")
    table = FogTable(log, clock(), board=mine)
    table.apply(Begin(), PAGE)
    log.close()
    edited = replace(mine, box=replace(mine.box, track_end=17))
    # when the file was changed before the last entry, the game's own board is newer; after it, the file is
    for changed, track_end in ((1_000.0, mine.box.track_end), (1_500.0, 17)):
        log = SqliteLog(tmp_path / "fog.db")
        again = FogTable(log, clock(), board=edited)
        again.follow_file(changed)
        assert again.change.history.game.board.box.track_end == track_end
        assert again.change.history.game.state == table.change.history.game.state
        log.close()


@pytest.mark.parametrize("set_back", [0.0, 7200.0])
def test_a_game_that_was_begun_and_not_touched_is_gone_on_with_whatever_the_clock_says(
    tmp_path: Path, set_back: float
) -> None:
    """A machine without a clock of its own starts in the past, until it finds the network."""
    log = SqliteLog(tmp_path / "fog.db")
    FogTable(log, lambda: 10_000.0, board=built_in("demo")).apply(Begin(), PAGE)
    # given a new game that was begun on another day, by a clock that was set back
    table = FogTable(log, lambda: 10_000.0 - set_back, begin_on=built_in("memo"))
    page_shows = table.change.entry
    log.close()
    # when the program starts again, then it is that one, and a page that was open goes on
    log = SqliteLog(tmp_path / "fog.db")
    again = FogTable(log, lambda: 10_000.0 - set_back)
    assert (again.war, again.change.history.steps) == (table.war, ())
    assert again.apply(SetBox(Box(axis_deck=20)), PAGE, at=page_shows)
    log.close()


@pytest.mark.parametrize(
    ("options", "events"), [({}, []), ({"board": 5}, []), (None, [{}]), (None, [{"event": "action"}])]
)
def test_a_game_that_somebody_made_up_is_refused(options: JsonMapping | None, events: list[JsonMapping]) -> None:
    log = MemoryLog()
    log.begin("w", GAME, {"board": to_json(built_in("demo"))} if options is None else options, 1.0)
    log.append(NewEntry("w", 1.0, 0.0, {}, events))
    if events == [{}]:
        # A newer program's event.
        assert FogTable(log, clock()).change.history.steps == ()
        return
    with pytest.raises(BadInput):
        FogTable(log, clock())


def test_a_log_that_cannot_be_followed_is_told_and_a_new_game_can_begin() -> None:
    log = MemoryLog()
    table = FogTable(log, clock(), board=built_in("demo"))
    log.append(NewEntry(table.war, 1_001.0, 0.0, PAGE, [{"event": "action", "action": {"do": "end-turn"}}]))
    with pytest.raises(BadInput, match="past its entry 1") as bad:
        FogTable(log, clock())
    assert "--new" in bad.value.remedy
    assert FogTable(log, clock(), begin_on=built_in("demo")).change.history.steps == ()


def test_the_demonstration_plays_all_five_years_by_itself() -> None:
    table = FogTable(MemoryLog(), clock())
    years: set[int] = set()
    table.listen(lambda change: years.add(change.history.game.state.year))
    demo = FogDemo(table, pause_seconds=0.0)
    demo.start()
    try:
        assert demo.wait(60)
    finally:
        demo.close()
    assert years == {1940, 1941, 1942, 1943, 1944}


def test_the_demonstration_is_paused_stepped_and_begun_again() -> None:
    table = FogTable(MemoryLog(), clock())
    told: list[FogChange] = []
    demo = FogDemo(table, pause_seconds=0.0)
    table.listen(told.append)
    assert demo.do("pause", None) and demo.shown() == {"paused": True}
    demo.start()
    try:
        demo.do("step", None)
        assert demo.wait(0.0) is False
        for _ in range(1000):
            if len(told) == 1:
                break
            demo.wait(0.01)
        assert [len(change.history.steps) for change in told] == [1]
        assert demo.do("replay", None)
        assert table.change.history.steps == ()
        assert not demo.do("fly", None)
    finally:
        demo.close()
