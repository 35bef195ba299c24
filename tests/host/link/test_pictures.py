"""The pictures of firmware/vectors.json, which anybody who writes a board holds it against, drawn by the host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from host.link.messages import ControllerSettings
from host.link.virtual.picture import VirtualPicture

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "firmware" / "vectors.json").read_text(encoding="utf-8")
)["pictures"]
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


def test_the_vectors_have_every_show_and_more_than_darkness() -> None:
    shows = {vector["lights"][:2] for vector in VECTORS}
    assert shows >= {"", "01", "02", "03", "04"}
    lit = [vector for vector in VECTORS if any(bytes.fromhex(vector["strip"]))]
    assert len(lit) > len(VECTORS) * 3 // 4
    assert len({vector["strip"] for vector in lit}) > 30
