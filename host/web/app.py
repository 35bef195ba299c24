"""The page and its few addresses: the page itself, its stream of views, its texts, the picture, and the deeds.

Everything is served from the package. Nothing that changes anything answers to GET; every POST needs the page's own
token, so another site cannot act through a player's browser, and a foreign Host is refused before anything else.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from flask import Blueprint, Flask, Response, abort, make_response, redirect, render_template, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response as AnyResponse

from engine.lexicon import LANGUAGES
from host.card_reference.page import reference_pages
from host.messages import catalogue, say
from host.web.access import COOKIE, CSRF_HEADER, THIS_MACHINE, Access, Role
from host.web.actions import Refused
from host.web.backend import Backend
from host.web.event_stream import HANDED_OVER, EventStream
from host.web.front import ROLE_OF_REQUEST
from host.web.roles import lower
from host.web.stream import Numbered

SECURITY_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
LONGEST_BODY: Final = 32_768
EVENTS_KEPT: Final = 32
"""Two views in all roles and languages."""


class BoundedJSON(DefaultJSONProvider):
    """JSON that is nested deeper than Python can follow is no JSON to us, instead of a fault."""

    sort_keys = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        try:
            return super().loads(s, **kwargs)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


class RequestGuard:
    """Tells further pages who sends the request that is being answered."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def role(self) -> Role | None:
        return self._access.role_of(request.cookies.get(COOKIE))

    def is_owner(self) -> bool:
        return self.role() == "owner"

    def token(self) -> str:
        """What a page of the table's owner sends along with everything that changes something."""
        return self._access.csrf("owner")

    def genuine(self) -> bool:
        """Whether the request carries that token and comes from a page of this table."""
        return self._access.csrf_holds("owner", request.headers.get(CSRF_HEADER)) and _same_origin()


def _table_texts(language: str) -> Mapping[str, Any]:
    words = catalogue(language)
    return {
        **words["page"],
        "device": words["device"],
        "war": words["war"],
        "consent": words["consent"],
        "editions": words["edition"],
    }


@dataclass(frozen=True, slots=True)
class Home:
    """The first page of a game: its template, and what it says in a language. The table's own by default."""

    template: str = "page.html"
    texts: Callable[[str], Mapping[str, Any]] = _table_texts


TABLE: Final = Home()

MorePages: TypeAlias = Callable[[RequestGuard], Blueprint]
"""Makes the blueprint of further pages."""


def make_app(
    backend: Backend,
    access: Access,
    hosts: Callable[[], frozenset[str]],
    language: str = "en",
    pages: Sequence[MorePages] = (),
    home: Home = TABLE,
) -> Flask:
    """The application. `hosts()` are the Host headers that are answered.

    `pages` make blueprints of further pages, each given the guard that tells who asks.
    """
    app = Flask(__name__, static_folder="static", template_folder="templates")
    app.config["MAX_CONTENT_LENGTH"] = LONGEST_BODY
    app.extensions[ROLE_OF_REQUEST] = lambda cookies, path: access.role_of(parse_cookie(cookies).get(COOKIE))
    app.json = BoundedJSON(app)
    app.jinja_env.globals["languages"] = LANGUAGES

    app.register_blueprint(reference_pages(lambda: request.accept_languages.best_match(LANGUAGES) or language))

    events_made: dict[tuple[int, float, str, Role], bytes] = {}

    def encoded(item: Numbered, tongue: str, role: Role) -> bytes:
        """A view as an event; the same for all who have the role and the language, so made once."""
        key = (item.number, item.made, tongue, role)
        made = events_made.get(key)
        if made is None:
            body = json.dumps(backend.localised(item, tongue, role), ensure_ascii=False, separators=(",", ":"))
            made = f"id: {item.number}\nevent: view\ndata: {body}\n\n".encode()
            while len(events_made) >= EVENTS_KEPT:
                events_made.pop(next(iter(events_made)), None)
            events_made[key] = made
        return made

    def role() -> Role:
        found = access.role_of(request.cookies.get(COOKIE))
        if found is None:
            abort(401)
        return found

    def wanted() -> str:
        asked = request.args.get("lang", "")
        return asked if asked in LANGUAGES else language

    @app.before_request
    def only_our_own_name() -> AnyResponse | None:
        if request.host not in hosts():
            return _plain("This table answers to its own address only.", 400)
        if request.path in ("/join", "/uninvited.css"):
            return None
        if access.role_of(request.cookies.get(COOKIE)) is None:
            return uninvited(old=COOKIE in request.cookies)
        return None

    def uninvited(*, old: bool) -> AnyResponse:
        """For whoever has no invitation, or one that is no longer valid: what this is and how to come in."""
        tongue = request.accept_languages.best_match(LANGUAGES) or language
        words = catalogue(tongue)["uninvited"]
        return make_response(render_template("uninvited.html", language=tongue, words=words, old=old), 401)

    @app.get("/uninvited.css")
    def uninvited_style() -> AnyResponse:
        return Response(render_template("uninvited.css"), mimetype="text/css")

    @app.after_request
    def guarded(response: Response) -> Response:
        response.headers.update(SECURITY_HEADERS)
        if not request.is_secure and request.host.rsplit(":", 1)[0] not in THIS_MACHINE:
            # Over plain HTTP browsers obey it on this computer only, and complain of it elsewhere.
            response.headers.pop("Cross-Origin-Opener-Policy")
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.pop("Server", None)
        return response

    @app.errorhandler(HTTPException)
    def short(error: HTTPException) -> AnyResponse:
        group = {403: "not-yours", 404: "no-such-page"}.get(error.code or 500)
        if group is not None and request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
            # A person typed it, or followed an old link or somebody else's.
            tongue = request.accept_languages.best_match(LANGUAGES) or language
            words = catalogue(tongue)[group]
            page = render_template("uninvited.html", language=tongue, words=words, old=False)
            return make_response(page, error.code)
        return _plain(error.name, error.code or 500)

    def drawn(template: str) -> AnyResponse:
        mine = role()
        best = request.accept_languages.best_match(LANGUAGES) or language
        chosen = language if language != "en" else best
        return make_response(
            render_template(
                template,
                csrf=access.csrf(mine),
                role=mine,
                language=chosen,
                blueprints=app.blueprints.keys(),
                not_whole=catalogue(chosen)["not-whole"],
            )
        )

    @app.get("/")
    def page() -> AnyResponse:
        return drawn(home.template)

    @app.get("/tv")
    def television() -> AnyResponse:
        if home is not TABLE:
            abort(404)
        return drawn("tv.html")

    @app.get("/join")
    def join() -> AnyResponse:
        token = request.args.get("k", "")
        invited = access.role_of(token)
        if not token or invited is None or token not in access.tokens.values():
            return uninvited(old=True)
        if lower(invited, access.role_of(request.cookies.get(COOKIE))):
            # A link on another site could lead here: whoever can do more goes on as before.
            return redirect("/", 303)
        access.tokens.joined(invited, time.time())
        answer = redirect("/", 303)
        answer.set_cookie(COOKIE, token, max_age=86_400, httponly=True, samesite="Lax", path="/")
        return answer

    @app.get("/texts")
    def texts() -> AnyResponse:
        return _json(home.texts(wanted()))

    @app.get("/view")
    def view() -> AnyResponse:
        newest = backend.broadcaster.newest
        if newest is None:
            abort(503)
        return _json(backend.localised(newest, wanted(), role()))

    @app.get("/stream")
    def stream() -> AnyResponse:
        mine, tongue, cookie = role(), wanted(), request.cookies.get(COOKIE)
        events = EventStream(
            mine,
            lambda patience, wake: backend.broadcaster.listen(patience, wake, role=mine),
            lambda item: encoded(item, tongue, mine),
            lambda: access.role_of(cookie) == mine,
        )
        return stream_answer(events)

    @app.get("/picture.jpg")
    def picture() -> AnyResponse:
        image = backend.picture()
        if image is None:
            abort(404)
        return Response(image, mimetype="image/jpeg")

    @app.post("/do/<name>")
    def do(name: str) -> AnyResponse:
        mine = role()
        if not access.csrf_holds(mine, request.headers.get(CSRF_HEADER)) or not _same_origin():
            abort(403)
        body = request.get_json(silent=True)
        tongue = str(body.get("lang", language)) if isinstance(body, dict) else language
        tongue = tongue if tongue in LANGUAGES else language
        try:
            if not isinstance(body, dict):
                raise Refused("bad-request")
            done = backend.act(mine, name, body)
        except Refused as refused:
            if refused.code == "unknown":
                abort(404)
            status = {"not-allowed": 403, "bad-request": 400}.get(refused.code, 409)
            message = refused.said or say(tongue, "refused", refused.code)
            return _json({"code": refused.code, "message": message, **refused.more}, status)
        return _json({"code": done or "done"})

    for more in pages:
        # Last, so that what guards the whole application is asked before anything of theirs.
        app.register_blueprint(more(RequestGuard(access)))
    return app


def stream_answer(events: EventStream) -> AnyResponse:
    """The answer to the request that is being answered: handed over to the server, which needs no thread for it."""
    place = request.environ.get(HANDED_OVER)
    if place is None or request.method != "GET":
        answer = Response(events.lines(), mimetype="text/event-stream")
    else:
        place.append(events)
        answer = Response(mimetype="text/event-stream")
        # The stream has no length.
        answer.headers.pop("Content-Length", None)
        answer.automatically_set_content_length = False
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def _same_origin() -> bool:
    """A browser says where a request comes from; a page of another site is refused even with a token."""
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    return (origin is None or origin == f"{request.scheme}://{request.host}") and site in ("same-origin", "none")


def _plain(text: str, status: int) -> AnyResponse:
    return Response(text + "\n", status, mimetype="text/plain")


def _json(value: Any, status: int = 200) -> AnyResponse:
    return Response(json.dumps(value, ensure_ascii=False), status, mimetype="application/json")
