"""Tables without the game: a desk, wood, cloth, other cards, hands. No card may be seen there."""

from __future__ import annotations

import pytest

from engine.failure import Failure
from vision.simulate.elsewhere import KINDS, without_game
from vision.tracking.reader import SURE, Reader

AT_BOARDS = "between-boards"


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {AT_BOARDS}))
@pytest.mark.parametrize(("seed", "mat"), [(11, False), (12, True)])
def test_no_card_is_seen_where_none_lies(reader: Reader, kind: str, seed: int, mat: bool) -> None:
    try:
        sight = reader.read(without_game(kind, seed, mat)).sight
    except Failure as failure:
        assert failure.code == "no-table"
        return
    assert not any(sight.board.values())


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_another_games_cards_at_our_boards_are_not_believed(reader: Reader, seed: int) -> None:
    sight = reader.read(without_game(AT_BOARDS, seed)).sight
    assert not sight.sure
    assert all(card.p < SURE for stack in sight.stacks.values() for card in stack)
