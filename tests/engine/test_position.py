"""Flags: what is certainly wrong with a table, and nothing that could be right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import Card, State, position, start
from engine.names import Seat, Theater
from engine.position import FLAGS, state_flags, table_flags
from engine.state import BIT, Effect, Hand

Table = dict[tuple[Theater, Seat], tuple[str, ...]]


def codes(table: Table) -> list[str]:
    return [flag.code for flag in table_flags(table)]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({}, []),
        ({("A", "near"): ("A6",)}, []),
        ({("A", "near"): ("A6", "A6")}, ["card-twice"]),
        ({("A", "near"): ("A6",), ("L", "far"): ("L1", "A6")}, ["card-twice", "cannot-be-there"]),
        ({("A", "near"): ("A7",)}, ["unknown-face"]),
        ({("A", "near"): ("L6",)}, ["cannot-be-there"]),
        # Any card that flips, moves or permits explains it; so does a back, which may be such a card.
        ({("A", "near"): ("L6",), ("L", "far"): ("L2",)}, []),
        ({("A", "near"): ("L6",), ("S", "far"): ("S3",)}, []),
        ({("A", "near"): ("L6",), ("S", "far"): ("-",)}, []),
        ({("A", "near"): ("L6",), ("S", "far"): ("S4",)}, []),
        # Transport may have moved itself, Ambush cannot have turned itself up.
        ({("A", "near"): ("S1",)}, []),
        ({("A", "near"): ("L2",)}, ["cannot-be-there"]),
        ({("A", "near"): ("-",) * 18}, []),
        ({("A", "near"): ("-",) * 19}, ["too-many-cards"]),
    ],
)
def test_flags_of_a_table(table: Table, expected: list[str]) -> None:
    assert codes(table) == expected


def test_thirteen_cards_need_a_reinforcement() -> None:
    faces = {(t, "near"): tuple(f"{t}{n}" for n in (1, 2, 3, 5, 6) if f"{t}{n}" != "L1") for t in "ALS"}
    assert sum(map(len, faces.values())) == 14
    assert "too-many-cards" in codes(faces)
    faces["L", "far"] = ("L1",)
    assert "too-many-cards" not in codes(faces)


def test_every_flag_can_be_raised_and_says_its_parts(table: Callable[..., State]) -> None:
    state = start()
    broken = [
        state._replace(hands=(Hand(5, 0), state.hands[1])),
        state._replace(hands=(Hand(0, 0), state.hands[1]), deck=state.deck * 2),
        state._replace(permits=(True, False)),
        state._replace(
            queue=(Effect("ambush", Card("L2"), "near", 0, "L"),),
            pending="ambush",
            unseen=state.unseen | BIT[Card("L2")],
        ),
    ]
    found = {flag.code for one in broken for flag in state_flags(one)}
    tables: list[Table] = [{("A", "near"): ("A6", "A6", "Z", "L6")}, {("A", "near"): ("-",) * 19}]
    flags = [flag for one in tables for flag in table_flags(one)] + [f for one in broken for f in state_flags(one)]
    assert {flag.code for flag in flags} == set(FLAGS)
    assert found == {"cards-missing", "turn-without-card", "permit-without-air-drop", "effect-without-card"}
    for flag in flags:
        assert flag.message.endswith(".")
        assert "{" not in flag.message
    assert position.state_flags(table()) == ()
