"""The table's side of a club night: what its log says goes to the desk, what the desk says comes to the page."""
