"""Where things are: the table's geometry, the camera's pose, registration, straight cuts, light."""
