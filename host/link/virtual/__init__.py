"""A controller without hardware, in Python, with faults on order."""
