"""Compiled functions of `rollcone.stepping` (see `rollcone._build`)."""
