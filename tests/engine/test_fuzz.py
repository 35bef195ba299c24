"""No input crashes or hangs the readers, and every rejection names the place and the mend.

A short run is part of the tests. For a long one, as many seconds as one likes, with a new seed each time:

    .venv/bin/python tests/engine/test_fuzz.py 600
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine import BadInput, War, legal_moves, play, start, state_from_json, state_to_json
from engine.records.json_codec import Stopped, battle_from_json, replay, step_to_json
from engine.records.json_line import parse_line
from engine.records.notation import read, write
from engine.records.notation_format import NotationError
from engine.records.replay import replay_war
from engine.records.war_json import war_from_json, war_to_json

HERE = Path(__file__).parent


def check_text(text: str) -> None:
    """The fuzz target of the notation."""
    try:
        record = read(text)
    except NotationError as refused:
        lines = text.removeprefix("\ufeff").split("\n")
        assert 1 <= refused.line <= len(lines)
        assert 1 <= refused.column <= len(lines[refused.line - 1]) + 1
        assert refused.message.startswith(f"Line {refused.line}, column {refused.column}: ")
        assert refused.remedy
        return
    assert read(write(record)) == record
    try:
        for _ in replay_war(record):
            pass
    except BadInput as refused:
        assert refused.remedy


def check_json(data: object) -> None:
    """The fuzz target of battles, states and wars in JSON."""
    try:
        for step in replay(battle_from_json(data)):
            if isinstance(step, Stopped):
                assert step.why.message
                assert step.why.mend
                assert step.why.rule
            else:
                json.dumps(step_to_json(step, legal=True))
    except BadInput as refused:
        assert refused.remedy
    for reader in (state_from_json, war_from_json):
        try:
            found = reader(data)
        except BadInput as refused:
            assert refused.remedy
            continue
        state = found.state if isinstance(found, War) else found
        for move in legal_moves(state):
            if move.do != "flip":
                play(state, move)


def check_bytes(data: bytes) -> None:
    """Any bytes, as `judge` gets them."""
    text = data.decode("utf-8", "replace")
    check_text(text)
    for line in text.split("\n"):
        try:
            parsed = json.loads(line)
        except (ValueError, RecursionError):
            continue
        check_json(parsed)


# ------------------------------------------------------------------------------------------------------- mutation


def corpus() -> tuple[list[str], list[Any]]:
    texts = [path.read_text("utf-8") for path in sorted((HERE / "golden").glob("*.war"))]
    with gzip.open(HERE / "known.jsonl.gz", "rt", encoding="utf-8") as lines:
        battles = [json.loads(line)["input"] for line in lines]
    state = start("first")
    war = War.begin("revised")
    for at in (0, -2, 5):
        state = play(state, legal_moves(state)[at])
        war = war.play(legal_moves(war.state)[at])
    return texts, [*battles, state_to_json(state), war_to_json(war)]


TOKENS = (
    "near",
    "far",
    "A6",
    "?",
    "A:0",
    "=",
    ":",
    "#",
    "Battle 1",
    "undo 1",
    "state {",
    "\n",
    "\r",
    "\x00",
    "\u2028",
    "9" * 30,
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "A6",
    "near",
    "Z",
    "first",
    [],
    {},
    ["A1"],
    {"near": []},
    [[]],
)


def mutated_text(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(0, len(text))
        cut = rng.choice((0, 0, 1, 3, 20))
        put = rng.choice(TOKENS) if rng.random() < 0.7 else chr(rng.randint(1, 0x2FFF))
        text = text[:at] + put + text[at + cut :]
    return text


def mutated_json(rng: random.Random, data: Any) -> Any:
    data = json.loads(json.dumps(data))
    for _ in range(rng.randint(1, 4)):
        node, keys = data, list(range(9))
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(node[key], dict | list) and rng.random() < 0.8:
                node = node[key]
                continue
            if isinstance(node, dict) and rng.random() < 0.3:
                del node[key]
            elif isinstance(node, list) and rng.random() < 0.3:
                node.insert(key, rng.choice(VALUES))
            else:
                node[key] = json.loads(json.dumps(rng.choice(VALUES)))
            break
    return data


def run(rng: random.Random, rounds: int) -> None:
    texts, structures = corpus()
    for _ in range(rounds):
        check_bytes(mutated_text(rng, rng.choice(texts)).encode("utf-8", "replace"))
        check_json(mutated_json(rng, rng.choice(structures)))


def test_mutated_records_are_read_or_refused() -> None:
    run(random.Random(20), 1500)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    check_bytes(data)
    check_bytes(b"All Fronts war 1\nBattle 1\n\n" + data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)


@given(JSON)
def test_any_json_is_read_or_refused(data: object) -> None:
    check_json(data)
    check_json({"edition": "first", "order": "ALS", "first": "near", "moves": [data]})
    check_json({"edition": data, "order": data, "first": data, "moves": data})


@given(JSON, st.sampled_from(["", " ", ",", "]", "[", '"', "\\", "NaN"]))
def test_a_line_far_down_is_read_as_one_on_top(data: object, tail: str) -> None:
    text = f"[{json.dumps(data)}{tail}]"
    try:
        parse_line(text.encode())
        good = True
    except BadInput as refused:
        assert refused.remedy
        good = False
    try:
        parse_line(b"[" * 3000 + text.encode() + b"]" * 3000)
        deep = True
    except BadInput as refused:
        assert refused.remedy
        deep = False
    assert deep is good
    if good:
        assert parse_line(text.encode()) == [data]


def test_deep_nesting_is_refused() -> None:
    check_bytes(b"[" * 100_000)
    check_bytes(b"All Fronts war 1\nBattle 1\n\nstate " + b'{"a":' * 100_000)


if __name__ == "__main__":
    until = time.monotonic() + float(sys.argv[1])
    seed = time.time_ns()
    while time.monotonic() < until:
        seed += 1
        try:
            run(random.Random(seed), 200)
        except BaseException:
            print(f"seed {seed}")
            raise
