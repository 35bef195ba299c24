"""Kinds of table that the simulated camera can look at: by their light, and by the room around them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from vision.simulate.mats import SURFACES, WOODS, MatPattern
from vision.simulate.optics import Glare, Light, View
from vision.simulate.processing import Processing
from vision.simulate.scene import Sloppiness
from vision.simulate.wear import NEW, Wear


@dataclass(frozen=True, slots=True)
class TableCondition:
    """Everything about a table but what lies on it."""

    view: View = field(default_factory=View)
    light: Light = field(default_factory=Light)
    sloppiness: Sloppiness = field(default_factory=Sloppiness)
    resolution: tuple[int, int] = (1280, 720)
    surface: str | None = None
    """One of `mats.SURFACES`; None picks one by the seed."""
    mat: bool = True
    pattern: MatPattern = "plain"
    clutter: float = 0.4
    pile: bool = True
    """The deck's draw pile lies beside the mat (where there is clutter at all)."""
    things: int = 0
    """Mugs, phones, books and bowls at the mat's rim."""
    tags_hidden: int = 0
    """Corner tags over which one of them stands."""
    arms: int = 0
    """Players whose forearm rests at the rim, 0 to 2."""
    wear: Wear = NEW
    lights: bool = False
    """The console with the bars of lights stands beside the mat and shows something."""
    processing: Processing = field(default_factory=Processing)
    jpeg: int | None = None
    """Quality of the JPEG that the camera sends; None sends plain pictures."""


_FULL: Final = (1920, 1080)
CONDITIONS: Final[dict[str, TableCondition]] = {
    "day": TableCondition(resolution=_FULL, jpeg=90),
    "lamp": TableCondition(
        resolution=_FULL, jpeg=90,
        light=Light(level=0.92, cast=(0.62, 0.9, 1.12), lamp=(-180, 160), shadow=0.5, shadow_soft=1.0, noise=3.0),
    ),
    "dim": TableCondition(
        resolution=_FULL, jpeg=85, light=Light(level=0.46, cast=(0.86, 0.96, 1.05), noise=7.0, blur=0.8),
    ),
    "sleeve": TableCondition(
        resolution=_FULL, jpeg=90,
        light=Light(
            gloss=0.9, veil=0.38, shadow=0.35, glares=(Glare((-90, 120), 34, 150), Glare((120, -150), 28, 130))
        ),
    ),
    "tilt": TableCondition(resolution=_FULL, jpeg=90, view=View(tilt=15, lean=120, fill=0.97)),
    "messy": TableCondition(
        resolution=_FULL, jpeg=90,
        sloppiness=Sloppiness(offset=3.5, turn=3.4, strip=19.0, strip_spread=2.6, board_slide=5, board_turn=2.5),
    ),
    "hd720": TableCondition(jpeg=88),
    "nomat": TableCondition(resolution=_FULL, jpeg=90, mat=False),
}  # fmt: skip
"""Named kinds of table, the same kinds as photographs are sorted by."""

_ROOM: Final = TableCondition(resolution=_FULL, jpeg=88)
ROOMS: Final[dict[str, TableCondition]] = {
    "checked": replace(_ROOM, pattern="checked"),
    "printed": replace(_ROOM, pattern="printed"),
    "wood": replace(_ROOM, pattern="wood", surface="oak"),
    "tags-hidden": replace(_ROOM, things=2, tags_hidden=2),
    "things": replace(_ROOM, things=4, clutter=1.0),
    "arms": replace(_ROOM, arms=2),
    "lens": replace(
        _ROOM, view=View(tilt=16, lean=120, fill=0.97, field_of_view=84, k1=-0.24, k2=0.06, k3=-0.006)
    ),
    "webcam": replace(_ROOM, processing=Processing(sharpening=0.9, smear=0.6, saturation=0.6), jpeg=50),
    "bands": replace(_ROOM, processing=Processing(bands=0.08)),
    "drift": replace(_ROOM, processing=Processing(gain=1.25, balance=(0.85, 1.0, 1.1), drift=0.1)),
    "worn": replace(
        _ROOM, wear=Wear(scuffs=0.7, bend=3.0),
        sloppiness=Sloppiness(offset=3.0, turn=2.6, strip=20.0, strip_spread=2.4, board_slide=4, board_turn=2.0),
    ),
    "haze": replace(_ROOM, light=Light(haze=0.3)),
    "lights": replace(_ROOM, lights=True, view=View(fill=0.72)),
}  # fmt: skip
"""Named kinds of room: what lies under the cards and beside them, what the camera is and does, what the cards went
through. Their light is that of `day`, `lamp` or `dim` (`varied`)."""
ROOM_LIGHTS: Final = ("day", "day", "lamp", "dim")


def varied(condition: TableCondition, rng: np.random.Generator) -> TableCondition:
    """The condition with everything that is chance drawn anew: roll, tilt, light's direction, glare's places, noise,
    what shines, how far cards lie apart; spread as far as on photographs of such tables."""
    strong = condition.view.k1 < -0.15
    view = replace(
        condition.view,
        roll=float(rng.choice((0, 90, 180, 270)) + rng.normal(0, 4)),
        tilt=condition.view.tilt if condition.view.tilt > 10 else float(rng.uniform(0, 6)),
        lean=float(rng.uniform(0, 360)),
        k1=condition.view.k1 if strong else float(rng.uniform(-0.12, 0.02)),
    )
    light = condition.light
    light = replace(
        light,
        level=light.level * float(rng.uniform(0.88, 1.1)),
        cast=tuple(float(c * rng.normal(1, 0.035)) for c in light.cast),  # type: ignore[arg-type]
        slope=float(rng.uniform(0, 0.2)),
        slope_turn=float(rng.uniform(0, 360)),
        lamp=None if light.lamp is None else (float(rng.uniform(-260, 260)), float(rng.uniform(-330, 330))),
        shadow_turn=float(rng.uniform(0, 360)),
        noise=light.noise * float(rng.uniform(0.7, 1.5)),
        veil=float(rng.uniform(0.2, 0.55)) if light.veil > 0 else float(rng.uniform(0, 0.35)),
        blown=0.01 if light.veil > 0 else 0.0,
        glares=tuple(
            replace(
                g,
                at=(float(rng.uniform(-190, 190)), float(rng.uniform(-260, 260))),
                strength=g.strength * float(rng.uniform(0.6, 1.1)),
            )
            for g in light.glares
        ),
    )
    sloppy = replace(condition.sloppiness, strip_spread=max(2.5, condition.sloppiness.strip_spread * 1.2))
    return replace(condition, view=view, light=light, sloppiness=sloppy, surface=str(rng.choice(list(SURFACES))))


def varied_room(name: str, rng: np.random.Generator) -> tuple[TableCondition, str]:
    """A room of one of `ROOMS` with everything that is chance drawn anew, and whose light of `CONDITIONS` it has."""
    room = ROOMS[name]
    lit = str(rng.choice(ROOM_LIGHTS))
    light = replace(CONDITIONS[lit].light, haze=float(rng.uniform(0.15, 0.45)) if room.light.haze > 0 else 0.0)
    out = varied(replace(room, light=light), rng)
    # Players turn the picture's long side along the mat, or the mat would be small in it.
    view = replace(out.view, roll=float(rng.choice((90, 270)) + rng.normal(0, 5)))
    if room.view.k1 < -0.15:
        share = float(rng.uniform(0.5, 1.15))
        view = replace(
            view, tilt=float(rng.uniform(8, 20)), field_of_view=float(rng.uniform(72, 90)),
            k1=room.view.k1 * share, k2=room.view.k2 * share * float(rng.uniform(0.7, 1.3)), k3=room.view.k3 * share,
        )  # fmt: skip
    elif room.lights:
        view = replace(view, offset=(float(rng.uniform(20, 45)), 0.0), fill=float(rng.uniform(0.68, 0.78)))
    return (
        replace(
            out,
            view=view,
            surface=str(rng.choice(WOODS)) if room.pattern == "wood" else out.surface,
            arms=int(rng.integers(1, 3)) if room.arms else 0,
            things=int(rng.integers(1, room.things + 1)) if room.things else 0,
            tags_hidden=int(rng.integers(1, 3)) if room.tags_hidden else 0,
            wear=_varied_wear(room.wear, rng),
            processing=_varied_processing(room.processing, rng),
            jpeg=int(rng.integers(40, 66)) if room.jpeg is not None and room.jpeg < 60 else room.jpeg,
        ),
        lit,
    )


def _varied_wear(wear: Wear, rng: np.random.Generator) -> Wear:
    if wear == NEW:
        return wear
    return Wear(
        wear.scuffs * float(rng.uniform(0.5, 1.3)), wear.bend * float(rng.uniform(0.3, 1.3)), bool(rng.random() < 0.5)
    )


def _varied_processing(how: Processing, rng: np.random.Generator) -> Processing:
    if how.smear > 0:
        how = replace(
            how,
            sharpening=how.sharpening * float(rng.uniform(0.4, 1.5)),
            smear=how.smear * float(rng.uniform(0.4, 1.4)),
            saturation=float(rng.uniform(0.45, 0.8)),
            curves=tuple(float(v) for v in 1.1 ** rng.normal() * 1.02 ** rng.normal(size=3)),  # type: ignore[arg-type]
        )
    if how.bands > 0:
        how = replace(
            how, bands=float(rng.uniform(0.03, 0.14)), band_count=float(rng.uniform(0.6, 3.2)),
            band_phase=float(rng.random()),
        )  # fmt: skip
    if how.drift > 0:
        how = replace(
            how, gain=float(np.exp(rng.uniform(-0.5, 0.3))),
            balance=tuple(float(v) for v in np.exp(rng.normal(0, 0.12, 3))),  # type: ignore[arg-type]
            drift=how.drift * float(rng.uniform(0.5, 1.5)),
        )  # fmt: skip
    return how
