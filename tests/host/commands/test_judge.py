"""`allfronts judge`: one answer a line, exit statuses, bad input, and the view for people."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from host.cli import main

DEAL = {
    "hands": {"near": ["A1", "A2", "A3", "A4", "A5", "A6"], "far": ["L1", "L2", "L3", "L4", "L5", "L6"]},
    "deck": ["S1", "S2", "S3", "S4", "S5", "S6"],
}
BATTLE: dict[str, Any] = {"edition": "revised", "order": "ALS", "first": "near", **DEAL, "moves": []}
SEEN: dict[str, Any] = {"edition": "revised", "order": "ALS", "first": "near", "moves": []}
FIRST_MOVE = {"by": "near", "do": "deploy", "card": "A6", "to": "A"}


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """`judge` with the given standard input: status, answers, standard error."""

    def run(text: str | bytes, *options: str) -> tuple[int, list[dict[str, Any]], str]:
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main(["judge", "--json", *options, "-"])
        told = capsys.readouterr()
        return status, [json.loads(line) for line in told.out.splitlines()], told.err

    return run


def lines(*battles: object) -> str:
    return "".join((b if isinstance(b, str) else json.dumps(b)) + "\n" for b in battles)


def test_a_legal_battle_is_answered_step_by_step(judge: Any) -> None:
    status, [answer], err = judge(lines({**BATTLE, "moves": [FIRST_MOVE]}))
    assert (status, err) == (0, "")
    assert (answer["result"], answer["error"]) == (None, None)
    assert len(answer["steps"]) == 2
    assert answer["steps"][1] == {
        "board": {"A": {"near": ["A6"], "far": []}, "L": {"near": [], "far": []}, "S": {"near": [], "far": []}},
        "strength": {"A": {"near": 6, "far": 0}, "L": {"near": 0, "far": 0}, "S": {"near": 0, "far": 0}},
        "control": {"A": "near", "L": "near", "S": "near"},
        "turn": "far",
        "pending": None,
        "hand": {"near": 5, "far": 6},
    }


def test_legal_lists_the_moves(judge: Any) -> None:
    _, [dealt, seen], _ = judge(lines(BATTLE, SEEN), "--legal")
    assert len(dealt["steps"][0]["legal"]) == 6 + 18 + 1
    assert {"by": "near", "do": "improvise", "card": None, "to": "S"} in seen["steps"][0]["legal"]
    assert len(seen["steps"][0]["legal"]) == 18 + 3 + 1


ILLEGAL: list[tuple[object, str]] = [
    ({"by": "far", "do": "deploy", "card": "L6", "to": "L"}, "not-your-turn"),
    ({"by": "near", "do": "deploy", "card": "A6", "to": "L"}, "wrong-theater"),
    ({"by": "near", "do": "deploy", "card": "L6", "to": "L"}, "not-in-hand"),
    ({"by": "near", "do": "deploy", "card": "Z6", "to": "L"}, "unknown-card"),
    ({"by": "near", "do": "deploy", "card": 6, "to": "L"}, "unknown-card"),
    ({"by": "near", "do": "deploy", "card": "A6", "to": "Z"}, "unknown-theater"),
    ({"by": "near", "do": "deploy", "card": "A6", "to": ["A"]}, "unknown-theater"),
    ({"by": "near", "do": "deploy", "card": "A6"}, "missing-field"),
    ({"by": "near", "do": "deploy", "to": "A"}, "missing-field"),
    ({"by": "near", "do": "improvise", "card": None, "to": "A"}, "card-missing"),
    ({"by": "near", "do": "improvise", "to": "A"}, "card-missing"),
    ({"by": "near", "do": "flip", "side": "near", "at": "A"}, "nothing-pending"),
    ({"by": "near", "do": "move", "from": "A", "index": True, "to": "A"}, "bad-index"),
    ({"by": "near", "do": "move", "from": "A", "index": 0.0, "to": "A"}, "bad-index"),
    ({"by": "near", "do": "return", "at": "A", "index": 0}, "nothing-pending"),
    ({"by": "near", "do": "reinforce", "to": "A"}, "nothing-pending"),
    ({"by": "near", "do": "decline"}, "nothing-pending"),
    ({"by": "near", "do": "pass"}, "unknown-deed"),
    ({"by": "near", "do": ["deploy"]}, "unknown-deed"),
    ({"by": "near"}, "missing-field"),
    ({"do": "withdraw"}, "missing-field"),
    ({"by": "middle", "do": "withdraw"}, "unknown-seat"),
    ({"by": {}, "do": "withdraw"}, "unknown-seat"),
    ("withdraw", "not-a-move"),
    (None, "not-a-move"),
    ([], "not-a-move"),
    (7, "not-a-move"),
]


@pytest.mark.parametrize(("move", "code"), ILLEGAL)
def test_anything_wrong_with_a_move_is_an_illegal_move_at_its_index(judge: Any, move: object, code: str) -> None:
    status, [answer], err = judge(lines({**BATTLE, "moves": [move, FIRST_MOVE]}))
    assert (status, err) == (1, "")
    assert len(answer["steps"]) == 1
    assert (answer["error"]["at"], answer["error"]["code"]) == (0, code)
    assert answer["error"]["rule"]
    assert answer["error"]["message"]


@pytest.mark.parametrize("move", [FIRST_MOVE, {"do": "nonsense"}, 3])
def test_nothing_is_legal_after_the_end(judge: Any, move: object) -> None:
    withdrawn = {"by": "near", "do": "withdraw"}
    status, [answer], _ = judge(lines({**BATTLE, "moves": [withdrawn, move]}), "--legal")
    assert status == 1
    assert answer["steps"][-1]["legal"] == []
    assert answer["result"] == {"winner": "far", "points": 2, "why": "withdrew"}
    assert answer["error"]["at"] == 1
    assert answer["error"]["code"] == "battle-over"


def test_fields_that_nobody_knows_are_skipped(judge: Any) -> None:
    status, [answer], _ = judge(lines({**BATTLE, "note": "x", "moves": [{**FIRST_MOVE, "reveals": "Q", "why": 1}]}))
    assert status == 0
    assert len(answer["steps"]) == 2


BAD: list[object] = [
    "not json",
    "",
    "[1, 2",
    "[]",
    "null",
    "3",
    '"text"',
    "NaN",
    "[" * 5000,
    "[" * 5000 + "}" + "]" * 4999,
    "[" * 5000 + "1 2" + "]" * 5000,
    "[" * 5000 + '"' + '\\"' * 100_000,
    json.dumps({**BATTLE, "moves": [{"by": "near", "do": "return", "at": "A", "index": float("nan")}]}),
    json.dumps({**BATTLE, "note": float("inf")}),
    {},
    {**BATTLE, "edition": "second"},
    {**BATTLE, "edition": None},
    {**BATTLE, "edition": ["first"]},
    {**BATTLE, "order": "ALL"},
    {**BATTLE, "order": "AL"},
    {**BATTLE, "order": ["A", "L", "S"]},
    {**BATTLE, "first": "left"},
    {**BATTLE, "moves": None},
    {**BATTLE, "moves": {}},
    {**BATTLE, "moves": "withdraw"},
    {**BATTLE, "deck": None},
    {**BATTLE, "hands": None},
    {**BATTLE, "deck": ["S1"]},
    {**BATTLE, "deck": ["S1", "S2", "S3", "S4", "S5", "S5"]},
    {**BATTLE, "deck": ["S1", "S2", "S3", "S4", "S5", "A1"]},
    {**BATTLE, "deck": ["S1", "S2", "S3", "S4", "S5", "S7"]},
    {**BATTLE, "deck": ["S1", "S2", "S3", "S4", "S5", None]},
    {**BATTLE, "deck": "S1S2S3S4S5S6"},
    {**BATTLE, "hands": {"near": DEAL["hands"]["near"]}},
    {**BATTLE, "hands": {"near": DEAL["hands"]["near"], "far": DEAL["hands"]["far"][:5]}},
    {**BATTLE, "hands": [DEAL["hands"]["near"], DEAL["hands"]["far"]]},
]


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_a_line_that_is_no_battle_is_answered_and_the_next_one_too(judge: Any, bad: object) -> None:
    status, answers, err = judge(lines(BATTLE, bad, BATTLE))
    assert status == 2
    assert len(answers) == 3
    assert answers[1]["steps"] == []
    assert answers[1]["result"] is None
    assert (answers[1]["error"]["at"], answers[1]["error"]["code"]) == (None, "bad-input")
    assert answers[0] == answers[2]
    assert len(answers[2]["steps"]) == 1
    assert err.count("\n") == 1
    assert "line 2:" in err
    if isinstance(bad, dict) and bad:
        field = next((k for k in BATTLE if bad.get(k) != BATTLE[k]), "")
        assert field in err or "dealt twice" in err or "deal needs" in err or "The deck has" in err or "hand has" in err


DEEP = "[" * 50_000 + '{"a": "]"}' + "]" * 50_000
LONG = "9" * 6_000


@pytest.mark.parametrize("value", [DEEP, LONG, "-" + LONG, LONG + ".5", "1e999"])
def test_json_is_json_however_deep_or_long(judge: Any, value: str) -> None:
    text = json.dumps({**BATTLE, "note": 0, "moves": [FIRST_MOVE]}).replace('"note": 0', f'"note": {value}')
    status, [answer], err = judge(text)
    assert (status, err, len(answer["steps"])) == (0, "", 2)


@pytest.mark.parametrize("value", [DEEP, LONG, "-" + LONG, "1e999"])
def test_a_move_of_such_a_value_is_an_illegal_move(judge: Any, value: str) -> None:
    move = {"by": "near", "do": "return", "at": "A", "index": "VALUE"}
    text = json.dumps({**BATTLE, "moves": [move]}).replace('"VALUE"', value)
    status, [answer], err = judge(text)
    assert (status, err) == (1, "")
    assert (answer["error"]["at"], answer["error"]["code"]) == (0, "bad-index")
    status, [answer], err = judge(json.dumps({**BATTLE, "moves": ["VALUE"]}).replace('"VALUE"', value))
    assert (status, err, answer["error"]["code"]) == (1, "", "not-a-move")


def test_what_is_not_json_is_told_with_its_column(judge: Any) -> None:
    _, _, err = judge(lines("", '  {"edition" "first"}'))
    assert "line 1: The line is empty." in err
    assert "line 2: The line is not JSON (column 12: Expecting ':' delimiter)" in err


def test_bytes_that_are_no_text_are_bad_input(judge: Any) -> None:
    status, answers, err = judge(b'{"a": "\xff"}\n' + lines(BATTLE).encode())
    assert (status, len(answers)) == (2, 2)
    assert "line 1" in err


def test_an_empty_file_has_no_answers(judge: Any) -> None:
    assert judge("") == (0, [], "")


def test_a_last_line_without_its_end_counts(judge: Any) -> None:
    status, answers, _ = judge(lines(BATTLE).rstrip("\n"))
    assert (status, len(answers)) == (0, 1)


REVEALS = [
    ({}, "reveal-missing"),
    ({"reveals": None}, "reveal-missing"),
    ({"reveals": "L2"}, "reveal-impossible"),
    ({"reveals": "A6"}, "reveal-impossible"),
    ({"reveals": "Q1"}, "unknown-card"),
    ({"reveals": 3}, "unknown-card"),
    ({"reveals": "S6"}, None),
]


@pytest.mark.parametrize(("reveals", "code"), REVEALS)
def test_an_onlookers_flip_says_what_came_to_light(judge: Any, reveals: dict[str, Any], code: str | None) -> None:
    moves = [
        {"by": "near", "do": "improvise", "card": None, "to": "S"},
        {"by": "far", "do": "improvise", "card": None, "to": "A"},
        FIRST_MOVE,
        {"by": "far", "do": "deploy", "card": "L2", "to": "L"},
        {"by": "far", "do": "flip", "side": "near", "at": "S", **reveals},
    ]
    status, [answer], _ = judge(lines({**SEEN, "moves": moves}))
    assert (answer["error"] or {}).get("code") == code
    assert status == (1 if code else 0)
    if code is None:
        assert answer["steps"][-1]["board"]["S"]["near"] == ["S6"]


def test_what_the_record_does_not_know_is_null(judge: Any) -> None:
    moves = [
        {"by": "near", "do": "deploy", "card": "A5", "to": "A"},
        {"by": "far", "do": "improvise", "card": None, "to": "A"},
    ]
    _, [answer], _ = judge(lines({**SEEN, "moves": moves}))
    assert (answer["steps"][-1]["destroyed"], answer["steps"][-1]["by_card"]) == (None, "A5")


# ------------------------------------------------------------------------------------------------------ the notation

WAR = "All Fronts war 1\nEdition: revised\n\nBattle 1\nOrder: ALS\nFirst: near\n\n"


def test_judge_takes_the_notation(judge: Any) -> None:
    status, answers, _ = judge(WAR + "near deploy A6 A\nundo 1\nnear withdraw\n\nBattle 2\n\nfar improvise ? L\n")
    assert status == 0
    assert [len(a["steps"]) for a in answers] == [4, 2]
    assert answers[0]["steps"][2]["correction"] is True
    assert answers[0]["result"]["winner"] == "far"
    assert answers[1]["score"] == {"near": 0, "far": 2}


def test_an_illegal_move_in_the_notation(judge: Any) -> None:
    status, [answer], _ = judge(WAR + "# first\nnear deploy A6 L\n")
    assert status == 1
    assert (answer["error"]["at"], answer["error"]["code"]) == (0, "wrong-theater")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (WAR + "near deploy A6 X\n", "Line 8, column 16: "),
        (WAR + "near deploy A6 A\n\nBattle 2\n", "Battle 2 cannot begin"),
        ((WAR + "# \xff\n").encode("latin-1"), "Line 8, column 3: "),
    ],
)
def test_a_text_that_is_no_war(judge: Any, text: str | bytes, where: str) -> None:
    status, answers, err = judge(text)
    assert status == 2
    assert answers[-1]["error"]["code"] == "bad-input"
    assert where in answers[-1]["error"]["message"]
    assert where in err
    assert err.count("\n") == 1


def test_the_battles_before_one_that_cannot_begin_are_answered(judge: Any) -> None:
    status, answers, _ = judge(WAR + "near deploy A6 A\n\nBattle 2\n")
    assert status == 2
    assert [len(answer["steps"]) for answer in answers] == [2, 0]


# ------------------------------------------------------------------------------------------------ the view for people


def test_the_view_draws_the_table_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(WAR + "near deploy A1 A\nfar deploy L6 L  # hm\nnear deploy A6 A\nfar withdraw\n", "utf-8")
    assert main(["judge", "--legal", str(file)]) == 0
    text = capsys.readouterr().out
    assert "2. far deploys L6 Heavy Tanks to Land." in text
    assert "-- Land 6:3 far +3 --" in text
    assert "far holds Land: far 6 (L6 Heavy Tanks); near 3 (Support in Air)" in text
    assert "# hm" in text
    assert "legal: near improvise ? A" in text
    assert "Score: near 2, far 0." in text


def test_the_view_of_json_battles_says_what_is_illegal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "battles.jsonl"
    file.write_text(lines({**BATTLE, "moves": [FIRST_MOVE, FIRST_MOVE]}), "utf-8")
    assert main(["judge", str(file)]) == 1
    text = capsys.readouterr().out
    assert "Battle 1: revised edition, boards ALS, near is the 1st player" in text
    assert "2. ILLEGAL (not-your-turn, revised: turn): far must decide now, not near." in text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_answers_that_cannot_be_written_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "battles"
    file.write_text(lines(BATTLE))
    for options in (["--json"], []):
        with Path("/dev/full").open("wb") as full:
            command = [sys.executable, "-m", "host", "judge", *options, str(file)]
            told = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert told.returncode == 2
        assert told.stderr.count("\n") == 1
        assert "cannot be written" in told.stderr


def test_a_terminal_of_few_letters_shows_a_comment_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "anna.war"
    file.write_text(WAR + "# Анна ходит\nnear withdraw\n", encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "host", "judge", str(file)]
    told = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert "# ????" in told.stdout


@pytest.mark.parametrize(
    ("headers", "codes"),
    [
        ("", None),
        ("Order: SAL\nFirst: far\n", None),
        ("Order: LSA\n", None),
        ("Order: ALS\n", ["boards-not-rotated"]),
        ("First: near\n", ["commander-cards-not-exchanged"]),
        ("Order: ASL\nFirst: near\n", ["boards-not-rotated", "commander-cards-not-exchanged"]),
    ],
)
def test_boards_and_commander_cards_between_battles_are_checked(judge: Any, headers: str, codes: object) -> None:
    """Given a battle on ALS with near first, when the next one is set up otherwise, then judge says so."""
    status, answers, _ = judge(WAR + f"near deploy A6 A\nundo 1\nnear withdraw\n\nBattle 2\n{headers}\n")
    assert status == 0
    notes = answers[1].get("notes")
    assert (notes and [note["code"] for note in notes]) == codes


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["judge", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["judge", str(tmp_path)]) == 2


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ru", ("Битва 1. Издание: Переработанное, 2020.", "1. Ближний кладёт карту лицом вниз на", "(A1 Поддержка)",
                "держит Дальний", "Ходит Ближний", "ПРОТИВ ПРАВИЛ (wrong-theater", "кладут только на театр Воздух")),
        ("uk", ("Битва 1. Видання:", "ПРОТИ ПРАВИЛ (wrong-theater", "кладуть лише на театр Повітря")),
        ("pl", ("Bitwa 1. Wydanie:", "WBREW ZASADOM (wrong-theater", "zagrywa się tylko na obszar Powietrze")),
    ],
)  # fmt: skip
def test_people_are_told_in_the_language_of_the_settings(
    language: str,
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "allfronts").mkdir()
    (tmp_path / "allfronts" / "settings.toml").write_text(f'language = "{language}"\n', "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    moves = [
        {"by": "near", "do": "improvise", "card": "A1", "to": "L"},
        {"by": "far", "do": "deploy", "card": "L6", "to": "L"},
        {"by": "near", "do": "deploy", "card": "A6", "to": "L"},
    ]
    written = tmp_path / "battle.jsonl"
    written.write_text(lines({**BATTLE, "moves": moves}), "utf-8")
    assert main(["judge", str(written)]) == 1
    said = capsys.readouterr().out
    assert [word for word in words if word not in said] == []
    # Programs read English, whatever the settings say.
    assert main(["judge", "--json", str(written)]) == 1
    assert "goes face up to" in capsys.readouterr().out
