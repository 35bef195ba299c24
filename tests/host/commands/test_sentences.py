"""Given whole games with mistakes and changes of mind, then every event is a sentence, and none names a hidden card."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from engine.events import Closed, Corrected, MoveMade, Tick, Undone, Unsure, Violation
from engine.lexicon import LANGUAGES
from engine.names import CARDS, EDITIONS, FACE_DOWN, EditionName
from engine.places import PLACES
from engine.referee import best_state, new_belief, observe, tell
from engine.referee.update import Verdict
from engine.sight import sight_of
from engine.state import State, board
from host.messages import card
from host.messages.message import mend_message, message_of, option_message, rule_message
from host.session.sinks import Change
from host.session.standing import standing_of
from host.simulation.games import Habits, glance, war
from host.simulation.mistakes import KINDS
from host.simulation.observation_noise import Eyesight
from host.sinks.event_lines import change_lines

GAMES = 20


def lines(verdict: Verdict, before: State) -> list[dict[str, Any]]:
    """What `watch` prints of these events."""
    return list(change_lines(Change("war", standing_of(verdict.belief), before, verdict.events), 0.0))


def spoken(verdict: Verdict, state: Any) -> list[Any]:
    """All that is said of these events, in no language yet."""
    found: list[Any] = []
    for event in verdict.events:
        effect = state.pending
        if isinstance(event, MoveMade | Undone | Corrected):
            state = event.state
        one = message_of(event, board(state), effect)
        found += [one] if one is not None else []
        if isinstance(event, Violation):
            found += [rule_message(event), *(mend_message(mend, event) for mend in event.mend)]
        if isinstance(event, Unsure):
            found += [option_message(event, option) for option in event.options]
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_event_is_a_sentence_in_every_language_and_no_hidden_card_is_named(edition: EditionName) -> None:
    said: set[str] = set()
    for seed in range(GAMES):
        rng = Random(seed)
        habits = Habits(wrong=0.2, undo=0.1, withdraw=0.03, kinds=KINDS)
        belief, t = new_belief(edition), 0.0
        seen: set[str] = {FACE_DOWN}
        for still in war(rng, edition, habits, 2):
            look = glance(rng, still, Eyesight())
            seen |= {face for column in look.board.values() for face in column}
            hidden = [name for name in CARDS if name not in seen]
            for nth in range(10):
                before = best_state(belief)
                verdict = observe(belief, look, t) if nth % 3 == 0 else tell(belief, Tick(), t)
                belief, t = verdict.belief, t + 0.5
                if still.ended and nth == 9:
                    verdict = Verdict(belief, verdict.events + tell(belief, Closed(), t).events)
                for line in lines(verdict, before):
                    text = json.dumps(line, ensure_ascii=False)
                    assert not any(f'"{name}"' in text for name in hidden), line
                for one in spoken(verdict, before):
                    said.add(f"{one.group}.{one.code}")
                    said.add(f"{one.kind}.{one.parts.get('code')}")
                    for language in LANGUAGES:
                        words = one.text(language)
                        assert words.strip() and "{" not in words and "None" not in words, (one, words)
                        assert not any(card(language, name) in words for name in hidden), words
            if not any(still.table):
                seen = {FACE_DOWN}
    assert len([code for code in said if code.startswith("violation.")]) >= 8
    assert {"event.mended", "event.undone", "event.battle-withdrew", "event.battle-played-out"} <= said


def test_english_is_what_a_person_at_the_table_would_say() -> None:
    belief = new_belief("revised", "near", "ALS")
    heard: list[str] = []
    tables = [{}, {"An": "A6"}, {"An": "A6", "Lf": "-"}, {"An": "A6 A3", "Lf": "-"}, {"An": "A6 A3", "Lf": "L1"}]
    for nth, columns in enumerate(tables):
        laid = {(name[0], {"n": "near", "f": "far"}[name[1]]): tuple(pile.split()) for name, pile in columns.items()}
        look = sight_of({place: laid.get(place, ()) for place in PLACES}, ("A", "L", "S"))
        verdict = observe(belief, look, float(nth))
        heard += [line["message"] for line in lines(verdict, best_state(belief)) if line["event"] == "move"]
        belief = verdict.belief
    assert heard == [
        "Near plays Heavy Bombers (Air 6) to Air.",
        "Far plays a card face down to Land.",
        "Near plays Maneuver (Air 3) to Air.",
        "Near turns up Far's Reinforce (Land 1) in Land.",
    ]
