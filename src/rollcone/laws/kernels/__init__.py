"""Compiled functions of `rollcone.laws` (see `rollcone._build`)."""
