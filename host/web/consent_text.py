"""A request for consent in words, for whoever asked and for those who are to answer."""

from __future__ import annotations

from host.messages.reader import MessageReader
from host.web.consent import AskedFor, deciders
from host.web.page_view import AskedText
from host.web.roles import Role


def asks_text(role: Role, present: frozenset[Role], reader: MessageReader) -> str:
    """Who is asked before this page changes something for both players; empty where nobody is."""
    needed = deciders(role, present)
    if role == "viewer" or not needed:
        return ""
    return reader.say("consent", "asks-both") if len(needed) > 1 else _named("asks", needed, reader)


def asked_text(asked: AskedFor | None, role: Role, reader: MessageReader) -> AskedText | None:
    """The newest request as that page shows it; None where it has nothing to do with it."""
    if asked is None:
        return None
    mine, answers = role == asked.by, role in asked.needed and asked.outcome == "open"
    if not mine and not answers:
        return None
    return {
        "number": asked.number,
        "mine": mine,
        "answers": answers,
        "outcome": asked.outcome,
        "title": reader.say("consent", f"ask-{asked.action}", {"by": asked.by}),
        "what": [reader.text(one) for one in asked.what],
        "told": _told(asked, reader) if mine else reader.say("consent", "within"),
    }


def _told(asked: AskedFor, reader: MessageReader) -> str:
    if asked.outcome == "open" and len(asked.needed) > 1:
        return reader.say("consent", "waiting-both")
    if asked.outcome == "open":
        return _named("waiting", asked.needed, reader)
    if asked.outcome == "declined":
        return reader.say("consent", "declined", {"who": asked.answered_by})
    return reader.say("consent", asked.outcome) if asked.outcome in ("lapsed", "moved-on") else ""


def _named(code: str, needed: frozenset[Role], reader: MessageReader) -> str:
    return reader.say("consent", code, {"who": min(needed)})
