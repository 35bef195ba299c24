"""The camera over the simulated table: where it hangs, its lens, the light and the sensor's noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.table import MAT
from vision.simulate.ink import SheetImage, texture

Float32Image: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class View:
    """How the camera hangs. Angles in degrees; `roll` turns the picture, `tilt` leans the camera towards `lean`."""

    roll: float = 90.0
    tilt: float = 3.0
    lean: float = 40.0
    fill: float = 0.93
    """Share of the picture that the mat takes, in the tighter direction."""
    field_of_view: float = 62.0
    k1: float = -0.06
    k2: float = 0.01
    k3: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)
    """Where on the table it looks, mm from the centre."""


@dataclass(frozen=True, slots=True)
class Glare:
    """A lamp's reflection: centre on the table (mm), radius (mm) and strength in grey levels on full gloss."""

    at: tuple[float, float]
    radius: float
    strength: float


@dataclass(frozen=True, slots=True)
class Light:
    """The room's light as the camera's automatic settings leave it."""

    level: float = 1.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Gain of blue, green and red."""
    slope: float = 0.12
    """How much brighter one side of the picture is than the other."""
    slope_turn: float = 30.0
    lamp: tuple[float, float] | None = None
    """A lamp low over the table at this place (mm): bright near it, dark away from it."""
    lamp_reach: float = 420.0
    shadow: float = 0.3
    shadow_turn: float = 45.0
    shadow_soft: float = 2.5
    gloss: float = 0.15
    """How glossy the cards are, 0 matt paper to 1 sleeves."""
    glares: tuple[Glare, ...] = field(default=())
    veil: float = 0.0
    """Up to how much white (0..1) a lampshade or window lays over cards and boards, with sharp edges."""
    haze: float = 0.0
    """How much of all contrast (0..1) a smeared lens or a lamp that shines into it takes, and fills with white."""
    blown: float = 0.0
    """Share of the cards whose sleeve throws a lamp straight into the camera: nothing is left of their print."""
    noise: float = 2.0
    """Standard deviation of the sensor's noise, grey levels."""
    blur: float = 0.5
    """Standard deviation of the lens' blur, px at 720 lines."""


class Optics:
    """Projection between the table (mm) and the picture (px) for one view and one resolution (width, height)."""

    def __init__(self, view: View, resolution: tuple[int, int]) -> None:
        self.view, self.resolution = view, resolution
        width, height = resolution
        self._f = width / 2 / math.tan(math.radians(view.field_of_view / 2))
        self._centre = np.array([width / 2, height / 2])
        self._turn = self._turned(view)
        self._at = self._fitted()

    @staticmethod
    def _turned(view: View) -> NDArray[np.float64]:
        """Rows are the camera's right, down and forward directions in table coordinates."""
        tilt, lean, roll = (math.radians(a) for a in (view.tilt, view.lean, view.roll))
        back = np.array([math.sin(tilt) * math.cos(lean), math.sin(tilt) * math.sin(lean), math.cos(tilt)])
        forward = -back
        down = np.array([0.0, -1.0, 0.0])
        down -= forward * float(down @ forward)
        down /= np.linalg.norm(down)
        right = np.cross(down, forward)
        c, s = math.cos(roll), math.sin(roll)
        return np.stack((right * c + down * s, down * c - right * s, forward))

    def _fitted(self) -> NDArray[np.float64]:
        """The camera's place, as near as the mat still fills no more than `fill` of the picture."""
        x, y = MAT[0] / 2, MAT[1] / 2
        corners = np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])
        low, high = 200.0, 4000.0
        for _ in range(40):
            distance = (low + high) / 2
            self._at = np.array([*self.view.offset, 0.0]) - self._turn[2] * distance
            reach = np.abs(self.project(corners) - self._centre) / self._centre
            if reach.max() > self.view.fill:
                low = distance
            else:
                high = distance
        return self._at

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Table points (n × 3, mm, z up) to picture points (n × 2, px)."""
        seen = (np.asarray(points, np.float64) - self._at) @ self._turn.T
        xy = seen[:, :2] / seen[:, 2:]
        r2 = (xy**2).sum(axis=1, keepdims=True)
        return np.asarray(xy * self._bend(r2) * self._f + self._centre)

    def _bend(self, r2: NDArray[np.float64]) -> NDArray[np.float64]:
        """How much further from the middle the lens shows a point than a pinhole would, by its squared tangent."""
        view = self.view
        return np.asarray(1 + r2 * (view.k1 + r2 * (view.k2 + r2 * view.k3)))

    def scale(self) -> float:
        """px per mm at the centre of the table."""
        a, b = self.project(np.array([(-5.0, 0, 0), (5.0, 0, 0)]))
        return float(np.hypot(*(b - a)) / 10)

    def table_map(self) -> Float32Image:
        """For every pixel the place on the table (rows × columns × 2, mm), computed on a coarse grid."""
        width, height = self.resolution
        xs, ys = np.linspace(0, width - 1, width // 8), np.linspace(0, height - 1, height // 8)
        grid = (np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) - self._centre) / self._f
        # Newton's method for the tangent of each pixel's ray; where a strong lens shows nothing, it stays at the rim.
        bent = np.maximum(np.sqrt((grid**2).sum(axis=1, keepdims=True)), 1e-9)
        tangent = bent.copy()
        view = self.view
        for _ in range(12):
            r2 = tangent**2
            slope = 1 + r2 * (3 * view.k1 + r2 * (5 * view.k2 + r2 * 7 * view.k3))
            tangent = np.clip(tangent - (tangent * self._bend(r2) - bent) / np.maximum(slope, 0.15), 0, 2.5)
        flat = grid * (tangent / bent)
        rays = np.concatenate((flat, np.ones((len(flat), 1))), axis=1) @ self._turn
        reach = -self._at[2] / np.minimum(rays[:, 2], -1e-6)
        place = (self._at[:2] + rays[:, :2] * reach[:, None]).reshape(len(ys), len(xs), 2).astype(np.float32)
        mx = (np.arange(width, dtype=np.float32) * (len(xs) - 1) / (width - 1))[None].repeat(height, 0)
        my = (np.arange(height, dtype=np.float32) * (len(ys) - 1) / (height - 1))[:, None].repeat(width, 1)
        return np.asarray(cv2.remap(place, mx, my, cv2.INTER_LINEAR), np.float32)


def light_maps(light: Light, places: Float32Image) -> tuple[Float32Image, Float32Image]:
    """Gain (rows × columns × 3) and glare (rows × columns, grey levels on full gloss) for every pixel."""
    x, y = places[::8, ::8, 0], places[::8, ::8, 1]
    turn = math.radians(light.slope_turn)
    gain = 1 + light.slope * (x * math.cos(turn) + y * math.sin(turn)) / 300
    if light.lamp is not None:
        distance2 = (x - light.lamp[0]) ** 2 + (y - light.lamp[1]) ** 2
        gain = gain * (0.35 + 0.95 / (1 + distance2 / light.lamp_reach**2) ** 1.5)
    glare = np.zeros(x.shape, np.float64)
    for spot in light.glares:
        distance2 = (x - spot.at[0]) ** 2 + (y - spot.at[1]) ** 2
        glare = glare + spot.strength * np.exp(-0.5 * distance2 / spot.radius**2)
    gain3 = (np.clip(gain, 0.05, 4)[..., None] * np.array(light.cast) * light.level).astype(np.float32)
    size = (places.shape[1], places.shape[0])
    return (
        np.asarray(cv2.resize(gain3, size, interpolation=cv2.INTER_LINEAR), np.float32),
        np.asarray(cv2.resize(glare.astype(np.float32), size, interpolation=cv2.INTER_LINEAR), np.float32),
    )


class Sensor:
    """Adds noise to frames, cheaply: a few prepared fields of noise, shifted at random each time."""

    def __init__(self, resolution: tuple[int, int], sigma: float, rng: np.random.Generator) -> None:
        width, height = resolution
        self._size, self._rng, self._spare = (width, height), rng, 64
        noise = rng.standard_normal((height + self._spare, width + self._spare, 3), np.float32)
        noise *= 0.85 * sigma
        # Webcams smooth their noise and leave some of it in patches of colour.
        patches = texture(height + self._spare, width + self._spare, 5, rng)
        # Channel by channel and in whole numbers: a quarter of the time of all at once.
        noise += cv2.merge([patches * one for one in np.array([0.35, 0.2, 0.3], np.float32) * sigma])
        steps = noise.astype(np.int16)
        self._brighter = np.clip(steps, 0, 255).astype(np.uint8)
        self._darker = np.clip(-steps, 0, 255).astype(np.uint8)

    def expose(self, image: SheetImage) -> SheetImage:
        """The picture with fresh noise."""
        width, height = self._size
        y, x = (int(v) for v in self._rng.integers(0, self._spare, 2))
        window = (slice(y, y + height), slice(x, x + width))
        noisy = cv2.subtract(cv2.add(image, self._brighter[window]), self._darker[window])
        return np.asarray(noisy, np.uint8)
