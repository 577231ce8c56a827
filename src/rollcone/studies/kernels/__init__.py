"""Compiled functions of `rollcone.studies` (see `rollcone._build`)."""
