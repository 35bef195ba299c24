"""Setting up on the web: one page, its state, its pictures and its actions. For whoever runs the table, nobody else."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from flask import Blueprint, Response, abort, redirect, render_template, request, send_file
from werkzeug.wrappers import Response as AnyResponse

from engine.failure import Failure
from engine.lexicon import LANGUAGES
from host.setup_wizard.texts import texts
from host.setup_wizard.wizard import ACTIONS, SetupWizard, failure_text
from vision.profile import FACES

PRINTS: Final[Mapping[str, Mapping[str, str]]] = {
    "mat-a2": {"what": "mat", "sheets": "a2"},
    "mat-2xa3": {"what": "mat", "sheets": "2xa3"},
    "mat-6xa4": {"what": "mat", "sheets": "6xa4"},
    "mat-6xletter": {"what": "mat", "sheets": "6xletter"},
    "tags-a4": {"what": "tags", "paper": "a4"},
    "tags-letter": {"what": "tags", "paper": "letter"},
}
"""What can be printed from here: the file's name and the options of `host.printing.products.product`."""


class WizardGuard(Protocol):
    """Who asks: what the page needs to know of the request that is being answered."""

    def is_owner(self) -> bool:
        """Whether it comes from whoever runs the table."""
        ...

    def token(self) -> str:
        """What the page sends along with everything that changes something."""
        ...

    def genuine(self) -> bool:
        """Whether the request carries that token and comes from the page itself."""
        ...


def setup_pages(wizard: SetupWizard, guard: WizardGuard, language: Callable[[], str]) -> Blueprint:
    """`/setup` and what belongs to it. Until a game runs, the table's own address leads here."""
    pages = Blueprint("setup", __name__, url_prefix="/setup", template_folder="templates", static_folder="static")

    def wanted() -> str:
        asked = request.args.get("lang", "")
        return asked if asked in LANGUAGES else language()

    @pages.before_app_request
    def lead_here() -> AnyResponse | None:
        if request.method == "GET" and request.path == "/" and guard.is_owner() and not wizard.playing:
            return redirect("/setup/", 303)
        return None

    @pages.before_request
    def owners_only() -> None:
        if request.endpoint != "setup.static" and not guard.is_owner():
            abort(403)

    @pages.get("/")
    def page() -> AnyResponse:
        tongue = wanted()
        drawn = render_template("setup.html", language=tongue, token=guard.token(), words=texts(tongue))
        return Response(drawn, mimetype="text/html")

    @pages.get("/texts")
    def words() -> AnyResponse:
        return _json(texts(wanted()))

    @pages.get("/state")
    def state() -> AnyResponse:
        return _json(wizard.row(wanted()))

    @pages.get("/picture.jpg")
    def picture() -> AnyResponse:
        return _image(wizard.live.jpeg(), "image/jpeg")

    @pages.get("/print/<name>.pdf")
    def printed(name: str) -> AnyResponse:
        if name not in PRINTS:
            abort(404)
        return Response(_pdf(name, wanted()), mimetype="application/pdf")

    @pages.get("/cameras")
    def cameras() -> AnyResponse:
        return _json(wizard.cameras())

    @pages.get("/camera/<int:number>.jpg")
    def thumbnail(number: int) -> AnyResponse:
        if number not in {camera["number"] for camera in wizard.cameras()} or wizard.playing:
            abort(404)
        if wizard.live.spec == str(number):
            return _image(wizard.live.jpeg(), "image/jpeg")
        return _image(wizard.thumbnails.jpeg(number), "image/jpeg")

    @pages.get("/learnt/<face>.png")
    def learnt(face: str) -> AnyResponse:
        return _image(wizard.live.face("-" if face == "back" else face), "image/png")

    @pages.get("/deck/<int:place>/<face>.png")
    def deck(place: int, face: str) -> AnyResponse:
        decks, name = wizard.decks(), "-" if face == "back" else face
        if not 0 <= place < len(decks) or name not in FACES:
            abort(404)
        picture = decks[place].folder.resolve() / f"{face}.png"
        if not picture.is_file():
            # The deck is not whole, or has just gone.
            abort(404)
        return send_file(picture, mimetype="image/png")

    @pages.post("/do/<action>")
    def do(action: str) -> AnyResponse:
        if not guard.genuine():
            abort(403)
        body = request.get_json(silent=True)
        tongue = wanted()
        if action not in ACTIONS or not isinstance(body, dict):
            abort(400)
        try:
            answer = wizard.act(action, body)
        except Failure as failure:
            # An answer like another: a browser would write a status of 400 or more into its console as an error.
            return _json({"code": failure.code, "message": failure_text(failure, tongue)})
        return _json({"code": "done", **answer, "state": wizard.row(tongue)})

    return pages


@functools.lru_cache(maxsize=8)
def _pdf(name: str, language: str) -> bytes:
    # The drawing packages take a moment to load, and nothing else here needs them.
    from host.printing.page import pdf
    from host.printing.products import product

    options: Any = PRINTS[name]
    made = product(language=language, **options)
    return pdf(made.pages, made.title)


def _json(value: Any) -> AnyResponse:
    return Response(json.dumps(value, ensure_ascii=False), mimetype="application/json")


def _image(data: bytes | None, mimetype: str) -> AnyResponse:
    return Response(status=204) if data is None else Response(data, mimetype=mimetype)
