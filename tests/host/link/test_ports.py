"""What stands in the way of a port is told apart, with the line to type."""

from __future__ import annotations

import errno
import json
import os
import stat
import termios
from pathlib import Path

import pytest

from host.link import ports
from host.link.ports import LINE_FAULTS, Port, PortMemory, describe, may_be_ours, remembered, users_of, why_not
from host.link.trouble import TROUBLES, trouble

NANO = Port("/dev/ttyUSB0", "USB2.0-Serial", "1a86:7523:")
UNO = Port("/dev/ttyACM0", "Arduino Uno", "2341:0043:85430353531351B09121")


def test_everything_that_pyserial_throws_counts_as_a_fault_of_the_line() -> None:
    import serial

    for fault in (serial.SerialException("gone"), OSError(5, "I/O"), termios.error(5, "I/O")):
        assert isinstance(fault, LINE_FAULTS)


def test_no_rights_gives_the_group_to_join(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import grp

    device = tmp_path / "ttyUSB0"
    device.touch()
    device.chmod(0o660)
    monkeypatch.setattr(ports.grp, "getgrgid", lambda _: grp.struct_group(("dialout", "x", 20, [])))
    monkeypatch.setattr(ports.grp, "getgrnam", lambda _: grp.struct_group(("dialout", "x", 20, [])))
    why = why_not(str(device), PermissionError(errno.EACCES, "Permission denied"))
    assert why.code == "no-rights"
    assert why.remedy.startswith("Type: sudo usermod -aG dialout ")
    me = ports.pwd.getpwuid(os.getuid()).pw_name
    monkeypatch.setattr(ports.grp, "getgrnam", lambda _: grp.struct_group(("dialout", "x", 20, [me])))
    assert "log out and in again" in why_not(str(device), PermissionError(errno.EACCES, "")).remedy


def test_a_port_of_root_alone_gives_the_mode_to_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    device = tmp_path / "ttyUSB0"
    device.touch()
    device.chmod(stat.S_IRUSR | stat.S_IWUSR)
    assert f"sudo chmod a+rw {device}" in why_not(str(device), PermissionError(errno.EACCES, "")).remedy


def test_a_busy_port_names_who_has_it(tmp_path: Path) -> None:
    device = tmp_path / "ttyUSB0"
    device.touch()
    proc = tmp_path / "proc"
    (proc / "4711" / "fd").mkdir(parents=True)
    (proc / "4711" / "fd" / "3").symlink_to(device)
    (proc / "4711" / "comm").write_text("minicom\n")
    (proc / "12" / "fd").mkdir(parents=True)
    assert users_of(str(device), proc, tmp_path) == ["minicom (4711)"]
    assert why_not(str(device), OSError(errno.EAGAIN, "could not lock")).code == "busy"
    assert why_not(str(device), OSError(errno.EBUSY, "busy")).code == "busy"


def test_a_lock_file_tells_of_a_program_of_another_user(tmp_path: Path) -> None:
    device, proc = tmp_path / "ttyUSB0", tmp_path / "proc"
    device.touch()
    (proc / "815").mkdir(parents=True)
    (proc / "815" / "comm").write_text("octoprint\n")
    lock = tmp_path / "LCK..ttyUSB0"
    lock.write_text("       815\n")
    assert users_of(str(device), proc, tmp_path) == ["octoprint (815)"]
    for left_behind in ("       816\n", "", "../815\n", "\xff"):
        lock.write_text(left_behind, encoding="latin-1")
        assert users_of(str(device), proc, tmp_path) == []


def test_a_port_that_is_not_there_any_more(tmp_path: Path) -> None:
    assert why_not(str(tmp_path / "gone"), FileNotFoundError(errno.ENOENT, "no such file")).code == "lost"


def test_a_file_and_a_folder_are_no_ports(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    for path in (tmp_path, tmp_path / "notes.txt"):
        assert why_not(str(path), termios.error(errno.ENOTTY, "Inappropriate ioctl for device")).code == "no-such-port"


def test_the_remembered_device_goes_first_wherever_it_is_plugged_in() -> None:
    moved = Port("/dev/ttyUSB9", UNO.description, UNO.usb)
    assert remembered([NANO, moved], UNO) == [moved]
    assert remembered([NANO], UNO) == []
    assert remembered([NANO], None) == []
    twin = Port("/dev/ttyUSB3", NANO.description, NANO.usb)
    assert remembered([twin, NANO], NANO) == [NANO], "its chip has no number, and a printer's may be the same"
    there = Port("/dev/ttyUSB0", NANO.description, NANO.usb, "1-2")
    assert remembered([Port("/dev/ttyUSB5", "", NANO.usb, "1-2")], there) != []
    assert remembered([Port("/dev/ttyUSB0", "", NANO.usb, "1-3")], there) == []


def test_what_could_be_a_board_of_ours() -> None:
    assert may_be_ours(NANO) and may_be_ours(UNO)
    assert not may_be_ours(Port("/dev/ttyUSB1", "Sonoff Zigbee 3.0 USB Dongle Plus", "10c4:ea60:abc"))
    assert not may_be_ours(Port("/dev/ttyACM3", "u-blox GNSS receiver", "1546:01a8:"))


def test_the_memory_is_a_file_that_may_be_lost_or_damaged(tmp_path: Path) -> None:
    memory = PortMemory(tmp_path / "deep" / "port.json")
    assert memory.recall() is None
    memory.keep(UNO)
    assert PortMemory(tmp_path / "deep" / "port.json").recall() == UNO
    assert list((tmp_path / "deep").iterdir()) == [tmp_path / "deep" / "port.json"]
    (tmp_path / "deep" / "port.json").write_text("{")
    assert memory.recall() is None
    (tmp_path / "deep" / "port.json").write_text(json.dumps([1]))
    assert memory.recall() is None


def test_a_memory_that_cannot_be_written_is_let_pass(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    PortMemory(tmp_path / "file" / "port.json").keep(UNO)
    PortMemory(None).keep(UNO)


def test_ports_are_described_by_what_is_plugged_in() -> None:
    assert describe(NANO) == "/dev/ttyUSB0 (USB2.0-Serial)"
    assert describe(Port("/dev/ttyS0")) == "/dev/ttyS0"


def test_every_trouble_has_a_sentence_and_a_remedy() -> None:
    parts = {
        "who": "minicom (1)",
        "remedy": "Type: x",
        "firmware": "0.9.0",
        "theirs": "0.9",
        "ours": "1.0",
        "names": "a; b",
        "has": "9",
        "needs": "27",
    }
    for code in TROUBLES:
        told = trouble(code, "/dev/ttyUSB0", **parts)
        assert told.message.endswith(".")
        assert told.remedy
        assert "{" not in told.message + told.remedy
