"""`allfronts enrol`: a deck is learnt from four photographs, and a deck that lies there already is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from engine.failure import BadInput
from host.camera_setup.deck_before import save_learnt
from host.cli import main
from tests.learnt_deck import learnt_once
from vision.enrolment.proof import Learnt
from vision.profile import DeckProfile
from vision.simulate import SimulatedCamera


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The words of the command that name the four photographs."""
    folder = tmp_path_factory.mktemp("photographs")
    words = []
    for name, picture in SimulatedCamera("bright", 4).enrolment_photos().items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)
        words += [f"--{name}", str(folder / f"{name}.png")]
    return words


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> DeckProfile:
    """A deck that somebody has learnt before."""
    return learnt_once(tmp_path_factory, "bright-4", SimulatedCamera("bright", 4).enrolment_photos)


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_deck_that_lies_in_the_folder_is_kept_beside_the_newly_learnt_one(
    photographs: list[str], other: DeckProfile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = tmp_path / "deck"
    replace(other, camera_scale=1.0).save(deck)
    (deck / "notes.txt").write_text("of the owner")
    before = files(deck)
    before.pop("notes.txt")
    assert main(["enrol", "--deck", str(deck), *photographs, "--json"]) == 0
    told = capsys.readouterr()
    kept = tmp_path / "deck-old-1"
    assert files(kept) == before
    assert f"kept in {kept}" in told.err
    assert json.loads(told.out)["before"] == str(kept)
    assert DeckProfile.load(deck).camera_scale != 1.0
    assert (deck / "notes.txt").exists()
    # The same photographs once more change nothing, and there is nothing to keep.
    assert main(["enrol", "--deck", str(deck), *photographs, "--json"]) == 0
    told = capsys.readouterr()
    assert (told.err, "before" in json.loads(told.out)) == ("", False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deck", "deck-old-1"]


class Deck:
    """What was learnt of a deck, as far as it is kept."""

    def __init__(self, profile: DeckProfile) -> None:
        self.profile, self.sheet = profile, None


def learnt(profile: DeckProfile) -> Learnt:
    return Deck(profile)  # type: ignore[return-value]


def test_every_deck_that_was_there_is_kept_under_a_number_of_its_own(other: DeckProfile, tmp_path: Path) -> None:
    for scale in (1.0, 2.0, 3.0):
        save_learnt(learnt(replace(other, camera_scale=scale)), tmp_path / "deck")
    scales = {path.name: DeckProfile.load(path).camera_scale for path in tmp_path.iterdir()}
    assert scales == {"deck-old-1": 1.0, "deck-old-2": 2.0, "deck": 3.0}


def test_a_folder_that_is_empty_or_not_there_is_written_as_ever(other: DeckProfile, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new"):
        assert save_learnt(learnt(other), tmp_path / name) is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "new"]


def test_the_folder_one_stands_in_is_kept_beside_itself(
    other: DeckProfile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other.save(tmp_path / "deck")
    monkeypatch.chdir(tmp_path / "deck")
    assert save_learnt(learnt(replace(other, camera_scale=1.0)), ".") == tmp_path / "deck-old-1"


def test_where_the_deck_cannot_be_kept_it_is_not_written_over(
    other: DeckProfile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    other.save(tmp_path / "deck")
    before = files(tmp_path / "deck")
    monkeypatch.setattr("shutil.copy2", full)
    with pytest.raises(BadInput) as refused:
        save_learnt(learnt(replace(other, camera_scale=1.0)), tmp_path / "deck")
    assert refused.value.code == "deck-not-written"
    assert files(tmp_path / "deck") == before
    assert [path.name for path in tmp_path.iterdir()] == ["deck"]


def test_a_folder_that_may_not_be_looked_at_is_refused_in_words(other: DeckProfile) -> None:
    with pytest.raises(BadInput, match="File name too long") as refused:
        save_learnt(learnt(other), "x" * 300)
    assert refused.value.code == "deck-not-written"


def test_a_photograph_that_lies_where_the_deck_is_written_is_not_written_over(
    photographs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # A deck's back is called back.png, as a photograph of backs may well be.
    photograph = tmp_path / "back.png"
    photograph.write_bytes(Path(photographs[-1]).read_bytes())
    before = files(tmp_path)
    assert main(["enrol", "--deck", f"{tmp_path}/.", *photographs[:-1], str(photograph)]) == 2
    refused = capsys.readouterr().err
    assert f"{photograph} lies where the deck would be written." in refused
    assert files(tmp_path) == before
