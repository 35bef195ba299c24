"""Which of the plugged in devices is the board, and when a person is asked."""

from __future__ import annotations

import pytest

from engine.failure import Failure
from host.boards.choose import choose
from host.link.ports import Port

NANO = Port("/dev/ttyUSB0", "USB Serial", "1a86:7523:", "1-1")
UNO = Port("/dev/ttyACM0", "Arduino Uno", "2341:0043:85430353531351B09121", "1-2")
PICO = Port("/dev/ttyACM1", "All Fronts lights", "2e8a:000a:E6614104032B1721", "1-3")
STICK = Port("/dev/ttyUSB1", "Sonoff Zigbee 3.0", "10c4:ea60:0001", "1-4")


def test_the_board_that_is_known_or_calls_itself_ours_is_taken_among_others() -> None:
    assert choose([NANO, STICK, UNO], UNO).port == UNO
    assert choose([NANO, STICK, PICO], None).port == PICO
    assert choose([NANO, STICK, PICO], None).known


def test_the_only_candidate_is_taken_but_is_not_known() -> None:
    choice = choose([NANO, STICK], None)
    assert (choice.port, choice.known) == (NANO, False)


def test_of_several_a_person_chooses() -> None:
    asked: list[str] = []

    def person(question: str) -> str:
        asked.append(question)
        return "2\n"

    choice = choose([NANO, UNO, STICK], None, person)
    assert (choice.port, choice.known) == (UNO, True)
    assert "1 /dev/ttyUSB0 (USB Serial)" in asked[0] and "Sonoff" not in asked[0]


@pytest.mark.parametrize("typed", ["", "\n", "3\n", "0\n", "x\n", "²\n"])
def test_an_answer_that_is_none_stops_it(typed: str) -> None:
    with pytest.raises(Failure) as caught:
        choose([NANO, UNO], None, lambda _: typed)
    assert caught.value.code == "which-port"


def test_nobody_to_ask_and_nothing_to_choose_from() -> None:
    with pytest.raises(Failure) as several:
        choose([NANO, UNO], None)
    assert several.value.code == "which-port"
    with pytest.raises(Failure) as none:
        choose([], None)
    assert none.value.code == "no-device"
    with pytest.raises(Failure) as stick:
        choose([STICK], None)
    assert stick.value.code == "which-port", "what calls itself something else is not taken without a word"
