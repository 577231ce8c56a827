"""Friction as linear complementarity problems: the models that engines of that kind use."""
