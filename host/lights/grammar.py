"""The grammar of the lights: from the state of a battle to a LightFrame. Pure; docs/lights.md."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from engine.editions import edition_named
from engine.names import SEATS, THEATERS, EditionName, Seat, Theater, other
from engine.strength import control, totals
from host.lights.frame import AMBER, BLUE, MOST_LEAD, RED, WHITE, Bar, Colour, LightFrame, Mood
from host.session.standing import Standing, eligible_theaters, violated_theaters

COMMANDER_LIGHTS: Final[Mapping[str, Colour]] = {"red": RED, "blue": BLUE, "white": WHITE, "amber": AMBER}
"""How the lights show each colour that a commander card has (`engine.editions`)."""


def commander_colours(edition: EditionName, first: Seat) -> tuple[Colour, Colour]:
    """Colours of near and far: a seat wears the colour of the commander card that it holds in this battle."""
    one, two = (COMMANDER_LIGHTS[name] for name in edition_named(edition).commander_colours)
    return (one, two) if first == "near" else (two, one)


def frame_of(standing: Standing) -> LightFrame:
    """What the lights show of a table: the state alone decides it, and no page has to be built for it."""
    state = standing.state
    sums = totals(state.order, state.piles)
    return light_frame(
        state.order,
        state.edition.name,
        state.first,
        {t: {s: sums[2 * i + k] for k, s in enumerate(SEATS)} for i, t in enumerate(THEATERS)},
        control(state),
        violations=violated_theaters(standing.violation),
        choices=eligible_theaters(state),
        battle_winner=state.result.winner if state.result else None,
        war_winner=standing.war_winner,
    )


def light_frame(
    order: tuple[Theater, Theater, Theater],
    edition: EditionName,
    first: Seat,
    totals: Mapping[Theater, Mapping[Seat, int]],
    control: Mapping[Theater, Seat],
    *,
    violations: Collection[Theater] = (),
    choices: Collection[Theater] = (),
    battle_winner: Seat | None = None,
    war_winner: Seat | None = None,
) -> LightFrame:
    """What the bars show of one battle.

    `totals` are the strengths of both sides of each theater and `control` who holds it (ties already decided).
    `violations` blink, `choices` (theaters that a pending effect may pick) breathe; a violation goes before a choice,
    since it must be put right first. A won battle or war plays its show, the war's before the battle's; a violation
    on the table is told even then.
    """
    near, far = commander_colours(edition, first)

    def mood(theater: Theater) -> Mood:
        if theater in violations:
            return "blink"
        return "breathe" if theater in choices else "steady"

    def bar(theater: Theater) -> Bar:
        holder = control[theater]
        lead = totals[theater][holder] - totals[theater][other(holder)]
        return Bar(holder, max(0, min(MOST_LEAD, lead)), mood(theater))

    left, middle, right = (bar(theater) for theater in order)
    winner = war_winner or battle_winner
    if winner is None or violations:
        return LightFrame("game", (left, middle, right), near, far)
    return LightFrame("war-won" if war_winner else "battle-won", (left, middle, right), near, far, winner)
