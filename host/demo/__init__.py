"""The demonstration: two simulated players at a simulated table, seen through a simulated camera."""
