"""What is installed from others: locked with hashes, listed, checked against advisories, tried in newer versions."""
