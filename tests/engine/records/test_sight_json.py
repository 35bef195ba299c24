"""Given a line of readings, when it is read, then the reading is the one that was written."""

from __future__ import annotations

import pytest

from engine.records.sight_json import sight_from_json

LINE = {
    "order": "SAL",
    "stacks": {t: {"near": [], "far": []} for t in "ALS"} | {"A": {"near": ["A6", "L2"], "far": []}},
}


def test_given_a_note_that_a_card_lies_the_wrong_way_round_when_no_doubt_says_so_then_it_does():
    sight = sight_from_json({**LINE, "notes": [{"at": "A/near/1", "code": "wrong-way-round"}]})
    assert [card.wrong_way for card in sight.stacks["A", "near"]] == [False, True]


@pytest.mark.parametrize("at", ["A/near", "A"])
def test_given_such_a_note_about_no_card_then_no_card_lies_so(at):
    sight = sight_from_json({**LINE, "notes": [{"at": at, "code": "wrong-way-round"}]})
    assert not any(card.wrong_way for column in sight.stacks.values() for card in column)
