"""Learning a deck, and judging a picture before it is used."""
