"""Compiled functions of `rollcone.problem` (see `rollcone._build`)."""
