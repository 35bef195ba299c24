"""The hardware kit: dimensions, parts, wiring, power and pictures, all from one set of numbers; stands alone."""
