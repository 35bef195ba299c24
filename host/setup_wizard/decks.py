"""The decks that were learnt: each a profile in a folder of its own, with name and date. None is ever overwritten."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.failure import BadInput
from host.file_there import is_file_there
from host.setup_wizard.choices import person_name
from vision.profile import DeckProfile
from vision.types import Picture

ABOUT: Final = "about.json"
MOST: Final = 60


@dataclass(frozen=True, slots=True)
class LearntDeck:
    """A learnt deck. `learnt` is seconds since 1970."""

    folder: Path
    name: str
    learnt: float

    @property
    def id(self) -> str:
        return str(self.folder)


class DeckLibrary:
    """Decks in `home`, where new ones are kept, and those that lie directly in `places`."""

    def __init__(self, home: Path, places: Iterable[Path], wall: Callable[[], float]) -> None:
        self._home, self._places, self._wall = home, tuple(places), wall

    def decks(self) -> tuple[LearntDeck, ...]:
        """All decks that are there, the newest first."""
        found: dict[Path, LearntDeck] = {}
        for place in (self._home, *self._places):
            with suppress(OSError):
                for folder in sorted(place.iterdir()):
                    deck = _deck(folder)
                    if deck is not None:
                        found.setdefault(folder.resolve(), deck)
        return tuple(sorted(found.values(), key=lambda deck: -deck.learnt)[:MOST])

    def deck(self, folder: str | None) -> LearntDeck | None:
        """The deck of that id, if it is one of `decks`."""
        return next((deck for deck in self.decks() if deck.id == folder), None)

    def keep(self, profile: DeckProfile, name: str, sheet: Picture | None = None) -> LearntDeck:
        """Writes a new deck beside the others, with its sheet to look at; raises `BadInput` (`deck-not-written`)."""
        shown = person_name(name) or "Deck"
        made = self._home / f".{secrets.token_hex(6)}"
        try:
            profile.save(made, sheet)
            about = {"name": shown, "learnt": self._wall()}
            (made / ABOUT).write_text(json.dumps(about, ensure_ascii=False) + "\n", "utf-8")
            folder = self._free(shown)
            made.rename(folder)
        except OSError as error:
            raise BadInput(
                "deck-not-written", f"{self._home} cannot be written: {error.strerror}.", "Make room on the disk."
            ) from error
        finally:
            shutil.rmtree(made, ignore_errors=True)
        deck = _deck(folder)
        assert deck is not None
        return deck

    def _free(self, name: str) -> Path:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "deck"
        names = (stem, *(f"{stem}-{n}" for n in range(2, 1000)))
        return next(self._home / n for n in names if not (self._home / n).exists())


def _deck(folder: Path) -> LearntDeck | None:
    profile = folder / "profile.json"
    if folder.name.startswith(".") or not is_file_there(profile):
        return None
    try:
        learnt = profile.stat().st_mtime
        record = json.loads(profile.read_text("utf-8"))
        if not isinstance(record, dict) or record.get("format") != "allfronts-deck":
            return None
    except (OSError, ValueError, RecursionError):
        return None
    name = folder.name
    with suppress(OSError, ValueError, BadInput, AttributeError, TypeError, RecursionError, OverflowError):
        about = json.loads((folder / ABOUT).read_text("utf-8"))
        name = person_name(about.get("name")) or name
        learnt = float(about.get("learnt", learnt))
    return LearntDeck(folder, name, learnt)
