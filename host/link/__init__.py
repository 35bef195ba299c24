"""The link to the lights: frames, messages, ports, the line that mends itself, and a controller without hardware."""
