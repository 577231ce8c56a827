"""Compiled functions of `rollcone.collision` (see `rollcone._build`)."""
