"""Coefficients that match measurements: the mathematics, the fit file, the whole."""
