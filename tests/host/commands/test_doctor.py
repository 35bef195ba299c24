"""The doctor names what is wrong and what mends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from host.boards.examine import controller_findings, examine_meddlers, examine_ports, rules_about, running
from host.link.health import LinkHealth
from host.link.ports import Port
from host.link.trouble import trouble

NANO = Port("/dev/ttyUSB0", "USB2.0-Serial", "1a86:7523:")


def proc_with(tmp_path: Path, *names: str) -> Path:
    for number, name in enumerate(names, 100):
        (tmp_path / "proc" / str(number)).mkdir(parents=True)
        (tmp_path / "proc" / str(number) / "comm").write_text(name + "\n")
    return tmp_path / "proc"


def test_no_device_is_a_note_and_not_a_problem() -> None:
    (finding,) = examine_ports([])
    assert finding.grade == "note"
    assert "data" in finding.remedy


def test_ports_are_looked_at_and_not_opened() -> None:
    printer = Port("/dev/ttyUSB1", "USB Serial", "1a86:7523:")
    forbidden = Port("/dev/ttyUSB2", "USB Serial", "1a86:7523:")
    good, used, bad = examine_ports(
        [NANO, printer, forbidden],
        lambda device: ["octoprint (4711)"] if device == printer.device else [],
        lambda device: device != forbidden.device,
    )
    assert good.grade == "good"
    assert used.grade == "note" and "octoprint (4711)" in used.message
    assert bad.grade == "problem" and bad.remedy


def test_one_broken_byte_is_no_fault_of_the_line_but_a_rate_of_them_is() -> None:
    def checks(framing: int, frames: int) -> set[str]:
        counts = {"uart_framing": framing, "frames_good": frames}
        return {
            f.check
            for f in controller_findings(LinkHealth(state="up", board="virtual", protocol=(1, 1), board_counts=counts))
        }

    assert "line" not in checks(1, 3)
    assert "line" not in checks(5, 90_000)
    assert "line" in checks(5, 900)


def test_a_wled_controller_is_told_by_its_own_version_and_not_offered_our_firmware() -> None:
    (finding,) = controller_findings(LinkHealth(state="up", port="wled://x", board="WLED (table)", firmware="0.14.1"))
    assert finding.grade == "good" and "0.14.1" in finding.message and "flash" not in finding.remedy


def test_a_supply_that_fell_is_told() -> None:
    def grade(millivolts: int) -> str | None:
        found = controller_findings(
            LinkHealth(state="up", board="virtual", protocol=(1, 1), board_counts={"supply_mv": millivolts})
        )
        return next((f.grade for f in found if f.check == "supply"), None)

    assert grade(4_900) is None and grade(0) is None, "0: not measured"
    assert (grade(4_300), grade(3_700)) == ("note", "problem")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="udev is Linux's")
def test_modemmanager_and_brltty_are_noticed(tmp_path: Path) -> None:
    proc = proc_with(tmp_path, "ModemManager", "bash")
    rules = tmp_path / "rules"
    rules.mkdir()
    assert running(["ModemManager", "brltty"], proc) == ["ModemManager"]
    (rules / "85-brltty.rules").write_text(
        '# 1a86 7523 brltty\nATTRS{idVendor}=="1a86", ATTRS{idProduct}=="7523" brltty\n'
    )
    found = list(examine_meddlers([], proc, [rules]))
    assert [f.check for f in found] == ["modemmanager", "brltty"]
    assert "apt-get remove brltty" in found[1].remedy
    (rules / "85-brltty.rules").write_text('# ATTRS{idVendor}=="1a86", ATTRS{idProduct}=="7523" brltty\n')
    (rules / "60-allfronts.rules").write_text('ATTRS{idVendor}=="1a86", ENV{ID_MM_DEVICE_IGNORE}="1"\n')
    assert rules_about(["brltty"], [rules]) == []
    assert list(examine_meddlers([], proc, [rules])) == []


@pytest.mark.parametrize(
    ("cause", "grade", "words"),
    [("power-on", "good", ""), ("brown-out", "problem", "supply"), ("watchdog", "problem", "report")],
)
def test_the_cause_of_the_last_reset_is_read(cause: str, grade: str, words: str) -> None:
    health = LinkHealth(
        state="up", port="/dev/ttyUSB0", board="ATmega328P", firmware="1.0.0", protocol=(1, 0), reset_cause=cause
    )
    finding = next(f for f in controller_findings(health) if f.check == "controller")
    assert finding.grade == grade
    assert words in finding.message + finding.remedy


def test_lost_bytes_and_a_dimming_budget_are_told() -> None:
    health = LinkHealth(
        state="up", board="virtual", firmware="1.0.0", protocol=(1, 0), limit=127, board_counts={"uart_overrun": 3}
    )
    checks = {f.check: f for f in controller_findings(health)}
    assert "uart_overrun 3" in checks["line"].message
    assert "50 %" in checks["current"].message


def test_an_older_firmware_is_offered_the_newer_one() -> None:
    health = LinkHealth(state="up", board="ATmega328P", firmware="0.0.1", protocol=(1, 0), reset_cause="power-on")
    assert "./allfronts flash" in [f.remedy for f in controller_findings(health)]


def test_a_controller_that_does_not_answer_keeps_its_remedy() -> None:
    (finding,) = controller_findings(LinkHealth(state="looking", trouble=trouble("silent", "/dev/ttyUSB0")))
    assert finding.grade == "problem"
    assert "flash" in finding.remedy


def doctor(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
    return subprocess.run(
        [sys.executable, "-m", "host", "doctor", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**environment, "HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_on_a_healthy_machine(tmp_path: Path) -> None:
    done = doctor(tmp_path, "--port", "virtual", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    by_check = {row["check"]: row for row in rows}
    assert by_check["controller"]["grade"] == "good"
    assert by_check["log"]["grade"] == "good"
    assert by_check["image"]["grade"] == "good"
    assert done.returncode == int(any(row["grade"] == "problem" for row in rows))


def test_a_wrong_setting_is_a_problem_with_its_line(tmp_path: Path) -> None:
    (tmp_path / ".config" / "allfronts").mkdir(parents=True)
    (tmp_path / ".config" / "allfronts" / "settings.toml").write_text("colour = 3\n")
    done = doctor(tmp_path, "--port", "none")
    assert done.returncode == 1
    assert "there is no setting 'colour'" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_folder_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / ".local" / "share").mkdir(parents=True)
    (tmp_path / ".local" / "share" / "allfronts").write_text("a file where a folder should be")
    done = doctor(tmp_path, "--port", "none", "--json")
    assert done.returncode == 1
    log = next(row for row in map(json.loads, done.stdout.splitlines()) if row["check"] == "log")
    assert log["grade"] == "problem"


def test_a_damaged_log_is_a_problem_with_the_line_that_puts_it_aside(tmp_path: Path) -> None:
    folder = tmp_path / ".local" / "share" / "allfronts"
    folder.mkdir(parents=True)
    (folder / "games.db").write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 20)
    done = doctor(tmp_path, "--port", "none", "--json")
    assert done.returncode == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert any("games.db.damaged" in row["remedy"] for row in rows)


def test_a_log_in_use_is_only_a_note(tmp_path: Path) -> None:
    from host.session.sqlite_log import SqliteLog

    folder = tmp_path / ".local" / "share" / "allfronts"
    folder.mkdir(parents=True)
    log = SqliteLog(folder / "games.db")
    rows = [json.loads(line) for line in doctor(tmp_path, "--port", "none", "--json").stdout.splitlines()]
    log.close()
    assert not [row for row in rows if row["check"] == "log" and row["grade"] == "problem"]
    assert any("A table runs now" in row["message"] for row in rows)


@pytest.mark.parametrize(("language", "verdict"), [("ru", "Порт"), ("uk", "Порт"), ("pl", "Port")])
def test_it_speaks_the_language_of_the_settings_to_people_and_english_to_programs(
    language: str, verdict: str, tmp_path: Path
) -> None:
    before = doctor(tmp_path, "--port", "none", "--json").stdout
    (tmp_path / ".config" / "allfronts").mkdir(parents=True)
    settings = tmp_path / ".config" / "allfronts" / "settings.toml"
    settings.write_text(f'language = "{language}"\n')
    said = doctor(tmp_path, "--port", "none")
    assert verdict in said.stdout and "free" not in said.stdout
    after = doctor(tmp_path, "--port", "none", "--json").stdout
    rows = [{r["check"]: r["grade"] for r in map(json.loads, text.splitlines())} for text in (before, after)]
    assert rows[0] == rows[1]
    assert "Settings: " in after


def rows_of(home: Path, *arguments: str) -> dict[str, dict[str, str]]:
    done = doctor(home, "--port", "none", "--json", *arguments)
    assert not done.stderr
    return {row["check"]: row for row in map(json.loads, done.stdout.splitlines())}


def test_a_camera_and_a_deck_that_are_not_there_are_problems(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "--camera", str(tmp_path / "no.mp4"), "--deck", str(tmp_path / "no-deck"))
    assert rows["picture"]["grade"] == rows["deck"]["grade"] == "problem"
    assert "neither a camera nor a file" in rows["picture"]["message"]
    assert "enrol" in rows["deck"]["remedy"]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://user:se:cret@192.168.1.9/h264", "rtsp://user:…@192.168.1.9/h264"),
        ("http://192.168.1.9/video.cgi?user=admin&pwd=secret", "http://192.168.1.9/video.cgi?…"),
    ],
)
def test_a_stream_that_shows_nothing_is_told_without_its_password(
    monkeypatch: pytest.MonkeyPatch, address: str, shown: str
) -> None:
    from host.commands import doctor_table

    monkeypatch.setattr(doctor_table, "_picture", lambda camera: (None, None))
    (told,) = doctor_table._camera(address, None)
    assert told.code == "picture-stream"
    assert told.parts["camera"] == shown


def test_a_picture_without_the_mat_is_told_with_what_to_do(tmp_path: Path) -> None:
    import cv2
    import numpy as np

    path = tmp_path / "wall.png"
    cv2.imwrite(str(path), np.full((720, 1280, 3), 128, np.uint8))
    rows = rows_of(tmp_path, "--camera", str(path))
    assert rows["picture"]["grade"] == "good" and "1280 by 720" in rows["picture"]["message"]
    assert rows["aim"]["grade"] == "problem" and rows["aim"]["remedy"]
    assert "mat" not in rows
