"""Games on the printed mat: its lines, dots and rulers are never taken for cards, on any ground."""

from __future__ import annotations

import numpy as np
import pytest
from rasterised import printed

from engine.names import Face
from engine.sight import Place
from host.printing.mat import GROUNDS, mat_pages
from host.printing.paper import sheets
from vision.enrolment.enrol import enrol
from vision.simulate import EMPTY, SimulatedCamera
from vision.simulate.scene import Lying, Tabletop
from vision.tracking.reader import Reader

TABLES: tuple[dict[Place, tuple[Face, ...]], ...] = (
    {},
    {("A", "near"): ("A1",), ("S", "far"): ("-",)},
    {("A", "near"): ("A1", "-", "A6"), ("A", "far"): ("S3",), ("L", "near"): ("L3", "A3"), ("S", "far"): ("-", "S2")},
)


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_table_on_the_printed_mat_is_read(ground: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw_printed(top: Tabletop, rng: np.random.Generator) -> None:
        scale = top.area.scale
        (page,) = printed(mat_pages(sheets("a2"), ground), 25.4 * scale)
        paper = np.clip(page.astype(np.float32) * 0.94 + 8, 0, 255).astype(np.uint8)
        mask = np.full(paper.shape[:2], 255, np.uint8)
        top._put(top._bare, top._bare_gloss, paper, mask, Lying("mat", 0, 0, 0), 20, 0.8)

    monkeypatch.setattr(Tabletop, "_draw_mat", draw_printed)
    camera = SimulatedCamera("bright", 6, condition="day")
    reader = Reader(enrol(**camera.enrolment_photos()))
    for order, cards in zip(("ALS", "SAL", "LSA"), TABLES, strict=True):
        table = {**EMPTY, **cards}
        reading = reader.read(camera.still(table, order))
        assert dict(reading.sight.board) == table
        assert reading.sight.sure
        assert not [note for note in reading.sight.notes if note.code == "foreign"]
        camera.clear()
