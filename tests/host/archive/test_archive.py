"""The archive: a war is told again as it was played, counted, exported when it is over, deleted with its pictures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask import Flask

from engine.events import Concede, Undo
from engine.failure import BadInput
from engine.lexicon import LANGUAGES
from engine.names import CARDS, FACE_DOWN, SEATS, Face
from engine.places import Place
from engine.records.notation import read
from engine.records.replay import WarStep, replay_war
from engine.sight import PLACES, sight_of
from host.archive.page import archive_pages
from host.archive.rows import battle_rows, player_row, war_row
from host.archive.score_picture import score_picture
from host.archive.texts import texts
from host.archive.war_archive import DemonstrationGames, WarArchive
from host.messages import card
from host.session.game_log import NewEntry
from host.session.memory_log import MemoryLog
from host.session.picture_store import PictureStore
from host.session.session import Rules, Session
from host.session.shared_log import HeldLog, SharedLog
from host.session.sqlite_log import SqliteLog
from host.setup_wizard.choices import person_name
from tests.host.archive.played_wars import play_war


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    """Two wars of Anna and Boris that are over, and a newest one that is not."""
    log = MemoryLog()
    play_war(log, seed=5, names=("Anna", "Boris"), began=1_700_000_000.0)
    play_war(log, seed=7, names=("boris ", "Anna"), began=1_700_700_000.0)
    play_war(log, seed=2, names=("Anna", ""), began=1_701_000_000.0, scenes_most=22)
    return log


def archive_of(log: MemoryLog, pictures: PictureStore | None = None) -> WarArchive:
    return WarArchive(HeldLog(log), pictures)


def test_the_newest_war_comes_first_with_its_score_and_whether_it_is_over(log: MemoryLog) -> None:
    wars, count = archive_of(log).wars()
    assert count == 3
    assert [war.open for war in wars] == [True, False, False]
    summaries = [war.summary for war in wars if war.summary is not None]
    assert [dict(summary.score) for summary in summaries[1:]] == [{"near": 6, "far": 12}, {"near": 4, "far": 12}]
    assert [summary.winner for summary in summaries] == [None, "far", "far"]
    assert archive_of(log).wars(1, 1)[0][0].info.id == wars[1].info.id


def test_what_a_demonstration_plays_is_watched_again_and_listed_nowhere(log: MemoryLog, tmp_path: Path) -> None:
    shown = DemonstrationGames(MemoryLog(), PictureStore(tmp_path, 1_000_000))
    name = play_war(shown.log, pictures=shown.pictures, scenes_most=6)
    archive = WarArchive(HeldLog(log), None, demonstration=lambda: shown)
    war = archive.war(name)
    assert war.moments and archive.picture(name, war.pictures[0])
    assert archive.wars()[1] == 3
    with pytest.raises(BadInput, match="no such war"):
        archive.delete(name)


def test_a_battles_moments_end_with_the_state_that_the_log_has(log: MemoryLog) -> None:
    archive = archive_of(log)
    war = archive.war(archive.wars()[0][1].info.id)
    for battle in war.summary.battles:
        moments = [moment for moment in war.moments if moment.battle == battle.number]
        assert moments[-1].standing.score == battle.score
        standing = [m for m in moments if m.said is not None and m.said.kind == "move" and not m.taken_back]
        assert len(standing) == battle.moves - (battle.why == "withdrew" and standing[-1].said is None)
    assert war.moments[0].concluded == "opening"


def test_a_move_that_was_taken_back_is_marked_and_who_said_so_is_told(log: MemoryLog) -> None:
    archive = archive_of(log)
    war = archive.war(archive.wars()[0][1].info.id)
    undo = next(number for number, m in enumerate(war.moments) if m.said is not None and m.said.kind == "undo")
    assert war.moments[undo - 1].taken_back
    row = battle_rows(war, 1, "en", "viewer")["moments"][undo]
    assert row["why"] == "Said on the page of whoever runs the table."


def test_a_mistake_is_told_with_its_rule_its_mend_and_the_theater(log: MemoryLog) -> None:
    archive = archive_of(log)
    war = archive.war(archive.wars()[0][1].info.id)
    row = next(m for m in battle_rows(war, 1, "en", "viewer")["moments"] if m["kind"] == "violation")
    assert row["rule"]
    assert row["mend"]
    assert any(theater["wrong"] for theater in row["view"]["theaters"])
    assert [mistake.mended for mistake in war.summary.mistakes] == [True, True, True]


def test_withdrawals_and_what_they_cost(log: MemoryLog) -> None:
    archive = archive_of(log)
    war = archive.war(archive.wars()[0][1].info.id)
    (withdrawn,) = war.summary.withdrawals("near")
    assert (withdrawn.number, withdrawn.points, withdrawn.in_hand) == (2, 6, 1)
    assert war.summary.withdrawals("far") == ()
    how = war_row(war, "ru")["battles"][1]["how"]
    assert how == "Отступление: boris, на руке 1 карта; цена — 6 очков"


def test_an_undo_that_nobody_meant_leaves_the_battle_as_it_was_played(log: MemoryLog) -> None:
    """Its card stays on the table and is turned over by its own effect; the battle was played out in truth."""
    archive = archive_of(log)
    (war,) = (archive.war(one.info.id) for one in archive.wars()[0] if one.info.began == 1_700_000_000.0)
    battle = war.summary.battles[0]
    assert (battle.winner, battle.points, battle.why) == ("far", 6, "played-out")


def test_players_are_counted_over_all_their_wars(log: MemoryLog) -> None:
    anna, boris = archive_of(log).players()
    assert (anna.name, len(anna.wars), anna.won, anna.lost) == ("Anna", 3, 1, 1)
    assert (boris.name, len(boris.wars), boris.won, boris.lost) == ("boris", 2, 1, 1)
    given = [battle.points for played in anna.wars for battle in played.war.withdrawals(played.seat)]
    assert (anna.withdrawals, anna.cost) == (len(given), sum(given))
    assert (anna.withdrawals, boris.withdrawals) == (0, 2)
    assert sum(anna.mistakes.values()) + sum(boris.mistakes.values()) >= 6
    row = player_row(anna, "en")
    assert [one["came"] for one in row["over_time"]] == ["open", "won", "lost"]
    assert json.loads(json.dumps(row)) == row


def test_players_whose_long_names_begin_alike_are_two() -> None:
    log, same = MemoryLog(), "Maximilian Alexander von und zu Hohenstein-"
    older, younger = same + "Oehringen", same + "Bartenstein"
    play_war(log, names=(person_name(older), person_name(younger)), scenes_most=6)
    assert {player.name for player in archive_of(log).players()} == {older, younger}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_that_lies_face_down_has_no_name_in_any_moment(log: MemoryLog, language: str) -> None:
    archive = archive_of(log)
    for listed in archive.wars()[0]:
        war = archive.war(listed.info.id)
        seen: set[str] = set()
        for moment in war.moments:
            state = moment.standing.state
            seen |= {slot.card for pile in state.piles for slot in pile if slot.up and slot.card is not None}
        for battle in war.summary.battles:
            text = json.dumps(battle_rows(war, battle.number, language, "near"), ensure_ascii=False)
            for hidden in set(CARDS) - seen:
                assert f'"face": "{hidden}"' not in text
                assert card(language, hidden) not in text
        rows = battle_rows(war, 1, language, "viewer")["moments"]
        for row, moment in zip(rows, (m for m in war.moments if m.battle == 1), strict=True):
            for theater in row["view"]["theaters"]:
                for seat in SEATS:
                    slots = moment.standing.state.stacks[(theater["id"], seat)]
                    faces = [one["face"] for one in theater[seat]["stack"]]
                    assert [face == FACE_DOWN for face in faces] == [not slot.up for slot in slots]


def test_a_war_that_may_be_gone_on_with_is_exported_to_nobody(log: MemoryLog) -> None:
    archive = archive_of(log)
    wars, _ = archive.wars()
    for export in (archive.notation, archive.json_lines):
        with pytest.raises(BadInput) as refused:
            export(wars[0].info.id)
        assert refused.value.code == "war-open"
    assert "Battle 3" in archive.notation(wars[1].info.id)
    head, *entries = archive.json_lines(wars[1].info.id).splitlines()
    assert json.loads(head)["war"] == wars[1].info.id
    assert len(entries) == wars[1].info.entries


def test_the_picture_to_share_is_well_formed_whatever_the_players_are_called() -> None:
    log = MemoryLog()
    war = play_war(log, seed=7, names=("<b>&Co", "Wszechświatosława z Brzęczyszczykiewicza"))
    archive = archive_of(log)
    for language in LANGUAGES:
        drawn = ElementTree.fromstring(score_picture(war_row(archive.war(war), language), texts(language)))
        said = [node.text for node in drawn.iter() if node.text]
        assert "<b>&Co" in said
        assert "6 : 12" in said
        assert all(len(text) < 80 for text in said)


def test_a_war_is_deleted_with_its_pictures_unless_it_is_being_played(tmp_path: Path) -> None:
    log, pictures = MemoryLog(), PictureStore(tmp_path / "pictures", 10_000_000)
    war = play_war(log, seed=7, pictures=pictures, scenes_most=12)
    running: list[str | None] = [war]
    archive = WarArchive(HeldLog(log), pictures, lambda: running[0])
    assert archive.war(war).pictures
    with pytest.raises(BadInput) as refused:
        archive.delete(war)
    assert refused.value.code == "war-running"
    running[0] = None
    archive.delete(war)
    assert archive.wars() == ([], 0)
    assert pictures.entries(war) == ()
    assert list((tmp_path / "pictures").iterdir()) == []
    with pytest.raises(BadInput):
        archive.war(war)


def test_a_war_that_was_conceded_has_its_winner() -> None:
    log = MemoryLog()
    session = Session(log, Rules(target=3), lambda: 1.0, resume=False)
    session.apply(Concede("near"), {"by": "page", "role": "near"})
    session.apply(Undo(), {"by": "page", "role": "owner"})
    session.apply(Concede("far"), {"by": "page", "role": "far"})
    (listed,), _ = archive_of(log).wars()
    assert listed.summary is not None
    assert listed.summary.battles[0].winner == "near"


class TableOfTwo:
    """Anna and Jan at a table whose boards lie air, sea, land; Anna was put down as the first player."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.t = 0.0
        rules = Rules(first="near", names=("Anna", "Jan"))
        self.session = Session(self.log, rules, lambda: 1_700_000_000.0 + self.t, resume=False)
        self._board: dict[Place, tuple[Face, ...]] = dict.fromkeys(PLACES, ())
        self.lay()

    def lay(self, at: Place | None = None, face: Face = FACE_DOWN) -> None:
        if at is not None:
            self._board[at] = (*self._board[at], face)
        self.session.see(sight_of(self._board, ("A", "S", "L")), self.t)
        for _ in range(12):
            self.t += 0.2
            self.session.tick(self.t)
        self.t += 5.0


def test_what_the_program_misread_is_nobodys_mistake_and_the_boards_lie_as_they_lay() -> None:
    table = TableOfTwo()
    table.lay(("S", "far"))  # A mistake, as long as Anna is taken for the first player.
    table.lay(("S", "near"))
    table.lay(("L", "far"), "L6")
    war = archive_of(table.log).war(table.session.war)
    texts_told = [row["text"] for row in battle_rows(war, 1, "en", "viewer")["moments"] if not row["taken_back"]]
    assert any("misread" in text for text in texts_told)
    assert war.summary.mistakes == ()
    assert not any("other player's turn" in text for text in texts_told)
    assert {moment.standing.state.order for moment in war.moments} == {("A", "S", "L")}


def test_a_war_given_up_says_so_and_its_battle_keeps_its_own_score_and_length() -> None:
    table = TableOfTwo()
    table.lay(("S", "near"))
    table.lay(("L", "far"), "L6")
    table.t += 600.0
    table.session.apply(Concede("near", war=True), {"by": "page", "role": "near"})
    archive = archive_of(table.log)
    row = war_row(archive.war(table.session.war), "en")
    assert row["conceded"]["text"] == "Anna conceded the war"
    assert row["score"] == {"near": 0, "far": 12}
    (battle,) = row["battles"]
    assert battle["score"] == {"near": 0, "far": battle["points"]}
    assert "Anna conceded" in score_picture(row, texts("en"))
    # The record in the notation comes to the same end.
    *_, last = replay_war(read(archive.notation(table.session.war)))
    assert isinstance(last, WarStep)
    assert last.war.score == {"near": 0, "far": 12}


def test_a_war_whose_concession_was_taken_back_says_nothing_of_it() -> None:
    table = TableOfTwo()
    table.lay(("S", "near"))
    table.session.apply(Concede("near", war=True), {"by": "page", "role": "near"})
    table.session.apply(Undo(), {"by": "page", "role": "owner"})
    assert war_row(archive_of(table.log).war(table.session.war), "en")["conceded"] is None


@pytest.mark.parametrize(
    ("names", "file"),
    [
        (("Anna", "Jan"), "anna-jan-2023-11-14-"),
        (("Ольга", ""), "ольга-2023-11-14-"),
        (("../..", 'x"; y\r\n'), "x-y-2023-11-14-"),
    ],
)
def test_a_file_that_is_saved_is_called_after_the_players_and_the_day(names: tuple[str, str], file: str) -> None:
    log = MemoryLog()
    war = play_war(log, seed=7, names=names, scenes_most=3)
    assert war_row(archive_of(log).war(war), "en")["file"] == file + war[:4]


def test_damage_is_told_and_hides_no_other_war(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    log = SqliteLog(path)
    whole, broken = play_war(log, seed=7, scenes_most=9, began=1.0), play_war(log, seed=5, scenes_most=9, began=2.0)
    log._db.execute("UPDATE entry SET events = '[]' WHERE war = ? AND sequence % 3 = 0", (broken,))
    log.close()
    archive = WarArchive(SharedLog(path))
    first, second = archive.wars()[0]
    assert (first.info.id, first.summary) == (broken, None)
    assert "not as it was written" in first.damage
    assert (second.info.id, second.summary is not None) == (whole, True)
    with pytest.raises(BadInput):
        archive.war(broken)


class EverybodyLooksOn:
    """A guard before whom everybody is an onlooker."""

    def role(self) -> None:
        return None

    def is_owner(self) -> bool:
        return False

    def token(self) -> str:
        return ""

    def genuine(self) -> bool:
        return False


def test_the_log_of_a_war_whose_rules_nobody_knows_can_still_be_saved() -> None:
    played, log = MemoryLog(), MemoryLog()
    whole = play_war(played, seed=7, scenes_most=3)
    log.begin("feedbeef", "air-land-sea", {"edition": "tenth"}, 1_700_000_000.0)
    for entry in played.entries(whole):
        log.append(NewEntry("feedbeef", entry.at, entry.t, entry.cause, entry.events))
    app = Flask(__name__)
    app.register_blueprint(archive_pages(archive_of(log), EverybodyLooksOn(), lambda: "en"))
    answer = app.test_client().get("/games/war/feedbeef/log.jsonl")
    head, *entries = answer.text.splitlines()
    assert json.loads(head)["options"] == {"edition": "tenth"}
    assert len(entries) == len(list(played.entries(whole))) > 0
    assert answer.headers["Content-Disposition"] == "attachment; filename=2023-11-14-feed.jsonl"


@pytest.mark.parametrize("file", ["war.txt", "log.jsonl"])
def test_the_record_of_a_war_that_is_not_over_is_refused_and_no_file(file: str) -> None:
    log = MemoryLog()
    name = play_war(log, seed=7, scenes_most=3)
    app = Flask(__name__)
    app.register_blueprint(archive_pages(archive_of(log), EverybodyLooksOn(), lambda: "en"))
    answer = app.test_client().get(f"/games/war/{name}/{file}")
    assert (answer.status_code, answer.mimetype) == (409, "text/plain")
    assert "This war is not over" in answer.text and "Content-Disposition" not in answer.headers


def test_a_shared_log_is_open_as_long_as_anybody_reads_it(tmp_path: Path) -> None:
    shared = SharedLog(tmp_path / "games.db")
    with shared.reading() as nothing:
        assert nothing is None
    assert not shared.path.exists()
    with shared.open() as first:
        with shared.reading() as second:
            assert second is first
        play_war(first, scenes_most=3)
        assert WarArchive(shared).wars()[1] == 1
    # Let go of: another program may have it now.
    SqliteLog(shared.path).close()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_text_is_there_in_every_language(language: str) -> None:
    assert set(texts(language)) == set(texts("en"))
    for code, text in texts(language).items():
        assert set(re.findall(r"\{[a-z|]+\}", text)) == set(re.findall(r"\{[a-z|]+\}", texts("en")[code])), code
