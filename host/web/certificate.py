"""The table's own certificate, for pages over HTTPS on a home network: an authority that a phone can be told to trust,
and a certificate of it for the addresses of this machine.

The authority is good for addresses of home networks and nothing else (name constraints, RFC 5280, 4.2.1.10), so a phone
that trusts it gives nobody power over other sites, whoever should steal the key.
"""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from host.kept_file import write_bytes

AUTHORITY_DAYS: Final = 3650
PAGE_DAYS: Final = 397
"""Browsers accept certificates of private authorities for up to 825 days; public ones for 398."""
RENEW_DAYS: Final = 30
EARLY: Final = datetime.timedelta(days=2)
"""A phone whose clock is a little slow must not find the certificate too young."""
HOME_NETWORKS: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
HOME_NAMES: Final = ("localhost", "local", "lan", "home.arpa")


@dataclass(frozen=True, slots=True)
class TableCertificate:
    """Files of the certificate. `authority` is what a phone installs; `chain` and `key` are what the server shows."""

    authority: Path
    chain: Path
    key: Path
    fingerprint: str
    """SHA-256 of the authority, as pairs of hexadecimal digits with colons: for comparing by eye."""


def table_certificate(folder: Path, addresses: Collection[str], host: str, now: datetime.datetime) -> TableCertificate:
    """The certificate for these IP addresses, made where there is none, or none that fits, and kept in `folder`.

    `host` names the table's machine. The authority stays the same as long as it is good, so that a phone is asked once.
    Raises `OSError` where the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    authority, authority_key = folder / "table-ca.crt", folder / "table-ca.key"
    chain, key = folder / "table.crt", folder / "table.key"
    signer = _loaded(authority, authority_key, now)
    if signer is None:
        private = ec.generate_private_key(ec.SECP256R1())
        signer = (_authority(host, private, now), private)
        write_bytes(authority, _pem(signer[0]))
        write_bytes(authority_key, _secret(private))
        chain.unlink(missing_ok=True)
    wanted = frozenset(map(ipaddress.ip_address, addresses))
    if not _fits(chain, key, wanted, signer[0], now):
        private = ec.generate_private_key(ec.SECP256R1())
        made = _page(host, wanted, private, signer, now)
        write_bytes(key, _secret(private))
        write_bytes(chain, _pem(made))
    digest = hashlib.sha256(signer[0].public_bytes(serialization.Encoding.DER)).hexdigest().upper()
    return TableCertificate(authority, chain, key, ":".join(digest[i : i + 2] for i in range(0, len(digest), 2)))


def _authority(host: str, private: ec.EllipticCurvePrivateKey, now: datetime.datetime) -> x509.Certificate:
    permitted: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(net)) for net in HOME_NETWORKS]
    permitted += [x509.DNSName(name) for name in HOME_NAMES]
    return (
        _begun(f"All Fronts table {host}", f"All Fronts table {host}", private, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(private.public_key()), critical=False)
        .sign(private, hashes.SHA256())
    )


def _page(
    host: str,
    addresses: Collection[ipaddress.IPv4Address | ipaddress.IPv6Address],
    private: ec.EllipticCurvePrivateKey,
    signer: tuple[x509.Certificate, ec.EllipticCurvePrivateKey],
    now: datetime.datetime,
) -> x509.Certificate:
    names: list[x509.GeneralName] = [x509.IPAddress(address) for address in sorted(addresses, key=str)]
    names.append(x509.DNSName("localhost"))
    authority, authority_key = signer
    return (
        _begun("All Fronts", f"All Fronts table {host}", private, now, PAGE_DAYS, authority.subject)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )


def _begun(
    subject: str,
    issuer: str,
    private: ec.EllipticCurvePrivateKey,
    now: datetime.datetime,
    days: int,
    issued_by: x509.Name | None = None,
) -> x509.CertificateBuilder:
    def named(text: str) -> x509.Name:
        # A common name holds 64 characters at most.
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])

    return (
        x509.CertificateBuilder()
        .subject_name(named(subject))
        .issuer_name(issued_by or named(issuer))
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLY)
        .not_valid_after(now - EARLY + datetime.timedelta(days=days))
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _loaded(
    path: Path, key: Path, now: datetime.datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None:
    """The authority that is kept, or None where there is none that will be good for another year."""
    try:
        kept = x509.load_pem_x509_certificate(path.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), None)
    except (OSError, ValueError, TypeError):
        return None
    lasting = now + datetime.timedelta(days=PAGE_DAYS)
    if not isinstance(private, ec.EllipticCurvePrivateKey) or kept.not_valid_after_utc < lasting:
        return None
    return (kept, private) if kept.public_key() == private.public_key() else None


def _fits(
    path: Path,
    key: Path,
    addresses: Collection[ipaddress.IPv4Address | ipaddress.IPv6Address],
    authority: x509.Certificate,
    now: datetime.datetime,
) -> bool:
    try:
        kept = x509.load_pem_x509_certificate(path.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), None)
        names = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        kept.verify_directly_issued_by(authority)
    except (OSError, ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
        return False
    lasts = kept.not_valid_after_utc >= now + datetime.timedelta(days=RENEW_DAYS)
    theirs = frozenset(names.get_values_for_type(x509.IPAddress))
    return lasts and kept.public_key() == private.public_key() and frozenset(addresses) <= theirs


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _secret(private: ec.EllipticCurvePrivateKey) -> bytes:
    return private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
