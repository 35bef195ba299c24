"""The desk's application: addresses, roles, and the headers that every answer carries."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Flask, Response, abort, g, make_response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response as AnyResponse

from engine.failure import Failure
from engine.lexicon import LANGUAGES
from host.club.desk import Desk
from host.club.screen import Feed
from host.club.tournament.events import TIE_BREAKS
from host.club.tournament.export import results_csv, standings_csv, trf
from host.club.tournament.pairing import proof
from host.club.tournament.standings import halves_text, shown, standings
from host.club.tournament.state import TournamentRefused
from host.club.web.access import COOKIE, INVITATIONS, ClubInvitation, ClubRole, DeskAccess
from host.club.web.companions import Companions
from host.club.web.forms import FORMS
from host.club.web.players import is_players_page, player_pages
from host.club.web.trace import trace_lines
from host.messages import catalogue, known, say
from host.player_name import NAME_LONGEST
from host.web.app import SECURITY_HEADERS, stream_answer
from host.web.event_stream import EventStream
from host.web.front import ROLE_OF_REQUEST
from host.web.roles import Role as PageRole

PAGES: Final = ("round", "players", "tables", "standings", "settings", "trace")
GATHER_SECONDS: Final = 0.05
"""Between two messages to one screen: nobody sees the difference, and a thousand tables need no thousand messages."""
HEADERS: Final = {
    **SECURITY_HEADERS,
    # Without a referrer a browser sends forms with the origin "null", which says nothing.
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": SECURITY_HEADERS["Content-Security-Policy"].replace(
        "form-action 'none'", "form-action 'self'"
    ),
}


@dataclass(frozen=True, slots=True)
class Site:
    """What the pages need besides the desk."""

    access: DeskAccess
    hosts: Callable[[], frozenset[str]]
    """Host headers that are answered."""
    base: Callable[[], str]
    """The address in printed codes."""
    language: str = "en"
    companions: Companions = field(default_factory=Companions)
    now: Callable[[], float] = time.time


def make_club_app(desk: Desk, site: Site) -> Flask:
    """The desk's application."""
    app = Flask(__name__, static_folder="static", template_folder="templates")
    # What the pages of a table and of a desk share.
    shared = Path(str(resources.files("host.web").joinpath("static")))
    app.register_blueprint(Blueprint("pages", __name__, static_folder=shared, static_url_path="/pages"))
    app.config["MAX_CONTENT_LENGTH"] = 131_072
    app.extensions[ROLE_OF_REQUEST] = lambda cookies, path: _role_on_the_page(desk, site.access, cookies, path)
    app.jinja_env.globals["name_longest"] = NAME_LONGEST
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

    @app.before_request
    def allowed() -> AnyResponse | None:
        g.role = None
        chosen = request.args.get("lang") or request.cookies.get("allfronts_language", "")
        best = request.accept_languages.best_match(LANGUAGES) or site.language
        g.language = chosen if chosen in LANGUAGES else best
        if request.host not in site.hosts():
            return _plain("This desk answers to its own address only.", 400)
        g.role = site.access.role_of(request.cookies.get(COOKIE))
        if request.endpoint in _OPEN:
            return None
        if g.role is None:
            return _plain(say(g.language, "club", "no-invitation"), 401)
        if g.role == "screen" and request.endpoint not in _FOR_SCREENS:
            return _plain(say(g.language, "club", "no-invitation"), 403)
        if request.method == "POST" and not _own_form(site.access, "organiser"):
            abort(403)
        return None

    @app.after_request
    def guarded(response: Response) -> Response:
        response.headers.update(HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        if request.args.get("lang") in LANGUAGES:
            response.set_cookie("allfronts_language", g.language, max_age=31_536_000, samesite="Lax", path="/")
        return response

    @app.errorhandler(HTTPException)
    def short(error: HTTPException) -> AnyResponse:
        text = say(g.get("language", "en"), "club", "page-gone") if error.code == 404 else error.name
        return _plain(text, error.code or 500)

    @app.context_processor
    def words() -> dict[str, Any]:
        def t(code: str, group: str = "club", **parts: Any) -> str:
            return say(g.language, group, code, parts)

        def trouble(code: str) -> str:
            return t(code if known("club-trouble", code) else "other", "club-trouble")

        return {
            "t": t,
            "trouble": trouble,
            "language": g.language,
            "languages": LANGUAGES,
            "csrf": site.access.csrf("organiser"),
        }

    @app.get("/join")
    def join() -> AnyResponse:
        token = request.args.get("k", "")
        role: ClubRole | None = site.access.role_of(token) if token else None
        if role is None or token not in site.access.tokens.values():
            return _plain(say(g.language, "club", "no-invitation"), 401)
        answer = redirect("/screen" if role == "screen" else "/", 303)
        if role == "screen" and g.role == "organiser":
            # A link on another site could lead here: the organiser stays one, and sees the screen all the same.
            return answer
        answer.set_cookie(COOKIE, token, max_age=86_400, httponly=True, samesite="Lax", path="/")
        return answer

    @app.get("/")
    @app.get("/<any(players,tables,standings,settings,trace):page>")
    def organiser(page: str = "round") -> AnyResponse:
        return _page(desk, site, page)

    @app.post("/do/<action>")
    def do(action: str) -> AnyResponse:
        form = FORMS.get(action)
        if form is None:
            abort(404)
        page = request.form.get("page", "round")
        try:
            form(desk, site.companions, request.form, site.now())
        except TournamentRefused as refused:
            return _page(desk, site, page, say(g.language, "club-refused", refused.code, refused.parts), 409)
        except Failure as failure:
            code = failure.code if known("club-refused", failure.code) else "bad-request"
            return _page(desk, site, page, say(g.language, "club-refused", code), 409)
        return redirect("/" if page == "round" or page not in PAGES else f"/{page}", 303)

    @app.post("/invitations/revoke")
    def revoke() -> AnyResponse:
        name = next((known_ for known_ in INVITATIONS if known_ == request.form.get("invitation")), None)
        if name is None:
            abort(400)
        site.access.tokens.renew(name)
        answer = redirect("/settings", 303)
        if name == "organiser" and site.access.opened:
            # Everybody else who came in with it is out.
            token = site.access.tokens[name]
            answer.set_cookie(COOKIE, token, max_age=86_400, httponly=True, samesite="Lax", path="/")
        return answer

    @app.get("/changes")
    def changes() -> AnyResponse:
        return _stream(desk.changed, site, g.role)

    @app.get("/screen")
    def screen() -> AnyResponse:
        texts = {group: catalogue(g.language)[group] for group in ("club", "club-tie", "club-trouble", "theater")}
        return make_response(render_template("club/screen.html", texts=texts))

    @app.get("/screen/stream")
    def screen_stream() -> AnyResponse:
        return _stream(desk.feed, site, g.role)

    @app.get("/screen/now")
    def screen_now() -> AnyResponse:
        return _json({"now": site.now(), "parts": desk.feed.shown()})

    @app.get("/print/<any(matches,cards,codes,companions):what>")
    def printed(what: str) -> AnyResponse:
        state = desk.state
        if state is None:
            return redirect("/", 303)
        parts: dict[str, Any] = {"state": state, "qr": _qr, "base": site.base(), "entrance": site.access.entrance}
        if what == "companions":
            parts["codes"] = site.companions.codes()
            parts["desk"] = desk
        return make_response(render_template(f"club/print_{what}.html", **parts))

    @app.get("/export/<any('standings.csv','results.csv','tournament.trf'):name>")
    def export(name: str) -> AnyResponse:
        state = desk.state
        if state is None:
            return redirect("/", 303)
        made = {"standings.csv": standings_csv, "results.csv": results_csv, "tournament.trf": trf}[name](state)
        # The mark at the beginning lets spreadsheets see that it is UTF-8.
        body = ("\ufeff" if name.endswith("csv") else "") + made
        answer = Response(body, mimetype="text/csv" if name.endswith("csv") else "text/plain")
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    app.register_blueprint(player_pages(desk, site.access))
    return app


_OPEN: Final = frozenset({"join", "static", "pages.static", "player.check_in", "player.entrance"})
_FOR_SCREENS: Final = frozenset({"screen", "screen_stream", "screen_now", "static", "pages.static"})


def _role_on_the_page(desk: Desk, access: DeskAccess, cookies: str, path: str) -> PageRole | None:
    """For the server's limits: whose places and threads a request takes. A player's own code is an invitation too."""
    role = access.role_of(parse_cookie(cookies).get(COOKIE))
    if role is None and is_players_page(desk, access, path):
        return "viewer"
    return None if role is None else "owner" if role == "organiser" else "viewer"


def _page(desk: Desk, site: Site, page: str, message: str = "", status: int = 200) -> AnyResponse:
    page = page if page in PAGES else "round"
    # Read first: what changes while the page is made is newer than this number.
    changes = desk.changes
    state = desk.state
    parts: dict[str, Any] = {
        "changes": changes,
        "page": page,
        "pages": PAGES,
        "state": state,
        "desk": desk,
        "message": message,
        "notices": desk.notices,
        "halves": halves_text,
        "opened": site.access.opened,
        "invitations": [_invitation(site, name) for name in INVITATIONS],
        "all_tie_breaks": TIE_BREAKS,
        "now": site.now(),
    }
    if state is None:
        page = parts["page"] = "open"
    elif page == "round":
        parts["last_step"] = next((line for line in trace_lines(desk, g.language) if line.can_undo), None)
        if state.current is not None:
            parts["proof"] = [say(g.language, "club-proof", code, told) for code, told in proof(state, state.current)]
    elif page == "standings":
        parts |= {"rows": standings(state), "shown": shown}
    elif page == "tables":
        parts |= {"heads": _heads(desk), "companions": site.companions, "refusals": _refusals(desk)}
    elif page == "trace":
        parts["lines"] = trace_lines(desk, g.language)
    return make_response(render_template(f"club/{page}.html", **parts), status)


def _invitation(site: Site, name: ClubInvitation) -> dict[str, str]:
    """An invitation as the settings show it: what it is, its link, and until when it holds."""
    token = site.access.tokens[name]
    link = f"{site.base()}/enter/{token}" if name == "entrance" else f"{site.base()}/join?k={token}"
    ends = time.strftime("%Y-%m-%d %H:%M", time.localtime(site.access.tokens.ends(name)))
    return {"name": name, "link": link, "ends": ends}


def _heads(desk: Desk) -> dict[str, int]:
    """Entries stored for each account."""
    try:
        heads, found = desk.store.heads(), dict[str, int]()
        for log, account in desk.store.owners().items():
            found[account] = found.get(account, 0) + heads[log].sequence
        return found
    except Failure:
        return {}


def _refusals(desk: Desk) -> list[Any]:
    try:
        return desk.store.refusals(20)
    except Failure:
        return []


def _stream(feed: Feed, site: Site, role: ClubRole) -> AnyResponse:
    """Screens have the onlookers' places and the organiser's pages the owner's (`host.web.connections`)."""
    cookie = request.cookies.get(COOKIE)

    def encoded(parts: Any) -> bytes:
        body = json.dumps({"now": site.now(), "parts": parts}, ensure_ascii=False, separators=(",", ":"))
        return f"event: parts\ndata: {body}\n\n".encode()

    return stream_answer(
        EventStream(
            "owner" if role == "organiser" else "viewer",
            feed.listen,
            encoded,
            lambda: site.access.role_of(cookie) == role,
            beat=lambda: encoded({}),
            gather=GATHER_SECONDS,
        )
    )


def _own_form(access: DeskAccess, scope: str) -> bool:
    """Whether a form comes from this desk's own page: a page of another site has neither the token nor the origin."""
    origin = request.headers.get("Origin")
    same = origin is None or urlsplit(origin).netloc == request.host
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    return same and site in ("same-origin", "none") and access.csrf_holds(scope, request.form.get("csrf"))


def _qr(text: str) -> Markup:
    """A QR code as SVG for a page. segno writes numbers and colours only, so the mark-up is safe."""
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", border=2, xmldecl=False, omitsize=True)
    return Markup(drawn.getvalue().decode())


def _plain(text: str, status: int) -> AnyResponse:
    return Response(text + "\n", status, mimetype="text/plain")


def _json(value: Any) -> AnyResponse:
    return Response(json.dumps(value, ensure_ascii=False), mimetype="application/json")
