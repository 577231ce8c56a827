"""Compiled functions of `rollcone.mechanics` (see `rollcone._build`)."""
