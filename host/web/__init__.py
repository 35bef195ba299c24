"""The page: everything that a phone at the table sees and may do."""
