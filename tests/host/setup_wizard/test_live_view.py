"""Looking through a camera that is being set up: films begin again, and the near seat is at the bottom."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.failure import BadInput
from host.camera_setup.labels import labels, measured_tag_side, quarter_turns
from host.setup_wizard.live_view import PHOTOGRAPH_SECONDS, LiveView
from host.setup_wizard.repeated_source import RepeatedSource
from vision.enrolment.live import Guide
from vision.enrolment.proof import Progress
from vision.geometry.registration import register
from vision.simulate import EMPTY, SimulatedCamera
from vision.sources import Frame, Source, SourceItem, open_source
from vision.types import Picture

LIMIT = 30.0


class Film:
    """Two pictures, then the end."""

    name, live = "film", True

    def __init__(self) -> None:
        self.closed = False

    def __iter__(self) -> Iterator[SourceItem]:
        for t in (0.0, 1.0):
            yield Frame(t, np.zeros((4, 4, 3), np.uint8))

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def table() -> Picture:
    return SimulatedCamera("bright", 4).still(EMPTY)


def test_a_film_begins_again_and_its_time_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.setup_wizard.repeated_source.PAUSE", 0.01)
    opened: list[Film] = []

    def opener() -> Source:
        opened.append(Film())
        return opened[-1]

    source = RepeatedSource(opener)
    times = []
    for item in source:
        times.append(item.t)
        if len(times) == 5:
            source.close()
    assert times == sorted(times)
    assert len(opened) == 3
    assert all(film.closed for film in opened)


@pytest.mark.parametrize("turns", range(4))
def test_however_the_camera_hangs_the_near_seat_comes_to_the_bottom(table: Picture, turns: int) -> None:
    upright = np.rot90(table, turns)
    for _ in range(2):
        found = register(np.ascontiguousarray(upright))
        assert found is not None
        upright = np.rot90(upright, quarter_turns(found))
    found = register(np.ascontiguousarray(upright))
    assert found is not None
    assert quarter_turns(found) == 0
    places = {label.at: label for label in labels(found, upright)}
    assert places["near"].y > places["far"].y
    assert places["left"].x < places["right"].x
    assert places["left/near"].y > places["left"].y > places["left/far"].y


def test_tags_of_their_true_size_measure_thirty_millimetres(table: Picture) -> None:
    found = register(table)
    assert found is not None
    side = measured_tag_side(found)
    assert side is not None
    assert abs(side - 30.0) < 0.4


def test_while_another_camera_is_chosen_the_page_is_answered() -> None:
    """The page asks three times a second; it had to wait for the thread of the camera before, and that for the page."""
    answered: list[str | None] = []

    class Asked(Film):
        def close(self) -> None:
            asking = threading.Thread(target=lambda: answered.append(live.spec), daemon=True)
            asking.start()
            asking.join(LIMIT / 6)
            assert not asking.is_alive(), "nobody is answered"

    live = LiveView(lambda spec: Asked())
    live.open("0")
    live.open("1")
    assert live.spec == "1"
    live.close()
    assert live.spec is None and answered


def test_a_source_that_is_none_is_refused_and_the_old_one_stays(tmp_path: Path, table: Picture) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), table)
    live = LiveView()
    try:
        live.open(str(tmp_path / "table.png"))
        with pytest.raises(BadInput):
            live.open(str(tmp_path / "nothing.mp4"))
        assert live.spec == str(tmp_path / "table.png")
        ends = time.monotonic() + LIMIT
        while live.jpeg() is None:
            assert time.monotonic() < ends, "no picture came"
            time.sleep(0.02)
        row = live.row()
        assert row is not None
        assert row["verdict"] in ("good", "usable")
    finally:
        live.close()
    assert live.row() is None


def test_a_photograph_in_a_folder_is_shown_long_enough_to_be_learnt_from(tmp_path: Path) -> None:
    air = {("A", "near"): "A1", ("L", "near"): "A2", ("S", "near"): "A3"}
    air |= {("A", "far"): "A4", ("L", "far"): "A5", ("S", "far"): "A6"}
    cv2.imwrite(
        str(tmp_path / "air.png"), SimulatedCamera("bright", 4).still({**EMPTY, **{k: (c,) for k, c in air.items()}})
    )
    guide = Guide()
    for item in open_source(str(tmp_path), picture_seconds=PHOTOGRAPH_SECONDS):
        assert isinstance(item, Frame)
        guide.see(item.image, item.t)
    assert guide.step == "land"


def test_a_photograph_that_is_taken_again_while_the_deck_is_rehearsed_ends_the_rehearsal(
    tmp_path: Path, table: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a deck that is being rehearsed, when its owner wants a photograph again, then that deck is not offered."""
    cv2.imwrite(str(tmp_path / "table.png"), table)
    live = LiveView()
    told: list[int] = []

    def learns(guide: Guide, progress: Progress) -> object:
        for done in range(1, 17):
            progress("rehearsal", done, 16)
            told.append(done)
            assert live.progress == ("rehearsal", done, 16)
            if done == 5:
                live.retake("sea")
        pytest.fail("it went on")

    monkeypatch.setattr(Guide, "learn", learns)
    monkeypatch.setattr(Guide, "step", property(lambda guide: "sea" if told and told[-1] >= 5 else None))
    try:
        live.open(str(tmp_path / "table.png"))
        live.learn()
        ends = time.monotonic() + LIMIT
        while not told or told[-1] < 5 or live.progress is not None:
            assert time.monotonic() < ends, "it did not begin"
            time.sleep(0.02)
        assert (live.draft, live.failed, told) == (None, None, [1, 2, 3, 4, 5])
    finally:
        live.close()
