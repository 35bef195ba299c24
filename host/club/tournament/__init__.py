"""The tournament: events, the state that they make, pairing, standings and exports. No I/O and no clock."""
