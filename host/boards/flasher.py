"""Puts firmware on a board with avrdude, finding out by trying which boot loader it has."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from engine.failure import Failure

LOADERS: Final = ((115200, "new boot loader, or Uno"), (57600, "old boot loader"))
"""Speeds of the boot loaders of Nano and Uno, the likelier first."""

FlashStage: TypeAlias = Literal["asking", "writing", "verifying"]

_NO_WORD: Final = re.compile(r"avrdude done|(Reading|Writing) \||.*TIOCM")
"""Its thanks, its bars, and its remark, behind whatever it says last, that a port has no line to reset the board."""

INSTALL: Final = {
    "apt-get": "sudo apt-get install avrdude",
    "dnf": "sudo dnf install avrdude",
    "pacman": "sudo pacman -S avrdude",
    "zypper": "sudo zypper install avrdude",
    "brew": "brew install avrdude",
    "winget": "winget install AVRDudes.AVRDUDE",
}


def avrdude_path() -> str:
    """Where avrdude is; raises Failure (`no-avrdude`) with the line that installs it here."""
    found = shutil.which("avrdude")
    if found:
        return found
    line = next((INSTALL[tool] for tool in INSTALL if shutil.which(tool)), None)
    remedy = f"Type: {line}" if line else "Install avrdude 6.3 or newer; the Arduino IDE brings one along."
    raise Failure("no-avrdude", "avrdude, the program that writes to the board, is not installed.", remedy)


ROUNDS: Final = (1, 3)
"""Attempts at each speed in the first round and in the second: a boot loader that is there answers the first."""
PART: Final = "m328p"
PART_PB: Final = "m328pb"
"""The ATmega328PB on some clones: it runs the same program and has another signature."""
SIGNATURE_PB: Final = "1e9516"


def avrdude_line(
    avrdude: str, port: str, baud: int, image: Path, part: str = PART, attempts: int = ROUNDS[0]
) -> list[str]:
    """What is run. -D: the boot loader erases page by page. Writing verifies by itself. An attempt at a wrong speed
    costs five seconds."""
    talk = ["-c", "arduino", "-p", part, "-P", port, "-b", str(baud), "-x", f"attempts={attempts}"]
    return [avrdude, *talk, "-D", "-U", f"flash:w:{image}:i"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of avrdude: what it said, and how far it came."""

    baud: int
    status: int
    said: str
    stages: tuple[FlashStage, ...]

    @property
    def done(self) -> bool:
        return self.status == 0 and "verified" in self.said

    @property
    def in_sync(self) -> bool:
        """Did a boot loader answer at this speed?"""
        return bool(self.stages) or "signature" in self.said.lower()

    @property
    def last_word(self) -> str:
        """The last line that tells something; avrdude ends with thanks also when it has failed."""
        lines = [line.strip().removeprefix("avrdude: ") for line in self.said.splitlines()]
        return next((line for line in reversed(lines) if line and not _NO_WORD.match(line)), "the board fell silent")


_BAR: Final = re.compile(r"(Reading|Writing) \|\s*(#*)")


def _stage(said: str) -> tuple[FlashStage, int] | None:
    """How far avrdude is by what it said: the last bar, and what it means by the bars before it."""
    bars = _BAR.findall(said)
    if not bars:
        return None
    name, signs = bars[-1]
    written = any(before == "Writing" for before, _ in bars)
    stage: FlashStage = "writing" if name == "Writing" else "verifying" if written else "asking"
    return stage, min(100, 2 * len(signs))


def _ends_after(seconds: float, process: subprocess.Popen[bytes]) -> threading.Timer:
    watchdog = threading.Timer(seconds, process.kill)
    watchdog.daemon = True
    watchdog.start()
    return watchdog


def attempt(
    command: Sequence[str], baud: int, progress: Callable[[FlashStage, int], None], silence: float = 25
) -> Attempt:
    """Run avrdude once. `progress` is told the stage and its hundredths as they come; avrdude itself waits for
    minutes for a board that was pulled out amid the writing: `silence` seconds without a word end it."""
    said = bytearray()
    stages: list[FlashStage] = []
    told: tuple[FlashStage, int] | None = None
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
    ) as process:
        watchdog = _ends_after(silence, process)
        try:
            assert process.stdout is not None
            while chunk := process.stdout.read(64):
                watchdog.cancel()
                watchdog = _ends_after(silence, process)
                said += chunk
                now = _stage(said.decode("ascii", "replace"))
                if now is not None and now != told:
                    told = now
                    if now[0] not in stages:
                        stages.append(now[0])
                    progress(*now)
            status = process.wait()
        finally:
            watchdog.cancel()
    return Attempt(baud, status, said.decode("utf-8", "replace"), tuple(stages))


def flash(
    port: str,
    image: Path,
    *,
    say: Callable[[str], None],
    progress: Callable[[FlashStage, int], None],
    loaders: Sequence[tuple[int, str]] = LOADERS,
    avrdude: str | None = None,
) -> Attempt:
    """Write and verify `image` on the board at `port`; returns the run that did it.

    Raises Failure: `no-avrdude`, `no-loader` (none answered at any speed), `wrong-chip`, `flash-failed`.
    """
    program = avrdude or avrdude_path()
    tried: list[Attempt] = []
    for attempts, (baud, name) in ((attempts, loader) for attempts in ROUNDS for loader in loaders):
        say(f"Trying {baud} baud ({name}).")
        run = attempt(avrdude_line(program, port, baud, image, attempts=attempts), baud, progress)
        tried.append(run)
        if run.in_sync and not run.done and SIGNATURE_PB in run.said.lower().replace(" ", "").replace("0x", ""):
            say("It is an ATmega328PB, for which the program is the same.")
            run = attempt(avrdude_line(program, port, baud, image, PART_PB), baud, progress)
        if run.done:
            return run
        if run.in_sync:
            raise _failed(run, port)
        say("Nothing answers at this speed.")
    last = " / ".join(run.last_word for run in tried)
    raise Failure(
        "no-loader",
        f"No boot loader answers on {port} (avrdude: {last[:200]}).",
        "Is it a Nano or Uno with ATmega328P? Press its reset button just when this begins, and try again.",
    )


def _failed(run: Attempt, port: str) -> Failure:
    lowered = run.said.lower()
    if "expected signature" in lowered or "double check chip" in lowered:
        return Failure(
            "wrong-chip",
            f"The board on {port} is not an ATmega328P.",
            "The firmware is for Arduino Nano and Uno with ATmega328P; for other boards see firmware/README.md.",
        )
    if "mismatch" in lowered or "verification error" in lowered:
        return Failure(
            "verify-failed", "What was written reads back differently.", "Try again; if it stays, the chip is worn out."
        )
    return Failure(
        "flash-failed", f"Writing stopped: {run.last_word}.", "Check the cable and try again; the board is not lost."
    )
