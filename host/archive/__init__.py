"""The wars that were played, looked at afterwards: on the web, moment by moment, counted, exported and drawn."""
