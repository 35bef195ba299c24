"""A war that is gone on with finds the table as it looked where nothing lay; another war does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from host.app.kept_empty_table import FILE, KeptEmptyTable
from vision.cards.empty_table import SHAPE, EmptyTable

TABLE = EmptyTable(np.full((*SHAPE, 3), 0.5, np.float32), np.zeros((*SHAPE, 3), np.bool_), np.ones(SHAPE, np.bool_))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "games" / "games.db"


def test_a_war_that_is_gone_on_with_finds_its_table(log: Path) -> None:
    KeptEmptyTable(log).keep(TABLE)
    found = KeptEmptyTable(log).read(resumed=True)
    assert found is not None and np.allclose(found.tones, 0.5, atol=1e-4) and found.known.all()
    assert (log.parent / FILE).stat().st_mode & 0o077 == 0


def test_where_none_was_learnt_there_is_none(log: Path) -> None:
    assert KeptEmptyTable(log).read(resumed=True) is None


def test_another_war_may_be_on_another_mat(log: Path) -> None:
    KeptEmptyTable(log).keep(TABLE)
    assert KeptEmptyTable(log).read(resumed=False) is None
    assert KeptEmptyTable(log).read(resumed=True) is None


def test_a_damaged_file_is_set_aside_and_the_game_goes_on(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    KeptEmptyTable(log).keep(TABLE)
    path = log.parent / FILE
    path.write_bytes(path.read_bytes()[:1000])
    assert KeptEmptyTable(log).read(resumed=True) is None
    said = capsys.readouterr().err
    assert "is damaged" in said and "Say on the page where no card lies" in said
    assert not path.exists() and len(list(log.parent.glob(f"{FILE}.damaged-*"))) == 1


def test_where_it_cannot_be_kept_the_game_goes_on_and_it_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "games").write_text("no folder")
    kept = KeptEmptyTable(tmp_path / "games" / "games.db")
    kept.keep(TABLE)
    kept.keep(TABLE)
    assert capsys.readouterr().err.count("is not kept") == 1
