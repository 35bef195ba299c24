"""What was seen when nothing lay there, laid over what is seen now."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.vision.cards.drawn_column import photographed
from vision.cards.column import Column
from vision.cards.empty_place import as_when_empty
from vision.cards.empty_table import AROUND, EmptyTable, SeenEmpty
from vision.cards.table_beside import ABOVE
from vision.cards.templates import CARD_H, CARD_W, FINE, MIDDLE
from vision.geometry.light import apply, root_table
from vision.geometry.rectify import TableArea
from vision.geometry.table import MAT
from vision.types import Picture

ROOTS = root_table(np.ones(3))
SHAPE = round((MAT[1] + 2 * AROUND) * MIDDLE), round((MAT[0] + 2 * AROUND) * MIDDLE)

NONE_CLIPPED = np.zeros((*SHAPE, 3), np.bool_)


def playmat() -> Picture:
    """A column of a mat, at `FINE`, with a lake, a field and a frame where its first card lies."""
    drawn = np.full((400, 248, 3), (96, 120, 104), np.uint8)
    cv2.ellipse(drawn, (90, 130), (70, 50), 20, 0, 360, (170, 140, 60), -1, cv2.LINE_AA)
    cv2.rectangle(drawn, (120, 150), (210, 260), (60, 150, 190), -1)
    cv2.rectangle(drawn, (20, 60), (70, 330), (40, 40, 40), 3)
    return drawn


def seen_before(drawn: Picture) -> SeenEmpty:
    tones = apply(photographed(drawn), ROOTS)
    small = np.asarray(cv2.resize(tones, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    return SeenEmpty(small, np.zeros(small.shape, np.bool_), np.ones(small.shape[:2], np.bool_))


def now(drawn: Picture, before: SeenEmpty | None) -> Column:
    return Column(photographed(drawn), np.ones(drawn.shape[:2], np.bool_), ROOTS, empty=before)


def with_card(drawn: Picture, colour: tuple[int, int, int] | None, print_on_it: bool) -> Picture:
    """The mat with a card on it: of a colour, or else of the mat's own wherever it lies, and perhaps with print."""
    out, left, top = drawn.copy(), 60, round((ABOVE + 6) * FINE)
    if colour is not None:
        out[top : top + round(CARD_H), left : left + round(CARD_W)] = colour
    if print_on_it:
        for line in range(6):
            cv2.putText(out, "AMBUSH 2", (left + 6, top + 30 + 24 * line), 2, 0.6, (20, 20, 20), 2)
    return out


@pytest.mark.parametrize("light", [0.6, 1.0, 1.3])
@pytest.mark.parametrize("shifted", [0, 1])
def test_the_mat_is_known_again_in_another_light_and_a_little_beside(light: float, shifted: int) -> None:
    mat = playmat()
    later = np.roll(np.clip(mat * light, 0, 255).astype(np.uint8), shifted, axis=1)
    assert as_when_empty(now(later, seen_before(mat)))
    assert not as_when_empty(now(later, None)), "nobody has said so"


@pytest.mark.parametrize(("colour", "print_on_it"), [((96, 120, 104), False), ((200, 200, 200), True), (None, True)])
def test_a_card_on_it_is_not_the_mat(colour: tuple[int, int, int] | None, print_on_it: bool) -> None:
    """Neither one that covers a lake in the mat's colour, nor one of which nothing but its print is seen."""
    mat = playmat()
    assert not as_when_empty(now(with_card(mat, colour, print_on_it), seen_before(mat)))


def test_a_colour_that_the_camera_cut_off_then_may_have_more_of_it_now() -> None:
    """A red field was blown out when the mat was learnt, and the same field in less light something that lay there."""
    # Given a mat with a field whose red the camera cut off, in lighter surroundings than now,
    mat = playmat()
    mat[150:261, 120:211] = (60, 90, 255)
    before = seen_before(np.clip(mat * 1.3, 0, 255).astype(np.uint8))
    assert not as_when_empty(now(mat, before))
    before.clipped[before.tones > 0.97] = True
    # then it is known again once that is taken into account, and a card on it is still none of it.
    assert as_when_empty(now(mat, before))
    assert not as_when_empty(now(with_card(mat, None, True), before))


def test_what_was_not_seen_then_explains_nothing() -> None:
    mat = playmat()
    before = seen_before(mat)
    before.known[:, 62:] = False
    column = now(mat, before)
    assert column.against_empty is not None
    assert float(column.against_empty.errors[20:190, :60].max()) < 0.1
    assert (column.against_empty.errors[:, 62:] == 1).all()
    assert not as_when_empty(column)


@settings(max_examples=40, deadline=None)
@given(x=st.floats(-150, 150), y=st.floats(-200, 200), turn=st.floats(-0.2, 0.2), far=st.booleans())
@example(x=0.0, y=167.0, turn=-6.103515625e-05, far=True)
def test_a_columns_frame_is_cut_out_where_it_lies(x: float, y: float, turn: float, far: bool) -> None:
    # Given a table of which each point's tones tell where it lies,
    rows, columns = np.indices(SHAPE, np.float32)
    table = np.stack([(columns + 0.5) / MIDDLE - AROUND - MAT[0] / 2, MAT[1] / 2 + AROUND - (rows + 0.5) / MIDDLE], 2)
    tones = np.dstack([table, np.zeros(SHAPE, np.float32)]).astype(np.float32)
    frame = TableArea((x, y), turn + (math.pi if far else 0.0), 124.0, 200.0)
    # when a frame of it is cut out, then what is known there lies where the frame says.
    seen = EmptyTable(tones, NONE_CLIPPED, np.ones(SHAPE, np.bool_)).in_column(frame)
    assert seen is not None
    at = np.argwhere(seen.known)[::97]
    assert len(at)
    expected = frame.to_table((at[:, ::-1] + 0.5) / MIDDLE)
    assert np.abs(seen.tones[at[:, 0], at[:, 1], :2] - expected).max() < 0.3


def test_a_frame_beyond_what_was_seen_has_nothing() -> None:
    nothing = EmptyTable(np.zeros((*SHAPE, 3), np.float32), NONE_CLIPPED, np.zeros(SHAPE, np.bool_))
    assert nothing.in_column(TableArea((0.0, 0.0), 0.0, 124.0, 200.0)) is None


def test_what_is_seen_later_counts_where_both_tell() -> None:
    first = EmptyTable(np.full((*SHAPE, 3), 0.2, np.float32), NONE_CLIPPED, np.ones(SHAPE, np.bool_))
    known = np.zeros(SHAPE, np.bool_)
    known[:100] = True
    both = first.and_then(EmptyTable(np.full((*SHAPE, 3), 0.5, np.float32), NONE_CLIPPED, known))
    assert both.known.all()
    assert (both.tones[:100] == 0.5).all() and (both.tones[100:] == np.float32(0.2)).all()
