"""The wire between tables and desk: MQTT by paho and Mosquitto. Nothing is lost when it is cut, only late."""
