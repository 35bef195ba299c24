"""What is printed is what the reader looks for: four corner tags of the right size in the right place."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"
PX = 4  # pixels per millimetre


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mat", HARDWARE / "mat.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["mat"] = module
    spec.loader.exec_module(module)
    return module


def painted(drawing: ModuleType, sheet: object) -> np.ndarray:
    picture = np.full((round(sheet.height * PX), round(sheet.width * PX)), 255, np.uint8)
    for shape in sheet.shapes:
        if isinstance(shape, drawing.Rect) and shape.fill:
            grey = int(np.mean([int(shape.fill[i : i + 2], 16) for i in (1, 3, 5)]))
            top, left = round((sheet.height - shape.y - shape.height) * PX), round(shape.x * PX)
            picture[top : top + round(shape.height * PX), left : left + round(shape.width * PX)] = grey
    return picture


def tags_in(picture: np.ndarray) -> dict[int, np.ndarray]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
    return {int(i): np.asarray(c).reshape(4, 2) / PX for i, c in zip(np.asarray(ids).reshape(-1), corners, strict=True)}


def test_the_mat_carries_its_four_tags_upright_at_their_places(drawing: ModuleType) -> None:
    seen = tags_in(painted(drawing, drawing.mat()))
    assert sorted(seen) == [0, 1, 2, 3]
    for number, (x, y) in enumerate([(-185, 272), (185, 272), (185, -272), (-185, -272)]):
        top_left, top_right, bottom_right, _ = seen[number]
        assert np.allclose(seen[number].mean(axis=0), [210 + x, 297 - y], atol=0.5)
        assert np.allclose(top_right - top_left, [30, 0], atol=0.6), "upright for the near seat"
        assert np.allclose(bottom_right - top_right, [0, 30], atol=0.6)


def test_the_sheet_for_a_cloth_of_ones_own_carries_all_four_tags(drawing: ModuleType) -> None:
    assert sorted(tags_in(painted(drawing, drawing.tags()))) == [0, 1, 2, 3]


def test_places_for_boards_and_stacks_do_not_touch_the_tags(drawing: ModuleType) -> None:
    sheet = drawing.mat()
    lines = [s for s in sheet.shapes if isinstance(s, drawing.Rect) and s.stroke]
    assert len(lines) == 9
    reach = drawing.TAG / 2 + drawing.QUIET
    for line in lines:
        for x, y in drawing.TAG_CENTRES:
            apart_x = max(line.x - (210 + x), (210 + x) - line.x - line.width)
            apart_y = max(line.y - (297 + y), (297 + y) - line.y - line.height)
            assert max(apart_x, apart_y) > reach


@pytest.mark.parametrize("name", ["mat-a2", "tags-a4"])
def test_the_printed_files_are_those_that_the_drawing_makes(drawing: ModuleType, name: str) -> None:
    sheet = {"mat-a2": drawing.mat, "tags-a4": drawing.tags}[name]()
    assert (HARDWARE / "print" / f"{name}.svg").read_text(encoding="utf-8") == drawing.svg(sheet)
    drawn = [pdf.split(b"stream")[1] for pdf in ((HARDWARE / "print" / f"{name}.pdf").read_bytes(), drawing.pdf(sheet))]
    assert drawn[0] == drawn[1]
    assert drawn[0].count(b" re ") >= 40
