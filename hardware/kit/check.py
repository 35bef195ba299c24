"""One finding of the kit's check: what was measured, what it must be, and whether it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, whether it holds, and the figures."""

    name: str
    holds: bool
    found: str


def at_least(name: str, measured: float, limit: float, unit: str = "mm") -> Check:
    """Holds where `measured` reaches `limit`."""
    return Check(name, measured >= limit - 1e-9, f"{measured:.2f} {unit}, at least {limit:g}")


def at_most(name: str, measured: float, limit: float, unit: str = "mm") -> Check:
    """Holds where `measured` stays within `limit`."""
    return Check(name, measured <= limit + 1e-9, f"{measured:.2f} {unit}, at most {limit:g}")


def same(name: str, one: object, other: object) -> Check:
    """Holds where two things that must agree do."""
    return Check(name, one == other, f"{one}" if one == other else f"{one} against {other}")
