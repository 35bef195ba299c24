"""Controller boards: the firmware that is shipped, flashing, set-up, examination."""
