"""The table watcher: one reading a table that lies still, more looks where unsure, word when the camera moves."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from engine.failure import Failure
from engine.names import THEATERS
from engine.places import Place
from engine.sight import Note, SeenCard, Sight, sight_of
from vision.geometry.light import root_table
from vision.geometry.registration import (
    register,
)
from vision.simulate import EMPTY, FilmStep, SimulatedCamera
from vision.tracking.reader import TableReading
from vision.tracking.table_watcher import TableWatcher, places_touched
from vision.types import Picture

FPS = 10
ORDER = ("S", "A", "L")
ONE = {**EMPTY, ("A", "near"): ("A1",)}
TWO = {**ONE, ("S", "far"): ("-",)}


class ScriptedReader:
    """A reader that is told what lies there, but registers the picture for itself as the real one does."""

    def __init__(self) -> None:
        self.sight: Sight = sight_of(EMPTY, ORDER)
        self.asked: list[frozenset[Place] | None] = []
        self.doubtful_for = 0
        self.failure: Failure | None = None
        self.boards_alone = False
        """No tag is seen."""

    def read(
        self, image: Picture, previous: TableReading | None = None, changed: Collection[Place] | None = None
    ) -> TableReading:
        self.asked.append(None if changed is None else frozenset(changed))
        if self.failure is not None:
            raise self.failure
        registration = register(image)
        if registration is None:
            raise Failure("no-table", "No table.", "Show it.")
        if self.boards_alone:
            registration = replace(registration, tags={}, source="boards")
        sight = self.sight
        if self.doubtful_for > 0:
            self.doubtful_for -= 1
            sight = replace(sight, sure=False)
        return TableReading(sight, registration, (None, None, None), (), root_table(np.ones(3)), MappingProxyType({}))


@pytest.fixture
def camera() -> SimulatedCamera:
    return SimulatedCamera("bright", 21)


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader()


def play(watcher: TableWatcher, pictures: list[np.ndarray], start: float = 0.0) -> list[tuple[float, Sight]]:
    out = []
    for k, picture in enumerate(pictures):
        t = start + k / FPS
        sight = watcher.see(picture, t)
        if sight is not None:
            out.append((t, sight))
    return out


def stills(camera: SimulatedCamera, board: dict, n: int = 12) -> list[np.ndarray]:  # type: ignore[type-arg]
    return [camera.still(board, ORDER) for _ in range(n)]


def test_a_film_gives_one_sight_a_table_soon_after_the_hand_is_out(
    camera: SimulatedCamera, reader: ScriptedReader
) -> None:
    watcher = TableWatcher(reader=reader)
    boards = (EMPTY, ONE, TWO)
    steps = [FilmStep(EMPTY, ORDER, hold=1.5), FilmStep(ONE, ORDER, "near", 1.5), FilmStep(TWO, ORDER, "far", 1.5)]
    began: dict[int, float] = {}
    told: list[tuple[int | None, float, Sight]] = []
    for frame in camera.film(steps, FPS):
        if frame.still is not None:
            began.setdefault(frame.still, frame.t)
            reader.sight = sight_of(boards[frame.still], ORDER)
        sight = watcher.see(frame.image, frame.t)
        if sight is not None:
            told.append((frame.still, frame.t, sight))
    assert [t[0] for t in told] == [0, 1, 2]
    assert [dict(t[2].board) for t in told] == [dict(b) for b in boards]
    for number, t, _ in told[1:]:
        assert number is not None
        assert t - began[number] <= 0.6


def test_only_the_columns_that_changed_are_read_again(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    reader.sight = sight_of(ONE, ORDER)
    play(watcher, stills(camera, ONE))
    reader.sight = sight_of(TWO, ORDER)
    play(watcher, stills(camera, TWO), 2.0)
    assert reader.asked == [None, frozenset({("S", "far")})]


def test_an_unsure_table_gets_a_second_look_before_it_is_told(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    reader.doubtful_for = 1
    told = play(watcher, stills(camera, EMPTY))
    assert [s.sure for _, s in told] == [True]
    assert len(reader.asked) == 2


def test_what_stays_unsure_is_told_as_unsure_and_mended_when_it_clears(
    camera: SimulatedCamera, reader: ScriptedReader
) -> None:
    watcher = TableWatcher(reader=reader)
    reader.doubtful_for = 4
    told = play(watcher, stills(camera, EMPTY, 60))
    assert [s.sure for _, s in told] == [False, True]
    assert told[0][0] <= 1.2, "three looks take a second"


def test_a_doubt_that_is_known_does_not_hold_up_the_next_card(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    doubt = (Note("doubtful", "A/near/0"),)
    reader.sight = replace(sight_of(ONE, ORDER), sure=False, notes=doubt)
    assert [s.sure for _, s in play(watcher, stills(camera, ONE))] == [False]
    asked = len(reader.asked)
    reader.sight = replace(sight_of(TWO, ORDER), sure=False, notes=doubt)
    told = play(watcher, stills(camera, TWO, 8), 2.0)
    assert [dict(s.board) for _, s in told] == [dict(reader.sight.board)]
    assert len(reader.asked) == asked + 1


def test_another_strange_thing_on_the_table_is_told(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    first, second = Note("foreign", "A/near"), Note("foreign", "S/far")
    reader.sight = replace(sight_of(EMPTY, ORDER), sure=False, notes=(first,))
    assert [s.notes for _, s in play(watcher, stills(camera, ONE))] == [(first,)]
    reader.sight = replace(sight_of(EMPTY, ORDER), sure=False, notes=(first, second))
    assert [s.notes for _, s in play(watcher, stills(camera, TWO), 2.0)] == [(first, second)]


def test_doubts_do_not_make_the_reader_run_all_the_time(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    reader.doubtful_for = 1000
    play(watcher, stills(camera, EMPTY, 100))
    assert len(reader.asked) <= 3 + 4


def test_a_lamp_does_not_make_a_new_table(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    assert len(play(watcher, stills(camera, ONE))) == 1
    camera.brightness = 0.6
    assert play(watcher, stills(camera, ONE, 20), 2.0) == []


def test_a_moved_camera_is_told_and_the_table_found_again(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    play(watcher, stills(camera, EMPTY))
    assert watcher.notices() == []
    nudged = replace(camera.condition, view=replace(camera.condition.view, offset=(14.0, 6.0)))
    moved = stills(SimulatedCamera("bright", 21, condition=nudged), EMPTY, 20)
    play(watcher, moved, 2.0)
    notices = watcher.notices()
    assert [n.code for n in notices] == ["camera-moved"]
    assert 10 < notices[0].parts["px"] < 80
    assert watcher.notices() == [], "told once"


def test_a_table_placed_by_its_boards_alone_and_read_unsurely_tells_no_move(
    camera: SimulatedCamera, reader: ScriptedReader
) -> None:
    """Given a table that was read; when it is hardly seen and placed elsewhere; then that is told as no move, and
    neither is its being placed right again."""
    watcher = TableWatcher(reader=reader)
    play(watcher, stills(camera, EMPTY))
    nudged = replace(camera.condition, view=replace(camera.condition.view, offset=(14.0, 6.0)))
    reader.boards_alone, reader.doubtful_for = True, 1000
    play(watcher, stills(SimulatedCamera("bright", 21, condition=nudged), EMPTY, 20), 2.0)
    assert watcher.notices() == []
    reader.boards_alone, reader.doubtful_for = False, 0
    assert play(watcher, stills(camera, EMPTY, 20), 4.0)
    assert watcher.notices() == []


def test_no_table_is_told_and_then_that_it_is_back(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    play(watcher, stills(camera, EMPTY))
    desk = [np.full((720, 1280, 3), 90, np.uint8)] * 70
    assert play(watcher, desk, 2.0) == []
    assert [n.code for n in watcher.notices()] == ["no-table"]
    play(watcher, stills(camera, EMPTY, 70), 9.0)
    assert "table-found" in [n.code for n in watcher.notices()]


@pytest.mark.parametrize("code", ["low-contrast", "mirrored"])
def test_a_table_too_pale_to_be_read_or_mirrored_is_told_apart_from_no_table(
    camera: SimulatedCamera, reader: ScriptedReader, code: str
) -> None:
    watcher = TableWatcher(reader=reader)
    pictures = stills(camera, EMPTY, 20)
    reader.failure = Failure(code, "Print is hardly seen.", "Wipe the lens.")
    assert play(watcher, pictures) == []
    assert [n.code for n in watcher.notices()] == [code]
    # Then the mat is taken away: that is another thing, and told as one.
    reader.failure = Failure("no-table", "No table.", "Show it.")
    play(watcher, stills(camera, EMPTY, 120), 2.0)
    assert [n.code for n in watcher.notices()] == ["no-table"]
    reader.failure = None
    play(watcher, stills(camera, EMPTY, 120), 14.0)
    assert [n.code for n in watcher.notices()] == ["table-found"]


def test_a_change_that_a_hand_interrupts_is_not_forgotten(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    reader.sight = sight_of(ONE, ORDER)
    play(watcher, stills(camera, ONE))
    reader.sight = sight_of(TWO, ORDER)
    reader.doubtful_for = 1
    pictures = stills(camera, TWO, 12)
    soon = next(k for k in range(12) if watcher.see(pictures[k], 2.0 + k / FPS) is None and len(reader.asked) == 2)
    rng = np.random.default_rng(2)
    waving = [rng.integers(0, 255, (720, 1280, 3)).astype(np.uint8) for _ in range(5)]
    assert play(watcher, waving, 2.0 + (soon + 1) / FPS) == []
    told = play(watcher, stills(camera, TWO), 5.0)
    assert [dict(s.board) for _, s in told] == [dict(sight_of(TWO, ORDER).board)]


def test_a_hand_that_was_there_from_the_beginning_is_not_waited_for_when_it_has_gone(
    camera: SimulatedCamera, reader: ScriptedReader
) -> None:
    steps = [FilmStep(EMPTY, ORDER, hold=0.1), FilmStep(ONE, ORDER, "near", 0.1)]
    bare = camera.still(EMPTY, ORDER).astype(int)
    held = max(
        (f.image for f in camera.film(steps, FPS) if f.still is None), key=lambda i: np.abs(i.astype(int) - bare).mean()
    )
    watcher = TableWatcher(reader=reader)
    reader.doubtful_for = 100
    assert [s.sure for _, s in play(watcher, [held] * 15)] == [False]
    reader.doubtful_for = 0
    reader.sight = sight_of(ONE, ORDER)
    told = play(watcher, stills(camera, ONE, 16), 1.5)
    assert [(dict(s.board), s.sure) for _, s in told] == [(dict(reader.sight.board), True)]
    assert told[0][0] < 3


def test_forgetting_tells_the_same_table_again(camera: SimulatedCamera, reader: ScriptedReader) -> None:
    watcher = TableWatcher(reader=reader)
    assert len(play(watcher, stills(camera, ONE))) == 1
    watcher.forget()
    assert len(play(watcher, stills(camera, ONE), 2.0)) == 1


def reading_of(camera: SimulatedCamera, sight: Sight) -> TableReading:
    registration = register(camera.still(EMPTY, ORDER))
    assert registration is not None
    return TableReading(sight, registration, (None, None, None), (), root_table(np.ones(3)), MappingProxyType({}))


@pytest.fixture
def mark(camera: SimulatedCamera) -> Callable[[float, float, float], np.ndarray]:
    """A change of so many mm around a place of the table, in the gate's small picture."""

    def marked(x: float, y: float, size: float = 30) -> np.ndarray:
        mask = np.zeros((135, 240), np.uint8)
        at = camera.optics.project(np.array([(x, y, 0.0)]))[0] * 240 / 1280
        cv2.circle(mask, (round(at[0]), round(at[1])), round(size / 2 * camera.optics.scale() * 240 / 1280), 255, -1)
        return mask

    return marked


def test_a_change_touches_its_column_and_no_other(
    camera: SimulatedCamera, mark: Callable[[float, float, float], np.ndarray]
) -> None:
    reading = reading_of(camera, sight_of(EMPTY, ORDER))
    assert places_touched(mark(130, -150, 30), reading, (1280, 720)) == {("L", "near")}
    assert places_touched(mark(-130, 120, 30), reading, (1280, 720)) == {("S", "far")}


def test_a_change_of_a_board_wants_everything_read(
    camera: SimulatedCamera, mark: Callable[[float, float, float], np.ndarray]
) -> None:
    reading = reading_of(camera, sight_of(EMPTY, ORDER))
    assert places_touched(mark(0, 0, 50), reading, (1280, 720)) is None


def test_doubtful_columns_are_read_again_in_any_case(
    camera: SimulatedCamera, mark: Callable[[float, float, float], np.ndarray]
) -> None:
    sight = sight_of(ONE, ORDER)
    stacks = {**sight.stacks, ("A", "near"): (SeenCard("A1", 0.6, (("A4", 0.3),)),)}
    reading = reading_of(camera, replace(sight, stacks=stacks))
    assert places_touched(mark(130, -150, 30), reading, (1280, 720)) == {("L", "near"), ("A", "near")}


def test_an_eye_needs_something_to_read_with() -> None:
    with pytest.raises(ValueError, match="profile"):
        TableWatcher()


def test_theaters_are_the_ones_of_the_order() -> None:
    assert set(ORDER) == set(THEATERS)
