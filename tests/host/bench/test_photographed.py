"""The bench of decks that were photographed: which are found, every pair is tried, and what is told of likelihoods."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.failure import BadInput
from engine.places import PLACES
from host.bench import photographed as bench
from host.bench.drawn import Drawn, Facts, keep, kept
from host.bench.figure import Wish
from host.bench.photographed import EACH, FIGURES, answered, likelihoods, photographed, room_and_deck, whole_run
from vision.enrolment.enrol import PHOTOS
from vision.simulate import ROOMS

ORDER = ("A", "L", "S")
TRUTH = {**dict.fromkeys(PLACES, ()), ("A", "near"): ("A1",)}


def with_decks(folder: Path, *names: str) -> Path:
    """A folder with photographs of decks so named."""
    for name in names:
        (folder / name).mkdir()
        for photograph in PHOTOS:
            (folder / name / f"enroll-{photograph}.jpg").write_bytes(f"{name} {photograph}".encode())
    return folder


def test_a_folder_without_photographs_of_a_deck_is_refused_with_what_to_put_there(tmp_path: Path) -> None:
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "enroll-air.jpg").write_bytes(b"air")
    with pytest.raises(BadInput) as refused:
        photographed(tmp_path)
    assert refused.value.code == "no-decks"
    assert "enroll-back.jpg" in refused.value.remedy


def test_a_deck_whose_photographs_were_taken_anew_is_learnt_anew(tmp_path: Path) -> None:
    first, other = photographed(with_decks(tmp_path, "clover", "elder"))
    (tmp_path / "clover" / "enroll-sea.jpg").write_bytes(b"another one")
    anew, same = photographed(tmp_path)
    assert (first.name, anew.name, other) == ("clover", "clover", same)
    assert anew.digest != first.digest


@pytest.mark.parametrize("decks", [1, 5, 13, 17])
def test_every_deck_is_read_in_every_room(decks: int) -> None:
    pairs = [room_and_deck(index, decks) for index in range(whole_run(decks))]
    assert len(set(pairs)) == decks * len(ROOMS) == len(pairs) / EACH


def test_a_run_reads_the_decks_that_can_be_learnt_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given three decks of which one is refused,
    folder = tmp_path / "photographs"
    folder.mkdir()
    with_decks(folder, "clover", "elder", "fennel")
    read: list[tuple[int, str]] = []

    def reads(index: int, drawn: Drawn, reader: str, keep: object, always: bool = False) -> dict[str, Any]:
        read.append((index, reader))
        row = {"table": index, "right": True, "sure": True, "cards": 1, "cards_right": 1, "seen": {}}
        return {**row, "facts": {k: getattr(drawn.facts, k) for k in Facts.__slots__}}

    def draws(seed: int, pair: int, decks: Any, profiles: Any) -> list[Drawn]:
        room, deck = room_and_deck(pair * EACH, len(decks))
        facts = Facts(room, decks[deck].name, deck, 3.0, 2.3, 2.0, 99.0, 1.0, 1, 1, 1.0, "day")
        return [Drawn(TRUTH, ORDER, facts, b"")] * EACH  # type: ignore[list-item]

    monkeypatch.setattr(bench, "OUT", tmp_path)
    monkeypatch.setattr(bench, "row_of", reads)
    monkeypatch.setattr(bench, "draw_pair", draws)
    monkeypatch.setattr(bench, "learnt", lambda deck, _: None if deck.name == "elder" else deck.name)
    monkeypatch.setattr("vision.tracking.reader.Reader", lambda profile: profile)
    # when eight tables are read, and then twelve,
    bench.run(Wish(tables=4 * EACH), folder)
    rows = bench.run(Wish(tables=6 * EACH), folder)
    # then each is read once, by the reader of its deck, and those of the refused deck are left out.
    decks = ("clover", "fennel") * 2
    assert read == [
        (EACH * pair + k, deck) for pair, deck in zip((0, 2, 3, 5), decks, strict=True) for k in range(EACH)
    ]
    assert [row["facts"]["look"] for row in rows] == [deck for deck in decks for _ in range(EACH)]


def test_how_many_of_the_cards_that_were_told_to_be_so_likely_are_others() -> None:
    rows = [
        {
            "truth": {"A/near": ["A1", "L2"], "S/far": ["S6"]},
            "seen": {"A/near": [["A1", 0.95], ["L3", 0.94]], "S/far": []},
        },
        {"truth": {"A/near": ["A1"]}, "seen": {"A/near": [["-", 0.6], ["A1", 1.0]]}},
        {"truth": {"A/near": ["A1"]}, "seen": None},
    ]
    told = {measured.part: (measured.value, measured.n) for measured in likelihoods(rows)}
    assert told["wrong at 0.93 to 0.97"] == (1.0, 2)
    assert told["wrong at 0.5 to 0.8"] == (1.0, 1)
    assert told["wrong at 0.99 to 1"] == (0.0, 1)
    assert told["wrong at 0.8 to 0.9"] == (0.0, 0)


def test_without_photographs_nothing_is_measured_and_it_is_told_what_to_give(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert list(FIGURES[0].measured(Wish())) == []
    assert "--pictures DIR" in capsys.readouterr().err


def test_a_deck_whose_photographs_cannot_be_opened_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "OUT", tmp_path)
    folder = tmp_path / "photographs"
    folder.mkdir()
    measured = list(FIGURES[0].measured(Wish(tables=2, pictures=with_decks(folder, "clover"))))
    told = capsys.readouterr().err
    assert "clover is refused (not-a-picture)" in told
    assert "Give a JPEG or PNG photograph" in told
    assert all(figure.value == 0 and figure.n == 0 for figure in measured)


def test_the_photographs_of_a_deck_whose_answer_is_known_are_found(tmp_path: Path) -> None:
    """Those of the enrolment, others of which nobody wrote down what they show, and answers without a photograph are
    none."""
    # Given a deck with two photographs of tables, one of them with its answer,
    with_decks(tmp_path, "clover")
    folder = tmp_path / "clover"
    stacks = {theater: {"near": [], "far": []} for theater in "ALS"}
    answer = {"order": "LSA", "stacks": {**stacks, "A": {"near": ["A1", "-"], "far": ["S6"]}}}
    for name in ("day", "dusk"):
        (folder / f"{name}.jpg").write_bytes(name.encode())
    for name, told in (("day", answer), ("night", answer), ("enroll-air", {"faces": []})):
        (folder / f"{name}.json").write_text(json.dumps(told))
    # then that one is found, with what lies on its table,
    [known] = answered(*photographed(tmp_path))
    assert (known.picture.name, known.order) == ("day.jpg", ("L", "S", "A"))
    assert {place: stack for place, stack in known.truth.items() if stack} == {
        ("A", "near"): ("A1", "-"),
        ("A", "far"): ("S6",),
    }
    # and can be kept like a drawn table.
    keep(tmp_path / "kept", 3, known.as_drawn(deck=0))
    again = kept(tmp_path / "kept", 3)
    assert again == known.as_drawn(deck=0)
    assert (again.file, again.facts.cards, again.facts.highest) == (b"day", 3, 2)
