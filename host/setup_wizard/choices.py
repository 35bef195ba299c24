"""What was chosen while setting up, kept between starts: a typed record, one JSON file in the settings' folder."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from engine.failure import BadInput
from engine.names import SEATS, EditionName, Seat, parse_edition, parse_seat
from host.kept_file import read_kept, write_kept
from host.player_name import plain_name
from host.settings import settings_path

LightsChoice: TypeAlias = Literal["unasked", "found", "none"]

SPEC_LONGEST: Final = 500
TARGET_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Choices:
    """Every field has a value that stands for "not chosen yet" or a default that suits a first game."""

    camera: str | None = None
    """A source as `open_source` takes it: a camera's number, a stream's address, a film or a folder."""
    aimed: bool = False
    """The picture was looked at and found good, or taken as it is."""
    mat: bool = False
    """The mat was printed and its tags measured."""
    deck: str | None = None
    """The folder of the deck's profile."""
    lights: LightsChoice = "unasked"
    names: Mapping[Seat, str] = field(default_factory=lambda: {"near": "", "far": ""})
    """Who sits where; empty for a player without a name."""
    players: bool = False
    """Names and rules were looked at and confirmed."""
    edition: EditionName = "revised"
    target: int = 12
    beginner: bool = False
    first: Seat | None = None
    """Who is first player; None: whoever lays the first card."""

    def with_changes(self, sent: Mapping[str, Any]) -> Choices:
        """A copy with the fields of `sent`; raises `BadInput` (`bad-choice`) for what cannot be."""
        known = {f.name for f in fields(Choices)}
        changed = self
        for key, value in sent.items():
            if key not in known:
                raise _bad(key)
            changed = replace(changed, **{key: _checked(key, value)})
        return changed


def _checked(key: str, value: Any) -> Any:
    try:
        match key:
            case "camera" | "deck":
                if value is not None and not (isinstance(value, str) and 0 < len(value) <= SPEC_LONGEST):
                    raise _bad(key)
                # Half a surrogate pair is a character to JSON and cannot be written down.
                str(value).encode()
                return value
            case "aimed" | "mat" | "beginner" | "players":
                if type(value) is not bool:
                    raise _bad(key)
                return value
            case "lights":
                if value not in ("unasked", "found", "none"):
                    raise _bad(key)
                return value
            case "names":
                return {seat: person_name(dict(value).get(seat, "")) for seat in SEATS}
            case "edition":
                return parse_edition(value)
            case "first":
                return None if value is None else parse_seat(value)
            case _:
                if type(value) is not int or not 1 <= value <= TARGET_MOST:
                    raise _bad(key)
                return value
    except (TypeError, ValueError) as error:
        raise _bad(key) from error


def _bad(key: str) -> BadInput:
    return BadInput("bad-choice", f"That cannot be chosen for {key}.", "Choose again.")


def person_name(text: object) -> str:
    """A player's name as it is shown: without control characters and double spaces, of a length that fits."""
    if not isinstance(text, str):
        raise _bad("names")
    return plain_name(text)


def choices_path() -> Path:
    """Where the choices lie for this person."""
    return settings_path().parent / "setup.json"


def load_choices(path: Path) -> Choices:
    """What was chosen before. What cannot be, is left out: it is asked for again. A damaged file is set aside."""
    read: dict[str, Any] = read_kept(path, dict, "Set-up asks again.") or {}
    chosen = Choices()
    for key, value in read.items():
        with contextlib.suppress(BadInput):
            chosen = chosen.with_changes({key: value})
    return chosen


def save_choices(chosen: Choices, path: Path) -> None:
    """Writes the whole record or nothing; raises `OSError` where that cannot be."""
    # An address of a camera may carry a password: the file is for this person only.
    write_kept(path, asdict(chosen))
