"""Measurements of this machine: each is one figure with its name, unit and how often it was taken.

A room's figures stand in a module of this package, which declares `FIGURES`. `allfronts bench` runs them; CI does not.
"""

# `vision` sets how many threads numpy may use, which counts only before numpy is imported.
import vision as vision
