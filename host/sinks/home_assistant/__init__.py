"""Home Assistant as a sink: the table becomes a device with sensors, by MQTT discovery. Off unless asked for."""
