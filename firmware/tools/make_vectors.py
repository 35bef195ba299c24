"""Writes vectors.json: frames from the tables of PROTOCOL.md, by an encoder of its own, and the core's pictures."""

from __future__ import annotations

import ctypes
import json
import struct
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]


def crc_3740(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021) & 0xFFFF if crc & 0x8000 else (crc << 1) & 0xFFFF
    return crc


def crc_arc(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def cobs(data: bytes) -> bytes:
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(b"\0"))


def plain(kind: int, seq: int, body: bytes) -> bytes:
    head = bytes([kind, seq]) + body
    return head + struct.pack("<HH", crc_3740(head), crc_arc(head))


def wire(kind: int, seq: int, body: bytes) -> bytes:
    return cobs(plain(kind, seq, body)) + b"\0"


def bar(steps: int, side: int, tie: int = 0, effect: int = 0) -> dict[str, int]:
    return {"steps": steps, "side": side, "tie": tie, "effect": effect}


def lights(
    show: int, options: int, winner: int, near: list[int], far: list[int], bars: list[dict[str, int]]
) -> tuple[bytes, dict[str, object]]:
    packed = bytes(b["steps"] | b["side"] << 3 | b["tie"] << 4 | b["effect"] << 5 for b in bars)
    fields = {"show": show, "options": options, "winner": winner, "near": near, "far": far, "bars": bars}
    return bytes([show, options, winner, *near, *far]) + packed, fields


def settings(
    brightness: int = 128,
    order: int = 0,
    chain: int = 27,
    budget: int = 400,
    bars: tuple[tuple[int, int], ...] = ((0, 0), (9, 0), (18, 0)),
    options: int = 0,
) -> tuple[bytes, dict[str, object]]:
    body = (
        struct.pack("<BBBBH", 1, brightness, order, chain, budget)
        + bytes(x for b in bars for x in b)
        + bytes([options])
    )
    fields = {
        "version": 1,
        "brightness": brightness,
        "order": order,
        "chain": chain,
        "budget_ma": budget,
        "bars": [{"first": first, "reversed": flags} for first, flags in bars],
        "options": options,
    }
    return body, fields


def hello(
    protocol: tuple[int, int] = (1, 1), firmware: tuple[int, int, int] = (1, 1, 0)
) -> tuple[bytes, dict[str, object]]:
    fields: dict[str, object] = {
        "protocol": list(protocol),
        "firmware": list(firmware),
        "board": 1,
        "cause": 4,
        "settings": 1,
        "boot": 515,
        "uptime_ms": 70000,
        "chain_max": 36,
        "buttons": 2,
        "capabilities": 31,
        "body_max": 60,
        "chain": 27,
    }
    return b"AF" + bytes([*protocol, *firmware, 1, 4, 1]) + struct.pack(
        "<HIBBHBB", 515, 70000, 36, 2, 31, 60, 27
    ), fields


STATS = [
    "bad_long",
    "bad_cobs",
    "bad_short",
    "bad_check",
    "uart_overrun",
    "ring_full",
    "uart_framing",
    "errors_sent",
    "replies_dropped",
    "events_resent",
    "events_dropped",
    "host_lost",
    "budget_limited",
    "longest_loop_ms",
    "longest_show_us",
    "supply_mv",
]


def good() -> list[dict[str, object]]:
    red, blue = [220, 30, 20], [30, 60, 230]
    shown = (struct.pack("<HB", 1234, 255), {"shows": 1234, "limit": 255})
    stats = {"uptime_ms": 600000, "frames_good": 90000, "shows": 30000} | {n: i for i, n in enumerate(STATS)}
    rows: list[tuple[str, int, int, tuple[bytes, dict[str, object]]]] = [
        ("HELLO", 0x01, 1, (b"\x01\x01", {"protocol": [1, 1]})),
        ("HELLO without a body", 0x01, 0, (b"", {})),
        ("HELLO reply", 0x81, 1, hello()),
        ("HELLO_EVENT", 0x41, 0, hello()),
        ("HELLO_EVENT of another major version", 0x41, 0, hello((2, 3), (2, 0, 1))),
        ("PING", 0x02, 2, (struct.pack("<I", 0xDEADBEEF), {"token": 0xDEADBEEF})),
        ("PING with zeros", 0x02, 0, (bytes(4), {"token": 0})),
        (
            "PING reply",
            0x82,
            2,
            (
                struct.pack("<IIHB", 0xDEADBEEF, 70000, 515, 1),
                {"token": 0xDEADBEEF, "uptime_ms": 70000, "boot": 515, "flags": 1},
            ),
        ),
        ("LIGHTS play", 0x03, 3, lights(1, 0, 255, red, blue, [bar(4, 0), bar(0, 1, 1), bar(2, 1)])),
        (
            "LIGHTS blink and breathe, cut",
            0x03,
            4,
            lights(1, 1, 255, red, blue, [bar(1, 0, 0, 1), bar(3, 1, 0, 2), bar(0, 0, 1, 2)]),
        ),
        ("LIGHTS off", 0x03, 5, lights(0, 0, 255, [0, 0, 0], [0, 0, 0], [bar(0, 0)] * 3)),
        (
            "LIGHTS battle won",
            0x03,
            6,
            lights(2, 0, 1, [255, 255, 255], [255, 150, 0], [bar(4, 1), bar(2, 0), bar(1, 1)]),
        ),
        ("LIGHTS war won", 0x03, 7, lights(3, 0, 0, red, blue, [bar(0, 0)] * 3)),
        ("LIGHTS idle", 0x03, 8, lights(4, 0, 255, red, blue, [bar(0, 0)] * 3)),
        ("LIGHTS reply", 0x83, 3, shown),
        ("PIXELS one", 0x04, 9, (bytes([35, 1, 0, 255]), {"offset": 35, "pixels": [[1, 0, 255]]})),
        (
            "PIXELS nineteen, the longest frame",
            0x04,
            10,
            (bytes([0, *range(1, 58)]), {"offset": 0, "pixels": [[i, i + 1, i + 2] for i in range(1, 58, 3)]}),
        ),
        ("PIXELS reply", 0x84, 9, (b"", {})),
        ("SHOW", 0x05, 11, (b"", {})),
        ("SHOW reply, dimmed", 0x85, 11, (struct.pack("<HB", 65535, 80), {"shows": 65535, "limit": 80})),
        ("SETTINGS_GET", 0x06, 12, (b"", {})),
        ("SETTINGS_GET reply", 0x86, 12, settings()),
        ("SETTINGS_SET", 0x07, 13, settings(200, 1, 36, 1500, ((18, 1), (0, 0), (27, 1)), 1)),
        ("SETTINGS_SET reply", 0x87, 13, settings(200, 1, 36, 1500, ((18, 1), (0, 0), (27, 1)), 1)),
        ("SETTINGS_SAVE", 0x08, 14, (b"", {})),
        ("SETTINGS_SAVE reply", 0x88, 14, (b"\x07", {"generation": 7})),
        ("STATS", 0x09, 15, (b"", {})),
        ("STATS reply", 0x89, 15, (struct.pack("<III16H", 600000, 90000, 30000, *range(16)), dict(stats))),
        ("SELF_TEST one light", 0x0A, 16, (bytes([1, 26]), {"pattern": 1, "index": 26})),
        ("SELF_TEST reply", 0x8A, 16, shown),
        ("BYE", 0x0B, 18, (b"", {})),
        ("BYE reply", 0x8B, 18, shown),
        ("HANG", 0x0F, 17, (b"HANG", {})),
        (
            "BUTTON down",
            0x42,
            1,
            (
                struct.pack("<BBBIHH", 1, 0, 1, 123456, 0, 515),
                {"number": 1, "seat": 0, "kind": 1, "at_ms": 123456, "held_ms": 0, "boot": 515},
            ),
        ),
        (
            "BUTTON hold",
            0x42,
            255,
            (
                struct.pack("<BBBIHH", 255, 1, 3, 125456, 2000, 515),
                {"number": 255, "seat": 1, "kind": 3, "at_ms": 125456, "held_ms": 2000, "boot": 515},
            ),
        ),
        ("EVENT_ACK", 0x50, 255, (b"", {})),
        ("ERROR", 0xFF, 13, (bytes([3, 7, 4]), {"code": 3, "type": 7, "detail": 4})),
    ]
    return [
        {
            "name": name,
            "wire": wire(kind, seq, body).hex(),
            "type": kind,
            "seq": seq,
            "body": body.hex(),
            "fields": fields,
        }
        for name, kind, seq, (body, fields) in rows
    ]


def bad() -> list[dict[str, object]]:
    ping = plain(0x02, 2, struct.pack("<I", 0xDEADBEEF))
    whole = cobs(ping)
    flipped = bytearray(ping)
    flipped[3] ^= 0x10
    first = bytearray(ping)
    first[-4] ^= 1
    second = bytearray(ping)
    second[-1] ^= 0x80
    rows = [
        ("one bit wrong in the body", "check", cobs(bytes(flipped))),
        ("check1 wrong", "check", cobs(bytes(first))),
        ("check2 wrong", "check", cobs(bytes(second))),
        ("a byte lost", "cobs", whole[:4] + whole[5:]),
        ("only a block's length", "cobs", b"\x05"),
        ("five bytes decoded", "short", cobs(b"\x02\x02\x01\x01\x01")),
        ("one empty block", "short", b"\x01"),
        ("68 bytes before the end", "long", b"\x44" + bytes(range(1, 68))),
        ("67 bytes, well formed, wrong check", "check", b"\x43" + bytes(range(1, 67))),
        ("300 bytes without an end", "long", bytes([255]) * 300),
        ("a block that reaches past the end", "cobs", whole[:-3]),
    ]
    return [{"name": name, "wire": (data + b"\0").hex(), "error": error} for name, error, data in rows]


def streams() -> list[dict[str, object]]:
    ping, show = wire(0x02, 2, struct.pack("<I", 1)), wire(0x05, 3, b"")
    as_frame = [[2, 2, "01000000"], [5, 3, ""]]
    return [
        {"name": "two frames", "wire": (ping + show).hex(), "frames": as_frame, "errors": []},
        {
            "name": "zeros between frames are idle",
            "wire": (b"\0\0" + ping + b"\0\0\0" + show).hex(),
            "frames": as_frame,
            "errors": [],
        },
        {
            "name": "garbage, then right again",
            "wire": (b"\x99\x42garbage\0" + ping + show).hex(),
            "frames": as_frame,
            "errors": ["cobs"],
        },
        {
            "name": "half a frame, then a new one without a zero between",
            "wire": (ping[:5] + ping + show).hex(),
            "frames": [as_frame[1]],
            "errors": None,
        },
        {
            "name": "half a frame, cleared by a zero",
            "wire": (ping[:5] + b"\0" + ping + show).hex(),
            "frames": as_frame,
            "errors": None,
        },
        {"name": "nothing ended yet", "wire": ping[:-1].hex(), "frames": [], "errors": []},
    ]


def core() -> ctypes.CDLL:
    """The portable core, compiled for this machine, with a clock that is told the time."""
    subprocess.run(["make", "-s", "-C", str(HERE / "pc"), "../../build/firmware/pc/liballfronts_core.so"], check=True)
    return ctypes.CDLL(str(HERE.parent / "build" / "firmware" / "pc" / "liballfronts_core.so"))


ROOM = ctypes.c_uint8 * 256


def alive(library: ctypes.CDLL, until: int) -> None:
    """Time passes, with a host that is there."""
    while library.pc_now() + 1000 < until:
        library.pc_jump(1000)
        ping = wire(0x02, 2, bytes(4))
        library.pc_hear(ping, len(ping))
        library.pc_poll()
    if until > library.pc_now():
        library.pc_jump(until - library.pc_now())


def pictures() -> list[dict[str, object]]:
    """What the strip is sent `at` ms after the start, for settings and for LIGHTS that came at `began`."""
    library, bytes_ = core(), ROOM()
    red, blue, white, amber = [255, 20, 8], [10, 50, 255], [225, 225, 225], [255, 120, 0]
    plain = settings()[0]
    dim = settings(brightness=8)[0]
    long = settings(200, 1, 36, 3000, ((18, 1), (0, 0), (27, 1)))[0]
    poor = settings(255, 2, 27, 60)[0]
    tie = lights(1, 1, 255, red, blue, [bar(0, 0, 1), bar(0, 1, 1), bar(2, 1)])[0]
    leads = lights(1, 1, 255, red, blue, [bar(4, 0), bar(1, 1), bar(3, 1)])[0]
    moving = lights(1, 1, 255, white, amber, [bar(3, 0, 0, 1), bar(0, 1, 1, 2), bar(0, 0, 0, 2)])[0]
    soft = lights(1, 0, 255, red, blue, [bar(4, 0), bar(1, 1), bar(3, 1)])[0]
    idle = lights(4, 1, 255, red, blue, [bar(0, 0)] * 3)[0]
    battle = lights(2, 1, 1, red, blue, [bar(0, 0)] * 3)[0]
    war = lights(3, 1, 0, white, amber, [bar(0, 0)] * 3)[0]
    rows = [
        ("start", plain, b"", 0, (200, 700, 1000, 1400, 1700)),
        ("ties and a lead", plain, tie, 5000, (5000, 5500)),
        ("ties at a low brightness", dim, tie, 5000, (5000,)),
        ("leads, another chain and order", long, leads, 5000, (5000,)),
        ("leads above the current budget", poor, leads, 5000, (5000,)),
        ("blinking and breathing", plain, moving, 5000, (5100, 5500, 6000, 6700, 7310)),
        ("breathing at a low brightness", dim, moving, 5000, (6000, 7200)),
        ("soft transition from dark", plain, soft, 5000, (5000, 5060, 5140, 5400)),
        ("idle", plain, idle, 5000, (5020, 6150)),
        ("battle won", plain, battle, 5000, (5000, 5500, 6300, 7100, 7500, 8600)),
        ("war won", plain, war, 5000, (5000, 5130, 5450, 8000, 9400, 10500)),
        ("host lost", plain, leads, 5000, (8000, 8700, 9999)),
        ("host lost for more than ten minutes", plain, leads, 5000, (608000, 613000, 618000)),
    ]
    found: list[dict[str, object]] = []
    for name, how, body, began, moments in rows:
        for at in moments:
            library.pc_erase()
            library.pc_power_on(1)
            library.pc_jump(1)
            for kind, content, when in ((0x07, how, 2), (0x03, body, began)):
                if content:
                    alive(library, when)
                    data = wire(kind, 1, content)
                    library.pc_hear(data, len(data))
                    library.pc_poll()
            if body and name.startswith("host lost"):
                library.pc_jump(2000)
                library.pc_jump(at - library.pc_now())
            else:
                alive(library, at)
            shown = bytes(bytes_[: library.pc_wire(bytes_)])
            found.append(
                {"name": name, "settings": how.hex(), "lights": body.hex(), "began_ms": began, "at_ms": at}
                | {"strip": shown.hex()}
            )
    return found


def sequences() -> list[dict[str, object]]:
    """What the strip is sent after several requests and presses: raw pixels, self-tests, transitions, holds."""
    library, bytes_ = core(), ROOM()
    red, blue = [255, 20, 8], [10, 50, 255]
    plain, dim = settings()[0], settings(brightness=8)[0]
    long = settings(200, 1, 30, 3000, ((18, 1), (0, 0), (9, 1)), 1)[0]
    first = lights(1, 0, 255, red, blue, [bar(4, 0), bar(1, 1), bar(3, 1)])[0]
    second = lights(1, 0, 255, red, blue, [bar(2, 1), bar(0, 0, 1), bar(0, 0)])[0]
    won = lights(2, 1, 0, red, blue, [bar(0, 0)] * 3)[0]
    pixels = bytes([1, 255, 128, 64, 8, 4, 2])
    steps: list[tuple[str, bytes, list[tuple[int, int, bytes]], tuple[int, ...]]] = [
        ("raw pixels", dim, [(100, 0x04, pixels), (110, 0x05, b"")], (200,)),
        ("raw pixels, then lights", plain, [(100, 0x04, pixels), (110, 0x05, b""), (900, 0x03, first)], (960,)),
        ("a transition between two pictures", plain, [(1000, 0x03, first), (2000, 0x03, second)], (2060, 2160, 2300)),
        ("lights under a self-test that ends", plain,
         [(1000, 0x03, won), (2000, 0x0A, b"\x02\0"), (2500, 0x0A, b"\0\0")], (2400, 3100)),
        ("goodbye", plain, [(1000, 0x03, first), (2000, 0x0B, b"")], (2050,)),
        ("the near button held", plain, [(1600, 0x03, first), (3000, 0, b"\x01")], (3200, 3320, 4500, 5010)),
        ("both held, buttons swapped", long,
         [(1600, 0x03, first), (3000, 0, b"\x01"), (4000, 0, b"\x03")], (4200, 4900)),
    ]  # fmt: skip
    steps += [
        (f"self-test {pattern}", long, [(1000, 0x0A, bytes([pattern, index]))], (1700,))
        for pattern, index in ((1, 29), (1, 255), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0))
    ]
    found: list[dict[str, object]] = []
    for name, how, doings, moments in steps:
        for at in moments:
            library.pc_erase()
            library.pc_power_on(1)
            library.pc_press(0)
            todo = [(2, 0x07, how), *doings]
            # The last picture is made at `at` itself: whatever moves has a picture due after 20 ms.
            while library.pc_now() < at - 25:
                now = library.pc_now()
                for when, kind, body in todo:
                    if kind == 0 and when == now + 1:
                        library.pc_press(body[0])
                library.pc_advance(1)
                asked = [(kind, body) for when, kind, body in todo if kind and when == now + 1]
                for kind, body in asked or ([(0x02, bytes(4))] if now % 500 == 0 else []):
                    data = wire(kind, 1, body)
                    library.pc_hear(data, len(data))
                    library.pc_poll()
            library.pc_jump(at - library.pc_now())
            shown = bytes(bytes_[: library.pc_wire(bytes_)])
            done = [
                {"at_ms": when, "type": kind, "body": body.hex()} if kind else {"at_ms": when, "buttons": body[0]}
                for when, kind, body in todo
                if when <= at
            ]
            found.append({"name": name, "steps": done, "at_ms": at, "strip": shown.hex()})
    library.pc_press(0)
    return found


def main() -> None:
    table = {
        "protocol": [1, 1],
        "check1_of_123456789": crc_3740(b"123456789"),
        "check2_of_123456789": crc_arc(b"123456789"),
        "good": good(),
        "bad": bad(),
        "streams": streams(),
        "pictures": pictures(),
        "sequences": sequences(),
    }
    assert table["check1_of_123456789"] == 0x29B1 and table["check2_of_123456789"] == 0xBB3D
    (HERE / "vectors.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
