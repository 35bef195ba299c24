"""Still pictures beside the games: found again by their entry, bounded, readable by their owner alone."""

from __future__ import annotations

import os
from pathlib import Path

from host.session.picture_store import PictureStore

WAR, OTHER = "0a1b2c", "ffff00"


def test_a_picture_is_found_again_by_its_entry(tmp_path: Path) -> None:
    store = PictureStore(tmp_path / "pictures", 1000)
    store.keep(WAR, 12, b"twelve")
    store.keep(WAR, 3, b"three")
    store.keep(WAR, 3, b"never written over")
    assert store.entries(WAR) == (3, 12)
    assert store.read(WAR, 3) == b"three"
    assert store.read(WAR, 4) is None
    assert (tmp_path / "pictures" / WAR / "3.jpg").stat().st_mode & 0o777 == 0o600


def test_the_oldest_pictures_go_where_the_room_is_used_up(tmp_path: Path) -> None:
    store = PictureStore(tmp_path, 1000)
    for number in range(9):
        war = OTHER if number < 3 else WAR
        store.keep(war, number, bytes(100))
        os.utime(tmp_path / war / f"{number}.jpg", (number, number))
    store.keep(WAR, 9, bytes(150))
    assert store.entries(OTHER) == (2,)
    assert store.entries(WAR) == (3, 4, 5, 6, 7, 8, 9)
    # What another program left there is counted too.
    again = PictureStore(tmp_path, 800)
    again.keep(WAR, 10, bytes(50))
    assert again.entries(OTHER) == ()
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*.jpg")) <= 800


def test_nothing_is_kept_without_room_or_outside_the_folder(tmp_path: Path) -> None:
    PictureStore(tmp_path / "none", 0).keep(WAR, 1, b"x")
    assert not (tmp_path / "none").exists()
    store = PictureStore(tmp_path / "pictures", 100)
    store.keep("../up", 1, b"x")
    assert store.read("..", 1) is None
    assert store.entries("../..") == ()
    store.delete("..")
    assert tmp_path.exists()
