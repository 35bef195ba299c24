"""Pages that a player opens by scanning a code: check-in with one's own, and entering oneself at the entrance."""

from __future__ import annotations

import hmac
from typing import Any, Final

from flask import Blueprint, abort, g, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from host.club.desk import Desk
from host.club.tournament.events import CheckedIn
from host.club.tournament.state import Player, Tournament, TournamentRefused
from host.club.web.access import DeskAccess
from host.messages import say

PLAYERS_AT_MOST: Final = 2000
"""Beyond that the entrance is closed: nobody fills the list by pressing a button all night."""


def player_pages(desk: Desk, access: DeskAccess) -> Blueprint:
    """The blueprint `player`: `/check-in/<token>` and `/enter/<token>`."""
    pages = Blueprint("player", __name__)

    @pages.route("/check-in/<token>", methods=["GET", "POST"])
    def check_in(token: str) -> AnyResponse:
        state = desk.state
        player = _holder(state, token)
        if state is None or player is None:
            abort(404)
        message = ""
        if request.method == "POST":
            if not access.csrf_holds(token, request.form.get("csrf")):
                abort(403)
            if not player.checked_in:
                try:
                    desk.act(CheckedIn(player.number), "player")
                    return redirect(f"/check-in/{token}", 303)
                except TournamentRefused as refused:
                    message = say(g.language, "club-refused", refused.code, refused.parts)
        parts: dict[str, Any] = {"player": player, "state": state, "token": token, "message": message}
        parts |= {"own_csrf": access.csrf(token), "match": _match_of(state, player)}
        return make_response(render_template("club/check_in.html", **parts), 409 if message else 200)

    @pages.route("/enter/<token>", methods=["GET", "POST"])
    def entrance(token: str) -> AnyResponse:
        state = desk.state
        if state is None or not access.is_entrance(token):
            abort(404)
        message = ""
        if request.method == "POST":
            if not access.csrf_holds(token, request.form.get("csrf")):
                abort(403)
            try:
                if len(state.players) >= PLAYERS_AT_MOST:
                    raise TournamentRefused("bad-request")
                number = desk.enter(request.form.get("name", ""), checked_in=True, by="player")
                assert desk.state is not None
                return redirect(f"/check-in/{desk.state.players[number].token}", 303)
            except TournamentRefused as refused:
                message = say(g.language, "club-refused", refused.code, refused.parts)
        parts = {"token": token, "state": state, "message": message, "own_csrf": access.csrf(token)}
        return make_response(render_template("club/enter.html", **parts), 409 if message else 200)

    return pages


def is_players_page(desk: Desk, access: DeskAccess, path: str) -> bool:
    """Whether a path is that of a player's own page or of the entrance, with a code that is good."""
    match path.split("/"):
        case ["", "check-in", token]:
            return _holder(desk.state, token) is not None
        case ["", "enter", token]:
            return access.is_entrance(token)
    return False


def _holder(state: Tournament | None, token: str) -> Player | None:
    for player in state.players.values() if state else ():
        if hmac.compare_digest(player.token.encode(), token.encode()):
            return player
    return None


def _match_of(state: Tournament, player: Player) -> tuple[int, int | None, str]:
    """Round, table and opponent of a player now; no table for a bye, round 0 for neither."""
    current = state.current
    if current is None or state.finished:
        return (0, None, "")
    for pair in current.pairs:
        if player.number in (pair.near, pair.far):
            other = pair.far if player.number == pair.near else pair.near
            return (current.number, pair.table, state.players[other].name)
    return (current.number if current.bye == player.number else 0, None, "")
