"""`allfronts play`: what its options ask of a war."""

from __future__ import annotations

import argparse

import pytest

from engine.failure import BadInput
from host.commands.play import add_arguments, rules_of
from host.session.session import Rules
from host.settings import Settings


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
