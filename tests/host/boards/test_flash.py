"""Flashing: the image is checked, the boot loader found out by trying, and every refusal has its remedy."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from host.boards.drive import await_drive, drives, the_drive
from host.boards.drive import write as write_to_drive
from host.boards.flasher import attempt, avrdude_path, flash
from host.boards.image import FOLDER, hex_size, load_image, load_images, uf2_size

WRITTEN = """
Reading | ################################################## | 100% 0.00 s
avrdude: Device signature = 0x1e950f (probably m328p)
Writing | ################################################## | 100% 1.31 s
Reading | ################################################## | 100% 0.98 s
avrdude: 11780 bytes of flash verified
"""
NO_SYNC = (
    "avrdude: stk500_recv(): programmer is not responding\\navrdude: stk500_getsync() attempt 3 of 3: not in sync\n"
)


@pytest.fixture
def avrdude(tmp_path: Path) -> Any:
    """A program that says what avrdude would, by speed."""

    def make(by_baud: dict[int, tuple[str, int]]) -> str:
        program = tmp_path / "avrdude"
        program.write_text(
            f"#!{sys.executable}\nimport sys\nby_baud = {by_baud!r}\n"
            "said, status = by_baud[int(sys.argv[sys.argv.index('-b') + 1])]\n"
            "sys.stderr.write(said)\nsys.exit(status)\n"
        )
        program.chmod(0o755)
        return str(program)

    return make


def run(program: str) -> tuple[Any, list[str], list[tuple[str, int]]]:
    said: list[str] = []
    progress: list[tuple[str, int]] = []
    done = flash(
        "/dev/null",
        Path("fw.hex"),
        say=said.append,
        progress=lambda stage, share: progress.append((stage, share)),
        avrdude=program,
    )
    return done, said, progress


def test_the_new_boot_loader_is_tried_first(avrdude: Any) -> None:
    done, said, progress = run(avrdude({115200: (WRITTEN, 0)}))
    assert done.baud == 115200
    assert len(said) == 1
    assert progress[-1] == ("verifying", 100)
    assert ("writing", 100) in progress


def test_the_old_boot_loader_is_found_out(avrdude: Any) -> None:
    done, said, _ = run(avrdude({115200: (NO_SYNC, 1), 57600: (WRITTEN, 0)}))
    assert done.baud == 57600
    assert said[1] == "Nothing answers at this speed."


def test_a_clone_with_the_other_chip_of_the_family_is_written_too(tmp_path: Path) -> None:
    program = tmp_path / "avrdude"
    program.write_text(
        f"#!{sys.executable}\nimport sys\n"
        "if sys.argv[sys.argv.index('-p') + 1] == 'm328pb':\n"
        f"    sys.stderr.write({WRITTEN.replace('0x1e950f', '0x1e9516')!r})\n"
        "else:\n"
        "    sys.stderr.write('avrdude: Device signature = 0x1e9516 (probably m328pb)\\n')\n"
        "    sys.stderr.write('avrdude: Expected signature for ATmega328P is 1E 95 0F\\n')\n"
        "    sys.exit(1)\n"
    )
    program.chmod(0o755)
    done, said, _ = run(str(program))
    assert done.done and "ATmega328PB" in said[-1]


@pytest.mark.parametrize(
    ("by_baud", "code"),
    [
        ({115200: (NO_SYNC, 1), 57600: (NO_SYNC, 1)}, "no-loader"),
        ({115200: (WRITTEN[:80] + "\nExpected signature for ATmega328P is 1E 95 0F\n", 1)}, "wrong-chip"),
        ({115200: (WRITTEN[:240] + "\nverification error, first mismatch at byte 0x0000\n", 1)}, "verify-failed"),
        ({115200: (WRITTEN[:200] + "\navrdude: the cable went away\n", 1)}, "flash-failed"),
        ({115200: (WRITTEN.replace("verified", "written"), 0)}, "flash-failed"),
    ],
)
def test_what_goes_wrong_is_told_apart(avrdude: Any, by_baud: Any, code: str) -> None:
    with pytest.raises(Failure) as caught:
        run(avrdude(by_baud))
    assert caught.value.code == code
    assert caught.value.remedy


def test_what_avrdude_said_last_is_told_and_not_its_thanks(avrdude: Any) -> None:
    polite = NO_SYNC + "\navrdude done.  Thank you.\n\n"
    with pytest.raises(Failure, match="not in sync") as caught:
        run(avrdude({115200: (polite, 1), 57600: (polite, 1)}))
    assert "Thank you" not in caught.value.message


def test_a_port_without_a_reset_line_hides_no_reason(avrdude: Any) -> None:
    remark = 'avrdude OS error: ioctl("TIOCMGET"): Inappropriate ioctl for device\n'
    fell_silent = remark + WRITTEN[:200] + "\navrdude error: programmer is not responding\n" + remark
    with pytest.raises(Failure, match="Writing stopped: avrdude error: programmer is not responding"):
        run(avrdude({115200: (fell_silent + "\navrdude done.  Thank you.\n", 1)}))


def test_a_board_pulled_out_amid_the_writing_ends_it(tmp_path: Path) -> None:
    program = tmp_path / "silent"
    program.write_text("#!/bin/sh\nprintf 'Writing | #####'\nexec sleep 600\n")
    program.chmod(0o755)
    run = attempt([str(program)], 115200, lambda stage, share: None, silence=0.5)
    assert (run.done, run.in_sync, run.last_word) == (False, True, "the board fell silent")


def test_a_missing_avrdude_is_told_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    with pytest.raises(Failure) as caught:
        avrdude_path()
    assert "sudo apt-get install avrdude" in str(caught.value)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(Failure, match="not installed"):
        avrdude_path()


def test_the_image_that_is_carried_is_whole() -> None:
    image = load_image()
    assert image.protocol == (1, 1)
    assert 1000 < image.size <= 16 * 1024


def copy_image(to: Path) -> Path:
    for name in ("manifest.json", *(image.path.name for image in load_images().values())):
        (to / name).write_bytes((FOLDER / name).read_bytes())
    return to / load_image().path.name


def test_a_damaged_image_is_not_written(tmp_path: Path) -> None:
    copied = copy_image(tmp_path)
    assert load_image(tmp_path).sha256 == load_image().sha256
    copied.write_bytes(copied.read_bytes().replace(b"0", b"1", 1))
    with pytest.raises(Failure) as caught:
        load_image(tmp_path)
    assert caught.value.code == "image-damaged"
    copied.unlink()
    with pytest.raises(Failure) as caught:
        load_image(tmp_path)
    assert caught.value.code == "image-missing"
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(Failure) as caught:
        load_image(tmp_path)
    assert caught.value.code == "image-damaged"


def test_a_uf2_image_that_is_damaged_or_cut_is_named() -> None:
    image = load_image(board="rp2040")
    data = image.path.read_bytes()
    assert uf2_size(data) == image.size >= 8 * 1024
    assert image.number == 3 and image.writer == "uf2"
    for bad in (data[:-512], data[:-1], data[512:], data[:512] + b"X" + data[513:], b""):
        with pytest.raises(Failure, match="image"):
            uf2_size(bad)


def test_a_line_of_the_image_that_is_damaged_is_named() -> None:
    good = ":0400000001020304F2\n:00000001FF\n"
    assert hex_size(good) == 4
    for bad in (good.replace("F2", "F3"), good.replace(":04", ":05"), good.replace(":0000", "0000"), ":zz\n"):
        with pytest.raises(Failure, match="line"):
            hex_size(bad)


TRIES = 4
LOST_S = 0.5
"""Seconds for which the emulated board's clock may stand: a boot loader waits for one second."""


def command(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    if path is not None:
        environment["PATH"] = path
    return subprocess.run(
        [sys.executable, "-m", "host", "flash", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
    )


def test_a_port_that_is_not_there_is_named(tmp_path: Path, avrdude: Any) -> None:
    avrdude({})
    done = command("--port", "/dev/ttyNowhere", path=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert "There is no port /dev/ttyNowhere." in done.stderr
    assert "There is no board to flash" in command("--port", "virtual", path=f"{tmp_path}:{os.environ['PATH']}").stderr
    assert "Traceback" not in done.stderr


def test_without_avrdude_nothing_is_touched() -> None:
    done = command("--port", "/dev/ttyNowhere", path="/nonexistent")
    assert done.returncode == 2
    assert "avrdude" in done.stderr


@pytest.mark.needs_emulator
@pytest.mark.parametrize(("bootloader", "baud"), [("optiboot", 115200), ("old", 57600)])
def test_avrdude_flashes_the_emulated_board(bootloader: Any, baud: int) -> None:
    from host.link.emulated.chip import bootloader_hex
    from host.link.emulated.controller import EmulatedPort

    try:
        avrdude_path()
        bootloader_hex(bootloader)
    except Failure as failure:
        pytest.skip(str(failure))
    for _ in range(TRIES):
        with EmulatedPort(bootloader=bootloader) as board:
            done = command("--port", board.port, "--force", "--yes", "--json")
            lost = board.lost_seconds
        if done.returncode == 0 or (lost < LOST_S and "sync byte" not in done.stderr):
            # Only where the machine did not let the board keep time may avrdude or we have found it too late, or may
            # avrdude have lost its place in the answers: then we say to try again.
            break
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["written"], row["baud"], row["firmware"]) == (True, baud, load_image().version)
    assert "verifying 100 %" in done.stderr


# The boot loader that is a USB drive


def a_drive(folder: Path, board: str = "RPI-RP2") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "INFO_UF2.TXT").write_text(f"UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: {board}\n")
    return folder


def test_the_drive_is_known_by_what_it_says_of_itself(tmp_path: Path) -> None:
    places = [a_drive(tmp_path / "one"), a_drive(tmp_path / "two", "SAMD21"), tmp_path / "three", tmp_path / "absent"]
    (tmp_path / "three").mkdir()
    assert drives(places) == [tmp_path / "one"]
    assert the_drive(places, tmp_path / "labels") == tmp_path / "one"
    assert the_drive(places[1:], tmp_path / "labels") is None
    with pytest.raises(Failure) as several:
        the_drive([*places, a_drive(tmp_path / "other")], tmp_path / "labels")
    assert several.value.code == "which-drive"
    a_drive(tmp_path / "labels" / "RPI-RP2")
    with pytest.raises(Failure, match="udisksctl mount") as unmounted:
        the_drive([], tmp_path / "labels")
    assert unmounted.value.code == "drive-not-mounted"


def test_a_drive_that_does_not_come_is_told_with_the_button_to_hold() -> None:
    waited: list[float] = []
    with pytest.raises(Failure, match="BOOTSEL"):
        await_drive(lambda: [], limit_s=5.0, sleep=waited.append)
    assert sum(waited) == 5.0


def test_a_drive_that_is_full_ends_it(tmp_path: Path) -> None:
    (tmp_path / "ALLFRONT.UF2").symlink_to("/dev/full")
    with pytest.raises(Failure) as caught:
        write_to_drive(load_image(board="rp2040").path, tmp_path, lambda percent: None)
    assert caught.value.code == "flash-failed"


@pytest.mark.needs_pico
def test_a_pico_is_flashed_by_copying_and_what_was_copied_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from host.commands import flash
    from host.link.emulated.chip import RP2040
    from host.link.emulated.controller import EmulatedPort

    drive = a_drive(tmp_path / "RPI-RP2")
    started: list[EmulatedPort] = []

    def restarted() -> str:
        started.append(EmulatedPort(chip=RP2040, program=drive / "ALLFRONT.UF2").start())
        return started[0].port

    monkeypatch.setattr("host.boards.drive.mount_points", lambda: [drive])
    monkeypatch.setattr(flash, "_new_port", restarted)
    monkeypatch.setenv("PATH", "/nonexistent")
    parser = argparse.ArgumentParser()
    flash.add_arguments(parser)
    with pytest.raises(Failure) as caught:
        flash.run(parser.parse_args(["--json"]))
    assert caught.value.code == "not-agreed" and not (drive / "ALLFRONT.UF2").exists()
    monkeypatch.setenv("PATH", os.defpath)
    try:
        assert flash.run(parser.parse_args(["--json", "--yes"])) == 0
    finally:
        for board in started:
            board.stop()
    row = json.loads(capsys.readouterr().out)
    assert (row["written"], row["board"], row["firmware"]) == (True, "RP2040", load_image().version)


@pytest.mark.needs_pico
def test_a_running_pico_is_asked_for_its_boot_loader_by_its_port() -> None:
    from host.link.emulated.chip import RP2040, EmulatedBoard

    image = load_image(board="rp2040").path
    with EmulatedBoard(image, chip=RP2040) as board:
        board.run(0.02)
        before = board.port
        board.open()
        board.run(0.01)
        board.open(False)
        board.run(0.01)
        assert not board.in_boot_loader, "closing the port at its usual speed is no request"
        board.host_baud(1200)
        board.open()
        board.run(0.01)
        board.open(False)
        board.run(0.02)
        assert board.in_boot_loader and board.port == 0
        board.load(image)
        board.reset()
        board.run(0.02)
        assert not board.in_boot_loader and board.port > before
