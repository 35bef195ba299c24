"""The table: the one place that owns the game. Everything else hands it what it saw or was told, or watches it."""
