"""Friction sets and the cones that they span with the normal force."""
