"""`/invitations`: for whoever runs the table; `/secure`: for every phone that is invited."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import segno
from flask import Blueprint, Response, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from engine.failure import Failure
from engine.lexicon import LANGUAGES
from host.invitations.texts import texts
from host.web.access import ROLES, Role
from host.web.certificate import TableCertificate
from host.web.invitations import Invitations

SHOWN: Final[tuple[Role, ...]] = ("near", "far", "viewer", "owner")


class InvitationGuard(Protocol):
    """Who asks: what these pages need to know of the request that is being answered."""

    def is_owner(self) -> bool: ...

    def token(self) -> str: ...

    def genuine(self) -> bool: ...


class Network(Protocol):
    """The table on the network: whether and where it is open there."""

    @property
    def base(self) -> str | None:
        """The address that phones reach, such as `http://192.168.1.9:8420`, or None."""
        ...

    @property
    def secure_base(self) -> str | None:
        """The same over HTTPS."""
        ...

    @property
    def certificate(self) -> TableCertificate | None: ...

    def open(self) -> None:
        """Opens the table to the network; raises `Failure` (`no-network`, `port-in-use`)."""
        ...

    def open_secure(self) -> None:
        """Opens it over HTTPS as well; raises `Failure`."""
        ...

    def close(self) -> None: ...


def invitation_pages(
    invitations: Invitations,
    network: Network,
    guard: InvitationGuard,
    language: Callable[[], str],
    names: Callable[[], Mapping[str, str]] = dict,
) -> Blueprint:
    """The pages around invitations. `names` gives who sits at which seat, as far as that is known."""
    pages = Blueprint(
        "invitations", __name__, template_folder="templates", static_folder="static",
        static_url_path="/invitations/static",
    )  # fmt: skip

    def wanted() -> str:
        asked = request.args.get("lang", "")
        return asked if asked in LANGUAGES else language()

    def owners_only() -> None:
        if not guard.is_owner():
            abort(403)

    def row() -> dict[str, Any]:
        base, certificate, sitting = network.base, network.certificate, names()
        return {
            "base": base,
            "secure_base": network.secure_base,
            "fingerprint": None if certificate is None else certificate.fingerprint,
            "invitations": [
                {
                    "role": role,
                    "name": sitting.get(role, ""),
                    "taken": invitations.taken(role),
                    "ends": round(invitations.ends(role)),
                    "link": None if base is None else f"{base}/join?k={invitations[role]}",
                }
                for role in SHOWN
            ],
        }

    @pages.get("/invitations")
    def page() -> AnyResponse:
        owners_only()
        tongue = wanted()
        drawn = render_template("invitations.html", language=tongue, token=guard.token(), words=texts(tongue))
        return Response(drawn, mimetype="text/html")

    @pages.get("/invitations/state")
    def state() -> AnyResponse:
        owners_only()
        return _json({**row(), "words": texts(wanted())})

    @pages.get("/invitations/<role>.svg")
    def code(role: str) -> AnyResponse:
        owners_only()
        if role not in ROLES or network.base is None:
            abort(404)
        return Response(_code(f"{network.base}/join?k={invitations[role]}"), mimetype="image/svg+xml")

    @pages.get("/join-code.json")
    def join_code() -> AnyResponse:
        """For the big screen: the invitation to look on, which everybody who is here already may hand on."""
        mark = hashlib.sha256(invitations["viewer"].encode()).hexdigest()[:12]
        return _json({"address": network.base, "mark": mark})

    @pages.get("/join-code.svg")
    def join_code_drawn() -> AnyResponse:
        if network.base is None:
            abort(404)
        return Response(_code(f"{network.base}/join?k={invitations['viewer']}"), mimetype="image/svg+xml")

    @pages.post("/invitations/do/<action>")
    def do(action: str) -> AnyResponse:
        owners_only()
        if not guard.genuine():
            abort(403)
        body = request.get_json(silent=True)
        if not isinstance(body, dict):
            abort(400)
        role = next((known for known in ROLES if known == body.get("role")), None)
        try:
            if action == "open":
                network.open()
            elif action == "open-secure":
                network.open_secure()
            elif action == "close":
                network.close()
            elif action == "revoke" and role is not None:
                invitations.renew(role)
            else:
                abort(400)
        except Failure as failure:
            words = texts(wanted())
            said = words.get(failure.code.replace("-", "_"), str(failure))
            return _json({"code": failure.code, "message": said})
        return _json({"code": "done"})

    @pages.get("/secure")
    def secure() -> AnyResponse:
        tongue, certificate = wanted(), network.certificate
        drawn = render_template(
            "secure.html",
            language=tongue,
            words=texts(tongue),
            base=network.secure_base,
            fingerprint=None if certificate is None else certificate.fingerprint,
        )
        return Response(drawn, mimetype="text/html")

    @pages.get("/secure/table-ca.crt")
    def authority() -> AnyResponse:
        certificate = network.certificate
        if certificate is None:
            abort(404)
        # The one type that both Android and iOS take for a certificate to be installed.
        return Response(certificate.authority.read_bytes(), mimetype="application/x-x509-ca-cert")

    return pages


def _code(link: str) -> bytes:
    """A link as QR code, SVG."""
    drawn = io.BytesIO()
    segno.make(link, error="m").save(drawn, kind="svg", scale=4, border=3)
    return drawn.getvalue()


def _json(value: Any) -> AnyResponse:
    return Response(json.dumps(value, ensure_ascii=False), mimetype="application/json")
