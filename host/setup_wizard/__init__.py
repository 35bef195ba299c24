"""Setting a table up in the browser: from the camera to the first card, step by step, on a computer or a phone."""
