"""`allfronts play`: what its options ask of a war."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import pytest

from engine.failure import BadInput
from host.cli import main
from host.commands.play import add_arguments, played_already, rules_of
from host.session.session import Rules
from host.session.source_events import SourceNotice
from host.settings import Settings

Make = Callable[..., Any]
Battle = Callable[..., list[Any]]


def asked(*words: str) -> Rules:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return rules_of(parser.parse_args(["--camera", "0", "--deck", "deck", *words]), Settings())


def test_players_are_named_by_their_seats() -> None:
    assert asked("--near", " Anna", "--far", "Bo").names == ("Anna", "Bo")
    assert asked("--far", "Bo").names == ("", "Bo")
    assert asked().names == ("", "")


def test_two_players_of_one_name_are_refused() -> None:
    with pytest.raises(BadInput, match="Both names are Anna"):
        asked("--near", "Anna", "--far", "anna")


def test_a_war_that_no_card_was_laid_in_is_not_called_unfinished(played: Make, battle: Battle) -> None:
    # Given a start at which the camera saw no table,
    game = played()
    game.session.source(SourceNotice("no-table"), 0.0)
    game.die()
    # then the war goes on without a word; with cards on the table it is told.
    assert game.session.resumed and not played_already(game.session)
    for scene in battle(7)[:4]:
        game.show(scene)
    game.die()
    assert game.session.resumed and played_already(game.session)


def test_a_port_that_is_none_is_refused_before_anything_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--camera", "0", "--deck", "nowhere", "--http", "99999"]) == 2
    told = capsys.readouterr().err
    assert "99999" in told and told.count("\n") == 1
