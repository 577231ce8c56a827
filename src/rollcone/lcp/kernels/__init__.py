"""Compiled functions of `rollcone.lcp` (see `rollcone._build`)."""
