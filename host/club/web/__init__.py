"""The desk's pages: the organiser's, the room's screen, check-in by code, and what is printed."""
