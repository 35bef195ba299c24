"""The page on the home network: opened when somebody asks for it, in the clear and over HTTPS, and closed again.

On this machine whoever reaches the page owns the table; on the network nothing is served without an invitation. Two
applications with the same invitations see to that, each at its own address.
"""

from __future__ import annotations

import datetime
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from flask import Flask

from engine.failure import BadInput, Failure
from host.web.access import LOOPBACK, Access, hosts, lan_address
from host.web.certificate import TableCertificate, table_certificate
from host.web.server import PageServer
from host.web.tls_front import TlsFront

SECURE_PORT: Final = 8443

Hosts: TypeAlias = Callable[[], frozenset[str]]
NetworkAddress: TypeAlias = Callable[[], str | None]
"""Where phones on the network reach this machine; None without a network."""
MakeApp: TypeAlias = Callable[[Access, Hosts], Flask]
"""Makes the application for an access and the Host headers that it answers."""


class NetworkPage:
    """Every method may be called from any thread; opening what is open does nothing."""

    def __init__(
        self,
        make: MakeApp,
        access: Access,
        port: Callable[[], int],
        folder: Path,
        *,
        address: NetworkAddress = lan_address,
        secure_port: int = SECURE_PORT,
    ) -> None:
        """`access` is an opened one; `port` is that of the page on this machine; `folder` keeps the certificate."""
        self._make, self._access, self._port, self._folder = make, access, port, folder
        self._find_address, self._wanted_secure_port = address, secure_port
        self._lock = threading.RLock()
        self._address: str | None = None
        self._server: PageServer | None = None
        self._secure: tuple[PageServer, TlsFront] | None = None
        self._certificate: TableCertificate | None = None

    @property
    def base(self) -> str | None:
        with self._lock:
            return None if self._server is None else f"http://{self._address}:{self._server.port}"

    @property
    def secure_base(self) -> str | None:
        with self._lock:
            return None if self._secure is None else f"https://{self._address}:{self._secure[1].port}"

    @property
    def certificate(self) -> TableCertificate | None:
        with self._lock:
            return self._certificate

    def open(self) -> None:
        """Raises `Failure` (`no-network`) or `BadInput` (`port-in-use`)."""
        with self._lock:
            if self._server is not None:
                return
            address = self._find_address()
            if address is None:
                raise Failure("no-network", "There is no network to open the page to.", "Join one and try again.")
            found: list[PageServer] = []
            app = self._make(self._access, lambda: hosts(found[0].port, address))
            found.append(_served(app, address, self._port()))
            found[0].start()
            self._address, self._server = address, found[0]

    def open_secure(self) -> None:
        """Raises `Failure` (`no-network`, `no-certificate`)."""
        with self._lock:
            self.open()
            if self._secure is not None or self._address is None:
                return
            address = self._address
            now = datetime.datetime.now(datetime.UTC)
            try:
                certificate = table_certificate(self._folder, (address, LOOPBACK), socket.gethostname(), now)
            except OSError as error:
                raise Failure(
                    "no-certificate", f"{self._folder} cannot be written: {error.strerror}.", "Make room on the disk."
                ) from error
            fronts: list[TlsFront] = []
            app = self._make(self._access, lambda: hosts(fronts[0].port, address))
            behind = PageServer(app, (LOOPBACK,), 0, scheme="https", proxied=True)
            behind.start()
            try:
                fronts.append(_fronted(certificate, address, self._wanted_secure_port, behind.port))
            except Failure:
                behind.close()
                raise
            self._certificate, self._secure = certificate, (behind, fronts[0])

    def close(self) -> None:
        """Nobody on the network reaches the page any more."""
        with self._lock:
            server, secure, self._server, self._secure = self._server, self._secure, None, None
        if secure is not None:
            secure[1].close()
            secure[0].close()
        if server is not None:
            server.close()


def _served(app: Flask, address: str, port: int) -> PageServer:
    """At the same port as on this machine, so that addresses are easily told; at another where that one is taken."""
    try:
        return PageServer(app, (address,), port)
    except BadInput:
        return PageServer(app, (address,), 0)


def _fronted(certificate: TableCertificate, address: str, port: int, to_port: int) -> TlsFront:
    front = TlsFront(certificate, (address,), port, to_port)
    try:
        front.start()
    except BadInput:
        front = TlsFront(certificate, (address,), 0, to_port)
        front.start()
    return front
