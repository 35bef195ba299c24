"""Settings: typed, documented where they are declared, and an unknown key is an error.

Read from `$XDG_CONFIG_HOME/allfronts/settings.toml` (or `~/.config/…`), where it exists; the command line goes before.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from engine.failure import BadInput, Failure
from engine.lexicon import LANGUAGES
from engine.names import EDITIONS
from host.session.game_log import OBSERVATIONS_KEPT


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set. Every field has a default that suits a table at home."""

    language: str = "en"
    """Language of the page until a phone chooses its own, and of what the command line says."""
    edition: str = "revised"
    """Which rules are played: first, revised or critters."""
    port: int = 8420
    """Port of the page."""
    target: int = 12
    """Points that win the war."""
    beginner: bool = False
    """Beginner's mode: one point a battle, three win the war, whatever `target` says."""
    picture: bool = True
    """Whether the page shows the last still picture that the camera read."""
    readings: int = OBSERVATIONS_KEPT
    """How many readings and inputs are kept at most, the newest, so that a war can be followed again with
    `allfronts games replay`; 0 keeps none."""
    pictures_kept: int = 200
    """Megabytes of still pictures that are kept beside the games, one a move, for the archive; the oldest go first.
    0, and `picture = false`, keep none."""
    home_assistant: str = ""
    """Broker that shows the table in Home Assistant, such as `mqtt://user:password@host`; empty: off."""

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(LANGUAGES)}")
        if self.edition not in EDITIONS:
            raise ValueError(f"edition must be one of {', '.join(EDITIONS)}")
        if not 1 <= self.port <= 65535:
            raise ValueError("port must lie between 1 and 65535")
        if not 1 <= self.target <= 1000:
            raise ValueError("target must lie between 1 and 1000")
        if self.readings < 0:
            raise ValueError("readings must be 0 or more")
        if not 0 <= self.pictures_kept <= 1_000_000:
            raise ValueError("pictures_kept must lie between 0 and 1000000")


_TYPES: Final = {"str": str, "int": int, "bool": bool}


def settings_path() -> Path:
    """Where the settings lie for this person."""
    return _base("XDG_CONFIG_HOME", ".config") / "settings.toml"


def data_folder() -> Path:
    """Where the game log lies for this person."""
    return _base("XDG_DATA_HOME", ".local/share")


def log_path(named: str | None = None) -> Path:
    """The game log: the file that was named, else this person's own."""
    return Path(named) if named else data_folder() / "games.db"


def cache_folder() -> Path:
    """Where things lie that can be made again, such as the demonstration's deck."""
    return _base("XDG_CACHE_HOME", ".cache")


def _base(variable: str, fallback: str) -> Path:
    set_to = os.environ.get(variable, "")
    # The specification wants a relative path ignored.
    root = Path(set_to) if set_to.startswith("/") else Path.home() / fallback
    return root / "allfronts"


LONGEST: Final = 65_536
"""Bytes of a file of settings."""


class _Asked:
    """What the command line asks for, for the whole process and all its threads."""

    language: str | None = None


def ask_language(language: str | None) -> None:
    """From now on the settings have this language, whatever the file says; None leaves it to the file."""
    _Asked.language = language


def load_settings(path: Path | None = None) -> Settings:
    """The settings of `path` (the person's own by default); the defaults where there is no file.

    Raises `BadInput` (`bad-settings`) that names the file, the key and the mend.
    """
    asked = _Asked.language
    settings = _read(settings_path() if path is None else path)
    return settings if asked is None else replace(settings, language=asked)


def _read(path: Path) -> Settings:
    try:
        if not path.exists():
            return Settings()
        if not path.is_file() or path.stat().st_size > LONGEST:
            raise OSError("it is no file of settings")
        read = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput("bad-settings", f"{path} cannot be read: {error}.", "Mend or remove the file.") from error
    return parse_settings(read, str(path))


def spoken_language() -> str:
    """The language of command line and settings, for what is said about everything, also where the settings are spoilt:
    then it is English unless the command line asks for another."""
    try:
        return load_settings().language
    except Failure:
        return _Asked.language or Settings().language


def parse_settings(read: dict[str, Any], name: str) -> Settings:
    """Settings from a table of keys; raises `BadInput` (`bad-settings`) for an unknown key or a wrong value."""
    known = {f.name: str(f.type) for f in fields(Settings)}
    for key, value in read.items():
        if key not in known:
            raise BadInput("bad-settings", f"{name}: there is no setting {key!r}.", f"Settings are {', '.join(known)}.")
        # type() and not isinstance: true is an int to Python and a mistake to a person.
        if type(value) is not _TYPES[known[key]]:
            raise BadInput("bad-settings", f"{name}: {key} = {value!r} is not of type {known[key]}.", "Mend the line.")
    try:
        return Settings(**read)
    except ValueError as error:
        raise BadInput("bad-settings", f"{name}: {error}.", "Mend the line.") from error
