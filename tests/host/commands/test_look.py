"""The commands enrol and look, as other tools call them (docs/contracts.md), and the pictures that they refuse."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.failure import BadInput
from engine.lexicon import LANGUAGES
from engine.names import THEATERS
from engine.places import PLACES, Place
from engine.sight import Note, SeenCard, Sight
from host.cli import main
from host.commands.look import as_text
from host.messages import card
from vision.enrolment.rehearsal import deck_as_learnt
from vision.geometry.registration import register
from vision.picture_file import open_picture
from vision.profile import DeckProfile
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera


@pytest.fixture(scope="module")
def enrolled(dunes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deck")
    pictures = [x for n in ("air", "land", "sea", "back") for x in (f"--{n}", str(dunes / f"enroll-{n}.jpg"))]
    assert main(["enrol", "--deck", str(folder), *pictures]) == 0
    return folder


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_enrol_leaves_a_profile_that_loads(enrolled: Path) -> None:
    assert len(DeckProfile.load(enrolled).faces) == 19


def test_look_prints_one_object_for_each_image(enrolled: Path, dunes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(dunes / "day-1.jpg"), str(dunes / "tilt-0.jpg")]
    assert main(["look", "--json", "--deck", str(enrolled), *names]) == 0
    rows = lines(capsys.readouterr().out)
    assert [row["image"] for row in rows] == names
    for row, name in zip(rows, names, strict=True):
        truth = json.loads(Path(name).with_suffix(".json").read_text())
        assert (row["order"], row["stacks"]) == (truth["order"], truth["stacks"])
        assert set(row["stacks"]) == set(THEATERS)  # type: ignore[call-overload]
        assert isinstance(row["ms"], float) and isinstance(row["doubts"], list)


def test_a_picture_without_cards_tells_how_a_printed_mat_looks(
    enrolled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Given a mat with shapes as large as cards, of which places without cards are in doubt,
    deck = deck_as_learnt(DeckProfile.load(enrolled))
    camera = SimulatedCamera("bright", 25, condition=replace(CONDITIONS["day"], pattern="map"), deck=deck)
    lies = {**EMPTY, ("S", "near"): ("-", "S5"), ("A", "near"): ("A1",)}
    for name, table in (("empty", EMPTY), ("laid", lies)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), camera.still(table, ("S", "A", "L")))
    empty, laid = str(tmp_path / "empty.png"), str(tmp_path / "laid.png")
    command = ["look", "--deck", str(enrolled)]
    assert main([*command, laid]) == 0
    assert "--empty PICTURE" in capsys.readouterr().out
    # when it is shown with no card on it, then it is read for certain.
    assert main([*command, "--json", "--empty", empty, laid]) == 0
    (row,) = lines(capsys.readouterr().out)
    assert row["sure"] and "notes" not in row
    assert row["stacks"]["S"]["near"] == ["-", "S5"]  # type: ignore[index]
    # A picture with cards, or without a table, is none of an empty one.
    assert main([*command, "--empty", laid, laid]) == 2
    assert "no card on it" in capsys.readouterr().err
    cv2.imwrite(empty, np.full((720, 1280, 3), 90, np.uint8))
    assert main([*command, "--empty", empty, laid]) == 2
    assert "No table is seen" in capsys.readouterr().err


def test_one_bad_image_does_not_keep_the_others_from_being_read(
    enrolled: Path, dunes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter.jpg").write_text("not a picture")
    bad = [str(tmp_path / "letter.jpg"), str(tmp_path / "absent.jpg")]
    assert main(["look", "--json", "--deck", str(enrolled), *bad, str(dunes / "day-1.jpg")]) == 1
    rows = lines(capsys.readouterr().out)
    assert [row["error"]["code"] for row in rows[:2]] == ["no-table", "no-table"]  # type: ignore[index]
    assert "stacks" in rows[2]


def test_look_draws_what_it_saw_beside_the_photographs_and_touches_none(
    enrolled: Path, dunes: Path, tmp_path: Path
) -> None:
    names = [tmp_path / "a.jpg", tmp_path / "b.jpg"]
    for name in names:
        name.write_bytes((dunes / "day-1.jpg").read_bytes())
    before = [name.read_bytes() for name in names]
    assert main(["look", "--deck", str(enrolled), "--show", *map(str, names)]) == 0
    assert [name.read_bytes() for name in names] == before
    assert cv2.imread(str(tmp_path / "a-seen.png")).shape == (1080, 1920, 3)
    assert (tmp_path / "b-seen.png").exists()


def test_look_draws_into_a_file_of_its_own_and_over_nothing(
    enrolled: Path, dunes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown, image = tmp_path / "seen.png", str(dunes / "day-1.jpg")
    assert main(["look", "--deck", str(enrolled), "--out", str(shown), image]) == 0
    assert cv2.imread(str(shown)).shape == (1080, 1920, 3)
    written = shown.read_bytes()
    assert main(["look", "--deck", str(enrolled), "--out", str(shown), image]) == 2
    assert main(["look", "--deck", str(enrolled), "--out", str(tmp_path / "two.png"), image, image]) == 2
    assert shown.read_bytes() == written
    assert "nothing is written over" in capsys.readouterr().err


def test_look_says_what_it_saw_in_the_readers_language() -> None:
    stacks: dict[Place, tuple[SeenCard, ...]] = dict.fromkeys(PLACES, ())
    stacks[("A", "near")] = (SeenCard("A6", 1.0), SeenCard("-", 0.6, (("A2", 0.4),)))
    notes = (Note("doubtful", "A/near/1"), Note("board-missing", "L"), Note("foreign", "S/far"), Note("doubtful"))
    sight = Sight(("A", "L", "S"), stacks, False, notes)
    english = as_text("t.jpg", sight)
    assert english.splitlines() == [
        "t.jpg: Boards: Air, Land, Sea. Not certain: do not rely on it.",
        "  Air, Near: Heavy Bombers 6, Face down (?)",
        "  Not certain: Air, Near, card 2",
        "  No board is seen of: Land",
        "  Something that is not read as a card of this deck: Sea, Far",
        "  The picture as a whole is not certain.",
    ]
    for language in LANGUAGES:
        assert len(as_text("t.jpg", sight, language).splitlines()) == 6
    assert "Воздух, Ближний: Тяжёлые бомбардировщики 6, Рубашкой вверх (?)" in as_text("t.jpg", sight, "ru")


@pytest.mark.parametrize("language", LANGUAGES)
def test_look_says_which_of_the_cards_with_one_name_it_saw(language: str) -> None:
    stacks: dict[Place, tuple[SeenCard, ...]] = dict.fromkeys(PLACES, ())
    stacks[("L", "far")] = (SeenCard("S3", 1.0), SeenCard("L3", 1.0), SeenCard("A3", 0.6))
    said = as_text("t.jpg", Sight(("A", "L", "S"), stacks, True, ()), language)
    assert all(card(language, face) in said for face in ("S3", "L3", "A3"))
    if language == "en":
        assert "  Land, Far: Maneuver (Sea 3), Maneuver (Land 3), Maneuver (Air 3) (?)" in said


def test_look_says_and_circles_what_is_in_the_way(
    enrolled: Path, dunes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from vision.geometry.registration import register

    picture = cv2.imread(str(dunes / "day-1.jpg"))
    found = register(picture)
    assert found is not None
    cup = np.round(found.project(np.array([(-185.0, -272.0)]))[0]).astype(int).tolist()
    cv2.circle(picture, cup, 70, (70, 80, 150), cv2.FILLED)
    cv2.imwrite(str(tmp_path / "cup.png"), picture)
    assert main(["look", "--deck", str(enrolled), "--show", str(tmp_path / "cup.png")]) == 0
    assert "The near left corner tag is covered. Take away what lies on it." in capsys.readouterr().out
    seen = cv2.imread(str(tmp_path / "cup-seen.png"))
    near = seen[cup[1] - 90 : cup[1] + 90, cup[0] - 90 : cup[0] + 90]
    assert np.count_nonzero((near == (60, 60, 240)).all(axis=2)) > 100


def test_a_deck_that_is_not_there_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["look", "--deck", str(tmp_path / "none"), "x.jpg"]) == 2
    assert "enrol" in capsys.readouterr().err


def test_enrol_without_a_table_says_which_picture(
    tmp_path: Path, dunes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), np.full((720, 1280), 120, np.uint8))
    good = str(dunes / "enroll-air.jpg")
    arguments = ["--air", str(grey), "--land", good, "--sea", good, "--back", good]
    assert main(["enrol", "--deck", str(tmp_path / "deck"), *arguments]) == 2
    assert "air" in capsys.readouterr().err
    assert not (tmp_path / "deck").exists()


def test_enrol_tells_programs_which_photograph_will_not_do(
    tmp_path: Path, dunes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Given the photograph of the air cards, over one of which something white lies
    air = open_picture(dunes / "enroll-air.jpg").copy()
    found = register(air)
    assert found is not None
    spot = found.project(np.array([[130.5, -62.0]]))[0].astype(int)
    cv2.circle(air, (int(spot[0]), int(spot[1])), 60, (255, 255, 255), -1)
    cv2.imwrite(str(tmp_path / "air.png"), air)
    good = [x for n in ("land", "sea", "back") for x in (f"--{n}", str(dunes / f"enroll-{n}.jpg"))]
    # When a program learns the deck
    assert main(["enrol", "--json", "--deck", str(tmp_path / "d"), "--air", str(tmp_path / "air.png"), *good]) == 2
    # Then it gets one object with the photograph and the place, and a person the same sentence
    told = capsys.readouterr()
    error = json.loads(told.out)["error"]
    assert (error["code"], error["photograph"], error["at"]) == ("glare", "air", "right/near")
    assert error["message"] in told.err and error["remedy"] in told.err


def test_enrol_tells_programs_that_a_file_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = [x for n in ("air", "land", "sea", "back") for x in (f"--{n}", str(tmp_path / "none.jpg"))]
    assert main(["enrol", "--json", "--deck", str(tmp_path / "d"), *missing]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "no-file" and "photograph" not in error


def test_sixteen_bits_and_grey_become_ordinary_pictures(tmp_path: Path) -> None:
    deep = tmp_path / "deep.png"
    cv2.imwrite(str(deep), np.full((400, 500), 40000, np.uint16))
    picture = open_picture(deep)
    assert picture.dtype == np.uint8 and picture.shape == (400, 500, 3) and int(picture[0, 0, 0]) == 40000 >> 8


@pytest.mark.parametrize(
    ("name", "code"),
    [("none.jpg", "no-file"), ("empty.jpg", "empty-file"), ("text.jpg", "not-a-picture"), ("cut.jpg", "cut-short"),
     ("cut.png", "cut-short"), ("tiny.png", "too-small"), ("huge.png", "too-large"), (".", "no-file")],
)  # fmt: skip
def test_a_file_that_is_no_picture_is_refused_by_its_reason(tmp_path: Path, dunes: Path, name: str, code: str) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.jpg").write_text("no picture at all")
    (tmp_path / "cut.jpg").write_bytes((dunes / "day-1.jpg").read_bytes()[:60_000])
    ok, data = cv2.imencode(".png", np.zeros((400, 500, 3), np.uint8))
    assert ok
    (tmp_path / "cut.png").write_bytes(bytes(data)[:-30])
    cv2.imwrite(str(tmp_path / "tiny.png"), np.zeros((20, 20, 3), np.uint8))
    # A header that promises 60000 x 60000 pixels must be refused before anything is unpacked.
    (tmp_path / "huge.png").write_bytes(bytes(data)[:16] + (60000).to_bytes(4, "big") * 2 + bytes(data)[24:])
    with pytest.raises(BadInput) as caught:
        open_picture(tmp_path / name)
    assert caught.value.code == code


def exif_turned(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with a note that it wants turning, as phones write it."""
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + bytes([orientation]) + b"\0\0\0\0\0\0\0"
    note = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + (len(note) + 2).to_bytes(2, "big") + note + jpeg[2:]


@pytest.mark.parametrize("kind", ["grey.jpg", "alpha.png", "deep.png", "deep-grey.png", "plain.webp", "plain.tiff"])
def test_whatever_a_camera_writes_becomes_an_ordinary_picture(tmp_path: Path, kind: str) -> None:
    colour = np.full((400, 500, 3), (40, 90, 200), np.uint8)
    made = {
        "grey.jpg": colour[:, :, 1],
        "alpha.png": np.dstack([colour, np.full((400, 500), 9, np.uint8)]),
        "deep.png": colour.astype(np.uint16) * 257,
        "deep-grey.png": colour[:, :, 1].astype(np.uint16) * 257,
    }.get(kind, colour)
    path = tmp_path / kind
    assert cv2.imwrite(str(path), made)
    picture = open_picture(path)
    assert picture.dtype == np.uint8 and picture.shape == (400, 500, 3)
    want = (90, 90, 90) if "grey" in kind else (40, 90, 200)
    assert np.abs(picture[200, 250].astype(int) - want).max() < 6


def test_a_print_shops_four_inks_and_a_palette_are_read_as_the_colours_they_mean(tmp_path: Path, dunes: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    photograph = pillow.open(dunes / "day-1.jpg")
    photograph.convert("CMYK").save(tmp_path / "inks.jpg", quality=95)
    photograph.convert("P").save(tmp_path / "palette.png")
    plain = open_picture(dunes / "day-1.jpg").astype(int)
    for name, off in (("inks.jpg", 6), ("palette.png", 25)):
        assert np.abs(open_picture(tmp_path / name) - plain).mean() < off


def test_a_photograph_that_wants_turning_is_read_as_it_lies(
    enrolled: Path, dunes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    upright = open_picture(dunes / "day-1.jpg")
    ok, data = cv2.imencode(".jpg", np.ascontiguousarray(np.rot90(upright)), [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert ok
    (tmp_path / "phone.jpg").write_bytes(exif_turned(bytes(data), 6))
    assert main(["look", "--json", "--deck", str(enrolled), str(tmp_path / "phone.jpg")]) == 0
    truth = json.loads((dunes / "day-1.json").read_text())
    assert lines(capsys.readouterr().out)[0]["stacks"] == truth["stacks"]


@pytest.mark.parametrize("name", ["bomb.bmp", "cut.webp", "cut.tiff", "floats.tiff", "wide.png"])
def test_odd_files_are_refused_with_a_remedy_and_at_once(tmp_path: Path, name: str) -> None:
    colour = np.full((400, 500, 3), 90, np.uint8)
    whole = {ending: bytes(cv2.imencode(ending, colour)[1]) for ending in (".bmp", ".webp", ".tiff")}
    # A header that promises four thousand million pixels.
    bomb = whole[".bmp"][:18] + (60000).to_bytes(4, "little") * 2 + whole[".bmp"][26:]
    content = {"bomb.bmp": bomb, "cut.webp": whole[".webp"][:-20], "cut.tiff": whole[".tiff"][:3000]}.get(name)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    elif name == "floats.tiff":
        cv2.imwrite(str(tmp_path / name), np.zeros((400, 500), np.float32))
    else:
        cv2.imwrite(str(tmp_path / name), np.zeros((100, 8000, 3), np.uint8))
    with pytest.raises(BadInput) as caught:
        open_picture(tmp_path / name)
    assert caught.value.remedy


def test_a_damaged_photograph_is_read_or_refused_but_never_breaks_the_program(tmp_path: Path, dunes: Path) -> None:
    data = (dunes / "day-1.jpg").read_bytes()
    rng = np.random.default_rng(4)
    for _ in range(40):
        spoilt = bytearray(data)
        for at in rng.integers(0, len(data), 12).tolist():
            spoilt[at] = int(rng.integers(256))
        begin = int(rng.integers(len(data)))
        del spoilt[begin : begin + int(rng.integers(5000))]
        (tmp_path / "spoilt.jpg").write_bytes(bytes(spoilt))
        try:
            assert open_picture(tmp_path / "spoilt.jpg").ndim == 3
        except BadInput as refused:
            assert refused.remedy


@pytest.mark.needs_shared
def test_the_other_deck_is_learnt_and_read_too(shared: Path) -> None:
    from vision.enrolment.enrol import PHOTOS, enrol
    from vision.tracking.reader import Reader

    folder = shared / "pictures" / "tundra"
    reader = Reader(enrol(*[cv2.imread(str(folder / f"enroll-{n}.jpg")) for n in PHOTOS]))
    for name in ("day-0", "lamp-2", "nomat-0", "hd720-0"):
        truth = json.loads((folder / f"{name}.json").read_text())
        sight = reader.read(cv2.imread(str(folder / f"{name}.jpg"))).sight
        read = {t: {s: list(sight.board[t, s]) for s in ("near", "far")} for t in THEATERS}
        assert (read == truth["stacks"] and "".join(sight.order or ()) == truth["order"]) or not sight.sure, name
