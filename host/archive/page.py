"""`/games`: the wars that were played, for everybody who is invited; only whoever runs the table may delete one.

What is shown of a war is what an onlooker saw: a card that lay face down has no name. A war that may still be gone on
with is exported to nobody, for its record tells what its players remember.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final, Protocol

from flask import Blueprint, Response, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from engine.failure import BadInput, Failure
from engine.lexicon import LANGUAGES
from host.archive.rows import battle_rows, file_name, listed_row, player_row, war_row
from host.archive.score_picture import score_picture
from host.archive.texts import texts
from host.archive.war_archive import ArchivedWar, WarArchive
from host.messages.command_text import refusal_line
from host.messages.reader import reader_of
from host.web.access import Role

A_PAGE: Final = 20
"""Wars of the list that are sent at once."""


class Guard(Protocol):
    """Who asks: what these pages need to know of the request that is being answered."""

    def role(self) -> Role | None: ...

    def is_owner(self) -> bool: ...

    def token(self) -> str: ...

    def genuine(self) -> bool: ...


FILES: Final = ("/war.txt", "/log.jsonl")
"""What is taken along as a file."""


def archive_pages(archive: WarArchive, guard: Guard, language: Callable[[], str]) -> Blueprint:
    """The archive's pages."""
    pages = Blueprint("archive", __name__, url_prefix="/games", template_folder="templates", static_folder="static")

    def wanted() -> str:
        asked = request.args.get("lang", "")
        return asked if asked in LANGUAGES else language()

    @pages.errorhandler(Failure)
    def refused(failure: Failure) -> AnyResponse:
        if request.path.endswith(FILES):
            # Whoever follows a saved link would keep this as the file.
            return Response(failure_text(failure, wanted()) + "\n", 409, mimetype="text/plain")
        # An answer like another: a browser would write a status of 400 or more into its console as an error.
        return _json({"code": failure.code, "message": failure_text(failure, wanted())})

    @pages.get("/")
    def page() -> AnyResponse:
        tongue = wanted()
        token = guard.token() if guard.is_owner() else ""
        return _html(render_template("games.html", language=tongue, token=token, words=texts(tongue)))

    @pages.get("/texts")
    def words() -> AnyResponse:
        return _json(texts(wanted()))

    @pages.get("/wars.json")
    def wars() -> AnyResponse:
        start = _number(request.args.get("from", "0"))
        listed, in_all = archive.wars(start, A_PAGE)
        rows = [listed_row(one, wanted()) for one in listed]
        return _json({"wars": rows, "count": in_all, "from": start, "page": A_PAGE})

    @pages.get("/players.json")
    def players() -> AnyResponse:
        return _json({"players": [player_row(player, wanted()) for player in archive.players()]})

    @pages.get("/war/<name>.json")
    def war(name: str) -> AnyResponse:
        return _json(war_row(archive.war(name), wanted()) | {"may_delete": guard.is_owner()})

    @pages.get("/war/<name>/battle/<int:number>.json")
    def battle(name: str, number: int) -> AnyResponse:
        found = archive.war(name)
        if not 1 <= number <= len(found.summary.battles):
            raise BadInput("no-battle", "There is no such battle in this war.", "Go back to the war.")
        return _json(battle_rows(found, number, wanted(), guard.role() or "viewer"))

    @pages.get("/war/<name>/picture/<int:entry>.jpg")
    def picture(name: str, entry: int) -> AnyResponse:
        image = archive.picture(name, entry)
        if image is None:
            abort(404)
        answer = Response(image, mimetype="image/jpeg")
        # It never becomes another one.
        answer.headers["Cache-Control"] = "private, max-age=3600"
        return answer

    @pages.get("/war/<name>/war.txt")
    def notation(name: str) -> AnyResponse:
        text = archive.notation(name)
        return _file(text, "text/plain; charset=utf-8", f"{file_name(archive.listed(name))}.war")

    @pages.get("/war/<name>/log.jsonl")
    def log(name: str) -> AnyResponse:
        text = archive.json_lines(name)
        return _file(text, "application/json", f"{file_name(archive.listed(name))}.jsonl")

    @pages.get("/war/<name>/score.svg")
    def drawn(name: str) -> AnyResponse:
        tongue = wanted()
        return Response(score_picture(war_row(archive.war(name), tongue), texts(tongue)), mimetype="image/svg+xml")

    @pages.get("/war/<name>/sheet")
    def sheet(name: str) -> AnyResponse:
        tongue, found = wanted(), archive.war(name)
        row = war_row(found, tongue)
        told = [{"battle": one, "moves": _told(found, one["number"], tongue)} for one in row["battles"]]
        return _html(render_template("sheet.html", language=tongue, war=row, told=told, words=texts(tongue)))

    @pages.post("/do/delete")
    def delete() -> AnyResponse:
        if not guard.is_owner() or not guard.genuine():
            abort(403)
        body = request.get_json(silent=True)
        if not isinstance(body, dict) or not isinstance(body.get("war"), str):
            abort(400)
        archive.delete(body["war"])
        return _json({"code": "done"})

    return pages


def _told(war: ArchivedWar, number: int, language: str) -> list[tuple[int | None, str]]:
    """What was said of a battle, without what was taken back; a move has its number, nothing else has one."""
    reader = reader_of(language, war.summary.names)
    said = [m.said for m in war.moments if m.battle == number and m.said is not None and not m.taken_back]
    numbers = count(1)
    return [
        (next(numbers) if one.kind == "move" else None, reader.text(one))
        for one in said
        if one.kind in ("move", "battle", "correction", "violation")
    ]


def failure_text(failure: Failure, language: str) -> str:
    """A failure in the reader's language: as these pages say it, else as the commands do."""
    return texts(language).get(f"failed_{failure.code.replace('-', '_')}") or refusal_line(failure, language)


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise BadInput("bad-request", "That is no number of a war.", "Go back to the list.")
    return int(text)


def _html(drawn: str) -> AnyResponse:
    return Response(drawn, mimetype="text/html")


def _json(value: Mapping[str, Any]) -> AnyResponse:
    return Response(json.dumps(value, ensure_ascii=False), mimetype="application/json")


def _file(text: str, mimetype: str, name: str) -> AnyResponse:
    answer = Response(text, content_type=mimetype)
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer
