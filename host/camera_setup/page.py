"""The aiming page: the live picture and what to do about it. On this machine only; nothing on it changes anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from flask import Blueprint, Flask, Response, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from engine.lexicon import LANGUAGES
from host.camera_setup.watch import AimWatch
from host.camera_setup.words import localised, page_words
from host.web.app import SECURITY_HEADERS


def make_aiming_app(watch: AimWatch, hosts: Callable[[], frozenset[str]]) -> Flask:
    """The application; `hosts()` are the Host headers that are answered."""
    # The look is the table's: its own stylesheet, and little beside it.
    look = Path(str(resources.files("host.web").joinpath("static")))
    app = Flask(__name__, static_folder=look, static_url_path="/static", template_folder="templates")
    app.register_blueprint(Blueprint("aim", __name__, static_folder="static", static_url_path="/aim"))

    @app.before_request
    def only_our_own_name() -> AnyResponse | None:
        # The picture shows somebody's room: a foreign name that points here, or a foreign page, gets nothing.
        if request.host not in hosts():
            return Response("This page answers to its own address only.", 400, mimetype="text/plain")
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            return Response("This page is not for other sites.", 403, mimetype="text/plain")
        return None

    @app.after_request
    def guarded(response: Response) -> Response:
        response.headers.update(SECURITY_HEADERS)
        response.headers["Cache-Control"] = "no-store"
        return response

    def language() -> str:
        asked = request.args.get("lang", "")
        return asked if asked in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"

    @app.get("/")
    def page() -> AnyResponse:
        tongue = language()
        return make_response(render_template("aim.html", language=tongue, words=page_words(tongue)))

    @app.get("/state")
    def state() -> AnyResponse:
        row = localised(watch.row(), language(), watch.learnt(), watch.failure())
        return Response(json.dumps(row, ensure_ascii=False), mimetype="application/json")

    @app.get("/picture.jpg")
    def picture() -> AnyResponse:
        jpeg = watch.jpeg()
        return Response(jpeg, mimetype="image/jpeg") if jpeg is not None else Response(status=204)

    @app.get("/favicon.ico")
    def icon() -> AnyResponse:
        return Response(status=204)

    return app
