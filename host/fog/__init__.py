"""Fog of War at a table: its running game, its page and its demonstration. The rules are `engine.fog`."""
