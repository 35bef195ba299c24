"""Setting up the lights by sight: the questions, and what the answers mean. No port and no screen in here.

`Board` is what it asks of a controller, `Person` what it asks of whoever looks at the lights.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, Protocol, TypeAlias

from host.link.messages import ORDERS, ControllerSettings

Channel: TypeAlias = Literal["R", "G", "B"]

TESTS: Final = {"game": 0, "walk": 1, "white": 2, "red": 3, "green": 4, "blue": 5, "bars": 6}
"""Self-test patterns by name (PROTOCOL.md, section 9)."""
WALK: Final = 255
LOWEST_BRIGHTNESS: Final = 8
"""Below it colours cannot be told apart: too few steps are left."""


class BoardInSetup(Protocol):
    """A controller in setting up. Both calls return when the lights show it; they raise `Failure`."""

    def test(self, pattern: int, index: int = 0) -> None: ...

    def settle(self, settings: ControllerSettings) -> None: ...


class Builder(Protocol):
    def ask(self, question: str, answers: str) -> str:
        """One letter of `answers`, or a number where `answers` holds `#`. Raises EOFError when there is nobody."""
        ...

    def say(self, line: str) -> None: ...


def order_seen(present: int, red_seen: Channel, green_seen: Channel) -> int:
    """The strip's colour order, from what was seen when red and then green was sent in the order `present`.

    Raises ValueError if both were seen as the same colour.
    """
    if red_seen == green_seen:
        raise ValueError("red and green cannot look the same")
    sent = ORDERS[present]
    seen = {"R": red_seen, "G": green_seen}
    seen["B"] = next(c for c in ("R", "G", "B") if c not in seen.values())
    return ORDERS.index("".join(seen[channel] for channel in sent))


def walk_through(settings: ControllerSettings, board: BoardInSetup, person: Builder) -> ControllerSettings:
    """Ask for everything that only an eye can tell; returns the settings, which are in force but not saved."""
    settings = _every_light(settings, board, person)
    settings = _colours(settings, board, person)
    settings = _places(settings, board, person)
    settings = _brightness(settings, board, person)
    board.test(TESTS["game"])
    return settings


def _every_light(settings: ControllerSettings, board: BoardInSetup, person: Builder) -> ControllerSettings:
    settings = replace(settings, chain=36)
    board.settle(settings)
    person.say("Every light that is there lights up white, the whole chain.")
    board.test(TESTS["white"])
    while True:
        answer = person.ask("How many lights do shine? A number, or n if one in between stays dark", "n#")
        if answer == "n":
            person.say("The chain is broken there: that light, or the joint before it, is at fault. Mend it first.")
            continue
        count = int(answer)
        if 9 <= count <= 36:
            break
        person.say("9 to 36 lights can be driven; a game needs 27.")
    settings = replace(settings, chain=count)
    board.settle(settings)
    board.test(TESTS["walk"], count - 1)
    if person.ask("Now only the last light of the chain shines. Is that so?", "yn") == "n":
        return _every_light(settings, board, person)
    return settings


def _colours(settings: ControllerSettings, board: BoardInSetup, person: Builder) -> ControllerSettings:
    while True:
        board.test(TESTS["red"])
        red = person.ask("Which colour do all lights show: r red, g green or b blue?", "rgb").upper()
        board.test(TESTS["green"])
        green = person.ask("And now?", "rgb").upper()
        if red != green:
            break
        person.say("The same colour twice cannot be. Once more.")
    settings = replace(settings, order=order_seen(settings.order, red, green))  # type: ignore[arg-type]
    board.settle(settings)
    return settings


def _places(settings: ControllerSettings, board: BoardInSetup, person: Builder) -> ControllerSettings:
    person.say("Sit down at the near seat. Each bar now has a red end, a white middle and a blue end.")
    board.settle(settings)
    board.test(TESTS["bars"])
    bars = list(settings.bars)
    for i, name in enumerate(("left", "middle", "right")):
        count = int(person.ask(f"How many green lights has the {name} bar: 1, 2 or 3?", "123"))
        red_is_near = person.ask(f"Is the red end of the {name} bar at your side?", "yn") == "y"
        first, back = settings.bars[count - 1]
        bars[i] = (first, back if red_is_near else not back)
    if len({first for first, _ in bars}) < 3:
        person.say("Two bars with the same count cannot be. Once more.")
        return _places(settings, board, person)
    settings = replace(settings, bars=tuple(bars))
    board.settle(settings)
    board.test(TESTS["bars"])
    if person.ask("From left to right now 1, 2, 3 green lights, and all red ends at your side?", "yn") == "n":
        return _places(settings, board, person)
    return settings


def _brightness(settings: ControllerSettings, board: BoardInSetup, person: Builder) -> ControllerSettings:
    # The bars and not all white: that would be dimmed to the current budget, and look the same however bright.
    board.test(TESTS["bars"])
    while True:
        board.settle(settings)
        question = f"Brightness {settings.brightness} of 255: + brighter, - darker, y right"
        answer = person.ask(question, "+-y")
        if answer == "y":
            return settings
        factor = 1.35 if answer == "+" else 1 / 1.35
        settings = replace(settings, brightness=max(LOWEST_BRIGHTNESS, min(255, round(settings.brightness * factor))))
