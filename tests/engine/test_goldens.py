"""A playthrough for every card in every edition, as documentation that the rules must keep to.

`golden/*.war` are the games, in the notation; `golden/EDITION/*.txt` what the rules make of them: the table, the
reasons, what is hidden and every legal move after each move. To write the texts anew after a change that is meant, and
to see the difference with `git diff`:

    ALLFRONTS_WRITE_GOLDENS=1 ./allfronts test -- tests/engine/test_goldens.py
"""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest

from engine import State, legal_moves
from engine.moves import Move
from engine.names import CARDS, EDITIONS
from engine.records import notation
from engine.records.drawing import hidden, move_line, view
from engine.records.notation import write_move
from engine.records.notation_format import Comment, Header
from engine.records.replay import WarStep, replay_war

GOLDEN = Path(__file__).parent / "golden"
GAMES = sorted(GOLDEN.glob("*.war"))
PAIRS = [
    (path, edition)
    for path in GAMES
    for edition in (notation.read(path.read_text("utf-8")).header("Editions") or "").split()
]


def table_text(state: State) -> list[str]:
    legal = "; ".join(map(write_move, legal_moves(state))) or "none"
    listed = textwrap.wrap(
        f"legal: {legal}", 116, initial_indent="  ", subsequent_indent="    ", break_long_words=False
    )
    return [*view(state), "", *hidden(state), *listed, ""]


def told(path: Path, edition: str) -> str:
    record = notation.read(path.read_text("utf-8"))
    about = [h.text for h in record.headers if isinstance(h, Comment)]
    lines = [f"{path.stem}, {edition} edition", *about, ""]
    state: State | None = None
    for turn in replay_war(record._replace(headers=(Header("Edition", edition),))):
        assert isinstance(turn, WarStep), f"{path.name}: {turn}"
        entry = turn.entry
        if entry is not None and isinstance(entry.what, Comment):
            lines += [f"# {entry.what.text}", ""]
            continue
        if entry is not None and isinstance(entry.what, Move) and state is not None and turn.at is not None:
            note = f"  # {entry.note}" if entry.note else ""
            lines += [f"{turn.at + 1}. {move_line(state, entry.what, turn.destruction)}{note}", ""]
        state = turn.war.state
        lines += table_text(state)
    return "\n".join(lines)


@pytest.mark.parametrize(("path", "edition"), PAIRS, ids=lambda value: value.stem if isinstance(value, Path) else value)
def test_a_playthrough_reads_as_it_did(path: Path, edition: str) -> None:
    golden = GOLDEN / edition / f"{path.stem}.txt"
    text = told(path, edition)
    if os.environ.get("ALLFRONTS_WRITE_GOLDENS"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, "utf-8")
    assert golden.read_text("utf-8") == text


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_card_has_a_playthrough_that_plays_it(edition: str) -> None:
    played = set()
    for path, of in PAIRS:
        if of == edition:
            text = (GOLDEN / edition / f"{path.stem}.txt").read_text("utf-8")
            played.add(path.stem[:2])
            assert f"deploys {path.stem[:2]} " in text or "up: " + path.stem[:2] in text
    assert played == set(CARDS)


def test_no_golden_text_is_left_over() -> None:
    texts = {p.relative_to(GOLDEN).as_posix() for p in GOLDEN.rglob("*.txt")}
    assert texts == {f"{edition}/{path.stem}.txt" for path, edition in PAIRS}
