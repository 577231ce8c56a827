"""Compiled functions of `rollcone.analysis` (see `rollcone._build`)."""
