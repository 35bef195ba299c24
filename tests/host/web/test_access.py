"""Access: who comes in, from where, and what each may do. What is open on purpose is written down here as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from host.app.page_server import load_access
from host.kept_file import read_whole, write_kept
from host.web.access import ROLES, Access, Role, hosts
from host.web.actions import ACTIONS, Refused, allowed
from host.web.app import LONGEST_BODY, make_app
from host.web.stream import Broadcaster, Numbered

HOST = "127.0.0.1:8420"


class RecordingBackend:
    """A table that writes down what is asked of it."""

    def __init__(self) -> None:
        self.broadcaster = Broadcaster()
        self.broadcaster.publish("the table")
        self.asked: list[tuple[Role, str, Mapping[str, Any]]] = []

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        return {"view": numbered.view, "lang": language, "role": role}

    def act(self, role: Role, deed: str, body: Mapping[str, Any]) -> None:
        if body.get("at") == 99:
            raise Refused("stale")
        self.asked.append((role, deed, body))

    def picture(self) -> bytes | None:
        return b"\xff\xd8picture"


class Visitor:
    def __init__(self, opened: bool) -> None:
        self.backend = RecordingBackend()
        self.access = Access(opened)
        self.client: FlaskClient = make_app(self.backend, self.access, lambda: hosts(8420, "192.168.1.9")).test_client()

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(path, headers={"Host": HOST, **headers})

    def do(self, deed: str, role: Role = "owner", body: object = None, **headers: str) -> TestResponse:
        sent = {"Host": HOST, "X-Table-Token": self.access.csrf(role), "Content-Type": "application/json", **headers}
        return self.client.post(f"/do/{deed}", data=json.dumps({} if body is None else body), headers=sent)

    def invited(self, role: Role) -> None:
        assert self.get(f"/join?k={self.access.tokens[role]}").status_code == 303


EVERYTHING = ("/", "/texts", "/view", "/stream", "/picture.jpg", "/static/page.js", "/invitations", "/nothing")


@pytest.fixture
def home() -> Visitor:
    return Visitor(opened=False)


@pytest.fixture
def opened() -> Visitor:
    return Visitor(opened=True)


def test_on_loopback_whoever_sits_at_the_machine_owns_the_table(home: Visitor) -> None:
    assert home.get("/").status_code == 200
    assert home.get("/view").json == {"view": "the table", "lang": "en", "role": "owner"}
    assert home.do("undo").status_code == 200


@pytest.mark.parametrize("path", EVERYTHING)
def test_opened_to_the_network_nothing_is_served_without_an_invitation(opened: Visitor, path: str) -> None:
    assert opened.get(path).status_code == 401
    assert opened.get(path, Cookie="allfronts_seat=guess").status_code == 401


def test_an_invitation_becomes_a_cookie_that_scripts_cannot_read(opened: Visitor) -> None:
    answer = opened.get(f"/join?k={opened.access.tokens['near']}")
    cookie = answer.headers["Set-Cookie"]
    assert answer.headers["Location"] == "/"
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert opened.get("/view").json["role"] == "near"  # type: ignore[index]


@pytest.mark.parametrize(
    ("comes_as", "led_to", "stays"),
    [("owner", "viewer", "owner"), ("owner", "near", "owner"), ("near", "viewer", "near"), ("viewer", "far", "far"),
     ("near", "far", "far"), ("viewer", "owner", "owner")],
)  # fmt: skip
def test_a_link_from_elsewhere_lowers_nobody(opened: Visitor, comes_as: Role, led_to: Role, stays: Role) -> None:
    opened.invited(comes_as)
    opened.invited(led_to)
    assert opened.get("/view").json["role"] == stays  # type: ignore[index]


def test_on_loopback_a_link_from_elsewhere_does_not_lower_the_owner(home: Visitor) -> None:
    home.invited("viewer")
    assert home.get("/view").json["role"] == "owner"  # type: ignore[index]


@pytest.mark.parametrize("token", ["", "x", "a" * 24])
def test_a_wrong_invitation_is_turned_away(opened: Visitor, token: str) -> None:
    assert opened.get(f"/join?k={token}").status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8420", "127.0.0.1:80", "127.0.0.1.nip.io:8420", ""])
def test_another_name_for_this_machine_is_refused(home: Visitor, host: str) -> None:
    for path in EVERYTHING:
        assert home.client.get(path, headers={"Host": host}).status_code == 400


def test_a_deed_needs_the_pages_own_token(home: Visitor) -> None:
    for token in ("", "0" * 64, home.access.csrf("viewer")):
        assert home.do("undo", **{"X-Table-Token": token}).status_code == 403
    assert home.backend.asked == []


def test_a_deed_from_another_site_is_refused_even_with_the_token(home: Visitor) -> None:
    assert home.do("undo", Origin="http://evil.example").status_code == 403
    assert home.do("undo", **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert home.do("undo", Origin=f"http://{HOST}", **{"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_nothing_is_changed_by_looking(home: Visitor) -> None:
    for deed in ("undo", "correct", "answer", "withdraw"):
        assert home.get(f"/do/{deed}").status_code == 405
    assert home.backend.asked == []


def test_no_other_site_may_read(home: Visitor) -> None:
    for path in EVERYTHING:
        answer = home.get(path, Origin="http://evil.example")
        assert not any(name.lower().startswith("access-control") for name, _ in answer.headers)
        answer.close()


def test_the_page_runs_its_own_scripts_only(home: Visitor) -> None:
    answer = home.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    page = answer.get_data(as_text=True)
    assert "<script>" not in page
    assert " style=" not in page
    assert " on" not in {word[:3] for word in page.split('"') if word.startswith(" on")}


def test_a_phone_on_the_network_is_sent_no_header_that_its_browser_complains_of(home: Visitor) -> None:
    # Browsers obey it on this computer and over HTTPS; elsewhere each page would write an error into the console.
    name = "Cross-Origin-Opener-Policy"
    assert home.get("/").headers[name] == "same-origin"
    assert name not in home.get("/", Host="192.168.1.9:8420").headers


@pytest.mark.parametrize(
    ("language", "heading"),
    [("en", "There is no such page"), ("ru", "Такой страницы нет"), ("uk", "Такої сторінки немає"), ("pl", "Nie ma")],
)
def test_an_address_that_is_none_is_answered_in_the_readers_language(
    home: Visitor, language: str, heading: str
) -> None:
    asked = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": language}
    answer = home.get("/gamez", **asked)
    assert answer.status_code == 404
    page = answer.get_data(as_text=True)
    assert heading in page
    assert 'href="/"' in page
    # What a script asks for is answered in short.
    assert "<html" not in home.get("/gamez", Accept="*/*").get_data(as_text=True)


def test_everything_comes_from_the_package() -> None:
    package = Path(__file__).parents[3] / "host" / "web"
    # Pictures and fonts are no text, and a licence cites where it comes from.
    shown = {".css", ".js", ".svg", ".webmanifest"}
    written = [path for path in package.glob("static/**/*.*") if path.suffix in shown]
    for path in [*written, *package.glob("templates/*")]:
        text = path.read_text("utf-8").replace("http://www.w3.org", "")
        assert "http://" not in text, path
        assert "https://" not in text, path


def test_a_viewer_may_look_and_nothing_else() -> None:
    assert allowed("viewer") == frozenset()
    assert allowed("owner") == frozenset(ACTIONS)


def test_the_uninvited_are_told_in_their_language_how_to_come_in(opened: Visitor) -> None:
    page = opened.get("/", **{"Accept-Language": "uk"})
    assert page.status_code == 401
    text = page.get_data(as_text=True)
    assert '<html lang="uk">' in text
    assert "попросіть у них запрошення" in text
    assert "viewport" in text
    assert opened.get("/uninvited.css").mimetype == "text/css"
    opened.client.set_cookie("allfronts_seat", "revoked", domain="127.0.0.1")
    assert "no longer valid" in opened.get("/").get_data(as_text=True)


def test_an_invitation_that_is_revoked_lets_nobody_in_any_more(opened: Visitor) -> None:
    opened.invited("viewer")
    opened.access.tokens.renew("viewer")
    assert opened.get("/view").status_code == 401
    opened.invited("near")
    assert opened.get("/view").status_code == 200


@pytest.mark.parametrize("body", [[], "undo", 7, None])
def test_what_is_no_request_is_answered_plainly(home: Visitor, body: object) -> None:
    answer = home.do("undo", body="null" if body is None else body)
    assert answer.status_code == 400
    assert answer.json == {"code": "bad-request", "message": "That could not be understood."}


def test_a_request_that_is_too_long_is_not_read(home: Visitor) -> None:
    assert home.do("correct", body={"board": "x" * (LONGEST_BODY + 1)}).status_code in (400, 413)
    assert home.backend.asked == []


def test_what_was_asked_of_an_older_table_is_not_done(home: Visitor) -> None:
    answer = home.do("undo", body={"at": 99, "lang": "pl"})
    assert answer.status_code == 409
    assert answer.json == {"code": "stale", "message": "Stół już się zmienił; spójrz jeszcze raz."}


def test_keys_are_kept_for_this_person_only(tmp_path: Path) -> None:
    made = load_access(True, tmp_path / "deep")
    path = tmp_path / "deep" / "keys.json"
    assert path.stat().st_mode & 0o777 == 0o600
    again = load_access(True, tmp_path / "deep")
    assert again.tokens == made.tokens
    assert again.csrf("owner") == made.csrf("owner")
    assert len(set(made.tokens.values())) == len(ROLES)
    assert all(token not in repr(made) for token in made.tokens.values())


def test_damaged_keys_are_made_anew(tmp_path: Path) -> None:
    made = load_access(True, tmp_path)
    (tmp_path / "keys.json").write_text('{"tokens": {"viewer": "short"}}')
    assert load_access(True, tmp_path).tokens != made.tokens


@pytest.mark.parametrize("port", [-1, 65_536, 99_999])
def test_a_port_that_is_none_is_refused(port: int) -> None:
    from engine.failure import BadInput
    from host.web.server import PageServer

    with pytest.raises(BadInput) as refused:
        PageServer(make_app(RecordingBackend(), Access(), frozenset), ("127.0.0.1",), port)
    assert refused.value.code == "bad-port"


def test_who_came_in_and_what_was_revoked_is_kept_over_a_restart(tmp_path: Path) -> None:
    made = load_access(True, tmp_path)
    made.tokens.joined("near", 100.0)
    made.tokens.joined("viewer", 200.0)
    before = made.tokens["viewer"]
    made.tokens.renew("viewer")
    again = load_access(True, tmp_path)
    assert (again.tokens.taken("near"), again.tokens.taken("viewer")) == (100.0, None)
    assert again.tokens["viewer"] == made.tokens["viewer"] != before
    assert again.role_of(before) is None
    assert again.role_of(made.tokens["near"]) == "near"
    assert before not in repr(again)


def test_what_one_program_revoked_another_one_does_not_bring_back(tmp_path: Path) -> None:
    """Given two programs at one machine; when one makes an invitation anew and somebody then joins at the other; then
    the next start knows the new one."""
    one, other = load_access(True, tmp_path), load_access(True, tmp_path)
    assert dict(one.tokens) == dict(other.tokens)
    one.tokens.renew("near")
    other.tokens.joined("far", 5.0)
    later = load_access(True, tmp_path)
    assert later.tokens["near"] == one.tokens["near"] != other.tokens["near"]
    assert later.tokens.taken("far") == 5.0


def test_invitations_from_the_future_do_not_outlive_their_renewal(tmp_path: Path) -> None:
    """Given a clock that was set back; when an invitation is made anew; then that is the one which is kept."""
    first = load_access(True, tmp_path)
    kept = read_whole(tmp_path / "keys.json")
    write_kept(tmp_path / "keys.json", {**kept, "made": dict.fromkeys(ROLES, 9e12)})
    first.tokens.renew("near")
    assert read_whole(tmp_path / "keys.json")["tokens"]["near"] == first.tokens["near"]
