"""Every written form of a game: JSON, the text notation, replay, drawing."""
