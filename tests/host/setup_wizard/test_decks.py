"""The library of learnt decks: every deck has its folder, its name and its date, and none replaces another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.names import THEATERS
from host.setup_wizard.decks import DeckLibrary
from vision.profile import BOARD_PX, CARD_PX, FACES, DeckProfile


@pytest.fixture(scope="module")
def profile() -> DeckProfile:
    faces = {face: np.full((CARD_PX[1], CARD_PX[0], 3), number, np.uint8) for number, face in enumerate(FACES)}
    board = np.zeros((BOARD_PX[1], BOARD_PX[0], 3), np.uint8)
    return DeckProfile(faces, dict.fromkeys(THEATERS, board))


def test_two_decks_of_one_name_lie_beside_each_other(tmp_path: Path, profile: DeckProfile) -> None:
    times = iter((100.0, 200.0))
    library = DeckLibrary(tmp_path / "decks", (), lambda: next(times))
    first, second = library.keep(profile, "Anna's"), library.keep(profile, "Anna's")
    assert first.folder != second.folder
    assert [(deck.name, deck.learnt) for deck in library.decks()] == [("Anna's", 200.0), ("Anna's", 100.0)]
    assert set(DeckProfile.load(first.folder).faces) == set(FACES)


def test_a_name_in_any_script_makes_a_folder(tmp_path: Path, profile: DeckProfile) -> None:
    library = DeckLibrary(tmp_path, (), lambda: 1.0)
    for name in ("Колода Бориса", "../../etc", "", "Żółw"):
        deck = library.keep(profile, name)
        assert deck.folder.parent == tmp_path
        assert library.deck(deck.id) == deck


def test_decks_learnt_in_the_terminal_are_found_too(tmp_path: Path, profile: DeckProfile) -> None:
    profile.save(tmp_path / "here" / "my-deck")
    (tmp_path / "here" / "no-deck").mkdir()
    library = DeckLibrary(tmp_path / "decks", (tmp_path / "here",), lambda: 1.0)
    assert [deck.name for deck in library.decks()] == ["my-deck"]
    assert library.deck(str(tmp_path / "here" / "no-deck")) is None
    assert library.deck(None) is None


def test_a_folder_of_somebody_else_hides_no_deck(
    tmp_path: Path, profile: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_file = Path.is_file

    def is_allowed(path: Path) -> bool:
        if "a-locked" in path.parts:
            raise PermissionError(13, "Permission denied")
        return is_file(path)

    profile.save(tmp_path / "a-locked")
    profile.save(tmp_path / "my-deck")
    monkeypatch.setattr(Path, "is_file", is_allowed)
    library = DeckLibrary(tmp_path / "decks", (tmp_path,), lambda: 1.0)
    assert [deck.name for deck in library.decks()] == ["my-deck"]
