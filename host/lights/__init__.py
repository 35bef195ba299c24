"""What the lights show: a pure function from the game to a LightFrame, and a drawing of it."""

from host.lights.frame import DARK, IDLE, Bar, Colour, LightFrame, LightScene, Mood
from host.lights.grammar import commander_colours, light_frame

__all__ = ["DARK", "IDLE", "Bar", "Colour", "LightFrame", "LightScene", "Mood", "commander_colours", "light_frame"]
