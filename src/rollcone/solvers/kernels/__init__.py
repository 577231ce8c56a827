"""Compiled functions of `rollcone.solvers` (see `rollcone._build`)."""
