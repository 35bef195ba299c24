"""The club's own certificate. It is self-signed and pinned: the join code carries its fingerprint, so a table needs no
authority, no host name and no new certificate when the desk's address changes."""

from __future__ import annotations

import base64
import datetime
import hashlib
import socket
import ssl
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from engine.failure import Failure
from host.kept_file import write_bytes

_YEARS: Final = 20


def make_certificate(folder: Path, club: str, now: datetime.datetime) -> None:
    """Writes `club.crt` and `club.key` (P-256) into `folder`, unless they are there already."""
    certificate, key = folder / "club.crt", folder / "club.key"
    if certificate.exists() and key.exists():
        return
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"All Fronts {club}")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        # A table whose clock is a little slow must not find the certificate too young.
        .not_valid_before(now - datetime.timedelta(days=2))
        .not_valid_after(now + datetime.timedelta(days=365 * _YEARS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(private, hashes.SHA256())
    )
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_bytes(key, secret)
    write_bytes(certificate, made.public_bytes(serialization.Encoding.PEM))


def fingerprint(certificate: str) -> str:
    """SHA-256 of a PEM certificate, as 43 characters of URL-safe base64."""
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def fetch_pinned(host: str, port: int, pinned: str, timeout: float = 5.0) -> str:
    """The broker's certificate as PEM, if its fingerprint is `pinned`.

    Raises `Failure`: `no-broker` where nobody answers, `other-certificate` where somebody else does.
    """
    try:
        found = ssl.get_server_certificate((host, port), timeout=timeout)
    except (OSError, ValueError) as error:
        raise Failure(
            "no-broker", f"The club's broker at {host}:{port} does not answer: {_why(error)}.", "Is the desk running?"
        ) from error
    if fingerprint(found) != pinned:
        raise Failure(
            "other-certificate",
            f"What answers at {host}:{port} is not the club whose code this is.",
            "Ask the organiser for a new code, and do not use this network until it is clear who answers.",
        )
    return found


def pinned_context(certificate: str) -> ssl.SSLContext:
    """A client's TLS that accepts this one certificate and no other, whatever name the broker is reached by."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.load_verify_locations(cadata=certificate)
    return context


def _why(error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        return "there is no such address"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
