"""Given a source, when `watch` follows it, then every event comes out as the contracts have it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.places import PLACES
from engine.sight import Note, SeenCard, Sight, sight_of
from host.commands.watch import watch_pictures
from host.session.session import Rules
from host.session.tracker import Pace
from host.sinks.event_lines import plain
from tests.conftest import ROOT
from vision.sources import Frame, Trouble
from vision.tracking.table_watcher import WatcherNotice

PICTURE = np.zeros((4, 4, 3), np.uint8)


def sight(**columns):
    side = {"n": "near", "f": "far"}
    laid = {(name[0], side[name[1]]): tuple(column.split()) for name, column in columns.items()}
    return sight_of({place: laid.get(place, ()) for place in PLACES}, ("A", "L", "S"))


class ScriptedWatcher:
    """Sees at each frame what the script says for that time."""

    def __init__(self, script):
        self.script = script
        self.still = True
        self.forgotten = 0

    def see(self, image, t):
        return self.script.get(round(t, 1))

    def notices(self):
        return []

    def forget(self):
        self.forgotten += 1


def frames(seconds):
    return [Frame(round(t * 0.2, 1), PICTURE) for t in range(int(seconds * 5))]


def watched(items, watcher, first=None):
    lines = []
    watch_pictures(items, watcher, Rules("revised", first), lines.append)
    return lines


def followed(script, seconds=20, first="near", eye=None):
    eye = eye or ScriptedWatcher(script)
    lines = watched(frames(seconds), eye, first)
    for line in lines:
        json.dumps(line)
        assert plain(line)
    return lines


def test_moves_carry_the_state_and_no_hidden_card():
    lines = followed({1.0: sight(), 2.0: sight(An="A6"), 4.0: sight(An="A6", Lf="-")})
    moves = [line for line in lines if line["event"] == "move"]
    assert [line["move"] for line in moves] == [
        {"by": "near", "do": "deploy", "card": "A6", "to": "A"},
        {"by": "far", "do": "improvise", "card": None, "to": "L"},
    ]
    assert moves[1]["strength"] == {"A": {"near": 6, "far": 0}, "L": {"near": 0, "far": 2}, "S": {"near": 0, "far": 0}}
    assert (moves[1]["control"], moves[1]["turn"]) == ({"A": "near", "L": "far", "S": "near"}, "near")
    assert [line["t"] for line in moves] == [2.0, 4.0]


def test_a_violation_is_a_sentence_with_a_rule_and_a_mend():
    lines = followed({1.0: sight(), 2.0: sight(An="L2"), 6.0: sight(Ln="L2")})
    wrong = next(line for line in lines if line["event"] == "violation")
    assert wrong["code"] == "wrong-theater" and wrong["rule"] and wrong["mend"] and "L2" not in wrong["mend"][:0]
    assert 2.0 < wrong["t"] < 4.0
    after = [line["event"] for line in lines if line["t"] >= 6.0]
    assert after[:3] == ["reading", "mended", "move"]


def test_a_cleared_table_is_a_withdrawal_with_the_score():
    lines = followed({1.0: sight(), 2.0: sight(An="A6"), 4.0: sight(An="A6", Lf="-"), 8.0: sight()})
    battle = next(line for line in lines if line["event"] == "battle")
    assert {k: battle[k] for k in ("winner", "points", "why", "score")} == {
        "winner": "far", "points": 2, "why": "withdrew", "score": {"near": 0, "far": 2},
    }  # fmt: skip


def test_a_doubtful_table_is_looked_at_again_but_not_for_ever():
    unsure = Sight(("A", "L", "S"), {**sight().stacks, ("A", "near"): (SeenCard("A6", 0.6, (("A5", 0.39),)),)}, False)
    eye = ScriptedWatcher({1.0: sight(), 2.0: unsure})
    lines = followed({}, eye=eye)
    assert 1 <= eye.forgotten <= Pace().looks_most
    assert [line["code"] for line in lines if line["event"] == "unsure"] == ["which-card"]
    assert not any(line["event"] == "move" for line in lines)


def test_troubles_of_the_source_and_of_the_eye_are_notices():
    class Moved(ScriptedWatcher):
        def notices(self):
            first, self.forgotten = not self.forgotten, 1
            return [WatcherNotice("camera-moved", 0.0)] if first else []

    items = [Trouble("film-cut-short", 1.0, {"seconds": 3}), *frames(1)]
    lines = watched(items, Moved({}))
    assert [line["code"] for line in lines] == ["film-cut-short", "camera-moved"]
    assert all(line["event"] == "notice" and line["message"] for line in lines)


def test_cards_of_another_deck_are_told_once():
    strange = replace(sight(), sure=False, notes=(Note("foreign", "A/near"), Note("foreign", "S/far")))
    one = replace(sight(), sure=False, notes=(Note("foreign", "A/near"),))
    script = {0.0: sight(), 2.0: one, 6.0: strange, 10.0: replace(strange)}
    told = [line for line in followed(script) if line.get("code") == "wrong-deck"]
    assert [line["t"] for line in told] == [6.0]
    assert "--deck" in told[0]["message"]


def test_what_is_seen_from_the_beginning_may_be_a_printed_mat_and_is_no_other_deck():
    mat = (Note("foreign", "A/near"), Note("foreign", "S/far"))
    script = {0.0: replace(sight(), sure=False, notes=mat), 3.0: replace(sight(), sure=False, notes=mat[:1])}
    assert not [line for line in followed(script) if line.get("code") == "wrong-deck"]
    cards = (*mat, Note("foreign", "A/far"), Note("foreign", "L/near"))
    told = followed({**script, 6.0: replace(sight(), sure=False, notes=cards)})
    assert [line["t"] for line in told if line.get("code") == "wrong-deck"] == [6.0]


def test_strange_things_beside_cards_that_are_read_are_no_other_deck():
    strange = (Note("foreign", "A/near"), Note("foreign", "S/far"))
    script = {0.0: sight(), 2.0: sight(An="A6"), 6.0: replace(sight(), sure=False, notes=strange)}
    assert not [line for line in followed(script) if line.get("code") == "wrong-deck"]


@pytest.mark.needs_shared
@pytest.mark.parametrize("film", ["dunes-day", "dunes-sleeve-first", "tundra-lamp-mistakes", "barracks-lamp-mistakes"])
def test_films_of_whole_games_are_followed_to_the_last_move_and_every_wrong_one_is_told(
    shared: Path, film: str
) -> None:
    """A Maneuver in the wrong theater was taken for another one after a change of how its colour is told."""
    deck = shared / "pictures" / film.split("-")[0]
    check = [sys.executable, str(shared / "check/watch_check.py"), str(shared / f"recordings/{film}.mp4"), str(deck)]
    # How fast it goes is no matter here: the machine may be busy.
    done = subprocess.run([*check, "--speed", "0"], capture_output=True, text=True, cwd=ROOT, timeout=540, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
