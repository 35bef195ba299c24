"""A join code is read as text, from a photograph of its QR code, and from the camera's pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import segno

from engine.failure import BadInput
from host.club.table.code_reading import code_in, read_join_code
from host.club.wire.join_code import JoinCode

CODE = JoinCode("192.168.1.20", 8883, "thursday", "t12", "abcdefghjkmnpqrstuvw", True, "A" * 43)


def drawn(text: str, folder: Path) -> np.ndarray:
    segno.make(text, error="m").save(folder / "code.png", scale=6, border=4)
    image = cv2.imread(str(folder / "code.png"))
    assert image is not None
    return image


def test_the_text_itself() -> None:
    assert read_join_code(str(CODE)) == CODE


def test_a_photograph_taken_at_an_angle(tmp_path: Path) -> None:
    code = drawn(str(CODE), tmp_path)
    h, w = code.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    aslant = np.array([[180, 140], [760, 90], [820, 690], [130, 640]], np.float32)
    photograph = cv2.warpPerspective(
        code, cv2.getPerspectiveTransform(corners, aslant), (1000, 800), borderValue=(90, 110, 120)
    )
    cv2.imwrite(str(tmp_path / "photo.jpg"), photograph)

    assert read_join_code(str(tmp_path / "photo.jpg")) == CODE


@pytest.mark.parametrize("account", ["t13", "t30", "t97"])
def test_codes_that_opencvs_usual_reader_misses_are_read_too(tmp_path: Path, account: str) -> None:
    code = replace(CODE, account=account)
    assert code_in([drawn(str(code), tmp_path)]) == code


def test_the_camera_passes_over_pictures_without_a_code_and_codes_of_others(tmp_path: Path) -> None:
    empty = np.full((480, 640, 3), 120, np.uint8)
    other = drawn("https://example.org/menu", tmp_path)

    assert code_in([empty, other, drawn(str(CODE), tmp_path)]) == CODE
    assert code_in([empty, other]) is None


@pytest.mark.parametrize("text", ["nothing.png", "t12"])
def test_what_is_no_code_says_what_to_give(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_join_code(text)

    assert "QR code" in caught.value.remedy


def test_a_picture_without_a_code_says_so(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "wall.png"), np.full((300, 300, 3), 200, np.uint8))

    with pytest.raises(BadInput) as caught:
        read_join_code(str(tmp_path / "wall.png"))

    assert caught.value.code == "bad-code"


def test_a_picture_that_would_fill_the_memory_is_refused_by_its_header(tmp_path: Path) -> None:
    huge = tmp_path / "code.png"
    header = b"IHDR" + (60_000).to_bytes(4, "big") * 2 + b"\x08\x00\x00\x00\x00"
    huge.write_bytes(b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + header)
    with pytest.raises(BadInput, match="60000 x 60000") as caught:
        read_join_code(str(huge))
    assert caught.value.code == "too-large"
