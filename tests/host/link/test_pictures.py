"""The pictures of firmware/vectors.json, which anybody who writes a board holds it against, drawn by the host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.names import Seat
from host.link.messages import ControllerSettings, Type
from host.link.virtual.picture import VirtualPicture

_FILE: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "firmware" / "vectors.json").read_text(encoding="utf-8")
)
VECTORS: list[dict[str, Any]] = _FILE["pictures"]
SEQUENCES: list[dict[str, Any]] = _FILE["sequences"]
LOST_AFTER_MS = 2000


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['name']} at {vector['at_ms']}")
def test_the_host_draws_what_the_firmware_draws(vector: dict[str, Any]) -> None:
    picture = VirtualPicture()
    if vector["lights"]:
        picture.take_lights(bytes.fromhex(vector["lights"]), vector["began_ms"])
    if vector["name"].startswith("host lost"):
        picture.lose(vector["began_ms"] + LOST_AFTER_MS)
    settings = ControllerSettings.unpack(bytes.fromhex(vector["settings"]))
    assert picture.wire(settings, {}, vector["at_ms"])[0].hex() == vector["strip"]


@pytest.mark.parametrize("vector", SEQUENCES, ids=lambda vector: f"{vector['name']} at {vector['at_ms']}")
def test_the_host_draws_what_the_firmware_draws_after_several_requests(vector: dict[str, Any]) -> None:
    picture, settings, down = VirtualPicture(), ControllerSettings(), dict[Seat, int]()
    for step in vector["steps"]:
        at, body = step["at_ms"], bytes.fromhex(step.get("body", ""))
        match step.get("type"):
            case Type.SETTINGS_SET:
                settings = ControllerSettings.unpack(body)
            case Type.LIGHTS:
                picture.take_lights(body, at)
            case Type.PIXELS:
                picture.take_pixels(body)
            case Type.SHOW:
                picture.show_pixels()
            case Type.SELF_TEST:
                picture.take_test(body, settings.chain, at)
            case Type.BYE:
                picture.go_dark(at)
            case None:
                pressed = step["buttons"]
                seats: tuple[Seat, ...] = ("far", "near") if settings.swapped else ("near", "far")
                down |= {seat: down.get(seat, at) for bit, seat in enumerate(seats) if pressed >> bit & 1}
    now = vector["at_ms"]
    held = {seat: now - since for seat, since in down.items()}
    assert picture.wire(settings, held, now)[0].hex() == vector["strip"]


def test_the_vectors_have_every_show_and_more_than_darkness() -> None:
    shows = {vector["lights"][:2] for vector in VECTORS}
    assert shows >= {"", "01", "02", "03", "04"}
    lit = [vector for vector in VECTORS if any(bytes.fromhex(vector["strip"]))]
    assert len(lit) > len(VECTORS) * 3 // 4
    assert len({vector["strip"] for vector in lit}) > 30
