"""The composition of a running table."""
