"""How an empty table looked is kept in a picture file, and is the same when it is read again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.failure import BadInput
from vision.cards.empty_table import SHAPE, EmptyTable
from vision.cards.empty_table_picture import as_picture_file, of_picture_file


@pytest.fixture(scope="module")
def table() -> EmptyTable:
    """A table with a print of its own, blown out on one side, on which a card lay."""
    shade = np.linspace(0.02, 1.3, SHAPE[1], dtype=np.float32)
    tones = np.ascontiguousarray(np.broadcast_to(shade[None, :, None], (*SHAPE, 3))) * np.float32([1.0, 0.9, 0.8])
    known = np.ones(SHAPE, np.bool_)
    known[200:290, 300:364] = False
    return EmptyTable(tones, tones > 1.1, known)


def test_it_is_the_same_when_it_is_read_again(table: EmptyTable) -> None:
    again = of_picture_file(as_picture_file(table))
    assert np.array_equal(again.known, table.known) and np.array_equal(again.clipped, table.clipped)
    assert again.tones.dtype == np.float32
    assert np.abs(again.tones - table.tones)[table.known].max() < 1e-4


def test_nothing_is_kept_of_what_lay_there(table: EmptyTable) -> None:
    again = of_picture_file(as_picture_file(table))
    assert not again.tones[~table.known].any()


def _png(picture: np.typing.NDArray[np.generic]) -> bytes:
    return bytes(cv2.imencode(".png", picture)[1])


def test_what_is_no_such_picture_is_refused(table: EmptyTable) -> None:
    whole = as_picture_file(table)
    others = (
        b"",
        b"PNG",
        whole[: len(whole) // 2],
        whole[:200] + bytes(64) + whole[264:],
        _png(np.zeros((*SHAPE, 3), np.uint16)),
        _png(np.zeros((*SHAPE, 4), np.uint8)),
        _png(np.zeros((SHAPE[0] + 1, SHAPE[1], 4), np.uint16)),
    )
    for data in others:
        with pytest.raises(BadInput, match="no picture of an empty table"):
            of_picture_file(data)
