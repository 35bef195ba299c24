"""Setting up the lights by sight: the questions, and what the answers mean. No port and no screen in here.

`Board` is what it asks of a controller, `Person` what it asks of whoever looks at the lights.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, Protocol, TypeAlias

from host.link.messages import ORDERS, ControllerSettings
from host.messages.command_text import ENGLISH, command_text

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


class _Asker:
    """Puts the questions to a person in a language, by the texts of the group `lights-setup`."""

    def __init__(self, person: Builder, language: str) -> None:
        self._person, self._language = person, language

    def ask(self, code: str, answers: str, **parts: object) -> str:
        return self._person.ask(command_text(self._language, "lights-setup", code, parts), answers)

    def say(self, code: str) -> None:
        self._person.say(command_text(self._language, "lights-setup", code, {}))


def walk_through(
    settings: ControllerSettings, board: BoardInSetup, builder: Builder, language: str = ENGLISH
) -> ControllerSettings:
    """Ask for everything that only an eye can tell; returns the settings, which are in force but not saved."""
    person = _Asker(builder, language)
    settings = _every_light(settings, board, person)
    settings = _colours(settings, board, person)
    settings = _places(settings, board, person)
    settings = _brightness(settings, board, person)
    board.test(TESTS["game"])
    return settings


def _every_light(settings: ControllerSettings, board: BoardInSetup, person: _Asker) -> ControllerSettings:
    settings = replace(settings, chain=36)
    board.settle(settings)
    person.say("all-white")
    board.test(TESTS["white"])
    while True:
        answer = person.ask("how-many", "n#")
        if answer == "n":
            person.say("broken")
            continue
        count = int(answer)
        if 9 <= count <= 36:
            break
        person.say("count")
    settings = replace(settings, chain=count)
    board.settle(settings)
    board.test(TESTS["walk"], count - 1)
    if person.ask("last-only", "yn") == "n":
        return _every_light(settings, board, person)
    return settings


def _colours(settings: ControllerSettings, board: BoardInSetup, person: _Asker) -> ControllerSettings:
    while True:
        board.test(TESTS["red"])
        red = person.ask("colour", "rgb").upper()
        board.test(TESTS["green"])
        green = person.ask("colour-again", "rgb").upper()
        if red != green:
            break
        person.say("same-colour")
    settings = replace(settings, order=order_seen(settings.order, red, green))  # type: ignore[arg-type]
    board.settle(settings)
    return settings


def _places(settings: ControllerSettings, board: BoardInSetup, person: _Asker) -> ControllerSettings:
    person.say("sit-near")
    board.settle(settings)
    board.test(TESTS["bars"])
    bars = list(settings.bars)
    for i, name in enumerate(("left", "middle", "right")):
        count = int(person.ask(f"green-{name}", "123"))
        red_is_near = person.ask(f"red-{name}", "yn") == "y"
        first, back = settings.bars[count - 1]
        bars[i] = (first, back if red_is_near else not back)
    if len({first for first, _ in bars}) < 3:
        person.say("same-count")
        return _places(settings, board, person)
    settings = replace(settings, bars=tuple(bars))
    board.settle(settings)
    board.test(TESTS["bars"])
    if person.ask("placed", "yn") == "n":
        return _places(settings, board, person)
    return settings


def _brightness(settings: ControllerSettings, board: BoardInSetup, person: _Asker) -> ControllerSettings:
    # The bars and not all white: that would be dimmed to the current budget, and look the same however bright.
    board.test(TESTS["bars"])
    while True:
        board.settle(settings)
        answer = person.ask("brightness", "+-y", n=settings.brightness)
        if answer == "y":
            return settings
        factor = 1.35 if answer == "+" else 1 / 1.35
        settings = replace(settings, brightness=max(LOWEST_BRIGHTNESS, min(255, round(settings.brightness * factor))))
