"""Club night: many tables, one organiser. The tables' logs are the truth, the broker is a wire, the desk keeps a copy.

`store` keeps what the tables sent, `tournament` pairs and ranks, `wire` speaks MQTT, `desk` joins the three, `web` is
the organiser's page and the screen, `table` is the part that runs at each table.
"""
