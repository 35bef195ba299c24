"""Opening the page: invitations, the server, the address to print and the code to scan."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import segno

from host.settings import data_folder
from host.web.access import ROLES, Access, Role, hosts, lan_address
from host.web.app import TABLE, Home, MorePages, make_app
from host.web.backend import Backend
from host.web.server import PageServer

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that is being served. `address` is what to print and open: the owner's, with its key if one is needed."""

    server: PageServer
    access: Access
    base: str

    @property
    def address(self) -> str:
        return f"{self.base}/join?k={self.access.tokens['owner']}" if self.access.opened else self.base

    def say(self) -> str:
        """What a person who starts the table is told."""
        if not self.access.opened:
            return f"The page is at {self.base} (Ctrl-C ends)\n"
        drawn = _in_terminal(self.address)
        return (
            f"{drawn}\nScan this with the phone that runs the table, or open {self.address}\n"
            "Players and onlookers scan the codes on its page. Whoever has a code can come in; nobody else can.\n"
            "(Ctrl-C ends)\n"
        )


def program_id() -> str:
    """Changes with any of the page files, so that an open page of an older program loads itself anew."""
    digest = hashlib.sha256()
    for file in sorted(_files(resources.files("host.web").joinpath("static")), key=lambda file: file.name):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _files(folder: Traversable) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry)
        else:
            yield entry


def load_access(opened: bool, folder: Path | None = None) -> Access:
    """Who may come in, with the tokens of the invitations. They are kept (readable by this person only), so that phones
    that were invited come back after a restart; where they cannot be kept, they hold as long as the program runs."""
    path = (folder or data_folder()) / "keys.json"
    try:
        read = json.loads(path.read_text("utf-8"))
        tokens: dict[Role, str] = {role: str(read["tokens"][role]) for role in ROLES}
        if min(map(len, tokens.values())) < 20:
            raise ValueError("short key")
        return Access(opened, tokens, bytes.fromhex(read["secret"]))
    except (OSError, ValueError, KeyError, TypeError):
        made = Access(opened)
    record = json.dumps({"tokens": dict(made.tokens), "secret": made.secret.hex()})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{secrets.token_hex(4)}")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(record)
        fresh.replace(path)
    except OSError as error:
        sys.stderr.write(f"allfronts: invitations end with the program: {path} cannot be written ({error.strerror}).\n")
    return made


def open_page(
    backend: Backend,
    access: Access,
    port: int,
    language: str = "en",
    pages: Sequence[MorePages] = (),
    home: Home = TABLE,
) -> OpenPage:
    """Serves the page; raises `BadInput` where the port cannot be had. Opened, it listens on the network as well."""
    address = lan_address() if access.opened else None
    if access.opened and address is None:
        sys.stderr.write("allfronts: there is no network to open the page to; it is at this machine only.\n")
    found: list[PageServer] = []
    names: dict[str, frozenset[str]] = {}

    def answered() -> frozenset[str]:
        return names.setdefault("hosts", hosts(found[0].port, address))

    def base() -> str:
        return f"http://{address or LOOPBACK}:{found[0].port}"

    app = make_app(backend, access, answered, language, base, pages, home)
    found.append(PageServer(app, (LOOPBACK, address) if address else (LOOPBACK,), port))
    found[0].start()
    return OpenPage(found[0], access, base())


def show_in_browser(address: str) -> None:
    """Opens a browser where there is a display. It runs aside: a browser that is slow to start holds up nothing."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    threading.Thread(target=webbrowser.open, args=(address,), name="browser", daemon=True).start()


def _in_terminal(text: str) -> str:
    """A QR code in half blocks, dark on light whatever the terminal's colours are."""
    matrix = [list(row) for row in segno.make(text, error="l").matrix_iter(border=2)]
    if len(matrix) % 2:
        matrix.append([0] * len(matrix[0]))
    lines = []
    for upper, lower in zip(matrix[::2], matrix[1::2], strict=True):
        cells = "".join(" ▄▀█"[2 * (not a) + (not b)] for a, b in zip(upper, lower, strict=True))
        lines.append(f"\x1b[97;40m{cells}\x1b[0m" if sys.stdout.isatty() else cells)
    return "\n".join(lines)
