"""The card reference on the web: as JSON for the table's page, and as a page of its own that can be printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from engine.lexicon import LANGUAGES
from engine.names import EDITIONS, EditionName, parse_edition
from host.card_reference import reference
from host.messages import catalogue


def reference_pages(language: Callable[[], str], edition: EditionName = "revised") -> Blueprint:
    """`/cards` and `/cards.json`, each with `lang` and `edition`; without them the language and edition given here."""
    pages = Blueprint("card_reference", __name__, template_folder="templates")

    def wanted() -> tuple[str, EditionName]:
        asked, rules = request.args.get("lang", ""), request.args.get("edition", "")
        return (
            asked if asked in LANGUAGES else language(),
            parse_edition(rules) if rules in EDITIONS else edition,
        )

    @pages.get("/cards.json")
    def cards_json() -> AnyResponse:
        tongue, rules = wanted()
        found: dict[str, Any] = asdict(reference(tongue, rules))
        found["words"] = catalogue(tongue)["reference"]
        return Response(json.dumps(found, ensure_ascii=False), mimetype="application/json")

    @pages.get("/cards")
    def cards() -> AnyResponse:
        tongue, rules = wanted()
        page = render_template(
            "cards.html",
            found=reference(tongue, rules),
            words=catalogue(tongue)["reference"],
            editions={name: catalogue(tongue)["edition"][name] for name in EDITIONS},
        )
        return Response(page, mimetype="text/html")

    return pages
