"""`allfronts camera --calibrate`: the mat in a dozen places, a figure in millimetres, and a lens that is obeyed."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from host.camera_setup.lens_pictures import LensPictures
from host.camera_setup.lenses import camera_name, keep_lens, known_lens, lens_path
from host.camera_setup.watch import AimWatch
from host.cli import main
from vision.geometry.lens import FittedLens
from vision.geometry.pose import Lens
from vision.geometry.registration import find_tags, grey_of, register
from vision.simulate import CONDITIONS, SimulatedCamera
from vision.simulate.optics import Light, View
from vision.sources import open_source
from vision.tracking.table_watcher import TableWatcher
from vision.types import Picture

WIDE = View(field_of_view=86.0, k1=-0.22, k2=0.06, k3=-0.005)
ROOM = replace(
    CONDITIONS["day"], view=WIDE, light=Light(noise=1.0), clutter=0.0, pile=False, jpeg=None, resolution=(1280, 720)
)
LENS = Lens(0.54, -0.2, 0.01, 0.5625)


def picture(view: View) -> Picture:
    return SimulatedCamera("bright", 3, condition=replace(ROOM, view=view)).plate(())


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight photographs of the mat, each in another place of the picture."""
    folder = tmp_path_factory.mktemp("shots")
    rng = np.random.default_rng(4)
    count = 0
    while count < 8:
        view = replace(
            WIDE, roll=float(rng.uniform(0, 360)), tilt=float(rng.uniform(0, 20)), lean=float(rng.uniform(0, 360)),
            fill=float(rng.uniform(0.7, 1.2)), offset=(float(rng.uniform(-120, 120)), float(rng.uniform(-120, 120))),
        )  # fmt: skip
        image = picture(view)
        if len(find_tags(grey_of(image))) >= 3:
            cv2.imwrite(str(folder / f"{count}.png"), image)
            count += 1
    return folder


def test_a_folder_of_pictures_gives_a_lens_that_every_command_then_uses(
    shots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["camera", "--calibrate", "--json", str(shots)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["taken"] for row in rows if row["event"] == "taken"] == list(range(1, 9)), "progress is told"
    assert rows[-1]["event"] == "kept" and rows[-1]["error"] < rows[-1]["before"]
    lens = known_lens(str(shots))
    assert lens is not None and lens.focal == pytest.approx(0.5 / np.tan(np.radians(43)), rel=0.02)
    hung = picture(replace(WIDE, tilt=17.0, lean=40.0, roll=93.0))
    found = register(hung, lens=lens)
    assert found is not None and found.pose.focal == pytest.approx(lens.focal * 1280, rel=0.03)


def test_a_lens_that_cannot_be_kept_is_one_line(
    shots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_room(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(os, "fsync", no_room)
    assert main(["camera", "--calibrate", "--json", str(shots)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "lenses.json cannot be written" in told


def test_pictures_of_the_mat_in_one_place_are_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    cv2.imwrite(str(tmp_path / "one.png"), picture(WIDE))
    assert main(["camera", "--calibrate", str(tmp_path / "one.png")]) == 2
    told = capsys.readouterr()
    assert "Picture 1 of 12 is taken." in told.out and "elsewhere" in told.out
    assert "6 are needed" in told.err
    assert not lens_path().exists()


def test_a_mat_that_moves_is_waited_for_and_one_that_lies_as_before_is_not_taken_twice() -> None:
    lying, moved = picture(WIDE), picture(replace(WIDE, roll=104.0, offset=(60.0, 40.0)))
    on_the_way = picture(replace(WIDE, roll=98.0, offset=(40.0, 20.0)))
    shots = LensPictures(wanted=2)
    said = [shots.see(image, 0.4 * k) for k, image in enumerate([lying, lying, lying, on_the_way, moved, moved, moved])]
    assert [step.word for step in said] == ["hold", "middle", "middle", "hold", "hold", "done", "done"]
    assert [step.just_taken for step in said].count(True) == 2
    assert shots.see(np.zeros((720, 1280, 3), np.uint8), 9.0).word == "done"


def test_fewer_than_three_tags_are_asked_for() -> None:
    shots = LensPictures()
    assert shots.see(np.full((720, 1280, 3), 90, np.uint8), 0.0).word == "show"


def test_each_camera_has_its_own_lens_and_a_password_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "lenses.json"
    keep_lens("rtsp://me:secret@10.0.0.7/video", FittedLens(LENS, 0.3, 1.0, 12), path)
    keep_lens("0", FittedLens(replace(LENS, focal=0.8), 0.3, 1.0, 12), path)
    assert known_lens("rtsp://other:word@10.0.0.7/video", path) == LENS
    assert known_lens("0", path) == replace(LENS, focal=0.8)
    assert known_lens("1", path) is None
    assert "secret" not in path.read_text() and camera_name(" 0 ") == "0"


def test_a_damaged_file_of_lenses_is_set_aside_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lenses.json"
    path.write_text('{"lenses": {"0": {}}}')
    assert known_lens("0", path) is None
    assert "lenses.json" in capsys.readouterr().err and not path.exists()


def test_whoever_looks_at_a_calibrated_camera_obeys_its_lens(shots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Lens | None] = []

    def registers(image: Picture, previous: object = None, lens: Lens | None = None) -> None:
        asked.append(lens)

    monkeypatch.setattr("host.camera_setup.watch.register", registers)
    for _ in AimWatch(lens=LENS).follow(open_source(str(shots)), pictures=False):
        pass
    monkeypatch.setattr("vision.tracking.reader.register", registers)
    assert asked and set(asked) == {LENS}


def test_calibrating_while_learning_a_deck_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "--calibrate", "--enrol", "deck", "0"]) == 2
    assert "Calibrate first" in capsys.readouterr().err


def test_a_watcher_hands_the_lens_to_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Lens | None] = []
    monkeypatch.setattr("vision.tracking.table_watcher.MisplacedCardFinder", lambda profile: None)
    monkeypatch.setattr(
        "vision.tracking.table_watcher.Reader", lambda profile, lens, empty: made.append(lens) or object()
    )
    TableWatcher(object(), lens=LENS)  # type: ignore[arg-type]
    assert made == [LENS]
