"""The notation for wars: nothing is lost, and every complaint says where."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BadInput, Move, State, War, legal_moves, start
from engine.records import notation
from engine.records.json_codec import battle_from_json
from engine.records.notation import read, write
from engine.records.notation_format import (
    BattleRecord,
    Comment,
    Correction,
    Header,
    NotationError,
    NotationLine,
    WarRecord,
)
from engine.records.replay import IllegalStep, ResultDiffers, WarStep, record_of, replay_war

GAMES = sorted((Path(__file__).parents[1] / "golden").glob("*.war"))
EXAMPLE = """All Fronts war 1
Edition: revised
Near: Anna # with a hash
Far: Борис
Date: 2026-11-21
Target: 12
Result: near 12-2
# A comment among the headers

Battle 1
Order: SAL
First: far
# and one in the battle's
Result: far 2 withdrew

far deploy L6 L
near improvise ? A  # we did not see it
# Boris thinks.
far deploy L2 L
far flip near A = S6
near withdraw

Battle 2

near deploy A6 A
undo 1
score 0-4
concede far
"""


def test_an_example_is_read_as_it_is_meant() -> None:
    record = read(EXAMPLE)
    assert (record.edition, record.target, record.beginner) == ("revised", 12, False)
    assert record.header("near") == "Anna # with a hash"
    one, two = record.battles
    assert (one.order, one.first, one.result) == (("S", "A", "L"), "far", ("far", 2, "withdrew"))
    assert one.entries[1].note == "we did not see it"
    assert one.entries[2] == NotationLine(Comment("Boris thinks."))
    assert (two.order, two.first) == (None, None)
    assert [e.what for e in two.entries][1:] == [
        Correction("undo", times=1),
        Correction("score", score=(0, 4)),
        Correction("concede", seat="far"),
    ]


def test_an_example_is_written_as_it_was() -> None:
    assert write(read(EXAMPLE)) == EXAMPLE


def test_an_example_is_played() -> None:
    turns = [t for t in replay_war(read(EXAMPLE)) if isinstance(t, WarStep)]
    first = [t for t in turns if t.battle == 0]
    assert first[-1].war.state.result == ("far", 2, "withdrew")
    war = turns[-1].war
    assert (war.state.order, war.opening.first) == (("L", "S", "A"), "near")
    assert war.score == {"near": 2, "far": 4}


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_every_golden_game_is_in_the_form_that_is_written(path: Path) -> None:
    text = path.read_text("utf-8")
    assert write(read(text)) == text


def test_every_known_battle_survives_the_notation(known_battles: list[dict[str, Any]]) -> None:
    count = 0
    for row in known_battles:
        if row["expect"]["error_at"] is not None:
            continue
        battle = battle_from_json(row["input"])
        record = WarRecord((Header("Edition", battle.edition),), (notation.battle_record(battle),))
        assert read(write(record)) == record
        again = record.battles[0]
        assert (again.order, again.first) == (battle.order, battle.first)
        assert {s: set(c) for s, c in (again.hands or {}).items()} == {
            s: set(c) for s, c in (battle.hands or {}).items()
        }
        assert again.deck == battle.deck
        count += 1
    assert count > 80


def test_case_and_blanks_do_not_matter_to_a_typist() -> None:
    text = "\ufeff\n all fronts WAR 1\nedition: First\n\nBATTLE 1\n\n\norder: sal\nfirst: F\n\n f  Deploy   l6 L# so\n"
    record = read(text.replace("\n", "\r\n"))
    assert record.edition == "first"
    assert record.battles[0].order == ("S", "A", "L")
    assert record.battles[0].first == "far"
    assert record.battles[0].entries == (
        NotationLine(read("All Fronts war 1\nBattle 1\n\nfar deploy L6 L").battles[0].entries[0].what, "so"),
    )


@pytest.mark.parametrize("equals", ["=L2", "= L2", " =L2", " = L2"])
def test_what_came_to_light_needs_no_blanks_round_its_sign(equals: str) -> None:
    record = read(f"All Fronts war 1\nBattle 1\n\nnear flip far A{equals}\nnear reinforce A{equals}  # a=b")
    written = [notation.write_move(e.what) for e in record.battles[0].entries if isinstance(e.what, Move)]
    assert written == ["near flip far A = L2", "near reinforce A = L2"]
    assert record.battles[0].entries[1].note == "a=b"


def test_a_battle_without_headers_begins_at_once() -> None:
    record = read("All Fronts war 1\nBattle 1\nnear withdraw\nBattle 2\n\n# hm\nfar withdraw\n")
    assert [len(b.entries) for b in record.battles] == [1, 2]


COMPLAINTS = [
    ("", 1, 1, "no-title"),
    ("hello", 1, 1, "no-title"),
    ("All Fronts war 1\nEdition: second", 2, 10, "unknown-edition"),
    ("All Fronts war 1\nTarget: many", 2, 9, "bad-target"),
    ("All Fronts war 1\nBeginner: perhaps", 2, 11, "bad-header"),
    ("All Fronts war 1\nNear: A\nnear: B", 3, 1, "header-twice"),
    ("All Fronts war 1\n  nonsense", 2, 3, "not-a-header"),
    ("All Fronts war 1\nnear deploy A6 A", 2, 1, "not-a-header"),
    ("All Fronts war 1\nBattle 1\n\nnear flip far A=", 4, 17, "unfinished-line"),
    ("All Fronts war 1\nBattle 1\n\nnear flip far A=L7", 4, 17, "unknown-card"),
    ("All Fronts war 1\nBattle 1\n\nnear flip far A==L2", 4, 17, "unknown-card"),
    ("All Fronts war 1\nNear:", 2, 6, "empty-header"),
    ("All Fronts war 1\nBattle 2", 2, 8, "battle-number"),
    ("All Fronts war 1\nBattle", 2, 7, "unfinished-line"),
    ("All Fronts war 1\nBattle 1\nOrder: AAL", 3, 8, "unknown-order"),
    ("All Fronts war 1\nBattle 1\nFirst: left", 3, 8, "unknown-seat"),
    ("All Fronts war 1\nBattle 1\nDeck: A1 B7", 3, 10, "unknown-card"),
    ("All Fronts war 1\nBattle 1\nDeck: A1 A2 A3 A4 A5 A6", 2, 1, "half-a-deal"),
    ("All Fronts war 1\nBattle 1\nResult: near won", 3, 9, "bad-result"),
    ("All Fronts war 1\nBattle 1\n\nleft deploy A6 A", 4, 1, "unknown-seat"),
    ("All Fronts war 1\nBattle 1\n\nnear throw A6 A", 4, 6, "unknown-deed"),
    ("All Fronts war 1\nBattle 1\n\nnear deploy A7 A", 4, 13, "unknown-card"),
    ("All Fronts war 1\nBattle 1\n\nnear deploy ? A", 4, 13, "unknown-card"),
    ("All Fronts war 1\nBattle 1\n\nnear deploy A6", 4, 15, "unfinished-line"),
    ("All Fronts war 1\nBattle 1\n\nnear deploy A6 B", 4, 16, "unknown-theater"),
    ("All Fronts war 1\nBattle 1\n\nnear deploy A6 A now", 4, 18, "left-over"),
    ("All Fronts war 1\nBattle 1\n\nnear flip far A = ", 4, 18, "unfinished-line"),
    ("All Fronts war 1\nBattle 1\n\nnear move A S", 4, 11, "bad-spot"),
    ("All Fronts war 1\nBattle 1\n\nnear return A:x", 4, 13, "bad-spot"),
    ("All Fronts war 1\nBattle 1\n\nundo", 4, 5, "unfinished-line"),
    ("All Fronts war 1\nBattle 1\n\nundo 0", 4, 6, "bad-number"),
    ("All Fronts war 1\nBattle 1\n\nscore 6", 4, 7, "bad-score"),
    ("All Fronts war 1\nBattle 1\n\nstate {}", 4, 7, "bad-state"),
    ("All Fronts war 1\nBattle 1\n\nstate {", 4, 7, "bad-state"),
]


@pytest.mark.parametrize(
    ("text", "line", "column", "code"), COMPLAINTS, ids=[c[3] + f"-{i}" for i, c in enumerate(COMPLAINTS)]
)
def test_a_complaint_names_line_column_and_mend(text: str, line: int, column: int, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        read(text)
    error = refused.value
    assert (error.line, error.column, error.code) == (line, column, code)
    assert error.message.startswith(f"Line {line}, column {column}: ")
    assert error.remedy


def test_an_impossible_deal_is_refused() -> None:
    deal = "Near hand: A1 A2 A3 A4 A5 A6\nFar hand: L1 L2 L3 L4 L5 L6\nDeck: S1 S2 S3 S4 S5 A1\n"
    with pytest.raises(NotationError, match="not possible"):
        read(f"All Fronts war 1\nBattle 1\n{deal}")


LINE = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=30).map(str.strip)
NAME = st.sampled_from(["Near", "Far", "Date", "Place", "Round", "Événement"])
SEED = st.integers(0, 2**32)


def entries_of(seed: int, edition: str, notes: list[str]) -> tuple[NotationLine, ...]:
    rng = random.Random(seed)
    war = War.begin(edition)
    entries: list[NotationLine] = []
    for note in notes:
        entries.append(NotationLine(Comment(note)))
        moves = [m for m in legal_moves(war.state) if m.do != "flip"]
        if not moves:
            entries.append(NotationLine(war.state, note))
            break
        war = war.play(rng.choice(moves))
        entries.append(NotationLine(war.entries[-1], note))
    entries.append(NotationLine(Correction("undo", times=rng.randint(1, 9)), notes[0] if notes else ""))
    return tuple(entries)


@settings(max_examples=80)
@given(
    seed=SEED,
    edition=st.sampled_from(("first", "revised", "critters")),
    headers=st.dictionaries(NAME, LINE.filter(bool)),
    notes=st.lists(LINE, max_size=12),
)
def test_whatever_is_written_is_read_back(seed: int, edition: str, headers: dict[str, str], notes: list[str]) -> None:
    lines: list[Header | Comment] = [Header("Edition", edition), *(Header(k, v) for k, v in headers.items())]
    lines += [Comment(note) for note in notes[:2]]
    battle = BattleRecord((Header("Order", "ALS"), *map(Comment, notes[2:4])), entries_of(seed, edition, notes))
    record = WarRecord(tuple(lines), (battle, BattleRecord((), ())))
    assert read(write(record)) == record
    text = write(record)
    assert write(read(text)) == text


@pytest.mark.parametrize("text", ["two\nlines", " blanks ", "\r"])
def test_what_would_be_lost_is_not_written(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        write(WarRecord((Comment(text),), ()))
    assert refused.value.code == "unwritable"


def test_a_war_that_was_played_becomes_a_record_and_comes_back() -> None:
    rng = random.Random(4)
    war = War.begin("first", "LSA", "far", target=6)
    wars: list[War] = []
    while True:
        while war.state.turn is not None:
            moves = [m for m in legal_moves(war.state) if m.do != "flip"] or None
            war = war.concede("near") if moves is None else war.play(rng.choice(moves))
        wars.append(war)
        if war.winner is not None:
            break
        war = war.next_battle()
    record = record_of(wars, (Header("Near", "Anna"),))
    assert read(write(record)) == record
    turns = list(replay_war(record))
    assert not [t for t in turns if isinstance(t, IllegalStep | ResultDiffers)]
    assert turns[-1].war == war


def test_a_result_that_the_moves_do_not_give_is_noticed() -> None:
    text = "All Fronts war 1\nBattle 1\nResult: near 6 played-out\n\nnear withdraw\n"
    *_, last = replay_war(read(text))
    assert isinstance(last, ResultDiffers)
    assert last.written == "near 6 played-out"


def test_a_battle_cannot_begin_before_the_last_is_over() -> None:
    with pytest.raises(BadInput, match="Battle 2 cannot begin"):
        list(replay_war(read("All Fronts war 1\nBattle 1\n\nBattle 2\n")))


@pytest.mark.parametrize("line", ["undo 3", "score 0-99999"])
def test_a_correction_that_cannot_be_made_halts(line: str) -> None:
    *_, last = replay_war(read(f"All Fronts war 1\nBattle 1\n\n{line}\n"))
    assert isinstance(last, IllegalStep)
    assert last.why.code == "bad-correction"


def test_a_state_may_be_set() -> None:
    state: State = start("revised")
    record = WarRecord((), (BattleRecord((), (NotationLine(state, "as we found it"),)),))
    text = write(record)
    assert "# as we found it" in text
    assert read(text).battles[0].entries[0].what == state
