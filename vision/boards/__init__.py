"""The three theater boards: finding them, and registration by them where the mat is missing."""
