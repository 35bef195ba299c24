"""Files that are read back, damaged at random: no traceback, and nothing lost or altered without a word."""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.failure import Failure
from engine.names import THEATERS
from engine.sight import sight_of
from host.app.page_server import load_access as load_table_access
from host.bench.figure import Figure, Measured
from host.bench.soak.film import scenes
from host.club.web.access import load_access as load_club_access
from host.club.wire.accounts import Accounts
from host.session.session import Rules, Session
from host.session.sqlite_log import SqliteLog
from host.session.sqlite_rescue import rescue
from host.settings import load_settings
from host.setup_wizard.choices import Choices, load_choices, save_choices
from vision.profile import BOARD_PX, CARD_PX, FACES, DeckProfile

TRIES: Final = 2_000
"""Of each kind of file."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file. `read` gives what the program makes of it; `same` where that is what was written."""

    name: str
    make: Callable[[Path], Path]
    """Writes a whole one into a folder and returns the file that is damaged."""
    read: Callable[[Path], Any]


def damaged(whole: bytes, draw: random.Random) -> bytes:
    """Cut, one bit, some bytes, zeros, a piece twice, a piece in another's place, or something else altogether."""
    at, other = sorted((draw.randrange(len(whole)), draw.randrange(len(whole))))
    size = draw.randrange(1, 65)
    return draw.choice((
        whole[:at],
        whole[:at] + bytes([whole[at] ^ 1 << draw.randrange(8)]) + whole[at + 1 :],
        whole[:at] + draw.randbytes(size) + whole[at + size :],
        whole[:at] + bytes(512)[: len(whole) - at] + whole[at + 512 :],
        whole[:other] + whole[at:],
        whole[:at] + whole[other : other + size] + whole[at + size :],
        draw.choice((b"", b"[" * 100_000, b"null", b"{}", b"\xff\xfe\x00", b"9" * 5_000)),
    ))  # fmt: skip


def _game(folder: Path) -> Path:
    path = folder / "games.db"
    with closing(SqliteLog(path)) as log:
        session = Session(log, Rules(), lambda: 1e9)
        for number, scene in enumerate(scenes(3, "revised", 1)):
            session.see(sight_of(dict(scene.board), scene.order), float(number * 3))
            session.tick(number * 3 + 2.4)
    return path


def _read_game(path: Path) -> Any:
    with closing(SqliteLog(path)) as log:
        wars = [(war.id, war.game, war.options, war.began, war.entries) for war in log.wars()]
        entries = [entry.to_json() for entry in log.entries()]
        return wars, entries, log.table


def _choices(folder: Path) -> Path:
    save_choices(Choices(camera="rtsp://cam/1", names={"near": "Ada", "far": "Bo"}, target=9), folder / "setup.json")
    return folder / "setup.json"


def _settings(folder: Path) -> Path:
    text = 'language = "pl"\nedition = "critters"\nport = 8421\npicture = false\n'
    (folder / "settings.toml").write_text(text, "utf-8")
    return folder / "settings.toml"


def _read_settings(path: Path) -> Any:
    """A person writes it, so another allowed text may be meant: only what is not allowed must be named."""
    settings = load_settings(path)
    tomllib.loads(path.read_text("utf-8"))
    return None if settings is not None else settings


def _keys(folder: Path) -> Path:
    load_table_access(True, folder)
    return folder / "keys.json"


def _club_keys(folder: Path) -> Path:
    load_club_access(folder / "access.json", True)
    return folder / "access.json"


def _accounts(folder: Path) -> Path:
    Accounts(folder / "accounts.json").make(["t1", "t2"])
    return folder / "accounts.json"


def _deck(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        noise = np.random.default_rng(5)
        faces = {face: noise.integers(0, 255, (CARD_PX[1], CARD_PX[0], 3)).astype(np.uint8) for face in FACES}
        boards = {t: np.full((BOARD_PX[1], BOARD_PX[0], 3), 80, np.uint8) for t in THEATERS}
        DeckProfile(faces, boards).save(folder)
        return folder / name

    return make


def _read_deck(path: Path) -> Any:
    deck = DeckProfile.load(path.parent)
    pictures = [deck.faces[face].tobytes() for face in FACES] + [deck.boards[t].tobytes() for t in THEATERS]
    return hash(tuple(pictures)), deck.camera_scale, deck.focal, deck.likelihoods


KINDS: Final = (
    Kind("log", _game, _read_game),
    Kind("settings", _settings, _read_settings),
    Kind("choices", _choices, load_choices),
    Kind("invitations", _keys, lambda path: dict(load_table_access(True, path.parent).tokens)),
    Kind("club-invitations", _club_keys, lambda path: dict(load_club_access(path, True).tokens)),
    Kind("club-accounts", _accounts, lambda path: Accounts(path).passwords),
    Kind("deck-record", _deck("profile.json"), _read_deck),
    Kind("deck-face", _deck("A1.png"), _read_deck),
)


def try_kind(kind: Kind, count: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Errors that were no `Failure`, and what came back altered without a word."""
    draw = random.Random(f"{kind.name}/{seed}")
    faults: list[str] = []
    silent: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = kind.make(folder)
        whole = path.read_bytes()
        wanted = kind.read(path)
        for _ in range(count):
            for left in folder.glob("*"):
                if left.name.startswith(f"{path.name}.") or left.name.startswith(f"{path.name}-"):
                    left.unlink()
            data = damaged(whole, draw)
            path.write_bytes(data)
            said = io.StringIO()
            try:
                with contextlib.redirect_stderr(said):
                    found = kind.read(path)
            except Failure:
                if kind.name == "log":
                    faults += _rescue_faults(path)
                continue
            except Exception as error:  # noqa: BLE001 - every other error is what is looked for
                faults.append(f"{kind.name}: {error!r}"[:200])
                continue
            if found != wanted and "is damaged" not in said.getvalue():
                silent.append(f"{kind.name}: {len(data)} bytes, {_first_difference(whole, data)}")
    return faults, silent


def _rescue_faults(path: Path) -> list[str]:
    try:
        rescue(path)
    except Failure:
        return []
    except Exception as error:  # noqa: BLE001 - every other error is what is looked for
        return [f"rescue: {error!r}"[:200]]
    return []


def _first_difference(whole: bytes, data: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(whole, data, strict=False)) if a != b), min(len(whole), len(data)))
    return json.dumps({"at": at, "is": data[at : at + 24].hex()})


def _measured(scale: float) -> Iterator[Measured]:
    import sys

    count = max(10, round(TRIES * scale))
    for kind in KINDS:
        faults, silent = try_kind(kind, count)
        for line in (*faults[:5], *silent[:5]):
            sys.stderr.write(f"  {line}\n")
        yield Measured(len(faults), count, f"{kind.name}-tracebacks")
        yield Measured(len(silent), count, f"{kind.name}-silent")


FIGURE = Figure("soak.damage", "failed", "damaged files of each kind: tracebacks, and silent losses", _measured)
