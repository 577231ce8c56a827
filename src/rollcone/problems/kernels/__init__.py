"""Compiled functions of `rollcone.problems` (see `rollcone._build`)."""
