"""What subscribes to a session: lights, pages and whatever comes."""
