"""The table's own certificate: what a phone is asked to trust, and a page served with it."""

from __future__ import annotations

import datetime
import http.client
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509

from engine.failure import BadInput
from host.web.certificate import TableCertificate, table_certificate
from host.web.tls_front import TlsFront

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


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"x" * 300_000
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def behind() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def test_a_page_comes_over_tls_to_whoever_trusts_the_table(tmp_path: Path, behind: int) -> None:
    certificate = made(tmp_path)
    front = TlsFront(certificate, ("127.0.0.1",), 0, behind)
    front.start()
    try:
        trusting = ssl.create_default_context(cafile=str(certificate.authority))
        connection = http.client.HTTPSConnection("127.0.0.1", front.port, context=trusting, timeout=20)
        connection.request("GET", "/")
        assert len(connection.getresponse().read()) == 300_000
        connection.request("GET", "/again")
        assert connection.getresponse().status == 200
        connection.close()
        stranger = http.client.HTTPSConnection(
            "127.0.0.1", front.port, context=ssl.create_default_context(), timeout=20
        )
        with pytest.raises(ssl.SSLCertVerificationError):
            stranger.request("GET", "/")
        with pytest.raises(BadInput):
            TlsFront(certificate, ("127.0.0.1",), front.port, behind).start()
    finally:
        front.close()
