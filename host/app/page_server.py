"""Opening the page: invitations, the server, the address to print and the code to scan."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import secrets
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import segno
from flask import Blueprint, Flask

from engine.failure import BadInput, Failure
from engine.names import SEATS
from host.app.network_page import NetworkAddress, NetworkPage
from host.invitations.page import invitation_pages
from host.kept_file import read_kept, read_whole, write_kept
from host.messages.command_text import CommandRefusal, command_text, refusal_line
from host.settings import data_folder
from host.web.access import LOOPBACK, ROLES, Access, Invitations, Role, hosts, lan_address
from host.web.app import TABLE, Home, MorePages, RequestGuard, make_app
from host.web.backend import Backend
from host.web.page_state import TableView
from host.web.preferred_language import preferred_language
from host.web.server import PageServer


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that is being served, on this machine at `base` and perhaps on the network."""

    server: PageServer
    network: NetworkPage
    access: Access
    base: str

    @property
    def address(self) -> str:
        """What to print and open: the owner's, with the invitation where the page is open to the network."""
        return self.base if self.network.base is None else f"{self.network.base}/join?k={self.access.tokens['owner']}"

    def say(self, language: str) -> str:
        """What a person who starts the table is told."""
        parts = {"base": self.base, "address": self.address}
        if self.network.base is None:
            return command_text(language, "terminal", "page-at", parts) + "\n"
        lines = [command_text(language, "terminal", code, parts) for code in ("page-scan", "page-here", "page-who")]
        return "\n".join([_in_terminal(self.address), *lines, ""])

    def close(self) -> None:
        """Nobody reaches the page any more."""
        self.network.close()
        self.server.close()


def network_address(named: str | None) -> NetworkAddress:
    """Where phones reach this machine: at the address that was named, else at one that is found when it is needed.
    Raises `BadInput` for an address that is not this machine's."""
    if named is None:
        return lan_address
    try:
        ipaddress.IPv4Address(named)
        socket.create_server((named, 0)).close()
    except (ValueError, OSError) as error:
        raise CommandRefusal("bad-address", "bad-address", address=named) from error
    return lambda: named


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
    """Who may come in, with the invitations. They are kept (readable by this person only), so that phones that were
    invited come back after a restart on the same day; where they cannot be kept, they end with the program."""
    path = (folder or data_folder()) / "keys.json"

    def kept(read: Any) -> Access:
        tokens: dict[Role, str] = {role: str(read["tokens"][role]) for role in ROLES}
        if min(map(len, tokens.values())) < 20 or len(set(tokens.values())) < len(ROLES):
            raise ValueError("short or equal keys")
        key = bytes.fromhex(read["secret"])
        if len(key) < 32:
            raise ValueError("short secret")
        taken: dict[Role, float] = {role: float(at) for role, at in read.get("taken", {}).items() if role in ROLES}
        # Of a file without them the age is unknown: such invitations are made anew.
        made = {role: float(read.get("made", {}).get(role, 0.0)) for role in ROLES}
        found = Invitations(tokens, taken, lambda changed: _keep(path, changed, key), made=made)
        if dict(found) != tokens:
            _keep(path, found, key)
        return Access(opened, found, key)

    found = read_kept(path, kept, "Invitations are made anew: invite the phones again.")
    if found is not None:
        return found
    secret = secrets.token_bytes(32)
    made = Invitations(changed=lambda changed: _keep(path, changed, secret))
    _keep(path, made, secret)
    return Access(opened, made, secret)


def _keep(path: Path, invitations: Invitations, secret: bytes) -> None:
    """Writes the invitations. What another program at this machine made anew since stays so: an invitation that was
    revoked there does not come back with the next start."""
    # Looking at a token makes one that has ended anew, so all else is asked after.
    tokens = dict(invitations)
    taken = {role: at for role in ROLES if (at := invitations.taken(role)) is not None}
    made = {role: invitations.made(role) for role in ROLES}
    # A file that is not there yet, or not as it was written, is written over.
    with suppress(FileNotFoundError, BadInput, KeyError, TypeError, ValueError):
        there = read_whole(path)
        for role in ROLES:
            if made[role] < (at := float(there["made"][role])) <= time.time():
                tokens[role], made[role] = str(there["tokens"][role]), at
                taken.pop(role, None)
    try:
        write_kept(path, {"tokens": tokens, "secret": secret.hex(), "taken": taken, "made": made})
    except OSError as error:
        sys.stderr.write(f"allfronts: invitations end with the program: {path} cannot be written ({error.strerror}).\n")


def open_page(
    backend: Backend,
    access: Access,
    port: int,
    language: str = "en",
    pages: Sequence[MorePages] = (),
    home: Home = TABLE,
    *,
    address: NetworkAddress = lan_address,
) -> OpenPage:
    """Serves the page on this machine, where everybody owns the table, and with an opened access on the network too,
    by invitation, at `address`. Raises `BadInput` where the port cannot be had."""
    found: list[PageServer] = []

    def sitting() -> Mapping[str, str]:
        newest = backend.broadcaster.newest
        view = None if newest is None else newest.view
        return dict(zip(SEATS, view.names, strict=True)) if isinstance(view, TableView) else {}

    def make(who: Access, answered: Callable[[], frozenset[str]]) -> Flask:
        chosen = preferred_language(language)

        def invitations(guard: RequestGuard) -> Blueprint:
            return invitation_pages(access.tokens, network, guard, chosen, sitting)

        return make_app(backend, who, answered, language, (*pages, invitations), home)

    network = NetworkPage(
        make, replace(access, opened=True), lambda: found[0].port, data_folder() / "certificate", address=address
    )
    here = make(replace(access, opened=False), lambda: hosts(found[0].port, None))
    found.append(PageServer(here, (LOOPBACK,), port))
    found[0].start()
    if access.opened:
        try:
            network.open()
        except Failure as failure:
            told = refusal_line(failure, language)
            sys.stderr.write(f"allfronts: {told} {command_text(language, 'terminal', 'page-here-only', {})}\n")
    return OpenPage(found[0], network, access, f"http://{LOOPBACK}:{found[0].port}")


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
