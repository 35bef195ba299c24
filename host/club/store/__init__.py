"""The desk's store: a protocol with SQLite and PostgreSQL behind it."""
