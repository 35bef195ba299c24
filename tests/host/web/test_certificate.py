"""The table's own certificate: what a phone is asked to trust, and a page served with it."""

from __future__ import annotations

import contextlib
import datetime
import http.client
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from flask import Flask, request

from engine.failure import BadInput
from host.web import tls_front
from host.web.certificate import TableCertificate, table_certificate
from host.web.server import PageServer
from host.web.tls_front import CONNECTIONS_OF_ONE, TlsFront

NOW = datetime.datetime.now(datetime.UTC)
DAY = datetime.timedelta(days=1)


def made(folder: Path, *addresses: str, now: datetime.datetime = NOW) -> TableCertificate:
    return table_certificate(folder, addresses or ("127.0.0.1", "192.168.1.9"), "attic", now)


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_the_certificate_names_the_machines_addresses_and_its_keys_are_its_owners(tmp_path: Path) -> None:
    certificate = made(tmp_path)
    names = read(certificate.chain).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(a) for a in names.get_values_for_type(x509.IPAddress)} == {"127.0.0.1", "192.168.1.9"}
    read(certificate.chain).verify_directly_issued_by(read(certificate.authority))
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.glob("*.key"))
    assert len(certificate.fingerprint.split(":")) == 32


def test_a_phone_that_trusts_it_trusts_it_for_home_networks_only(tmp_path: Path) -> None:
    authority = read(made(tmp_path).authority)
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    assert limits.value.permitted_subtrees is not None
    assert {str(s.value) for s in limits.value.permitted_subtrees} >= {"192.168.0.0/16", "10.0.0.0/8", "local"}
    assert authority.extensions.get_extension_for_class(x509.BasicConstraints).value.path_length == 0


def test_it_stays_as_long_as_it_fits_and_the_authority_longer(tmp_path: Path) -> None:
    first = made(tmp_path)
    kept = first.authority.read_bytes(), first.chain.read_bytes()
    assert made(tmp_path, now=NOW + 300 * DAY).chain.read_bytes() == kept[1]
    # Another address, and a certificate that is nearly over, make another certificate of the same authority.
    moved = made(tmp_path, "192.168.7.7")
    assert moved.chain.read_bytes() != kept[1]
    later = made(tmp_path, "192.168.7.7", now=NOW + 380 * DAY)
    assert later.authority.read_bytes() == kept[0]
    assert later.fingerprint == first.fingerprint


@pytest.mark.parametrize("name", ["table-ca.crt", "table-ca.key", "table.crt", "table.key"])
def test_a_file_that_is_damaged_is_made_anew(tmp_path: Path, name: str) -> None:
    made(tmp_path)
    (tmp_path / name).write_text("nonsense")
    certificate = made(tmp_path)
    read(certificate.chain).verify_directly_issued_by(read(certificate.authority))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.chain, certificate.key)


@pytest.fixture
def behind() -> Iterator[PageServer]:
    app = Flask("behind")

    @app.get("/")
    def whole() -> str:
        return "x" * 300_000

    @app.get("/who")
    def who() -> str:
        return str(request.remote_addr)

    server = PageServer(app, ("127.0.0.1",), 0, scheme="https", proxied=True)
    server.start()
    yield server
    server.close()


def test_a_page_comes_over_tls_to_whoever_trusts_the_table(tmp_path: Path, behind: PageServer) -> None:
    certificate = made(tmp_path)
    front = TlsFront(certificate, ("127.0.0.1",), 0, behind.port)
    front.start()
    try:
        trusting = ssl.create_default_context(cafile=str(certificate.authority))
        connection = http.client.HTTPSConnection("127.0.0.1", front.port, context=trusting, timeout=20)
        connection.request("GET", "/")
        assert len(connection.getresponse().read()) == 300_000
        connection.request("GET", "/again")
        assert connection.getresponse().status == 404
        connection.close()
        stranger = http.client.HTTPSConnection(
            "127.0.0.1", front.port, context=ssl.create_default_context(), timeout=20
        )
        with pytest.raises(ssl.SSLCertVerificationError):
            stranger.request("GET", "/")
        with pytest.raises(BadInput):
            TlsFront(certificate, ("127.0.0.1",), front.port, behind.port).start()
    finally:
        front.close()


def test_the_limits_of_one_address_hold_for_phones_over_tls_too(tmp_path: Path, behind: PageServer) -> None:
    """Given two phones, when they come over TLS, then the page knows them apart as without it."""
    certificate = made(tmp_path)
    front = TlsFront(certificate, ("127.0.0.1",), 0, behind.port)
    front.start()
    try:
        trusting = ssl.create_default_context(cafile=str(certificate.authority))
        for phone in ("127.0.0.7", "127.0.0.8"):
            connection = http.client.HTTPSConnection(
                "127.0.0.1", front.port, context=trusting, timeout=20, source_address=(phone, 0)
            )
            connection.request("GET", "/who")
            assert connection.getresponse().read().decode() == phone
            connection.close()
    finally:
        front.close()


def test_connections_that_never_speak_tls_take_no_more_places_than_one_address_has(
    tmp_path: Path, behind: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a device that opens connections and says nothing, when it opens one too many, then that one is ended at
    once, others are served, and it is itself as soon as it lets go."""
    monkeypatch.setattr(tls_front, "HANDSHAKE_SECONDS", 600.0)
    certificate = made(tmp_path)
    front = TlsFront(certificate, ("127.0.0.1",), 0, behind.port)
    front.start()

    def silent() -> socket.socket:
        return socket.create_connection(("127.0.0.1", front.port), timeout=20, source_address=("127.0.0.7", 0))

    def asked(phone: str) -> str:
        trusting = ssl.create_default_context(cafile=str(certificate.authority))
        connection = http.client.HTTPSConnection(
            "127.0.0.1", front.port, context=trusting, timeout=20, source_address=(phone, 0)
        )
        try:
            connection.request("GET", "/who")
            return connection.getresponse().read().decode()
        except OSError:
            return "refused"
        finally:
            connection.close()

    try:
        with contextlib.ExitStack() as kept:
            for _ in range(CONNECTIONS_OF_ONE):
                kept.enter_context(contextlib.closing(silent()))
            with contextlib.closing(silent()) as one_more, contextlib.suppress(ConnectionResetError):
                assert one_more.recv(1000) == b""
            assert asked("127.0.0.8") == "127.0.0.8"
            assert asked("127.0.0.7") == "refused"
        until = time.monotonic() + 20
        while (answer := asked("127.0.0.7")) == "refused" and time.monotonic() < until:
            pass
        assert answer == "127.0.0.7"
    finally:
        front.close()


@pytest.mark.parametrize("first", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"PROXY " + b"9" * 200, b"PROXY TCP4\r\n"])
def test_behind_tls_nobody_is_answered_who_does_not_come_through_it(behind: PageServer, first: bytes) -> None:
    with socket.create_connection(("127.0.0.1", behind.port), timeout=20) as straight:
        straight.sendall(first)
        with contextlib.suppress(ConnectionResetError):
            assert straight.recv(1000) == b""
