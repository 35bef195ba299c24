"""The program that is flashed, in the emulated chip: byte by byte, bit by bit, and when things go wrong."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from host.bench.firmware import host_lost_after, latencies, lights_body, memory, saturate, started, watchdog_recovery
from host.link.codec import Decoder, SerialFrame, encode
from host.link.emulated.chip import EmulatedBoard, bootloader_hex
from host.link.emulated.controller import EmulatedController, EmulatedPort
from host.link.messages import ControllerSettings, Hello, Stats, Type

pytestmark = pytest.mark.needs_emulator

WHITE_TEST = bytes((2, 0))


@pytest.fixture
def board() -> Iterator[EmulatedBoard]:
    with EmulatedBoard() as fresh:
        yield fresh


@pytest.fixture(scope="session")
def bootloaders() -> dict[str, Path]:
    """Both boot loaders of Arduino Nanos; skipped by name where Debian's package cannot be had."""
    try:
        return {"old": bootloader_hex("old"), "optiboot": bootloader_hex("optiboot")}
    except Failure as failure:
        pytest.skip(f"no boot loaders: {failure.message}")


def answers(board: EmulatedBoard, seconds: float) -> list[SerialFrame]:
    board.run(seconds)
    return Decoder().feed(board.read())


def test_a_full_line_into_36_moving_lights_loses_nothing() -> None:
    found = saturate(1_500)
    assert found.answered == found.sent == 1_500
    assert found.bytes_lost == 0
    assert found.stats.bad_check == found.stats.bad_cobs == found.stats.bad_short == found.stats.bad_long == 0
    assert found.stats.replies_dropped == 0
    assert found.pictures > 100 and found.bad_bits == 0


def test_every_bit_on_the_strip_is_inside_the_datasheet(board: EmulatedBoard) -> None:
    started(board)
    chance = random.Random(5)
    for number in range(60):
        board.write(encode(SerialFrame(Type.LIGHTS, number, lights_body(chance))))
        board.run(0.05)
    timing = board.timing()
    assert timing.bits > 60 * 2 * 36 * 24 and timing.bad_bits == 0
    assert (timing.zero_high_min, timing.zero_high_max) == (15, 15), "312 ns"
    assert (timing.one_high_min, timing.one_high_max) == (33, 33), "687 ns"
    assert timing.gap_max <= 288, "under 6 us between lights, so that no strip latches in the middle"
    assert timing.pause_min >= 300 * 48, "300 us between pictures, so that every strip latches"


def test_pictures_shown_back_to_back_still_latch_one_by_one(board: EmulatedBoard) -> None:
    started(board)
    board.write(encode(SerialFrame(Type.SHOW, 1)))
    board.run(0.05)
    before = board.timing().pictures
    for number in range(8):
        # Shorter: the lights cut off are darkened, and the rest is shown at once after it.
        board.write(
            encode(SerialFrame(Type.SETTINGS_SET, number, ControllerSettings(chain=9 if number % 2 else 36).pack()))
        )
        board.run(0.02)
    timing = board.timing()
    assert timing.pictures - before >= 12 and timing.bad_bits == 0 and timing.pause_min >= 300 * 48


def test_a_command_is_on_the_lights_within_fifteen_milliseconds() -> None:
    taken = sorted(latencies(150))
    assert taken[-2] <= 0.015, f"p99 {taken[-2] * 1000:.1f} ms"


def test_flash_and_ram_keep_their_limits_and_sizes_txt_is_true(firmware: Path) -> None:
    found = memory()
    assert found.flash <= 16 * 1024
    assert found.static + found.stack <= 1536
    rows = (
        line.split() for line in (firmware / "sizes.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"
    )
    written = {row[1]: int(row[2]) for row in rows if row[0] == "atmega328p"}
    assert written == {
        "flash": found.flash,
        "static_ram": found.static,
        "stack": found.stack,
        "static_ram+stack": found.static + found.stack,
    }, "run firmware/tools/ship_image.py --stack BYTES and review what it changes"


def test_a_hang_is_over_within_a_second_without_a_boot_loader() -> None:
    seconds, cause = watchdog_recovery(None)
    assert seconds < 1.0 and cause == 4


@pytest.mark.parametrize("which", ["old", "optiboot"])
def test_a_hang_is_over_within_a_second_under_each_boot_loader(which: Any, bootloaders: dict[str, Path]) -> None:
    seconds, cause = watchdog_recovery(which)
    assert seconds < 1.0 and cause == 4


@pytest.mark.parametrize("which", ["old", "optiboot"])
def test_after_the_boot_loader_the_board_greets_within_two_seconds(which: Any, bootloaders: dict[str, Path]) -> None:
    with EmulatedBoard(bootloader=bootloaders[which]) as board:
        board.run(3.0)
        board.read()
        board.reset()
        assert [f.type for f in answers(board, 2.0)] == [Type.HELLO_EVENT]
        assert board.baud == 117_647


def test_a_silent_host_is_missed_after_two_seconds() -> None:
    assert 1.99 < host_lost_after() < 2.5


def test_what_is_saved_outlives_the_power_and_a_new_chip_has_defaults(board: EmulatedBoard) -> None:
    started(board, ControllerSettings(brightness=33))
    board.write(encode(SerialFrame(Type.SETTINGS_SAVE, 2)))
    assert answers(board, 0.2)[-1].type == 0x88
    kept = board.kept()
    with EmulatedBoard() as other:
        other.set_kept(kept)
        other.power_cycle()
        hello = Hello.unpack(answers(other, 0.1)[-1].body)
        assert (hello.settings, hello.cause) == (1, 1)
        other.write(encode(SerialFrame(Type.SETTINGS_GET, 3)))
        assert ControllerSettings.unpack(answers(other, 0.1)[-1].body).brightness == 33


def test_a_save_takes_the_eeproms_time_and_every_answer_comes_in_time(board: EmulatedBoard) -> None:
    started(board, ControllerSettings(brightness=33))
    board.run(0.2)
    board.write(encode(SerialFrame(Type.SETTINGS_SAVE, 2)))
    decoder = Decoder()
    waited = 0.0
    while not any(frame.type == 0x88 for frame in decoder.feed(board.read())):
        board.run(0.002)
        waited += 0.002
        assert waited < 0.25
    assert waited > 0.04, "seventeen bytes of 3.4 ms"
    board.write(encode(SerialFrame(Type.STATS, 3)))
    stats = Stats.unpack(answers(board, 0.05)[-1].body)
    assert stats.longest_loop_ms < 100 and stats.uart_overrun == stats.ring_full == 0


def test_the_supply_is_measured_and_a_low_one_keeps_the_start_uncounted(board: EmulatedBoard) -> None:
    def supply_mv() -> int:
        board.write(encode(SerialFrame(Type.STATS, 3)))
        return Stats.unpack(answers(board, 0.05)[-1].body).supply_mv

    board.run(0.2)
    board.read()
    assert supply_mv() == pytest.approx(5_000, abs=60)
    kept = board.kept()
    board.supply(3_800)
    board.run(0.1)
    assert supply_mv() == pytest.approx(3_800, abs=60)
    board.reset()
    board.run(0.5)
    assert board.kept() == kept
    board.read()
    board.brown_out()
    assert Hello.unpack(answers(board, 0.1)[-1].body).cause == 3


def test_the_cause_of_each_reset_is_told(board: EmulatedBoard) -> None:
    board.power_cycle()
    assert Hello.unpack(answers(board, 0.1)[-1].body).cause == 1
    board.reset()
    assert Hello.unpack(answers(board, 0.1)[-1].body).cause == 2
    board.write(encode(SerialFrame(Type.HANG, 1, b"HANG")))
    assert Hello.unpack(answers(board, 0.5)[-1].body).cause == 4


def test_a_boot_loader_that_hands_over_the_cause_is_heard(tmp_path: Path) -> None:
    """Optiboot since its version 6 clears the chip's flags and leaves them in r2."""
    source = tmp_path / "loader.S"
    source.write_text(
        "#define __SFR_OFFSET 0\n#include <avr/io.h>\n.global main\n"
        "main:\n  clr r1\n  in r2, MCUSR\n  out MCUSR, r1\n  jmp 0\n"
    )
    loader, elf = tmp_path / "loader.hex", tmp_path / "loader.elf"
    subprocess.run(
        ["avr-gcc", "-mmcu=atmega328p", "-nostartfiles", "-Wl,-Ttext=0x7E00", "-o", str(elf), str(source)], check=True
    )
    subprocess.run(["avr-objcopy", "-O", "ihex", "-j", ".text", str(elf), str(loader)], check=True)
    with EmulatedBoard(bootloader=loader) as board:
        causes = []
        for happens in (board.power_cycle, board.reset, board.brown_out):
            board.read()
            happens()
            causes.append(Hello.unpack(answers(board, 0.1)[-1].body).cause)
        assert causes == [1, 2, 3]
        board.write(encode(SerialFrame(Type.HANG, 1, b"HANG")))
        assert Hello.unpack(answers(board, 0.5)[-1].body).cause == 4


def test_the_same_script_runs_the_same_to_the_cycle() -> None:
    def played() -> tuple[list[tuple[int, int]], bytes, int]:
        chance = random.Random(11)
        with EmulatedBoard() as board:
            said = []
            for number in range(60):
                board.button("near", number % 3 == 0)
                board.write(encode(SerialFrame(Type.LIGHTS, number, lights_body(chance))) + chance.randbytes(5) + b"\0")
                board.run_cycles(chance.randrange(400_000))
                said += board.read_timed()
            return said, board.shown().wire, board.cycle

    assert played() == played()


def test_the_clock_does_not_lose_time_to_the_lights(board: EmulatedBoard) -> None:
    started(board)
    board.write(encode(SerialFrame(Type.LIGHTS, 1, lights_body(random.Random(1)))))
    times = []
    for _ in range(2):
        board.write(encode(SerialFrame(Type.STATS, 2)))
        said = next(frame for frame in answers(board, 0.05) if frame.type == 0x89)
        times.append((Stats.unpack(said.body).uptime_ms, board.cycle))
        for _ in range(20):
            board.write(encode(SerialFrame(Type.PING, 3, bytes(4))))
            board.run(0.5)
        board.read()
    passed = (times[1][1] - times[0][1]) / 16_000
    assert abs(times[1][0] - times[0][0] - passed) <= 8, (
        "an answer may wait for a picture; a lost tick a picture is 40 ms"
    )


def test_a_wrong_speed_makes_garbage_of_every_byte(board: EmulatedBoard) -> None:
    board.run(0.05)
    board.read()
    board.host_baud(57_600)
    board.write(encode(SerialFrame(Type.PING, 1, bytes(4))))
    assert answers(board, 0.1) == []
    board.host_baud(115_200)
    board.write(b"\0" + encode(SerialFrame(Type.PING, 2, bytes(4))))
    assert [f.seq for f in answers(board, 0.1) if f.type == 0x82] == [2]


def test_pulled_out_and_put_in_at_any_moment_it_greets_again(talk_with: Callable[..., Any]) -> None:
    talk = talk_with(EmulatedController)
    talk.greeted()
    chance = random.Random(8)
    for _ in range(25):
        talk.send(Type.LIGHTS, lights_body(chance))
        talk.wait(chance.random() * 0.04)
        if chance.random() < 0.5:
            talk.controller.unplug()
            with pytest.raises(OSError):
                talk.line.write(b"\0")
            talk.controller.plug()
            talk.reopen()
        else:
            talk.controller.reset()
        talk.greeted()
        talk.line.write(b"\0")
        assert talk.ask(Type.LIGHTS, lights_body(chance)).type == 0x83


def test_on_a_pseudo_terminal_pyserial_talks_with_it_and_it_survives_being_frozen_and_killed(tmp_path: Path) -> None:
    serial = pytest.importorskip("serial")
    port = EmulatedPort(kept=tmp_path / "kept", link=tmp_path / "port")
    with port:
        line = serial.Serial(port.port, 115200, timeout=0.05, exclusive=True)
        decoder = Decoder()

        def ask(kind: int, body: bytes) -> SerialFrame:
            for seq in range(40):
                line.write(b"\0" + encode(SerialFrame(kind, seq, body)))
                for _ in range(10):
                    for frame in decoder.feed(line.read(256)):
                        if frame.type == kind | 0x80:
                            return frame
            raise AssertionError("no answer within 20 s")

        assert Hello.unpack(ask(Type.HELLO, b"\x01\x00").body).cause == 2, "opening resets it, as DTR does"
        ask(Type.SETTINGS_SET, ControllerSettings(brightness=50).pack())
        ask(Type.SETTINGS_SAVE, b"")
        ask(Type.SELF_TEST, WHITE_TEST)
        assert port.wait_for(lambda wire: len(wire) == 81 and len(set(wire)) == 1 and wire[0] > 0)
        port.freeze()
        line.write(encode(SerialFrame(Type.PING, 1, bytes(4))))
        port.thaw()
        assert ask(Type.PING, bytes(4)).type == 0x82
        assert port.wait_for(lambda wire: any(wire[9:12]) and not any(wire[0:6])), "host lost: amber around the balance"
        line.close()
    with port:
        line = serial.Serial(port.port, 115200, timeout=0.05, exclusive=True)
        decoder = Decoder()
        assert ControllerSettings.unpack(ask(Type.SETTINGS_GET, b"").body).brightness == 50
        port.kill()
        with pytest.raises(OSError):
            for _ in range(200):
                line.write(b"\0")
                line.read(16)
        line.close()
