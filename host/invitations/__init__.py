"""Who is invited: the page on which invitations are shown, sent and revoked, and how a phone comes in securely."""
