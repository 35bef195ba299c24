"""The kit as a builder relies on it: everything checked by one command, and a check that notices what is wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml
from kit import camera, dimensions, everything, mesh_files, parts, power, steps, tables, wiring
from kit.clearances import clearances
from kit.print_files import print_checks

ROOT = Path(__file__).resolve().parents[2]


def failed(checks: list[everything.Check]) -> set[str]:
    return {check.name for check in checks if not check.holds}


def test_the_one_command_finds_nothing_wrong() -> None:
    run = subprocess.run([sys.executable, ROOT / "hardware" / "check.py"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("checks hold.\n")
    assert int(run.stdout.split()[-5]) > 150


def test_the_wired_pins_are_the_firmwares() -> None:
    assert wiring.wired_pins(wiring.read("nano")) == wiring.avr_pins() == {"lights": "D6", "near": "D2", "far": "D3"}
    assert (
        wiring.wired_pins(wiring.read("pico")) == wiring.pico_pins() == {"lights": "GP6", "near": "GP2", "far": "GP3"}
    )
    assert wiring.sketch_pins()["ESP32"] == {"lights": 16, "near": 25, "far": 26}


@pytest.mark.parametrize(
    ("wrong", "right", "finding"),
    [
        ("[BOARD: 4, --, R3: 1]", "[BOARD: 5, --, R3: 1]", "nano: the wiring's pins are those of firmware/avr/pins.h"),
        ("[F1: 2, W1: 1, BAR_LEFT: 1]", "[BOARD: 1, W1: 1, BAR_LEFT: 1]",
         "nano: the strip's plus comes through the fuse"),
        ("[BAR_LEFT: 5, W2: 3, BAR_MIDDLE: 2]", "[BAR_MIDDLE: 5, W2: 3, BAR_MIDDLE: 2]",
         "nano: BAR_LEFT DOUT goes to BAR_MIDDLE DIN"),
        ("pn: E09", "pn: E99", "the wiring and bom.csv name the same electrical parts"),
    ],
)  # fmt: skip
def test_a_wrong_joint_is_found(
    wrong: str, right: str, finding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for board in wiring.BOARDS:
        text = (wiring.FOLDER / f"{board}.yml").read_text(encoding="utf-8")
        assert wrong in text or board == "own-supply"
        (tmp_path / f"{board}.yml").write_text(text.replace(wrong, right), encoding="utf-8")
    read = wiring.read
    monkeypatch.setattr(wiring, "read", lambda board: read(board, tmp_path))
    assert finding in failed(wiring.wiring_checks())


def test_an_input_of_the_level_shifter_that_hangs_in_the_air_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for board in wiring.BOARDS:
        text = (wiring.FOLDER / f"{board}.yml").read_text(encoding="utf-8")
        (tmp_path / f"{board}.yml").write_text(text.replace("  - [BOARD: 2, --, U1: 6]\n", ""), encoding="utf-8")
    read = wiring.read
    monkeypatch.setattr(wiring, "read", lambda board: read(board, tmp_path))
    assert "pico: no input of the level shifter hangs in the air" in failed(wiring.wiring_checks())


def test_a_fuse_that_takes_more_volts_than_the_text_says_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not failed(power.power_checks())
    monkeypatch.setattr(power, "FUSE_OHM", 1.4)
    assert failed(power.power_checks()) == {"volts that power.md promises the lights"}


def test_more_current_than_the_fuse_holds_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "firmware_budget", lambda: 600.0)
    assert len(failed(power.power_checks())) >= 3


def test_a_part_that_does_not_fit_the_bed_or_has_a_hole_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mesh_files.write_all(tmp_path)
    assert failed(mesh_files.part_checks(tmp_path)) == set()
    stl = tmp_path / "lid.stl"
    whole = stl.read_bytes()
    count = int.from_bytes(whole[80:84], "little")
    stl.write_bytes(whole[:80] + (count - 1).to_bytes(4, "little") + whole[84:-50])
    (tmp_path / "comb.step").write_text("ISO-10303-21;\n", encoding="utf-8")
    monkeypatch.setattr(dimensions, "BED", 180.0)
    names = failed(mesh_files.part_checks(tmp_path))
    assert {"lid.stl is closed, one body, its outside outside", "console.stl on the bed"} <= names
    assert "comb.step is what the source makes" in names


def test_nothing_in_the_console_runs_into_anything_else() -> None:
    body = parts.console()
    for name, things in (("strips", steps.bought.strips_in_place(0.05)), ("board and parts", steps.bay_things()[:3])):
        for thing in things:
            overlap = (body ^ thing.solid.translate((0, 0, 0.02))).volume()
            assert overlap < 0.5, f"{name}: {overlap:.1f} mm3 inside the console"
    for lane in range(3):
        comb = steps.comb_in_place(lane)[0].solid
        diffuser = steps.diffuser_in_place(lane)[0].solid
        strips = steps.bought.strips_in_place(0.02)
        assert (body ^ comb.translate((0, 0, 0.01))).volume() < 0.5
        assert (body ^ diffuser.translate((0, 0, 0.01))).volume() < 0.5
        assert sum((comb ^ strip.solid).volume() for strip in strips) < 0.5, "a rib stands on a light"


def test_a_part_that_stays_as_it_is_has_the_same_files() -> None:
    first = mesh_files.contents("lid")
    assert mesh_files.contents("lid") == first


def test_without_graphviz_nothing_is_written_and_the_mend_is_said(tmp_path: Path) -> None:
    build = [sys.executable, ROOT / "hardware" / "build.py"]
    run = subprocess.run(build, capture_output=True, text=True, check=False, env={"PATH": str(tmp_path)})
    assert run.returncode == 2
    assert run.stderr.splitlines() == [
        "build: the wiring is drawn by Graphviz, which is not there: sudo apt-get install graphviz"
    ]


def test_a_step_file_is_one_closed_solid() -> None:
    text = mesh_files.contents("comb")["step"].decode()
    assert text.count("MANIFOLD_SOLID_BREP(") == 1
    # Every edge of a closed body is walked once each way.
    forward, backward = (sorted(re.findall(rf"ORIENTED_EDGE\('',\*,\*,(#\d+),\.{way}\.\)", text)) for way in "TF")
    assert forward == backward
    assert len(forward) == text.count("EDGE_CURVE(")


def test_a_picture_in_the_kit_is_what_its_source_draws() -> None:
    drawn = cv2.imdecode(np.frombuffer(steps.packed(steps.button_boxes()), np.uint8), cv2.IMREAD_COLOR)
    kept = cv2.imread(str(steps.FOLDER / "step-07-buttons.png"))
    assert drawn.shape == kept.shape
    assert float(np.abs(drawn.astype(int) - kept.astype(int)).mean()) < 0.5


def test_the_box_for_larger_buttons_that_the_text_promises_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    for name, value in (("BUTTON_HOLE", 24.2), ("BUTTON_NUT", 29), ("BUTTON_DEPTH", 36), ("BOX", (50.0, 50.0, 42.0))):
        assert f"`{name} = {value}`" in text
        monkeypatch.setattr(dimensions, name, value)
    assert failed(clearances()) == set()
    assert parts.button_box().volume() > 0


def test_heights_are_those_that_were_measured_by_hand() -> None:
    heights = {c.name: c.height() / 10 for c in camera.CAMERAS}
    assert heights["Logitech C270"] == pytest.approx(86, abs=1)
    assert heights["Logitech C920, C922"] == pytest.approx(55, abs=1)
    assert all(c.scale(c.widths[0]) >= camera.LEAST_SCALE for c in camera.CAMERAS)


def test_an_old_table_in_a_page_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "BOARD_MA", 51.0)
    assert failed(tables.table_checks()) == {"the table power in power.md is what is worked out"}


def test_a_mat_printed_too_small_is_found(tmp_path: Path) -> None:
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "mat-a2.pdf"), pagesize=(410 * mm, 580 * mm))
    canvas.showPage()
    canvas.save()
    names = failed(print_checks(tmp_path))
    assert {"mat-a2.pdf: pages off their size", "mat-a2.pdf: its tags", "tags-a4.pdf is there"} <= names


def test_the_wiring_is_told_to_the_program_as_the_text_says() -> None:
    text = (ROOT / "hardware" / "assembly.md").read_text(encoding="utf-8")
    assert "--bars 0,9r,18" in text
    data = yaml.safe_load((wiring.FOLDER / "nano.yml").read_text(encoding="utf-8"))
    assert [name for name in data["connectors"] if name.startswith("BAR_")] == list(wiring.TOP_VIEW_ORDER)
