"""What the archive's pages are sent: wars, battles, moments and players in one language, ready for JSON."""

from __future__ import annotations

import re
import time
from typing import Any, Final

from engine.names import SEATS, Seat
from host.archive.moments import Moment
from host.archive.summaries import BattleSummary, PlayerSummary, WarSummary
from host.archive.texts import texts
from host.archive.war_archive import ArchivedWar, ListedWar
from host.messages import fill, say
from host.messages.reader import reader_of
from host.web.access import Role
from host.web.page_state import Condition, TableView
from host.web.view import game_view
from host.web.view_serializer import localised

VIEW: Final = ("theaters", "seats", "now", "target", "first", "edition", "beginner", "turn", "battle_text", "lang")
"""What of a page's view the field is drawn from."""


def names_of(summary: WarSummary, language: str) -> dict[Seat, str]:
    """The players' names, or their seats' where nobody said."""
    names = zip(SEATS, summary.names, strict=True)
    return {seat: name.strip() or say(language, "seat", seat) for seat, name in names}


def listed_row(listed: ListedWar, language: str) -> dict[str, Any]:
    """A war of the list."""
    row: dict[str, Any] = {"id": listed.info.id, "began": listed.info.began, "open": listed.open}
    if listed.summary is None:
        return row | {"damaged": listed.damage}
    return row | _summary_row(listed.summary, language)


def _summary_row(summary: WarSummary, language: str) -> dict[str, Any]:
    winner = summary.winner
    names = names_of(summary, language)
    return {
        "names": names,
        "score": dict(summary.score),
        "target": summary.target,
        "edition": say(language, "edition", summary.edition),
        "beginner": summary.beginner,
        "winner": winner,
        "winner_name": names[winner] if winner else None,
        "fought": len(summary.battles),
        "moves": summary.moves,
        "minutes": round(summary.seconds / 60),
    }


def war_row(war: ArchivedWar, language: str) -> dict[str, Any]:
    """A war with its battles, withdrawals and mistakes."""
    summary = war.summary
    names = names_of(summary, language)
    words = texts(language)
    mistakes = [
        {
            "battle": mistake.battle,
            "who": names[mistake.who],
            "rule": say(language, "violation", mistake.code),
            "mended": words["mended" if mistake.mended else "stood"],
        }
        for mistake in summary.mistakes
    ]
    given_up = summary.concession
    return listed_row(war.listed, language) | {
        "conceded": None if given_up is None else _concession(names[given_up.who], language),
        "file": file_name(war.listed),
        "battles": [_battle_row(battle, names, language) for battle in summary.battles],
        "mistakes": mistakes,
        "pictures": len(war.pictures),
    }


def _concession(who: str, language: str) -> dict[str, str]:
    return {"who": who, "text": fill(language, texts(language)["conceded"], {"who": who})}


def file_name(listed: ListedWar) -> str:
    """What a file made of a war is called, without its ending: who played, where that can be read, and when, in letters
    of any script."""
    names = ("", "") if listed.summary is None else listed.summary.names
    parts = [re.sub(r"[^\w]+", "-", name).strip("-").lower() for name in names]
    day = time.strftime("%Y-%m-%d", time.localtime(listed.info.began))
    return "-".join([*(part for part in parts if part), day, listed.info.id[:4]])


def _battle_row(battle: BattleSummary, names: dict[Seat, str], language: str) -> dict[str, Any]:
    words = texts(language)
    order = [say(language, "theater", theater) for theater in battle.order]
    row: dict[str, Any] = {
        "number": battle.number,
        "first": names[battle.first],
        "order": " · ".join(order),
        "winner": battle.winner,
        "winner_name": names[battle.winner] if battle.winner else None,
        "points": battle.points,
        "points_text": fill(language, "{n|points}", {"n": battle.points}),
        "moves": battle.moves,
        "minutes": round(battle.seconds / 60),
        "score": dict(battle.score),
        "how": words["open"] if battle.winner is None else words["played_out"],
        "withdrew": None,
    }
    if battle.why == "withdrew":
        loser = names["near" if battle.winner == "far" else "far"]
        parts = {"who": loser, "cards": battle.in_hand, "points": battle.points}
        row["withdrew"] = loser
        row["how"] = fill(language, words["withdrew"], parts)
    return row


def battle_rows(war: ArchivedWar, number: int, language: str, role: Role) -> dict[str, Any]:
    """A battle moment by moment, each with the table as it was shown, seen from the seat of `role`."""
    moments = [moment for moment in war.moments if moment.battle == number]
    return {
        "number": number,
        "battles": len(war.summary.battles),
        "moments": [_moment_row(war, moment, language, role) for moment in moments],
        "war": listed_row(war.listed, language),
    }


def _moment_row(war: ArchivedWar, moment: Moment, language: str, role: Role) -> dict[str, Any]:
    words = texts(language)
    reader = reader_of(language, war.summary.names)
    said = words["opening"] if moment.said is None else reader.text(moment.said)
    who = "" if moment.who is None else words[f"who_{moment.who}"]
    first, *mends = moment.why or (None,)
    shown = localised(_table(war, moment), language, "viewer", "")
    view = {key: shown[key] for key in VIEW}
    return {
        "entry": moment.entry,
        "at": moment.at,
        "kind": "opening" if moment.said is None else moment.said.kind,
        "text": said,
        "why": fill(language, words[f"by_{moment.concluded}"], {"who": who}),
        "rule": None if first is None else reader.text(first),
        "mend": [reader.text(mend) for mend in mends],
        "taken_back": moment.taken_back,
        "picture": _picture(war, moment),
        "view": view | {"role": role, "entry": moment.entry, "war": war.listed.info.id},
    }


def _table(war: ArchivedWar, moment: Moment) -> TableView:
    """The moment as a page would have shown it."""
    good = Condition(True, "camera-good")
    return TableView(game_view(moment.standing), moment.entry, (), good, good, names=war.summary.names)


def _picture(war: ArchivedWar, moment: Moment) -> str | None:
    """The picture that the moment was concluded from: the last one that was kept up to it, of the same battle."""
    since = next((m.entry for m in war.moments if m.battle == moment.battle), 0)
    kept = [entry for entry in war.pictures if since <= entry <= moment.entry]
    return f"/games/war/{war.listed.info.id}/picture/{kept[-1]}.jpg" if kept else None


def player_row(player: PlayerSummary, language: str) -> dict[str, Any]:
    """A player over time, the newest war first."""
    battles = max(1, player.battles)
    return {
        "name": player.name,
        "wars": len(player.wars),
        "won": player.won,
        "lost": player.lost,
        "battles": player.battles,
        "battles_won": player.battles_won,
        "withdrawals": player.withdrawals,
        "cost": player.cost,
        "moves_a_battle": round(player.moves / battles, 1),
        "minutes_a_battle": round(player.seconds / 60 / battles, 1),
        "mistakes": [
            {"rule": say(language, "violation", code), "count": count} for code, count in player.mistakes.items()
        ],
        "over_time": [
            {
                "id": played.war.id,
                "began": played.war.began,
                "opponent": played.opponent.strip(),
                "came": played.came,
                "own": played.war.score[played.seat],
                "other": played.war.score["far" if played.seat == "near" else "near"],
                "withdrawals": played.withdrawals,
                "cost": played.cost,
                "mistakes": played.mistakes,
            }
            for played in reversed(player.wars)
        ],
    }
