"""What can be said of a motion besides the motion: the energy audit."""
