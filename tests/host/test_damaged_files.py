"""Files that are read back, damaged at random: named, set aside or refused; never a traceback."""

from __future__ import annotations

import json
import os
import random
import shutil
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.failure import BadInput
from engine.names import THEATERS
from host.app.page_server import load_access as load_table_access
from host.club.web.access import load_access as load_club_access
from host.club.wire.accounts import Accounts
from host.settings import Settings, load_settings
from host.setup_wizard.choices import Choices, load_choices, save_choices
from vision.picture_file import open_picture
from vision.profile import BOARD_PX, CARD_PX, FACES, DeckProfile

SETTINGS = b'port = 8421\nlanguage = "pl"\n'


def damages(whole: bytes, seed: int, times: int) -> list[bytes]:
    """The bytes cut, spoilt at one place, overwritten, doubled, and nested without end."""
    draw = random.Random(seed)
    found = [b"", b"[" * 100_000, b'{"a":' * 50_000, b"a = " + b"[" * 20_000, b"null", b"\xff\xfe\x00", b"9" * 5_000]
    while len(found) < times:
        at = draw.randrange(len(whole))
        cut, spoilt = whole[:at], bytes([whole[at] ^ 1 << draw.randrange(8)])
        found += [cut, cut + spoilt + whole[at + 1 :], cut + draw.randbytes(8) + whole[at + 8 :], whole + cut]
    return found


def test_damaged_settings_are_refused_with_the_file_and_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    for damaged in damages(SETTINGS, 1, 300):
        path.write_bytes(damaged)
        try:
            assert isinstance(load_settings(path), Settings)
        except BadInput as refused:
            assert str(path) in refused.message
            assert refused.remedy


@pytest.mark.parametrize(
    ("name", "load"),
    [
        ("keys.json", lambda path: load_table_access(True, path.parent)),
        ("keys.json", lambda path: load_club_access(path, True)),
    ],
)
def test_damaged_keys_are_set_aside_and_said_and_nobody_gets_in_with_what_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, load: Callable[[Path], object]
) -> None:
    path = tmp_path / name
    load(path)
    whole = path.read_bytes()
    capsys.readouterr()
    for damaged in damages(whole, 2, 60):
        path.write_bytes(damaged)
        load(path)
        said = capsys.readouterr().err
        if path.read_bytes() != damaged:
            assert f"{path} is damaged" in said
            aside = next(tmp_path.glob("keys.json.damaged-*"))
            assert aside.read_bytes() == damaged
            aside.unlink()


def test_damaged_choices_are_set_aside_and_asked_for_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "setup.json"
    save_choices(Choices(), path)
    for damaged in damages(path.read_bytes(), 3, 150):
        path.write_bytes(damaged)
        assert isinstance(load_choices(path), Choices)
    assert f"{path} is damaged" in capsys.readouterr().err


def _altered(value: object) -> Iterator[object]:
    """Every value that differs in one place and is JSON of the same shape still."""
    match value:
        case dict():
            for key, inside in value.items():
                yield {**value, f"{key}x": inside}
                yield {k: v for k, v in value.items() if k != key}
                yield from ({**value, key: other} for other in _altered(inside))
        case list():
            yield value[::-1] if value[::-1] != value else [*value, 1]
        case bool():
            yield not value
        case str():
            yield value[1:] + value[:1] if value[1:] + value[:1] != value else value + "a"
        case int() | float():
            yield value + 1
        case None:
            yield "x"


KEPT: dict[str, Callable[[Path], object]] = {
    "keys.json": lambda path: load_table_access(True, path.parent),
    "access.json": lambda path: load_club_access(path, True),
    "setup.json": load_choices,
}


@pytest.mark.parametrize("name", KEPT)
def test_what_was_altered_and_is_json_still_is_named_and_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / name
    if name == "setup.json":
        save_choices(Choices(camera="0", names={"near": "Ada", "far": "Bo"}), path)
    KEPT[name](path)
    whole = json.loads(path.read_text("utf-8"))
    capsys.readouterr()
    count = 0
    for altered in _altered(whole):
        path.write_text(json.dumps(altered))
        KEPT[name](path)
        assert f"{path} is damaged" in capsys.readouterr().err, altered
        count += 1
    assert count > 10


def test_altered_accounts_of_a_club_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    Accounts(path).make(["t1", "t2"])
    for altered in _altered(json.loads(path.read_text("utf-8"))):
        path.write_text(json.dumps(altered))
        with pytest.raises(BadInput, match=r"accounts\.json"):
            Accounts(path)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    noise = np.random.default_rng(5)
    faces = {face: noise.integers(0, 255, (CARD_PX[1], CARD_PX[0], 3)).astype(np.uint8) for face in FACES}
    boards = {t: np.full((BOARD_PX[1], BOARD_PX[0], 3), 80, np.uint8) for t in THEATERS}
    folder = tmp_path_factory.mktemp("deck")
    DeckProfile(faces, boards).save(folder)
    return folder


@pytest.mark.parametrize("name", ["profile.json", "A1.png", f"board-{THEATERS[0]}.png"])
def test_a_damaged_deck_is_read_or_refused_by_the_name_of_its_file(deck: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "deck"
    shutil.copytree(deck, folder)
    for damaged in damages((deck / name).read_bytes(), 4, 30):
        (folder / name).write_bytes(damaged)
        try:
            DeckProfile.load(folder)
        except BadInput as refused:
            assert name in refused.message


def test_a_deck_whose_record_was_altered_is_refused(deck: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deck"
    shutil.copytree(deck, folder)
    record = json.loads((folder / "profile.json").read_text("utf-8"))
    for altered in _altered(record):
        # Without any digests it is a deck that was drawn by hand.
        if isinstance(altered, dict) and set(altered) == set(record) - {"checksum"}:
            continue
        (folder / "profile.json").write_text(json.dumps(altered))
        with pytest.raises(BadInput, match=r"profile\.json"):
            DeckProfile.load(folder)


def test_two_faces_that_were_swapped_are_noticed(deck: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deck"
    shutil.copytree(deck, folder)
    shutil.copyfile(deck / "A1.png", folder / "S6.png")
    shutil.copyfile(deck / "S6.png", folder / "A1.png")
    with pytest.raises(BadInput, match=r"A1\.png is not the picture that was learnt"):
        DeckProfile.load(folder)


def test_a_face_of_another_deck_is_noticed(deck: Path, tmp_path: Path) -> None:
    own, other = DeckProfile.load(deck), tmp_path / "other"
    DeckProfile({**own.faces, "L3": own.faces["A2"]}, own.boards).save(other)
    shutil.copytree(deck, tmp_path / "deck")
    shutil.copyfile(other / "L3.png", tmp_path / "deck" / "L3.png")
    with pytest.raises(BadInput, match=r"L3\.png is not the picture that was learnt"):
        DeckProfile.load(tmp_path / "deck")


def test_a_deck_drawn_by_hand_needs_no_digests(deck: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deck"
    shutil.copytree(deck, folder)
    (folder / "profile.json").write_text('{"format": "allfronts-deck", "version": 1}')
    own = DeckProfile.load(deck).faces["S6"]
    assert cv2.imwrite(str(folder / "A1.png"), own[::-1])
    assert DeckProfile.load(folder).likelihoods is None


def test_a_deck_drawn_by_hand_with_one_picture_for_two_faces_is_refused(deck: Path, tmp_path: Path) -> None:
    """Such as one of which only some faces are drawn yet, and the others are white."""
    folder = tmp_path / "deck"
    shutil.copytree(deck, folder)
    (folder / "profile.json").write_text('{"format": "allfronts-deck", "version": 1}')
    white = np.full((CARD_PX[1], CARD_PX[0], 3), 255, np.uint8)
    for face in ("L2", "S4"):
        assert cv2.imwrite(str(folder / f"{face}.png"), white)
    with pytest.raises(BadInput, match=r"L2\.png and S4\.png are the same picture"):
        DeckProfile.load(folder)


def _png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def _huge(path: Path) -> None:
    path.write_bytes(_png_header(30_000, 30_000))


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _long(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 32)


@pytest.mark.parametrize("hostile", [_huge, _pipe, _endless, _loop, _long])
def test_a_hostile_face_is_refused_before_it_is_unpacked(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hostile: Callable[[Path], None]
) -> None:
    folder = tmp_path / "deck"
    shutil.copytree(deck, folder)
    (folder / "A1.png").unlink()
    hostile(folder / "A1.png")
    decode = cv2.imdecode

    def watched(data: np.ndarray, how: int) -> np.ndarray | None:
        assert data.tobytes() != _png_header(30_000, 30_000), "decoded before its size was checked"
        return decode(data, how)

    monkeypatch.setattr(cv2, "imdecode", watched)
    with pytest.raises(BadInput, match=r"A1\.png"):
        DeckProfile.load(folder)


def test_a_picture_of_another_format_that_claims_too_many_pixels_is_refused(tmp_path: Path) -> None:
    # A bitmap whose header says 20,000 x 20,000, in a file of some bytes.
    header = struct.pack("<IiiHHIIiiII", 40, 20_000, 20_000, 1, 24, 0, 0, 0, 0, 0, 0)
    (tmp_path / "huge.bmp").write_bytes(b"BM" + struct.pack("<IHHI", 54 + 1000, 0, 0, 54) + header + b"\0" * 1000)
    with pytest.raises(BadInput):
        open_picture(tmp_path / "huge.bmp")
