"""Our own deck on paper: cut along the marks it is 18 cards, three boards, two commanders, and the reader knows it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from rasterised import MM, pictures, printed, sizes

from engine.editions import withdraw_points
from engine.failure import BadInput
from engine.names import CARDS, FACE_DOWN, THEATERS, Face
from engine.places import Place
from host.cli import main
from host.printing import deck as deck_module
from host.printing.deck import back_place, deck_pages, place, withdraw_rows
from host.printing.page import Art, Page, Text, width_of
from host.printing.paper import PAPERS
from vision.enrolment.enrol import enrol
from vision.geometry.table import BOARD, CARD
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.simulate.deck import ART_SCALE
from vision.tracking.reader import Reader

A4 = PAPERS["a4"]
DPI = 200.0


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pictures, for tests of what stands where."""
    monkeypatch.setattr(deck_module, "PRINT_SCALE", 2.0)


def cut(page: np.ndarray, x: float, y: float, size: tuple[float, float], tall: float) -> np.ndarray:
    """A rectangle of a rasterised page, at the scale of the simulated table's art; (x, y) is its lower left corner."""
    px = DPI / MM
    left, top = x * px, (tall - y - size[1]) * px
    part = page[round(top) : round(top + size[1] * px), round(left) : round(left + size[0] * px)]
    return cv2.resize(part, (round(size[0] * ART_SCALE), round(size[1] * ART_SCALE)), interpolation=cv2.INTER_AREA)


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("language", ["en", "ru", "uk", "pl"])
def test_what_is_said_in_the_margin_lies_over_no_cut_mark(language: str) -> None:
    page = deck_pages(A4, "revised", language, style="night")[0]
    notes = [text for text in page.shapes if isinstance(text, Text) and text.turn == 90]
    assert len(notes) == 3
    assert language == "en" or not any("night" in note.text for note in notes)
    lines = [place(A4, 3 * row)[1] for row in range(3)] + [place(A4, 0)[1] + CARD[1]]
    for note in notes:
        long = width_of(note.text, note.size) / 2
        assert not any(note.y - long - 1 < line < note.y + long + 1 for line in lines)


def test_an_option_that_would_change_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("mat", "--paper", "letter"), ("tags", "--sheets", "6xletter"), ("mat", "--flip", "short")):
        assert main(["print", *words, "--out", str(tmp_path / "x.pdf")]) == 2
        assert words[1] in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_cut_out_and_laid_on_the_table_it_is_learnt_and_read() -> None:
    pages = printed(deck_pages(A4, "revised", "uk"), DPI)
    faces: dict[Face, np.ndarray] = {}
    for k, card in enumerate(CARDS):
        faces[card] = cut(pages[2 * (k // 9)], *place(A4, k % 9), CARD, A4[1])
    faces[FACE_DOWN] = cut(pages[1], *back_place(A4, 4, False), CARD, A4[1])
    boards = {
        theater: cut(pages[4], (A4[0] - BOARD[0]) / 2, A4[1] / 2 + (0.5 - k) * BOARD[1], BOARD, A4[1])
        for k, theater in enumerate(THEATERS)
    }
    deck = Deck("printed", ART_SCALE, faces, boards)
    reader = Reader(enrol(**SimulatedCamera("bright", 6, condition="day", deck=deck).enrolment_photos()))
    table: dict[Place, tuple[Face, ...]] = {
        **EMPTY,
        ("A", "near"): ("A1", "-", "A6"), ("A", "far"): ("S3",), ("L", "near"): ("L3", "A3"),
        ("S", "far"): ("-", "S2", "L4"), ("S", "near"): ("A2",),
    }  # fmt: skip
    sight = reader.read(SimulatedCamera("bright", 11, condition="lamp", deck=deck).still(table, "SAL")).sight
    assert dict(sight.board) == table


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("flip", ["long", "short"])
def test_every_back_lies_behind_its_front(paper: str, flip: str, coarse: None) -> None:
    size = PAPERS[paper]
    pages = deck_pages(size, "first", "pl", flip=flip)
    fronts, backs = printed(pages[:2])
    # Turned over at that edge, the back's cut marks are the front's.
    behind = cv2.flip(backs, 1 if flip == "long" else 0)
    rim = np.ones(fronts.shape[:2], bool)
    px, inset = 150 / MM, 2.2
    x, y = (size[0] - 3 * CARD[0]) / 2 - inset, (size[1] - 3 * CARD[1]) / 2 - inset
    rim[round(y * px) : -round(y * px), round(x * px) : -round(x * px)] = False
    dark = [((page.max(axis=2) < 90) & rim) for page in (fronts, behind)]
    assert dark[0].sum() > 300
    near = cv2.dilate(dark[1].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    assert (dark[0] & ~near).mean() < 1e-5, "marks within a dot (0.17 mm)"
    for front, back in zip(arts(pages[0]), arts(pages[1]), strict=True):
        seen_through = (
            (size[0] - back.x - back.width, back.y) if flip == "long" else (back.x, size[1] - back.y - back.height)
        )
        assert (front.x, front.y) == pytest.approx(seen_through, abs=0.01)
        assert back.turned == (flip == "short")


def arts(page: Page) -> list[Art]:
    return [shape for shape in page.shapes if isinstance(shape, Art)]


def texts(page: Page) -> list[Text]:
    return [shape for shape in page.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("edition", ["first", "revised"])
@pytest.mark.parametrize("language", ["en", "ru", "uk", "pl"])
def test_every_language_fits_on_every_card(language: str, edition: str, coarse: None) -> None:
    pages = deck_pages(A4, edition, language)
    assert len(pages) == 8
    assert [len(arts(page)) for page in pages] == [9, 9, 9, 9, 3, 0, 0, 0]
    for page in (pages[0], pages[2]):
        for art in arts(page):
            inside = [t for t in texts(page) if art.x < t.x < art.x + art.width and art.y < t.y < art.y + art.height]
            assert inside
            assert all(t.size >= 1.9 for t in inside), "5.4 points or more"
            assert all(t.y > art.y + art.height - 24 for t in inside), "all of it in the header, which stays in sight"


def test_the_first_edition_says_other_things_than_the_revised(coarse: None) -> None:
    first, revised = (" ".join(t.text for t in texts(deck_pages(A4, e, "en")[2])) for e in ("first", "revised"))
    assert "extra turn" in first
    boards = [{t.text for t in texts(deck_pages(A4, e, "ru")[4])} for e in ("first", "revised")]
    assert boards == [{"НЕБО", "ЗЕМЛЯ", "МОРЕ"}, {"ВОЗДУХ", "СУША", "МОРЕ"}]
    assert "extra turn" not in revised


def test_the_commander_cards_carry_the_rules_withdrawal_tables(coarse: None) -> None:
    page = texts(deck_pages(A4, "revised", "en")[6])
    for first_player in (True, False):
        table = [withdraw_points(cards, first_player) for cards in range(7)]
        for cards, points in withdraw_rows(table, "en"):
            low, _, high = cards.replace("+", "–6").partition("–")
            assert {table[n] for n in range(int(low), int(high or low) + 1)} == {points}
            assert any(t.text == cards for t in page)
    assert [t.text for t in page if t.size == 10] == ["6"] * 2 + ["3"] * 6 + ["1"] * 6


def test_the_command_writes_a_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str], coarse: None) -> None:
    out = tmp_path / "deck.pdf"
    words = ["print", "deck", "--language", "pl", "--edition", "first", "--style", "night", "--paper", "letter"]
    assert main([*words, "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(out), "pages": 8, "title": "All Fronts: deck"}
    data = out.read_bytes()
    assert all(size == pytest.approx(PAPERS["letter"], abs=0.05) for size in sizes(data))
    assert b"/BaseFont /Helvetica" not in data
    first = pictures(data, 40)[0]
    assert first.std() > 30, "there is something on it"


def test_a_name_is_chosen_by_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["print", "tags", "--paper", "letter", "--language", "uk"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["tags-letter-uk.pdf"]


@pytest.mark.parametrize(
    "words",
    [
        ["deck", "--edition", "third"], ["deck", "--style", "gold"], ["mat", "--sheets", "9xa5"],
        ["tags", "--out", "/nowhere/at/all.pdf"],
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("allfronts print: ")


def test_an_unknown_edition_is_refused() -> None:
    with pytest.raises(BadInput):
        deck_pages(A4, "third", "en")
