"""What can be wrong with the link, each with one sentence and one remedy: the table of all causes is here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

LinkTroubleCode: TypeAlias = Literal[
    "no-device",
    "no-such-port",
    "no-rights",
    "busy",
    "not-ours",
    "silent",
    "old-firmware",
    "new-firmware",
    "lost",
    "which-port",
    "not-known",
    "wled-away",
    "wled-other",
    "wled-too-few",
]

TROUBLES: Final[dict[LinkTroubleCode, tuple[str, str]]] = {
    "no-device": (
        "No serial device is plugged in.",
        "Plug the controller in with a cable that carries data, not a charging cable.",
    ),
    "no-such-port": (
        "There is no port {port}.",
        "Plug the controller in, or leave the port out: the program finds it by asking.",
    ),
    "no-rights": ("{port} is there, but you have no right to use it.", "{remedy}"),
    "busy": ("{port} is in use by {who}.", "Close it; the lights come back by themselves."),
    "not-ours": (
        "{port} answers, but not in the language of our firmware.",
        "If it is the controller, put the firmware on it: ./allfronts flash --port {port}",
    ),
    "silent": (
        "{port} does not answer.",
        "If it is the controller, press its reset button; if that does not help: ./allfronts flash --port {port}",
    ),
    "old-firmware": (
        "The controller on {port} runs firmware {firmware}, which speaks protocol {theirs}; this host speaks {ours}.",
        "Update the controller: ./allfronts flash --port {port}",
    ),
    "new-firmware": (
        "The controller on {port} runs firmware {firmware}, which speaks protocol {theirs}; this host speaks {ours}.",
        "Update this program (git pull), or put its firmware on the controller: ./allfronts flash --port {port}",
    ),
    "which-port": (
        "Several USB serial devices may be the controller, and none of them is known: {names}.",
        "Name it once, and it is remembered: ./allfronts lights --port NAME",
    ),
    "not-known": (
        "None of the USB serial devices looks like the controller: {names}.",
        "If one of them is it, name it once, and it is remembered: ./allfronts lights --port NAME",
    ),
    "wled-away": (
        "No WLED controller answers at {port}.",
        "Is it switched on, and in the same network? Its address stands in the WLED app.",
    ),
    "wled-other": (
        "What answers at {port} is not WLED.",
        "Look up the address in the WLED app; it must be one of WLED 0.13 or newer.",
    ),
    "wled-too-few": (
        "WLED at {port} has {has} lights; the bars need {needs}.",
        "Set the number of lights in WLED's LED preferences, or say where the bars lie: wled://HOST?bars=0,9,18",
    ),
    "lost": ("The controller on {port} went away.", "Plug it in again; nothing else is needed."),
}
"""Sentence and remedy of each cause; `{…}` are filled in by `trouble`."""


@dataclass(frozen=True, slots=True)
class LinkTrouble:
    """Why the lights are not there. `code` is stable; `parts` is what a translation needs."""

    code: LinkTroubleCode
    message: str
    remedy: str
    port: str | None = None
    parts: tuple[tuple[str, str], ...] = ()


def trouble(code: LinkTroubleCode, port: str | None = None, **parts: str) -> LinkTrouble:
    """The trouble `code` on `port`, its sentences filled in with `parts`."""
    message, remedy = TROUBLES[code]
    fields = {"port": port or "", **parts}
    return LinkTrouble(code, message.format(**fields), remedy.format(**fields), port, tuple(sorted(parts.items())))
