"""The session: the one place that owns the game. Everything else feeds it, or is told of what changes."""
