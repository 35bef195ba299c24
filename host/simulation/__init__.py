"""Games that never took place, for measuring the referee: players, mistakes, observation noise."""
