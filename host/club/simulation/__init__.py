"""Simulated tables and tournaments: for the demonstration, the tests and the measurements."""
