"""Which USB serial device is the board: the one that is known, the only one that can be, or the one a person names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.failure import Failure
from host.link.ports import Port, describe, may_be_ours, remembered, says_it_is_ours


@dataclass(frozen=True, slots=True)
class PortChoice:
    """A port, and whether it is known to be ours."""

    port: Port
    known: bool


def choose(ports: Sequence[Port], kept: Port | None, ask: Callable[[str], str] | None = None) -> PortChoice:
    """The board among `ports`. With several candidates `ask` is given a question and returns what was typed.

    Raises Failure: `no-device`, or `which-port` where nobody can be asked or the answer is none of them.
    """
    if not ports:
        raise Failure(
            "no-device",
            "No USB serial device is plugged in.",
            "Plug the board in with a cable that carries data (a new Pico: with its BOOTSEL button held), "
            "or name its port: --port /dev/ttyUSB0",
        )
    known = remembered(ports, kept) or [port for port in ports if says_it_is_ours(port)]
    if len(known) == 1:
        return PortChoice(known[0], True)
    candidates = known or [port for port in ports if may_be_ours(port)] or list(ports)
    if len(candidates) == 1 and may_be_ours(candidates[0]):
        return PortChoice(candidates[0], False)
    names = [describe(port) for port in candidates]
    if ask is not None:
        rows = "".join(f"  {number} {name}\n" for number, name in enumerate(names, 1))
        typed = ask(f"Which of these is the controller?\n{rows}A number, or nothing to stop: ").strip()
        if typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= len(candidates):
            return PortChoice(candidates[int(typed) - 1], True)
    raise Failure("which-port", f"Several devices are there: {'; '.join(names)}.", "Name the board's: --port …")
