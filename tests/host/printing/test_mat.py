"""The mat on paper: to size on any paper, its tags where the reader expects them, joined without a step."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from rasterised import MM, printed, sizes, tags_in

from engine.failure import BadInput
from host.printing.mat import GROUNDS, mat_pages
from host.printing.page import Text, pdf, width_of
from host.printing.paper import PAPERS, SHEETS, sheets, spans
from host.printing.products import product
from host.printing.tags import PIECE, tag_page
from vision.geometry.bars import LANE_MARK
from vision.geometry.registration import register
from vision.geometry.table import BOARD, BOARD_X, CARD, MAT, TAG_CENTRES, TAG_SIDE

ACCURATE = 0.2
PRINT = Path(__file__).resolve().parents[3] / "hardware" / "print"


def due(number: int) -> np.ndarray:
    """Corners of a tag on the one-sheet mat, mm from the upper left corner."""
    x, y = MAT[0] / 2 + TAG_CENTRES[number][0], MAT[1] / 2 - TAG_CENTRES[number][1]
    half = TAG_SIDE / 2
    return np.array(((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)))


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_a2_mat_carries_its_tags_at_their_places_to_a_fifth_of_a_millimetre(ground: str) -> None:
    (picture,) = printed(mat_pages(sheets("a2"), ground))
    assert picture.shape[1] * MM / 150 == pytest.approx(420, abs=0.2)
    assert picture.shape[0] * MM / 150 == pytest.approx(594, abs=0.2)
    tags = tags_in(picture)
    assert sorted(tags) == [0, 1, 2, 3]
    for number, corners in tags.items():
        assert np.abs(corners - due(number)).max() < ACCURATE
    diagonal = np.hypot(*(tags[0][0] - tags[2][2]))
    assert diagonal == pytest.approx(699.6, abs=0.3), "what the mat says to measure"


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_reader_finds_the_printed_mat(ground: str) -> None:
    (picture,) = printed(mat_pages(sheets("a2"), ground), dpi=60)
    registration = register(cv2.copyMakeBorder(picture, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(90, 110, 140)))
    assert registration is not None
    assert len(registration.tags) == 4
    assert registration.error < 1.0


@pytest.mark.parametrize("name", [name for name, way in SHEETS.items() if way.count > 1])
def test_sheets_glued_at_their_marks_are_the_mat(name: str) -> None:
    """Each page laid where it belongs shows what the mat in one piece shows, and no strip is missing."""
    way, dpi = sheets(name), 200
    px = dpi / MM
    (whole,) = printed(mat_pages(sheets("a2"), "light"), dpi)
    across = spans(way.across, way.paper[0], way.margin, 401.2, 444)
    along = spans(way.along, way.paper[1], way.margin, 575.2, 618)
    pages = printed(mat_pages(way), dpi)
    assert len(pages) == way.count
    covered = np.zeros(whole.shape[:2], bool)
    found: dict[int, np.ndarray] = {}
    for number, page in enumerate(pages):
        row, column = divmod(number, way.across)
        left, right = across.printed[column]
        low, high = along.printed[way.along - 1 - row]
        shift = np.array(
            (MAT[0] / 2 + (left + right) / 2 - way.paper[0] / 2, MAT[1] / 2 - (low + high) / 2 - way.paper[1] / 2)
        )
        for tag, corners in tags_in(page, dpi).items():
            assert np.abs(corners + shift - due(tag)).max() < ACCURATE
            found[tag] = corners
        # 3 mm inside the print, away from the cut marks, the page and the mat show the same.
        spot = [
            max(left, -MAT[0] / 2) + 6,
            min(right, MAT[0] / 2) - 6,
            max(low, -MAT[1] / 2) + 6,
            min(high, MAT[1] / 2) - 6,
        ]
        x0, x1 = (round((x + MAT[0] / 2) * px) for x in spot[:2])
        y0, y1 = (round((MAT[1] / 2 - y) * px) for y in (spot[3], spot[2]))
        dx, dy = (shift * px).round().astype(int)
        part = cv2.GaussianBlur(page[y0 - dy : y1 - dy, x0 - dx : x1 - dx], (0, 0), 2).astype(int)
        same = cv2.GaussianBlur(whole[y0:y1, x0:x1], (0, 0), 2).astype(int)
        assert np.abs(part - same).mean() < 1.5
        a, b = max(0, round((left + MAT[0] / 2) * px)), round((right + MAT[0] / 2) * px)
        c, e = max(0, round((MAT[1] / 2 - high) * px)), round((MAT[1] / 2 - low) * px)
        covered[c:e, a:b] = True
    assert sorted(found) == [0, 1, 2, 3]
    inner = covered[round(9.5 * px) : round((MAT[1] - 9.5) * px), round(9.5 * px) : round((MAT[0] - 9.5) * px)]
    assert inner.all(), "a strip of the mat is on no sheet"


@pytest.mark.parametrize("name", SHEETS)
def test_pages_have_the_papers_size(name: str) -> None:
    way = sheets(name)
    for size in sizes(pdf(mat_pages(way), "mat")):
        assert size == pytest.approx(way.paper, abs=0.05)


def test_every_sheet_has_a_ruler_of_a_hundred_millimetres() -> None:
    for page in printed(mat_pages(sheets("6xa4")), 300):
        dark = (page.max(axis=2) < 60).astype(np.uint8)
        px = 300 / MM
        # The ruler's long line: the longest dark upright run outside the mat.
        longest = max(
            int(stats[cv2.CC_STAT_HEIGHT])
            for stats in cv2.connectedComponentsWithStats(dark)[2][1:]
            if stats[cv2.CC_STAT_WIDTH] < 6 * px and stats[cv2.CC_STAT_HEIGHT] > 50 * px
        )
        assert longest / px == pytest.approx(100.3, abs=ACCURATE + 0.2)


def test_lane_marks_lie_where_no_card_lies() -> None:
    for lane, x in enumerate(BOARD_X):
        for dot in range(lane + 1):
            away = LANE_MARK.aside - dot * LANE_MARK.pitch
            assert away - LANE_MARK.diameter / 2 > CARD[0] / 2 + 4
            assert LANE_MARK.out - LANE_MARK.diameter / 2 > BOARD[1] / 2 + 5
            assert abs(x) + away < MAT[0] / 2 - 5


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", ["en", "ru", "uk", "pl"])
def test_a_tag_cut_out_keeps_its_number_and_its_way_up(paper: str, language: str) -> None:
    size = PAPERS[paper]
    (picture,) = printed([tag_page(size, language)], 200)
    tags = tags_in(picture, 200)
    assert sorted(tags) == [0, 1, 2, 3]
    px = 200 / MM
    for corners in tags.values():
        assert np.abs(np.diff(np.vstack((corners, corners[:1])), axis=0)).max() == pytest.approx(30, abs=ACCURATE)
        x, y = corners.mean(axis=0)
        piece = [
            round(v * px) for v in (x - PIECE / 2 + 0.6, y - PIECE / 2 + 0.6, x + PIECE / 2 - 0.6, y - TAG_SIDE / 2 - 1)
        ]
        rim = picture[piece[1] : piece[3], piece[0] : piece[2]]
        assert (rim < 120).any(axis=2).sum() > 150, "number and arrow stay on the piece"
        # The white that the reader needs around the black square stays white.
        quiet = round((y - TAG_SIDE / 2 - 3.5) * px), round((y - TAG_SIDE / 2 - 0.4) * px)
        band = picture[quiet[0] : quiet[1], round((x - 18) * px) : round((x + 18) * px)]
        assert band.min() > 250
    page = tag_page(size, language)
    names, ways = ([t for t in page.shapes if isinstance(t, Text) and t.align == side] for side in ("left", "right"))
    for name, way in zip(names, ways, strict=True):
        assert name.x + width_of(name.text, name.size) < way.x - width_of(way.text, way.size)
    order = sorted(tags, key=lambda n: (round(tags[n].mean(axis=0)[1] / 40), tags[n].mean(axis=0)[0]))
    assert order == [0, 1, 3, 2], "as they lie on the table"


@pytest.mark.parametrize("what", ["mat", "tags"])
def test_fonts_are_embedded(what: str) -> None:
    made = product(what, language="ru", sheets="6xa4")  # type: ignore[arg-type]
    data = pdf(made.pages, made.title)
    fonts = set(re.findall(rb"/BaseFont /([\w+-]+)", data))
    assert fonts
    assert all(b"DejaVuSansCondensed" in font for font in fonts)
    assert data.count(b"/FontFile2") == len(set(re.findall(rb"/FontName /([\w+-]+)", data)))


@pytest.mark.parametrize(
    ("what", "options", "code"),
    [
        ("mat", {"sheets": "a7"}, "unknown-sheets"),
        ("mat", {"ground": "pink"}, "unknown-ground"),
        ("tags", {"paper": "a9"}, "unknown-paper"),
        ("tags", {"language": "de"}, "unknown-language"),
    ],
)
def test_a_word_that_is_not_known_is_refused(what: str, options: dict[str, str], code: str) -> None:
    with pytest.raises(BadInput) as caught:
        product(what, **options)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_paper_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        spans(2, 279.4, 5.0, 575.2, 618)


@pytest.mark.parametrize("name", ["mat-a2", "mat-2xa3", "mat-6xa4", "tags-a4"])
def test_the_printed_files_in_the_kit_are_those_that_the_command_makes(name: str) -> None:
    what, _, kind = name.partition("-")
    made = product(what, sheets=kind) if what == "mat" else product("tags", paper=kind)  # type: ignore[arg-type]
    kept, fresh = (PRINT / f"{name}.pdf").read_bytes(), pdf(made.pages, made.title)
    from rasterised import pictures

    for one, two in zip(pictures(kept, 50), pictures(fresh, 50), strict=True):
        assert np.array_equal(one, two), "write it anew: ./allfronts print"
